"""What a question names, before anything is looked up: words, line items, metrics, years."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tieout.data.printed.periods.period import find_periods
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.formula import operands
from tieout.ontology.metrics.line_item import find_line_item, line_items
from tieout.ontology.metrics.metric import find_metric, metrics

LONGEST_TERM = 7  # words of a label that is looked for in a question
# Words that say how something is asked and not what.
EMPTY = frozenset(
    "a about all among an and any are as at be been both by calculate compare company compared compute could did do "
    "does during each end ended fiscal following for from give had has have how if in into is it its itself level "
    "many me more most much my of on or our over per please quarter question report reported round same show state "
    "such tell than that the their them then there these they this those to total under use using usd value was we "
    "were what whats when where whether which who whose why will with would year years your amount figure number "
    "dollars millions billions thousands million billion thousand percent percentage answer decimal places based "
    "information data statement statements according".split()
)
_WORD = re.compile(r"[a-z0-9]+(?:[&'’./-][a-z0-9]+)*", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s$")
_YEAR = re.compile(r"\b(?:FY ?'?)?((?:19|20)\d\d|(?<=FY)\d\d|(?<=FY )\d\d)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """A line item or a metric that a question names. start, end: its span. name: as in `tieout.ontology.metrics`.

    said: the words that name it.
    """

    name: str
    start: int
    end: int
    is_metric: bool
    said: str = ""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a question names. words: those that carry meaning, in lower case; years: four digits, as named."""

    words: tuple[str, ...]
    named: tuple[Named, ...]
    years: tuple[int, ...]

    @property
    def items(self) -> tuple[str, ...]:
        """The line items that are needed: those named, and those that a named metric is made of."""
        return tuple(dict.fromkeys(item for each in self.named for item in _items(each)))


def read_terms(question: str) -> Terms:
    """What a question names."""
    found = [(match[0], match.start(), match.end()) for match in _WORD.finditer(question)]
    named = tuple(_named(question, found))
    words = (_POSSESSIVE.sub("", word.lower()) for word, _, _ in found)
    kept = dict.fromkeys(word for word in words if word not in EMPTY and not _YEAR.fullmatch(word) and len(word) > 1)
    return Terms(tuple(kept), named, years_in(question))


def years_in(question: str) -> tuple[int, ...]:
    """The years that a question names, in its order."""
    years = [_full(match[1]) for match in _YEAR.finditer(question)]
    years += [period.year for period, _, _ in find_periods(question.lower()) if period.year is not None]
    return tuple(dict.fromkeys(years))


def _full(digits: str) -> int:
    year = int(digits)
    return year if year > 99 else 2000 + year


def _named(question: str, words: list[tuple[str, int, int]]) -> Iterator[Named]:
    """The longest labels first from the left: `net income margin` is a margin, not an income."""
    at = 0
    while at < len(words):
        for length in range(min(LONGEST_TERM, len(words) - at), 0, -1):
            start, end = words[at][1], words[at + length - 1][2]
            metric, item = find_metric(question[start:end]), find_line_item(question[start:end])
            if metric or item:
                # `gross margin` is what some call their gross profit, and a rate to everybody else.
                is_metric = metric is not None and (
                    item is None or normalise(item.labels[0]) != normalise(question[start:end])
                )
                name = metric.name if metric and is_metric else item.name if item else ""
                yield Named(name, start, end, is_metric, question[start:end])
                at += length
                break
        else:
            at += 1


def _items(named: Named) -> Iterator[str]:
    if not named.is_metric:
        yield named.name
    if named.name in metrics():
        waiting = [named.name]
        done: set[str] = set()
        while waiting:
            name = waiting.pop()
            done.add(name)
            for part in operands(metrics()[name].formula):
                if part.name in line_items():
                    yield part.name
                if part.name in metrics() and part.name not in done:
                    waiting.append(part.name)
