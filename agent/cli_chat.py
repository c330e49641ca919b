"""The command `tieout chat`."""

from __future__ import annotations

import sys
from contextlib import closing, suppress
from typing import Any

import click
from rich.text import Text

from tieout.agent.answers.result import result
from tieout.agent.answers.sheet import printable
from tieout.agent.backends.anthropic_backend import AnthropicBackend
from tieout.agent.backends.choose import DEFAULT
from tieout.agent.cli import BAD_INPUT, open_session, session_options, show_sheet, show_turn, split_words
from tieout.agent.cli_remember import by_a_model, explain, is_remember, kept_by_model, remember_turn
from tieout.agent.protocol.message import Backend
from tieout.agent.session import QuestionError, Session
from tieout.agent.tools.toolbox import Understanding
from tieout.agent.workspace import TurnOver
from tieout.data.console import console, errors, one_line, print_json
from tieout.data.standard_input import words_argument

HELP = "/sheet shows what the last answer rests on, /json the same for machines, /quit (or exit, or Ctrl-D) ends."
LEAVE = frozenset({"/quit", "/exit", "/q", "quit", "exit", ":q", ":quit"})


@click.command()
@words_argument("[FILE]... [ID]")
@click.option("--confirm", is_flag=True, help="Show how a question was understood, and wait for yes or a correction.")
@session_options
def chat(words: tuple[str, ...], confirm: bool, **options: Any) -> None:  # noqa: ANN401 - those of session_options
    """Talk with the reports in FILES, or with those that are kept in the store, or with --data alone; ID tells which
    page of a file."""
    with one_line(*BAD_INPUT):
        files, rest = split_words(words)
        asked = _Confirmation()
        with (
            open_session(files, rest, None, confirm=asked if confirm else None, has_questions=False, **options) as (
                session,
                _,
            ),
            closing(session),
        ):
            _edit_lines()
            said = _Said()
            if isinstance(session.backend, AnthropicBackend):
                session.backend.on_text = said
            shown = f"{printable(session.graph.document_id)}: {session.figures} figures. {HELP}"
            console.print(shown, markup=False, soft_wrap=True)
            while (line := _line("? ")) is not None and line.casefold() not in LEAVE:
                _reply_to(session, line, said)
                while (correction := asked.take()) is not None:
                    _reply_to(session, correction, said)


class _Said:
    """Shows what a language model says while it says it, in lines of its own."""

    def __init__(self) -> None:
        self._in_line = False

    def __call__(self, text: str) -> None:
        shown = "\n".join(map(printable, text.split("\n")))
        console.print(Text(shown, style="dim"), end="", soft_wrap=True)
        self._in_line = not text.endswith("\n")

    def end(self) -> None:
        """Ends the line that is open."""
        if self._in_line:
            console.print()
        self._in_line = False


def _reply_to(session: Session, line: str, said: _Said) -> None:
    last = session.turns[-1] if session.turns else None
    if not line:
        return
    if line in ("/sheet", "/json"):
        if last is None or last.answer is None:
            console.print("There is no answer yet." if last is None else "The last question has no answer.")
        else:
            print_json(result(last)) if line == "/json" else show_sheet(last)
    elif line.startswith("/"):
        console.print(HELP, soft_wrap=True)
    elif heading := is_remember(line):
        turns = len(session.turns)
        if by_a_model(session):
            _ask(session, line, said)
            if kept_by_model(session, turns):
                return
            errors.print("the model kept nothing: the steps as they were, by rule", soft_wrap=True)
        remember_turn(session, heading, _line, turns)
    else:
        _ask(session, line, said, explained=True)


def _ask(session: Session, line: str, said: _Said, explained: bool = False) -> None:
    """Asks a question and shows what comes of it. explained: words that nothing explains are asked for first."""
    try:
        if explained:
            explain(session, line, _line)
        turn = session.ask(line)
        said.end()
        show_turn(turn)
        if turn.clarification is not None and (choice := _choice(turn.clarification.options)):
            show_turn(session.ask(f"{line} ({choice})"))
    except QuestionError as error:
        errors.print(f"tieout: {error}", markup=False, soft_wrap=True)
    except KeyboardInterrupt:
        errors.print("\nstopped; the question was not answered")


def _choice(options: tuple[str, ...]) -> str | None:
    """What the user answers to a question back: a number means one of the options."""
    line = _line("! ")
    if line is not None and line.isdecimal() and 1 <= int(line) <= len(options):
        return options[int(line) - 1]
    return line


class _Confirmation:
    """Asks whether a question was understood as it was meant.

    A language model is told of a correction in the same turn. The offline backend, which reads questions alone, is
    asked what the correction says as the next question of the conversation: it is kept here until it is taken.
    """

    def __init__(self) -> None:
        self._correction: str | None = None

    def __call__(self, backend: Backend, understanding: Understanding) -> str | None:
        """None when the user agrees with the understanding, else the correction.

        Raises TurnOver where there is neither, or where the correction is to be a question of its own.
        """
        console.print(Text(f"understood: {printable(understanding.description)}", style="italic"), soft_wrap=True)
        line = _line("right? (Enter or yes, no, or say what is meant) ")
        said = (line or "").lower().rstrip(".!")
        if line == "" or said in ("y", "yes"):
            return None
        if said in ("n", "no"):
            line = _line("what is meant? ")
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


def _edit_lines() -> None:
    """Arrow keys and earlier lines for whoever types at a terminal, where Python has readline."""
    if _typed():
        with suppress(ImportError):
            import readline  # noqa: F401 - `input` uses it once it is imported


def _typed() -> bool:
    return sys.stdin.isatty() and console.is_terminal


def _line(prompt: str) -> str | None:
    """A line that the user types; None at the end of the input."""
    while True:
        try:
            # readline has to know the prompt, or the first arrow key would wipe it out.
            return (input(prompt) if _typed() else console.input(Text(prompt, style="bold cyan"))).strip()
        except UnicodeDecodeError:
            errors.print("tieout: this is not valid text: type it again")
        except EOFError:
            console.print()
            return None
