"""Reading files that nobody here wrote: what takes too long, too much or its process with it ends in one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner
from test_data_report_files import changed

import tieout
from tieout.data.limits import Budget, SizeError
from tieout.data.readers.apart import EndedError, ask_for, run
from tieout.data.readers.read import DataError
from tieout.data.readers.report import bounded
from tieout.data.system.engine import several

ENOUGH = Budget(seconds=60)


def turn(seconds: float) -> str:
    """Takes a processor for so long."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return "done"


def turn_with_leave(seconds: float) -> str:
    ask_for(20 * seconds)
    return turn(seconds)


def wait() -> None:
    time.sleep(60)


def fill() -> int:
    return len(bytearray(400 << 20))


def fail() -> None:
    raise KeyError("an error of our own")


def refuse() -> None:
    raise DataError("a line that says why")


def raise_what_cannot_be_sent() -> None:
    class Local(Exception):  # noqa: N818
        pass

    raise Local("of here")


def tell() -> int:
    os.write(1, b"printed by a parser")
    os.write(2, b"printed by a parser")
    return os.getpid()


def test_work_gives_what_it_gives_and_raises_what_it_raises():
    assert run(turn, 0, budget=ENOUGH) == "done"
    with pytest.raises(DataError) as caught:
        run(refuse, budget=ENOUGH)
    assert str(caught.value) == "a line that says why"


def test_an_error_of_our_own_is_raised_with_the_place_where_it_came_from():
    with pytest.raises(KeyError) as caught:
        run(fail, budget=ENOUGH)
    assert "in fail" in "".join(caught.value.__notes__)
    with pytest.raises(RuntimeError, match="in raise_what_cannot_be_sent"):
        run(raise_what_cannot_be_sent, budget=ENOUGH)


@pytest.mark.parametrize("threads", [0, 1], ids=["alone", "beside a thread"])
def test_work_that_takes_too_long_is_ended(threads):
    over = threading.Event()
    beside = [threading.Thread(target=over.wait, daemon=True) for _ in range(threads)]
    for each in beside:
        each.start()
    try:
        with pytest.raises(EndedError, match="more than 0 seconds of a processor"):
            run(turn, 50, budget=Budget(seconds=0.2))
        with pytest.raises(EndedError, match="more than 0 seconds"):
            run(wait, budget=Budget(seconds=0.2))
    finally:
        over.set()
        for each in beside:
            each.join()


def test_work_that_is_long_by_its_nature_may_ask_for_more_time_and_not_for_ever():
    # Where a thread of other tests is there, loading what it needs takes a second of the two.
    assert run(turn_with_leave, 2.2, budget=Budget(seconds=2, most_seconds=99)) == "done"
    with pytest.raises(EndedError):
        run(turn_with_leave, 50, budget=Budget(seconds=0.2, most_seconds=0.4))


def test_work_that_takes_too_much_memory_is_ended():
    with pytest.raises(EndedError, match="more than 100 MB of memory"):
        run(fill, budget=Budget(memory=100 << 20))


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL])
def test_a_parser_that_ends_its_process_is_one_line(tmp_path, number):
    path = tmp_path / "report.pdf"
    path.write_bytes(b"%PDF-1.4")
    with pytest.raises(DataError, match=f"^{path}: what reads it was ended by {number.name}[^\n]*$"):
        bounded(path, signal.raise_signal, number)
    with pytest.raises(DataError, match="ended with exit code 7"):
        bounded(path, os._exit, 7)


def test_what_a_parser_prints_is_not_seen(capfd):
    assert run(tell, budget=ENOUGH) != os.getpid()
    assert capfd.readouterr() == ("", "")


def test_work_within_such_work_needs_no_process_of_its_own():
    here = run(nested, budget=ENOUGH)
    assert here[0] == here[1] != os.getpid()


def nested() -> tuple[int, int]:
    return os.getpid(), run(os.getpid, budget=ENOUGH)


def test_where_one_of_several_fails_the_others_are_ended():
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), several(2) as (threads, stop):
        running = threads.submit(run, wait, budget=ENOUGH, stop=stop)
        raise KeyboardInterrupt
    assert isinstance(running.exception(), EndedError) or running.cancelled()
    assert time.monotonic() - began < 50


