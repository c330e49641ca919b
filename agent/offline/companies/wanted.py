"""What a question asks of companies: of whom, which measures, of which fiscal years, and what is made of the values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

from tieout.agent.protocol.message import Request
from tieout.agent.question.in_full import read_in_conversation
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.kg.companies.measure import MeasureError, read_measure
from tieout.kg.companies.times import Time, by_company, every_time, times_in
from tieout.kg.companies.years import Years
from tieout.kg.filings.naming import Directory, Mention, bare
from tieout.kg.reports.outline import Listed
from tieout.ontology.asked.against import COMPANY, Sides, masked, sides_in
from tieout.ontology.asked.bound import Bound
from tieout.ontology.asked.in_turn import Turns, companies_of, in_full, names_beside
from tieout.ontology.asked.measures import Named
from tieout.ontology.asked.spoken import spoken
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

SAID = ("same", "restated", "count", "rank", "median")  # ways that a word tells, the first before others
HELD = ("greater", "change", "difference", "against", "spread", "yearly growth")  # of values as they are
# What may be asked of how values moved.
OF_MOVES = ("rank", "best", "filter", "count", "each", "median", "average", "sum")
OF_BOUNDS = ("filter", "count", "greater", "each")  # ways that hold values against a number
OWN, TIME = "§", "#"  # what stands for the possessive of a company, and for the time of one
MOVING = frozenset(("change", "compared"))
EXTREMES = frozenset(("highest", "lowest", "more", "fewer"))
SHORT = 6  # words of a question that goes on about the companies before
JOINED = (("over", "/"), ("less", "-"))  # two measures by what stands between them
MOST_TICKER = 6  # characters
_POSSESSIVE = re.compile(r"(?:['’]s\b|(?<=s)['’](?=\W|$))")
_WORD, _SORT = re.compile(r"[\w&'-]+"), re.compile(r"(?: (?:ratio|rate|margin|number|count|yield|per \w+))+\b")
_TOP = re.compile(r"\b(?:top|bottom) (\d{1,3})\b")


@dataclass(frozen=True, slots=True)
class Wanted:
    """companies: their names, () for all. measures: as `tieout.kg.companies.measure` reads them. period: the fiscal
    period. way: what is made of the values; less: the lowest, or a fall; bound: that values are held against; first:
    how many of a ranking. day: of which the values are to be. unknown: names of companies that are not there. told:
    what was taken for granted. sides: of companies that are held against each other. between: what
    counts is how values moved between two years that are named. times: in place of years and period, each with the
    companies that are asked of it."""

    companies: tuple[str, ...]
    measures: tuple[str, ...]
    years: Years
    period: str
    way: str
    less: bool = False
    bound: Bound | None = None
    first: int = 0
    day: date | None = None
    growth: bool = False
    unknown: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    sides: Sides | None = None
    between: bool = False
    times: tuple[tuple[tuple[str, ...], Time], ...] = ()
    then: str = ""
    line: str = ""
    asked: Question | None = None

    @property
    def orders(self) -> bool:
        """Whether values of companies are held against each other."""
        return self.way in ("rank", "best", "difference", "against", "spread", "greater")

    @property
    def adds_up(self) -> bool:
        """Whether values of several companies are added up."""
        groups = (self.sides.one, self.sides.other) if self.way == "against" and self.sides else (self.companies,)
        return self.way in ("sum", "against") and any(len(each) != 1 for each in groups)


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

    def times(self, text: str) -> tuple[tuple[str, Time], ...]:
        """The companies that a text names, with the time of each, where each has its own beside it."""
        return by_company(text, [(each.key, each.start) for each in self.mentions(text)])

    def without(self, text: str) -> str:
        """A text without the names of companies, nor the time of each where it has its own."""
        ends = {each: _POSSESSIVE.match(text, each.end) for each in self.mentions(text)}
        spans = [
            (
                start,
                behind.end() if behind else end,
                OWN if behind or bare(text[start:end]) != text[start:end] else COMPANY,
            )
            for (_, start, end), behind in ends.items()
        ]
        spans += [(each.start, each.end, TIME) for each in every_time(text)] if self.times(text) else []
        text = masked(text, spans)
        for pattern, said in (*spoken().listed, *spoken().plain):
            text = " ".join(pattern.sub(said, text).split())
        return text

    def in_full(self, texts: Sequence[str]) -> list[str]:
        """The questions of a talk, each with what it leaves out."""
        return in_full(texts, self.mentions, read_question)

    def turns(self, request: Request) -> Turns:
        """The questions before one, without the names of companies, each with the companies that it names."""
        texts = self.in_full([turn.question for turn in request.history])
        said = [(text, self.mentions(text)) for text in texts]
        return [(self.without(text), tuple(dict.fromkeys(each.key for each in named))) for text, named in said]


names_of = lru_cache(maxsize=4)(Names)  # made once for all questions that see an outline


def read_wanted(request: Request, names: Names, *, is_lines: bool = False) -> Wanted | None:
    """What a request asks of companies; None for no measure of all of them. is_lines: for lines of reports instead."""
    turns = names.turns(request)
    earlier = [text for text, _ in turns]
    own = read_question(names.without(request.question))
    companies = _companies(request, names, own, turns, is_lines=is_lines)
    sides = _sides(request.question, names, is_boolean=own.kinds[0] == "boolean")
    more = spoken().held["times"].sub(lambda found: found["more"] or "more than ", own.text)  # `more than twice Acme's`
    is_own = is_lines and bool(own.open) and "asks on" not in own.cues  # whose words are the line's
    asked = own if is_own else read_in_conversation(more if sides and sides.way == "times" else own.text, earlier)
    unknown = _not_kept(request.question, names, asked)
    line = _line(asked) if is_lines else ""
    measures, told = ((line,) if line else (), ()) if is_lines else _measured(asked, sides)
    times = _times(request, names, companies, () if is_lines else measures, sides)
    if is_lines and len(companies) == 1 and not times:
        times = tuple((companies, each) for each in times_in(request.question))
    is_apart = len({each.key for _, each in times}) > len({of for of, _ in times})
    is_open = not is_lines and _is_left_open(asked, unknown, request.question)
    period = "FY" if times or is_lines else _period(asked)
    is_part = spoken().cues["by part"].search(request.question.lower()) is not None
    is_none = not measures or is_open or asked.form == "why" or asked.defines or is_part
    if is_none or period is None or (asked.when.back and not is_lines):
        return None
    is_negative = asked.bound is None and spoken().cues["negative"].search(asked.lower)
    bound = Bound(Decimal(0), 1, above=False, said="negative") if is_negative else asked.bound
    way = _made_of(asked, len(companies), len(measures), bound, is_apart=is_apart, has_sides=sides is not None)
    if way is None:
        return None
    if way == "sum" and len(companies) == 1 and len(measures) > 1 and _is_read(both := " + ".join(measures)):
        measures = (both,)
    moves = asked.calculation in ("change", "growth")
    between = way in OF_MOVES and (len(asked.years) == 2 or way == "sum") and moves and not is_apart
    if between or way == "change":
        measures = tuple(each.removesuffix(" growth") for each in measures)
    if is_lines and not is_apart:
        between, way = False, "table" if way in ("change", "yearly growth") else way
    elif (how := "" if between else _moved(asked, way, bound, len(companies))) and not is_apart:
        measures = tuple(_moving(each, how) for each in measures)
    is_unmade = way in ("table", "change") and (sides or spoken().cues["unmade"].search(asked.lower))
    if is_unmade or (way == "sum" and len(measures) > 1):
        told = (*told, "what is to be made of them")
    is_apart_told = spoken().cues["difference"].search(own.lower) and not names.mentions(request.question)
    if way == "table" and is_apart_told and len({key for _, named in turns for key in named}) > 1:
        told = (*told, "what is held against what")
    span = asked.when.span if asked.when.by_days else None  # six months ended in December are of other years of each
    years, day = _years(asked, way, len(companies)), None if times else span[1] if span else asked.when.day
    first = int(top[1]) if (top := _TOP.search(asked.lower)) else 0
    how_many = _is_less(asked, way), bound, first, day, _is_growth(asked, bound)
    rest = unknown, told, sides, between, times, asked.halves[-1] if asked.halves else "", line, asked
    return Wanted(companies, measures, years, period, way, *(how_many + rest))


def _made_of(
    asked: Question, companies: int, measures: int, bound: Bound | None, *, is_apart: bool, has_sides: bool
) -> str | None:
    """What is made of the values of so many companies and measures; None for what is made of none. is_apart: each has
    times of its own; has_sides: they are held against each other."""
    way = _way(asked, companies, bound)
    way = _way_of_times(way, asked, is_one=companies == 1) if is_apart else way
    is_of_times = asked.kinds[0] == "period" or (way == "table" and len(asked.when.expanded) > 2)
    if companies == 1 and is_of_times and asked.cues & EXTREMES and measures == 1:
        way = "which time"
    if has_sides and measures == 1:
        way = "against"
    is_held = asked.calculation in ("change", "growth") or asked.bound is not None
    if way == "greater" and companies > 1 and "compared" not in asked.cues and is_held:
        way = "each"
    is_of_none = (way == "greater" and companies > 2) or (way not in OF_BOUNDS and bound is not asked.bound)
    return None if is_of_none else way


def _line(asked: Question) -> str:
    """The words of a question from the first to the last that nothing but a line of a report accounts for, with those
    behind that say of what sort it is: `cet1 ratio`, `revenue in europe`."""
    named = [(each.start, each.end) for each in asked.named]
    left = asked.open - spoken().manner
    words = [match.span() for match in _WORD.finditer(asked.lower) if singular(match[0]) in left]
    if not (spans := [*named, *words]):
        return ""
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    sort = _SORT.match(asked.lower, last)
    return asked.lower[first : sort.end() if sort else last]


def _sides(text: str, names: Names, *, is_boolean: bool) -> Sides | None:
    """The companies of a question that are held against each other; of one company two of its times."""
    mentions = names.mentions(text)
    if len({each.key for each in mentions}) > 1:
        return sides_in(text, mentions, is_boolean=is_boolean)
    text = masked(text, [(start, end, "") for _, start, end in mentions])
    times = [(str(number), each.start, each.end) for number, each in enumerate(times_in(text))]
    return sides_in(text, times, is_boolean=False) if len(times) == 2 and not is_boolean else None


def _is_less(asked: Question, way: str) -> bool:
    """Whether the lowest is asked for, or a fall; of those that move, whether the lesser move is."""
    if way in ("greater", "best") and "change" in asked.cues:
        falls, slower = (bool(spoken().cues[each].search(asked.lower)) for each in ("falls", "slower"))
        return falls != (slower or not asked.cues.isdisjoint(("lowest", "fewer")))
    return asked.less or not {"bottom", "ascending"}.isdisjoint(asked.words)


def _measured(asked: Question, sides: Sides | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The measures that a question names, and what to tell of one that is taken for granted: if it asks which company
    grew and says nothing of what, revenue is taken."""
    named = {each.name for part in (asked, asked.part, asked.whole) if part is not None for each in part.named}
    if sides is not None and len(named) == 1 and asked.whole is not None:
        return (*named,), ()
    measures = tuple(dict.fromkeys(_measures(asked)))
    if not measures and not asked.open and asked.calculation == "growth" and asked.compares:
        return ("revenue",), ("what grew is taken to be revenue",)
    return measures, ()


