"""A ZIP archive with a report in it: report packages as ESEF has them, and the archives of filings that EDGAR gives.

`Report Package 1.0` of XBRL International keeps reports in the folder `reports`; EDGAR's archives hold pages and the
schema of their taxonomy beside one another.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib

from tieout.data.document import Document
from tieout.data.readers.kinds import report_pages
from tieout.data.readers.placed.report import read_web_page
from tieout.data.readers.refusal import UnreadableError

_MOST = 1 << 26  # bytes of a page
_NAMED = 3  # pages that a line names
_TAG = re.compile(rb"<ix:non(?:Fraction|Numeric)\b", re.IGNORECASE)


def read_package(content: bytes, identifier: str) -> Document:
    """The document of the report in an archive: the page with most tags. The other pages are named in `unread`.

    Raises UnreadableError for an archive that is damaged, or has no page that can be read.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            pages = {name: _page(archive, name) for name in report_pages(archive.namelist())}
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise UnreadableError(f"a report package that is cut off or damaged ({error}); fetch it again") from None
    if not pages:
        raise UnreadableError("a ZIP archive without a report; unpack it and give the files in it")
    chosen = max(pages, key=lambda name: (len(_TAG.findall(pages[name])), len(pages[name])))
    document = read_web_page(pages[chosen], identifier)
    others = [name for name in pages if name != chosen]
    if not others:
        return document
    more = f" and {len(others) - _NAMED} more pages" if len(others) > _NAMED else ""
    unread = f"{', '.join(others[:_NAMED])}{more}: beside {chosen} in the package, not read"
    return document.model_copy(update={"unread": (*document.unread, unread)})


def _page(archive: zipfile.ZipFile, name: str) -> bytes:
    """A page of an archive. Raises ValueError for one that is larger than any that is read."""
    with archive.open(name) as file:
        page = file.read(_MOST + 1)
    if len(page) > _MOST:
        raise ValueError(f"{name} unpacks to more than {_MOST >> 20} MB")
    return page
