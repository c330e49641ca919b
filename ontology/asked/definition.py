"""What a question says itself that a term in it means, read as a formula.

>>> read_definitions("DPO in FY2017? DPO is defined as 365 * average payables between FY2016 and FY2017 / COGS.")
{'days_payable': Apply(operation='divide', operands=(Apply(operation='multiply', operands=(Decimal('365'), \
Apply(operation='average', operands=(Operand(name='payables', back=0), Operand(name='payables', back=-1))))), \
Operand(name='cost_of_revenue', back=0)))}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from tieout.data.printed.pattern import later
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.when import years_in
from tieout.ontology.asked.wish import without_where
from tieout.ontology.metrics.formula import Apply, Formula, Operand, before, operands
from tieout.ontology.metrics.metric import metrics

_END = later(r"[.?!;](?:\s|$)|$")
_PART = later(r"(?P<sign>[()])|(?P<number>\d[\d,]*(?:\.\d+)?)(?P<percent> ?%)?|(?P<word>[^\s()]+)")
_PLAIN = later(r"[a-z]{3,}")  # what may be a word that nothing is known of
_SIGN = later(r"[/÷×*+=]")
FIRST, SECOND = ("add", "subtract"), ("multiply", "divide")  # as they bind


class _NoCalculationError(ValueError):
    """What is said of a term is no calculation with measures that are known."""


class _Token(NamedTuple):
    """kind: `(`, `)`, `value`, the name of an operation, or `` for a word between measures."""

    kind: str
    value: Formula | None = None
    text: str = ""


@lru_cache(maxsize=256)
def read_definitions(question: str) -> Mapping[str, Formula]:
    """The formulas of the measures that a question defines, by their names, seen from the latest year that it names;
    none of what is no calculation with known measures. One definition may be of terms that another one defines."""
    lower = question.lower()
    years, found = years_in(lower), dict[str, Formula]()
    for match in language().forms["a definition"].finditer(lower):
        term = find_measures(match["defined"] or match["term"])
        end = _END.search(lower, match.end())
        if len(term) != 1 or end is None:
            continue
        made = read_calculation(without_where(lower[match.end() : end.start()]), max(years, default=0))
        if made is not None and term[0].name not in {each.name for each in operands(made)}:
            found[term[0].name] = as_rate(term[0].name, made)
    others = {name: {each: found[each] for each in found if each != name} for name in found}
    return {name: with_definitions(made, others[name]) for name, made in found.items()}


def read_calculation(text: str, year: int) -> Formula | None:
    """The formula of a calculation that is told in measures, in lower case, seen from a year, 0 for none; None for what
    is no calculation with known measures."""
    try:
        return _Reader(text, year).formula()
    except _NoCalculationError:
        return None


def read_own(name: str, text: str, year: int) -> Formula | None:
    """What a question spells out for a metric, in lower case, where that is another calculation than the metric is: of
    other parts, of fewer, of a total that it calls so, or of an average where the metric has none. None for the same,
    and for no calculation."""
    made, formula = read_calculation(text, year), metrics()[name].formula
    own = {each.name for each in operands(made)} if made is not None else set[str]()
    if made is None or name in own or len(own) < 2:
        return None
    needed = {each.name for each in operands(_without_optional(formula))}
    is_mean = any(each.back for each in operands(made)) and not any(each.back for each in operands(formula))
    is_less = any(own.isdisjoint(_leaves(Operand(each)) | {each}) for each in needed)
    is_other = is_less or not own <= _leaves(formula) | {each.name for each in operands(formula)}
    is_total = needed == own and any(each.said.startswith("total ") for each in find_measures(text))
    return as_rate(name, made) if is_mean or is_total or is_other else None


def _without_optional(formula: Formula) -> Formula:
    if not isinstance(formula, Apply):
        return formula
    parts = (each for each in formula.operands if not isinstance(each, Apply) or each.operation != "optional")
    return Apply(formula.operation, tuple(map(_without_optional, parts)))


def _leaves(formula: Formula) -> frozenset[str]:
    """The line items that a formula is made of, those of its metrics too."""
    found = (each.name for each in operands(formula))
    return frozenset(
        chain.from_iterable(_leaves(metrics()[name].formula) if name in metrics() else (name,) for name in found)
    )


def with_definitions(formula: Formula, defined: Mapping[str, Formula]) -> Formula:
    """A formula with what is defined in place of the names of it, and metrics that are made of it written out."""
    match formula:
        case Operand(name=name, back=back) if name in defined:
            return before(defined[name], -back)
        case Operand(name=name, back=back) if name in metrics():
            made = with_definitions(metrics()[name].formula, defined)
            return formula if made == metrics()[name].formula else before(as_rate(name, made), -back)
        case Apply(operation=operation, operands=parts):
            return Apply(operation, tuple(with_definitions(part, defined) for part in parts))
    return formula


def as_rate(name: str, made: Formula) -> Formula:
    """What a metric comes to, in percent where people say it so."""
    is_rate = name in metrics() and metrics()[name].unit == "percent"
    if is_rate and isinstance(made, Apply) and made.operation == "divide":
        return Apply("percentage", made.operands)
    return made


def _is_amount(made: Formula) -> bool:
    """Whether a formula comes to an amount of money, to which nothing is added that is divided by another."""
    if isinstance(made, Apply):
        return made.operation != "divide" and any(map(_is_amount, made.operands))
    return isinstance(made, Operand) and (made.name not in metrics() or metrics()[made.name].unit == "money")


class _Reader:
    """Reads one calculation. text: in lower case; year: from which it is seen, 0 for none."""

    def __init__(self, text: str, year: int) -> None:
        self.year = year
        self.tokens = [*self._tokens(text)]
        self.at = 0

    def formula(self) -> Formula:
        made = self._of(FIRST)
        if self.at < len(self.tokens):
            raise _NoCalculationError
        return made

    def _of(self, operations: tuple[str, ...]) -> Formula:
        """What is joined by these operations, from the left; each part by those that bind more."""
        made = self._of(SECOND) if operations == FIRST else self._part()
        while self.at < len(self.tokens) and self.tokens[self.at].kind in operations:
            operation = self.tokens[self.at].kind
            self.at += 1
            right = self._of(SECOND) if operations == FIRST else self._part()  # `net income plus interest over assets`
            parts = (made, *right.operands) if isinstance(right, Apply) and right.operation == "divide" else ()
            if operations == FIRST and isinstance(right, Apply) and parts and all(map(_is_amount, parts)):
                made = Apply("divide", (Apply(operation, (made, right.operands[0])), right.operands[1]))
            else:
                made = Apply(operation, (made, right))
        return made

    def _part(self) -> Formula:
        """A number, a measure with the words around it that say of when it is, or what stands in brackets."""
        said = self._words()
        token = self.tokens[self.at] if self.at < len(self.tokens) else _Token(")")
        self.at += 1
        if token.kind == "(":
            made = self._of(FIRST)
            if self.at >= len(self.tokens) or self.tokens[self.at].kind != ")":
                raise _NoCalculationError
            self.at += 1
        elif token.value is not None:
            made = token.value
        else:
            raise _NoCalculationError
        return self._dated(made, f"{said} {self._words()}")

    def _words(self) -> str:
        begun = self.at
        while self.at < len(self.tokens) and not self.tokens[self.at].kind:
            self.at += 1
        return " ".join(token.text for token in self.tokens[begun : self.at])

    def _dated(self, made: Formula, said: str) -> Formula:
        """A part in the years that are said of it: their average, the change between them, or the one year."""
        known, years = language(), sorted(years_in(said))
        is_mean, is_moved, is_opening = (known.cues[cue].search(said) for cue in ("average", "change", "opening"))
        left = said
        for cue in ("average", "change", "opening", "closing"):
            left = known.cues[cue].sub(" ", left)
        if _SIGN.search(left):
            raise _NoCalculationError
        told = (known.words[kind] for kind in ("function", "asking", "of time", "of a definition"))
        if not frozenset().union(*told).issuperset(_PLAIN.findall(left)) or (is_mean and is_moved):
            raise _NoCalculationError
        if years and (not self.year or years[0] > self.year):
            raise _NoCalculationError
        last = self.year - years[-1] if years else 0
        first = self.year - years[0] if len(years) > 1 else last + 1
        if is_mean:
            return Apply("average", tuple(before(made, back) for back in range(last, first + 1)))
        if is_moved:
            return Apply("subtract", (before(made, last), before(made, first)))
        if len(years) > 1:
            raise _NoCalculationError
        return before(made, last + (is_opening is not None and not years))

    def _tokens(self, text: str) -> Iterator[_Token]:
        at = 0
        for named in find_measures(text):
            yield from self._between(text[at : named.start])
            moved = language().cues["change"].match(named.said)  # `change in inventory`, which a statement has too
            if moved is not None and len(balance := find_measures(named.said[moved.end() :])) == 1:
                yield _Token("", None, moved[0])
                named = replace(balance[0], end=named.end)
            yield _Token("value", Operand(named.name))
            at = named.end
        yield from self._between(text[at:])

    @staticmethod
    def _between(text: str) -> Iterator[_Token]:
        """What stands between two measures: signs, numbers, operations in signs or words, and other words."""
        at = 0
        while (match := _PART.search(text, at)) is not None:
            joined = _operation().match(text, match.start())
            if joined is not None and joined.lastgroup is not None:
                yield _Token(joined.lastgroup)
                at = joined.end()
                continue
            at = match.end()
            if match["sign"]:
                yield _Token(match["sign"])
            elif match["number"] and not years_in(match[0]):
                number = Decimal(match["number"].replace(",", ""))
                yield _Token("value", number / 100 if match["percent"] else number)
            else:
                yield _Token("", None, match[0])


@lru_cache(maxsize=1)
def _operation() -> re.Pattern[str]:
    """The operations as they are said between two measures."""
    ways = language().joined
    said = "|".join(f"(?P<{name}>{ways[name].pattern})" for name in (*FIRST, *SECOND))
    return re.compile(rf"(?:{said})(?:(?<=[/÷×*+])|(?![\w/]))")
