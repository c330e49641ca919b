"""Tables in plain text whose columns are set with spaces, read as those of a printed page are: by where words stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.grid import Grid, read_grid
from tieout.data.readers.geometry.lines import Line, Segment, read_lines
from tieout.data.readers.geometry.tables import Region, find_tables
from tieout.data.readers.geometry.words import Rule, Word

_WIDEST = 300  # letters of a line that may be a row: what is longer is prose, however it is spaced
_LETTER, _LINE, _SIZE = 6.0, 12.0, 10.0  # points of a letter, from line to line, of the height of letters
_PHRASE = later(r"\S+(?: \S+)*")
_LEADERS = later(r"(?<![.… ])(?: ?[.…]){3,}(?=$| )")
_RULE = later(r"[-=_]{3,}")
MARKUP = later(r"\s*(?:<[A-Za-z/][^>]*>\s*)+$")  # `<S> <C> <C>`, as old filings mark their columns


def find_columns(lines: Sequence[str]) -> Iterator[tuple[int, int, Grid]]:
    """Yields the tables of a text: the number of the first line, of the line behind, rows and columns."""
    words: list[Line] = []
    rules: list[Rule] = []
    for number, line in enumerate(lines):
        text = line.expandtabs(8)
        if MARKUP.match(text):
            continue
        text = _LEADERS.sub(lambda dots: " " * len(dots[0]), text).rstrip()
        phrases: list[Word] = []
        y = number * _LINE
        if "|" in text or len(text) > _WIDEST:  # it ends a table: what stands there is lost in none
            words.append(Line(y, _SIZE, [Segment([Word(text, 0.0, max(len(text), _WIDEST) * _LETTER, y, _SIZE)])]))
            continue
        for found in _PHRASE.finditer(text):
            x0 = found.start() * _LETTER
            if _RULE.fullmatch(found[0]):
                rules.append(Rule(x0, found.end() * _LETTER, y - _SIZE / 2))
            else:
                phrases.append(Word(found[0], x0, found.end() * _LETTER, y, _SIZE))
        words += read_lines(phrases)
    for item in find_tables(words, rules):
        if isinstance(item, Region):
            first, last = (round(item.lines[at].y / _LINE) for at in (0, -1))
            yield first, last + 1, read_grid(item, rules)
