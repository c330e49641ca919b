"""How good answers are on what was held out, by data and kind of answer, with intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tieout.agent.answers.checks.check import CERTAIN
from tieout.data.console import console
from tieout.eval.gold.slices import kind_of
from tieout.eval.score.score import Rate, Rule, rate
from tieout.eval.training.held_out import Asked

BAR = 0.03  # of all questions that may be wrong with nothing that warns of it
STEPS = [step / 100 for step in range(50, 100)]
OF_CHANCE = frozenset({"unsure", "not certain"})  # the flags that a threshold of the chance raises


def tell(asked: Sequence[Asked]) -> None:
    """Prints the figures of both kinds of data."""
    for name, independent in (("TAT-QA", True), ("ConvFinQA", False)):
        if kept := [each for each in asked if each.independent is independent]:
            console.print(f"{name}, held out, own history")
            for line in _lines(kept):
                console.print(f"  {line}")
    console.print(f"a flag below {threshold(asked):.2f} leaves {BAR:.0%} wrong and unflagged on all of them")


def _lines(asked: Sequence[Asked]) -> Iterator[str]:
    for rule in (Rule.STRICT, Rule.MAIN):
        yield f"{rule}  {rate(each.result.right[rule] for each in asked)}"
    official = [each.result.official for each in asked if each.result.official is not None]
    if official:
        f1 = sum(f1 for _, f1 in official) / len(official)
        yield f"exact match {rate(exact for exact, _ in official)}, F1 {f1:.1%}"
    yield from _by_kind(asked)
    yield f"answered  {rate(each.result.outcome == 'answer' for each in asked)}"
    yield f"answered without a warning  {rate(not each.result.warned for each in asked)}"
    yield f"wrong and unflagged, a flag below {CERTAIN}  {rate(each.result.wrong_and_unflagged for each in asked)}"
    told_of, least = _threshold_of_others(asked)
    yield f"wrong and unflagged, each part at the threshold of the others ({least})  {told_of}"
    said = [
        (each.result.right[Rule.MAIN], each.turn.probability or 0.0) for each in asked if each.turn.text is not None
    ]
    error, bands = reliability(said)
    yield f"expected calibration error, rule main  {error:.3f}"
    for n, confidence, share in bands:
        yield f"  chance {confidence:.2f}  right {share:.2f}  n {n}"


def _by_kind(asked: Sequence[Asked]) -> Iterator[str]:
    """By kind of answer, or by place of the question in its conversation."""
    by_kind: dict[str, list[Asked]] = defaultdict(list)
    for each in asked:
        gold = each.result.gold
        place = "by rule" if each.goal is None else each.goal.gate
        by_kind[kind_of(gold) if gold is not None and gold.spans else f"question, {place}"].append(each)
    for kind, of_kind in sorted(by_kind.items()):
        f1 = [each.result.official[1] for each in of_kind if each.result.official is not None]
        told = f", F1 {sum(f1) / len(f1):.1%}" if f1 else ""
        yield f"{kind}: main {rate(each.result.right[Rule.MAIN] for each in of_kind)}{told}"


def _threshold_of_others(asked: Sequence[Asked]) -> tuple[Rate, str]:
    """Wrong and unflagged where each part has the threshold that was chosen on the other parts."""
    found: list[bool] = []
    least: list[float] = []
    for number in sorted({each.part for each in asked}):
        least.append(threshold([each for each in asked if each.part != number]))
        found += [_is_silent(each, least[-1]) for each in asked if each.part == number]
    return rate(found), ", ".join(f"{each:.2f}" for each in least)


def threshold(asked: Sequence[Asked]) -> float:
    """The least chance below which a flag leaves at most BAR of the answers wrong and unflagged."""
    bar = BAR * len(asked)
    return next((step for step in STEPS if sum(_is_silent(each, step) for each in asked) <= bar), STEPS[-1])


def _is_silent(each: Asked, least: float) -> bool:
    """Whether an answer is wrong, and no flag but that of a chance below least would warn of it."""
    other = [flag for flag in each.result.flags if flag not in OF_CHANCE]
    sure = each.turn.probability is None or each.turn.probability >= least
    return each.turn.text is not None and sure and not other and not each.result.right[Rule.MAIN]


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
