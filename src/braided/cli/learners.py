"""``braided learners``: the learners, and their parameters."""

from __future__ import annotations

__all__ = ["learners"]


def learners() -> None:
    """List the learners, their other names and parameters, and the experts of braid."""
    from rich.console import Console
    from rich.table import Table

    from braided import registry
    from braided.cli.parsing import as_text

    table = Table("name", "also called", "parameters and defaults", "what it is", show_lines=True)
    for entry in registry.LEARNERS:
        if entry.alias_of is None:
            aliases = [other for other in registry.LEARNERS if other.alias_of == entry.name]
            table.add_row(
                entry.name,
                "\n".join(f"{alias.name}: {as_text(dict(alias.preset))}" for alias in aliases),
                as_text(registry.parameters(entry.name)).replace(", ", "\n"),
                entry.about,
            )
    console = Console()
    console.print(table)
    for name in registry.WRAPPERS:
        wrapper = registry.resolve(registry.WRAPPERS[name])
        about = wrapper.__doc__.partition("\n")[0]
        console.print(f"{name}+NAME, as in {name}+olsf: {about}", highlight=False, markup=False)
    experts = ", ".join(f"{entry.name} ({entry.about})" for entry in registry.EXPERTS)
    console.print(f"Experts of {registry.DEFAULT}: {experts}", highlight=False, markup=False)
