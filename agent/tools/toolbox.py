"""The tools: what a backend can call. Each is a typed method; to add one, write it and list it in TOOLS."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from tieout.agent.arithmetic.operations import catalogue
from tieout.agent.arithmetic.operations import find as find_operation
from tieout.agent.ledger.calculation import calculate as calculated
from tieout.agent.ledger.display import display, exact
from tieout.agent.ledger.form import FORM_SAID, Format, asked_form, in_words, meant_form, merged, read_form
from tieout.agent.ledger.ledger import CONSTANTS_ALONE, Entry, Ledger, rests_on_something
from tieout.agent.protocol.answer import Item, Kind, KindName
from tieout.agent.protocol.tool import Tool, ToolError, declare
from tieout.agent.tools.definitions import find_or_define
from tieout.agent.tools.derived import Derivation, carried_out, find_derivation, period_that_follows
from tieout.agent.tools.lookup import MOST_CANDIDATES, candidates, narrow, plain
from tieout.agent.tools.prose import composed, is_composed, marked, quoted, refusal, refusals
from tieout.agent.tools.values import Values
from tieout.agent.view.reports import Reports
from tieout.kg.fact import Fact
from tieout.kg.store.graph import FACTS

frozen = ConfigDict(frozen=True, extra="forbid")


def digits(value: object) -> object:
    """A number of JSON as text, written out (0.00001, not 1e-05); anything else as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return value
    return f"{Decimal(str(value)):f}"


Text = Annotated[str, BeforeValidator(digits), Field(max_length=400)]
Value = Annotated[str, BeforeValidator(digits), Field(min_length=1, max_length=100)]
Words = Annotated[str, Field(min_length=1, max_length=2000)]
NAME = r"^[A-Za-z][A-Za-z0-9_]{0,63}$"
Name = Annotated[
    str | None,
    Field(pattern=NAME, description="A name for the result, to be used in later calls, also of this very reply."),
]
EntityType = Annotated[
    str | None, Field(max_length=200, description="Kind of entity, as the card names it. Any if left out.")
]


class Understanding(BaseModel):
    """What a question asks for."""

    model_config = frozen
    description: str
    entity_type: str | None = None
    property: str | None = None
    filters: dict[str, str] = {}
    requires_calculation: bool = False
    operation: str | None = None
    operands: tuple[str, ...] = ()
    reasoning: str = ""


class Answer(BaseModel):
    """What answers the question, and how it is to be read.

    entry: the one that is the answer; None for an answer that is no single number, whose items are said instead.
    """

    model_config = frozen
    entry: Entry | None = None
    format: Format | None = None
    text: str
    kind: Kind = Kind.NUMBER
    items: tuple[Item, ...] = ()


class Clarification(BaseModel):
    """A question back, with readings to choose from."""

    model_config = frozen
    question: str
    options: tuple[str, ...] = ()


