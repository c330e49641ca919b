"""How sure each cell and sentence is whose words were recognised on a picture: remarks on their figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from tieout.data.document import CellRemark, Document, ParagraphRemark, Remark, Table
from tieout.data.printed.pattern import later
from tieout.data.readers.scans.recognise import SURELY, Recognised

_PAGES = later(r"page (\d+)")
_LONG = 4  # letters of a word that tells what a line is
_AMOUNT = later(r"[-–—($€£¥\s]*\d[\d,]*(?:\.\d+)?[)%\s]*")
_YEAR = later(r"(?:19|20)\d\d")
# A digit in place of a letter: `Tota1`, `Add'1`, `0ther`.
_SLIP = later(r"[a-z]{2,}['’]?[015]\b|[a-z][015][a-z]|\b[015][a-z]{3,}")
_WORD = later(r"\S*\d\S*")


_Pages = Sequence[Mapping[str, Decimal]]


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
    heads = next((at for at, (_, *cells) in enumerate(table.rows) if any(map(_is_amount, cells))), 0)
    over: dict[int, str] = {}  # what is doubtful about the header of a column
    for row, cells in enumerate(table.rows):
        doubt = ""
        for column, text in enumerate(cells):
            place = table.places[row][column] if table.places else table.place
            here = _words_of(place, told.pages)
            if row < heads and column and (unsure := _of_header(text, here, told)):
                over[column] = unsure
            if not (column or text) and row >= heads and here:
                doubt = "on a picture, in a row without a label"
            doubt = doubt or _of_label(text, here, told)
            for remark in _remarks(text, place, told.pages):
                told_doubt = doubt or over.get(column, "")
                yield CellRemark(row=row, column=column, remark=remark.model_copy(update={"doubt": told_doubt}))


def _is_amount(text: str) -> bool:
    return _AMOUNT.fullmatch(text) is not None and not _YEAR.fullmatch(text)


def _of_label(text: str, here: _Pages, told: Recognised) -> str:
    """What is doubtful about a label: a word of it that is unsure, and sure nowhere else, or a digit among its
    letters."""
    parts = text.split()
    for word, sure in (each for words in here for each in words.items()):
        is_word = len([each for each in word if each.isalpha()]) >= _LONG and not any(map(str.isdigit, word))
        is_unsure = is_word and sure < SURELY and word.lower() not in told.surely
        if word in parts and (is_unsure or _SLIP.search(word)):
            return f"on a picture, beside a label recognised as {word!r}, {sure:.0%} sure"
    return ""


def _of_header(text: str, here: _Pages, told: Recognised) -> str:
    """What is doubtful about a header: what is of a label, or an unsure time, a year though it is read elsewhere."""
    parts = text.split()
    for word, sure in (each for words in here for each in words.items()):
        is_time = _YEAR.fullmatch(word) or (any(map(str.isdigit, word)) and word.lower() not in told.surely)
        if word in parts and sure < SURELY and is_time:
            return f"on a picture, below a header recognised as {word!r}, {sure:.0%} sure"
    return _of_label(text, here, told).replace("beside a label", "below a header")


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
