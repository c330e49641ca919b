"""Asks a user whether a question was understood as it was meant."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from tieout.agent.backends.choose import DEFAULT
from tieout.agent.protocol.message import Backend
from tieout.agent.tools.toolbox import Understanding
from tieout.agent.workspace import TurnOver
from tieout.data.console import console, printable

Asked = Callable[[str], str | None]


class Confirmation:
    """Asks, and keeps a correction.

    A language model is told of a correction in the same turn. The offline backend, which reads questions alone, is
    asked what the correction says as the next question of the conversation: it is kept here until it is taken.
    """

    def __init__(self, ask: Asked) -> None:
        self._ask = ask
        self._correction: str | None = None

    def __call__(self, backend: Backend, understanding: Understanding) -> str | None:
        """None when the user agrees with the understanding, else the correction.

        Raises TurnOver where there is neither, or where the correction is to be a question of its own.
        """
        console.print(Text(f"understood: {printable(understanding.description)}", style="italic"), soft_wrap=True)
        line = self._ask("right? (Enter or yes, no, or say what is meant) ")
        said = (line or "").lower().rstrip(".!")
        if line == "" or said in ("y", "yes"):
            return None
        if said in ("n", "no"):
            line = self._ask("what is meant? ")
        if not line:
            raise TurnOver("dropped", "the question was neither confirmed nor corrected")
        if backend.name != DEFAULT:
            return line
        self._correction = line
        raise TurnOver("dropped", f"asked again as it is meant: {line}")

    def take(self) -> str | None:
        """What is to be asked instead of the last question, once."""
        correction, self._correction = self._correction, None
        return correction
