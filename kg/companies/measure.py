"""A measure as people write it: a line item, a metric, or an expression of them, read into one formula.

>>> read_measure("net debt / EBITDA").formula
Apply(operation='divide', operands=(Operand(name='net_debt', back=0), Operand(name='ebitda', back=0)))
>>> read_measure("revenue growth").unit
'percent'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from tieout.data.printed.pattern import later
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.formula import Apply, Formula, Operand, operands
from tieout.ontology.metrics.line_item import find_line_item, line_items
from tieout.ontology.metrics.metric import find_metric, metrics

_TOKEN = later(
    r"\s*(?:(?P<sign>[()*+/]|[-−](?=\s))|(?P<number>\d+(?:\.\d+)?)(?=\s*(?:[()*+/]|[-−]\s|$))|(?P<words>[^()*+/]+?)(?=\s+[-−]\s|\s*[()*+/]|\s*$))"
)
_OPEN = later(r"^[+*/)]|[-−+*/(]$")  # what no measure begins or ends with
# A number is added, taken away, multiplied or divided: that is no name, whatever stands in brackets in it.
_CALCULATES = later(r"(?:[+*/]|\s[-−]\s)[\s(]*\d|\d[\s)]*(?:[+*/]|\s[-−]\s)")
_SIGNS = {"+": "add", "-": "subtract", "−": "subtract", "*": "multiply", "/": "divide"}
_GROWTH = later(
    r"^(?P<of>.+?) (?:growth(?: rate)?|% change|percent(?:age)? change)$"
    r"|^(?:growth|percent(?:age)? change) (?:of|in) (?P<in>.+)$",
    re.I,
)
_CHANGE = later(r"^(?:absolute )?change (?:of|in) (?P<in>.+)$|^(?P<of>.+?) change$", re.I)
_SHARE = later(r"^(?P<part>.+?) (?:as (?:a )?(?:percentage|percent|share|%) of|to|over) (?P<whole>.+)$", re.I)
_PER = later(r"^(?P<of>.+?) per (?P<per>(?:diluted )?share|employee)$", re.I)
_MARGIN = later(r"^(?P<of>.+?) margin$", re.I)
MOST_BACK = 5  # periods
LONGEST, MOST_PARTS = 1_000, 100  # characters of a measure; its names, numbers and signs
PER = {"share": "shares_diluted", "diluted share": "shares_diluted", "employee": "employees"}


class MeasureError(ValueError):
    """Words that name no measure; the message names the nearest."""


@dataclass(frozen=True)
class Measure:
    """A measure. said: as it was asked for. unit: `percent`, `ratio`, `days`, `per share` or `money` where the formula
    says so, "" where its parts do."""

    said: str
    formula: Formula
    unit: str = ""

    @property
    def items(self) -> frozenset[str]:
        """The line items that may be needed, those of which metrics are made too."""
        return frozenset(name for name in self._reach if name in line_items())

    @property
    def back(self) -> int:
        """How many periods earlier the earliest of its parts may be: 1 of growth; MOST_BACK where it is more."""
        return max(self._reach.values(), default=0)

    @cached_property
    def _reach(self) -> Mapping[str, int]:
        """All line items and metrics that it may need, with how many periods earlier."""
        found: dict[str, int] = {}
        waiting = [(each.name, -each.back) for each in operands(self.formula)]
        while waiting:
            name, back = waiting.pop()
            back = min(back, MOST_BACK)
            if found.get(name, -1) >= back:
                continue
            found[name] = back
            if name in metrics():
                trees = (metrics()[name].formula, *metrics()[name].rather)
                waiting += [(each.name, back - each.back) for tree in trees for each in operands(tree)]
        return found


def read_measure(text: str) -> Measure:
    """The measure that words or an expression name. Raises MeasureError."""
    said = " ".join(text.split())
    if len(said) > LONGEST:
        raise MeasureError(f"a measure has at most {LONGEST} characters, and this one {len(said):,}: {said[:60]!r} ...")
    if not _CALCULATES.search(said) and (single := _single(said)) is not None:
        return Measure(said, *single)
    tokens = list(_tokens(said))
    if len(tokens) < 2:
        raise MeasureError(_unknown(said))
    if len(tokens) > MOST_PARTS:
        raise MeasureError(f"an expression of measures has at most {MOST_PARTS} parts, and this one {len(tokens)}")
    formula, rest = _sum(tokens)
    if rest:
        raise MeasureError(f"{said!r} is no expression of measures: nothing is expected at {rest[0][1]!r}")
    return Measure(said, formula)


def _tokens(said: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(said):
        found = _TOKEN.match(said, at)
        if found is None or found.end() == at:
            raise MeasureError(f"{said!r} is no expression of measures: it cannot be read at {said[at:]!r}")
        kind = str(found.lastgroup)
        yield kind, found[kind].strip()
        at = found.end()


_Tokens = list[tuple[str, str]]


def _sum(tokens: _Tokens) -> tuple[Formula, _Tokens]:
    return _chain(tokens, ("+", "-", "−"), lambda left: _chain(left, ("*", "/"), _atom))


def _chain(
    tokens: _Tokens, signs: tuple[str, ...], part: Callable[[_Tokens], tuple[Formula, _Tokens]]
) -> tuple[Formula, _Tokens]:
    formula, rest = part(tokens)
    while rest and rest[0][0] == "sign" and rest[0][1] in signs:
        operation = _SIGNS[rest[0][1]]
        right, rest = part(rest[1:])
        formula = Apply(operation, (formula, right))
    return formula, rest


def _atom(tokens: _Tokens) -> tuple[Formula, _Tokens]:
    match tokens[0] if tokens else ("", ""):
        case ("number", number):
            return Decimal(number), tokens[1:]
        case ("sign", "("):
            inside, rest = _sum(tokens[1:])
            if not rest or rest[0] != ("sign", ")"):
                raise MeasureError("an expression of measures lacks a closing bracket")
            return inside, rest[1:]
        case ("words", words):
            found = _single(words)
            if found is None:
                raise MeasureError(_unknown(words))
            return found[0], tokens[1:]
    raise MeasureError("an expression of measures ends where a measure is expected")


def _single(words: str) -> tuple[Formula, str] | None:
    """The formula and unit of words without signs; None where they name nothing."""
    if _OPEN.search(words):
        return None
    if (name := name_of(words)) is not None:
        unit = metrics()[name].unit if name in metrics() and name not in line_items() else _unit_of_item(name)
        return Operand(name), unit
    if found := _GROWTH.match(words):
        return _with_earlier(found["of"] or found["in"], "growth")
    if found := _CHANGE.match(words):
        return _with_earlier(found["of"] or found["in"], "change")
    if found := _SHARE.match(words):
        part, whole = _single(found["part"]), _single(found["whole"])
        is_share = re.search(r"percent|share of|%", words) is not None
        return part and whole and (Apply("divide", (part[0], whole[0])), "percent" if is_share else "ratio")
    if found := _PER.match(words):
        of = _single(found["of"])
        return of and (Apply("divide", (of[0], Operand(PER[found["per"].lower()]))), "")
    if (found := _MARGIN.match(words)) and (of := _single(found["of"])):
        return Apply("divide", (of[0], Operand("revenue"))), "percent"
    return None


def name_of(words: str) -> str | None:
    """The name of the line item or metric that words name: as an analyst means it, `gross margin` is a rate."""
    metric, item = find_metric(words), find_line_item(words, is_asked=True)
    names = (words, normalise(words).replace(" ", "_"), "_".join(words.lower().split()))
    if names[-1] in line_items():
        return names[-1]  # `treasury shares` counts them, whatever statements call their cost
    if metric and (item is None or normalise(item.labels[0]) != normalise(words)):
        return metric.name
    if item:
        return item.name
    return next((each for each in names if each in line_items() or each in metrics()), None)


def _unit_of_item(name: str) -> str:
    return "percent" if name in line_items() and line_items()[name].unit == "percent" else ""


def _with_earlier(words: str, kind: str) -> tuple[Formula, str] | None:
    of = _single(words)
    if of is None or not isinstance(of[0], Operand):
        return None
    name = of[0].name
    difference = Apply("subtract", (Operand(name), Operand(name, -1)))
    if kind == "change":
        return difference, of[1]
    return Apply("divide", (difference, Apply("magnitude", (Operand(name, -1),)))), "percent"


def _unknown(words: str) -> str:
    from rapidfuzz import fuzz, process

    known = [name.replace("_", " ") for name in dict.fromkeys((*line_items(), *metrics()))]
    near = [name for name, _, _ in process.extract(words, known, scorer=fuzz.ratio, limit=3, score_cutoff=60)]
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "docs/companies.md says what there is"
    return f"no measure is called {words!r}; {hint}"
