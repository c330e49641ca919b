"""The pages of a PDF. Where a machine has two cores, a second process reads every other one of a long PDF meanwhile.

It has the bytes over its input, and ends when that is closed, as it is when this process ends, however that ends. What
it takes counts for whoever watches this one.
"""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from tieout.data.readers.apart import has_helper, may_have_helper
from tieout.data.readers.geometry.words import Page, Rule, Word, opened, pages_of
from tieout.data.readers.progress import tell

_FEWEST = 48  # pages: for fewer, a process takes longer to begin than it saves
_BEGIN = "import sys; sys.path[:] = {path!r}; from tieout.data.readers.geometry.pages import answer; answer()"
_OWN = 0.5  # of a core: what this process has taken of it in the last minute
_LENGTH = 8  # bytes that say how many follow
_FIRST, _STEP = 1, 2  # its pages, from 0: those in the middle of a report are longer than those at its ends


def read_pages(content: bytes) -> Iterator[Page]:
    """Yields the pages of a PDF. Raises UnreadableError where it is damaged or encrypted, or pypdfium2 is missing."""
    with opened(content) as pdf:
        count = len(pdf)
        if count < _FEWEST or not _has_idle_core() or not may_have_helper():
            yield from pages_of(pdf, range(count))
        else:
            yield from _read_by_two(pdf, content)
        tell(count, count)


def _read_by_two(pdf: Any, content: bytes) -> Iterator[Page]:  # noqa: ANN401 - pypdfium2 has no types
    theirs = range(_FIRST, len(pdf), _STEP)
    helper = _Helper(content)
    try:
        own = iter([*pages_of(pdf, (number for number in range(len(pdf)) if number not in theirs))])
        others = helper.pages() or pages_of(pdf, theirs)
        for number in range(len(pdf)):
            yield next(others if number in theirs else own)
    finally:
        helper.end()


def _has_idle_core() -> bool:
    """Whether this process may use two cores, and others leave one of them: it would wait longer for its helper."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return usable > 1 and busy < usable - _OWN


class _Helper:
    """The process that reads the others."""

    def __init__(self, content: bytes) -> None:
        command = [sys.executable, "-c", _BEGIN.format(path=sys.path)]
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nothing)
        has_helper(self.process.pid)
        threading.Thread(target=self._send, args=(content,), daemon=True).start()  # it begins while others are read

    def _send(self, content: bytes) -> None:
        assert self.process.stdin is not None
        with suppress(OSError, ValueError):  # it ended: its pages are read here
            self.process.stdin.write(len(content).to_bytes(_LENGTH, "big") + content)
            self.process.stdin.flush()

    def pages(self) -> Iterator[Page] | None:
        """Its pages, None where it ended without any."""
        assert self.process.stdout is not None
        sent = self.process.stdout.read()
        return map(_page, marshal.loads(sent)) if sent and not self.process.wait() else None

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stdin):
            with suppress(OSError):
                assert stream is not None
                stream.close()


def answer() -> None:
    """What the process does: reads its pages of the PDF of its input, and writes them."""
    read = sys.stdin.buffer.read
    content = read(int.from_bytes(read(_LENGTH), "big"))
    threading.Thread(target=_end_with_input, daemon=True).start()
    with opened(content) as pdf:
        pages = [_plain(page) for page in pages_of(pdf, range(_FIRST, len(pdf), _STEP))]
    sys.stdout.buffer.write(marshal.dumps(pages))


def _end_with_input() -> None:
    os.read(sys.stdin.fileno(), 1)  # not by its buffer, which would be in use when the process ends
    os._exit(1)


def _plain(page: Page) -> tuple[Any, ...]:
    """A page in values that are sent many times as quickly."""
    words = [(each.text, each.x0, each.x1, each.y, each.size, each.bold, each.italic) for each in page.words]
    rules = [(each.x0, each.x1, each.y) for each in page.rules]
    return page.number, page.width, page.height, words, rules, page.label, page.has_picture, page.is_scan


def _page(sent: Sequence[Any]) -> Page:
    number, width, height, words, rules, *rest = sent
    return Page(number, width, height, [Word(*each) for each in words], [Rule(*each) for each in rules], *rest)
