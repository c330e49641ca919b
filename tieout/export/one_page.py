"""A conversation as one HTML file that needs nothing else, or as Markdown: each answer, and the source beside it."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path

from tieout.agent.answers.chart import chart_of
from tieout.agent.answers.checks.check import is_unsure
from tieout.agent.answers.grid import grid_of
from tieout.agent.answers.result import doubt, pictures, readings
from tieout.agent.answers.sheet import plain_text
from tieout.agent.ledger.ledger import Entry, FromFact
from tieout.agent.log.turn import Turn
from tieout.agent.tools.prose import CITED, SENTENCE
from tieout.agent.view.reports import Reports
from tieout.data.console import printable
from tieout.data.output.chart import WIDE, can_draw, page_svg
from tieout.data.output.look import look
from tieout.data.printed.pattern import later
from tieout.eval.show.nodes import make_nodes, tops
from tieout.kg.store.graph import Graph
from tieout.printed import Printed, printed_under

MOST_BYTES = 8 * 1024 * 1024  # of a picture in a page
PNG = b"\x89PNG\r\n\x1a\n"
STYLE = """
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: var(--text)/1.5 var(--sans); }
header { padding: var(--space-5) var(--space-7); background: var(--card); border-bottom: var(--thin) solid var(--line);
}
h1 { margin: 0; font-size: var(--more); overflow-wrap: anywhere; }
h2 { margin: 0 0 var(--space-4); font-size: var(--text); color: var(--muted); }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
section, aside { padding: var(--space-7); }
article { background: var(--card); border: var(--thin) solid var(--line); border-radius: var(--round-3);
  margin-bottom: var(--space-6); padding: var(--space-5) var(--space-6); overflow-wrap: anywhere; }
p { margin: var(--space-4) 0; }
.answer { font-size: var(--large); font-weight: 700; line-height: 1.3; } .muted { color: var(--muted); }
ul { list-style: none; padding-left: var(--space-5); border-left: var(--thick) solid var(--line);
  margin: var(--space-4) 0; }
ul ul { margin: var(--space-2) 0; }
a { color: var(--accent); }
.scroll { overflow: auto; margin: 0 0 var(--space-7); background: var(--card); border: var(--thin) solid var(--line);
  border-radius: var(--round-3); }
