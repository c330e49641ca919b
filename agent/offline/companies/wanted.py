"""What a question asks of companies: of whom, which measures, of which fiscal years, and what is made of the values."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Literal

from tieout.agent.protocol.message import Request
from tieout.agent.question.follow import read_in_conversation
from tieout.agent.question.measures import Named
from tieout.agent.question.question import Bound, Question
from tieout.agent.question.read import read_question
from tieout.agent.view.across import Years
from tieout.agent.view.outline import Listed
from tieout.kg.companies.measure import MeasureError, read_measure
from tieout.kg.filings.naming import Directory, Mention
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

Way = Literal[
    "table",
    "rank",
    "best",
    "filter",
    "count",
    "median",
    "average",
    "sum",
    "difference",
    "ratio",
    "greater",
    "restated",
    "change",
]
SHORT = 6  # words of a question that goes on about the companies before
MOST_TICKER = 6  # characters
_POSSESSIVE = re.compile(r"(?:['’]s\b|(?<=s)['’](?=\s|$))")
_TOP = re.compile(r"\b(?:top|bottom) (\d{1,3})\b")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of en.toml."""

    manner: frozenset[str]
    cues: Mapping[str, re.Pattern[str]]
    suffixes: Mapping[str, re.Pattern[str]]
    periods: Mapping[str, re.Pattern[str]]
    plain: tuple[tuple[re.Pattern[str], str], ...]


@lru_cache(maxsize=1)
def spoken() -> Words:
    """How questions over companies are asked."""
    with Path(__file__).with_name("en.toml").open("rb") as file:
        read = tomllib.load(file)
    manner = frozenset(read["manner"].split())
    cues, suffixes, periods = (
        {name: re.compile(each) for name, each in read[kind].items()} for kind in ("cues", "suffixes", "periods")
    )
    plain = tuple((re.compile(pattern, re.IGNORECASE), said) for pattern, said in read["plain"].items())
    return Words(manner | {singular(word) for word in manner}, cues, suffixes, periods, plain)


@dataclass(frozen=True, slots=True)
class Wanted:
    """companies: their names, () for all. measures: as `tieout.kg.companies.measure` reads them. period: the fiscal
    period. way: what is made of the values; less: the lowest, or a fall; bound: that values are held against; first:
    how many of a ranking. day: of which the values are to be. unknown: names of companies that are not there."""

    companies: tuple[str, ...]
    measures: tuple[str, ...]
    years: Years
    period: str
    way: Way
    less: bool = False
    bound: Bound | None = None
    first: int = 0
    day: date | None = None
    growth: bool = False
    unknown: tuple[str, ...] = ()

    @property
    def orders(self) -> bool:
        """Whether values of companies are held against each other."""
        return self.way in ("rank", "best", "difference", "ratio", "greater")


class Names:
    """The names of the companies of an outline, found in questions."""

    def __init__(self, listed: Sequence[Listed]) -> None:
        self._names = [each.names[0] for each in listed]
        tickers = {
            each.names[0]: called
            for each in listed
            for called in each.names[1:2]
            if called.isupper() and called.isascii() and len(called) <= MOST_TICKER
        }
        self._directory = Directory({each.names[0]: each.names for each in listed}, tickers)

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """The companies that a text names, their own names as keys."""
        return tuple(self._directory.mentions(text))

    def without(self, text: str) -> str:
        """A text without the names of companies."""
        for each in reversed(self.mentions(text)):
            behind = _POSSESSIVE.match(text, each.end)
            text = f"{text[: each.start]} {text[behind.end() if behind else each.end :]}"
        for pattern, said in spoken().plain:
            text = pattern.sub(said, text)
        return " ".join(text.split())


@lru_cache(maxsize=4)
def names_of(listed: tuple[Listed, ...]) -> Names:
    """The names of the companies that an outline lists: made once for all questions that see it."""
    return Names(listed)


