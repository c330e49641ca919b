"""Holds a graph against its document and its shapes: is every printed number in it, and is it formed as it should
be?"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.data.document import Document
from tieout.data.printed.pattern import later
from tieout.kg.fact import Fact, FactKind
from tieout.kg.store.graph import Graph
from tieout.kg.sums import find_sums

if TYPE_CHECKING:
    import rdflib

SHAPES = Path(__file__).with_name("shapes.ttl")

# The count is made without the parsers that build the graph, and is meant to be plain: every run of digits that could
# be a number.
_TOKEN = later(r"(?:\d(?:[\d,]*\d)?(?:\.\d+)?|\.\d+)(?:e[+-]?\d+(?![\da-z]))?", re.IGNORECASE)
_SPELLED = later(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred)"
    r"(?:[ -](?:thousand|million|billion|percent|years?|months?|days?))\b|\b(?:one|two|three)-(?:thirds?|half|"
    r"quarters?|fourths?|fifths?)\b",
    re.IGNORECASE,
)
# How they end: looked for first, as it is quick.
_MAY_BE_SPELLED = tuple("thousand million billion percent year month day third half quarter fourth fifth".split())
# What digits are no amount, by rule, each with its name.
_NOT_AMOUNTS = (
    (
        "code of a glyph",
        re.compile(
            r"(?<![\d.,])(?:2122|20(?:1[34]|19|1[89cd]|22|26|30|ac))(?![\d,]*\d)|(?<![a-z0-9])a[0-9](?=[ $\d]|$)"
        ),
    ),
    (
        "too long for an amount",
        re.compile(r"\d{41,}|[\d.,]+e[+-]?0*(?:3[1-9]|[4-9]\d|[1-9]\d\d+)(?![\da-z])", re.IGNORECASE),
    ),
    ("footnote mark", re.compile(r"[(\[] ?\d{1,2} ?[)\]]|(?<=[a-z)])\d(?![\d.%])")),
    ("part of a word", re.compile(r"[a-z]+[-/&.]?\d[\d.]*[a-z]*|\d+[-/&]?[a-z]+\w*", re.IGNORECASE)),
    ("digits of another script", re.compile(r"[\d.,]*[^\D0-9][\d.,]*")),
    (
        "scale of a column",
        re.compile(
            r"\( ?000s? ?\)|(?:[$£€¥(] ?|\bin |\b[a-z]{2,3} ?(?=['‘’]))['‘’]?000['’]?s?\b(?![.,-]?\d)", re.IGNORECASE
        ),
    ),
    ("length of a period", re.compile(r"\b(?:three|six|nine|twelve)[ -]months? (?:ended|ending)\b", re.IGNORECASE)),
)


LONGEST_NUMBER = 100  # characters: 40 digits with commas, a point and an exponent have fewer


@dataclass(frozen=True, slots=True)
class Number:
    """A number as printed. place: `table 1, row 2, column 3` or `paragraph 4`; rule: why it is no amount, "" where
    it should be one."""

    place: str
    text: str
    around: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Loss:
    """What a document prints and its graph holds. found: numbers inside the span of a fact."""

    found: int
    missing: tuple[Number, ...]
    not_amounts: tuple[Number, ...]
    wrong: tuple[str, ...]  # facts whose raw text is not what is printed at their place
    furniture: int = 0  # of those found, page numbers and the like, which measure nothing


def _places(document: Document) -> Iterator[tuple[tuple[int, ...], str]]:
    """Every printed text with its place: table, row and column, or paragraph."""
    for number, table in enumerate(document.tables, start=1):
        repeated = set(table.repeated)
        for row, cells in enumerate(table.rows):
            for column, text in enumerate(cells):
                if (row, column) not in repeated:
                    yield (number, row, column), text
    for number, text in enumerate(document.paragraphs):
        yield (number,), text


def _in_words(place: tuple[int, ...]) -> str:
    return "table {}, row {}, column {}".format(*place) if len(place) > 1 else f"paragraph {place[0]}"


def _numbers(text: str) -> Iterator[re.Match[str]]:
    """The numbers of a text, first those in digits."""
    yield from _TOKEN.finditer(text)
    lower = text.lower()
    if any(word in lower for word in _MAY_BE_SPELLED):
        yield from _SPELLED.finditer(text)


def _key(fact: Fact) -> tuple[int, ...]:
    if fact.table is None:
        return (fact.paragraph or 0,)
    return (fact.table, fact.row or 0, fact.column or 0)


def find_loss(document: Document, facts: Iterable[Fact]) -> Loss:
    """Counts the numbers printed in a document, and looks for each of them in the spans of the facts. Linear."""
    spans: dict[tuple[int, ...], list[Fact]] = {}
    for fact in facts:
        if fact.kind is not FactKind.STATED:
            spans.setdefault(_key(fact), []).append(fact)
    missing: list[Number] = []
    not_amounts: list[Number] = []
    wrong: list[str] = []
    furniture = set(document.furniture)
    found = on_page = 0
    for place, text in _places(document):
        here = spans.pop(place, [])
        wrong += [
            f"{fact.name}: {fact.raw!r} is not at {_in_words(place)}"
            for fact in here
            if text[fact.start : fact.end] != fact.raw
        ]
        covered = _covered(here)
        for match in _numbers(text):
            if _is_in(covered, *match.span()):
                found += 1
                on_page += len(place) == 1 and place[0] in furniture
                continue
            rule = _rule(text, *match.span())
            around = text[max(0, match.start() - 30) : match.end() + 30]
            (not_amounts if rule else missing).append(Number(_in_words(place), match[0], around, rule))
    wrong += [f"{fact.name}: there is no such place" for left in spans.values() for fact in left]
    return Loss(found, tuple(missing), tuple(not_amounts), tuple(wrong), on_page)


def _covered(facts: Iterable[Fact]) -> list[tuple[int, int]]:
    """The spans of facts, in order, those that overlap run together."""
    found: list[tuple[int, int]] = []
    for start, end in sorted((fact.start, fact.end) for fact in facts):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _is_in(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether any of the spans overlaps from start to end."""
    at = bisect_left(spans, (end, 0)) - 1
    return at >= 0 and spans[at][1] > start


