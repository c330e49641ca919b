"""What a notebook shows of answers: each with its tree, as HTML without a script; figures carry their places."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from rich.tree import Tree

from tieout.agent.answers.chart import chart_of
from tieout.agent.answers.readings import doubt, readings
from tieout.agent.answers.sheet import tree
from tieout.agent.log.turn import Turn
from tieout.data.markup import MUTED, NO_FORMULAS, muted_html, safe_html
from tieout.data.output.chart import can_draw, inline_svg

LIST = "list-style:none;margin:0;padding-left:1.2em;border-left:1px solid"


def turns_html(turns: Sequence[Turn]) -> str:
    """A conversation, turn by turn."""
    return "".join(map(turn_html, turns)) or muted_html("nothing was asked yet")


def turn_html(turn: Turn) -> str:
    """The question, the answer in bold, or its readings where its own backend doubts it, what is odd, and the tree."""
    question = muted_html(turn.question)
    if turn.clarification is not None:
        options = "".join(f"<li>{safe_html(option)}</li>" for option in turn.clarification.options)
        return (
            f"<div {NO_FORMULAS}>{question}<div>{safe_html(turn.clarification.question)}</div><ol>{options}</ol></div>"
        )
    if turn.text is None:
        return (
            f"<div {NO_FORMULAS}>{question}<div>{safe_html(f'no answer ({turn.outcome}): {turn.message}')}</div></div>"
        )
    answer = f"<b>{safe_html(turn.text)}</b>"
    if read := readings(turn):
        answer = f"{safe_html(doubt(turn))}<ol>{''.join(f'<li>{safe_html(each)}</li>' for each in read)}</ol>"
    sure = "" if turn.probability is None else f"probability of being right {turn.probability:.0%}"
    flags = "".join(muted_html(f"{flag.rule}: {flag.message}") for flag in turn.flags)
    drawn, chart = tree(turn), chart_of(turn)
    picture = f"<div>{inline_svg(chart)}</div>" if chart is not None and can_draw() else ""
    below = f"{muted_html(sure)}{flags}{picture}{_list(drawn) if drawn else ''}"
    return f"<div {NO_FORMULAS}>{question}<div>{answer}</div>{below}</div>"


def _list(root: Tree) -> str:
    """A tree as a list in lists, however deep it goes."""
    parts: list[str] = []
    waiting: list[Tree | str] = ["</ul>", root, f'<ul style="{LIST}">']
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            parts.append(part)
            continue
        parts.append(f"<li>{_label(part)}")
        waiting.append("</li>")
        if part.children:
            waiting += ["</ul>", *reversed(part.children), f'<ul style="{LIST}">']
    return "".join(parts)


def _label(branch: Tree) -> str:
    text = branch.label.plain if isinstance(branch.label, Text) else str(branch.label)
    value, _, words = text.partition("  ")
    return f'{safe_html(value)} <span style="{MUTED}">{safe_html(words)}</span>'
