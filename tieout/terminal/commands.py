"""The commands of a conversation at a terminal: what begins with a slash, and is no question."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from rich.table import Table
from rich.text import Text

from tieout.agent.answers.result import result
from tieout.agent.log.log import Log, LogError
from tieout.agent.log.turn import Turn
from tieout.agent.memory.keep import KeepError
from tieout.agent.session import Session
from tieout.data.console import console, errors, print_json, printable
from tieout.data.files import WriteError
from tieout.data.output.workbook import WorkbookError
from tieout.export.save import FORMS, SaveError, save
from tieout.terminal.source import PartError, show_part, show_sources
from tieout.terminal.turns import show_sheet, show_why

LEAVE = frozenset({"/quit", "/exit", "/q", "quit", "exit", ":q", ":quit"})
SHORT_HELP = "/help lists the commands; /quit (or exit, or Ctrl-D) ends."
HELP = {
    "/help": "what can be typed",
    "/undo": "take the last question back, as if it had not been asked",
    "/why": "how the last question was understood, what its answer rests on, what is odd",
    "/open NAME": "a table (t12), a figure (t12r5c2), a sentence (s340) or words of a heading, as printed; without a "
    "name what the last answer rests on",
    "/sources": "the printed figures of the last answer, and where they stand",
    "/terms": "what words mean here (`tieout term` keeps them)",
    "/sheet": "the tie-out sheet of the last answer",
    "/json": "the last answer for machines",
    "/save FILE": f"write the conversation: {', '.join(FORMS)}",
    "/quit": "end; so do exit and Ctrl-D",
}
WRONG = (KeepError, LogError, PartError, SaveError, WorkbookError, WriteError)


class Commands:
    """Does what is commanded. log: the file that is written, None for none; a log that goes on in a new file after an
    undo is closed with opened."""

    def __init__(self, session: Session, log: Path | None, opened: ExitStack) -> None:
        self._session, self._log, self._opened = session, log, opened
        self._do: dict[str, Callable[[str], None]] = {
            "/help": self._help,
            "/undo": self._undo,
            "/why": self._of_last(show_why),
            "/open": lambda name: show_part(name, session.turns, session.graph),
            "/sources": self._of_last(lambda turn: show_sources(result(turn)["places"])),
            "/terms": self._terms,
            "/sheet": self._of_last(show_sheet, answered=True),
            "/json": self._of_last(lambda turn: print_json(result(turn)), answered=True),
            "/save": self._save,
        }

    def run(self, line: str) -> bool:
        """Whether a line is a command; it is done then, or told in one line why not."""
        if not line.startswith("/"):
            return False
        name, _, rest = line.partition(" ")
        do = self._do.get(name.casefold())
        if do is None:
            console.print(f"There is no {printable(name)}. {SHORT_HELP}", markup=False, soft_wrap=True)
            return True
        try:
            do(rest.strip())
        except WRONG as error:
            errors.print(f"tieout: {printable(' '.join(str(error).split()))}", markup=False, soft_wrap=True)
        return True

    def _help(self, _: str) -> None:
        table = Table(box=None, show_header=False, pad_edge=False)
        table.add_column(no_wrap=True)
        table.add_column(style="dim", overflow="fold")
        for name, purpose in HELP.items():
            table.add_row(name, purpose)
        console.print(table)

    def _of_last(self, show: Callable[[Turn], None], answered: bool = False) -> Callable[[str], None]:
        """What shows the last turn; answered: only where it has an answer."""

        def of_last(_: str) -> None:
            last = self._session.turns[-1] if self._session.turns else None
            if last is None:
                console.print("There is no answer yet.")
            elif answered and last.text is None:
                console.print("The last question has no answer.")
            else:
                show(last)

        return of_last

    def _undo(self, _: str) -> None:
        if not self._session.turns:
            console.print("There is nothing to take back.")
            return
        log = None
        if self._log is not None:
            log = self._opened.enter_context(Log(_next(self._log)))
            errors.print(f"the log goes on in {log.path}", style="dim", markup=False, soft_wrap=True)
        taken = self._session.undo(log)
        if taken is not None:
            console.print(Text(f"taken back: {printable(taken.question)}", style="dim"), soft_wrap=True)

    def _terms(self, _: str) -> None:
        terms = self._session.memory.terms() if self._session.memory is not None else ()
        if not terms:
            console.print("No term is kept: `tieout term add LABEL MEANING` keeps one, --memory FOLDER says where.")
        for term in terms:
            console.print(printable(term.in_words()), markup=False, soft_wrap=True)

    def _save(self, name: str) -> None:
        if not name:
            raise SaveError(f"name a file: /save FILE, in one of the forms {', '.join(FORMS)}")
        save(Path(name), self._session.turns, self._session.graph)
        console.print(f"wrote {printable(name)}", markup=False, soft_wrap=True)


def _next(log: Path) -> Path:
    """`talk-2.jsonl` behind `talk.jsonl`: the first name of that kind that is free."""
    number = 2
    while (path := log.with_stem(f"{log.stem}-{number}")).exists():
        number += 1
    return path