def _rule(text: str, start: int, end: int) -> str:
    if end - start > LONGEST_NUMBER:  # the patterns below would go through it once for each of its digits
        return "too long for an amount"
    low = max(0, start - 24)
    for name, pattern in _NOT_AMOUNTS:
        for match in pattern.finditer(text, low, end + 24):
            if match.start() <= start and end <= match.end():
                return name
    return ""


class CheckError(RuntimeError):
    """Graphs cannot be held against the shapes: pyshacl is not installed."""


@cache
def _shapes() -> rdflib.Graph:
    import rdflib

    return rdflib.Graph().parse(SHAPES, format="turtle")


def find_violations(graph: Graph) -> tuple[str, ...]:
    """What in a graph breaks the shapes, one line each.

    Needs pyshacl, the extra `check`; raises CheckError without it.
    """
    try:
        import pyshacl
        import rdflib
    except ModuleNotFoundError as error:
        raise CheckError(f"shapes need {error.name}: pip install 'tieout[check]', or --no-shapes") from error

    data = rdflib.Graph().parse(data=graph.triples, format="nt")
    conforms, report, _ = pyshacl.validate(data, shacl_graph=_shapes(), advanced=False, inference="none")
    if conforms:
        return ()
    shacl = rdflib.Namespace("http://www.w3.org/ns/shacl#")
    lines = []
    for result in report.subjects(rdflib.RDF.type, shacl.ValidationResult):
        parts = [report.value(result, shacl[name]) for name in ("focusNode", "resultPath", "value", "resultMessage")]
        lines.append(" ".join(str(part) for part in parts if part is not None))
    return tuple(sorted(lines))


