"""A conversation about one report: questions in, turns out, every event logged."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from tieout.agent.answers.answer import Answer as Told
from tieout.agent.answers.answer import turns_html
from tieout.agent.answers.checks.check import check, check_clarification, confidence
from tieout.agent.backends.choose import DEFAULT
from tieout.agent.backends.prices import Prices
from tieout.agent.ledger.display import exact
from tieout.agent.ledger.ledger import Entry, Ledger
from tieout.agent.ledger.program import program_of
from tieout.agent.log.events import (
    Answered,
    Clarified,
    ConversationEnded,
    ConversationStarted,
    Event,
    Failed,
    Rephrased,
    TurnEnded,
    TurnStarted,
)
from tieout.agent.log.log import Appends, LogError
from tieout.agent.log.turn import Turn, given_value, read_turn
from tieout.agent.opening import NO_REPORT
from tieout.agent.protocol.message import Backend, BackendError, Card, Request
from tieout.agent.protocol.tool import Tool
from tieout.agent.question.in_full import Asked, in_full
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.agent.question.sides import in_sides
from tieout.agent.question.spelling import Slips, as_printed
from tieout.agent.question.topic import Full
from tieout.agent.strategies.choose import make_strategy
from tieout.agent.strategies.prompt import SECTIONS
from tieout.agent.strategies.prompt import instructions as told
from tieout.agent.tools.answering import Answer
from tieout.agent.tools.toolbox import OF_PAGES, REPORT_TOOLS, Understanding
from tieout.agent.tools.values import Values
from tieout.agent.view.reports import Reports
from tieout.agent.workspace import Settings, TurnOver, Workspace, now
from tieout.data.console import printable
from tieout.data.document import Document, brief, counted
from tieout.data.system import version
from tieout.data.system.collecting import without_collecting
from tieout.kg.fact import Fact
from tieout.kg.filings.naming import in_general
from tieout.kg.gaps import rows_without_results
from tieout.kg.reports.outline import directory, listed_in
from tieout.kg.store.graph import Graph
from tieout.kg.store.reading import Reader
from tieout.ontology.asked.abroad.question import in_english
from tieout.ontology.asked.wording.framed import without_frame
from tieout.ontology.asked.words import words
from tieout.ontology.metrics.slips import Printed

if TYPE_CHECKING:  # loaded where there is data or a memory
    from tieout.agent.analysis.workbench import Workbench
    from tieout.agent.memory.memory import Memory

LONGEST = 64 * 1024  # characters of a question: the server takes as many bytes
LATELY = 4  # turns whose figures stay in reach


class QuestionError(ValueError):
    """What was asked is no question: empty, no text, or not there."""


class Session:
    """A conversation about the report behind a graph, or about several.

    graph: of a report that is shown whole, or Reports, of which a view is shown for each question.
    origin: hashes of what the graph was made from, for the log. resumed: turns of the same log, to go on behind them.
    stop: asked before every call of the backend; a reason to stop ends the turn with outcome `limit`.
    confirm: asked after `understand`; a correction goes back to the backend.
    document: the report itself, for strategies that show it as it is printed. bench: data beside the report; its tools
    are offered beside those of the strategy. memory: terms and recipes; questions are told what it knows of them.
    independent: every question stands for itself: none is told of the turns before it.
    Raises PriceError for a table of prices that cannot be read, LogError.
    """

    def __init__(
        self,
        graph: Graph | Reports,
        backend: Backend,
        settings: Settings | None = None,
        log: Appends | None = None,
        *,
        origin: Mapping[str, str] | None = None,
        resumed: Sequence[Turn] = (),
        stop: Callable[[], str | None] = lambda: None,
        confirm: Callable[[Understanding], str | None] | None = None,
        document: Document | None = None,
        bench: Workbench | None = None,
        memory: Memory | None = None,
        independent: bool = False,
    ) -> None:
        self.graph = graph
        self.independent = independent
        self.backend = backend
        self.settings = settings or Settings()
        self.strategy = make_strategy(self.settings)
        self.turns = list(resumed)
        self._reader: Reader | Reports
        self._facts: Mapping[str, Fact]
        if isinstance(graph, Reports):
            self.card, self._reader, self._facts = graph.card(), graph, graph.facts
        else:
            self.card, self._reader = self.strategy.card(graph, document), Reader(graph)
            self._facts = {fact.name: fact for fact in graph.facts()}
        self._gaps = rows_without_results(document) if document is not None else {}
        self.bench, self.memory = bench, memory
        if bench is not None:
            from tieout.agent.analysis.workbench import with_data

            self.card = with_data(self.card, bench)
        self._log = log
        self._stop = stop
        self._prices = Prices.load()
        self._confirm = confirm
        self._started = time.perf_counter()
        self._origin = dict(origin or {})
        if bench is not None:
            bench.restore(resumed)
        if not resumed:
            self._write(self._beginning(self._origin))

    def __repr__(self) -> str:
        return f"Session({brief(self.graph.document_id)}, {self.backend.name}, {counted(len(self.turns), 'turn')})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the conversation so far."""
        return turns_html(self.turns)

    def ask(self, question: str, given_answer: Decimal | str | None = None) -> Told:
        """Answers a question, whatever happens: the turn says by its outcome what became of it. Raises LogError.

        given_answer: what later turns shall take for the answer of this one instead of ours: a number, `yes` or `no`.
        Raises QuestionError for a question that is empty or no text, and for another answer.
        """
        refuse_faulty(question)
        given = None if given_answer is None else _given(given_answer)
        start = time.perf_counter()
        events: list[Event] = []

        def write(event: Event) -> None:
            events.append(event)
            self._write(event)

        workspace = self._workspace(question, write)
        history = tuple(prior.model_copy(update={"calls": ()}) for prior in workspace.history)
        write(TurnStarted(at=now(), turn=workspace.turn, question=question, history=history))
        if self.bench is not None:
            self.bench.begin_turn()
        if self.memory is not None and (notes := self.memory.notes(workspace.question)).any:
            workspace.question = notes.question
            write(Rephrased(at=now(), turn=workspace.turn, **notes.model_dump()))
        outcome = self._solve(workspace, write)
        write(
            TurnEnded(
                at=now(),
                turn=workspace.turn,
                outcome=outcome,
                model_calls=workspace.model_calls,
                tool_calls=workspace.tool_calls,
                usage=workspace.usage,
                usd=workspace.usd,
                given=given,
                seconds=round(time.perf_counter() - start, 6),
            )
        )
        turn = Told.of(read_turn(events, [turn.ledger for turn in self.turns]))
        self.turns.append(turn)
        return turn

    def undo(self, log: Appends | None = None) -> Turn | None:
        """Takes the last turn back, as if it had not been asked; None where there is none.

        log: the log in which the conversation goes on; the old one is ended with the turn in it. Raises LogError.
        """
        if not self.turns:
            return None
        if self._log is not None:
            self.close()
        taken = self.turns.pop()
        if self.bench is not None:
            self.bench.clear()
            self.bench.restore(self.turns)
        self._log = log
        self._write(self._beginning(self._origin))
        for event in (event for turn in self.turns for event in turn.events):
            self._write(event)
        return taken

    def request(self, question: str) -> Request:
        """The first request that asking would make; nothing is asked and nothing logged."""
        refuse_faulty(question)
        workspace = self._workspace(question, lambda event: None)
        if self.memory is not None:
            workspace.question = self.memory.notes(workspace.question).question
        return self.strategy.opening(workspace)

    def close(self) -> None:
        """Ends the conversation: its log is complete then."""
        outcomes = tuple(turn.outcome for turn in self.turns)
        seconds = round(time.perf_counter() - self._started, 6)
        self._write(ConversationEnded(at=now(), turns=len(self.turns), outcomes=outcomes, seconds=seconds))

    def _workspace(self, question: str, write: Callable[[Event], None]) -> Workspace:
        told = () if self.independent else self.turns
        asked, read_as = self._as_printed(question)
        full = self._in_full(asked, told)
        read = read_question(asked if full is None else full.text)
        in_talk = [full.text] if full is not None and listed_in(self.card.text) else []
        values = Values(
            Ledger([turn.ledger for turn in self.turns]),
            self._facts,
            [*("" if self.independent else turn.question for turn in self.turns), question, *in_talk],
            [turn.prior() for turn in told],
            strict=self.settings.strict_grounding,
            reader=self._reader,
            frames=self.bench,
            meant=read.text,
        )
        workspace = Workspace(
            self.backend,
            self.settings,
            self._instructions(),
            self._tools(),
            self.card,
            [turn.prior_turn() for turn in told],
            values,
            write,
            self._stop,
            self._prices,
            self._confirm,
            self._view(read),
        )
        if self.backend.name != DEFAULT and without_frame(in_english(question)) != question:
            asked, read_as = question, ()  # models read all languages, and what is said around a question
        workspace.question, workspace.asked, workspace.read_as, workspace.in_full = asked, read, read_as, full
        workspace.gaps = self._gaps
        workspace.doubted = self._doubted() if self.settings.verify else frozenset()
        return workspace

    def _in_full(self, question: str, told: Sequence[Turn]) -> Full | None:
        """A question with what it leaves out, that of those before it; None for one that says nothing itself."""
        if listed := listed_in(self.card.text):
            from tieout.agent.offline.companies.wanted import names_of

            text = names_of(listed).in_full([*(self._as_printed(each.question)[0] for each in told), question])[-1]
            return None if text == question else Full(text, is_first=True)
        earlier = [
            Asked(without_frame(in_english(each.question)), each.names, each.period or "")
            for each in map(Turn.prior_turn, told)
        ]
        named = directory(self.card.text, self.card.ticker)
        full = in_full(question, earlier, lambda text: in_general(text, named.mentions(text)))
        return in_sides(question) or full if full is None or full.is_first else full

    def _doubted(self) -> frozenset[int]:
        """The earlier turns whose answers are in doubt, by number from 0; one that is given from outside is not."""
        from tieout.agent.strategies.verify import doubtful

        return frozenset(turn.index for turn in self.turns if turn.given is None and doubtful(turn.flags))

    def _tools(self) -> tuple[Tool, ...]:
        """What can be called: the tools of the strategy, and those over whole reports and over data where there are; of
        data alone nothing is looked up in a report."""
        if self._is_of_data:
            looked_up = OF_PAGES | {"query_kg"}
            return (*(tool for tool in self.strategy.tools if tool.name not in looked_up), *self._over_data())
        over_reports = REPORT_TOOLS if isinstance(self.graph, Reports) else ()
        several = isinstance(self.graph, Reports) and len(self.graph.open) > 1
        of_pages = OF_PAGES - ({"list_entities"} if several else set())  # of several reports it lists the companies
        own = [tool for tool in self.strategy.tools if not over_reports or tool.name not in of_pages]
        return (*own, *over_reports, *self._over_data())

    @property
    def _is_of_data(self) -> bool:
        """Whether the conversation is about data alone."""
        return self.bench is not None and self.graph.document_id == NO_REPORT

    def _over_data(self) -> tuple[Tool, ...]:
        if self.bench is None:
            return ()
        from tieout.agent.memory.tools import offered

        return tuple(offered(self.bench))

    def _instructions(self) -> str:
        """What the backend is told: of data too, where there is some."""
        own, strategy = self.strategy.instructions, self.strategy.name
        if isinstance(self.graph, Reports):
            own = next((told(name, "reports") for name in SECTIONS if name == strategy), own)
        if self.bench is None:
            return own
        from tieout.agent.analysis.tools import instructions

        if self._is_of_data and strategy == "tools":
            own = told("tools", "data")
        return f"{own}\n\n{instructions()}"

    def _as_printed(self, question: str) -> tuple[str, Slips]:
        """The question in English, its slips put right by what is open, and what is read as what."""
        if isinstance(reports := self.graph, Reports):
            return as_printed(question, reports.printed)
        shown = frozenset(words(self.card.text))
        return as_printed(question, Printed(lambda: {fact.label for fact in self.card.facts}, shown.__contains__))

    def _view(self, question: Question) -> Card | None:
        """What is shown for a question, where the card is an outline: with what the conversation has used so far."""
        if not isinstance(self.graph, Reports):
            return None
        used = [name for turn in self.turns[-LATELY:] for name in turn.facts_under()]
        with without_collecting(is_kept=True):
            return self.graph.view(question, used)

    def _solve(self, workspace: Workspace, write: Callable[[Event], None]) -> str:
        try:
            self.strategy.solve(workspace)
            return self._conclude(workspace, write)
        except (TurnOver, BackendError) as end:
            write(Failed(at=now(), turn=workspace.turn, outcome=end.outcome, message=str(end)))
            return end.outcome
        except LogError:
            raise  # what is not logged did not happen: the turn is asked again when the conversation goes on
        except Exception as error:  # noqa: BLE001 - a fault of ours ends the turn under its own name, never the run
            message = f"{type(error).__name__}: {error}"
            write(
                Failed(at=now(), turn=workspace.turn, outcome="error", message=message, detail=traceback.format_exc())
            )
            return "error"

    def _conclude(self, workspace: Workspace, write: Callable[[Event], None]) -> str:
        if workspace.answer is not None:
            write(self._answered(workspace, workspace.answer))
            return "answer"
        if workspace.clarification is not None:
            asked = workspace.clarification
            names = (*self.graph.document_id.split(" + "), *(self.bench.names if self.bench else ()))
            flags = check_clarification(asked, workspace.values, names)
            write(Clarified(at=now(), turn=workspace.turn, question=asked.question, options=asked.options, flags=flags))
            return "clarify"
        raise TurnOver("no answer", "the strategy ended without an answer")

    def _answered(self, workspace: Workspace, answer: Answer) -> Answered:
        """What was answered, checked."""
        entry, ledger = answer.entry, workspace.ledger
        checked = workspace.checked(answer)
        flags = check(checked)
        return Answered(
            at=now(),
            turn=workspace.turn,
            entry="" if entry is None else entry.name,
            number="" if entry is None else _as_scored(entry),
            text=answer.text,
            format=answer.format,
            kind=answer.kind,
            items=answer.items,
            program=None if entry is None else program_of(ledger, entry.name),
            facts=ledger.facts_under(*(root.name for root in checked.roots)),
            confidence=confidence(flags),
            probability=workspace.probability,
            flags=flags,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be told whatever is asked: files of reports that changed, what of data is in no table."""
        of_reports = self.graph.notes if isinstance(self.graph, Reports) else ()
        return (*of_reports, *(self.bench.notes if self.bench is not None else ()))

    @property
    def figures(self) -> int:
        """How many figures there are to choose from."""
        if isinstance(self.graph, Reports):
            return sum(report.entry.facts for report in self.graph.open.values())
        return len(self._facts)

    def _write(self, event: Event) -> None:
        if self._log is not None:
            self._log.append(event)

    def _beginning(self, origin: dict[str, str]) -> ConversationStarted:
        types = Counter(kind for kind, _ in {(fact.entity_type, fact.instance) for fact in self._facts.values()})
        reports = self.graph.open if isinstance(self.graph, Reports) else {}
        return ConversationStarted(
            at=now(),
            conversation=self.graph.document_id,
            version=version.OWN,
            backend=self.backend.name,
            strategy=self.strategy.name,
            settings=self.settings.model_dump(mode="json"),
            origin=dict(sorted(origin.items())),
            facts=self.figures,
            entity_types=dict(sorted(types.items())),
            reports={alias: report.entry.id for alias, report in reports.items()},
        )


def fault(question: object) -> str | None:
    """Why something cannot be asked, in words that follow `the question`; None where it can."""
    if not isinstance(question, str):
        return f"is no text but {type(question).__name__}"
    if any("\ud800" <= char <= "\udfff" for char in question):
        return f"is not valid text: {question[:60]!r}"
    if len(question) > LONGEST:
        return f"has {len(question):,} characters, more than the {LONGEST:,} that are read"
    return None if printable(question).strip() else "is empty"


def refuse_faulty(question: str) -> None:
    """Raises QuestionError for what cannot be asked."""
    if why := fault(question):
        raise QuestionError(f"the question {why}")


def _as_scored(entry: Entry) -> str:
    number = entry.as_number()
    if number is None:
        return exact(entry)
    return ("yes" if number else "no") if isinstance(number, bool) else f"{number:f}"


def _given(answer: Decimal | str) -> str:
    try:
        value = given_value(str(answer))
    except InvalidOperation:
        value = Decimal("NaN")
    if isinstance(value, Decimal) and not value.is_finite():
        raise QuestionError(f"the given answer {str(answer)[:60]!r} is no number, and neither yes nor no")
    return str(answer)
