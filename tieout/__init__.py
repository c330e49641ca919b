"""The front door: `tieout` on the command line, `import tieout` in Python.

import tieout
answer = tieout.open("10k.htm").ask("what was operating income in 2024?")
print(answer.tree())
"""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

if _is_collecting := gc.isenabled():  # what is imported is kept: not to be looked through again and again
    gc.disable()

import click

# In a checkout the parts are folders beside this one, and links in it; not every system makes links of them.
if not Path(__file__).with_name("data").is_dir():
    __path__.append(str(Path(__file__).parents[1]))

from tieout import settings
from tieout.data.console import Failure
from tieout.data.later import LaterGroup
from tieout.data.plugins import PluginError, spare_pydantic
from tieout.data.printed.pattern import keep_patterns
from tieout.data.system import version
from tieout.data.system.compile_cache import keep_annotations, keep_methods_of_dataclasses

if _is_collecting:
    gc.enable()

if TYPE_CHECKING:
    from tieout.agent.answers.answer import Answer
    from tieout.agent.backends.options import BackendNameError
    from tieout.agent.backends.prices import PriceError
    from tieout.agent.log.log import LogError
    from tieout.agent.protocol.message import BackendError
    from tieout.agent.session import QuestionError, Session
    from tieout.companies import Library
    from tieout.data.document import Conversation, Document, Table
    from tieout.data.readers.read import DataError
    from tieout.eval.run.manifest import RunError
    from tieout.eval.show.opened import OpenRun as Run
    from tieout.eval.show.opened import RunTurns
    from tieout.export.save import SaveError
    from tieout.kg.companies.library import LibraryError
    from tieout.kg.companies.measure import MeasureError
    from tieout.kg.reports.listing import ListingError
    from tieout.kg.reports.report import Facts, Report
    from tieout.kg.store.graph import Graph
    from tieout.kg.store.guard import QueryError
    from tieout.kg.store.store import StoreError
    from tieout.ontology.learn.advice import Advise, Call
    from tieout.ontology.model import Ontology, OntologyError
    from tieout.talk import ClosedError, Talk

    Page = Document | Conversation | Mapping[str, Any] | Any  # the last: a pandas DataFrame

__version__ = version.OWN
__all__ = [
    "Answer",
    "BackendError",
    "BackendNameError",
    "ClosedError",
    "Conversation",
    "DataError",
    "Document",
    "Facts",
    "Graph",
    "Library",
    "LibraryError",
    "ListingError",
    "LogError",
    "MeasureError",
    "Ontology",
    "OntologyError",
    "PriceError",
    "QueryError",
    "QuestionError",
    "Report",
    "Run",
    "RunError",
    "RunTurns",
    "SaveError",
    "Session",
    "StoreError",
    "Table",
    "Talk",
    "chat",
    "conversation",
    "conversations",
    "graph",
    "library",
    "open",
    "read",
    "run",
    "tbox",
]

# Imports wait inside the functions: `tieout --help` must not pay for the graph store or the language model's SDK. So do
# the types of what is given, and the errors that a caller may want to catch.
TYPES = {
    "Answer": "tieout.agent.answers.answer",
    "Conversation": "tieout.data.document",
    "Document": "tieout.data.document",
    "Facts": "tieout.kg.reports.report",
    "Graph": "tieout.kg.store.graph",
    "Library": "tieout.companies",
    "Ontology": "tieout.ontology.model",
    "Report": "tieout.kg.reports.report",
    "Run": "tieout.eval.show.opened:OpenRun",
    "RunTurns": "tieout.eval.show.opened",
    "Session": "tieout.agent.session",
    "Table": "tieout.data.document",
    "Talk": "tieout.talk",
}
ERRORS = {
    "BackendError": "tieout.agent.protocol.message",
    "BackendNameError": "tieout.agent.backends.options",
    "ClosedError": "tieout.talk",
    "DataError": "tieout.data.readers.read",
    "ListingError": "tieout.kg.reports.listing",
    "LibraryError": "tieout.kg.companies.library",
    "LogError": "tieout.agent.log.log",
    "MeasureError": "tieout.kg.companies.measure",
    "OntologyError": "tieout.ontology.model",
    "PriceError": "tieout.agent.backends.prices",
    "QueryError": "tieout.kg.store.guard",
    "QuestionError": "tieout.agent.session",
    "RunError": "tieout.eval.run.manifest",
    "SaveError": "tieout.export.save",
    "StoreError": "tieout.kg.store.store",
}


def __getattr__(name: str) -> type[Any]:
    place = (TYPES | ERRORS).get(name)
    if place is None:
        raise AttributeError(f"module 'tieout' has no attribute {name!r}")
    module, _, inside = place.partition(":")
    found: type[Any] = getattr(import_module(module), inside or name)
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *TYPES, *ERRORS])


