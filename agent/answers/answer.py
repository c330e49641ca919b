"""A turn as whoever asked it sees it in Python: the answer at hand, its tree, its JSON, and what a notebook shows.

answer = tieout.open("10k.htm").ask("what was operating income in 2024?")
answer.value, answer.unit, answer.probability
print(answer.tree())
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from decimal import Decimal
from functools import cached_property
from typing import Any

from rich.text import Text
from rich.tree import Tree

from tieout.agent.answers.chart import chart_of
from tieout.agent.answers.result import doubt, readings, result, told_unit
from tieout.agent.answers.sheet import plain_text, tree
from tieout.agent.ledger.ledger import Words
from tieout.agent.log.turn import Turn
from tieout.data.console import json_text
from tieout.data.document import brief
from tieout.data.markup import MUTED, NO_FORMULAS, muted_html, safe_html
from tieout.data.output.chart import can_draw, inline_svg

LIST = "list-style:none;margin:0;padding-left:1.2em;border-left:1px solid"


class Sheet(str):
    """A tie-out sheet as text: it shows itself as it is drawn, also where a notebook or a prompt shows a value."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{'<br>'.join(map(safe_html, self.splitlines()))}</pre>"


class Answer(Turn):
    """What came of a question: see `Turn` for its fields; `text` is the answer as shown, None where there is none."""

    @classmethod
    def of(cls, turn: Turn) -> Answer:
        """The same turn, to be looked at."""
        return turn if isinstance(turn, cls) else cls(**{each.name: getattr(turn, each.name) for each in fields(turn)})

    def __repr__(self) -> str:
        came = self.outcome if self.text is None else brief(self.text)
        sure = "" if self.probability is None else f", {self.probability:.0%}"
        return f"Answer({brief(self.question)}, {came}{sure})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the answer with its tree, how sure it is, and what is odd."""
        return turn_html(self)

    @property
    def value(self) -> Decimal | bool | str | None:
        """The answer as it is held, at its scale; None where there is none, or it is no single value."""
        if self.answer is None:
            return None
        return self.answer.value.text if isinstance(self.answer.value, Words) else self.answer.value

    @property
    def unit(self) -> str | None:
        """`USD`, `percent`, ...; None where none is known."""
        return told_unit(self.answer)

    @property
    def scale(self) -> int | None:
        """What the value counts in: 1000000 of an answer in millions; None where there is no number."""
        return None if self.answer is None or not isinstance(self.answer.value, Decimal) else self.answer.scale

    @property
    def places(self) -> list[dict[str, Any]]:
        """The printed figures that the answer rests on: fact, place, raw, about, period."""
        found: list[dict[str, Any]] = self._result["places"]
        return found

    def tree(self) -> Sheet:
        """The tie-out sheet: every operation, every figure with its cell or sentence; "" without an answer."""
        return Sheet(plain_text(self))

    def to_dict(self) -> dict[str, Any]:
        """The answer with the keys of `tieout ask --json`, which docs/json.md describes; amounts as Decimal."""
        return dict(self._result)

    def to_json(self) -> str:
        """The text that `tieout ask --json` prints."""
        return json_text(self._result, indent=2)

    @cached_property
    def _result(self) -> dict[str, Any]:
        return result(self)


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
    picture = f"<div>{inline_svg([chart])}</div>" if chart is not None and can_draw() else ""
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