def read_wanted(request: Request, names: Names) -> Wanted | None:
    """What a request asks of companies; None where it asks for something that is no measure of all of them."""
    earlier = [names.without(turn.question) for turn in request.history]
    own = read_question(names.without(request.question))
    asked = read_in_conversation(own.text, earlier)
    companies = _companies(request, names, own)
    unknown = _not_kept(request.question, names, asked)
    measures = tuple(_measures(asked))
    if not measures or _is_left_open(asked, unknown) or asked.form == "why" or asked.when.back or asked.defines:
        return None
    period = _period(asked)
    if period is None:
        return None
    way = _way(asked, len(companies))
    is_growth = way != "change" and asked.calculation == "growth" and asked.when.last == 0 and len(asked.years) < 2
    moved = "growth" if is_growth else "change"
    if len(companies) == 2 and len(measures) == 1 and (of_both := _of_itself(asked)) is not None:
        way, measures = "ratio", (of_both,)
    if way in ("filter", "count") and asked.bound is None:
        measures = tuple(_moving(each, "change") for each in measures)
    elif (
        asked.calculation in ("change", "growth")
        and way not in ("greater", "change", "difference")
        and not _is_course(asked)
    ):
        measures = tuple(_moving(each, moved) for each in measures)
    top = _TOP.search(asked.lower)
    if way == "greater" and len(companies) > 2:
        return None
    return Wanted(
        companies,
        tuple(dict.fromkeys(measures)),
        _years(asked, way, len(companies)),
        period,
        way,
        asked.less or "bottom" in asked.lower.split(),
        asked.bound,
        int(top[1]) if top else 0,
        asked.when.day,
        asked.calculation == "growth",
        unknown,
    )


def _companies(request: Request, names: Names, own: Question) -> tuple[str, ...]:
    """The companies that a question names, else those of the question before that it goes on about."""
    found = dict.fromkeys(each.key for each in names.mentions(request.question))
    if found or spoken().cues["all"].search(own.lower):
        return tuple(found)
    goes_on = own.cues & {"asks on", "points back"} or not own.named or len(own.words) < SHORT
    if not goes_on:
        return ()
    said = (tuple(dict.fromkeys(each.key for each in names.mentions(turn.question))) for turn in request.history[::-1])
    return next(filter(None, said), ())


def _not_kept(text: str, names: Names, asked: Question) -> tuple[str, ...]:
    """The names beside those of companies, as in a list of them, that are of no company that is there."""
    found: list[str] = []
    joined = spoken().cues["joined"].pattern
    for each in names.mentions(text):
        behind = re.match(rf"{joined}((?:[A-Z][\w&.-]*\s?)+)", text[each.end :])
        before = re.search(rf"((?:[A-Z][\w&.-]*\s?)+){joined}$", text[: each.start])
        found += [match[1].strip() for match in (behind, before) if match]
    return tuple(dict.fromkeys(word for word in found if not names.mentions(word) and _is_open(word, asked)))


def _is_open(words: str, asked: Question) -> bool:
    return any(singular(word.lower()) in asked.open for word in words.split())


def _is_left_open(asked: Question, unknown: Sequence[str]) -> bool:
    """Whether the question has words that neither measures nor companies nor the manner of asking account for."""
    told = {singular(word) for name in unknown for word in name.lower().split()}
    told |= spoken().manner
    left = (
        asked.open
        | (asked.whole.open if asked.whole else frozenset())
        | (asked.part.open if asked.part else frozenset())
    )
    return bool(left - told)


def _measures(asked: Question) -> Iterator[str]:
    """The measures that a question names, each with what is said behind it."""
    if asked.whole is not None and asked.part is not None and asked.named and asked.whole.named:
        yield f"{asked.named[0].name} as a percentage of {asked.whole.named[0].name}"
        return
    at = 0
    while at < len(asked.named):
        one = asked.named[at]
        behind = asked.lower[one.end :] if asked.lower[one.start : one.end].strip() else ""
        following = asked.named[at + 1] if at + 1 < len(asked.named) else None
        between = asked.lower[one.end : following.start] if following else ""
        if following and spoken().suffixes["over"].match(between):
            yield f"{one.name} / {following.name}"
            at += 2
            continue
        yield _with_suffix(one, behind)
        at += 1