def _times(
    request: Request, names: Names, companies: Sequence[str], measures: Sequence[str], sides: Sides | None
) -> tuple[tuple[tuple[str, ...], Time], ...]:
    """The times that a question names, each with its companies. () if they are plain fiscal years or one part of
    them, and if a question asks on single days for what is measured over a span."""
    times = times_in(request.question)
    if pairs := names.times(request.question):
        return tuple(((name,), time) for name, time in pairs)
    has_days = any(each.day is not None for each in times)
    if has_days and not all(line_items()[item].is_instant for each in measures for item in read_measure(each).items):
        return ()
    is_apart = any(each.period != "FY" for each in times) or (sides is not None and not set(sides.one) <= {*companies})
    return tuple((tuple(companies), each) for each in times) if has_days or (is_apart and len(times) > 1) else ()


def _way_of_times(way: str, asked: Question, *, is_one: bool) -> str:
    """What is made of values whose times differ."""
    extremes = asked.cues & EXTREMES
    if extremes and is_one and (" or " in asked.lower or "which" in asked.cues):
        return "which time"
    if asked.kinds[0] == "boolean":
        return "greater"
    if asked.calculation in ("change", "growth") or spoken().cues["moves"].search(asked.lower):
        return "change"
    return "best" if extremes and not is_one else "table" if way == "filter" else way


