"""How questions across companies and filings are answered without a model, held against the tags of the filings.

`python -m tieout.eval.companies FOLDER` asks the questions of companies.toml over the filings that a store keeps;
FOLDER has their tags as NAME.facts.jsonl, NAME beginning with a ticker. What is right is reckoned from the tags alone:
a number within 0.5%, of names all and no other.
"""

from __future__ import annotations

import json
import re
import statistics
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from tieout.agent.answers.answer import Answer
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.opening import open_store_reports
from tieout.agent.session import Session
from tieout.agent.view.reports import Reports
from tieout.data.printed.unit import Unit
from tieout.kg.options import store_option

QUESTIONS = Path(__file__).with_name("companies.toml")
YEAR, QUARTER = range(350, 381), range(76, 106)
NEAR = Decimal("0.005")
SURE = 0.6  # a chance below which an answer says of itself that it is unsure
# What is right of one company and the others together, by kind of question. by: how many times as much is asked for.
AGAINST: Mapping[str, Callable[[Decimal, Decimal, Decimal], Decimal | bool]] = {
    "difference": lambda one, others, by: one - others,
    "greater": lambda one, others, by: one > others,
    "less": lambda one, others, by: one < others,
    "ratio": lambda one, others, by: one / others,
    "share": lambda one, others, by: one / (one + others),
    "higher": lambda one, others, by: one / others - 1,
    "times": lambda one, others, by: one > by * others,
}
OVER_ALL: Mapping[str, Callable[..., Decimal]] = {
    "median": statistics.median,
    "mean": statistics.mean,
    "sum": sum,
    "spread": lambda values: max(values) - min(values),
}
_NAMED = re.compile(
    r"(?P<tags>[A-Z]\w+(?:\|[A-Z]\w+)*)(?:@(?P<back>-1))?|\((?P<measure>[a-z_]+)\)(?:@(?P<before>-1))?|(?P<bare>[a-z_]{3,})"
)


@dataclass(slots=True)
class Tags:
    """What the tags of a company's filings state of the whole company. values: by concept and last day, of years,
    quarters and days apart; the newest filing counts. older: amounts that it states otherwise."""

    values: dict[tuple[str, str, date], Decimal] = field(default_factory=dict)
    older: set[tuple[str, str, date]] = field(default_factory=set)
    ends: dict[int, date] = field(default_factory=dict)


