"""The option that names the TBox and what reads it, apart from the commands that derive one."""

from __future__ import annotations

from pathlib import Path

import click

from tieout.data.console import errors, one_line
from tieout.ontology.model import DEFAULT, Ontology, OntologyError, default_ontology

ontology_option = click.option(
    "--ontology",
    type=click.Path(path_type=Path),
    help="The TBox, a Turtle file that `tieout ontology build` makes: the classes and properties that reports talk "
    "about. Else ontology.ttl, else that of the sample.",
)


def read_ontology(path: Path | None) -> Ontology:
    """The TBox of the option --ontology; without one the default, as `tell_ontology` says."""
    with one_line(OntologyError, OSError):
        tbox, _ = default_ontology(path)
    tell_ontology(path)
    return tbox


def tell_ontology(named: Path | None) -> None:
    """Says on standard error that the one of the folder is used, where none was named: nobody has asked for it. Of that
    of the sample, which is always there, `tieout config` tells."""
    if named is None and DEFAULT.exists():
        errors.print(f"ontology: {DEFAULT} of this folder", style="dim", markup=False, soft_wrap=True)
