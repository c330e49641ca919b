"""What the site shows beside the pages of docs/: pages that are kept elsewhere, the measures that are calculated, and a
conversation as `tieout ask --html` writes it. mkdocs calls these functions."""

from __future__ import annotations

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
    "shapes.ttl": "kg/shapes.ttl",
}
PAGE = "conversation.html"
QUESTIONS = ("what was free cash flow in 2024?", "and in 2023?", "how much did R&D grow in 2024?")


def on_files(files: Files, config: Any) -> Files:  # noqa: ANN401 - of mkdocs
    """Adds what is kept elsewhere, and the conversation."""
    for name, place in BESIDE.items():
        text = (ROOT / place).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=re.sub(r"\]\((?:\.\./)*docs/", "](", text)))
    files.append(File.generated(config, PAGE, content=_conversation()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:  # noqa: ANN401 - of mkdocs
    """The text of a page with links as they are on the site, and what is made where it is to stand."""
    for name, place in BESIDE.items():
        markdown = markdown.replace(f"](../{place}", f"]({name}")
    for mark, make in (("<!-- measures -->", _measures), ("<!-- conversation -->", lambda: f"[It is here]({PAGE}).")):
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
