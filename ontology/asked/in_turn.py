"""Talk about companies: whom a question is about that names none, and how it holds those of the questions before it
against each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tieout.ontology.asked.spoken import spoken

_NAME = r"((?:[A-Z][\w&.-]*\s?)+)"
_POSSESSIVE = re.compile(rf"\b{_NAME}(?:['’]s\b|(?<=s)['’](?!\w))")
Turns = Sequence[tuple[str, tuple[str, ...]]]  # questions, each with the companies that it names


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


def held_against(text: str, turns: Turns, measures: Sequence[str], years: Sequence[int]) -> str | None:
    """`How much bigger is that?`, asked behind one company and another, as a question that names both; None for one
    that asks something else. turns: those before it. measures, years: what the last of them asks for."""
    last = next((each for _, each in reversed(turns) if each), ())
    named = [*reversed(last)] if len(last) == 2 else [each[0] for _, each in turns if len(each) == 1]
    if len(named) < 2 or named[-1] == named[-2] or len(measures) != 1:
        return None
    time = f" in {years[-1]}" if years else ""
    words = {"one": named[-1], "other": named[-2], "measure": measures[0], "time": time}
    for way, said in spoken().turns:
        if (found := way.fullmatch(text.strip())) is not None:
            return said.format(**words, **found.groupdict())
    return None


def names_beside(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """What is written as a name beside the names at these places, as in a list of them: `Acme` of `Zeph and Acme`."""
    joined = spoken().cues["joined"].pattern
    for start, end in spans:
        behind = re.match(rf"{joined}{_NAME}", text[end:])
        before = re.search(rf"{_NAME}{joined}$", text[:start])
        yield from (match[1].strip() for match in (behind, before) if match)


def possessors(text: str) -> Iterator[str]:
    """Whose something is, by name: `Acme` of `Acme's revenue`."""
    yield from (match[1].strip() for match in _POSSESSIVE.finditer(text))
