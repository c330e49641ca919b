"""A conversation from Python about files, or about the reports that are kept: what `tieout.open` gives."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from tieout.agent.answers.answer import Answer
from tieout.agent.log.turn import Turn
from tieout.agent.session import Session
from tieout.export.save import save


class ClosedError(ValueError):
    """A conversation that is closed, of which something is asked."""


class Talk:
    """A conversation: `.ask(question)` answers one turn. Closed by `close()` or at the end of a `with`."""

    def __init__(self, session: Session, resources: ExitStack) -> None:
        self.session, self._resources = session, resources
        self._is_closed = False

    def __repr__(self) -> str:
        return repr(self.session).replace("Session(", "Talk(", 1)

    def _repr_html_(self) -> str:
        """What a notebook shows: the conversation so far."""
        return self.session._repr_html_()

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def ask(self, question: str) -> Answer:
        """Answers a question; the answer says by its outcome what became of it. Raises QuestionError, ClosedError."""
        if self._is_closed:
            raise ClosedError("the talk is closed, and answers no more: open another with tieout.open")
        return self.session.ask(question)

    def undo(self) -> Turn | None:
        """Takes the last question back, as if it had not been asked; None where there is none."""
        return self.session.undo()

    @property
    def turns(self) -> list[Answer]:
        """What was asked so far, with the answers."""
        return [Answer.of(turn) for turn in self.session.turns]

    def save(self, path: str | Path) -> None:
        """Writes the conversation as .html, .xlsx, .md or .json. Raises SaveError, WriteError, ExportError."""
        save(Path(path), self.session.turns, self.session.graph)

    def close(self) -> None:
        """Lets go of the store and its index."""
        self._is_closed = True
        self._resources.close()