table { border-collapse: collapse; width: 100%; font-size: var(--less); font-variant-numeric: tabular-nums; }
td, th { border-top: var(--thin) solid var(--line); padding: var(--space-2) var(--space-5); text-align: right; }
tr:first-child > * { border-top: 0; }
td:first-child, th:first-child { text-align: left; } td[colspan] { text-align: center; }
.lit { background: var(--lit); color: inherit; font-weight: 600; }
:target { background: var(--strong); outline: var(--thick) solid var(--accent); }
article > ul { padding-left: 0; border-left: 0; }
figure { margin: var(--space-5) 0; } svg, img { max-width: 100%; height: auto; } img { background: #fff; }
aside { position: sticky; top: 0; max-height: 100vh; overflow: auto; border-left: var(--thin) solid var(--line); }
@media (max-width: 800px) {
  main { grid-template-columns: minmax(0, 1fr); } header, section, aside { padding-inline: var(--space-6); }
  aside { position: static; max-height: none; border-left: 0; }
}
@media print {
  body, article { background: none; } aside { position: static; max-height: none; overflow: visible; border-left: 0; }
  article, tr { break-inside: avoid; } .scroll { overflow: visible; }
}
"""
NAME = later(SENTENCE)
FIGURE = later(r"\s*\[(?:[a-z0-9]+:)?t\d+r\d+c\d+[a-z]*\]")  # the name of a cell, which its way below leads to
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def one_page(turns: Sequence[Turn], source: Graph | Reports, title: str = "") -> str:
    """The HTML file. Figures of answers are links to their cells; there is no script in it. title: of the
    conversation; where it has none, what is asked stands at its head."""
    blocks = printed_under(turns, source)
    shown = {name for block in blocks for name in _names(block)}
    said = "".join(_turn(turn, shown) for turn in turns)
    about = escape(source.document_id)
    head = f'<h1>{_safe(title)}</h1><span class="muted">{about}</span>' if title else f"<h1>{about}</h1>"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_safe(title) or about}: tieout</title><style>{look()}{STYLE}</style></head>"
        f"<body><header>{head}</header>"
        f'<main><section aria-label="Conversation">{said}</section>'
        f'<aside aria-label="Source" tabindex="0">{"".join(map(_block, blocks))}</aside></main></body></html>\n'
    )


def _names(block: Printed) -> list[str]:
    return [name for names in block.lit.values() for name in names] + [name for _, _, name in block.spans]


def _turn(turn: Turn, shown: set[str]) -> str:
    head = f"<article><h2>{_safe(turn.question)}</h2>"
    if turn.text is None:
        said = turn.clarification.question if turn.clarification else f"No answer ({turn.outcome}): {turn.message}"
        return f'{head}<p class="answer">{_safe(said)}</p>{_drawn(turn)}</article>'
    doubted = bool(readings(turn))  # which says how sure it is, and what else may be meant
    is_told = turn.probability is not None and not doubted
    sure = f'<p class="muted">probability of being right {turn.probability:.0%}</p>' if is_told else ""
    told = [flag for flag in turn.flags if not (doubted and flag.rule == "unsure")]
    flags = "".join(f"<li>{_safe(f'{flag.rule}: {flag.message}')}</li>" for flag in told)
    nodes = make_nodes(turn)
    strong = "span" if is_unsure(turn.probability) else "b"
    tree = "".join(_tree(nodes, top, shown, set(), strong) for top in tops(nodes)) + _cited(turn, shown)
    return (
        f"{head}{_answer(turn, turn.text, shown)}{sure}"
        f"{f'<ul>{flags}</ul>' if flags else ''}{_table(turn, shown)}{_chart(turn, shown)}"
        f"<ul>{tree}</ul>{_drawn(turn)}</article>"
    )


def _answer(turn: Turn, text: str, shown: set[str]) -> str:
    """The answer in large letters; one that is doubted as one reading among others."""
    if not (read := readings(turn)):
        return f'<p class="answer">{_linked(text, shown)}</p>'
    listed = "".join(f"<li>{_linked(FIGURE.sub('', each), shown)}</li>" for each in read)
    return f'<p class="doubt">{_safe(doubt(turn))}</p><ol>{listed}</ol>'


def _table(turn: Turn, shown: set[str]) -> str:
    """A table of figures with rows and columns by name, each figure a link to its cell."""
    grid = grid_of(turn)
    if grid is None or len(grid.columns) < 2:
        return ""
    unit, read = grid.shown(turn.format)
    head = "".join(f"<th>{_safe(name)}</th>" for name in (unit, *grid.columns))
    rows = "".join(
        f"<tr><th>{_safe(name)}</th>{''.join(map(partial(_figure, shown), row, said))}</tr>"
        for name, row, said in zip(grid.rows, grid.cells, read, strict=True)
    )
    return f'<div class="scroll" tabindex="0"><table><tr>{head}</tr>{rows}</table></div>'


def _figure(shown: set[str], entry: Entry | None, said: str) -> str:
    fact = entry.source.fact if entry is not None and isinstance(entry.source, FromFact) else ""
    return f'<td><a href="#{_safe(fact)}">{_safe(said)}</a></td>' if fact in shown else f"<td>{_safe(said)}</td>"


def _chart(turn: Turn, shown: set[str]) -> str:
    """The chart of an answer, its bars links to their cells; none where nothing is there that draws."""
    chart = chart_of(turn)
    if chart is None or not can_draw():
        return ""
    links = (tuple(link if link[1:] in shown else "" for link in each.links) for each in chart.series)
    series = tuple(replace(each, links=linked) for each, linked in zip(chart.series, links, strict=True))
    return f"<figure>{page_svg(replace(chart, series=series), WIDE)}</figure>"


def _drawn(turn: Turn) -> str:
    """The pictures of a turn, in the page itself."""
    return "".join(
        f'<figure><img alt="{_safe(picture.about)}" src="{source}"></figure>'
        if (source := _embedded(picture.png))
        else f'<p class="muted">{_safe(f"the picture {picture.png} is not there any more")}</p>'
        for picture in pictures(turn)
    )


def _embedded(png: Path) -> str | None:
    """A PNG as a `data:` URI; None where the file is not there any more, or is none."""
    try:
        with png.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError:
        return None
    if not data.startswith(PNG) or len(data) > MOST_BYTES:
        return None
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def _cited(turn: Turn, shown: set[str]) -> str:
    """The sentences that an answer quotes or cites, each a link to where it stands."""
    cited = [item for item in turn.items if item.sentence is not None]
    return "".join(
        f'<li>“{_safe(item.text)}” <span class="muted">{_linked(f"[{item.sentence}]", shown)}</span></li>'
        for item in cited
    )


def _linked(text: str, shown: set[str]) -> str:
    """Text in which `[s340]` is a link to the sentence, where that is shown."""

    def link(match: re.Match[str]) -> str:
        return f'<a href="#{match[0]}">{match[0]}</a>' if match[0] in shown else match[0]

    return CITED.sub(lambda cited: NAME.sub(link, cited[0]), _safe(text))


def _tree(nodes: Sequence[dict[str, object]], at: int, shown: set[str], seen: set[int], strong: str) -> str:
    """A figure and what it is made from. strong: the element of what is calculated, bold unless it is doubted."""
    node = nodes[at]
    below: list[int] = node["from"]  # type: ignore[assignment]
    again = at in seen and bool(below)
    seen.add(at)
    value = _safe(str(node["shown"]))
    fact = str(node["fact"] or "")
    value = f'<a href="#{_safe(fact)}">{value}</a>' if fact in shown else f"<{strong}>{value}</{strong}>"
    words = ": ".join(part for part in (str(node["about"]) if fact else "", str(node["how"])) if part)
    inside = (
        "" if again or not below else f"<ul>{''.join(_tree(nodes, each, shown, seen, strong) for each in below)}</ul>"
    )
    return f'<li>{value} <span class="muted">{_safe(words)}{", as above" if again else ""}</span>{inside}</li>'


def _block(block: Printed) -> str:
    title = f"<h2>{_safe(' > '.join(part for part in (block.report, block.title) if part))}</h2>"
    if block.spans:
        return f"{title}<p>{_sentence(block)}</p>"
    rows = "".join(
        f"<tr>{''.join(_cell(text, wide, block.lit.get((r, c), ())) for c, wide, text in block.cells(r))}</tr>"
        for r in range(len(block.rows))
    )
    return f'{title}<div class="scroll" tabindex="0"><table>{rows}</table></div>'


def _cell(text: str, wide: int, names: Sequence[str]) -> str:
    """A cell over so many columns; names: of the figures in it. What has no letter stays in one line."""
    text = text if any(map(str.isalpha, text)) else text.replace(" ", "\u00a0")
    if not names:
        return f'<td colspan="{wide}">{_safe(text)}</td>' if wide > 1 else f"<td>{_safe(text)}</td>"
    others = "".join(f'<span id="{_safe(name)}"></span>' for name in names[1:])
    return f'<td class="lit" id="{_safe(names[0])}">{others}{_safe(text)}</td>'


def _sentence(block: Printed) -> str:
    text, at, parts = block.rows[0][0], 0, []
    for start, end, name in block.spans:
        if start >= at:
            parts += [_safe(text[at:start]), f'<mark class="lit" id="{_safe(name)}">{_safe(text[start:end])}</mark>']
            at = end
    return "".join([*parts, _safe(text[at:])])


def _safe(text: str) -> str:
    """Text as HTML, in which a space that holds a line together stays."""
    return escape("\u00a0".join(map(printable, text.split("\u00a0"))))


def markdown(turns: Sequence[Turn], about: str) -> str:
    """The conversation as Markdown: questions as headings, answers in bold unless they are doubted, tie-out sheets."""
    parts = [f"# {_plain(about)}"]
    for turn in turns:
        parts.append(f"## {_plain(turn.question)}")
        if turn.text is None:
            said = turn.clarification.question if turn.clarification else f"No answer ({turn.outcome}): {turn.message}"
            parts.append(_plain(said))
            continue
        sure = "" if turn.probability is None else f" (probability of being right {turn.probability:.0%})"
        if read := readings(turn):
            parts += [_plain(doubt(turn)), "\n".join(f"{at}. {_plain(each)}" for at, each in enumerate(read, start=1))]
        else:
            parts.append(f"**{_plain(turn.text)}**{sure}")
        parts += [f"- {_plain(f'{flag.rule}: {flag.message}')}" for flag in turn.flags]
        parts += _rows(turn)
        parts.append("\n".join(f"    {printable(line)}" for line in plain_text(turn).splitlines()))
        parts += [f"![{_plain(picture.about)}](<{picture.png}>)" for picture in pictures(turn)]
    return "\n\n".join(parts) + "\n"


def _rows(turn: Turn) -> list[str]:
    """A table of figures as Markdown has it."""
    grid = grid_of(turn)
    if grid is None or len(grid.columns) < 2:
        return []
    unit, read = grid.shown(turn.format)
    lines = [(unit, *grid.columns), ("---",) * (len(grid.columns) + 1)]
    lines += [(name, *row) for name, row in zip(grid.rows, read, strict=True)]
    return ["\n".join(f"| {' | '.join(each if each == '---' else _plain(each) for each in line)} |" for line in lines)]


def _plain(text: str) -> str:
    """Text as Markdown shows it: its own signs escaped, and `$`, between two of which many take formulas."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|!$" else sign for sign in printable(text))
