"""The command `tieout eval tokens`: how much a language model has to read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from tieout.agent.backends.choose import backend_name, make_backend
from tieout.agent.workspace import Settings
from tieout.data.cli import report_problem
from tieout.data.console import console, files_argument, json_option, print_json, working
from tieout.data.readers.read import read_files
from tieout.eval.options import bad_input
from tieout.eval.score.tokens import Measured, measure, summary
from tieout.ontology.model import default_ontology
from tieout.ontology.options import ontology_option

NAMES = {
    "conversations": "conversations",
    "median_ratio": "card / page, median",
    "max_ratio": "card / page, greatest",
    "median_card": "card, median characters",
    "median_plain": "page, median characters",
    "later_turns": "turns behind the first",
    "median_turn": "a later turn adds, median characters",
    "max_turn": "a later turn adds, at most",
    "tools": "tool definitions, characters (once a run)",
    "instructions": "instructions, characters (once a run)",
}


@click.command()
@files_argument
@click.option("--backend", metavar="NAME", help="Answers the turns, so that later ones have a history; else offline.")
@ontology_option
@click.option("--strategy", type=click.Choice(["tools", "plan"]), default="tools", show_default=True)
@json_option
def tokens(files: tuple[Path, ...], backend: str | None, ontology: Path | None, strategy: str, as_json: bool) -> None:
    """How long the requests to a language model are, in characters."""
    with bad_input(), working("measuring the requests"):
        found = summary(_measured(files, backend, ontology, strategy))
    if as_json:
        print_json(found)
        return
    for name, value in found.items():
        console.print(f"{NAMES[name]:42} {value if value is not None else '-':>10}", markup=False)


def _measured(files: tuple[Path, ...], backend: str | None, ontology: Path | None, strategy: str) -> Iterator[Measured]:
    tbox, _ = default_ontology(ontology)
    answering = make_backend(backend_name(backend))
    for conversation in read_files(files, report_problem):
        yield measure(conversation, tbox, answering, Settings(strategy=strategy))
