"""The command `tieout eval view`: what views of whole reports show of the answers, without any model."""

from __future__ import annotations

from pathlib import Path

import click

from tieout.agent.view.reports import BUDGET
from tieout.data.console import json_option, one_line, print_json
from tieout.data.readers.read import DataError
from tieout.eval.score.view_recall import QuestionsError, Seen, look, read_questions
from tieout.ontology.cli import ontology_option
from tieout.ontology.model import OntologyError, default_ontology

MOST_SHOWN = 20


@click.command("view")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--reports", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder.")
@click.option("--untagged", is_flag=True, help="Take the Inline XBRL tags out of the reports first.")
@click.option("--budget", type=click.IntRange(500, 200_000), default=BUDGET, show_default=True, help="Tokens.")
@ontology_option
@json_option
def view(file: Path, reports: Path, untagged: bool, budget: int, ontology: Path | None, as_json: bool) -> None:
    """In how many questions of FILE all figures of the answer are in the view, and at how many tokens.

    FILE: JSON Lines of {id, doc, question, gold, gold_number, percent}; doc is the name of a file in the folder of
    reports. `figures`, a list of numbers, may say what the answer needs.
    """
    with one_line(QuestionsError, DataError, OntologyError, OSError):
        tbox, _ = default_ontology(ontology)
        seen = list(look(list(read_questions(file)), reports, tbox, budget, untagged))
    told = _told(seen)
    if as_json:
        print_json(told)
        return
    click.echo(
        f"figures of the answer in the view: {told['seen']} of {told['questions']} questions ({told['share']:.1%})"
    )
    click.echo(f"tokens of a view: {told['mean_tokens']} on average, {told['most_tokens']} at most")
    for each in [each for each in seen if each.missing][:MOST_SHOWN]:
        missing = ", ".join(f"{figure:f}" for figure in each.missing)
        click.echo(f"  {each.question.id}: {missing} not shown for {each.question.question!r}")


def _told(seen: list[Seen]) -> dict[str, object]:
    good = sum(not each.missing for each in seen)
    tokens = [each.tokens for each in seen]
    return {
        "questions": len(seen),
        "seen": good,
        "share": good / len(seen) if seen else 0.0,
        "mean_tokens": sum(tokens) // len(tokens) if tokens else 0,
        "most_tokens": max(tokens, default=0),
        "missing": [each.question.id for each in seen if each.missing],
    }
