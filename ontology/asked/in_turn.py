"""Talk about companies: each question in full, whom one is about that names none, and the names written in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.spoken import spoken
from tieout.ontology.asked.when import YEAR
from tieout.ontology.labels.lexicon import singular

_NAME = r"((?:[A-Z][\w&.-]*\s?)+)"
_POSSESSIVE = re.compile(rf"\b{_NAME}(?:['’]s\b|(?<=s)['’](?!\w))")
WHOLE = "fiscal year"  # said of a year that is asked for as a whole
MOST_OF_PART = 4  # words of a part of what was asked for
COMPANY = "@"  # what stands for the name of one
_BEHIND = re.compile(rf"\b(?:of|for|at|by|and|about|is|was) {_NAME}(?=\W*$|[,:] |in |for |at |by |as )")
Turns = Sequence[tuple[str, tuple[str, ...]]]  # questions, each with the companies that it names
Mentions = Callable[[str], Sequence[tuple[str, int, int]]]  # the companies that a text names: key, start, end of each


class Read(Protocol):
    """What is read of a question. open: its words that nothing accounts for; rate: `margin`, where it asks for one."""

    @property
    def open(self) -> frozenset[str]: ...
    @property
    def calculation(self) -> str: ...
    @property
    def rate(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Talk:
    """What was asked so far. text: the last question in full. about: the companies that it names. alone: those that
    one question after the other has named; ever: all that were named. measure: in words, "" where it is not surely
    read, bare: without growth; time: in words, with the word before it."""

    text: str = ""
    about: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    ever: tuple[str, ...] = ()
    measure: str = ""
    bare: str = ""
    time: str = ""

    def group(self, asked: str) -> tuple[str, ...]:
        """The companies that a question like `which one?` is about, the one that is measured first; () for all."""
        if spoken().cues["more than two"].search(asked) and len(self.ever) > 2:
            return self.ever
        if len(self.about) == 1 and len(set(self.alone)) > 1:
            in_turn = tuple(dict.fromkeys(reversed(self.alone)))
            return in_turn[:2] if spoken().cues["two"].search(asked) else in_turn
        return self.about

    def of(self, companies: Sequence[str], measure: str = "", time: str = "") -> str:
        """A question for a measure itself."""
        return f"what was the {measure or self.measure} of {_joined(companies, 'and')}{time or self.time}?"


def in_full(texts: Sequence[str], mentions: Mentions, read: Callable[[str], Read]) -> list[str]:
    """The questions of a talk, each with what it leaves out; as it is if it says all itself, or is not understood."""
    talk, found = Talk(), list[str]()
    for text in texts:
        full = (_held(text, talk, mentions) or _changed(text, talk, mentions, read)) if talk.text else None
        found.append(full or text)
        talk = _after(talk, text, full or text, mentions, read)
    return found


def _after(talk: Talk, said: str, full: str, mentions: Mentions, read: Callable[[str], Read]) -> Talk:
    """What is known behind a question, as it was said and in full."""
    named, own = (tuple(dict.fromkeys(key for key, _, _ in mentions(each))) for each in (full, said))
    masked = _masked(full, mentions)
    plain = masked
    for pattern, other in spoken().plain:
        plain = pattern.sub(other, plain)
    measure, bare = _measure_of(plain, read)
    time = _time_of(masked)
    if not (named or measure or time or find_measures(masked)):
        return talk  # it says nothing of what it is about
    is_all = bool(spoken().cues["all"].search(masked)) or not talk.text
    alone = (*talk.alone, *own) if len(own) == 1 else () if own else talk.alone
    group = talk.group(_masked(said, mentions))
    about = group if not own and {*named} == {*group} else named if named or is_all else talk.about
    text = full if named or is_all else talk.of(talk.about, measure, time) if measure and talk.about else ""
    ever = tuple(dict.fromkeys((*talk.ever, *named)))
    is_lost = not measure and bool(find_measures(masked) or read(masked.replace(COMPANY, " ")).open)
    kept = ("", talk.bare if full != said else "") if is_lost else (talk.measure, talk.bare)
    return Talk(text, about, alone, ever, *((measure, bare) if measure else kept), time or talk.time)


def _measure_of(masked: str, read: Callable[[str], Read]) -> tuple[str, str]:
    """What a question measures, in words, and that without growth; "" for nothing, or for what is not all of it."""
    asked, spans = read(masked.replace(COMPANY, " ")), [(each.start, each.end) for each in find_measures(masked)]
    if not spans or asked.open - spoken().manner:
        return "", ""
    first, last = spans[0][0], spans[-1][1]
    if len({each.name for each in find_measures(masked)}) == 1:  # of each company it is said again
        last = spans[0][1]
    between = [masked[one[1] : other[0]] for one, other in pairwise(spans) if other[1] <= last]
    if not all(spoken().follow["between measures"].fullmatch(each) for each in between):
        return "", ""
    said = masked[first:last]
    if asked.calculation == "share" and len(spans) < 2:
        return "", ""
    is_gap = spoken().cues["difference"].search(masked) is not None or f"than {COMPANY}" in masked  # no change of one
    way = "value" if is_gap and asked.calculation == "change" else asked.calculation
    how = {"growth": "{} growth", "change": "change in {}", "value": "{}", "share": "{}"}.get(way, "")
    return how.format(said), said


def _time_of(masked: str) -> str:
    """When a question is of, with a word before it; "" where it names no year."""
    span = _span_of_time(masked)
    said = masked[slice(*span)] if span is not None else ""
    years = {*YEAR.findall(said)}
    if not spoken().follow["a time"].fullmatch(said):
        return f" in {min(years)}" if len(years) == 1 else ""
    return f" in {said}" if years else ""


def _span_of_time(text: str) -> tuple[int, int] | None:
    """Where a text says of which part of a year, or of which years, it is, from the first to the last of them."""
    part = spoken().follow["part of a year"].search(text)
    return part.span() if part is not None else _span_of_years(text)


def _span_of_years(text: str) -> tuple[int, int] | None:
    years = [match.span() for match in YEAR.finditer(text)]
    return (years[0][0], years[-1][1]) if years else None


def _held(text: str, talk: Talk, mentions: Mentions) -> str | None:
    """`How much bigger is that?`, asked behind one company and another, as a question that names them; None for one
    that asks something else."""
    named, masked = [key for key, _, _ in mentions(text)], _masked(text, mentions)
    group = talk.group(masked)
    if len(named) == 1:  # `how much higher is Acme's?`
        others = [each for each in (*group, *reversed(talk.ever)) if each != named[0]]
        group = (*others[:1], named[0]) if f"than {COMPANY}" in masked else (named[0], *others[:1])
    if len(named) > 1 or (len(group) < 2 and (talk.about or talk.ever)):
        return None
    in_order = sorted(group, key=(*talk.ever, *group).index)
    some = {"all": _joined(in_order, "and") or "all companies", "any": _joined(in_order, "or")}
    is_pair = len(group) == 2 or (len(group) > 2 and group not in (talk.about, talk.ever))  # the last two
    pair = {"one": group[0], "other": group[1]} if is_pair else {}
    known = {"measure": talk.measure, "bare": talk.bare, "full": talk.text.rstrip("?. ")}
    words = {**pair, **some, **{name: said for name, said in known.items() if said and talk.measure}, "time": talk.time}
    for way, said in spoken().turns:
        if (found := way.fullmatch(masked.strip())) is None:
            continue
        apart = bool(found.groupdict("").get("gap"))
        if apart and not any(spoken().cues[cue].search(talk.text.lower()) for cue in ("difference", "gap")):
            continue
        if found.groupdict("").get("earned") and not spoken().follow["earned"].search(talk.measure):
            continue
        try:
            return re.sub(r"\W+\?$", "?", said.format(**words, **found.groupdict("")))
        except KeyError:
            return None
    return None


def _changed(text: str, talk: Talk, mentions: Mentions, read: Callable[[str], Read]) -> str | None:
    """`And Acme?`, `same for 2022`, `and by net income?`, `and the lowest?`: the question before with that in place of
    what it said of that kind; None for what says anything else."""
    follow, masked = spoken().follow, _masked(text, mentions)
    lead = follow["lead"].match(masked)
    assert lead is not None
    rest = follow["tail"].sub("", masked[lead.end() :])
    if (made := _by_word(rest.strip(), talk, mentions)) is not None:
        return made[0]
    whole = follow["as a share"].match(rest)
    measures = [(each.start, each.end) for each in find_measures(rest)]
    measure = rest[measures[0][0] : measures[-1][1]] if measures else ""
    year = YEAR.findall(talk.time)[-1:]
    if (before := follow["the year before"].search(rest)) is not None and not year:
        is_all = follow["fill"].fullmatch(rest.replace(before[0], " "))
        return f"{talk.text.rstrip('?. ')} the year before?" if is_all and talk.about else None
    rest = rest if before is None else rest.replace(before[0], str(int(year[0]) - 1))
    if (all_year := follow["whole year"].search(rest)) is not None and year:
        rest = rest.replace(all_year[0], f"{WHOLE} {year[0]}")
    span = _span_of_time(rest)
    time = rest[slice(*span)] if span is not None else ""
    time = f"{WHOLE} {time}" if WHOLE in rest and time else time
    left = rest[whole.end() :] if whole else rest
    for said in filter(None, (measure, time)):
        left = left.replace(said, " ", 1)
    time = time if not time or YEAR.search(time) else " ".join((time, *year))
    names = tuple(dict.fromkeys(key for key, _, _ in mentions(text)))
    if names and not (measure or time) and talk.measure and talk.about and follow["beside"].search(lead[0]):
        said = "combined " if spoken().cues["sum"].search(talk.text) else ""
        return talk.of(tuple(dict.fromkeys((*talk.about, *names))), said + talk.measure)
    pronoun = follow["of them"].search(left) is not None
    if not (names or measure or time):
        return _of_part(rest.split(), talk, read(rest))
    if not follow["fill"].fullmatch(left):
        return None
    when = f" in {time}" if time else ""
    if measure and (pronoun or names):
        their = talk.about if follow["of it"].search(left) else sorted(talk.group(left), key=talk.ever.index)
        companies = names or their
        is_said = bool(lead[0].strip()) or pronoun
        return talk.of(companies, measure, when) if is_said and companies and not whole else None
    if pronoun and not (time and len(talk.about) > 1):
        return None
    return _in_place(talk, names, f"{talk.bare} as a percentage of {measure}" if whole else measure, time, mentions)


def _by_word(rest: str, talk: Talk, mentions: Mentions) -> tuple[str | None] | None:
    """`The lowest?`, `above 30 billion?`, `per employee?`, `margin?`: the question before with that word, which may be
    none; None for a question that is no such word."""
    follow = spoken().follow
    for kind in ("extreme", "bound"):
        if follow[kind].fullmatch(rest) and (old := follow[kind].search(talk.text)) is not None:
            return (f"{talk.text[: old.start()]}{rest}{talk.text[old.end() :]}",)
    if follow["per"].fullmatch(rest):
        return (_in_place(talk, (), f"{talk.bare} {rest}", "", mentions),)
    if follow["margin"].fullmatch(rest) and all(each.name != "revenue" for each in find_measures(talk.bare)):
        return (_in_place(talk, (), f"{talk.bare} as a percentage of revenue", "", mentions),)
    return None


def _of_part(words: Sequence[str], talk: Talk, asked: Read) -> str | None:
    """`And lamps?`: the same of a part, where nothing else accounts for its words."""
    is_part = 0 < len(words) < MOST_OF_PART and {*map(singular, words)} <= asked.open and not asked.rate
    return (
        talk.of(talk.about, f"{' '.join(words)} {talk.bare}")
        if is_part and talk.bare and len(talk.about) == 1
        else None
    )


def _in_place(talk: Talk, names: Sequence[str], measure: str, time: str, mentions: Mentions) -> str | None:
    """The question before with other companies, another measure or another time; of one company that is asked for
    after a comparison, the measure itself."""
    text = talk.text
    if names:
        if len(talk.about) != 1 or len(names) > 1:
            spans = [(start, end) for _, start, end in mentions(text)]
            is_list = all(spoken().follow["listed"].fullmatch(text[one[1] : two[0]]) for one, two in pairwise(spans))
            if talk.measure or not (talk.about and is_list):
                return talk.of(names, "", f" in {time}" if time else "") if talk.measure else None
            return f"{text[: spans[0][0]]}{_joined(names, 'and')}{text[spans[-1][1] :]}"
        for _, start, end in sorted(mentions(text), key=lambda each: -each[1]):
            owns = re.search(r"['’]s?$", text[start:end])
            text = f"{text[:start]}{names[0]}{owns[0] if owns else ''}{text[end:]}"
    if measure:
        if not talk.measure or talk.bare.lower() not in text.lower() or (talk.bare != talk.measure and talk.about[:1]):
            return None
        if text.lower().count(talk.bare.lower()) > 1:
            return talk.of(talk.about, measure, f" in {time}" if time else "") if talk.about else None
        at = text.lower().find(talk.bare.lower())
        text = f"{text[:at]}{measure}{spoken().follow['spent'].sub('', text[at + len(talk.bare) :], count=1)}"
    if time:
        is_part = spoken().follow["part of a year"].search(time) is not None or WHOLE in time
        if (span := _span_of_time(text) if is_part else _span_of_years(text)) is None:
            return f"{text.rstrip('?. ')} in {time}?"
        said = text[slice(*span)]
        if YEAR.search(said) is None or not spoken().follow["a time"].fullmatch(said.lower()):
            return None
        text = f"{text[: span[0]]}{time}{text[span[1] :]}"
    return text


def _masked(text: str, mentions: Mentions) -> str:
    """A text in lower case with a sign in place of the names of companies."""
    for _, start, end in sorted(mentions(text), key=lambda each: -each[1]):
        text = f"{text[:start]}{COMPANY}{text[end:]}"
    return re.sub(rf"{COMPANY}['’]s?(?!\w)", COMPANY, text).lower()


def _joined(names: Sequence[str], word: str) -> str:
    """Names in a list: `A, B and C`."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def companies_of(turns: Turns) -> tuple[str, ...]:
    """The companies that the last of these questions is about: those that it names, else those of the one before it;
    of several (`their debt`, `which one has more?`), those that one question after the other has named."""
    about: tuple[str, ...] = ()
    alone: list[str] = []
    for text, named in turns:
        if named:
            about = named
            alone = [*alone, *named] if len(named) == 1 else []
        elif len(set(alone)) > 1 and spoken().cues["several"].search(text.lower()):
            about = tuple(dict.fromkeys(alone))
    return about


def names_beside(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """What is written as a name beside the names at these places, as in a list of them: `Acme` of `Zeph and Acme`."""
    joined = spoken().cues["joined"].pattern
    for start, end in spans:
        behind = re.match(rf"{joined}{_NAME}", text[end:])
        before = re.search(rf"{_NAME}{joined}$", text[:start])
        yield from (match[1].strip() for match in (behind, before) if match)


def possessors(text: str) -> Iterator[str]:
    """Whose something is, by name: `Acme` of `Acme's revenue`, of `revenue of Acme` and of `and Acme?`."""
    for way in (_POSSESSIVE, _BEHIND):
        yield from (match[1].strip() for match in way.finditer(text))
