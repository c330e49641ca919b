"""What the paths give back, as types: OpenAPI describes them, and the tests hold every reply against them.

An answer has the keys of `--json` (docs/json.md), to which keys may be added; all other values have these keys alone.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Number = int | float | None


class Value(BaseModel):
    """A value of the API."""

    model_config = ConfigDict(extra="forbid")


class Fault(Value):
    """What is wrong with a request, in one line."""

    error: str


class Report(Value):
    """A report. key: its short name in addresses. message: why it has failed. page: shown whole to whoever answers.

    original: how it can be looked at as it was printed; pages: of a PDF. done: of these, while
    it is read, how many are, and of how many.
    """

    key: str
    id: str
    state: Literal["waiting", "reading", "building", "indexing", "ready", "failed"]
    message: str
    done: tuple[int, int]
    page: bool
    figures: int
    company: str
    form: str
    ended: str | None
    original: Literal["pdf", "html", "sheets", ""]
    pages: int


class Reports(Value):
    """The reports in the order in which they came."""

    reports: list[Report]
    read_only: bool


class KnownReport(Value):
    """A report that is open, or one without a key that the store keeps."""

    key: str | None
    id: str
    company: str
    form: str
    ended: str | None


class Known(Value):
    """Reports that are open or kept. count: of all that were found."""

    count: int
    reports: list[KnownReport]


class Removed(Value):
    """The key of what is gone."""

    removed: str


class Part(Value):
    """A part of a report: its heading, the first paragraph, and the paragraph behind the last."""

    number: int
    title: str
    level: int
    first: int
    end: int


class TableTitle(Value):
    """A table of an outline. part: in which it stands. place: page or sheet, as the file has it."""

    number: int
    title: str
    place: str
    statement: str
    part: int


class Outline(Value):
    """What there is in a report."""

    parts: list[Part]
    tables: list[TableTitle]


class Span(Value):
    """A figure in a paragraph, from code point `start` to `end`."""

    fact: str
    start: int
    end: int


class Paragraph(Value):
    """A paragraph as printed."""

    paragraph: int
    text: str
    figures: list[Span]


class Table(Value):
    """A table as printed. heads: how many rows head its columns. spans: over how many columns a cell stands, by
    `row,column`; repeated: the cells that say again what such a cell says. figures: names by `row,column`."""

    table: int
    title: str
    place: str
    rows: list[list[str]]
    heads: int
    spans: dict[str, int]
    repeated: list[tuple[int, int]]
    figures: dict[str, list[str]]


class PrintedPart(Part):
    """A part with what is printed in it."""

    blocks: list[Paragraph | Table]


class FoundLine(Value):
    """A line of a table that was found."""

    text: str
    table: int
    row: int
    part: int


class FoundSentence(Value):
    """A sentence that was found."""

    text: str
    heading: str
    part: int


class Found(Value):
    """What has the words, the best first."""

    lines: list[FoundLine]
    sentences: list[FoundSentence]


class Place(Value):
    """Where a figure or a sentence is printed: a cell, or a span of a paragraph.

    boxes: on the pages of a PDF, each the page, from 1, and left, top, right and bottom in points from the top left.
    cell: the place in a workbook, or the page.
    """

    report: str
    fact: str
    part: int
    table: int | None = None
    row: int | None = None
    column: int | None = None
    paragraph: int | None = None
    start: int | None = None
    end: int | None = None
    boxes: list[tuple[int, float, float, float, float]] = []
    cell: str = ""


class Sheet(Value):
    """A sheet of a workbook. cells: what is shown, by address (`C5`)."""

    name: str
    rows: int
    columns: int
    cells: dict[str, str]


class Sheets(Value):
    """The sheets of a workbook."""

    sheets: list[Sheet]


class PageSizes(Value):
    """Width and height of each page in points."""

    pages: list[tuple[float, float]]


class Facts(Value):
    """Figures with all that is known of each (docs/graph.md). count: how many there are."""

    id: str
    count: int
    facts: list[dict[str, Any]]


class Using(Value):
    """An answer that rests on a figure."""

    conversation: str
    turn: int
    question: str
    answer: str | None


class Figure(BaseModel):
    """A figure with all that is known of it. reading: what was understood; sparql: the query that gives its value."""

    model_config = ConfigDict(extra="allow")
    name: str
    raw: str
    reading: str
    at: Place
    sparql: str
    used: list[Using]


class Filing(Value):
    """A report of a company. report: its key while it can be shown. fiscal_period: `FY`, `Q1` to `Q4`, "" unknown."""

    report: str | None
    id: str
    form: str
    fiscal_year: int | None
    fiscal_period: str
    ended: str | None
    amendment: bool


class Company(Value):
    """A company with its filings, the newest first. identifier: CIK, LEI, else its short name."""

    company: str
    name: str
    names: list[str]
    ticker: str | None
    identifier: str
    filings: list[Filing]


class Companies(Value):
    """The companies by name."""

    companies: list[Company]


class Measure(Value):
    """What can be compared. statement: in which it stands, "" for what is calculated."""

    name: str
    statement: str
    unit: str


class Measures(Value):
    """Line items, then metrics."""

    measures: list[Measure]


class Stated(Value):
    """A figure as a filing states it. report: its key while it can be shown; fact: the figure's name in it.
    shown: as it is printed; amount: exact, in full units, signed as it is meant."""

    report: str | None
    id: str
    fact: str
    label: str
    shown: str
    amount: str
    place: str


class GridCell(Value):
    """A value. amount: exact, in full units, a rate as a decimal. drawn: as a chart draws it, in the unit of the title.
    program: how it is calculated, null where it is stated. stated: what it rests on; restated: what older filings state
    in place of it."""

    shown: str
    amount: str
    drawn: float
    unit: str
    program: str | None
    probability: float
    flags: list[str]
    stated: list[Stated]
    restated: list[Stated]


class GridRow(Value):
    """A line: of a company, or of a statement."""

    label: str
    cells: list[GridCell | None]


class Grid(Value):
    """Values by line and period."""

    title: str
    columns: list[str]
    rows: list[GridRow]


class Grids(Value):
    """Grids, and what is to be said below them."""

    grids: list[Grid]
    notes: list[str]


class ReportOf(Value):
    """A report of a conversation. key: while it is open; asked: whether the next question is about it too."""

    key: str | None
    id: str
    asked: bool


class AnyConversation(Value):
    """A conversation. aliases: the report behind what stands in front of the names of its figures."""

    conversation: str
    title: str
    begun: str | None
    changed: str | None
    shared: bool
    reports: list[ReportOf]
    aliases: dict[str, str]


class Conversation(AnyConversation):
    """A conversation in a list. turns: how many questions it has."""

    turns: int


class Conversations(Value):
    """The conversations that were asked for. count: how many there are in all."""

    count: int
    conversations: list[Conversation]


class Node(BaseModel):
    """A step on the way to an answer. from: the places of what it is made from. report: whose it is. heading:
    under which its figure stands."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    shown: str
    kind: str
    how: str
    about: str
    fact: str | None
    report: str
    heading: str
    made_from: list[int] = Field(alias="from")