def _moved(asked: Question, way: str, bound: Bound | None, companies: int) -> str:
    """How measures are meant: `growth` or `change` from the year before; "" for themselves."""
    if way in ("filter", "count", "each") and bound is None:
        return "change"
    if way in ("greater", "difference") and companies == 2 and asked.cues >= MOVING and asked.bound is None:
        return "growth"
    is_of_years = asked.when.last > 1 or len(asked.when.expanded) > 2  # how something went, which its values tell
    is_course = asked.kinds[0] == "words" and is_of_years and not ("percent" in asked.cues and len(asked.years) == 2)
    if asked.calculation not in ("change", "growth") or way in HELD or is_course:
        return ""
    is_growth = _is_growth(asked, bound) and asked.when.last == 0 and len(asked.years) < 2
    return "growth" if is_growth else "change"


def _is_growth(asked: Question, bound: Bound | None) -> bool:
    """Whether what moves is meant in percents: as the number that it is held against, else as the question says."""
    in_percent = asked.calculation == "growth" or spoken().cues["points"].search(" ".join(asked.halves[1:]).lower())
    return bool(in_percent) if bound is None else bound.scale is None


def _companies(request: Request, names: Names, own: Question, turns: Turns, *, is_lines: bool) -> tuple[str, ...]:
    """The companies that a question names, else those that it goes on about."""
    found = dict.fromkeys(each.key for each in names.mentions(request.question))
    if found or is_lines or spoken().cues["all"].search(own.lower):
        return tuple(found)
    goes_on = own.cues & {"asks on", "points back"} or not own.named or len(own.words) < SHORT
    return companies_of([*turns, (own.text, ())]) if goes_on else ()


