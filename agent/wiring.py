"""From what is open to a conversation about it: the one place where reports, backend, data and memory are put together.

The command line, `tieout.open`, the server and evaluation begin their conversations here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.agent.memory.keep import FOLDER, KeepError
from tieout.agent.opening import NO_REPORT, Opened
from tieout.agent.protocol.message import Backend
from tieout.agent.session import Session
from tieout.agent.strategies.choose import StrategyError
from tieout.agent.view.reports import Reports
from tieout.agent.workspace import Settings
from tieout.data.datasets.engine import SECONDS, ExpertMissing
from tieout.data.datasets.naming import DataFileError
from tieout.kg.fact import Fact
from tieout.kg.store.graph import Graph

if TYPE_CHECKING:  # loaded where there is data or a memory
    from tieout.agent.analysis.workbench import Workbench
    from tieout.agent.memory.memory import Memory

BAD_DATA = (DataFileError, ExpertMissing, KeepError)


@dataclass(frozen=True, slots=True)
class Beside:
    """What is to hand beside reports, as the options say.

    data: files and folders. memory: the folder of terms and recipes, else `.tieout/memory` where there is one.
    may_keep: there is a memory, even if nothing is in it yet. The others are those of Workbench.
    """

    data: tuple[Path, ...] = ()
    memory: Path | None = None
    private: bool = False
    show_rows: int = 0
    plots: Path | None = None
    query_seconds: float = SECONDS
    may_keep: bool = False


NOTHING = Beside()


def begin(
    resources: ExitStack,
    there: Opened,
    backend: Backend,
    settings: Settings | None = None,
    beside: Beside = NOTHING,
    **more: Any,  # noqa: ANN401 - those of Session
) -> Session:
    """A conversation about what is open, over the data and the memory beside it.

    Data and backend are closed with resources. Raises BAD_DATA, StrategyError, and what Session raises.
    """
    if callable(close := getattr(backend, "close", None)):
        resources.callback(close)
    chosen = settings or Settings()
    if beside.data and chosen.strategy != "tools":
        raise StrategyError(f"data is used by tools alone: leave out --data, or --strategy {chosen.strategy}")
    bench = open_data(there.source, beside) if beside.data else None
    if bench is not None:
        resources.callback(bench.close)
    memory = _memory(there.source, beside, bench)
    made = with_memory(backend, bench, memory, has_report=there.source.document_id != NO_REPORT)
    return Session(there.source, made, chosen, document=there.document, bench=bench, memory=memory, **more)


def with_memory(made: Backend, bench: Workbench | None, memory: Memory | None, has_report: bool) -> Backend:
    """The offline backend with what data and memory make of a question; any other as it is."""
    if made.name != "offline" or memory is None:
        return made
    from tieout.agent.memory.backend import RecipeBackend

    return RecipeBackend(bench, memory, made if has_report else None)


def open_data(source: Graph | Reports, beside: Beside) -> Workbench:
    """The data, in a process of its own. Raises DataFileError, ExpertMissing."""
    from tieout.agent.analysis.workbench import Workbench

    told: dict[str, Any] = {"private": beside.private, "show_rows": beside.show_rows, "plots": beside.plots}
    return Workbench(beside.data, facts_of(source), seconds=beside.query_seconds, **told)


def facts_of(source: Graph | Reports) -> tuple[Fact, ...]:
    """The facts of what is open; of several reports by the names that the conversation has for them."""
    if isinstance(source, Graph):
        return source.facts()
    return tuple(
        fact.changed(name=f"{alias}:{fact.name}")
        for alias, report in source.open.items()
        for fact in report.graph.facts()
    )


def words_of(facts: Sequence[Fact]) -> Iterator[str]:
    """The texts of reports whose words need no explanation."""
    for fact in facts:
        yield from (fact.label, fact.header, fact.section, fact.context)


def _memory(source: Graph | Reports, beside: Beside, bench: Workbench | None) -> Memory | None:
    """The memory, where there is one, and whatever is asked of data may be kept. Raises KeepError."""
    if bench is None and beside.memory is None and not FOLDER.is_dir() and not beside.may_keep:
        return None
    from tieout.agent.memory.memory import Memory

    def known() -> Iterator[str]:
        yield from words_of(facts_of(source))
        if bench is not None:
            yield bench.described()

    memory = Memory(beside.memory or FOLDER, known)
    memory.terms()  # a memory that cannot be read is told at once
    memory.recipes()
    if bench is not None:
        bench.memory = memory
    return memory
