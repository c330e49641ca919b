"""A turn as whoever asked it sees it in Python: the answer at hand, its tree, its JSON, and what a notebook shows.

answer = tieout.open("10k.htm").ask("what was operating income in 2024?")
answer.value, answer.unit, answer.probability
print(answer.tree())
"""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal
from functools import cached_property
from typing import Any

from tieout.agent.answers.notebook import turn_html
from tieout.agent.answers.result import result, told_unit
from tieout.agent.answers.sheet import plain_text
from tieout.agent.ledger.ledger import Words
from tieout.agent.log.turn import Turn
from tieout.data.console import json_text
from tieout.data.document import brief
from tieout.data.markup import safe_html


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
