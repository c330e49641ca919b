"""How sure each cell and sentence is whose words were recognised on a picture: remarks on their figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from tieout.data.document import CellRemark, Document, ParagraphRemark, Remark, Table
from tieout.data.printed.pattern import later
from tieout.data.readers.scans.recognise import SURELY, Recognised

_PAGES = later(r"page (\d+)")
_LONG = 4  # letters of a word that tells what a line is
_WORD = later(r"\S*\d\S*")


def with_sureness(document: Document, told: Recognised) -> Document:
    """A document with a remark on every figure of pages that are pictures. Pages are known by their places."""
    if not told.pages:
        return document
    remarks = [
        ParagraphRemark(paragraph=index, remark=remark)
        for index, (text, place) in enumerate(zip(document.paragraphs, document.places, strict=True))
        for remark in _remarks(text, place, told.pages)
    ]
    tables = tuple(
        table.model_copy(update={"remarks": table.remarks + tuple(_of_cells(table, told))}) for table in document.tables
    )
    return document.model_copy(update={"remarks": document.remarks + tuple(remarks), "tables": tables})


def _of_cells(table: Table, told: Recognised) -> Iterator[CellRemark]:
    for row, cells in enumerate(table.rows):
        doubt = ""
        for column, text in enumerate(cells):
            place = table.places[row][column] if table.places else table.place
            doubt = doubt or _of_label(text, place, told)
            for remark in _remarks(text, place, told.pages):
                yield CellRemark(row=row, column=column, remark=remark.model_copy(update={"doubt": doubt}))


def _of_label(text: str, place: str, told: Recognised) -> str:
    """What is doubtful about a label: a word of it that is unsure, and sure nowhere else."""
    for word, sure in (each for words in _words_of(place, told.pages) for each in words.items()):
        is_word = len(word) >= _LONG and word.isalpha() and sure < SURELY
        if is_word and word.lower() not in told.surely and word in text.split():
            return f"on a picture, beside a label recognised as {word!r}, {sure:.0%} sure"
    return ""


def _remarks(text: str, place: str, pages: Mapping[int, Mapping[str, Decimal]]) -> Iterator[Remark]:
    """How sure the figures of a text are. What was put together from several words is as sure as the least of them."""
    if not (here := _words_of(place, pages)):
        return
    for word in _WORD.finditer(text):
        sure = [
            words[each] for words in here for each in words if each == word[0] or (each in word[0] and len(each) > 1)
        ]
        yield Remark(start=word.start(), end=word.end(), recognised=min(sure, default=_least(here)))


def _words_of(place: str, pages: Mapping[int, Mapping[str, Decimal]]) -> list[Mapping[str, Decimal]]:
    """The words of the recognised pages that a place names."""
    return [pages[int(each)] for each in _PAGES.findall(place) if int(each) in pages]


def _least(pages: Iterable[Mapping[str, Decimal]]) -> Decimal:
    return min(sure for words in pages for sure in words.values())
