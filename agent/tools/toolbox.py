"""The tools: what a backend can call. Each is a typed method; to add one, write it and list it in TOOLS."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from tieout.agent.ledger.calculation import calculate as calculated
from tieout.agent.ledger.display import display, exact
from tieout.agent.ledger.form import FORM_SAID, Format
from tieout.agent.ledger.ledger import Entry, Ledger
from tieout.agent.protocol.message import Kind, KindName
from tieout.agent.protocol.tool import Tool, ToolError, as_tool_errors, declare
from tieout.agent.tools.answering import Answer, answered, tabled, with_words
from tieout.agent.tools.derived import carried_out, find_derivation, period_that_follows
from tieout.agent.tools.lookup import MOST_CANDIDATES, OF_COMPANIES, candidates, find_or_define, narrow, plain
from tieout.agent.tools.values import Values
from tieout.agent.view.reports import Reports
from tieout.data.arithmetic.operation import OperationError
from tieout.data.arithmetic.operations import catalogue
from tieout.data.arithmetic.operations import find as find_operation
from tieout.data.frozen import Frozen
from tieout.kg.derived import Derivation
from tieout.kg.fact import Fact
from tieout.kg.store.graph import FACTS


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


class Understanding(Frozen):
    """What a question asks for."""

    description: str
    entity_type: str | None = None
    property: str | None = None
    filters: dict[str, str] = Field(default={})
    requires_calculation: bool = False
    operation: str | None = None
    operands: tuple[str, ...] = ()
    reasoning: str = ""


class Clarification(Frozen):
    """A question back, with readings to choose from."""

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
            Field(
                description='{"year": "2007"}. Keys: year, period, segment, label, header, section, unit, kind. Over '
                "all filings, any measure or expression: company (`all`, or names with ;), fiscal_year (2023, 2021-23, "
                "2021-, last 5), fiscal_period (FY, Q1 to Q4, LTM): all that fit, each by its name."
            ),
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
        if isinstance(reader, Reports) and OF_COMPANIES & filters.keys():
            from tieout.agent.tools import across

            if across.is_measure(property):
                return across.look_up(self.values, reader.across, property or "", filters, name)
            facts, filters = across.inside(self.values, reader, property or "", filters)
        elif isinstance(reader, Reports):
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
        """List what there is: the instances of a kind of entity with their properties; of several reports companies."""
        if isinstance(self.values.reader, Reports):
            from tieout.agent.tools import across

            return across.listed(self.values.reader.across)
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
        with as_tool_errors(OperationError):
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
            list[Value], Field(max_length=400, description="Instead, for a list: several, in order.")
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
        columns: Annotated[
            list[Text],
            Field(
                max_length=24,
                description="Of a table: its columns; `words` name its rows, `values` fill them by row, - for none.",
            ),
        ] = [],  # noqa: B006
        understood: Annotated[
            Text | None, Field(description="What was asked, in one sentence, with every `that` resolved.")
        ] = None,
        basis: Annotated[Words | None, Field(description="What a number is on: `on average inventory`.")] = None,
        caveat: Annotated[Words | None, Field(description="What to bear in mind, written as prose.")] = None,
    ) -> Answer:
        """Answer the question. Ends the turn."""
        answer = (
            tabled(self.values, values, words, columns, format)
            if columns
            else answered(self.values, value, values, words, format, Kind(kind) if kind else None)
        )
        said = with_words(self.values, answer, basis, caveat)
        return said.model_copy(update={"understood": understood or ""})

    def search(
        self,
        words: Annotated[list[Text], Field(min_length=1, max_length=12, description="Words of what is looked for.")],
        report: Annotated[Text | None, Field(description="Alias of one report.")] = None,
        section: Annotated[Text | None, Field(description="Words of a heading or title.")] = None,
        period: Annotated[Text | None, Field(description="A year or a day.")] = None,
        only: Annotated[Literal["tables", "sentences"] | None, Field(description="One of the two.")] = None,
    ) -> dict[str, Any]:
        """Find further tables and sentences of the reports, in the notation of the card."""
        return {"found": self._reports().search(words, report, section, period, only).text}

    def open(
        self,
        name: Annotated[Text, Field(description="t12, t12-t15, ko24:t12, s340, s340-s350, or a heading: Note 16.")],
    ) -> dict[str, Any]:
        """Open tables whole, sentences with those around them, or a section."""
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
    scale = entry.scale if entry.scale_known else None
    return {"name": entry.name, "value": value, "unit": entry.unit, "scale": scale, "shown": display(entry)}


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
OF_PAGES = frozenset({"list_entities", "search_text"})  # of a page that is shown whole; `search` does both in reports
REPORT_TOOLS: tuple[Tool, ...] = (declare(Tools.search), declare(Tools.open))  # where the card is but an outline
