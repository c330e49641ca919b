"""Fits the weights of the reader of conversations: `python -m tieout.eval.training FILES... --folds FOLDER`.

The same files give the same weights file, to the byte. The invented conversations of `practice.json` and of the
sample are always fitted to: they teach ways of asking, and nothing is judged by them. Questions of TAT-QA teach which
figures a question means. `python -m tieout.eval.training.ranking` measures what came of it, on what was held out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.progress import track

from tieout.agent.offline.ranking.model import WEIGHTS
from tieout.data.console import console, files_argument, one_line
from tieout.data.document import Conversation, Gold
from tieout.data.readers.read import DataError, read_conversations
from tieout.data.system.compile_cache import read_json
from tieout.eval.gold.executed import execute
from tieout.eval.training.fit import Array, Calculations, Figures, fit
from tieout.eval.training.samples import Sample, company, samples
from tieout.kg.build import build
from tieout.kg.store.graph import Graph
from tieout.ontology.model import SAMPLE, default_ontology

PRACTICE = (Path(__file__).with_name("practice.json"), SAMPLE)
LABELS = Path(__file__).with_name("labels.json")
REAL = 2.0  # what a turn of a real report counts against one of practice
ALWAYS_FITTED = -1  # the part that is never held out
PARTS = 4
Report = tuple[Conversation, Graph]


def parts_of(reports: Iterable[Report], parts: int) -> dict[str, int]:
    """Which part each company, or each page whose questions stand for themselves, belongs to.

    The parts are about equally large in turns, those of conversations and those of pages each for themselves.
    """
    turns = Counter[tuple[bool, str]]()
    for conversation, _ in reports:
        turns[conversation.independent, owner(conversation)] += len(conversation.questions)
    load = {True: [0] * parts, False: [0] * parts}
    part: dict[str, int] = {}
    for (kind, name), count in sorted(turns.items(), key=lambda item: (-item[1], item[0])):
        part[name] = load[kind].index(min(load[kind]))
        load[kind][part[name]] += count
    return part


def owner(conversation: Conversation) -> str:
    """Whose report it is: the company, or the page where that is not known."""
    return conversation.id if conversation.independent else company(conversation.id)


def _turns(reports: Sequence[Report], ours: Sequence[Report]) -> list[Sample]:
    """The turns of conversations to fit to, those that we labelled, and those of practice."""
    talks = [report for report in (*reports, *ours) if not report[0].independent]
    weighed = [(report, REAL) for report in talks] + [(report, 1.0) for report in read_reports(PRACTICE)]
    return [sample for (each, graph), weight in weighed for sample in samples(each, graph.facts(), weight)]


@click.command()
@files_argument
@click.option("--output", "-o", type=click.Path(path_type=Path), default=WEIGHTS, help="The weights file to write.")
@click.option(
    "--folds",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for weights that were fitted without each part of the companies and pages.",
)
@click.option("--parts", default=PARTS, show_default=True, help="Into how many parts they are held out.")
def main(files: tuple[Path, ...], output: Path, folds: Path | None, parts: int) -> None:
    """Fit the weights of the reader of conversations to labelled FILES."""
    reports = read_reports(files)
    turns = _turns(reports, read_ours(files))
    part = parts_of(reports, parts)
    fold = np.array([part.get(turn.company, ALWAYS_FITTED) for turn in turns])
    calculations, ground = fit(Figures(turns), fold)
    if folds is not None:
        folds.mkdir(parents=True, exist_ok=True)
        _write(folds / "part.json", part)
        for number, weights in _without(calculations, fold, parts):
            _write(folds / f"without{number}.json", weights)
    _write(output, calculations.named(ground, calculations.weights(np.ones(len(turns), bool))))
    console.print(f"wrote {output}: {len(turns)} turns")


def _without(calculations: Calculations, fold: Array, parts: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """The weights fitted without each part."""
    for number in track(range(parts), "held out", console=console):
        kept = fold != number
        ground = calculations.figures.weights(kept)
        yield number, calculations.named(ground, calculations.weights(kept))


def _write(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=0, sort_keys=True) + "\n", encoding="utf-8")


def read_reports(files: Iterable[Path]) -> list[Report]:
    """The reports of files that label their questions, with their graphs."""
    return _with_graphs(each for each in _read(files) if each.gold)


def read_ours(files: Iterable[Path]) -> list[Report]:
    """The reports of files that do not, with the programs of `labels.json` for their first questions: to fit to."""
    programs = read_json(LABELS)
    return _with_graphs(labelled(each, programs[each.id]) for each in _read(files) if each.id in programs)


def labelled(conversation: Conversation, programs: Sequence[str]) -> Conversation:
    """A conversation as far as there are programs for its questions, with these and their answers as labels."""
    gold = tuple(Gold(answer=execute(program), program=program) for program in programs)
    return conversation.model_copy(update={"questions": conversation.questions[: len(gold)], "gold": gold})


def _read(files: Iterable[Path]) -> list[Conversation]:
    with one_line(DataError):
        return [each for path in files for each in read_conversations(path)]


def _with_graphs(conversations: Iterable[Conversation]) -> list[Report]:
    ontology = default_ontology(None)[0]
    return [(each, build(each.document, ontology)) for each in conversations]


if __name__ == "__main__":
    main()
