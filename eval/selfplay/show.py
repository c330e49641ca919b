"""What came of self-play, for the eye in 80 columns, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from textwrap import wrap
from typing import Any

from tieout.eval.score.score import wilson
from tieout.eval.selfplay.asking import DOUBTED, OUTCOMES, RIGHT, Said
from tieout.eval.selfplay.blame import Cluster
from tieout.eval.selfplay.judging import Verdict, is_better
from tieout.eval.selfplay.play import Played
from tieout.eval.selfplay.truth import Truth

WIDTH = 80
EXAMPLES = 1
HEADS = ("right", "doubt", "back", "wrong", "silent")


def report(played: Played) -> Iterator[str]:
    """The lines of the report."""
    every = (*played.own, *played.others)
    yield from _told(f"{len(played.said)} turns over {len(every)} filings of {len(_names(every))} companies")
    for why in played.left:
        yield from _told(f"left out: {why}")
    yield ""
    yield from _rates(played.said)
    yield ""
    yield "What was misread, of the turns that are not right"
    for cluster in played.clusters:
        yield from _cluster(cluster)
    yield ""
    yield from _trial(played)


def _rates(said: Sequence[Said]) -> Iterator[str]:
    yield f"{'':17}{'n':>5}" + "".join(f"{head:>9}" for head in HEADS)
    kinds = dict.fromkeys(each.asked.kind for each in said)
    for kind in kinds:
        yield _row(kind, [each.outcome for each in said if each.asked.kind == kind])
    outcomes = [each.outcome for each in said]
    yield _row("all", outcomes)
    bounds = [wilson(outcomes.count(outcome), len(outcomes)) for outcome in OUTCOMES]
    yield f"{'95% from':22}" + "".join(f"{low:9.1%}" for low, _ in bounds)
    yield f"{'95% to':22}" + "".join(f"{high:9.1%}" for _, high in bounds)
    yield from _told("doubt: right with a warning; back: asked back; wrong: with a warning; silent: wrong without one")


def _row(name: str, outcomes: Sequence[str]) -> str:
    return f"{name:17}{len(outcomes):5}" + "".join(f"{outcomes.count(each) / len(outcomes):9.1%}" for each in OUTCOMES)


def _cluster(cluster: Cluster) -> Iterator[str]:
    example = cluster.example
    yield f"{cluster.count:5}  {cluster.name} ({cluster.companies} companies)"
    gold = "nothing" if example.asked.gold is None else f"{example.asked.gold.normalize():f}"
    said = " ".join(example.text.split())
    yield from _told(f"{example.asked.doc}: {example.asked.text} -> {said[:90]}; the tags say {gold[:20]}", 7)


def _trial(played: Played) -> Iterator[str]:
    trial = played.trial
    if not played.others:
        yield "Nothing judges proposals: these are filings of one company"
        return
    yield from _told(
        f"Proposals from {_list(played.own)}; judged by {_list(played.others)}: kept where a question of these is"
        " answered better and none of all is answered worse"
    )
    yield from _told(f"{len(trial.verdicts)} tried, {len(trial.kept)} kept")
    for verdict in trial.verdicts:
        if verdict.is_kept:
            yield ""
            yield from verdict.proposal.lines.splitlines()
            yield f"  right, its own companies {_sides(verdict.own)}; others {_sides(verdict.others)}"
    yield ""
    for verdict in trial.verdicts:
        if not verdict.is_kept:
            why = f"worse: {verdict.lost}" if verdict.lost else "no other company gains"
            yield from _told(f"not kept: {verdict.proposal.key} ({_sides(verdict.others)}; {why})")
    better = sum(is_better(after.outcome, before.outcome) for before, after in trial.changed)
    yield from _told(
        f"with all that is kept {better} turns of the conversations are answered better,"
        f" {len(trial.changed) - better} worse"
    )


def _sides(outcomes: Sequence[tuple[str, str]]) -> str:
    before, after = (sum(pair[at] in (RIGHT, DOUBTED) for pair in outcomes) for at in (0, 1))
    sure = [sum(pair[at] == RIGHT for pair in outcomes) for at in (0, 1)]
    return f"{before} to {after} of {len(outcomes)} (without a doubt {sure[0]} to {sure[1]})"


def _names(truths: Iterable[Truth]) -> list[str]:
    return sorted({truth.called for truth in truths})


def _list(truths: Iterable[Truth]) -> str:
    return ", ".join(_names(truths))


def _told(text: str, indent: int = 0) -> Iterator[str]:
    space = " " * indent
    yield from wrap(text, WIDTH, initial_indent=space, subsequent_indent=space + "  " * (not indent))


def records(played: Played) -> Iterator[dict[str, Any]]:
    """All of it, a line each: turns, clusters, proposals."""
    for said in played.said:
        yield {"turn": _plain(asdict(said))}
    for cluster in played.clusters:
        yield {"cluster": {"name": cluster.name, "count": cluster.count, "companies": cluster.companies}}
    for verdict in played.trial.verdicts:
        yield {"proposal": _proposal(verdict)}


def _proposal(verdict: Verdict) -> dict[str, Any]:
    return {
        "lines": verdict.proposal.lines,
        "kept": verdict.is_kept,
        "lost": verdict.lost,
        "own": verdict.own,
        "others": verdict.others,
    }


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, int | float | str | None) else str(value)
