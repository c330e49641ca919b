"""A conversation written to a file, whose suffix says in which form: one HTML page, a workbook, Markdown or JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tieout.agent.answers.result import result
from tieout.agent.log.turn import Turn
from tieout.agent.view.reports import Reports
from tieout.data.console import json_text
from tieout.data.files import check_folder, write_whole
from tieout.data.plugins import blamed, load, plugins
from tieout.kg.store.graph import Graph


class SaveError(ValueError):
    """A file in a form that a conversation is not written in, or a conversation without a question."""


def save(path: Path, turns: Sequence[Turn], source: Graph | Reports) -> None:
    """Writes the conversation about source, whole or not at all. Raises SaveError, WriteError, ExportError."""
    form = _form(path)
    check_folder(path)
    if not turns:
        raise SaveError("nothing was asked yet: there is nothing to save")
    write_whole(path, form(turns, source))


def _form(path: Path) -> Callable[[Sequence[Turn], Graph | Reports], str | bytes]:
    """How a file of this name is written: as ours are, or by a package (entry points `tieout.exporters`, each a
    function of turns and what they are about, named as the suffix is). Raises SaveError."""
    suffix = path.suffix.lower()
    if suffix in FORMS:
        return FORMS[suffix]
    found = plugins("exporters")
    if suffix[1:] not in found:
        there = ", ".join([*FORMS, *(f".{name}" for name in found)])
        raise SaveError(f"{str(path)!r} is in no form that a conversation is saved in: {there}")
    form = load("exporters", suffix[1:])

    def written(turns: Sequence[Turn], source: Graph | Reports) -> str | bytes:
        with blamed("exporters", suffix[1:]):
            content = form(turns, source)
            return content if isinstance(content, str) else memoryview(content).tobytes()

    return written


def _html(turns: Sequence[Turn], source: Graph | Reports) -> str:
    from tieout.export.one_page import one_page

    return one_page(turns, source)


def _workbook(turns: Sequence[Turn], source: Graph | Reports) -> bytes:
    from tieout.export.workbook import workbook

    return workbook(turns, source)


def _markdown(turns: Sequence[Turn], source: Graph | Reports) -> str:
    from tieout.export.one_page import markdown

    return markdown(turns, source.document_id)


def _json(turns: Sequence[Turn], _: Graph | Reports) -> str:
    return json_text([result(turn) for turn in turns], indent=2) + "\n"


FORMS: dict[str, Callable[[Sequence[Turn], Graph | Reports], str | bytes]] = {
    ".html": _html,
    ".xlsx": _workbook,
    ".md": _markdown,
    ".json": _json,
}