def test_a_script_without_a_guard_is_not_run_again(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import threading, time\n"
        "from tieout.data.limits import Budget\n"
        "from tieout.data.readers.apart import run\n"
        "from os.path import basename\n"
        "print('once')\n"
        "threading.Thread(target=time.sleep, args=(30,), daemon=True).start()\n"
        "print(run(basename, 'a/b', budget=Budget()))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("once\nb\n", "")


def test_what_reads_ends_with_the_process_that_asked_for_it(tmp_path):
    code = "from test_apart import *; run(wait, budget=ENOUGH)"
    process = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parent)
    here = psutil.Process(process.pid)
    while not (children := here.children()):
        assert process.poll() is None
    process.kill()
    process.wait()
    assert psutil.wait_procs(children, timeout=30)[1] == []


def test_a_hostile_file_is_one_line_in_every_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TIEOUT_READ_SECONDS", "0.1")
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(",".join(["5.1"] * 300) for _ in range(600)))
    line = (
        "wide{}: it takes more than 0 seconds of a processor to read: give the part with the report, or allow more in"
    )
    for command in (
        ["ask", str(path), "what was revenue?"],
        ["kg", "build", str(path)],
        ["kg", "facts", str(path)],
        ["kg", "check", str(path)],
        ["kg", "show", str(path)],
        ["kg", "outline", str(path)],
        ["index", str(path)],
    ):
        done = CliRunner().invoke(tieout.main, command)
        told = [each for each in done.stderr.splitlines() if not each.startswith("ontology:")]
        assert done.exit_code == 1 and len(told) == 1, (command, done.output)
        assert line.format(".csv") in told[0] or line.format("") in told[0], told
    monkeypatch.setenv("TIEOUT_READ_SECONDS", "60")
    monkeypatch.setenv("TIEOUT_READ_MEMORY", "1")
    with pytest.raises(DataError, match="more than 1 MB of memory"):
        tieout.read(path)


def test_a_document_of_many_numbers_is_built_within_a_budget(tmp_path, monkeypatch):
    path = tmp_path / "many.md"
    path.write_text("revenue was $ 5 million and $ 6 million in 2014. " * 500)
    report = tieout.read(path)
    monkeypatch.setattr("tieout.kg.reports.bounded.MANY", 1_000)
    monkeypatch.setenv("TIEOUT_READ_SECONDS", "0.02")
    with pytest.raises(DataError, match=r"^many: it takes more than"):
        report.facts()
    monkeypatch.delenv("TIEOUT_READ_SECONDS")
    assert len(report.facts()) == 1_500


def test_a_variable_that_is_no_number_above_0_is_refused_and_an_empty_one_changes_nothing(monkeypatch):
    for variable in ("TIEOUT_READ_SECONDS", "TIEOUT_READ_MEMORY"):
        for text in ("x", "nan", "-5", "inf", "0"):
            monkeypatch.setenv(variable, text)
            with pytest.raises(SizeError, match=f"^the variable {variable} is '{text}', and no number above 0$"):
                Budget.of(0)
        monkeypatch.setenv(variable, "")
        assert Budget.of(0) == Budget()


def test_a_workbook_that_unpacks_to_gigabytes_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.xlsx"
    content = bytearray(changed("styles"))
    at = content.index(b"PK\x01\x02") + 24
    content[at : at + 4] = (4_000 << 20 & 0xFFFFFFFF).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(DataError, match="unpacks to 4,000 MB, more than the 512 MB"):
        tieout.read(path)


def test_a_file_without_end_is_not_read_to_its_end(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "report.txt"
    with path.open("wb") as file:
        file.write(b"revenue was 5\n" * 9_000)
        file.truncate(1 << 40)
    for command in (["index", str(path)], ["kg", "build", str(path)], ["ask", str(path), "what was revenue?"]):
        done = CliRunner().invoke(tieout.main, command)
        assert done.exit_code == 1 and "1,048,576 MB" in done.stderr, (command, done.output)
