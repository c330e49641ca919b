"""The command `tieout eval view`: what views of whole reports show of the answers, without any model."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import click

from tieout.agent.view.reports import BUDGET
from tieout.data.console import json_option, one_line, print_json, working
from tieout.data.readers.read import DataError
from tieout.eval.gold.report_questions import QuestionsError, read_questions
from tieout.eval.score.view_recall import Seen, look, look_at_kept
from tieout.kg.index.words import WordIndexError
from tieout.kg.options import store_option
from tieout.kg.store.store import StoreError
from tieout.ontology.model import OntologyError, default_ontology
from tieout.ontology.options import ontology_option

MOST_SHOWN = 20


@click.command("view")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--reports", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder.")
@click.option("--kept", is_flag=True, help="Ask over all that the store keeps, not over the report of a question.")
@click.option("--untagged", is_flag=True, help="Take the Inline XBRL tags out of the reports first.")
@click.option("--budget", type=click.IntRange(500, 200_000), default=BUDGET, show_default=True, help="Tokens.")
@click.option(
    "--needs",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="JSON Lines of {id, needs, sentences}: what answers are made of, as eval/needs/financebench.jsonl.",
)
@ontology_option
@store_option
@json_option
def view(
    file: Path,
    reports: Path,
    kept: bool,
    untagged: bool,
    budget: int,
    needs: Path | None,
    ontology: Path | None,
    store: Path,
    as_json: bool,
) -> None:
    """How much of what the answers of FILE need is in the view, and of how many tokens a request to a model is.

    FILE: JSON Lines of {id, doc, question, gold, gold_number, percent}; doc is the name of a file in the folder of
    reports. `needs` may list the figures that the answer is made of; else they are the answer itself. A model is shown
    less than the reader of this program is: --budget 3100.
    """
    with one_line(QuestionsError, DataError, OntologyError, StoreError, WordIndexError, OSError), working("looking"):
        tbox, _ = default_ontology(ontology)
        asked = list(read_questions(file, needs))
        if kept:
            seen = list(look_at_kept(asked, store, budget))
        else:
            seen = list(look(asked, reports, tbox, budget, untagged, store))
    told = _told(seen)
    if as_json:
        print_json(told)
        return
    click.echo(f"what the answer needs is in the view: {told['seen']} of {told['questions']} ({told['share']:.1%})")
    if kept:
        click.echo(f"its report is in the view: {told['with_report']} of {told['questions']}")
    for what in ("figures", "sentences"):
        if told[what]:
            click.echo(f"{what} in the view: {told[f'{what}_seen']} of {told[what]}")
    if told["not_seen"]:
        click.echo(f"of the rest one `open` or `search` away: {told['away']} of {told['not_seen']}")
    click.echo(f"tokens of a view: {told['mean_tokens']} on average, {told['most_tokens']} at most")
    click.echo(f"tokens of a request: {told['median_request']} at the median, {told['most_request']} at most")
    for each in [each for each in seen if not each.has_report][:MOST_SHOWN]:
        click.echo(f"  {each.question.id}: nothing of {' or '.join(each.question.docs)} for {each.question.question!r}")
    for each in [each for each in seen if each.missing or each.unsaid][:MOST_SHOWN]:
        figures = [f"{need.figure:f}{f' ({need.label})' if need.label else ''}" for need in each.missing]
        missing = ", ".join((*figures, *(f'"{words}"' for words in each.unsaid)))
        click.echo(f"  {each.question.id}: {missing} not shown for {each.question.question!r}")


def _told(seen: list[Seen]) -> dict[str, object]:
    counted = [each for each in seen if each.question.figures]
    good = sum(not each.missing for each in counted)
    figures, sentences = (sum(len(getattr(each.question, kind)) for each in seen) for kind in ("figures", "sentences"))
    missing, unsaid = (sum(len(getattr(each, kind)) for each in seen) for kind in ("missing", "unsaid"))
    requests = [each.request for each in seen]
    tokens = [each.tokens for each in seen]
    return {
        "questions": len(counted),
        "seen": good,
        "with_report": sum(each.has_report for each in counted),
        "share": good / len(counted) if counted else 0.0,
        "figures": figures,
        "figures_seen": figures - missing,
        "sentences": sentences,
        "sentences_seen": sentences - unsaid,
        "not_seen": missing + unsaid,
        "away": sum(each.away for each in seen),
        "median_request": int(median(requests)) if requests else 0,
        "most_request": max(requests, default=0),
        "mean_tokens": sum(tokens) // len(tokens) if tokens else 0,
        "most_tokens": max(tokens, default=0),
        "missing": [each.question.id for each in seen if each.missing],
    }
