"""Pages of a PDF as pictures, drawn by pdfium in a process of its own, within bounds: a page that ends it, or takes too
much, ends no server and keeps nobody else waiting."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from tieout.data.limits import Budget
from tieout.data.readers.apart import LOOK, EndedError, Watch, answer_to
from tieout.data.system.processes import end_with_parent, start
from tieout.serve.asking.reading import LOADED

BUDGET = Budget(seconds=5.0)  # of one page; with what the process itself takes to begin
MOST_WAITING = 16  # who waits for a page holds a thread of the server
LARGEST = 4000  # pixels of the longer side
MOST_KEPT = 32  # pictures, and what is wrong with pages


class CrowdedError(RuntimeError):
    """More work at once than is let in."""


class PageError(ValueError):
    """A page that is not there, or cannot be drawn."""


class Pages:
    """Draws pages, one at a time. Close it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(MOST_WAITING)
        self._drawn: OrderedDict[tuple[Path, int, int], bytes | str] = OrderedDict()
        self._process: tuple[Connection, BaseProcess] | None = None

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._end()

    def draw(self, path: Path, number: int, width: int) -> bytes:
        """A page, from 1, as PNG, so many pixels wide. Raises PageError, and CrowdedError where too many wait."""
        if not self._places.acquire(blocking=False):
            raise CrowdedError("too many pages wait to be drawn: ask again")
        try:
            with self._lock:
                drawn = self._kept((path, number, width))
        finally:
            self._places.release()
        if isinstance(drawn, str):
            raise PageError(drawn)
        return drawn

    def _kept(self, key: tuple[Path, int, int]) -> bytes | str:
        if key not in self._drawn:
            self._drawn[key] = self._ask(*key)
            while len(self._drawn) > MOST_KEPT:
                self._drawn.popitem(last=False)
        self._drawn.move_to_end(key)
        return self._drawn[key]

    def _ask(self, path: Path, number: int, width: int) -> bytes | str:
        """The picture, or what is wrong. Raises PageError."""
        self._process = self._process or start(_draw_pages, loaded=LOADED)
        pipe, process = self._process
        watch = Watch(process, BUDGET)
        try:
            pipe.send((str(path), number, width))
            while not pipe.poll(LOOK):
                watch.look()
            drawn: bytes | str = pipe.recv()
            return drawn
        except EndedError:
            self._end()
            return f"page {number} takes too much to be drawn"
        except (EOFError, OSError):  # it may have been ended from outside: the next time may be another
            self._end()
            raise PageError(f"page {number} cannot be drawn") from None

    def _end(self) -> None:
        if self._process is not None:
            pipe, process = self._process
            self._process = None
            process.kill()
            process.join()
            pipe.close()


def _draw_pages(pipe: Connection) -> None:
    """What the process does: draws what is asked over the pipe, until it closes."""
    end_with_parent()
    answer_to(pipe)
    with suppress(EOFError, OSError):
        while True:
            path, number, width = pipe.recv()
            pipe.send(_drawn(path, number, width))


def _drawn(path: str, number: int, width: int) -> bytes | str:
    """The picture, or what is wrong."""
    try:
        import pypdfium2 as pdfium
        from PIL import Image  # noqa: F401 - what pdfium hands pictures to
    except ImportError as error:
        return f"to draw pages needs {error.name}: pip install 'tieout[serve,pdf]'"
    try:
        with pdfium.PdfDocument(path) as document:
            if not 1 <= number <= len(document):
                return f"there is no page {number}"
            page = document[number - 1]
            wide, high = page.get_size()
            scale = min(width / wide, LARGEST / max(wide, high))
            out = io.BytesIO()
            page.render(scale=scale).to_pil().save(out, "PNG")
            return out.getvalue()
    except (pdfium.PdfiumError, ValueError, OSError, ZeroDivisionError, MemoryError) as error:
        return f"page {number} cannot be drawn ({type(error).__name__})"
