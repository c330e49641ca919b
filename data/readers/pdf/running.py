"""Running heads and feet of pages, told before tables are: a row of a table may stand as close to one as to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from tieout.data.readers.geometry.words import Page, Word
from tieout.data.readers.html.furniture import LEAST_REPEATS, masked, says_what_holds

_MOST = 3  # lines at an edge of a page
_LEAST_SHARE = 3  # of so many pages one has it
_SAME_LINE = 0.4  # of the size: how far apart the baselines of one line lie

_Line = tuple[int, str]  # where it stands, and what it says but for its numbers


def running_apart(pages: Iterable[Page]) -> list[Page]:
    """The pages with the lines taken out of their words that stand at the head, or the foot, of many pages in the same
    place and say the same but for their numbers."""
    found = list(pages)
    edges = {page.number: (_edge(page.words, 1), _edge(page.words, -1)) for page in found}
    common = Counter(each for edge in edges.values() for each in {_line(words) for side in edge for words in side})
    least = max(LEAST_REPEATS, len(found) / _LEAST_SHARE)
    running = {line for line, count in common.items() if count >= least and _is_furniture(line[1])}
    return [_apart(page, *edges[page.number], running) for page in found] if running else found


def _apart(page: Page, above: Sequence[list[Word]], below: Sequence[list[Word]], running: set[_Line]) -> Page:
    sides = [list(takewhile(lambda words: _line(words) in running, side)) for side in (above, below)]
    head, foot = ([word for words in side for word in words] for side in sides)
    taken = {id(word) for word in (*head, *foot)}
    words = [word for word in page.words if id(word) not in taken]
    return replace(page, words=words, head=head, foot=foot if words else [])  # both are of the same lines there


def _is_furniture(text: str) -> bool:
    return any(map(str.isalpha, text)) and not says_what_holds(text)


def _edge(words: Sequence[Word], way: int) -> list[list[Word]]:
    """The words of the first lines of a page from the top, or from the foot where `way` is -1."""
    found: list[list[Word]] = []
    for word in sorted(words, key=lambda each: way * each.y):
        if not found or way * (word.y - found[-1][0].y) > _SAME_LINE * max(word.size, found[-1][0].size):
            if len(found) == _MOST:
                break
            found.append([])
        found[-1].append(word)
    return found


def _line(words: Sequence[Word]) -> _Line:
    return round(words[0].y), masked(" ".join(word.text for word in sorted(words, key=lambda each: each.x0)))
