"""Pages of a PDF as pictures, drawn by pdfium in a process of its own: a page that ends it ends no server."""

from __future__ import annotations

import io
import signal
import threading
from collections import OrderedDict
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from tieout.data.system.processes import start
from tieout.serve.asking.reading import LOADED

SECONDS = 20.0  # for one page
LARGEST = 4000  # pixels of the longer side
MOST_KEPT = 32  # pictures


class PageError(ValueError):
    """A page that is not there, or cannot be drawn."""


class Pages:
    """Draws pages, one at a time. Close it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawn: OrderedDict[tuple[Path, int, int], bytes] = OrderedDict()
        self._process: tuple[Connection, BaseProcess] | None = None

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._end()

    def draw(self, path: Path, number: int, width: int) -> bytes:
        """A page, from 1, as PNG, so many pixels wide. Raises PageError."""
        key = (path, number, width)
        with self._lock:
            if key not in self._drawn:
                self._drawn[key] = self._ask(path, number, width)
                while len(self._drawn) > MOST_KEPT:
                    self._drawn.popitem(last=False)
            self._drawn.move_to_end(key)
            return self._drawn[key]

    def _ask(self, path: Path, number: int, width: int) -> bytes:
        self._process = self._process or start(_draw_pages, loaded=LOADED)
        pipe = self._process[0]
        try:
            pipe.send((str(path), number, width))
            drawn = pipe.recv() if pipe.poll(SECONDS) else f"page {number} takes too long to be drawn"
        except (EOFError, OSError):
            drawn = f"page {number} cannot be drawn"
        if isinstance(drawn, bytes):
            return drawn
        self._end()
        raise PageError(drawn)

    def _end(self) -> None:
        if self._process is not None:
            pipe, process = self._process
            self._process = None
            process.kill()
            process.join()
            pipe.close()


def _draw_pages(pipe: Connection) -> None:
    """What the process does: draws what is asked over the pipe, until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
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
