"""Lines that a user types: at a terminal with arrow keys, history and Tab; from a pipe one by one. What is
understood is confirmed so."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from tieout.agent.backends.choose import DEFAULT
from tieout.agent.protocol.message import Backend
from tieout.agent.tools.toolbox import Understanding
from tieout.agent.workspace import TurnOver
from tieout.data.console import console, errors, printable

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import History

HISTORY = Path(".tieout/chat-history")
HOW_TO_END = "/quit or Ctrl-D ends"


Asked = Callable[[str], str | None]


class Lines:
    """Asks for lines. history: the file in which what was asked is kept; words: what Tab completes."""

    def __init__(self, history: Path = HISTORY, words: Sequence[str] = ()) -> None:
        self._file, self._words = history, words

    def question(self) -> str | None:
        """The next question or command, in one line however many were pasted; None at the end of the input.

        At a terminal Ctrl-C clears the line: it is "" then.
        """
        if not is_typed():
            return _piped("? ")
        try:
            return " ".join(self._editor.prompt("? ").split())
        except EOFError:
            return None
        except KeyboardInterrupt:
            if not self._editor.default_buffer.text:
                console.print(HOW_TO_END, style="dim")
            return ""

    def reply(self, prompt: str) -> str | None:
        """An answer to a question of ours, which no history keeps; None where there is none, after Ctrl-C too."""
        if not is_typed():
            return _piped(prompt)
        from prompt_toolkit import prompt as ask

        try:
            return " ".join(ask(prompt).split())
        except (EOFError, KeyboardInterrupt):
            return None

    @cached_property
    def _editor(self) -> PromptSession[str]:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter

        words = WordCompleter(list(self._words), sentence=True)
        return PromptSession(history=self._history(), completer=words, complete_while_typing=False)

    def _history(self) -> History:
        """Lines of earlier conversations too, where their file can be written."""
        from prompt_toolkit.history import FileHistory, InMemoryHistory

        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a"):
                self._file.chmod(0o600)  # questions may be about what is not public yet
        except OSError:
            return InMemoryHistory()
        return FileHistory(str(self._file))


def is_typed() -> bool:
    """Whether somebody sits at a terminal."""
    return sys.stdin.isatty() and console.is_terminal


def _piped(prompt: str) -> str | None:
    """A line of standard input."""
    while True:
        try:
            line = console.input(Text(prompt, style="bold cyan")).strip()
            line.encode()  # bytes that are no text may come as half letters
            if not sys.stdin.isatty():  # which shows what is typed itself: what follows begins a line of its own
                console.print(line, markup=False, soft_wrap=True)
            return line
        except UnicodeError:
            errors.print("tieout: this is not valid text: type it again")
        except EOFError:
            console.print()
            return None


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
