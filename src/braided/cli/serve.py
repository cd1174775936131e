"""``braided serve``: models behind HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from braided.cli.options.lengths import remembering, seconds_of
from braided.cli.options.panels import BROKERS, DATA, OUTPUT, SERVICE
from braided.errors import InputError

if TYPE_CHECKING:
    from braided.live.host import Upkeep

__all__ = ["serve"]

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class ServiceOptions:
    """Where the service listens, and who may use it."""

    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Address to listen on; others than this machine's own need tokens.",
            rich_help_panel=SERVICE,
        ),
    ] = "127.0.0.1"
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help="Port; 0 for a free one.", rich_help_panel=SERVICE),
    ] = 8000
    tokens: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            show_default="BRAIDED_TOKENS",
            help="File with a role (read, write or admin) and a token on each line.",
            rich_help_panel=SERVICE,
        ),
    ] = None
    most_waiting: Annotated[
        int,
        typer.Option(
            metavar="RECORDS",
            min=1,
            help="Records of a model that may wait to be learned; beyond it the answer is 429.",
            rich_help_panel=SERVICE,
        ),
    ] = 20_000


@dataclass(frozen=True)
class SourceOptions:
    """Streams of brokers."""

    source: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[MODEL=]ADDRESS",
            help="Stream to learn from, as in spam=kafka://host/topic; also redis://, nats:// "
            "(JetStream) and mqtt:// (repeatable). MODEL may be left out if there is one.",
            rich_help_panel=BROKERS,
        ),
    ] = None
    sink: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[MODEL=]ADDRESS",
            help="Stream for the predictions of records that come from --source without a label.",
            rich_help_panel=BROKERS,
        ),
    ] = None

    def streams(self, names: list[str]) -> list[tuple[str, str, str | None]]:
        """Read which model has which streams.

        Parameters
        ----------
        names : list of str
            The models that there are.

        Returns
        -------
        list of tuple
            Model, source and sink of each source.
        """
        sinks = dict(_named("--sink", text, names) for text in self.sink or [])
        sources = [_named("--source", text, names) for text in self.source or []]
        for name in sinks.keys() - {name for name, _ in sources}:
            raise InputError(f"--sink {name}={sinks[name]}: there is no --source for {name}")
        return [(name, source, sinks.get(name)) for name, source in sources]


def _named(flag: str, text: str, names: list[str]) -> tuple[str, str]:
    name, sign, address = text.partition("=")
    if sign and "/" not in name:
        return name, address
    if len(names) != 1:
        raise InputError(f"{flag} {text}: for which model? Write {flag} MODEL={text}")
    return names[0], text


@dataclass(frozen=True)
class KeepingOptions:
    """Snapshots, the journal, and records that wait."""

    label: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            show_default="that of the model, or label",
            help="Field with the labels, if it is another than the model says.",
            rich_help_panel=DATA,
        ),
    ] = None
    key: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            help="Field by which labels find their records, if it is another than the model says.",
            rich_help_panel=DATA,
        ),
    ] = None
    remember: Annotated[
        str | None,
        typer.Option(
            metavar="HOW MANY|HOW LONG",
            show_default="100000",
            help="How many records wait for their label, as in 100000, or how long, as in 7d.",
            rich_help_panel=DATA,
        ),
    ] = None
    snapshot_seconds: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.0,
            help="A snapshot at least so often, if something was learned.",
            rich_help_panel=OUTPUT,
        ),
    ] = 60.0
    journal_size: Annotated[
        int,
        typer.Option(
            metavar="MB",
            min=1,
            help="A journal that is larger is trimmed at the next snapshot.",
            rich_help_panel=OUTPUT,
        ),
    ] = 1024
    journal_age: Annotated[
        str | None,
        typer.Option(
            metavar="HOW LONG",
            show_default="forever",
            help="A journal that goes back longer, as in 30d, is trimmed at the next snapshot.",
            rich_help_panel=OUTPUT,
        ),
    ] = None

    def upkeep(self) -> Upkeep:
        """Read what is asked for.

        Returns
        -------
        Upkeep
            Snapshots and trimming.
        """
        from braided.live.host import Upkeep

        found = remembering(self.remember)
        return Upkeep(
            seconds=self.snapshot_seconds,
            journal_bytes=self.journal_size << 20,
            journal_seconds=seconds_of("--journal-age", self.journal_age),
            remember=found.get("remember"),
            remember_seconds=found.get("seconds"),
        )


def serve(
    models: Annotated[
        str,
        typer.Argument(
            metavar="MODELS", help="A folder of models, or one model file.", rich_help_panel=DATA
        ),
    ],
    *,
    service: ServiceOptions,
    keeping: KeepingOptions,
    brokers: SourceOptions,
) -> None:
    """Serve models that learn while they predict; each has a journal that survives a crash."""
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise InputError("serving needs more packages: pip install 'braided[live]'") from None
    from braided.live.bodies import Limits
    from braided.live.models import Models
    from braided.live.server import Server
    from braided.live.service import Service
    from braided.live.tokens import Tokens

    tokens = Tokens.find(service.tokens)
    if service.host not in _LOOPBACK and not len(tokens):
        raise InputError(
            f"--host {service.host} is reachable from other machines, so --tokens FILE is needed"
        )
    opened = Models(
        models,
        Limits(waiting=service.most_waiting),
        keeping.upkeep(),
        label=keeping.label,
        key=keeping.key,
    )

    feeds = []
    if brokers.source or brokers.sink:
        from braided.live.sources import start

        feeds = start(opened, brokers.streams([each.name for each in opened]))

    def started(port: int) -> None:
        shown = f"[{service.host}]" if ":" in service.host else service.host
        print(f"{len(opened)} models at http://{shown}:{port}", flush=True)

    server = Server(Service(opened, tokens), service.host, service.port, started)
    try:
        server.run()
    finally:
        for feed in feeds:
            feed.stop()
        opened.close()
    if not server.started:
        raise InputError(f"--port {service.port}: it can not be listened on")
