"""The command `tieout chat`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Any

import click
from rich.text import Text

from tieout.agent.backends.endpoint import Endpoint
from tieout.agent.opening import NO_REPORT
from tieout.agent.options import Options, session_options
from tieout.agent.session import QuestionError, Session, refuse_faulty
from tieout.cli_ask import BAD_INPUT, open_session, split_words
from tieout.cli_remember import by_a_model, explain, is_remember, kept_by_model, remember_turn
from tieout.data.console import console, errors, one_line, printable
from tieout.data.document import counted
from tieout.data.standard_input import words_argument
from tieout.terminal.commands import HELP, LEAVE, SHORT_HELP, Commands
from tieout.terminal.lines import Confirmation, Lines
from tieout.terminal.turns import show_turn

Asked = Callable[[str], str | None]


@click.command()
@words_argument("[FILE]... [ID]")
@click.option("--confirm", is_flag=True, help="Show how a question was understood, and wait for yes or a correction.")
@session_options
def chat(words: tuple[str, ...], confirm: bool, **options: Any) -> None:  # noqa: ANN401 - those of session_options
    """Talk with the reports in FILES, or with those that are kept in the store, or with --data alone; ID tells which
    page of a file.

    /help lists what can be typed besides questions. At a terminal the arrow keys edit a line and bring back earlier
    ones, which .tieout/chat-history keeps; Ctrl-C clears the line, and several lines that are pasted are one question.
    """
    with one_line(*BAD_INPUT), ExitStack() as opened:
        files, rest = split_words(words)
        chosen = Options.of(**options, may_keep=True)
        lines = Lines(words=[name.partition(" ")[0] for name in HELP])
        confirmed = Confirmation(lines.reply)
        session, _ = opened.enter_context(
            open_session(files, rest, chosen, confirm=confirmed if confirm else None, has_questions=False)
        )
        commands = Commands(session, chosen.log, opened.enter_context(ExitStack()))
        opened.enter_context(closing(session))
        said = _Said()
        if isinstance(session.backend, Endpoint):
            session.backend.on_text = said
        about = f"{printable(session.graph.document_id)}: {session.figures} figures"
        if session.graph.document_id == NO_REPORT and session.bench is not None:
            about = f"{counted(len(session.bench.schema), 'table')} of data, no report"
        shown = f"{about}. {SHORT_HELP}"
        console.print(shown, markup=False, soft_wrap=True)
        line = lines.question()
        while line is not None and line.casefold() not in LEAVE:
            next_line = None
            if heading := is_remember(line):
                next_line = _remember(session, line, heading, said, lines.reply)
            elif line and not commands.run(line):
                next_line = _reply_to(session, line, said, lines.reply)
                while (correction := confirmed.take()) is not None:
                    next_line = _reply_to(session, correction, said, lines.reply)
            line = next_line or lines.question()


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


def _remember(session: Session, line: str, heading: str, said: _Said, ask: Asked) -> str | None:
    """Keeps what was worked out as a recipe: a model writes its general form, or it is found by rule."""
    turns = len(session.turns)
    if by_a_model(session):
        next_line = _reply_to(session, line, said, ask, explained=True)
        if next_line is not None or kept_by_model(session, turns):
            return next_line
        errors.print("the model kept nothing: the steps as they were, by rule", soft_wrap=True)
    remember_turn(session, heading, ask, turns)
    return None


def _reply_to(session: Session, line: str, said: _Said, ask: Asked, explained: bool = False) -> str | None:
    """Answers a question; a command that is typed in place of a choice is given back. explained: no word is asked."""
    try:
        refuse_faulty(line)
        if not explained:
            explain(session, line, ask)
        turn = session.ask(line)
        said.end()
        show_turn(turn)
        if turn.clarification is not None and (choice := _choice(turn.clarification.options, ask)):
            if choice.startswith("/") or choice.casefold() in LEAVE:
                return choice
            show_turn(session.ask(f"{line} ({choice})"))
    except QuestionError as error:
        errors.print(f"tieout: {error}", markup=False, soft_wrap=True)
    except KeyboardInterrupt:
        errors.print("\nstopped; the question was not answered")
    return None


def _choice(options: tuple[str, ...], ask: Asked) -> str | None:
    """What the user answers to a question back: a number means one of the options."""
    line = ask("which one? (a number, or in other words) " if options else "what is meant? ")
    if line is not None and line.isdecimal() and 1 <= int(line) <= len(options):
        return options[int(line) - 1]
    return line
