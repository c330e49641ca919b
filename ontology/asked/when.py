"""When a question asks about: years and ranges of them, parts of a year, days, and how far back from the latest."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from tieout.data.printed.periods.period import Period, PeriodKind, find_periods
from tieout.data.printed.periods.spans import QUARTER, Wanted, read_wanted, span_of
from tieout.ontology.asked.language import language
from tieout.ontology.asked.words import MONTHS

_BEFORE_TIME = re.compile(r"(?:\b(?:in|for|at|during|of|as of|fiscal(?: year)?|fy|the) )*\x00+")
YEAR = re.compile(r"(?:\b|(?<=\bfy))(?:19[5-9]\d|20[0-6]\d)\b")
_OVER_TWO = re.compile(r"\b((?:19|20)\d\d)/(\d\d)\b")
_SHORT_DATE = re.compile(r"\b\d{1,2}/(?:\d{1,2}/)?(\d{4}|\d{2})\b")
_HELD = re.compile(r" (?:vs\.?|versus|against|compared (?:to|with)) ")
_DIGIT = re.compile(r"\d")
_SHORT_YEAR = re.compile(r"\b(?:fy|f|fiscal(?: year)?|q[1-4]) ?'?(\d{2})\b", re.IGNORECASE)
_SHORT = frozenset("fFqQ")  # one of which a short year begins with
_TWO_DIGITS = re.compile(r"(?<=\bfy)\d\d\b|(?<=\bfy[ '])\d\d\b|(?<=\bq[1-4] )\d\d\b")
_BEFORE_YEAR = re.compile(r"\byear (?:before|prior to|preceding) (?:fiscal )?((?:19|20)\d\d)\b")
_RANGE = re.compile(
    r"((?:19|20)\d\d)\s*(?:-|–|—|to|through|until|and)\s*(?:fiscal |fy ?|december 31,? |june 30,? )?((?:19|20)\d\d)"
)
_QUARTER = re.compile(r"\bq([1-4])\b|\b(first|second|third|fourth|1st|2nd|3rd|4th) (?:fiscal )?quarter\b")
_OF_YEAR = r",?(?: (?:of|in|for))?(?: (?P<fiscal>fiscal(?: year)?|fy))? ?'?(?P<year>(?:19|20)\d\d)\b"
_NAMED_QUARTER = re.compile(rf"(?:{_QUARTER.pattern})(?:{_OF_YEAR})?")
_QUARTERS = re.compile(
    rf"\b(?P<end>first |last |(?:all )?(?=four|4))(?P<count>{'|'.join(language().numbers)}|[234])"
    rf" (?:fiscal )?quarters{_OF_YEAR}"
)
# What is told of each quarter of a part of a year, or of a whole one: the first and the last of them.
_PARTS = {"first half": (1, 2), "h1": (1, 2), "second half": (3, 4), "h2": (3, 4), "first nine months": (1, 3)}
_QUARTERLY = re.compile(rf"\bquarterly\b.*?(?P<said>(?:\b(?P<part>{'|'.join(_PARTS)}))?{_OF_YEAR})")
_WORD = re.compile(r"[a-z]+")
_TO = re.compile(r" ?(?:-|–|—|to|through|until|thru) ?")
_HALF = re.compile(r"\b(?:h[12]|(?:first|second|1st|2nd)[ -]half|(?:first )?(?:six|nine|6|9)[ -]months)\b")
_ORDER = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
NAMES_OF_MONTHS = "|".join(f"{name[:3]}(?:{name[3:]})?" if name[3:] else name for name in MONTHS)
_DAY = re.compile(
    rf"(?P<end>\bend[- ]of[- ])?(?:(?<![\w.,$])(?P<before>[0-3]?\d) )?\b(?P<month>{NAMES_OF_MONTHS})\b\.?"
    r"(?: (?P<day>\d{1,2})(?!\d))?(?:,? (?P<year>(?:19|20)\d\d)\b)?"
)
_MONTH = re.compile(rf"\b({'|'.join(MONTHS)})\b(?:(?<!\bmay)|(?= \d))")
_END = re.compile(
    r"(?P<head>(?:(?:for |in )?the (?:three months|quarter) ended |at |as of )?)"
    rf"(?P<month>{'|'.join(MONTHS)}) \d{{1,2}},? (?:19|20)\d\d"
)
_LAST = re.compile(
    r"\b(?:(?:over|in|for|during|across|of|through|throughout) )?(?:the |these |those |all )?"
    r"(?P<said>(?:last|past|previous|prior|latest|most recent|recent) )?"
    rf"(?P<count>{'|'.join(sorted(language().numbers.keys() - {'half', 'third'}))}|[2-9]|10)[ -](?:\w+ )?"
    r"(?P<of>years?|periods?|quarters?)\b(?! (?:treasury|notes?|bonds?|term|ago))"
)
WHOLE = (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)
LONGEST_RANGE = 30  # years


@dataclass(frozen=True, slots=True)
class When:
    """The time that a question names.

    years: calendar or fiscal years as numbered, in the order they are named; expanded: with those inside a range, in
    order. last: how many of the latest periods; since: from the year that is named on; back: how many years before the
    latest, where none is named.
    quarters, months: by number. wanted: the one part of a year, or twelve months, that it names; span: its first and
    last day, of the latest year where it is of several; by_days: it says the day or month on which that ends, not only
    which quarter it is. day: on which a balance is asked for; days: all that are named, those at the end of a month
    too. moment: `opening` or `closing` where a balance is asked for by its place in a period, else `plain`.
    named_later: by how many years fiscal years are called otherwise than `years`, where these are those in which their
    days are. taken: where in the text all of it stands.
    """

    years: tuple[int, ...] = ()
    expanded: tuple[int, ...] = ()
    last: int = 0
    since: bool = False
    back: int = 0
    quarters: tuple[int, ...] = ()
    months: frozenset[int] = frozenset()
    periods: tuple[Period, ...] = ()
    wanted: Wanted | None = None
    span: tuple[date, date] | None = None
    by_days: bool = False
    day: date | None = None
    days: tuple[date, ...] = ()
    moment: str = "plain"
    named_later: int = 0
    taken: tuple[tuple[int, int], ...] = ()


@lru_cache(maxsize=16384)
def years_in(text: str) -> tuple[int, ...]:
    """The years that a text names, in order, each once: `12/31/07` and `fy07` are 2007, `2006/07` is one year."""
    if _DIGIT.search(text) is None:
        return ()
    found, is_split, is_short = [], "/" in text, not _SHORT.isdisjoint(text)  # most texts have nothing of all these
    for match in _OVER_TWO.finditer(text) if is_split else ():
        if (int(match[1]) + 1) % 100 == int(match[2]):
            found.append((match.start(), int(match[1]) + 1))
    over = {start for start, _ in found}
    # `the year before 2023`
    before = {match.start(1) for match in _BEFORE_YEAR.finditer(text)} if "year " in text else frozenset[int]()
    years = (match for match in YEAR.finditer(text) if match.start() not in over)
    found += [(match.start(), int(match[0]) - (match.start() in before)) for match in years]
    found += [(match.start(), _full(match[1])) for match in (_SHORT_DATE.finditer(text) if is_split else ())]
    short = _SHORT_YEAR.finditer(text) if is_short else ()
    found += [(match.start(), 2000 + int(match[1])) for match in short if int(match[1]) < 60]
    return tuple(dict.fromkeys(year for _, year in sorted(found)))


def _full(digits: str) -> int:
    return int(digits) if len(digits) == 4 else int(digits) + (1900 if int(digits) > 50 else 2000)


def read_when(text: str, cues: frozenset[str]) -> When:
    """The time that a question names. cues: those that it has."""
    lower = text.lower()
    found, wanted = find_periods(text), read_wanted(text)
    parts = [each for each in found if each[0].kind in (PeriodKind.QUARTER, PeriodKind.SPAN)]
    parts = parts if "part of year" in cues else []
    ended = [each for each in found if language().cues["ended"].search(each[0].label)]
    dated = [each for each in found if each[0].kind in (PeriodKind.DATE, PeriodKind.MONTH)]
    timed = [span for period, _, _ in parts if (span := span_of(period)) is not None]  # to July 1 too
    spans = {(span.start, span.until - timedelta(days=1)) for span in timed}
    days = {period.end for period, _, _ in dated if period.kind is PeriodKind.DATE and period.end}
    years, last = years_in(lower), _LAST.search(lower)
    told = tuple(_days(lower, years))  # `end of July 2023` too
    relative, back = _back(lower)
    counted = last is not None and back < 2 and (last["said"] is not None or not years)
    return When(
        years=years,
        expanded=_expanded(lower, years),
        last=_count(last["count"]) if counted and last is not None else 0,
        since="since a year" in cues and len(years) == 1,
        back=0 if years else back,
        quarters=tuple(dict.fromkeys(int(each[1] or _ORDER[each[2]]) for each in _QUARTER.finditer(lower))),
        months=frozenset(MONTHS.index(each[1]) + 1 for each in _MONTH.finditer(lower)),
        periods=tuple(period for period, _, _ in found),
        wanted=wanted,
        span=max(spans) if len({_part(*each) for each in spans}) == 1 else None,
        by_days="ended" in cues,
        day=next(iter(days or told)) if len(days or told) == 1 and "ended" not in cues else None,
        days=told,
        moment="opening" if "opening" in cues else "closing" if "closing" in cues else "plain",
        taken=(
            *((start, end) for _, start, end in (*parts, *dated, *ended)),
            *(each.span() for each in (last, relative) if each is not None),
            *_places_of(wanted, lower),
            *(match.span() for match in _said_days(lower)),
        ),
    )


def _part(first: date, last: date) -> tuple[int, int, int]:
    """Which part of a year two days bound, of whichever year."""
    return first.month, first.day, last.month


def _days(lower: str, years: Sequence[int]) -> Iterator[date]:
    """The days that a question names, in its order: `between April 28 and July 28, 2023`, `the end of July 2023`. One
    without a year is of that of the next, or before it."""
    said = _said_days(lower) if years else []
    for at, match in enumerate(said):
        behind = next((each for each in said[at:] if each["year"]), None)
        year = int(behind["year"]) if behind is not None else years[0]
        month, before = _month(match), behind is not None and _month(match) > _month(behind)
        year, last = year - before, monthrange(year - before, month)[1]
        yield date(year, month, min(int(match["day"] or match["before"] or last), last) or last)


def _said_days(lower: str) -> list[re.Match[str]]:
    return [match for match in _DAY.finditer(lower) if match["day"] or match["before"] or match["end"]]


def _month(match: re.Match[str]) -> int:
    return next(number for number, name in enumerate(MONTHS, 1) if name.startswith(match["month"][:3]))


def _back(lower: str) -> tuple[re.Match[str] | None, int]:
    """Where a question says how many years before the latest, and how many."""
    ago = language().forms["years ago"].search(lower)
    if ago is not None and (ago[1].isdigit() or ago[1] in language().numbers):
        return ago, _count(ago[1])
    before = language().cues["year before"].search(lower)
    return before, int(before is not None)


def _places_of(wanted: Wanted | None, lower: str) -> Iterator[tuple[int, int]]:
    """Where the halves of years stand: `h1 2024 against h1 2023`; `first six months` too."""
    if wanted is None or wanted.months == QUARTER:
        return
    for match in _HALF.finditer(lower):
        yield match.span()


def _count(said: str) -> int:
    return language().numbers.get(said) or int(said)


def _expanded(lower: str, years: tuple[int, ...]) -> tuple[int, ...]:
    inside: set[int] = set(years)
    for match in _RANGE.finditer(lower):
        first, last = sorted((int(match[1]), int(match[2])))
        if last - first < LONGEST_RANGE and "and" not in match[0]:
            inside.update(range(first, last + 1))
    return tuple(sorted(inside))


def without_time(lower: str, when: When) -> str:
    """A question without the words that say when, as long: `cash flow in 2024 minus capex` joins two measures."""
    said = [*when.taken, *(match.span() for match in YEAR.finditer(lower))]
    said += [match.span() for match in language().cues["to date"].finditer(lower)]
    for start, end in said:
        lower = lower[:start] + "\x00" * (end - start) + lower[end:]
    return _BEFORE_TIME.sub(lambda found: " " * len(found[0]), lower)


def timeless(text: str, time: str) -> str:
    """A text without the words that say when."""
    return " ".join(text.replace(time, " ").split()) if time else text


def dated(time: str) -> str:
    """A time with a word before it."""
    how = language().forms["how it is dated"].match(time)
    if not time or (how is not None and how["said"]):
        return time
    if how is not None and how["later"]:
        return language().in_full["due"].format(time=time)
    return f"in {time}" if how is None else f"for {time}" if how["the"] else f"in the {time}"


def shifted(time: str, step: int) -> str:
    """A time, in words, so many years later."""
    if YEAR.search(time) is None:
        return _TWO_DIGITS.sub(lambda found: f"{int(found[0]) + step:02}", time)
    return YEAR.sub(lambda found: str(int(found[0]) + step), time)


def times_held(time: str) -> tuple[str, ...]:
    """The two times that one names where it holds parts of years, or days, against each other, the later first."""
    held = _HELD.split(time)
    years = [years_in(each) for each in held]
    if len(held) != 2 or any(len(each) != 1 for each in years) or all(YEAR.fullmatch(each) for each in held):
        return ()
    return tuple(held if years[0] >= years[1] else held[::-1])


def quarters_in(lower: str, *, with_between: bool) -> tuple[tuple[str, ...], str]:
    """The quarters that a question names, in order, each in words with its year, with those of `the last two quarters
    of 2024` one by one, and those between two; and the question without them. () where one is of no year."""
    if (some := _QUARTERS.search(lower)) is not None:
        count = min(_count(some["count"]), 4)
        first = 4 - count if some["end"] == "last " else 0
        rest = f"{lower[: some.start()]} {lower[some.end() :]}"
        return _each_quarter(some, range(first + 1, first + count + 1)), rest
    if named := [*_NAMED_QUARTER.finditer(lower)]:
        rest = f"{lower[: named[0].start()]} {lower[named[-1].end() :]}"
        times = _named_quarters(named, lower[named[0].end() : named[-1].start()], with_between=with_between)
        return times, rest if times else lower
    if with_between and (whole := _QUARTERLY.search(lower)) is not None:
        first, last = _PARTS.get(whole["part"] or "", (1, 4))
        rest = lower.replace(whole["said"], " ", 1)
        return () if YEAR.search(rest) else _each_quarter(whole, range(first, last + 1)), rest
    return (), lower


def _each_quarter(said: re.Match[str], numbers: Iterable[int]) -> tuple[str, ...]:
    """Quarters by their numbers, of the year that is said behind them."""
    return tuple(" ".join(f"q{each} {said['fiscal'] or ''} {said['year']}".split()) for each in numbers)


def _named_quarters(named: Sequence[re.Match[str]], between: str, *, with_between: bool) -> tuple[str, ...]:
    """Quarters that are named one by one, each of its year or that of the next; () where one is of none, or more than
    words of grammar stand between them."""
    years = [next((later["year"] for later in named[at:] if later["year"]), None) for at in range(len(named))]
    if None in years or not {*_WORD.findall(between)} <= language().words["function"] | {"vs", "versus", "compared"}:
        return ()
    fiscal = next((f" {each['fiscal']}" for each in named if each["fiscal"]), "")
    numbers = [
        int(year or 0) * 4 + int(each[1] or _ORDER[each[2]]) - 1 for each, year in zip(named, years, strict=True)
    ]
    is_range = with_between and len(numbers) == 2 and _TO.fullmatch(between)
    if is_range and numbers[0] < numbers[1] < numbers[0] + LONGEST_RANGE:
        numbers = [*range(numbers[0], numbers[1] + 1)]
    return tuple(f"q{each % 4 + 1}{fiscal} {each // 4}" for each in numbers)


def quarter_beside(time: str, step: int) -> str:
    """The quarter so many after the one that a time names in words, or by the day on which it ends; "" where it names
    none, or of no one year."""
    said, years = {int(each[1] or _ORDER[each[2]]) for each in _QUARTER.finditer(time)}, years_in(time)
    if not said and len(years) == 1 and (end := _END.fullmatch(time)) is not None:
        month = years[0] * 12 + MONTHS.index(end["month"]) + 3 * step
        last = monthrange(month // 12, month % 12 + 1)[1]
        return f"{end['head']}{MONTHS[month % 12]} {last}, {month // 12}"
    if len(said) != 1 or len(years) != 1 or _MONTH.search(time):
        return ""
    quarter = years[0] * 4 + said.pop() - 1 + step
    return f"q{quarter % 4 + 1} {quarter // 4}"
