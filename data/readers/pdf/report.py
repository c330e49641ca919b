"""A PDF into a document: pages -> parts -> what goes on over pages -> document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from tieout.data.document import Document
from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.pages import read_pages
from tieout.data.readers.geometry.words import Page
from tieout.data.readers.html.furniture import find_furniture
from tieout.data.readers.pdf.assembler import Assembler, Tags
from tieout.data.readers.pdf.over_pages import join_tables
from tieout.data.readers.pdf.parts import Part, parts_of
from tieout.data.readers.pdf.running import running_apart
from tieout.data.readers.pdf.text import PROSE, Block
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.scans.recognise import Recognised, way_out, with_recognised
from tieout.data.readers.scans.sureness import with_sureness

_MOST_LOST = 0.3  # share of letters that a font does not tell
_LARGER = 1.25  # type of headings, of that of the text
_YEAR = later(r"(?:19|20)\d\d")
_LOST = later("[\ufffd\ue000-\uf8ff\x00-\x1f]")  # what stands for a letter that the font does not tell


def read_pdf(content: bytes, identifier: str) -> Document:
    """The document of a PDF with text in it. Pages that are pictures without text are named in `unread`.

    Raises UnreadableError for a PDF that is damaged, encrypted, scanned, or whose fonts do not tell their letters.
    """
    told = Recognised()
    document = read_layout(with_recognised(read_pages(content), content, told), identifier)
    return with_sureness(document, told)


def read_layout(pages: Iterable[Page], identifier: str, said: Tags | None = None) -> Document:
    """The document of pages of words at their places. said: what the file says of the elements tagged on words.

    Raises UnreadableError for pages without text, or whose fonts do not tell their letters.
    """
    sizes: list[tuple[float, float]] = []
    empty: list[int] = []
    printed: list[Page] = []
    lost = letters = 0
    for page in pages:
        sizes.append((round(page.width, 2), round(page.height, 2)))
        if page.is_scan or (page.has_picture and not page.words):
            empty.append(page.number)
        letters += sum(len(word.text) for word in page.words)
        lost += sum(len(_LOST.findall(word.text)) for word in page.words)
        printed.append(page)
    items: list[Part] = [part for page in running_apart(printed) for part in parts_of(page)]
    if not items or len(empty) == len(sizes):
        scanned = "its page is a picture" if len(sizes) == 1 else f"its {len(sizes)} pages are pictures"
        what = f"a scanned PDF: {scanned} without text" if empty else "a PDF without any text"
        raise UnreadableError(f"{what}{way_out()}; run it through OCR first")
    if lost > _MOST_LOST * letters:
        raise UnreadableError("a PDF whose fonts do not say which letters they draw; run it through OCR first")
    _mark_furniture(items)
    _mark_large(items)
    unread = (f"{name_pages(empty)}: pictures without text, not read{way_out()}",) if empty else ()
    return Assembler(identifier, join_tables(items), sizes, said).document(unread)


def _mark_furniture(items: Sequence[Part]) -> None:
    texts = [item.words if isinstance(item, Block) else None for item in items]
    for index in find_furniture(texts, [item.page for item in items]):
        item = items[index]
        if isinstance(item, Block) and not _YEAR.fullmatch(item.words):  # a sub-heading, and no number of a page
            item.furniture = True


def _mark_large(items: Sequence[Part]) -> None:
    """Marks the paragraphs whose type is larger than that of most of the report."""
    blocks = [item for item in items if isinstance(item, Block)]
    sizes = [line.size for block in blocks if not block.furniture for line in block.lines if len(line.text) >= PROSE]
    for block in blocks if sizes else ():
        block.large = all(line.size > _LARGER * median(sizes) for line in block.lines)


def name_pages(numbers: Sequence[int]) -> str:
    """`page 3`, `pages 3, 7 to 9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    return ("page " if len(numbers) == 1 else "pages ") + ", ".join(parts)
