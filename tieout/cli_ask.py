"""The command `tieout ask`, and what `tieout chat` shares with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from tieout.agent.answers.result import result
from tieout.agent.answers.sheet import printable
from tieout.agent.backends.choose import make_backend
from tieout.agent.backends.options import BackendNameError
from tieout.agent.backends.prices import PriceError
from tieout.agent.log.log import Log, LogError
from tieout.agent.opening import open_any
from tieout.agent.options import Options, session_options
from tieout.agent.protocol.message import Backend, BackendError, Request
from tieout.agent.session import QuestionError, Session, fault
from tieout.agent.strategies.choose import StrategyError, check_strategy
from tieout.agent.tools.toolbox import Understanding
from tieout.agent.view.history import sections
from tieout.agent.wiring import BAD_DATA, begin
from tieout.data.cli import report_problem
from tieout.data.console import console, errors, json_option, one_line, print_json, working
from tieout.data.document import Conversation
from tieout.data.files import WriteError, check_folder, write_whole
from tieout.data.output.chart import ChartError
from tieout.data.output.workbook import WorkbookError
from tieout.data.readers.read import DataError, is_pages, read_conversations
from tieout.data.standard_input import words_argument
from tieout.export.save import SaveError, save
from tieout.kg.index.words import WordIndexError
from tieout.kg.store.guard import QueryError
from tieout.kg.store.kept import kept_id
from tieout.kg.store.store import StoreError
from tieout.ontology.model import OntologyError, default_ontology
from tieout.ontology.options import tell_ontology
from tieout.terminal.turns import show_turn

BAD_INPUT = (
    *BAD_DATA,
    BackendError,
    BackendNameError,
    ChartError,
    DataError,
    LogError,
    OntologyError,
    PriceError,
    QueryError,
    QuestionError,
    SaveError,
    StoreError,
    StrategyError,
    WordIndexError,
    WorkbookError,
    WriteError,
)


@click.command()
@words_argument("[FILE]... [ID] [QUESTION]...")
@click.option("--turn", type=click.IntRange(1), help="Ask the questions of the file itself, up to this one.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show what the backend would be asked for the last question; only those before it are asked.",
)
@click.option("--html", type=click.Path(path_type=Path), help="Write one HTML file: answers, the source beside them.")
@click.option("--xlsx", type=click.Path(path_type=Path), help="Write a workbook: printed figures, formulas over them.")
@click.option("--markdown", type=click.Path(path_type=Path), help="Write the conversation as Markdown.")
@click.option(
    "--save", "saved", type=click.Path(path_type=Path), help="Write it in the form that the suffix of this file says."
)
@click.option("--chart", type=click.Path(path_type=Path), help="Draw the last list or table of figures, as SVG or PNG.")
@session_options
@json_option
def ask(
    words: tuple[str, ...],
    turn: int | None,
    dry_run: bool,
    html: Path | None,
    xlsx: Path | None,
    markdown: Path | None,
    saved: Path | None,
    chart: Path | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - those of session_options
) -> None:
    """Answer a QUESTION about the reports in FILES, with its tie-out sheet.

    A file may be a web page as filed, a PDF, a workbook, separated values, XBRL or a page as JSON; of several pages in
    one file, ID (or a part of it that fits one) says which. Without a file the reports kept in the store are
    asked, or the one whose ID is given, or with --data the data alone.
    Several questions are asked one after the other, as a conversation; --json prints a list then. Exit code 1 where one
    of them has no answer and is not asked back.
    """
    with one_line(*BAD_INPUT):
        files, rest = split_words(words)
        chosen = Options.of(**options)
        with open_session(files, rest, chosen, turn=turn, is_asked=not dry_run) as (session, asked):
            for target in (html, xlsx, markdown, chart, saved):  # the store may have made the folder
                if target is not None:
                    check_folder(target)
            if dry_run:
                for question in asked[:-1]:
                    session.ask(question)
                _show_request(session.request(asked[-1]), as_json)
                return
            for question in asked:
                if len(asked) > 1 and not as_json:
                    console.print(Text(f"? {printable(question)}", style="bold cyan"), soft_wrap=True)
                session.ask(question)
                if not as_json:
                    show_turn(session.turns[-1])
            session.close()
            _export(session, html, xlsx, markdown, chart)
            if saved is not None:
                save(saved, session.turns, session.graph)
            if not as_json:
                tell_ontology(chosen.ontology)
    if as_json:
        told = {"notes": list(session.notes)} if session.notes or session.bench is not None else {}
        results = [result(turn) | told for turn in session.turns]
        print_json(results if len(results) > 1 else results[0])
    if any(each.outcome not in ("answer", "clarify") for each in session.turns):
        raise click.exceptions.Exit(1)


def _export(
    session: Session, html: Path | None, xlsx: Path | None, markdown: Path | None, chart: Path | None = None
) -> None:
    """Writes the conversation to the files that are named. Raises WriteError, WorkbookError, ChartError."""
    if chart is not None:
        from tieout.export.drawn import draw_last

        write_whole(chart, draw_last(session.turns, chart))
    if html is xlsx is markdown is None:
        return
    from tieout.export import one_page, workbook

    if html is not None:
        write_whole(html, one_page.one_page(session.turns, session.graph))
    if xlsx is not None:
        write_whole(xlsx, workbook.workbook(session.turns, session.graph))
    if markdown is not None:
        write_whole(markdown, one_page.markdown(session.turns, session.graph.document_id))


def split_words(words: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The files in front, and what stands behind them. A first word that is no file, but looks like one, is one too."""
    count = 0
    while count < len(words) and _is_file(words[count], first=not count):
        count += 1
    return [Path(word) for word in words[:count]], list(words[count:])


