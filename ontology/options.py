"""The option that names the TBox, apart from the commands that derive one."""

from __future__ import annotations

from pathlib import Path

import click

ontology_option = click.option(
    "--ontology",
    type=click.Path(path_type=Path),
    help="The TBox, a Turtle file that `tieout ontology build` makes: the classes and properties that reports talk "
    "about. Else ontology.ttl, else that of the sample.",
)
