"""The commands `tieout kg`."""

from __future__ import annotations

import click

from tieout.data.later import LaterGroup

COMMANDS = {
    # name: (module, attribute, what it is for)
    "build": ("tieout.kg.commands.build", "build", "Read reports, build their graphs and keep them in the store."),
    "check": ("tieout.kg.commands.check", "check", "Check that every number printed is in its graph."),
    "export": ("tieout.kg.commands.show", "export", "Write the graph of a report as RDF."),
    "facts": ("tieout.kg.commands.facts", "facts", "List the facts of reports, one line each."),
    "outline": (
        "tieout.kg.commands.outline",
        "outline",
        "Show the sections, notes and tables of a report.",
    ),
    "show": ("tieout.kg.commands.show", "show", "Show a report, or a part of it, as it was understood."),
}


@click.group(cls=LaterGroup, later=COMMANDS)
def kg() -> None:
    """Turn reports into graphs; look at them, check that nothing is lost.

    A graph holds one fact for each amount that a report prints (value, unit, scale, period, what it measures, and its
    cell or sentence), as RDF: in triples of subject, property and value.
    """
