"""The line items and metrics that a text names, where in it, and what is needed for them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tieout.ontology.asked.language import language
from tieout.ontology.asked.words import FUNCTION
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.formula import operands
from tieout.ontology.metrics.line_item import find_line_item, is_tag_of, line_items
from tieout.ontology.metrics.metric import find_metric, metrics

LONGEST_TERM, LONGEST_LABEL = 7, 12  # words of a label that is looked for, and of one said word by word
_PARTICIPLE = re.compile(r" ([a-z]+ed)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z0-9]+(?:[&'’./-][a-z0-9]+)*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """A line item or a metric that a text names. start, end: its span. name: as in `tieout.ontology.metrics`.

    said: the words that name it.
    """

    name: str
    start: int
    end: int
    is_metric: bool
    said: str = ""


@lru_cache(maxsize=4096)
def find_measures(text: str) -> tuple[Named, ...]:
    """What a text names, the longest labels first from the left: `net income margin` is a margin, not an income."""
    found: list[Named] = []
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    at = 0
    while at < len(words):
        for length in range(min(LONGEST_LABEL, len(words) - at), 0, -1):
            if not _bounds(text, words[at], words[at + length - 1]):
                continue
            named = _named(text, words[at][0], words[at + length - 1][1])
            if named is not None and (_is_label(named) or (length <= LONGEST_TERM and not _is_of_shares(named, text))):
                labels = item.labels if (item := line_items().get(named.name)) else ()
                found += filter(None, [_named(text, *_without_ends(text, words[at : at + length], labels))])
                at += length
                break
        else:
            at += 1
    return tuple(found)


def _is_label(named: Named) -> bool:
    """Whether the words that name a line item are one of its labels or tags, with nothing read into them."""
    item = line_items().get(named.name)
    is_own = item is not None and normalise(named.said) in map(normalise, item.labels)
    return is_own or is_tag_of(named.name, named.said)


def _is_of_shares(named: Named, text: str) -> bool:
    """Whether a number of shares is named by words that begin what else is said of shares, `average share repurchases`,
    `average shares vested`, or that end in what is asked of them: `average diluted shares compared`."""
    asking, (*_, last) = language().words["asking"], named.said.lower().split()
    item, done = line_items().get(named.name), _PARTICIPLE.match(text, named.end)
    goes_on = last == "shares" and done is not None and done[1].lower() not in asking
    return item is not None and item.unit == "shares" and (goes_on or last == "stock" or last in asking)


def _without_ends(text: str, words: Sequence[tuple[int, int]], labels: Collection[str]) -> tuple[int, int]:
    """Where a term stands without words at its ends that are no part of it: `capital expenditures` in `capital
    expenditures from fiscal 2022`; one of its labels, word by word, before all that say the same."""

    def said(part: Sequence[tuple[int, int]]) -> str:
        return normalise(text[part[0][0] : part[-1][1]])

    whole = said(words)
    while len(words) > 1 and said(words[1:]) == whole:
        words = words[1:]
    lasts = [length for length in range(1, len(words) + 1) if said(words[:length]) == whole]
    last = next((each for each in reversed(lasts) if text[words[0][0] : words[each - 1][1]] in labels), lasts[0])
    return words[0][0], words[last - 1][1]


def _bounds(text: str, first: tuple[int, int], last: tuple[int, int]) -> bool:
    """Whether a term may begin and end with these words: no word of grammar does, none begins with what joins two, and
    none ends in a number."""
    ends = text[slice(*first)].lower(), text[slice(*last)].lower()
    names_owner = "attributable to" in text[first[0] : last[0]].lower()  # which no word for a move ends
    moves = names_owner and language().cues["change"].fullmatch(ends[1]) is not None
    return FUNCTION.isdisjoint(ends) and not _joins(ends[0]) and not ends[1].isdecimal() and not moves


@lru_cache(maxsize=4096)
def _joins(word: str) -> bool:
    return any(ways.fullmatch(word) for ways in language().joined.values())


def _named(text: str, start: int, end: int) -> Named | None:
    said = text[start:end]
    metric, item = find_metric(said), find_line_item(said, is_asked=True)
    # `gross margin` is what some call their gross profit, and a rate to everybody else.
    if metric is not None and (item is None or normalise(item.labels[0]) != normalise(said)):
        return Named(metric.name, start, end, True, said)
    return Named(item.name, start, end, False, said) if item is not None else None


def items_of(named: Named) -> Iterator[str]:
    """The line items that a measure needs: itself, and those that a metric is made of."""
    if not named.is_metric:
        yield named.name
    waiting = [named.name] if named.name in metrics() else []
    done: set[str] = set()
    while waiting:
        name = waiting.pop()
        done.add(name)
        for part in operands(metrics()[name].formula):
            if part.name in line_items():
                yield part.name
            if part.name in metrics() and part.name not in done:
                waiting.append(part.name)


def beside(lower: str, named: Sequence[Named], joined: Sequence[tuple[int, int]]) -> str:
    """A question without the measures that it names, and what joins them: `change in cash` is a line, and asks for no
    change of it."""
    for start, end in (*((each.start, each.end) for each in named), *joined):
        lower = lower[:start] + " " * (end - start) + lower[end:]
    return lower


def names_measure(text: str, name: str) -> bool:
    """Whether a text names this measure."""
    return any(each.name == name for each in find_measures(text.lower()))


def says_mean(named: Named) -> bool:
    """Whether words that name a measure say an average of it, as no report calls it first: `average tax rate`."""
    return named.said.startswith("average ") and not normalise(labels_of(named)[0]).startswith("average")


def labels_of(named: Named) -> tuple[str, ...]:
    """The labels of a line item or metric that a text names, the most telling first."""
    return metrics()[named.name].labels if named.name in metrics() else line_items()[named.name].labels