def difference(fact: Fact) -> str:
    """How the tag on a fact differs from what print says, in one line."""
    own = fact.reading
    assert own is not None
    said = [f"{fact.name} {fact.raw!r} {fact.label!r}:"]
    if own.unit and own.unit != fact.unit:
        said.append(f"unit {own.unit} is {fact.unit} by its tag;")
    if own.scale != fact.scale:
        said.append(f"scale {own.scale:,} is {fact.scale:,};")
    if own.period and (fact.period is None or own.period != fact.period.key):
        said.append(f"period {own.period} is {fact.period.key if fact.period else '?'};")
    said += [f"{doubt};" for doubt in fact.doubts]
    return " ".join(said).rstrip(";:")


@dataclass(slots=True)
class Checked:
    """What the checks of many documents found.

    violations: None when graphs are not to be held against the shapes. furniture: numbers of pages that measure
    nothing. proven: how many were held against a second reading of their file; lost: what that has and the document
    has not. differences: where tag and print differ, for the reader to judge. unread: what of a file could not be
    read, in words; unseen: the texts with digits in files that a person does not see; uncalculated: cells whose
    formulas have no results, so that what they would show is missing. sums: how many totals, balances and bridges
    hold; unsummed: those that do not, misread or printed so.
    """

    documents: int = 0
    found: int = 0
    missing: list[tuple[str, Number]] = field(default_factory=list)
    rules: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    violations: list[tuple[str, str]] | None = field(default_factory=list)
    furniture: int = 0
    lost: list[tuple[str, str, str]] = field(default_factory=list)
    proven: int = 0
    differences: list[tuple[str, str]] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    unseen: list[tuple[str, str]] = field(default_factory=list)
    uncalculated: list[tuple[str, str]] = field(default_factory=list)
    sums: int = 0
    unsummed: list[tuple[str, str]] = field(default_factory=list)

    @property
    def fine(self) -> bool:
        return not (self.missing or self.wrong or self.violations or self.lost or self.uncalculated)

    def prove(self, document: Document, text: str) -> None:
        """Holds a document against the text of its file as a second reader sees it."""
        from tieout.kg.proof import lost_numbers  # of no use to whoever only counts

        self.proven += 1
        self.lost += [(document.id, number, around) for number, around in lost_numbers(text, document)]

    def add(self, document: Document, graph: Graph) -> None:
        """Checks one document and its graph."""
        facts = graph.facts()
        loss = find_loss(document, facts)
        self.documents += 1
        self.unread += [(document.id, what) for what in document.unread]
        self.unseen += [(document.id, text) for text in document.unseen]
        self.uncalculated += [(document.id, place) for place in document.uncalculated]
        self.furniture += loss.furniture
        self.differences += [(document.id, difference(fact)) for fact in facts if fact.reading]
        self.found += loss.found
        self.missing += [(document.id, number) for number in loss.missing]
        self.rules.update(number.rule for number in loss.not_amounts)
        self.wrong += [(document.id, line) for line in loss.wrong]
        for each in find_sums(facts):
            self.sums += each.holds
            if not each.holds:
                self.unsummed.append((document.id, str(each)))
        if self.violations is not None:
            self.violations += [(document.id, line) for line in find_violations(graph)]

    def summary(self) -> dict[str, Any]:
        """All of it as plain values, for JSON."""
        return {
            "documents": self.documents,
            "numbers": self.found + len(self.missing),
            "found": self.found,
            "missing": [{"document": name, "place": each.place, "text": each.text} for name, each in self.missing],
            "not_amounts": dict(sorted(self.rules.items())),
            "furniture": self.furniture,
            "wrong": [{"document": name, "fact": line} for name, line in self.wrong],
            "lost": [{"document": name, "text": text, "around": around} for name, text, around in self.lost],
            "unread": [{"document": name, "what": what} for name, what in self.unread],
            "unseen": [{"document": name, "text": text} for name, text in self.unseen],
            "uncalculated": [{"document": name, "place": place} for name, place in self.uncalculated],
            "sums": self.sums,
            "unsummed": [{"document": name, "sum": line} for name, line in self.unsummed],
            "differences": [{"document": name, "fact": line} for name, line in self.differences],
            "violations": None
            if self.violations is None
            else [{"document": name, "violation": line} for name, line in self.violations],
        }