def conversations(path: str | Path) -> Iterator[Conversation]:
    """The records of a report file, in its order. Raises DataError when it is no file that tieout reads."""
    from tieout.data.readers.read import read_conversations

    return read_conversations(Path(path))


def conversation(path: str | Path, document_id: str) -> Conversation:
    """One record of a report file. Raises DataError when the file or the id is unknown."""
    from tieout.data.readers.read import find_conversation

    return find_conversation([Path(path)], document_id)


def read(path: str | Path, ontology: Ontology | None = None) -> Report:
    """A whole report in a file of any kind that is read: `.facts()` is a list, `.facts().to_pandas()` a data frame.

    Raises DataError, one line, for a file that cannot be read.
    """
    from tieout.kg.reports.report import open_report

    return open_report(Path(path), ontology or tbox())


def tbox(path: str | Path | None = None) -> Ontology:
    """The TBox in a Turtle file; without one, the TBox derived from the sample reports. Raises OntologyError."""
    from tieout.ontology.model import Ontology, default_ontology

    return Ontology.load(Path(path)) if path else default_ontology(None)[0]


def graph(report: Page, ontology: Ontology | None = None) -> Graph:
    """A report as a graph in memory that answers SPARQL. report: as for `chat`."""
    from tieout.data.readers.given import given_document
    from tieout.kg.build import build

    return build(given_document(report), ontology or tbox())


def chat(report: Page, backend: str = "offline", ontology: Ontology | None = None) -> Session:
    """A conversation about a report: `.ask(question)` answers one turn, or raises QuestionError.

    report: what `conversation` gives; or a page as a dict, `{"table": [["", "2013"], ["net sales", "$ 4391.0"]],
    "pre_text": ["in millions"]}`; or a pandas DataFrame, whose columns and index are the labels. Raises TypeError for
    anything else.
    backend: as for `--backend`. Raises BackendNameError for one that is not there, BackendError for one without a key,
    LogError for a log that cannot be replayed, PriceError.
    """
    from tieout.agent.backends.choose import make_backend
    from tieout.agent.session import Session
    from tieout.data.readers.given import given_document

    document = given_document(report)
    return Session(graph(document, ontology), make_backend(backend), document=document)


def run(name: str | Path, runs: str | Path = "runs") -> Run:
    """A run of `tieout eval run`: `.turns()` is a list, `.scores()` its rates. name: in the folder runs, or a folder.

    Raises RunError where there is none.
    """
    from tieout.eval.show.opened import open_run

    return open_run(name, Path(runs))


def open(
    paths: str | Path | Sequence[str | Path] = (),
    backend: str = "offline",
    ontology: Ontology | None = None,
    *,
    store: str | Path | None = None,
    budget: int | None = None,
    data: str | Path | Sequence[str | Path] = (),
    memory: str | Path | None = None,
    private: bool = False,
    show_rows: int = 0,
    plots: str | Path | None = None,
) -> Talk:
    """A conversation about the reports in files and folders, or about those kept in a store where no path is given.

    paths: one or several; of a file that holds several pages use `chat`. store: where whole reports are kept. budget:
    tokens of a view. data: files and folders of data beside the reports, or without any; memory: the folder of terms
    and recipes, else `.tieout/memory` where there is one; private, show_rows, plots: as for the command line.
    Warns where files of kept reports are others by now. Raises DataError, StoreError, BackendNameError, BackendError;
    ValueError for data and a memory that cannot be read.
    """
    from contextlib import ExitStack

    from tieout.agent.backends.choose import make_backend, view_budget
    from tieout.agent.opening import open_any
    from tieout.agent.wiring import Beside, begin
    from tieout.kg.store.lake import read_store
    from tieout.kg.store.store import DEFAULT_STORE
    from tieout.talk import Talk

    files = _paths(paths)
    beside = Beside(
        tuple(_paths(data)), Path(memory) if memory else None, private, show_rows, Path(plots) if plots else None
    )
    with ExitStack() as resources:
        made = make_backend(backend)
        there = resources.enter_context(
            open_any(
                files,
                ontology or tbox(),
                has_data=bool(beside.data),
                store=read_store(store or DEFAULT_STORE),
                budget=budget or view_budget(backend),
            )
        )
        session = begin(resources, there, made, beside=beside)
        for note in session.notes:
            warnings.warn(note, stacklevel=2)
        return Talk(session, resources.pop_all())


def library(store: str | Path | None = None) -> Library:
    """The companies of a store and what their filings state, as data frames. Raises StoreError, WordIndexError."""
    from tieout.companies import Library
    from tieout.kg.store.lake import read_store
    from tieout.kg.store.store import DEFAULT_STORE

    return Library(read_store(store or DEFAULT_STORE))