def _not_kept(text: str, names: Names, asked: Question) -> tuple[str, ...]:
    """The names beside those of companies, as in a list of them, that are of no company that is there."""
    found = names_beside(text, [(each.start, each.end) for each in names.mentions(text)])
    opened = (each for each in found if any(singular(word.lower()) in asked.open for word in each.split()))
    return tuple(dict.fromkeys(each for each in opened if not names.mentions(each)))


def _is_left_open(asked: Question, unknown: Sequence[str], text: str) -> bool:
    """Whether the question has words that neither measures nor companies nor times nor the manner of asking account
    for. text: with its times."""
    accounted = (*unknown, *(text[each.start : each.end] for each in times_in(text)))
    told = {singular(word) for said in accounted for word in re.findall(r"\w+", said.lower())}
    left = asked.open.union(*(each.open for each in (asked.whole, asked.part) if each is not None))
    return bool(left - told - spoken().manner)


def _measures(asked: Question) -> Iterator[str]:
    """The measures that a question names, each with what is said behind it."""
    if asked.whole is not None and asked.part is not None and asked.named and asked.whole.named:
        if asked.named[0].name == asked.whole.named[0].name:
            return  # of itself it is all
        yield f"{asked.named[0].name} as a percentage of {asked.whole.named[0].name}"
        return
    at = 0
    while at < len(asked.named):
        one = asked.named[at]
        behind = asked.lower[one.end :] if asked.lower[one.start : one.end].strip() else ""
        following = asked.named[at + 1] if at + 1 < len(asked.named) else None
        between = asked.lower[one.end : following.start] if following else ""
        joined = next((sign for way, sign in JOINED if spoken().suffixes[way].match(between)), None)
        if following and following.name != one.name and joined:
            yield f"{one.name} {joined} {following.name}"
            at += 2
            continue
        yield _with_suffix(one, behind)
        at += 1


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