def read_tags(folder: Path, named_before: Sequence[str] = ()) -> dict[str, Tags]:
    """The tags of all filings of a folder, by ticker. named_before: tickers whose fiscal years bear the number of the
    calendar year before the one in which they end."""
    by_ticker: dict[str, list[list[dict[str, Any]]]] = {}
    for path in sorted(folder.glob("*.facts.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        by_ticker.setdefault(path.name.split("_")[0], []).append(rows)
    return {ticker: _tags(filings, ticker in named_before) for ticker, filings in by_ticker.items()}


def _tags(filings: list[list[dict[str, Any]]], is_named_before: bool) -> Tags:
    tags = Tags()
    annual: Counter[str] = Counter()
    for rows in sorted(filings, key=made_of):
        for row in rows:
            kind = kind_of(row)
            if row["dims"] or kind is None:
                continue
            key = row["concept"].partition(":")[2], kind, date.fromisoformat(row["end"])
            amount = Decimal(row["value"])
            if key in tags.values and abs(tags.values[key] - amount) > NEAR * abs(amount):
                tags.older.add(key)
            tags.values[key] = amount
            annual[row["end"]] += kind == "FY"
    for end in (date.fromisoformat(each) for each, count in annual.items() if count >= 8):
        tags.ends[end.year - is_named_before] = end
    return tags


def made_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """The last day that many facts of a filing are of."""
    counts = Counter(row["end"] for row in rows)
    return str(max(end for end, count in counts.items() if count > 5))


def kind_of(row: Mapping[str, Any]) -> str | None:
    """Whether a fact is of a day, a quarter or a year; None for any other span."""
    if not row["start"]:
        return "day"
    days = (date.fromisoformat(row["end"]) - date.fromisoformat(row["start"])).days + 1
    return "FY" if days in YEAR else "Q" if days in QUARTER else None


class Gold:
    """What is right, by the tags."""

    def __init__(self, tags: Mapping[str, Tags], measures: Mapping[str, Sequence[str]]) -> None:
        self._tags, self._measures = tags, measures

    def value(self, ticker: str, measure: str, year: int, period: str = "FY") -> Decimal | None:
        """A measure of a company in a fiscal year, or a quarter of it; None where the tags do not state it."""
        for formula in self._measures[measure]:
            try:
                made = _NAMED.sub(lambda found: self._of(found, ticker, year, period), formula)
                return Decimal(str(eval(made, {"__builtins__": {}}, {"D": Decimal})))
            except KeyError:
                continue
        return None

    def _of(self, found: re.Match[str], ticker: str, year: int, period: str) -> str:
        name = found["measure"] or found["bare"]
        back = int(found["back"] or found["before"] or 0)
        value = (
            self.value(ticker, name, year + back, period)
            if name
            else self._tag(found["tags"], ticker, year + back, period)
        )
        if value is None:
            raise KeyError(found[0])
        return f"D('{value}')"

    def _tag(self, names: str, ticker: str, year: int, period: str) -> Decimal | None:
        tags = self._tags[ticker]
        end = tags.ends.get(year) if period == "FY" else self._quarter(tags, year, period)
        for name in names.split("|"):
            for kind in ("FY" if period == "FY" else "Q", "day"):
                if end is not None and (found := tags.values.get((name, kind, end))) is not None:
                    return found
        return None

    def _quarter(self, tags: Tags, year: int, period: str) -> date | None:
        """The last day of a quarter: that many quarters are of in its fiscal year, told by the last day of any year."""
        closing = max(tags.ends.values(), default=date(year, 12, 31))
        offset = next((end.year - named for named, end in tags.ends.items()), 0)
        ended = date(year + offset, closing.month, min(closing.day, 28))
        wanted = ended.toordinal() - round((4 - int(period[1])) * 91.3)
        days = {end for _, kind, end in tags.values if kind == "Q" and abs(end.toordinal() - wanted) < 20}
        return max(days, default=None)

    def is_restated(self, ticker: str, measure: str, year: int) -> bool:
        """Whether two filings state one of the tags of a measure otherwise."""
        tags = self._tags[ticker]
        names = {name for formula in self._measures[measure] for name in re.findall(r"[A-Z]\w+", formula)}
        return any((name, "FY", tags.ends[year]) in tags.older for name in names if year in tags.ends)

    def all(self, measure: str, year: int, period: str = "FY") -> dict[str, Decimal]:
        """A measure of all companies."""
        found = ((ticker, self.value(ticker, measure, year, period)) for ticker in self._tags)
        return {ticker: value for ticker, value in found if value is not None}


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with what came of it. outcome: `right`, `wrong`, `wrong and silent` or `asked back`."""

    ask: str
    outcome: str
    said: str
    gold: str


def judge(source: Reports, questions: Iterable[Mapping[str, Any]], gold: Gold) -> Iterator[Judged]:
    """Asks each question for itself."""
    for each in questions:
        turn = Session(source, OfflineBackend()).ask(each["ask"])
        wanted = right_answer(each, gold)
        if turn.text is None:
            said = turn.clarification.question if turn.clarification else turn.message
            yield Judged(each["ask"], "asked back", str(said), str(wanted))
            continue
        is_right = _is_right(each, turn, wanted, source)
        silent = not turn.flags and (turn.probability or 0) >= SURE
        outcome = "right" if is_right else "wrong and silent" if silent else "wrong"
        yield Judged(each["ask"], outcome, turn.text, str(wanted))


def right_answer(question: Mapping[str, Any], gold: Gold) -> Any:  # noqa: ANN401
    """What is right: a number, a truth, the tickers of companies in order or a mapping of (ticker, year) to numbers."""
    kind, measure, years = question["kind"], question["measure"], question["years"]
    period, of = question.get("period", "FY"), question.get("of", ())
    year = years[-1]
    if kind in ("table", "value"):
        cells = {(ticker, each): gold.value(ticker, measure, each, period) for ticker in of for each in years}
        there = {key: value for key, value in cells.items() if value is not None}
        return there if kind == "table" else next(iter(there.values()))
    if kind == "restated":
        return gold.is_restated(of[0], measure, year)
    if kind in AGAINST:
        one, *others = (_known(gold.value(ticker, measure, year, period)) for ticker in of)
        return AGAINST[kind](one, sum(others, start=Decimal(0)), Decimal(question.get("by", 1)))
    if kind == "cagr":
        return {(each, years[0]): _yearly(gold, each, measure, years) for each in of}
    if kind in ("change", "growth", "fell", "rose"):
        old, new = (
            _known(gold.value(of[0], measure, each)) for each in (years if len(years) > 1 else (year - 1, year))
        )
        if kind in ("fell", "rose"):
            return (new < old) == (kind == "fell")
        return new - old if kind == "change" else new / old - 1
    if kind == "average":
        return statistics.mean(_known(gold.value(of[0], measure, each)) for each in years)
    return _of_all(question, gold)


def _of_all(question: Mapping[str, Any], gold: Gold) -> Any:  # noqa: ANN401
    kind, measure, year = question["kind"], question["measure"], question["years"][-1]
    values = gold.all(measure, year)
    values = {ticker: value for ticker, value in values.items() if ticker in question.get("of", values)}
    if kind in OVER_ALL:
        return OVER_ALL[kind](values.values())
    test = question.get("test", "")
    ordered = sorted(values, key=lambda ticker: values[ticker], reverse=test != "least")
    if kind == "ranking":
        return ordered[: question.get("first", len(ordered))]
    if kind == "best":
        return ordered[:1]
    if test in ("rose", "fell"):
        before = gold.all(measure, year - 1)
        passing = {each for each in values if each in before and (values[each] < before[each]) == (test == "fell")}
    else:
        sign, _, bound = test.partition(" ")
        passing = {each for each in values if (values[each] > Decimal(bound)) == (sign == ">")}
    return Decimal(len(passing)) if kind == "count" else passing


def _yearly(gold: Gold, ticker: str, measure: str, years: Sequence[int]) -> Decimal:
    """What a measure grew by a year from the first to the last of some years."""
    first, last = (_known(gold.value(ticker, measure, each)) for each in (years[0], years[-1]))
    return Decimal((last / first) ** (Decimal(1) / (years[-1] - years[0]))) - 1


def _known(value: Decimal | None) -> Decimal:
    assert value is not None
    return value


def _is_right(question: Mapping[str, Any], turn: Answer, wanted: Any, source: Reports) -> bool:  # noqa: ANN401
    if question["kind"] == "restated":
        return (turn.text or "").startswith("Yes" if wanted else "No")
    if isinstance(wanted, bool):
        return turn.value is wanted
    if isinstance(wanted, Decimal):
        if turn.answer is not None and turn.answer.unit == Unit.PERCENTAGE_POINTS:
            wanted *= 100
        return turn.answer is not None and _is_near(turn.answer.as_number(), turn.answer.scale, wanted)
    tickers = {
        source.across.name(each): each.filings[0].report.split("_")[0] for each in source.across.library.companies
    }
    items = [item for item in turn.items if item.entry is not None]
    if isinstance(wanted, dict) and len(wanted) == 1 and not items and turn.answer is not None:
        return _is_near(turn.answer.as_number(), turn.answer.scale, *wanted.values())
    if isinstance(wanted, dict):
        said = {
            (tickers.get(item.row or item.text, ""), int(item.column or question["years"][0])): item.entry
            for item in items
        }
        return bool(said.keys() == wanted.keys()) and all(
            _is_near(turn.ledger[str(name)].as_number(), turn.ledger[str(name)].scale, wanted[key])
            for key, name in said.items()
        )
    if wanted == set():
        return (turn.text or "").startswith("None")
    named = [tickers.get(item.row or item.text, "") for item in items]
    if question["kind"] == "best":
        return bool(named[:1] == wanted)
    return bool(named == wanted if isinstance(wanted, list) else set(named) == wanted)


def _is_near(number: object, scale: int, wanted: Decimal) -> bool:
    if not isinstance(number, Decimal):
        return False
    return abs(abs(number * scale) - abs(wanted)) <= max(NEAR * abs(wanted), Decimal("0.0001"))


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@store_option
def main(folder: Path, store: Path) -> None:
    """Asks questions across companies over the filings that are kept; what is right is told by the tags in FOLDER."""
    with QUESTIONS.open("rb") as file:
        told = tomllib.load(file)
    gold = Gold(read_tags(folder, told["named_before"]), told["measures"])
    counts: Counter[str] = Counter()
    with open_store_reports(store) as opened:
        assert isinstance(opened.source, Reports)
        for each in judge(opened.source, told["questions"], gold):
            counts[each.outcome] += 1
            if each.outcome != "right":
                click.echo(f"{each.outcome}: {each.ask}\n  said {each.said[:300]}\n  gold {each.gold[:300]}")
    total = sum(counts.values())
    click.echo(f"{counts['right']} of {total} right ({counts['right'] / total:.1%})")
    click.echo(", ".join(f"{counts[each]} {each}" for each in ("wrong and silent", "wrong", "asked back")))


if __name__ == "__main__":
    main()