def _paths(given: str | Path | Sequence[str | Path]) -> list[Path]:
    return [Path(given)] if isinstance(given, str | Path) else [Path(each) for each in given]


COMMANDS = {
    # name: (module, attribute, what it is for)
    "list": ("tieout.data.cli", "list_reports", "List the reports of files: their ids, and what is asked about them."),
    "ask": ("tieout.cli_ask", "ask", "Answer one question about a report, with its tie-out sheet."),
    "chat": ("tieout.cli_chat", "chat", "Talk with a report."),
    "get": ("tieout.cli_get", "get", "Get filings of a company from EDGAR, and keep them."),
    "index": ("tieout.kg.commands.index", "index", "Keep the reports of folders, to be asked without a file."),
    "ontology": (
        "tieout.ontology.cli",
        "ontology",
        "Derive what reports talk about (classes and properties: the TBox) from training reports, once.",
    ),
    "kg": ("tieout.kg.cli", "kg", "Turn reports into graphs; look at them, check that nothing is lost."),
    "sparql": ("tieout.kg.commands.sparql", "sparql", "Query graphs, runs and TBox in SPARQL, read-only."),
    "companies": ("tieout.kg.commands.companies", "companies", "List the companies whose reports are kept."),
    "statement": ("tieout.kg.commands.companies", "show_statement", "Show a statement of a company over years."),
    "compare": ("tieout.kg.commands.companies", "compare_measures", "Compare measures by company and fiscal year."),
    "screen": ("tieout.kg.commands.companies", "screen_companies", "Show the companies that fulfil conditions."),
    "term": ("tieout.cli_term", "term", "Keep what words mean in your house."),
    "recipe": ("tieout.cli_recipe", "recipe", "Keep ways of working over data, and run them."),
    "serve": ("tieout.serve.cli", "serve", "Serve a page to ask reports in, an HTTP API and SPARQL."),
    "mcp": ("tieout.serve.cli_mcp", "mcp", "Serve reports as tools to agents (Model Context Protocol)."),
    "measures": ("tieout.ontology.cli_measures", "measures", "List the measures and ratios that are calculated."),
    "sample": ("tieout.cli_sample", "write_sample", "Write the invented reports that the documents ask."),
    "config": ("tieout.cli_config", "config", "Show what holds where the command line says nothing, and from where."),
    "plugins": ("tieout.cli_plugins", "list_plugins", "List what packages add to tieout."),
    "eval": ("tieout.eval.cli", "evaluate", "Run, score, compare and inspect evaluations."),
}


UNREAD = 128 + 13  # exit code of a program that SIGPIPE ends
FULL = (errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC))  # of a disk that is printed to


class FrontDoor(LaterGroup):
    """Ctrl-C ends every command with exit code 130; so does, quietly and with 141, a reader that wants no more."""

    def invoke(self, ctx: click.Context) -> object:
        for stream in (sys.stdout, sys.stderr):  # in a pipe Windows has an encoding of its own, without lines of trees
            if sys.platform == "win32" and isinstance(stream, TextIOWrapper):
                stream.reconfigure(encoding="utf-8")
        keep_methods_of_dataclasses()
        keep_annotations()
        keep_patterns()
        spare_pydantic()
        gc.set_threshold(200_000)  # most of what a command makes is kept: not to be looked through again and again
        atexit.register(gc.freeze)  # nor once more when all is done
        try:
            settings.apply(self, ctx, COMMANDS)
            return super().invoke(ctx)
        except settings.SettingsError as error:
            raise Failure(str(error)) from error
        except PluginError as error:
            raise Failure(str(error)) from error
        except KeyboardInterrupt:
            click.echo("\ntieout: stopped", err=True)
            ctx.exit(130)
        except BrokenPipeError:
            _print_no_more()
            ctx.exit(UNREAD)
        except OSError as error:
            if error.errno not in FULL or error.filename is not None:
                raise
            _print_no_more()
            raise Failure(f"what is printed cannot be written: {error.strerror}") from error


def _print_no_more() -> None:
    """What is not written yet goes nowhere: at the end Python tries once more."""
    with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), sys.stdout.fileno())


@click.group(
    cls=FrontDoor,
    later=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": settings.PREFIX},
)
@click.version_option(__version__, prog_name="tieout")
@click.pass_context
def main(context: click.Context) -> None:
    """Question answering over financial reports, where every number ties out to the cell or sentence it came from."""
    context.obj = _adviser


def _adviser(backend: str, log: Path) -> tuple[Advise, Callable[[Call], None]]:
    from tieout.adviser import make_adviser

    advise, note = make_adviser(backend, log)
    click.get_current_context().call_on_close(advise.close)
    return advise, note
