"""How pages look: space, type, corners and lines of all sheets are steps of one scale, and paper is light."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

import tieout
from tieout.data.output.look import look
from tieout.kg.companies.output.page import write_html

CSV = "In millions,2013,2012\nnet sales,$ 70,$ 60\nnet income,$ 7,$ 5\n"
SCALED = re.compile(r"(scroll-)?(margin|padding)(-[a-z-]+)?|(row-|column-)?gap|(font|border|outline)(-[a-z-]+)?")
DECLARED = re.compile(r"(?<![\w-])([a-z-]+):([^;{}]+)[;}]")
LENGTH = re.compile(r"(?<![\w#.-])-?\d*\.?\d+(?:rem|em|px|pt|vh|vw|ch|%)")


@pytest.fixture(scope="module")
def sheets(tmp_path_factory) -> dict[str, str]:
    """The sheets of the pages that are served, and of those that are saved."""
    folder = tmp_path_factory.mktemp("saved")
    (folder / "figures.csv").write_text(CSV)
    with tieout.open(folder / "figures.csv") as talk:
        talk.ask("what were net sales in 2013 and 2012?")
        talk.save(folder / "talk.html")
    pages = {"conversation": (folder / "talk.html").read_text(), "companies": write_html([], "company")}
    assets = (files("tieout.serve") / "assets").iterdir()
    found = {each.name: each.read_text() for each in assets if each.name.endswith(".css")}
    assert len(found) == 4
    for name, page in pages.items():
        (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
        assert style.startswith(look()), name
        found[name] = style
    return {"look.css": look(), **found}


def test_space_type_corners_and_lines_are_steps_of_one_scale(sheets):
    offenders = [
        f"{name}: {said}: {value.strip()}"
        for name, sheet in sheets.items()
        for said, value in DECLARED.findall(re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL))
        if SCALED.fullmatch(said) and LENGTH.search(value)
    ]
    assert offenders == []


def test_the_scales_are_short_and_every_step_is_used(sheets):
    steps = re.findall(r"--((?:space|round)-\d|small|less|text|more|large|thin|thick|broad|pill):", look())
    assert len(steps) == len(set(steps)) == 8 + 3 + 5 + 3 + 1
    used = set(re.findall(r"var\(--([\w-]+)\)", "".join(sheets.values())))
    known = set(re.findall(r"--([\w-]+):", "".join(sheets.values())))
    assert set(steps) <= used and used <= known


def test_paper_is_light_whatever_the_screen_is(sheets):
    for name, sheet in sheets.items():
        dark = [each for each in re.findall(r"@media ([^{]*)\{", sheet) if "dark" in each]
        assert all(each.startswith("screen and ") for each in dark), name
