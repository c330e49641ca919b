"""The options for data beside a report, and what they open: tables, memory, a conversation without any report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tieout.agent.memory.keep import FOLDER, KeepError
from tieout.agent.opening import Opened
from tieout.agent.protocol.message import Backend
from tieout.agent.strategies.choose import StrategyError
from tieout.agent.tables.engine import SECONDS, ExpertMissing
from tieout.agent.tables.naming import DataFileError
from tieout.agent.view.reports import Reports
from tieout.data.console import errors, printable
from tieout.data.document import Conversation, Document
from tieout.kg.fact import Fact
from tieout.kg.store.graph import Graph
from tieout.ontology.model import Ontology

if TYPE_CHECKING:  # loaded where there is data or a memory
    from tieout.agent.analysis.workbench import Workbench
    from tieout.agent.memory.memory import Memory

BAD_DATA = (DataFileError, ExpertMissing, KeepError)
NO_REPORT = "data"  # the id of a conversation about data alone

data_option = click.option(
    "--data",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A data file (CSV, Parquet, XLSX, SQLite) or a folder of them; may be given again.",
)
memory_option = click.option(
    "--memory",
    type=click.Path(path_type=Path),
    help=f"Folder of terms and recipes; else {FOLDER}, where there is one.",
)
private_option = click.option("--private", is_flag=True, help="Tell a model no row and no text of the data.")
show_rows_option = click.option(
    "--show-rows",
    type=click.IntRange(0, 1000),
    default=0,
    show_default=True,
    help="Rows of a result that a model is shown.",
)
seconds_option = click.option(
    "--query-seconds",
    type=click.IntRange(1, 3600),
    default=round(SECONDS),
    show_default=True,
    help="How long a query over the data may take.",
)
plots_option = click.option("--plots", type=click.Path(path_type=Path), help="Folder for pictures.")


def data_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what data there is, and what of it is told."""
    for option in (plots_option, seconds_option, show_rows_option, private_option, memory_option, data_option):
        command = option(command)
    return command


@contextmanager
def without_report(ontology: Ontology) -> Iterator[Opened]:
    """No report: a conversation about data alone."""
    from tieout.kg.build import build

    empty = Document(id=NO_REPORT, paragraphs=(), before=0, tables=())
    yield Opened(build(empty, ontology), Conversation(document=empty, questions=()))


def facts_of(source: Graph | Reports) -> tuple[Fact, ...]:
    """The facts of what is open; of several reports by the names that the conversation has for them."""
    if isinstance(source, Graph):
        return source.facts()
    return tuple(
        fact.model_copy(update={"name": f"{alias}:{fact.name}"})
        for alias, report in source.open.items()
        for fact in report.graph.facts()
    )


def words_of(facts: Sequence[Fact]) -> Iterator[str]:
    """The texts of reports whose words need no explanation."""
    for fact in facts:
        yield from (fact.label, fact.header, fact.section, fact.context)


def open_desk(data: Sequence[Path], facts: Sequence[Fact], **options: Any) -> Workbench:  # noqa: ANN401
    """The data, in a process of its own; what does that is loaded here, as most questions have no data."""
    from tieout.agent.analysis.workbench import Workbench

    return Workbench(data, facts, **options)


def notes_of(source: Graph | Reports) -> tuple[str, ...]:
    """What is to be told of what is open, whatever is asked."""
    return () if isinstance(source, Graph) else source.notes


def tell_notes(desk: Workbench | None, source: Graph | Reports | None = None) -> None:
    """Tells the user what of files of data is not in the tables, and that files of reports are others by now."""
    for note in (*(notes_of(source) if source else ()), *(desk.notes if desk else ())):
        errors.print(printable(f"tieout: {note}"), markup=False, soft_wrap=True)


def open_expert(
    opened: ExitStack,
    facts: Callable[[], Sequence[Fact]],
    strategy: str,
    data: Sequence[Path] = (),
    memory: Path | None = None,
    may_keep: bool = False,
    **options: Any,  # noqa: ANN401 - those of Workbench
) -> tuple[Workbench | None, Memory | None]:
    """The data and the memory that the options ask for; the data is closed with opened. facts: gives those of the open
    reports. may_keep: there is a memory, even if nothing is in it yet. Raises BAD_DATA, StrategyError."""
    if data and strategy != "tools":
        raise StrategyError(f"data is used by tools alone: leave out --data, or --strategy {strategy}")
    if not data and memory is None and not FOLDER.is_dir() and not may_keep:
        return None, None
    from tieout.agent.memory.memory import Memory

    desk = open_desk(data, facts(), **options) if data else None
    if desk is not None:
        opened.callback(desk.close)

    def known() -> Iterator[str]:
        yield from words_of(facts())
        if desk is not None:
            yield desk.described()

    mind = Memory(memory or FOLDER, known)
    mind.terms()  # a memory that cannot be read is told at once
    mind.recipes()
    if desk is not None:
        desk.memory = mind
    return desk, mind


def with_memory(made: Backend, desk: Workbench | None, mind: Memory | None, has_report: bool) -> Backend:
    """The offline backend with what data and memory make of a question; any other as it is."""
    if made.name != "offline" or mind is None:
        return made
    from tieout.agent.memory.backend import RecipeBackend

    return RecipeBackend(desk, mind, made if has_report else None)
