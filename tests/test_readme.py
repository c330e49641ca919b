"""Every command that the README and the documents show is run, and has to print what they show.

`python tests/documents.py` writes into them what the commands print now.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT
from documents import DOCUMENTS, chains, clone, examples, pattern, printed, with_examples

from tieout.agent.answers.checks.check import RULES

LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)(#[^)]*)?\)")
RATE = re.compile(r"\d+(?:\.\d+)?%(?= \()|(?<=\()\d+(?:\.\d+)? to \d+(?:\.\d+)?(?=\))")
MOST_LINES = 200  # of a README that is read


def test_the_documents_show_examples():
    assert {path.name for path in with_examples()} >= {"README.md", "graph.md", "evaluation.md", "sparql.md"}
    assert sum(len(examples(path)) for path in with_examples()) >= 25
    assert "@@" not in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("chain", chains().values(), ids=chains().keys())
def test_the_commands_of_a_document_print_what_it_shows(chain):
    with clone():
        for command, expected in chain:
            text = printed(command)
            assert "bash:" not in text and "Traceback" not in text, f"$ {command}\nprints:\n{text}"
            assert pattern(expected).fullmatch(text), f"$ {command}\nprints:\n{text}\n\nshown is:\n{expected}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_what_a_document_links_to_is_there(path):
    for target, _ in LINK.findall(path.read_text()):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_the_site_has_every_document_in_its_list_of_pages():
    listed = re.findall(r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M)
    assert len(listed) == len(set(listed)) and {path.name for path in DOCUMENTS[1:]} <= set(listed)


def test_the_readme_is_short_and_leads_to_every_document():
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= MOST_LINES
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        path = waiting.pop()
        links = {(path.parent / target).resolve() for target, _ in LINK.findall(path.read_text(encoding="utf-8"))}
        new = {each for each in links if each.suffix == ".md"} - reached
        reached |= new
        waiting += new
    assert set(DOCUMENTS[1:]) <= reached


def test_every_figure_of_what_to_expect_stands_where_it_is_said_how_it_was_measured():
    readme = (ROOT / "README.md").read_text()
    shown = RATE.findall(readme.split("## What to expect")[1].split("\n## ")[0])
    measured = "".join((ROOT / "docs" / f"{name}.md").read_text() for name in ("evaluation", "companies"))
    assert len(shown) >= 15
    assert not [rate for rate in shown if rate not in measured]


def test_the_rules_of_the_checks_are_told_as_they_are():
    text = (ROOT / "docs" / "asking.md").read_text()
    assert all(text.count(f"| {rule.name} | {rule.points} | {rule.says} |") == 1 for rule in RULES)
