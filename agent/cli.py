"""The command `tieout ask`, and what `tieout chat` shares with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from tieout.agent.answers.result import result
from tieout.agent.answers.sheet import plain_text, printable, tree
from tieout.agent.backends.anthropic_backend import AnthropicBackend
from tieout.agent.backends.anthropic_options import BackendNameError
from tieout.agent.backends.choose import VARIABLE, backend_name, make_backend
from tieout.agent.backends.prices import PriceError
from tieout.agent.log.log import Log, LogError
from tieout.agent.log.turn import Turn
from tieout.agent.protocol.message import Backend, BackendError, Request
from tieout.agent.session import QuestionError, Session, fault
from tieout.agent.strategies.choose import STRATEGIES, StrategyError, check_strategy
from tieout.agent.tools.toolbox import Understanding
from tieout.agent.view.readable import sections
from tieout.agent.workspace import Settings
from tieout.data.cli import report_problem
from tieout.data.console import console, errors, json_option, one_line, print_json
from tieout.data.document import Conversation
from tieout.data.readers.read import DataError, find_conversation
from tieout.data.standard_input import report_argument
from tieout.kg.build import build
from tieout.ontology.cli import ontology_option
from tieout.ontology.model import OntologyError, default_ontology

BAD_INPUT = (
    BackendError,
    BackendNameError,
    DataError,
    LogError,
    OntologyError,
    PriceError,
    QuestionError,
    StrategyError,
)


def session_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how questions are answered."""
    options = (
        click.option(
            "--backend",
            metavar="NAME",
            help=f"offline, replay:<log>, anthropic:<model>; else {VARIABLE}, else offline.",
        ),
        ontology_option,
        click.option("--strategy", type=click.Choice(list(STRATEGIES)), default="tools", show_default=True),
        click.option(
            "--max-calls",
            type=click.IntRange(1, 100),
            default=8,
            show_default=True,
            help="Of the backend, per question.",
        ),
        click.option("--strict-grounding", is_flag=True, help="Refuse numbers that nothing accounts for."),
        click.option("--two-phase", is_flag=True, help="Ask for the understanding in a call of its own."),
        click.option("--verify", is_flag=True, help="Solve twice and compare."),
        click.option(
            "--retries", type=click.IntRange(0, 10), default=2, show_default=True, help="When the two differ."
        ),
        click.option("--log", "log_file", type=click.Path(path_type=Path), help="Append every event to this file."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@report_argument
@click.argument("identifier", metavar="ID")
@click.argument("questions", nargs=-1, metavar="[QUESTION]...")
@click.option("--turn", type=click.IntRange(1), help="Ask the questions of the file itself, up to this one.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show what the backend would be asked for the last question; only those before it are asked.",
)
@session_options
@json_option
def ask(
    file: Path,
    identifier: str,
    questions: tuple[str, ...],
    turn: int | None,
    dry_run: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - those of session_options
) -> None:
    """Answer a QUESTION about the report ID in FILE, with its tie-out sheet.

    Several questions are asked one after the other, as a conversation; --json prints a list then. Exit code 1 where one
    of them has no answer and is not asked back.
    """
    with one_line(*BAD_INPUT):
        conversation = find_conversation([file], identifier, report_problem)
        asked = _questions(conversation, questions, turn)
        needed = len(asked) > 1 or not dry_run
        with open_session(conversation, quiet=as_json, asked=needed, **options) as session:
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
    if as_json:
        results = [result(turn) for turn in session.turns]
        print_json(results if len(results) > 1 else results[0])
    if any(each.outcome not in ("answer", "clarify") for each in session.turns):
        raise click.exceptions.Exit(1)


def _questions(conversation: Conversation, questions: tuple[str, ...], turn: int | None) -> tuple[str, ...]:
    if turn is not None:
        if questions:
            raise QuestionError("give either questions or --turn, not both")
        if turn > len(conversation.questions):
            raise QuestionError(f"{conversation.id!r} has {len(conversation.questions)} questions, not {turn}")
        return tuple(question.text for question in conversation.questions[:turn])
    if not questions:
        raise QuestionError("there is no question: give one, or --turn N for those of the file")
    for number, question in enumerate(questions, start=1):
        if why := fault(question):
            raise QuestionError(f"question {number} {why}")
    return questions


@contextmanager
def open_session(
    conversation: Conversation,
    backend: str | None,
    ontology: Path | None,
    log_file: Path | None,
    quiet: bool = False,
    confirm: Callable[[Backend, Understanding], str | None] | None = None,
    asked: bool = True,
    **settings: Any,  # noqa: ANN401 - those of Settings
) -> Iterator[Session]:
    """A conversation as the options say; its connections and its log are closed however it ends.

    confirm: as for Session, told the backend too. asked: whether the backend will be asked anything.
    """
    with ExitStack() as opened:
        name = backend_name(backend)
        chosen = Settings(**settings)
        check_strategy(chosen, name)
        if confirm and chosen.strategy == "plain":
            raise StrategyError("the strategy 'plain' has no understanding to confirm: leave out --confirm")
        made = make_backend(name, asked=asked)
        if isinstance(made, AnthropicBackend):
            opened.callback(made.close)
        tbox, source = default_ontology(ontology)
        if ontology is None and not quiet:
            errors.print(f"ontology: {source}", style="dim", markup=False, soft_wrap=True)
        log = opened.enter_context(Log(log_file)) if log_file else None
        graph = build(conversation.document, tbox)
        agreed = partial(confirm, made) if confirm else None
        yield Session(graph, made, chosen, log, confirm=agreed, document=conversation.document)


def show_turn(turn: Turn) -> None:
    """What became of a question: the answer with its sheet, a question back, or why there is none."""
    if turn.clarification is not None:
        console.print(Text(printable(turn.clarification.question), style="bold"), soft_wrap=True)
        for number, option in enumerate(turn.clarification.options, start=1):
            console.print(f"  {number}. {printable(option)}", markup=False, soft_wrap=True)
        return
    if turn.text is None:
        errors.print(f"no answer ({turn.outcome}): {printable(turn.message)}", markup=False, soft_wrap=True)
        return
    unsure = [flag for flag in turn.flags if flag.rule == "unsure"]
    for flag in unsure:
        console.print(Text(f"not sure: {printable(flag.message)}", style="yellow"), soft_wrap=True)
    console.print(Text(turn.text, style="" if unsure else "bold green"), soft_wrap=True)
    show_sheet(turn)
    console.print(Text(_certainty(turn), style="dim"), soft_wrap=True)
    for flag in [flag for flag in turn.flags if flag not in unsure]:
        console.print(Text(f"! {flag.rule}: {printable(flag.message)}", style="yellow"), soft_wrap=True)


def _certainty(turn: Turn) -> str:
    """How sure the backend is, where it says that, and what the checks made of the answer."""
    rules = ", ".join(dict.fromkeys(flag.rule for flag in turn.flags))
    checks = f"checks took {100 - (turn.check_score or 0)} of 100 points off: {rules}"
    sure = "" if turn.probability is None else f"probability of being right {turn.probability:.0%}; "
    return sure + (checks if rules else "no check found anything odd")


def show_sheet(turn: Turn) -> None:
    """In the width of a terminal, where there is one; in a file or a pipe every line stays whole."""
    if console.is_terminal:
        console.print(tree(turn))
    else:
        click.echo(plain_text(turn))


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
