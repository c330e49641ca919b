"""Fits the weights of the offline backend: `python -m tieout.eval.training FILES...`.

Prints how good they are on companies that they were not fitted to, each answered with its own earlier answers as
history. The same files give the same weights file, to the byte. The invented conversations of `practice.json` and of
the sample are always fitted to: they teach ways of asking, and nothing is judged by them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from rich.progress import track

from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.offline.model import WEIGHTS, Model
from tieout.agent.session import Session
from tieout.data.console import console, files_argument, one_line
from tieout.data.document import Conversation
from tieout.data.readers.read import DataError, read_conversations
from tieout.eval.score.score import Rule, correct
from tieout.eval.training.fit import Array, Calculations, Figures, fit
from tieout.eval.training.samples import company, samples
from tieout.kg.build import build
from tieout.kg.store.graph import Graph
from tieout.ontology.model import SAMPLE, default_ontology

UNCALIBRATED = {"slope": 1.0, "intercept": 0.0}
PRACTICE = (Path(__file__).with_name("practice.json"), SAMPLE)
REAL = 2.0  # what a turn of a real report counts against one of practice
SEEN = 0.5  # what an answer about a known company counts in the calibration
ALWAYS_FITTED = -1  # the part that is never held out
Report = tuple[Conversation, Graph]


def parts_of(reports: Iterable[Report], parts: int) -> dict[str, int]:
    """Which part each company belongs to, the parts about equally large in turns."""
    turns = Counter[str]()
    for conversation, _ in reports:
        turns[company(conversation.id)] += len(conversation.questions)
    load = [0] * parts
    part: dict[str, int] = {}
    for name, count in sorted(turns.items(), key=lambda item: (-item[1], item[0])):
        part[name] = load.index(min(load))
        load[part[name]] += count
    return part


class Answered(NamedTuple):
    """A turn as it was answered: whether it is right by the two rules, and how likely that was said to be."""

    strict: bool
    main: bool
    confidence: float


def answered(report: Report, model: Model) -> list[Answered]:
    """Every turn of a conversation, with its own answers as history."""
    conversation, graph = report
    session = Session(graph, OfflineBackend(model))
    results = []
    for question, gold in zip(conversation.questions, conversation.gold, strict=True):
        turn = session.ask(question.text)
        if turn.outcome == "error":
            raise RuntimeError(f"{conversation.id}, turn {turn.index}: {turn.message}")
        strict, main = (correct(rule, turn.number, gold.answer) for rule in (Rule.STRICT, Rule.MAIN))
        results.append(Answered(strict, main, turn.probability or 0.0))
    return results


def calibrated(unseen: Sequence[Answered], seen: Sequence[Answered]) -> dict[str, float]:
    """Slope and intercept (Platt 1999) for uncalibrated confidences, rule main.

    unseen: answers about companies that were held out. seen: answers about those that were fitted to, which count half
    as much: a user's report may be one of a known company, and the weights of no fold have seen all that the final ones
    have.
    """
    from sklearn.linear_model import LogisticRegression

    results = [*unseen, *seen]
    chances = np.clip([each.confidence for each in results], 0.005, 0.995)
    found = LogisticRegression(C=1e6).fit(
        np.log(chances / (1 - chances)).reshape(-1, 1),
        [each.main for each in results],
        sample_weight=[1.0] * len(unseen) + [SEEN] * len(seen),
    )
    return {"slope": round(float(found.coef_[0, 0]), 3), "intercept": round(float(found.intercept_[0]), 3)}


def held_out(
    reports: Sequence[Report], calculations: Calculations, fold: Array, part: dict[str, int]
) -> list[Answered]:
    """The results of every conversation under weights fitted without its company."""
    results: dict[str, list[Answered]] = {}
    for number in track(sorted(set(part.values())), "companies held out", console=console):
        without = fold != number
        weights = calculations.named(calculations.figures.weights(without), calculations.weights(without))
        model = Model.of(weights | {"calibration": UNCALIBRATED})
        for report in reports:
            if part[company(report[0].id)] == number:
                results[report[0].id] = answered(report, model)
    return [result for conversation, _ in reports for result in results[conversation.id]]


def reliability(results: Sequence[tuple[bool, float]]) -> tuple[float, list[tuple[int, float, float]]]:
    """Expected calibration error over ten equal bands, and of each that has any: n, mean confidence, share right."""
    bands: dict[int, list[tuple[bool, float]]] = {}
    for right, confidence in results:
        bands.setdefault(min(int(confidence * 10), 9), []).append((right, confidence))
    rows = [
        (
            len(band),
            sum(confidence for _, confidence in band) / len(band),
            sum(right for right, _ in band) / len(band),
        )
        for _, band in sorted(bands.items())
    ]
    return sum(n * abs(confidence - right) for n, confidence, right in rows) / len(results), rows


@click.command()
@files_argument
@click.option("--output", "-o", type=click.Path(path_type=Path), default=WEIGHTS, help="The weights file to write.")
@click.option(
    "--parts",
    default=8,
    show_default=True,
    help="Into how many parts companies are held out; 1000 holds out each alone.",
)
def main(files: tuple[Path, ...], output: Path, parts: int) -> None:
    """Fit the weights of the offline backend to labelled FILES."""
    reports = _reports(files)
    weighed = [(report, REAL) for report in reports] + [(report, 1.0) for report in _reports(PRACTICE)]
    turns = [sample for (each, graph), weight in weighed for sample in samples(each, graph.facts(), weight)]
    part = parts_of(reports, parts)
    fold = np.array([part.get(turn.company, ALWAYS_FITTED) for turn in turns])
    calculations, ground = fit(turns, Figures(turns), fold)
    unseen = held_out(reports, calculations, fold, part)
    weights = calculations.named(ground, calculations.weights(np.ones(len(turns), bool)))
    uncalibrated = Model.of(weights | {"calibration": UNCALIBRATED})
    seen = [each for report in reports for each in answered(report, uncalibrated)]
    weights["calibration"] = calibrated(unseen, seen)
    output.write_text(json.dumps(weights, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    _tell(unseen, seen, Model.of(weights), output)


def _reports(files: Iterable[Path]) -> list[Report]:
    ontology = default_ontology(None)[0]
    with one_line(DataError):
        conversations = [each for path in files for each in read_conversations(path) if each.gold]
    return [(each, build(each.document, ontology)) for each in conversations]


def _tell(unseen: Sequence[Answered], seen: Sequence[Answered], model: Model, output: Path) -> None:
    for results, whose in ((unseen, "held out"), (seen, "fitted to")):
        console.print(
            f"strict, companies {whose}  {sum(each.strict for each in results) / len(results):.1%}  n {len(results)}"
        )
        error, bands = reliability([(each.main, model.calibrate(each.confidence)) for each in results])
        console.print(f"expected calibration error, rule main  {error:.3f}")
        for n, confidence, share in bands:
            console.print(f"  confidence {confidence:.2f}  right {share:.2f}  n {n}")
    console.print(f"wrote {output}")


if __name__ == "__main__":
    main()