class Tools:
    """What the calls of one turn work on: the facts of one document, and the ledger."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.ledger: Ledger = values.ledger
        self.facts: tuple[Fact, ...] = tuple(values.facts.values())

    def understand(
        self,
        description: Annotated[Text, Field(description="What is asked, in one sentence, with every `that` resolved.")],
        entity_type: EntityType = None,
        property: Annotated[Text | None, Field(description="What is measured, as the card names it.")] = None,
        filters: Annotated[dict[str, Text], Field(description='Which one: {"year": "2007"}.')] = {},  # noqa: B006
        requires_calculation: Annotated[bool, Field(description="False for a figure that is printed.")] = False,
        operation: Annotated[Text | None, Field(description="The operation of the last step.")] = None,
        operands: Annotated[list[Value], Field(max_length=64, description="Its operands, in order.")] = [],  # noqa: B006
        reasoning: Annotated[str, Field(max_length=2000, description="Why, in two sentences.")] = "",
    ) -> Understanding:
        """Say what the question asks for before looking anything up. The first call of a turn."""
        return Understanding(
            description=description,
            entity_type=entity_type,
            property=property,
            filters=dict(sorted(filters.items())),
            requires_calculation=requires_calculation,
            operation=operation,
            operands=tuple(operands),
            reasoning=reasoning,
        )

    def query_kg(
        self,
        property: Annotated[
            Text | None, Field(description="What is measured: a property name or a printed label.")
        ] = None,
        entity_type: EntityType = None,
        filters: Annotated[
            dict[str, Text],
            Field(description='{"year": "2007"}. Keys: year, period, segment, label, header, section, unit, kind.'),
        ] = {},  # noqa: B006
        fact: Annotated[Text | None, Field(description="Or the short name of the fact itself: t1r2c3.")] = None,
        name: Name = None,
    ) -> dict[str, Any]:
        """Look one figure up. A miss, or several figures that fit, is an error that lists the candidates."""
        if fact is not None:
            if fact not in self.values.facts:
                raise ToolError(f"there is no fact {fact!r}", suggestion="the card lists the short names of all facts")
            chosen = self.values.facts[fact]
            entry = self.values.fact(chosen, name)
            told = {"name": entry.name, **figure(chosen), "shown": display(entry)}
            return told | {"matched": {"by": "fact", "score": 100}}
        if property is None and not filters:
            raise ToolError("query_kg needs a property, a filter or the short name of a fact")
        reader = self.values.reader
        facts = self.facts
        if isinstance(reader, Reports):
            reader.about(property or " ".join(filters.values()))
            facts = tuple(self.values.facts.values())
        labels = reader.labels() if reader and property else {}
        try:
            found = find_or_define(facts, entity_type, property, filters, labels)
        except ToolError:
            made = find_derivation(facts, entity_type, property, filters, labels)
            if made is None:
                raise
            return self._derived(made, name)
        entry = self.values.fact(found.fact, name)
        self.values.matched[entry.name] = found.by
        matched = {"by": str(found.by), "score": found.score, "property": found.fact.property}
        told = {"name": entry.name, **figure(found.fact), "shown": display(entry)}
        return told | {"matched": matched, "same_figure": list(found.same)}

    def _derived(self, made: Derivation, name: str | None) -> dict[str, Any]:
        """A figure of a period that is not printed, calculated from those that are."""
        if len(made.facts) == 1:
            return self.query_kg(fact=made.facts[0].name, name=name)
        entry, figures = carried_out(made, self.values.fact, self.ledger, self.values.free(name))
        return {**described(entry), "period": entry.period, "not_printed": made.told(), "facts": list(figures)}

    def list_entities(self, entity_type: EntityType = None) -> dict[str, Any]:
        """List what the document tells of: the instances of a kind of entity, with the properties that each has."""
        self._read_all()
        facts = [fact for fact in self.facts if entity_type is None or plain(fact.entity_type) == plain(entity_type)]
        if not facts:
            raise ToolError(
                f"no entity of type {entity_type!r}", available=sorted({fact.entity_type for fact in self.facts})
            )
        instances: dict[str, dict[str, Any]] = {}
        for fact in facts:
            about = instances.setdefault(
                fact.instance,
                {"instance": fact.instance, "type": fact.entity_type, "header": fact.header, "properties": []},
            )
            if fact.property not in about["properties"]:
                about["properties"].append(fact.property)
        return {"count": len(instances), "instances": list(instances.values())[:100]}

    def search_text(
        self,
        keywords: Annotated[
            list[Text], Field(min_length=1, max_length=8, description="Words of the sentence, or of the label.")
        ],
        year: Annotated[Text | None, Field(description="Only figures of this year.")] = None,
        unit: Annotated[Text | None, Field(description="Only figures of this unit: percent, USD, shares.")] = None,
    ) -> dict[str, Any]:
        """Find figures by the words around them, in sentences and tables; use one of them by its short name."""
        self._read_all()
        facts = list(self.facts)
        for key, wanted in (("year", year), ("unit", unit)):
            facts = facts if wanted is None else narrow(facts, key, wanted)
        wanted_words = [plain(keyword) for keyword in keywords]
        hits = [(_hits(wanted_words, fact), -index, fact) for index, fact in enumerate(facts)]
        ranked = [(count, fact) for count, _, fact in sorted(hits, key=lambda hit: hit[:2], reverse=True) if count]
        if not ranked:
            raise ToolError(f"no sentence or cell has any of {', '.join(keywords)}", candidates=candidates(facts))
        shown = ranked[:MOST_CANDIDATES]
        return {
            "count": len(ranked),
            "facts": [
                {"fact": fact.name, "keywords": count, **figure(fact), "context": fact.context} for count, fact in shown
            ],
        }

    def calculate(
        self,
        operation: Annotated[Text, Field(description=catalogue())],
        values: Annotated[
            list[Value],
            Field(
                min_length=1,
                max_length=64,
                description="Operands in order: names of results, short names of facts, prev_1 for the last answer, or "
                "a number that the question states or that is a known constant.",
            ),
        ],
        name: Name = None,
    ) -> dict[str, Any]:
        """Calculate. Percentages enter as decimals (27% is 0.27), and different scales are brought to one."""
        wanted = find_operation(operation)
        operands = [self.values.entry(value) for value in values]
        period = period_that_follows(self.ledger, wanted.name, operands, self.values.facts)
        return described(calculated(self.ledger, wanted, operands, self.values.free(name), period))

    def answer(
        self,
        value: Annotated[
            Value | None,
            Field(description="Name of the result, short name of a fact, or prev_1; yes or no only by `greater`."),
        ] = None,
        format: Annotated[Format | None, Field(description=FORM_SAID)] = None,
        values: Annotated[
            list[Value], Field(max_length=64, description="Instead, for a list: several, in order.")
        ] = [],  # noqa: B006
        words: Annotated[
            list[Words],
            Field(
                max_length=64,
                description="Instead: a period, name or quotation as printed (with `values`: to which they belong); or "
                "prose: `fell to {t1r2c1} from {old|1 decimal} as prices fell [s4]`.",
            ),
        ] = [],  # noqa: B006
        kind: Annotated[KindName | None, Field(description="What kind it is, where no number.")] = None,
        basis: Annotated[Words | None, Field(description="What a number is on: `on average inventory`.")] = None,
        caveat: Annotated[Words | None, Field(description="What to bear in mind, written as prose.")] = None,
    ) -> Answer:
        """Answer the question. Ends the turn."""
        answered = self._answered(value, format, values, words, kind)
        beside = [each for each in (basis, caveat) if each]
        if not beside:
            return answered
        refused = [each for text in beside for each in refusals(text, self.values)]
        if refused:
            raise refusal(refused)
        said, under = zip(*(composed(each, self.values) for each in beside), strict=True)
        text = f"{answered.text}, {said[0].rstrip('.')}" if basis else answered.text
        text += f". {said[-1]}" if caveat else ""
        figures = (item for items in under for item in items if item.sentence is not None or answered.entry is None)
        return answered.model_copy(update={"text": text, "items": (*answered.items, *figures)})

    def _answered(
        self, value: str | None, format: str | None, values: list[str], words: list[str], kind: KindName | None
    ) -> Answer:
        entries = [self.values.entry(each) for each in values]
        asked = asked_form(self.values.questions[-1])
        if words:
            return self._worded(words, entries, Kind(kind or "prose"), format)
        if entries:
            format = in_words(merged(read_form(format or ""), asked))
            items = tuple(Item(text=display(entry, format), entry=entry.name) for entry in entries)
            text = "; ".join(map(_labelled, told_apart(entries), items))
            return Answer(format=format, text=text, kind=Kind(kind or "list"), items=items)
        if value is None:
            raise ToolError("answer needs a value, values or words")
        entry = self.values.entry(value)
        if self.values.strict and not rests_on_something(self.ledger, entry.name):
            raise ToolError(CONSTANTS_ALONE, suggestion="look up the figures that the question is about")
        meant = format or meant_form(self.ledger, entry, self.values.questions[-1]) or ""
        format = in_words(merged(read_form(meant), asked))
        said = Kind(kind or ("boolean" if isinstance(entry.value, bool) else "number"))
        return Answer(entry=entry, format=format, text=display(entry, format), kind=said)

    def _worded(self, words: list[str], entries: list[Entry], kind: Kind, format: Format | None) -> Answer:
        """Words of the report, with the figures they rest on. Raises ToolError for words that stand nowhere in it."""
        if kind is Kind.PROSE and any(map(is_composed, words)):
            return self._written(words, format)
        names: list[str | None] = [entry.name for entry in entries]
        names += [None] * (len(words) - len(names))
        quotations = [quoted(each, self.values, with_sentence=kind is Kind.PROSE) for each in words]
        items = tuple(
            Item(text=each.text, entry=name, sentence=each.sentence)
            for each, name in zip(quotations, names, strict=False)
        )
        items += tuple(Item(text=display(entry, format), entry=entry.name) for entry in entries[len(words) :])
        told = list(words)
        if kind in (Kind.TABLE, Kind.NAMED):
            told = [f"{text}: {display(entry, format)}" for text, entry in zip(words, entries, strict=False)] or told
        return Answer(text="; ".join(told), kind=kind, items=items, format=format)

    def _written(self, words: list[str], format: Format | None) -> Answer:
        """Prose around figures and sentences. Raises ToolError that says all that nothing accounts for."""
        refused = [each for text in words for each in refusals(text, self.values)]
        if refused:
            raise refusal(refused)
        said: list[Item] = []
        under: dict[tuple[str | None, str | None], Item] = {}
        for each in words:
            text, rests = composed(marked(each), self.values, format)
            said.append(Item(text=text))
            under |= {(item.entry, item.sentence): item for item in rests}
        return Answer(text=" ".join(item.text for item in said), kind=Kind.PROSE, items=(*said, *under.values()))

    def search(
        self,
        words: Annotated[list[Text], Field(min_length=1, max_length=12, description="Words of what is looked for.")],
        report: Annotated[Text | None, Field(description="Alias of one report.")] = None,
        section: Annotated[Text | None, Field(description="Words of a heading or title.")] = None,
        period: Annotated[Text | None, Field(description="A year or a day.")] = None,
    ) -> dict[str, Any]:
        """Find further tables and sentences of the reports, in the notation of the card."""
        return {"found": self._reports().search(words, report, section, period).text}

    def open(
        self, name: Annotated[Text, Field(description="A table or a sentence by its name: t12, ko24:t12, s340.")]
    ) -> dict[str, Any]:
        """Open a table whole, or a sentence with those around it."""
        return {"opened": self._reports().opened(name).text}

    def _reports(self) -> Reports:
        if not isinstance(self.values.reader, Reports):
            raise ToolError("the page is shown whole: there is nothing more to open")
        return self.values.reader

    def _read_all(self) -> None:
        if self.values.reader is not None:
            self.values.reader.read_by(FACTS)

    def clarify(
        self,
        question: Annotated[str, Field(min_length=1, max_length=1000, description="What you need to know.")],
        options: Annotated[list[Text], Field(max_length=10, description="The readings to choose from.")] = [],  # noqa: B006
    ) -> Clarification:
        """Ask back, when the question has two readings that lead to different answers. Ends the turn."""
        return Clarification(question=question, options=tuple(options))


def figure(fact: Fact) -> dict[str, Any]:
    """A fact as results tell it: exact value as text, unit, scale, period, printed text and where it is from."""
    return {
        "value": str(fact.value),
        "unit": fact.unit,
        "scale": fact.scale,
        "period": fact.period.label if fact.period else None,
        "label": fact.label,
        "header": fact.header,
        "raw": fact.raw,
        "source": fact.name,
    }


def described(entry: Entry) -> dict[str, Any]:
    """An entry as results tell it."""
    value = entry.value if isinstance(entry.value, bool) else exact(entry)
    return {"name": entry.name, "value": value, "unit": entry.unit, "scale": entry.scale, "shown": display(entry)}


def told_apart(entries: Sequence[Entry]) -> list[str]:
    """What each of several figures is, in the words in which they differ: the period, what it measures, or both."""
    periods, abouts = [each.period or "" for each in entries], [each.about for each in entries]
    by_period, by_about = len(set(periods)) > 1, len(set(abouts)) > 1
    told = [
        ", ".join(part for part in (about if by_about else "", period if by_period else "") if part)
        for about, period in zip(abouts, periods, strict=True)
    ]
    return told if len(set(told)) == len(entries) else [""] * len(entries)


def _labelled(what: str, item: Item) -> str:
    return f"{what}: {item.text}" if what else item.text


def _hits(keywords: list[str], fact: Fact) -> int:
    text = f" {plain(' '.join((fact.label, fact.header, fact.section, fact.context)))} "
    return sum(f" {keyword} " in text or bool(re.search(rf"\b{re.escape(keyword)}", text)) for keyword in keywords)


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        declare(Tools.understand),
        declare(Tools.query_kg),
        declare(Tools.list_entities),
        declare(Tools.search_text),
        declare(Tools.calculate),
        declare(Tools.answer),
        declare(Tools.clarify),
    )
}
REPORT_TOOLS: tuple[Tool, ...] = (declare(Tools.search), declare(Tools.open))  # where the card is but an outline
