"""The figures of a report as the index keeps them: those of a table, or of some sentences, in one compressed block.

What the lines of a table say of their figures is nearly the same: together they take a tenth of what each takes alone.
"""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from tieout.data.printed.pattern import later
from tieout.kg.index.passage import LineEntry, SentenceEntry

LINES_OF, SENTENCES_OF = "table", "sentences"  # the kinds of blocks
IN_BLOCK = 64  # sentences
_NAME = later(r"(?:t(?P<table>\d{1,9})r\d+c|s(?P<sentence>\d{1,9})a)\d+[a-z]*")


def block_of(sentence: int) -> int:
    """The number of the block that a sentence is in."""
    return sentence // IN_BLOCK


def place_of(figure: str) -> tuple[str, int]:
    """The kind of block that a figure of this short name is in, and the number of its table or sentence; nowhere, "",
    for one that has another name."""
    match = _NAME.fullmatch(figure)
    if match is None:
        return "", 0
    return (LINES_OF, int(match["table"])) if match["table"] else (SENTENCES_OF, int(match["sentence"]))


def line_blocks(lines: Sequence[LineEntry]) -> Iterator[tuple[int, bytes]]:
    """A block for each table, by its number: of its lines, in their order, the words around them and their figures."""
    by_table: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for line in lines:
        by_table[line.table].append((line.words, line.facts))
    yield from ((table, _block(told)) for table, told in by_table.items())


def sentence_blocks(sentences: Sequence[SentenceEntry]) -> Iterator[tuple[int, bytes]]:
    """The blocks of sentences that have figures, by their numbers: figures by the number of their sentence."""
    by_block: dict[int, dict[int, str]] = defaultdict(dict)
    for sentence in sentences:
        if sentence.facts:
            by_block[block_of(sentence.number)][sentence.number] = sentence.facts
    yield from ((number, _block(told)) for number, told in by_block.items())


def read_lines(block: bytes) -> list[tuple[str, str]]:
    """The words around each line of a table, and its figures, none of no block. Raises ValueError, zlib.error."""
    return [(words, facts) for words, facts in _read(block)] if block else []


def read_said(block: bytes) -> dict[int, str]:
    """The figures of sentences by their numbers, none of no block. Raises ValueError, zlib.error."""
    return {int(number): facts for number, facts in _read(block).items()} if block else {}


def _block(told: object) -> bytes:
    return zlib.compress(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass"), 6)


@lru_cache(maxsize=256)
def _read(block: bytes) -> Any:  # noqa: ANN401 - JSON
    return json.loads(zlib.decompress(block).decode(errors="surrogatepass"))
