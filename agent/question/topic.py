"""What a conversation is about: the measure, of which part, and when, each in the words in which it was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile

from tieout.agent.question.question import Question
from tieout.data.printed.pattern import later
from tieout.ontology.asked.days import months_of_days
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.when import YEAR, dated, quarter_beside, shifted, times_held, years_in
from tieout.ontology.asked.words import MONTHS
from tieout.ontology.labels.lexicon import singular

MOVES = ("change", "growth", "multiple", "yearly growth")
KEPT = frozenset((*MOVES, "share", "share of", "moved", "average", "sum", "split"))  # of what is asked next alike
DONE = {"change": "subtract", "growth": "percentage_change", "multiple": "divide"}  # with the figure a year before
MOST_OF_PART = 5  # words that name a part
WORD, LETTERS = later(r"[a-z0-9]+(?:[&'’./-][a-z0-9]+)*"), later(r"[a-z0-9]+")
_LISTED = later(r"[\s,;&]*(?:and[\s,]*)?")
_MONTH, _BEFORE = later(rf"\b(?:{'|'.join(MONTHS)})\b"), later(r"([a-z0-9-]+),? $")


@dataclass(frozen=True, slots=True)
class Full:
    """A question in full. other: another way to understand it, "" for none, and apart: the part of the one before that
    this leaves out; sides: questions of whose answers `operation` makes the same, () where it is of one, told: the turn
    that has told each, from 0, -1 for none, and names: what each is called where one of them is asked for; left: what
    was asked that is not in it, "" for nothing; is_first: it says all itself."""

    text: str
    other: str = ""
    sides: tuple[str, ...] = ()
    operation: str = ""
    told: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    apart: str = ""
    left: str = ""
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """What a question says of each kind, "" for nothing. leads: the part stands before the measure; is_all: in full."""

    measure: str = ""
    part: str = ""
    leads: bool = False
    time: str = ""
    is_all: bool = True


@dataclass(frozen=True, slots=True)
class Topic(Said):
    """What is known of a conversation. full: the last question; wish: what is made of it, by the name of the pattern
    that writes it, with what `more` that needs; before: the topic before it. is_all: the part is known; of:
    it was asked for as a part of that; among: those of which one is asked for; operands: those that it is made of."""

    full: Full = field(default_factory=lambda: Full(""))
    wish: str = "value"
    more: dict[str, str] = field(default_factory=dict)
    before: Topic | None = None
    of: bool = False
    among: tuple[Topic, ...] = ()
    operands: tuple[Topic, ...] = ()

    @property
    def what(self) -> str:
        if not (self.measure and self.part):
            return self.measure or self.part
        return f"{self.part} {self.measure}" if self.leads else f"{self.measure} of {self.part}"

    @property
    def listed(self) -> tuple[Topic, ...]:
        """The topics of a list of measures, `sales and income`; () where it is of one."""
        named = find_measures(self.measure)
        between = [self.measure[one.end : other.start] for one, other in pairwise(named)]
        is_list = bool(between) and all(map(_LISTED.fullmatch, between))
        return tuple(replace(self, measure=each.said) for each in named) if is_list else ()

    @property
    def part_of_year(self) -> bool:
        """Whether its time is a quarter or another part of a year."""
        return language().forms["part of a year"].search(self.time) is not None

    @property
    def rate(self) -> str:
        """What it is called where it is asked for as a share."""
        return f"{self.what} as a percentage of {self.more.get('whole', '')}"

    def earlier(self) -> Iterator[Topic]:
        """It, and the topics before it, the latest first."""
        yield self
        if self.before is not None:
            yield from self.before.earlier()

    def text(self, wish: str = "value", **more: str) -> str:
        if wish == "value" and not self.what:
            return self.full.text
        slots = {"what": self.what, "measure": self.measure, "part": self.part, "time": dated(self.time), **more}
        return " ".join(language().in_full[wish].format(**slots).split())

    def asks(self, wish: str, sides: tuple[str, ...] = (), operation: str = "", **more: str) -> Topic:
        """The same, with another question for it."""
        full = Full(self.text(wish, **more), "", sides, operation if sides else "")
        return replace(self, full=full, wish=wish, more=more, of=False, among=(), operands=())

    def asks_of(self, operands: Sequence[Topic], wish: str, operation: str, **more: str) -> Topic:
        """The same, with a question for what is made of several, which may be asked of another time as well."""
        sides = tuple(each.text(each.wish, **each.more) for each in operands)
        return replace(self.asks(wish, sides, operation, **more), operands=tuple(operands))

    def at(self, said: Said, own: Question) -> Topic:
        """The same, with what a question says in the place of what it was."""
        topic = replace(self, time=time_after(self.time, said.time, own), measure=said.measure or self.measure)
        if not said.part:
            return topic
        told = (each for each in self.earlier() if each.leads and each.measure == topic.measure)
        one = next((each for each in told if each.part.removesuffix("'s") == said.part), said)
        return replace(topic, part=one.part, leads=one.leads)

    def as_share(self, whole: str) -> Topic:
        """The share that the part has in the whole."""
        total = replace(self, measure=whole if find_measures(whole) else self.measure, part="")
        return self.asks("share", (self.text(), total.text()), "percentage", whole=whole)

    def as_amount(self) -> Topic:
        """The amount of which it is asked for the share."""
        whole = self.more["whole"]
        return replace(self, measure=self.measure or whole * bool(find_measures(whole)), wish="value", operands=())

    def as_rate(self, whole: str) -> Topic:
        """It as a percentage of another measure, of the same part but where that is the whole."""
        other = replace(self, measure=whole, part="" if "total" in whole else self.part)
        return self.asks("share of", (self.text(), other.text()), "percentage", whole=whole)

    def in_the_same_way(self, known: Topic, *, is_new: bool) -> Topic:
        """The question for it that was asked of what is known; for its figure where that is new."""
        wish = "value" if is_new or known.wish not in KEPT else known.wish
        if wish in ("share", "share of"):
            return self.as_share(known.more["whole"]) if wish == "share" else self.as_rate(known.more["whole"])
        # What fell says nothing of which way another went.
        is_other = known.more.get("moved") == "fall" and self.what != known.what
        return self.made(wish, **known.more | ({"moved": "change"} if is_other else {}))

    def made(self, wish: str, **more: str) -> Topic:
        """What is made of it over time, by its figures where a question for two of them does."""
        return self.asks(wish, self.both_years() if wish in DONE else (), DONE.get(wish, ""), **more)

    def both_years(self, wish: str = "value") -> tuple[str, ...]:
        """The questions for its figures of the two years of its time, or the two that it holds against each other, of
        the one and the year before."""
        years, more = sorted(years_in(self.time)), {} if wish == "value" else self.more
        if len(held := times_held(self.time)) == 2:
            return tuple(replace(self, time=each).text(wish, **more) for each in held)
        if len(years) == 1:
            return self.text(wish, **more), replace(self, time=shifted(self.time, -1)).text(wish, **more)
        return (
            tuple(replace(self, time=str(year)).text(wish, **more) for year in years[::-1]) if len(years) == 2 else ()
        )


def said_in(own: Question) -> Said:
    """What a question says of each kind."""
    named, known, time = own.named, language().words, time_in(own)
    if len(named) > 1 and own.tree is None:
        return Said(time=time, is_all=False)
    first, last = (named[0].start, named[-1].end) if named else (0, 0)
    open_ = {each for each in own.open - known["of turns"] if not language().cues["change"].fullmatch(each)}
    qualifiers = open_ & (known["qualifiers"] | known["of one measure"])
    while (before := _BEFORE.search(own.lower[:first])) is not None and before[1] in qualifiers:
        first = before.start(1)  # `adjusted EBIT`
    taken = [(first, last), *_time_spans(own)]
    found = [
        match.span()
        for match in WORD.finditer(own.lower)
        if any(singular(each) in open_ for each in (match[0], *LETTERS.findall(match[0])))
        if not any(start <= match.start() < end for start, end in taken)
    ]
    start, end = (found[0][0], found[-1][1]) if found else (0, 0)
    if found and (country := language().forms["the country"].match(own.lower, end)) is not None:
        end = country.end()
    inside = own.lower[start:end].split()
    is_split = bool(named) and start < first < end
    if is_split or len(inside) > MOST_OF_PART or not known["between parts"].isdisjoint(inside):
        return Said(own.lower[first:last], time=time, is_all=False)
    part = own.lower[start:end]
    called = {singular(each.lower()) for each in language().forms["a part by its name"].findall(own.text)}
    for word in open_ & called & known["of a part"]:  # which stays a name in what is asked after it
        part = f"{part.replace(word, word.capitalize()).removesuffix(' segment')} segment"
    return Said(own.lower[first:last], part, bool(named) and end <= first, time)


def _time_spans(own: Question) -> Iterator[tuple[int, int]]:
    """Where a question says when, with the words of grammar before it."""
    spans = [*own.when.taken, *(match.span() for match in YEAR.finditer(own.lower))]
    spans += [match.span() for match in language().forms["a time"].finditer(own.lower)]
    for start, end in sorted(spans):
        while (word := _BEFORE.search(own.lower[:start])) is not None and word[1] in language().words["of time"]:
            start = word.start(1)
        yield start, end


def time_in(own: Question) -> str:
    """The words of a question that say when, from the first to the last where little else stands between."""
    text, last = "", 0
    for start, end in sorted(_time_spans(own)):
        if end > last:
            gap = own.lower[last:start] if text and start > last else ""
            text += (gap if len(gap.strip(" ,")) < 4 else " ") + own.lower[max(start, last) : end]
            last = end
    return re.sub(r"^(?:and|over) ", "", text.strip(" ,"))


def time_after(known: str, said: str, own: Question) -> str:
    """When a question asks about that was asked after another: what it says takes the place of what that said."""
    forms, years = language().forms, years_in(known)
    if not said or not known:
        return said or known
    if (next_to := forms["the quarter beside"].search(said)) is not None:
        return quarter_beside(known, -1 if next_to["before"] or next_to["ahead"] else 1) or said
    if "whole year" in own.cues and not own.years:
        return str(years[-1]) if years else said
    step = -own.when.back if own.when.back else 1 if "year after" in own.cues else 0
    part, before = forms["part of a year"].search(said), forms["part of a year"].search(known)
    if step and not own.years:
        if part is not None and before is not None and not forms["same"].search(own.lower):
            known = known[: before.start()] + part[0] + known[before.end() :]
        return shifted(known, step) if years else said
    is_year = len(own.years) == 1 and before is not None and years and "whole year" not in own.cues
    if is_year and (part is None or forms["same"].search(own.lower)):
        return shifted(known, own.years[0] - years[-1])
    if own.years or own.when.last or forms["the latest"].search(said):
        return said
    days = months_of_days(said)
    if days and not any(each in known for each in days):
        return said  # the report knows of which year it prints that day
    if "year" in said and own.when.moment == "closing" and _MONTH.search(known):
        return said  # `at year end?`, behind a day of a quarter
    if days or own.when.moment == "opening":
        return f"{said} {years[-1]}" if years else said
    is_any = part is not None and part[0] == "quarter" and not own.when.months
    if part is None or (before is not None and (before[0] == part[0] or (is_any and "q" in before[0]))):
        return known
    if before is not None and _MONTH.search(known):
        return known[: before.start()] + part[0] + known[before.end() :]
    return f"{said} of {years[-1]}" if years else said


def time_over(known: Topic, own: Question, said: str) -> str:
    """Of when a calculation over time is asked: between the years for which the same was asked, where it says none."""
    patterns, of_known = language().in_full, years_in(known.time)
    times = [each.time for each in takewhile(lambda each: _is_alike(each, known), known.earlier())][::-1]
    told = sorted({*own.years, *(year for time in times for year in years_in(time))})
    if own.cues & {"sum", "average"} and own.calculation not in MOVES:
        is_counted = own.counted == len(told) and language().forms["the latest"].search(said) is None
        if len(of_known) > 1 and not own.years and not is_counted and (own.counted or known.wish != "value"):
            return known.time
        if len(told) > 1 and len(own.years) < 2 and (is_counted or not own.when.last):
            return patterns["all of"].format(times=", ".join(map(str, told)))
    is_base = "since" in own.cues or (own.calculation in MOVES and language().forms["on a base"].search(own.lower))
    if len(own.years) == 1 and of_known and own.years[0] not in of_known and is_base:
        first, last = sorted((own.years[0], of_known[-1]))
        is_next = last - first == 1 and last == of_known[-1]
        return known.time if is_next and len(of_known) == 1 else patterns["between"].format(first=first, last=last)
    if own.years or own.when.last or (own.part_of_year and not own.when.back):
        return time_after(known.time, said, own)
    pair = sorted({*of_known, *(years_in(times[-2]) if len(times) > 1 else ())})
    if own.calculation in MOVES and times_held(known.time):
        return known.time
    if (own.calculation not in MOVES and own.form != "yes or no") or len(pair) != 2:
        return known.time if own.calculation in MOVES else time_after(known.time, said, own)
    latest = max(times[-2:], key=lambda time: max(years_in(time), default=0))
    is_next = pair[1] - pair[0] == 1 and len(years_in(latest)) == 1
    return latest if is_next else patterns["between"].format(first=pair[0], last=pair[1])


def _is_alike(one: Topic, other: Topic) -> bool:
    """Whether two are of one measure, whatever qualifies it, and one part."""
    plain = [set(each.measure.split()) - language().words["qualifiers"] for each in (one, other)]
    return plain[0] == plain[1] and one.part == other.part