class Flag(Value):
    """What a check found odd. meaning: of the rule."""

    rule: str
    message: str
    meaning: str = ""


class Notes(Value):
    """What the memory knew of a question, by name, and words that nothing explains."""

    terms: list[str]
    recipes: list[str]
    unknown: list[str]


class AnswerCell(Value):
    """A figure of an answer. shown: as it reads below the unit of the grid. amount: in full units. drawn: as a chart
    draws it, null where figures cannot be drawn together. fact: the name of the printed figure, null of one
    calculated."""

    shown: str
    amount: Number
    drawn: float | None
    unit: str | None
    fact: str | None


class AnswerRow(Value):
    """A line of an answer."""

    label: str
    cells: list[AnswerCell | None]


class AnswerGrid(Value):
    """An answer that is a list or a table of figures; a list has one column. unit: of all, as the head says it."""

    unit: str
    columns: list[str]
    rows: list[AnswerRow]


class Answer(BaseModel):
    """An answer: the keys of `--json` (docs/json.md), and where its figures are printed (marks, by their names).

    readings: what the question may mean, where the answer is doubted: that which was answered first. grid: of a list or
    a table of figures. elsewhere: the keys of open reports that the question may be for, and that are not asked.
    """

    model_config = ConfigDict(extra="allow")
    kind: str | None
    value: int | float | str | None
    unit: str | None
    scale: int | None
    amount: Number
    probability: float | None
    flags: list[Flag]
    outcome: str
    answer: str | None
    question: str
    conversation: str
    turn: int
    nodes: list[Node]
    roots: list[int]
    notes: Notes
    pictures: list[str]
    marks: dict[str, Place]
    queries: list[str]
    readings: list[str]
    grid: AnswerGrid | None
    elsewhere: list[str]


class WholeConversation(AnyConversation):
    """A conversation with its answers."""

    turns: list[Answer]


class Stopped(Value):
    """Whether a question is told to stop."""

    stopped: bool


class Undone(Value):
    """The question that was taken back, and how many are left."""

    undone: str | None
    turns: int


class Shared(Value):
    """The path of the page that shows a conversation to who has no token; null where there is none."""

    path: str | None


class Term(Value):
    """A term of the house."""

    label: str
    others: list[str]
    meaning: str
    calculation: str


class Recipe(Value):
    """A recipe of the house, with the questions that it answers."""

    heading: str
    description: str
    questions: list[str]


class About(Value):
    """Who answers, and what there is beside the reports. share: whether conversations may be shown by a link. kept: how
    many reports the store keeps that can be opened."""

    version: str
    backend: str
    data: list[str]
    terms: list[Term]
    recipes: list[Recipe]
    read_only: bool
    share: bool
    kept: int


class Run(BaseModel):
    """A run of an evaluation. error: why it cannot be read."""

    model_config = ConfigDict(extra="allow")
    run: str


class Runs(Value):
    """The runs by name."""

    runs: list[Run]


class RunTurns(Value):
    """Turns of a run beside their gold labels."""

    run: str
    count: int
    turns: list[dict[str, Any]]