def _years(asked: Question, way: str, companies: int) -> Years:
    said = spoken().cues
    moves = way == "greater" and asked.bound is None and asked.calculation in ("change", "growth")
    is_of_sum = way == "sum" and asked.calculation in ("change", "growth")
    if ((moves and companies < 2) or is_of_sum) and len(asked.years) < 2:
        return Years(frozenset((asked.years[0] - 1, asked.years[0]))) if asked.years else Years(last=2)
    if way in ("restated", "same") and not asked.years:
        return Years(last=10)
    if asked.years:
        if said["since"].search(asked.lower) and len(asked.years) == 1 and way != "change":
            return Years(since=asked.years[0])
        inside = asked.when.expanded if way in ("table", "average", "sum") and not is_of_sum else ()
        if way == "which time" and len(asked.years) == 2:
            inside = tuple(range(min(asked.years), max(asked.years)))
        return Years(frozenset((*asked.years, *inside)))
    if said["latest"].search(asked.lower) and companies > 1:
        return Years(last=1)
    if asked.when.last:
        return Years(last=asked.when.last + (way == "yearly growth"))
    if said["over_time"].search(asked.lower) or (way == "table" and "compare" in asked.words):
        return Years(last=5)
    return Years()


def _way(asked: Question, companies: int, bound: Bound | None) -> str:
    """What is made of the values. companies: how many are named, 0 for all. bound: what they are held against."""
    said = {name for name, pattern in spoken().cues.items() if pattern.search(asked.lower)}
    is_of_several = companies != 1
    if (first := next((way for way in SAID if way in said), None)) is not None:
        return first
    extremes = asked.cues & EXTREMES
    if asked.kinds[0] == "boolean":
        return "best" if extremes and "one or other" in said else "greater"
    if "spread" in said and is_of_several:
        return "spread"
    if companies == 2 and "difference" in said:
        return "difference"
    if asked.calculation == "yearly growth":
        return "yearly growth"
    if asked.compares and bound is not None and is_of_several:
        return "filter"
    if asked.compares and extremes and is_of_several:
        return "best"
    if asked.compares and asked.calculation in ("change", "growth") and is_of_several:
        return "filter"
    if "average" in said and (is_of_several or len(asked.when.expanded) > 1 or asked.when.last):
        return "average"
    is_total = bool(asked.named) and asked.lower[: asked.named[0].start].split()[-1:] == [
        "total"
    ]  # no part of its name
    if (
        ("sum" in said or ((is_of_several or "over" in asked.lower.split()) and is_total))
        and (companies > 1 or asked.calculation not in ("change", "growth"))
        and (is_of_several or len(asked.when.expanded) > 1 or asked.when.last or len(asked.named) > 1)
    ):
        return "sum"
    if asked.calculation in ("change", "growth") and len(asked.years) == 2:
        return "change"
    return "table"


def is_rate(measure: str) -> bool:
    """Whether a measure is a rate that is compared in points."""
    name = measure.replace(" ", "_")
    return name not in line_items() and name in metrics() and metrics()[name].unit == "percent"
