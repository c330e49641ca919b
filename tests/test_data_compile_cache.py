"""What is made of the program's own texts is kept for the next process, and made anew where that cannot be."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tieout.data.printed import pattern
from tieout.data.printed.pattern import later
from tieout.data.system import compile_cache

WORDS = r"(?P<sign>[-−])?\b(?:(?P<year>(?:19|20)\d\d)|q[1-4](?= )|[^\W\d]{3,})"


@pytest.fixture
def again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """Ends one process and begins the next, over a file of its own: that file."""
    monkeypatch.setattr(compile_cache, "FILE", tmp_path / "folder" / "made.kept")
    monkeypatch.setattr(compile_cache, "_new", {})
    monkeypatch.setattr(sys, "dont_write_bytecode", False)

    def next_process() -> Path:
        compile_cache._keep()
        compile_cache._new.clear()
        compile_cache._known.cache_clear()
        return compile_cache.FILE

    compile_cache._known.cache_clear()
    monkeypatch.setattr(compile_cache.atexit, "register", lambda _: None)
    return next_process


def test_what_one_process_made_the_next_one_takes_and_what_it_changes_in_it_stays_its_own(again) -> None:
    made = compile_cache.cached("table", lambda: {"a": [1]})
    made["a"].append(2)
    again()
    assert compile_cache.cached("table", lambda: pytest.fail("it was made")) == {"a": [1]}


def test_a_file_that_is_cut_off_or_of_another_python_is_made_anew(again) -> None:
    compile_cache.cached("table", lambda: 1)
    file = again()
    whole = file.read_bytes()
    for text in (whole[:-3], b"another\n" + whole, b""):
        file.write_bytes(text)
        compile_cache._known.cache_clear()
        assert compile_cache.cached("table", lambda: 2) == 2


def test_a_folder_that_cannot_be_written_keeps_nothing_and_says_nothing(again, tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("a file")
    assert compile_cache.cached("table", lambda: 1) == 1
    again()
    assert compile_cache.cached("table", lambda: 2) == 2


def test_methods_of_dataclasses_are_compiled_once_and_do_the_same(again, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(dataclasses), "exec", exec)  # as it was behind this test
    compile_cache.keep_methods_of_dataclasses()

    def made() -> type:
        return dataclasses.make_dataclass("Cell", [("row", int), ("text", str, "")], frozen=True, order=True)

    first = made()(3)
    again()
    monkeypatch.setattr(compile_cache, "compile", lambda *_: pytest.fail("it was compiled again"), raising=False)
    second = made()
    assert repr(second(3)) == repr(first) == "Cell(row=3, text='')"
    assert second(3) == second(3, "") < second(4) and hash(second(3)) == hash(second(3))
    with pytest.raises(dataclasses.FrozenInstanceError):
        second(3).row = 4


def test_a_pattern_finds_the_same_made_and_kept(again) -> None:
    text = "Q3 2024, −Umsätze of 1999"
    found = [tuple(each.groupdict().items()) for each in re.compile(WORDS, re.IGNORECASE).finditer(text)]
    assert len(found) == 4
    for _ in range(2):
        pattern = later(WORDS, re.IGNORECASE)
        assert [tuple(each.groupdict().items()) for each in pattern.finditer(text)] == found
        assert (pattern.pattern, pattern.groups, pattern.flags) == (WORDS, 2, re.compile(WORDS, re.IGNORECASE).flags)
        again()
    with pytest.raises(re.error):
        later("(").search(text)


def test_patterns_of_others_are_kept_too_and_fail_as_ever(again, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(re._compiler, "compile", re._compiler.compile)  # as it was behind this test
    text, anew = "Q3 2024: (432) million; q3 2023: 99", pattern._ANEW(WORDS, re.I)
    pattern.keep_patterns()
    with pytest.raises(re.error, match="unterminated"):
        re.compile("(open")
    re.purge()
    exec("import re; re.compile(WORDS, re.I)", {"WORDS": WORDS})  # as a module does when it is loaded
    again()
    monkeypatch.setattr(pattern, "_code_of", lambda *_: pytest.fail("it was compiled again"))
    re.purge()
    loaded = {"WORDS": WORDS}
    exec("import re; kept = re.compile(WORDS, re.I)", loaded)
    kept = loaded["kept"]
    assert [each.groupdict() for each in kept.finditer(text)] == [each.groupdict() for each in anew.finditer(text)]
    assert re.compile(rb"\d+", re.I).findall(b"a1b22") == [b"1", b"22"]


def test_what_a_sieve_leaves_out_finds_nothing_and_most_is_left_out() -> None:
    texts = ("Q3 sales, per share", "mills (in tons) vs. 2023", "a half-year STRAßE", "fy24", "")
    patterns = [
        *(
            r"per (?:share|unit)\b",
            r"(?<!un)mills?(?= \()",
            r"in (?:tons|kilos?)",
            r"(?:h|half)[- ]year",
            "straße",
            "s{2,}",
        ),
        *(
            r"(?:fy|cy)? ?'?(2[34])\b",
            r"\d+",
            r"(?:a|an)? ?\w+",
            "[vx]s[.]?",
            r"(?:(?:q)[1-4]|quarter) .{0,9}sales",
            "^$",
        ),
    ]
    found = [[at for at, each in enumerate(patterns) if re.search(each, text, re.I)] for text in texts]
    left = [pattern.Sieve(patterns).left_of(text) for text in texts]
    assert all({*one} <= {*other} for one, other in zip(found, left, strict=True))
    assert sum(map(len, left)) <= sum(map(len, found)) + 16 < len(texts) * len(patterns)


def test_patterns_are_written_alike_in_every_process_so_that_each_is_compiled_once() -> None:
    """By whatever order Python goes through sets in."""
    told = (
        "import gc, importlib, pkgutil, tieout, tieout.ontology as ontology, tieout.data.printed as printed\n"
        "for package in (printed, ontology):\n"
        "    for each in pkgutil.walk_packages(package.__path__, f'{package.__name__}.'):\n"
        "        importlib.import_module(each.name)\n"
        "from tieout.data.printed.pattern import _Later\n"
        "print(*sorted(repr(each._written) for each in gc.get_objects() if isinstance(each, _Later)), sep='\\n')"
    )
    one, other = (
        subprocess.run(
            [sys.executable, "-c", told], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout.splitlines()
        for seed in ("1", "2")
    )
    assert one == other and len(one) > 100


def test_a_mark_of_files_changes_with_any_of_them(tmp_path: Path) -> None:
    (tmp_path / "inside" / "__pycache__").mkdir(parents=True)
    file = tmp_path / "inside" / "words.toml"
    file.write_text("one")
    before = compile_cache.files_mark(tmp_path)
    (tmp_path / "inside" / "__pycache__" / "words.kept").write_text("made of it")
    assert compile_cache.files_mark(tmp_path) == before
    file.write_text("other")
    assert compile_cache.files_mark(tmp_path) != before