def _of_itself(asked: Question) -> str | None:
    """The one measure that a question sets in relation to itself, as of one company to that of another."""
    named = [*asked.named, *(asked.whole.named if asked.whole is not None else ())]
    return named[0].name if len(named) == 2 and named[0].name == named[1].name else None


def _with_suffix(named: Named, behind: str) -> str:
    for suffix in ("margin", "per_share", "per_employee", "growth"):
        made = f"{named.name} {suffix.replace('_', ' ')}"
        if spoken().suffixes[suffix].match(behind) and _is_read(made):
            return made
    return named.name


def _is_read(measure: str) -> bool:
    try:
        read_measure(measure)
    except MeasureError:
        return False
    return True


def _moving(measure: str, how: str) -> str:
    """A measure as its change from the year before: of a rate in points, which do not grow by percents."""
    if measure.endswith(" growth"):
        return measure
    is_rate = read_measure(measure).unit == "percent"
    moved = f"change in {measure}" if how == "change" or is_rate else f"{measure} growth"
    return moved if _is_read(moved) else measure


def _period(asked: Question) -> str | None:
    """The fiscal period that is asked for; None for one that is told by its days."""
    for period, pattern in spoken().periods.items():
        if pattern.search(asked.lower):
            return period
    if not asked.part_of_year and not asked.when.quarters:
        return "FY"
    if len(asked.when.quarters) == 1 and not asked.when.by_days:
        return f"Q{asked.when.quarters[0]}"
    return None


def _years(asked: Question, way: Way, companies: int) -> Years:
    said = spoken().cues
    moves = way == "greater" and asked.bound is None and asked.calculation in ("change", "growth")
    if moves and companies < 2 and len(asked.years) < 2:
        return Years(frozenset((asked.years[0] - 1, asked.years[0]))) if asked.years else Years(last=2)
    if way == "restated" and not asked.years:
        return Years(last=10)
    if asked.years:
        if said["since"].search(asked.lower) and len(asked.years) == 1 and way != "change":
            return Years(since=asked.years[0])
        inside = asked.when.expanded if way in ("table", "average", "sum") else ()
        return Years(frozenset((*asked.years, *inside)))
    if asked.when.last:
        return Years(last=asked.when.last)
    if said["over_time"].search(asked.lower) or (way == "table" and "compare" in asked.words):
        return Years(last=5)
    return Years()


def _is_course(asked: Question) -> bool:
    """Whether a question asks how something went over some years, which its values tell."""
    return asked.kinds[0] == "words" and (asked.when.last > 1 or len(asked.when.expanded) > 2)


def _way(asked: Question, companies: int) -> Way:
    """What is made of the values. companies: how many are named, 0 for all."""
    said = {name for name, pattern in spoken().cues.items() if pattern.search(asked.lower)}
    is_of_several = companies != 1
    if "restated" in said:
        return "restated"
    if "counts" in said:
        return "count"
    if "rank" in said:
        return "rank"
    if "median" in said:
        return "median"
    if asked.kinds[0] == "boolean":
        return "greater"
    extremes = asked.cues & {"highest", "lowest", "more", "fewer"}
    if companies == 2 and ("difference" in said):
        return "difference"
    if asked.compares and asked.bound is not None:
        return "filter"
    if asked.compares and extremes and is_of_several:
        return "best"
    if asked.compares and asked.calculation in ("change", "growth") and is_of_several:
        return "filter"
    if "average" in said and (is_of_several or len(asked.when.expanded) > 1 or asked.when.last):
        return "average"
    if "sum" in said and (is_of_several or len(asked.when.expanded) > 1 or asked.when.last):
        return "sum"
    if asked.calculation in ("change", "growth") and len(asked.years) == 2:
        return "change"
    return "table"


def is_rate(measure: str) -> bool:
    """Whether a measure is a rate that is compared in points."""
    name = measure.replace(" ", "_")
    return name not in line_items() and name in metrics() and metrics()[name].unit == "percent"
