"""What the site shows beside the pages of docs/: pages that are kept elsewhere, the measures that are calculated, and a
conversation as `tieout ask --html` writes it. mkdocs calls these functions."""

from __future__ import annotations

import posixpath
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
# What is kept elsewhere, by its name on the site.
BESIDE = {
    "sample.md": "data/sample/README.md",
    "training.md": "eval/training/README.md",
    "changelog.md": "CHANGELOG.md",
    "security.md": "SECURITY.md",
    "shapes.ttl": "kg/shapes.ttl",
}
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")
PAGE = "conversation.html"
QUESTIONS = ("what was free cash flow in 2024?", "and in 2023?", "how much did R&D grow in 2024?")


def on_files(files: Files, config: Any) -> Files:  # noqa: ANN401 - of mkdocs
    """Adds what is kept elsewhere, and the conversation."""
    for name, place in BESIDE.items():
        files.append(File.generated(config, name, content=(ROOT / place).read_text(encoding="utf-8")))
    files.append(File.generated(config, PAGE, content=_conversation()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:  # noqa: ANN401 - of mkdocs
    """The text of a page with links as they are on the site, and what is made where it is to stand."""
    folder = posixpath.dirname(BESIDE.get(page.file.src_uri, f"docs/{page.file.src_uri}"))
    names = {place: name for name, place in BESIDE.items()}

    def on_site(link: re.Match[str]) -> str:
        place = posixpath.normpath(posixpath.join(folder, link[1]))
        return f"]({names.get(place, place.removeprefix('docs/') if place.startswith('docs/') else link[1])}"

    markdown = LINK.sub(on_site, markdown)
    for mark, make in MADE.items():
        markdown = markdown.replace(mark, make()) if mark in markdown else markdown
    return markdown


def _conversation() -> str:
    """A page of `tieout ask --html`. Raises CalledProcessError where tieout fails."""
    with tempfile.TemporaryDirectory() as folder:
        report, target = ROOT / "data" / "sample" / "report.htm", Path(folder) / PAGE
        command = [sys.executable, "-m", "tieout", "ask", str(report), *QUESTIONS, "--html", str(target)]
        subprocess.run([*command, "--store", f"{folder}/store"], check=True, stdout=subprocess.DEVNULL)
        return target.read_text(encoding="utf-8")


def _measures() -> str:
    from tieout.ontology.metrics.line_item import line_items
    from tieout.ontology.metrics.metric import metrics

    lines = ["| measure | asked as | formula | unit | after |", "|---|---|---|---|---|"]
    for each in metrics().values():
        labels = ", ".join(each.labels)
        lines.append(f"| {each.labels[0]} | {labels} | `{each.written}` | {each.unit} | {each.source} |")
    lines += ["", "## Line items", "", "| in formulas | statement | asked as, and printed as |", "|---|---|---|"]
    for item in line_items().values():
        lines.append(f"| `{item.name}` | {item.statement} | {', '.join(item.labels)} |")
    return "\n".join(lines)


def _plugin() -> str:
    """The files of the package that a house may start from, each whole."""
    folder = ROOT / "docs" / "plugin"
    parts = []
    for name in ("pyproject.toml", "tieout_house/measures.toml", "tieout_house/__init__.py"):
        language = "python" if name.endswith(".py") else "toml"
        text = (folder / name).read_text(encoding="utf-8")
        parts.append(f"`{name}`\n\n```{language}\n{text}```")
    return "\n\n".join(parts)


MADE = {
    "<!-- measures -->": _measures,
    "<!-- conversation -->": lambda: f"[It is here]({PAGE}).",
    "<!-- plugin -->": _plugin,
}
