"""Figures of runs as tables on the terminal: every rate with its rule, its count and its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from tieout.agent.answers.sheet import printable
from tieout.eval.gold.slices import DIMENSIONS
from tieout.eval.score.compare import Pair, by_slice, counts, flips, interval
from tieout.eval.score.load import Run
from tieout.eval.score.result import Result
from tieout.eval.score.score import RULES, Rate, Rule
from tieout.eval.score.summary import Numbers, calibration, cost, rates, turn_rate
from tieout.eval.score.summary import by_slice as results_by_slice
from tieout.eval.score.verification import verification_text

NOT_SCORED = "no gold answers: not scored"
MEANING = {
    Rule.STRICT: "equal to 5 decimals",
    Rule.MAIN: "within 0.5%, percent as decimal",
    Rule.LENIENT: "within 1%, sign ignored too",
}


LEGEND = "; ".join(f"{rule}: {meaning}" for rule, meaning in MEANING.items())


def not_scored(turns: int) -> str:
    """Why a run in which so many turns are over has no scores."""
    return NOT_SCORED if turns else "no turn is over yet: not scored"


def _grid(*headers: str, title: str | None = None) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for number, header in enumerate(headers):
        table.add_column(header, justify="left" if number == 0 else "right", no_wrap=number > 0, overflow="fold")
    return table


def percent(value: float | None, sign: bool = False) -> str:
    """A rate for reading."""
    return "-" if value is None else f"{value:+.1%}" if sign else f"{value:.1%}"


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.1%} to {high:.1%}"


def rates_table(numbers: Numbers) -> Table:
    """The three rules, turns and conversations, with and without suspect labels."""
    table = _grid("", "turns", "95% interval", "n", "conversations", "95% interval", "n", "trusted golds", "n")
    without = numbers["without_errata"]
    for rule in RULES:
        table.add_row(
            str(rule),
            Text(percent(numbers[rule]), style="bold"),
            _interval(numbers[f"{rule}_low"], numbers[f"{rule}_high"]),
            str(numbers[f"{rule}_n"]),
            percent(numbers[f"{rule}_conversations"]),
            _interval(numbers[f"{rule}_conversations_low"], numbers[f"{rule}_conversations_high"]),
            str(numbers[f"{rule}_conversations_n"]),
            percent(without[rule]),
            str(without[f"{rule}_n"]),
        )
    table.add_row(
        "program",
        percent(numbers["program"]),
        _interval(numbers["program_low"], numbers["program_high"]),
        str(numbers["program_n"]),
        *("", "", "", percent(without["program"]), str(without["program_n"])),
    )
    return table


def facts_table(run: Run, numbers: Numbers) -> Table:
    """Everything about a run that is no rate."""
    manifest = run.manifest
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    outcomes = ", ".join(f"{name} {count}" for name, count in numbers["outcomes"].items())
    usd = "price not known" if numbers["usd"] is None else f"${numbers['usd']:.4f}"
    suspect = f"{numbers['suspect']} turns; `trusted golds` are the scores without them"
    lines = {
        "backend": f"{manifest.backend}, strategy {manifest.settings['strategy']}, {manifest.history} history",
        "ontology": manifest.ontology,
        "conversations": f"{run.complete} of {run.wanted} complete, {numbers['turns']} turns",
        "outcomes": outcomes,
        "coverage": f"answered {percent(numbers['answered_rate'])}, asked back {percent(numbers['asked_back_rate'])}, "
        f"declined {percent(numbers['declined_rate'])}",
        **_unflagged(numbers),
        "ungrounded": f"{numbers['ungrounded']} turns with a number that nothing accounts for",
        **({"suspect golds": suspect} if numbers["n"] else {}),
        "calls per turn": f"{numbers['model_calls_per_turn']:.2f} of the backend, "
        f"{numbers['tool_calls_per_turn']:.2f} of tools",
        "seconds per turn": f"{numbers['seconds_median']:.3f} median, {numbers['seconds_p95']:.3f} 95th percentile",
        "cost": f"{usd}, {sum(numbers['tokens'].values())} tokens",
    }
    if "verification" in numbers:
        lines["verified"] = verification_text(numbers["verification"])
    if numbers["calibration_error"] is not None:
        lines["calibration"] = calibration_text(numbers)
    for name, text in lines.items():
        table.add_row(name, printable(text))
    return table


def _unflagged(numbers: Numbers) -> dict[str, str]:
    """What a user feels most, and the official figures of TAT-QA where there are any."""
    if not numbers["wrong_and_unflagged_n"]:
        return {}
    low, high = (percent(numbers[f"wrong_and_unflagged_{end}"]) for end in ("low", "high"))
    share = percent(numbers["wrong_and_unflagged"])
    lines = {"wrong and unflagged": f"{share} ({low} to {high}) of all turns: wrong, and nothing warns of it"}
    if "exact_match" in numbers:
        lines["TAT-QA"] = (
            f"exact match {percent(numbers['exact_match'])}, F1 {percent(numbers['f1'])}, n={numbers['exact_match_n']}"
        )
    return lines


def calibration_text(numbers: Numbers) -> str:
    """The calibration error with its rule and its count."""
    error, n = numbers["calibration_error"], numbers["calibration_n"]
    return f"expected error {error:.3f} under the rule {Rule.MAIN}, n={n}"


RELIABILITY = ("confidence", "mean", "right", "95% interval", "n")


def reliability_rows(results: Sequence[Result]) -> list[tuple[str, ...]]:
    """Bands of confidence, each under the headers RELIABILITY."""
    return [
        (
            f"{100 * band.low:.0f} to {band.high:.0%}",
            percent(band.mean),
            percent(band.right.value),
            _interval(*(band.right.interval or (None, None))),
            str(band.right.n),
        )
        for band in calibration(results)
    ]


def reliability_table(results: Sequence[Result]) -> Table:
    """How sure the run said it was of its answers, and how many of them are right."""
    table = _grid(*RELIABILITY, title=f"is it as sure as it is right? (rule {Rule.MAIN})")
    for row in reliability_rows(results):
        table.add_row(*row)
    return table


def repeats_table(numbers: Numbers) -> Table:
    """Mean and spread over the repeats."""
    table = _grid("rule", "mean", "standard deviation", title=f"{numbers['repeats']} repeats")
    for rule in RULES:
        if f"{rule}_mean" in numbers:
            table.add_row(str(rule), percent(numbers[f"{rule}_mean"]), percent(numbers[f"{rule}_spread"]))
    return table


def slices_table(results: Sequence[Result], dimension: str) -> Table:
    """The rates of each slice of a dimension."""
    table = _grid(dimension, *map(str, RULES), "95% interval (main)", "n", title=DIMENSIONS[dimension])
    for name, group in results_by_slice(results).get(dimension, {}).items():
        rates = {rule: turn_rate(group, rule) for rule in RULES}
        low, high = rates[Rule.MAIN].interval or (None, None)
        cells = [percent(rates[rule].value) for rule in RULES]
        table.add_row(printable(name), *cells, _interval(low, high), str(len(group)))
    return table


def conversations_table(conversations: Sequence[Numbers]) -> Table:
    """One conversation a line: its turns, how many are right by each rule, and which are wrong by the strict one."""
    table = _grid("conversation", "turns", *map(str, RULES), "none", "calls", "wrong turns")
    for each in conversations:
        rights = ("-" if each[rule] is None else str(each[rule]) for rule in RULES)
        wrong = " ".join(str(turn + 1) for turn in each["wrong_turns"])
        calls = f"{each['tool_calls_per_turn']:.1f}"
        table.add_row(printable(each["id"]), str(each["turns"]), *rights, str(each["unanswered"]), calls, wrong)
    return table


def named_rates_table(rates: Mapping[str, Rate]) -> Table:
    """Rates one a line."""
    table = _grid("", "rate", "95% interval", "n")
    for name, rate in rates.items():
        low, high = rate.interval or (None, None)
        table.add_row(name, Text(percent(rate.value), style="bold"), _interval(low, high), str(rate.n))
    return table


def comparison_table(first: Run, second: Run, found: Sequence[Pair]) -> Table:
    """The three rules of two runs, their difference with interval and p-value, and how many turns flipped."""
    table = _grid("rule", first.name, second.name, "difference", "95% interval", "p", "gained", "lost", "n")
    for rule in RULES:
        each, (low, high) = counts(found, rule), interval(found, rule)
        gained, lost = flips(found, rule)
        table.add_row(
            str(rule),
            percent(each.first / each.n),
            percent(each.second / each.n),
            Text(percent(each.difference, sign=True), style="bold"),
            f"{low:+.1%} to {high:+.1%}",
            f"{each.p_value:.4f}",
            *(f"{len(gained)}", f"{len(lost)}", f"{each.n}"),
        )
    return table


def slices_comparison(found: Sequence[Pair], rule: Rule, dimension: str) -> Table:
    """The two rates of each slice of a dimension."""
    table = _grid(dimension, "first", "second", "difference", "gained", "lost", "n", title=DIMENSIONS[dimension])
    for name, each in by_slice(found, rule)[dimension].items():
        shares = percent(each.first / each.n), percent(each.second / each.n), percent(each.difference, sign=True)
        table.add_row(printable(name), *shares, f"{each.gained}", f"{each.lost}", f"{each.n}")
    return table


def costs_table(runs: Mapping[str, Mapping[str, Any]]) -> Table:
    """Cost and latency of several runs over the same turns."""
    table = _grid("", "usd", "tokens", "calls per turn", "seconds, median", "p95")
    for name, each in runs.items():
        usd = "-" if each["usd"] is None else f"{each['usd']:.4f}"
        calls, times = f"{each['model_calls_per_turn']:.2f}", (each["seconds_median"], each["seconds_p95"])
        table.add_row(name, usd, f"{sum(each['tokens'].values())}", calls, *(f"{time:.3f}" for time in times))
    return table


def battle_table(runs: Sequence[Run]) -> Table:
    """Several runs, one a line."""
    table = _grid("run", "backend", "strategy", *map(str, RULES), "n", "usd", "seconds, median")
    for run in runs:
        numbers = rates(run.results) | cost(run.results)
        table.add_row(
            run.name,
            run.manifest.backend,
            str(run.manifest.settings["strategy"]),
            *(percent(numbers[rule]) for rule in RULES),
            str(numbers["n"]),
            "-" if numbers["usd"] is None else f"{numbers['usd']:.4f}",
            f"{numbers['seconds_median']:.3f}",
        )
    return table
