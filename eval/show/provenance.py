"""Events of a run as PROV-O: what was asked, which tools were called, what every number was derived from.

    <run>            a kg:Run, prov:Activity
    <run/conv>       a kg:Conversation ; kg:run <run> ; kg:document <document> ; kg:outcome ...
    <run/conv/1>     a kg:Turn ; kg:conversation <run/conv> ; kg:question "..." ; kg:outcome "answer" ; kg:answer <...>
                     a turn that quotes or cites: prov:used <sentence>
    <.../1/call/2>   a kg:ToolCall ; kg:turn <run/conv/1> ; kg:tool "calculate" ; kg:seconds 0.0001 ; kg:failed false
    <.../1/entry/x>  a kg:Entry ; kg:value 35.8 ; prov:wasGeneratedBy <.../call/2> ; prov:wasDerivedFrom <.../a>, <fact>

All of a run stands in one named graph, `urn:tieout:run:<name>`. The facts are those of the graphs of the documents.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from urllib.parse import quote

from tieout.agent.ledger.ledger import Entry, FromFact, FromFrame, FromOperation, FromPrior, Words
from tieout.agent.log.events import (
    Answered,
    Clarified,
    ConversationEnded,
    ConversationStarted,
    Event,
    Failed,
    ModelCalled,
    ModelFailed,
    ToolCalled,
    TurnEnded,
    TurnStarted,
    Understood,
)
from tieout.data.arithmetic.units import CONTEXT
from tieout.kg.names import decimal_text, text_literal, typed_literal
from tieout.ontology.vocabulary import PREFIXES, document_graph, run_graph, unit_iri

TYPE = f"<{PREFIXES['rdf']}type>"
MOST_FRACTION_DIGITS = 18  # what the store can calculate with


def run_quads(run: str, conversations: Iterable[Iterable[Event]]) -> tuple[str, bytes]:
    """The named graph of a run and its N-Quads, sorted, from the events of its conversations."""
    graph = run_graph(run)
    lines = {_Lines(graph).line(f"<{graph}>", TYPE, f"<{PREFIXES['kg']}Run>")}
    for events in conversations:
        lines.update(conversation_lines(run, events))
    return graph, "".join(sorted(lines)).encode()


def conversation_lines(run: str, events: Iterable[Event]) -> Iterator[str]:
    """The N-Quads of one conversation, line by line."""
    writer = _Conversation(run_graph(run))
    for event in events:
        yield from writer.lines(event)


class _Lines:
    def __init__(self, graph: str) -> None:
        self.graph = graph

    def line(self, subject: str, predicate: str, value: str) -> str:
        return f"{subject} {predicate} {value} <{self.graph}> .\n"

    def about(self, subject: str, kinds: Iterable[str], **values: str | None) -> Iterator[str]:
        """A node with its classes, and kg: properties by name; those that are None are left out."""
        for kind in kinds:
            yield self.line(subject, TYPE, _name(kind))
        for name, value in values.items():
            if value is not None:
                yield self.line(subject, _name(f"kg:{name}"), value)


class _Conversation(_Lines):
    """Where in the conversation the events are, to give each its node."""

    def __init__(self, graph: str) -> None:
        super().__init__(graph)
        self.iri = ""
        self.documents: dict[str, str] = {}  # by alias, "" for the only one
        self.calls = 0

    def node(self, *parts: object) -> str:
        return f"<{'/'.join([self.iri, *(quote(str(part), safe='') for part in parts)])}>"

    def time(self, node: str, which: str, at: str) -> Iterator[str]:
        if at:
            yield self.line(node, _name(f"prov:{which}AtTime"), typed_literal(at, "dateTime"))

    def lines(self, event: Event) -> Iterator[str]:
        match event:
            case ConversationStarted():
                yield from self._conversation(event)
            case ConversationEnded():
                yield from self.about(self.node(), (), turns=_integer(event.turns), seconds=_seconds(event.seconds))
                yield from self.time(self.node(), "ended", event.at)
            case TurnStarted():
                yield from self._turn(event)
            case Understood():
                text = event.understanding.model_dump_json()
                yield from self.about(self.node(event.turn + 1), (), understanding=text_literal(text))
            case ModelCalled() | ModelFailed():
                yield from self._model(event)
            case ToolCalled():
                yield from self._tool(event)
            case Answered():
                yield from self._answer(event)
            case Clarified():
                yield from self.about(self.node(event.turn + 1), (), askedBack=text_literal(event.question))
            case Failed():
                yield from self.about(self.node(event.turn + 1), (), message=text_literal(event.message))
            case TurnEnded():
                node, outcome = self.node(event.turn + 1), text_literal(event.outcome)
                yield from self.about(node, (), outcome=outcome, seconds=_seconds(event.seconds))
                yield from self.time(node, "ended", event.at)

    def _conversation(self, event: ConversationStarted) -> Iterator[str]:
        self.iri = f"{self.graph}/{quote(event.conversation, safe='', errors='surrogatepass')}"
        about = event.reports or {"": event.conversation}
        self.documents = {alias: document_graph(report) for alias, report in about.items()}
        yield from self.about(
            self.node(),
            ("kg:Conversation", "prov:Activity"),
            run=f"<{self.graph}>",
            backend=text_literal(event.backend),
            strategy=text_literal(event.strategy),
        )
        for document in self.documents.values():
            yield from self.about(self.node(), (), document=f"<{document}>")
        yield from self.time(self.node(), "started", event.at)

    def _turn(self, event: TurnStarted) -> Iterator[str]:
        self.calls = 0
        yield from self.about(
            self.node(event.turn + 1),
            ("kg:Turn", "prov:Activity"),
            conversation=self.node(),
            number=_integer(event.turn + 1),
            question=text_literal(event.question),
        )
        yield from self.time(self.node(event.turn + 1), "started", event.at)

    def _model(self, event: ModelCalled | ModelFailed) -> Iterator[str]:
        node = self.node(event.turn + 1, "model", event.call + 1)
        yield from self.about(
            node,
            ("kg:ModelCall", "prov:Activity"),
            turn=self.node(event.turn + 1),
            seconds=_seconds(event.seconds),
            failed=_boolean(isinstance(event, ModelFailed)),
        )
        yield from self.time(node, "ended", event.at)
        if isinstance(event, ModelCalled):
            usd = None if event.usd is None else _decimal(event.usd)
            yield from self.about(node, (), model=text_literal(event.reply.model or "none"), usd=usd)
            for kind, count in event.reply.usage:
                yield from self.about(node, (), **{f"{kind}Tokens".replace("_", ""): _integer(count)})

    def _tool(self, event: ToolCalled) -> Iterator[str]:
        self.calls += 1
        node = self.node(event.turn + 1, "call", self.calls)
        yield from self.about(
            node,
            ("kg:ToolCall", "prov:Activity"),
            turn=self.node(event.turn + 1),
            number=_integer(self.calls),
            tool=text_literal(event.tool),
            input=text_literal(json.dumps(event.input, ensure_ascii=False, sort_keys=True, default=str)),
            output=text_literal(event.output),
            failed=_boolean(event.error),
            seconds=_seconds(event.seconds),
        )
        yield from self.time(node, "ended", event.at)
        for query in event.sparql:
            yield from self.about(node, (), sparql=text_literal(query))
        for entry in event.entries:
            yield from self._entry(event.turn, entry, node)

    def _entry(self, turn: int, entry: Entry, call: str) -> Iterator[str]:
        node = self.node(turn + 1, "entry", entry.name)
        yield from self.about(
            node,
            ("kg:Entry", "prov:Entity"),
            name=text_literal(entry.name),
            value=_value(entry.value),
            unit=None if entry.unit is None else f"<{unit_iri(entry.unit)}>",
            scale=_integer(entry.scale),
            source=text_literal(entry.source.kind),
            operation=text_literal(entry.source.operation) if isinstance(entry.source, FromOperation) else None,
        )
        yield self.line(node, _name("prov:wasGeneratedBy"), call)
        for origin in self._origins(turn, entry):
            yield self.line(node, _name("prov:wasDerivedFrom"), origin)

    def _origins(self, turn: int, entry: Entry) -> Iterator[str]:
        source = entry.source
        if isinstance(source, FromFact):
            alias, _, name = source.fact.rpartition(":")
            yield f"<{self.documents[alias]}#{name}>"
        elif isinstance(source, FromFrame):
            yield f"<urn:tieout:rows:{source.rows_hash}>"
        elif isinstance(source, FromOperation):
            yield from (self.node(turn + 1, "entry", name) for name in source.operands)
        elif isinstance(source, FromPrior) and source.entry is not None:
            yield self.node(source.turn + 1, "entry", source.entry)

    def _answer(self, event: Answered) -> Iterator[str]:
        rests = [event.entry] if event.entry else [item.entry for item in event.items if item.entry is not None]
        entries = [self.node(event.turn + 1, "entry", name) for name in dict.fromkeys(rests)]
        for entry in entries:
            yield from self.about(entry, ("kg:Answer",))
            yield from self.about(self.node(event.turn + 1), (), answer=entry)
        for item in event.items:
            if item.sentence is not None:
                alias, _, name = item.sentence.rpartition(":")
                yield self.line(self.node(event.turn + 1), _name("prov:used"), f"<{self.documents[alias]}#{name}>")
        yield from self.about(
            self.node(event.turn + 1),
            (),
            answerKind=text_literal(str(event.kind)),
            answerText=text_literal(event.text),
            program=None if event.program is None else text_literal(event.program),
            checkScore=_integer(event.confidence),
            probability=None if event.probability is None else _decimal(Decimal(repr(event.probability))),
        )
        for flag in event.flags:
            yield from self.about(self.node(event.turn + 1), (), flag=text_literal(f"{flag.rule}: {flag.message}"))


def _name(prefixed: str) -> str:
    prefix, _, local = prefixed.partition(":")
    return f"<{PREFIXES[prefix]}{local}>"


def _integer(value: int) -> str:
    return typed_literal(str(value), "integer")


def _boolean(value: bool) -> str:
    return typed_literal("true" if value else "false", "boolean")


def _value(value: bool | Decimal | Words) -> str:
    if isinstance(value, Words):
        return typed_literal(value.text, "date") if value.form == "date" else text_literal(value.text)
    return _boolean(value) if isinstance(value, bool) else _decimal(value)


def _seconds(value: float) -> str:
    return _decimal(Decimal(repr(value)))


def _decimal(value: Decimal) -> str:
    """A value as xsd:decimal, cut to the digits that SPARQL can calculate with; the log has all of them."""
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and -exponent > MOST_FRACTION_DIGITS and value.adjusted() < MOST_FRACTION_DIGITS:
        value = value.quantize(Decimal(1).scaleb(-MOST_FRACTION_DIGITS), context=CONTEXT)
    return typed_literal(decimal_text(value), "decimal")
