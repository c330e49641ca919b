"""A long PDF read by two processes: the same pages, what the second one takes is bounded too, and none is left."""

from __future__ import annotations

import subprocess
import sys
import time

import psutil
import pytest
from pdf_pages import PdfPage, make_pdf

from tieout.data.limits import Budget
from tieout.data.readers.apart import EndedError, has_helper, run
from tieout.data.readers.geometry import pages
from tieout.data.readers.geometry.pages import read_pages

PAGES = 61


@pytest.fixture(scope="module")
def content() -> bytes:
    made = []
    for number in range(PAGES):
        page = PdfPage(rules=[(40, 300, 120)])
        for line in range(30):
            page.write(40, 100 + 20 * line, f"Line {line} of page {number}", bold=not line)
        made.append(page)
    return make_pdf(made)


@pytest.fixture
def started(monkeypatch) -> list[subprocess.Popen[bytes]]:
    """The processes that reading starts, as it does where it is watched and a core is idle."""
    found: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*arguments, **options):
        found.append(popen(*arguments, **options))
        return found[-1]

    monkeypatch.setattr(pages, "may_have_helper", lambda: True)
    monkeypatch.setattr(pages, "_has_idle_core", lambda: True)
    monkeypatch.setattr(subprocess, "Popen", start)
    return found


def test_two_processes_read_the_pages_that_one_reads_in_their_order(content, started):
    by_two = list(read_pages(content))
    assert [each.returncode for each in started] == [0]  # it ended by itself: its pages were taken
    pages.may_have_helper = lambda: False
    assert list(read_pages(content)) == by_two
    assert [page.number for page in by_two] == list(range(1, PAGES + 1))
    assert len(started) == 1


def test_a_short_pdf_is_read_by_one_process(started):
    assert len(list(read_pages(make_pdf([PdfPage()] * 3)))) == 3
    assert not started


def test_pages_of_a_process_that_ended_are_read_here(content, started, monkeypatch):
    monkeypatch.setattr(pages, "_BEGIN", "raise SystemExit(1)")
    assert [page.number for page in read_pages(content)] == list(range(1, PAGES + 1))
    assert [each.returncode for each in started] == [1]


def test_who_wants_no_more_pages_leaves_no_process(content, started):
    reading = read_pages(content)
    next(reading)
    reading.close()
    assert [each.poll() is None for each in started] == [False]


def filled_by_another() -> None:
    code = "import sys; taken = bytearray(400 << 20); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        has_helper(process.pid)
        process.wait()


def test_the_memory_of_both_is_bounded():
    with pytest.raises(EndedError, match="more than 100 MB of memory"):
        run(filled_by_another, budget=Budget(memory=100 << 20))


def test_the_second_process_ends_with_the_first(content, tmp_path):
    (tmp_path / "long.pdf").write_bytes(content)
    code = (
        "import sys, time; from pathlib import Path; from tieout.data.readers.geometry import pages\n"
        "pages._BEGIN = pages._BEGIN.replace('import answer', 'import answer; from tieout.data.readers.geometry "
        'import pages; pages.pages_of = lambda *_: __import__("time").sleep(60) or []\')\n'
        "helper = pages._Helper(Path(sys.argv[1]).read_bytes()); print(helper.process.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, tmp_path / "long.pdf"], stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        second = psutil.Process(int(first.stdout.readline()))
        time.sleep(0.5)
        assert second.is_running()
        first.kill()
    second.wait(timeout=30)
