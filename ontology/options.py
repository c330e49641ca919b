"""The option that names the TBox and what reads it, apart from the commands that derive one."""

from __future__ import annotations

from pathlib import Path

import click

from tieout.data.console import errors, one_line
from tieout.ontology.model import Ontology, OntologyError, default_ontology

ontology_option = click.option(
    "--ontology",
    type=click.Path(path_type=Path),
    help="The TBox, a Turtle file that `tieout ontology build` makes: the classes and properties that reports talk "
    "about. Else ontology.ttl, else that of the sample.",
)


def read_ontology(path: Path | None) -> Ontology:
    """The TBox of the option --ontology; without one the default, and standard error says which that is."""
    with one_line(OntologyError, OSError):
        tbox, source = default_ontology(path)
    if path is None:
        errors.print(f"ontology: {source}", style="dim", markup=False)
    return tbox
