"""The values every other part starts from: a report, and a conversation about it."""

from __future__ import annotations

from decimal import Decimal

from pydantic import BaseModel, ConfigDict

type_config = ConfigDict(frozen=True, extra="forbid")


class Table(BaseModel):
    """One table as printed.

    rows: every row from the top, headers included, each a tuple of cell texts; rows may be of different length.
    """

    model_config = type_config
    rows: tuple[tuple[str, ...], ...]


class Document(BaseModel):
    """One page of a report.

    paragraphs: the text in reading order; the first `before` of them stand before the tables, the rest behind.
    """

    model_config = type_config
    id: str
    paragraphs: tuple[str, ...]
    before: int
    tables: tuple[Table, ...]


class Question(BaseModel):
    """What is asked in one turn. This is all that anything which answers gets to see."""

    model_config = type_config
    text: str


class Gold(BaseModel):
    """What the annotators say of one turn. For scoring alone.

    answer: the executed answer, a number or `yes`/`no`. program: in the language of FinQA (Chen et al. 2021).
    printed: the answer as a reader wrote it, e.g. `14.2%`. source: 0 or 1, which source question the turn is from
    (`qa_split`).
    """

    model_config = type_config
    answer: Decimal | str
    program: str
    printed: str | None = None
    source: int = 0


class Conversation(BaseModel):
    """A report and the questions asked about it, turn by turn. `gold` is empty where nothing is labelled."""

    model_config = type_config
    document: Document
    questions: tuple[Question, ...]
    gold: tuple[Gold, ...] = ()

    @property
    def id(self) -> str:
        """The id of the conversation, which is that of its document: every record has a document of its own."""
        return self.document.id