def _is_file(word: str, first: bool) -> bool:
    if not word.strip():  # and not the folder that one is in
        return False
    if " " not in word and any(sign in word for sign in "*["):  # a pattern that the shell did not expand
        return True
    try:
        there = Path(word).exists()
    except OSError:  # a question may be too long for a name
        return False
    return there or (first and " " not in word.strip() and bool(Path(word).suffix))


def _questions(conversation: Conversation | None, questions: Sequence[str], turn: int | None) -> tuple[str, ...]:
    if turn is not None:
        if questions:
            raise QuestionError("give either questions or --turn, not both")
        own = conversation.questions if conversation else ()
        if turn > len(own):
            name = repr(conversation.id) if conversation else "a whole report"
            raise QuestionError(f"{name} has {len(own)} questions, not {turn}")
        return tuple(question.text for question in own[:turn])
    if not questions:
        raise QuestionError("there is no question: give one, or --turn N for those of the file")
    for number, question in enumerate(questions, start=1):
        if why := fault(question):
            raise QuestionError(f"question {number} {why}")
    return tuple(questions)


def _identifier(files: Sequence[Path], rest: list[str]) -> str | None:
    """The id behind the files, taken from rest: a file of pages needs one, and that of an only page may be given."""
    pages = [each for path in files for each in _ids(path)]
    if not rest or not pages:
        return None
    is_name = len(rest) > 1 and " " not in rest[0].strip()  # a question has more than one word
    if len(pages) > len(files) or rest[0] in pages or is_name:
        return rest.pop(0)
    return None


def _kept(store: Path, rest: list[str], least: int) -> str | None:
    """The id of the kept report that the first word names, taken from rest; None where it names none, or where fewer
    than least would be left."""
    word = rest[0].strip() if len(rest) > least else ""
    named = kept_id(store, word) if word and " " not in word else None
    if named is not None:
        del rest[0]
    return named


def _ids(path: Path) -> list[str]:
    """The ids of the pages of a JSON file; nothing for a report, whose name is its id, or for a folder."""
    if path.is_dir() or not path.is_file() or not is_pages(path):
        return [path.stem] if path.is_file() else []
    return [each.id for each in read_conversations(path)]


@contextmanager
def open_session(
    files: Sequence[Path],
    rest: list[str],
    options: Options,
    *,
    turn: int | None = None,
    has_questions: bool = True,
    is_asked: bool = True,
    confirm: Callable[[Backend, Understanding], str | None] | None = None,
) -> Iterator[tuple[Session, tuple[str, ...]]]:
    """A conversation as the options say, and the questions for it; connections and log are closed however it ends.

    rest: what stands behind the files: an id where they need one, and questions. turn: ask those of the file itself.
    has_questions: whether there has to be one. is_asked: whether the backend will be asked the last question too.
    confirm: as for Session, told the backend too. With data and no file, no report is open.
    """
    with ExitStack() as opened:
        check_strategy(options.settings, options.backend)
        if confirm and options.settings.strategy == "plain":
            raise StrategyError("the strategy 'plain' has no understanding to confirm: leave out --confirm")
        is_of_store = not files and not options.endpoint and not options.beside.data
        identifier = _kept(options.store, rest, int(has_questions)) if is_of_store else _identifier(files, rest)
        if has_questions and turn is None:
            _questions(None, rest, None)
        made = make_backend(options.backend, asked=is_asked or len(rest) > 1 or (turn or 0) > 1)
        tbox, _ = default_ontology(options.ontology)
        if not has_questions:
            tell_ontology(options.ontology)
        with working(f"reading {', '.join(each.name for each in files) or 'what is kept'}"):
            there = opened.enter_context(
                open_any(
                    files,
                    tbox,
                    endpoint=options.endpoint,
                    has_data=bool(options.beside.data),
                    identifier=identifier,
                    store=options.store,
                    budget=options.budget,
                    tell=report_problem,
                )
            )
        asked = _questions(there.conversation, rest, turn) if has_questions else ()
        log = opened.enter_context(Log(options.log)) if options.log else None
        agreed = partial(confirm, made) if confirm else None
        session = begin(opened, there, made, options.settings, options.beside, log=log, confirm=agreed)
        tell_notes(session.notes)
        yield session, asked


def tell_notes(notes: Sequence[str]) -> None:
    """Tells the user what of files of data is not in the tables, and that files of reports are others by now."""
    for note in notes:
        errors.print(printable(f"tieout: {note}"), markup=False, soft_wrap=True)


def _show_request(request: Request, as_json: bool) -> None:
    if as_json:
        print_json(request.model_dump(mode="json"))
        return
    for title, text in sections(request).items():
        console.rule(f"{title}, {len(text):,} characters", align="left")
        console.print(printable_lines(text), markup=False, soft_wrap=True)


def printable_lines(text: str) -> str:
    """As printable, line by line."""
    return "\n".join(map(printable, text.splitlines()))
