"""``braided train kafka://host/topic``: learn from the stream of a broker until Ctrl-C.

The model has a journal beside it, as in a service, and the position in the stream is in it: however
the command ends, ``--continue`` goes on where it was, and the files can be served.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from braided.errors import InputError, argument

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from braided.cli.options import LearnerOptions, ReadingOptions
    from braided.cli.train import LiveOptions, ModelOptions
    from braided.live.sources import Feed

__all__ = ["train_from_broker"]

_EVERY = 0.2
_OF_FILES = ("format", "separator", "no_header", "columns", "strict", "on_error")


def train_from_broker(
    data: list[str],
    learner: LearnerOptions,
    reading: ReadingOptions,
    output: ModelOptions,
    live: LiveOptions,
) -> None:
    """Learn from a stream until Ctrl-C.

    Parameters
    ----------
    data : list of str
        One address.
    learner, reading, output, live : dataclass
        The options of ``braided train``.
    """
    from braided.cli.ctrl_c import CtrlC
    from braided.cli.data import refuse_web_address
    from braided.cli.options.lengths import remembering
    from braided.live.host import Upkeep
    from braided.live.models import Models
    from braided.live.sources import start
    from braided.live.sources.table import address_of
    from braided.live.storage import MODEL

    for each in data:
        refuse_web_address(each)
    if len(data) > 1:
        raise InputError(f"{data[0]} is a stream that does not end: it is the only DATA")
    address_of(data[0])
    _refuse(reading, output, live)
    path = Path(output.model)
    if path.suffix != MODEL:
        raise InputError(f"--model {path}: a model with a journal is called NAME{MODEL}")
    if output.go_on:
        if learner.chosen:
            raise InputError("--continue goes on with the learner of the model: choose no other")
    else:
        _begin(path, learner, reading, live)
    remember = remembering(live.remember)
    upkeep = Upkeep(remember=remember.get("remember"), remember_seconds=remember.get("seconds"))
    models = Models(path, upkeep=upkeep, label=reading.label or None, key=live.key)
    feeds: list[Feed] = []
    try:
        (host,) = models
        feeds = start(models, [(host.name, data[0], None)])
        with CtrlC() as ctrl_c:
            _watch(feeds[0], ctrl_c.check)
    except KeyboardInterrupt:
        pass
    finally:
        for feed in feeds:
            feed.stop()
        models.close()
    model = host.model
    print(
        f"{output.model}: {model.learner!r}, {model.learner.rounds} rows learned, "
        f"{len(model.pending)} records wait for their label; {feeds[0].bad} messages could not be "
        "read or learned; --continue goes on where this ended"
    )


def _watch(feed: Feed, check: Callable[[], None]) -> None:
    """Wait until the user ends it; say what is wrong with the broker, once."""
    told: str | None = None
    while True:
        check()
        if feed.trouble not in (None, told):
            told = feed.trouble
            print(f"{told}; trying again", file=sys.stderr)
        time.sleep(_EVERY)


def _refuse(reading: ReadingOptions, output: ModelOptions, live: LiveOptions) -> None:
    """Refuse options that are for files, which end."""
    given: Mapping[str, object] = {
        **{argument(name): getattr(reading, name) for name in _OF_FILES},
        "--resume": output.resume,
        "--checkpoint": output.checkpoint,
        "--checkpoint-seconds": output.checkpoint_seconds,
        "--html": live.html,
        "--predictions": live.predictions,
        "--shuffle": live.shuffle is not None,
    }
    found = [flag for flag, value in given.items() if value]
    if found:
        raise InputError(f"{', '.join(found)}: not for the stream of a broker")


def _begin(path: Path, learner: LearnerOptions, reading: ReadingOptions, live: LiveOptions) -> None:
    """Write a model that has learned nothing."""
    from braided.live.live_model import LiveModel
    from braided.live.models import checked_name
    from braided.live.storage import JOURNAL

    checked_name(path.stem)
    journal = path.with_suffix(JOURNAL)
    if os.path.exists(journal):
        raise InputError(f"{journal} exists already: --continue goes on with it, or remove it")
    made = learner.create()
    made.schema = reading.schema().with_roles(key=live.key)
    LiveModel(made).save(path)
