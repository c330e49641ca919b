"""One turn that is over, made from its events and from nothing else: what was answered, how, and what it rests on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from tieout.agent.ledger.form import Format
from tieout.agent.ledger.ledger import Entry, FromOperation, Ledger, Words
from tieout.agent.log.events import (
    Answered,
    Clarified,
    Event,
    Failed,
    Flag,
    ModelCalled,
    ToolCalled,
    TurnEnded,
    TurnStarted,
)
from tieout.agent.log.events import Understood as UnderstoodEvent
from tieout.agent.protocol.message import Item, Kind, PriorTurn, ToolCall, Usage
from tieout.agent.tools.toolbox import Clarification, Understanding
from tieout.agent.tools.values import Prior
from tieout.agent.view.history import expression
from tieout.data.arithmetic.units import rounded
from tieout.data.document import brief

OVER_DATA = frozenset({"query_sql", "run_script", "run_recipe"})


@dataclass(frozen=True, repr=False)
class Turn:
    """What came of a question.

    outcome: `answer`, `clarify`, or what ended the turn instead (`limit`, `refusal`, `error`, ...), with message then.
    answer: the entry, None for an answer that is no single number: its items are what it says then; kind: of answer;
    text: as shown; program: in FinQA's language, None where it has no words for it.
    flags: what the checks found odd; check_score: 0 to 100, by these flags, None without an answer.
    probability: 0 to 1, the backend's own estimate that the answer is right, None where it makes none.
    given: the answer from outside that stands in the history in place of our own.
    """

    index: int
    question: str
    outcome: str
    ledger: Ledger
    events: tuple[Event, ...]
    message: str = ""
    answer: Entry | None = None
    kind: Kind | None = None
    items: tuple[Item, ...] = ()
    text: str | None = None
    format: Format | None = None
    program: str | None = None
    check_score: int | None = None
    probability: float | None = None
    flags: tuple[Flag, ...] = ()
    understanding: Understanding | None = None
    clarification: Clarification | None = None
    given: str | None = None
    model_calls: int = 0
    tool_calls: int = 0
    usage: Usage = field(default_factory=Usage)
    usd: Decimal | None = None
    seconds: float = 0

    def __repr__(self) -> str:
        came = self.outcome if self.text is None else brief(self.text)
        return f"Turn({self.index + 1}, {brief(self.question)}, {came})"

    @property
    def number(self) -> Decimal | bool | None:
        """The answer as it is scored: percent as decimal, full precision; None where there is none, or it is words."""
        return None if self.answer is None else self.answer.as_number()

    @property
    def figure(self) -> Entry | None:
        """The answer where it is a single figure, or the one that goes with what it names."""
        is_named = self.kind == Kind.NAMED and bool(self.items) and self.items[0].entry is not None
        return self.ledger[str(self.items[0].entry)] if is_named else self.answer

    @property
    def roots(self) -> tuple[str, ...]:
        """The entries that the answer is, or rests on, by name: the one that it is comes last."""
        named = (item.entry for item in self.items if item.entry is not None)
        return tuple(dict.fromkeys((*named, *(() if self.answer is None else (self.answer.name,)))))

    def facts_under(self) -> tuple[str, ...]:
        """Names of the facts that the answer rests on."""
        return self.ledger.facts_under(*self.roots)

    def prior(self) -> Prior:
        """The answer as later turns may use it: the one given from outside, where there is one and ours is another."""
        if self.given is None or self.agrees:
            value = None if self.figure is None else self.figure.value
            return Prior(self.index, value, self.figure, given=self.given is not None)
        return Prior(self.index, given_value(self.given), None, given=True)

    def prior_turn(self) -> PriorTurn:
        """The turn as a backend is told of it later."""
        prior = self.prior()
        entry = prior.entry
        if entry is None:
            under = () if prior.given else self.facts_under()
            is_name = self.kind == Kind.NAME and len(self.items) == 1 and not prior.given
            return PriorTurn(
                question=self.question,
                answer=self.given if prior.given else self.text,
                value=prior.value,
                facts=under,
                operation="list" if under else None,
                names=self.items[0].text if is_name else "",
                probability=None if prior.given else self.probability,
                given=prior.given,
            )
        source = entry.source
        return PriorTurn(
            question=self.question,
            answer=self.given if prior.given else _told(entry, self.text) if self.answer else self.text,
            value=entry.as_number(),
            entry=entry.name,
            operation=source.operation if isinstance(source, FromOperation) else "lookup",
            facts=self.ledger.facts_under(entry.name),
            about=entry.about,
            names="" if self.answer else self.items[0].text,
            period=entry.period,
            given=prior.given,
            probability=None if prior.given else self.probability,
            made="; ".join([expression(self.ledger, entry.name), *_worked(self.events)]),
            calls=() if prior.given else tuple(_calls(self.events)),
        )

    def sentences_under(self) -> tuple[str, ...]:
        """Names of the sentences that the answer quotes or cites."""
        return tuple(dict.fromkeys(item.sentence for item in self.items if item.sentence is not None))

    @property
    def agrees(self) -> bool:
        """Whether our own answer is the given one, to the five decimals to which answers are given."""
        if self.given is None or self.number is None:
            return False
        value = given_value(self.given)
        if isinstance(value, bool) or isinstance(self.number, bool):
            return value is self.number
        return rounded(self.number) == rounded(value)


def given_value(text: str) -> Decimal | bool:
    """An answer from outside: a number, or yes or no."""
    return text == "yes" if text in ("yes", "no") else Decimal(text)


def read_turns(events: Iterable[Event]) -> tuple[Turn, ...]:
    """The turns of a log that came to their end, in order; what stands behind the last one is left out."""
    turns: list[Turn] = []
    collected: list[Event] = []
    for event in events:
        if isinstance(event, TurnStarted):
            collected = []
        collected.append(event)
        if isinstance(event, TurnEnded):
            turns.append(read_turn(collected, [turn.ledger for turn in turns]))
    return tuple(turns)


def read_turn(events: Sequence[Event], earlier: Sequence[Ledger]) -> Turn:
    """The turn that these events tell of, from TurnStarted to TurnEnded; earlier: ledgers of the turns before it."""
    ledger = Ledger(earlier)
    fields: dict[str, object] = {}
    for event in events:
        match event:
            case TurnStarted():
                fields |= {"index": event.turn, "question": event.question}
            case UnderstoodEvent():
                fields["understanding"] = event.understanding
            case ToolCalled():
                for entry in event.entries:
                    ledger.add(entry)
            case Answered():
                fields |= {"answer": ledger[event.entry] if event.entry else None, "kind": event.kind}
                fields |= {"items": event.items, "text": event.text, "format": event.format}
                fields |= event.model_dump(include={"program", "probability"})
                fields |= {"check_score": event.confidence, "flags": event.flags}
            case Clarified():
                fields["clarification"] = Clarification(question=event.question, options=event.options)
                fields["flags"] = event.flags
            case Failed():
                fields["message"] = event.message
            case TurnEnded():
                fields |= event.model_dump(include={"outcome", "given", "model_calls", "tool_calls", "usd", "seconds"})
                fields["usage"] = event.usage
            case _:
                pass
    return Turn(ledger=ledger, events=tuple(events), **fields)  # type: ignore[arg-type]


def _calls(events: Sequence[Event]) -> Iterator[ToolCall]:
    failed = {
        event.call for event in events if isinstance(event, ToolCalled) and event.error and event.tool in OVER_DATA
    }
    for event in events:
        if isinstance(event, ModelCalled):
            yield from (call for call in event.reply.calls if call.tool not in OVER_DATA or call.id not in failed)


def _worked(events: Sequence[Event]) -> Iterator[str]:
    """The calls over data that worked, as later turns are told of them: the errors on the way are not."""
    for event in events:
        if isinstance(event, ToolCalled) and event.tool in OVER_DATA and not event.error:
            yield f"{event.tool}({json.dumps(event.input, ensure_ascii=False, sort_keys=True)})"


def _told(entry: Entry, text: str | None) -> str | None:
    """An answer as the history tells it: rows of data are shown to the user alone."""
    if isinstance(entry.value, Words) and entry.value.form in ("list", "table"):
        return f"a {entry.value.form}, shown to the user"
    return text
