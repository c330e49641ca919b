"""What an answer can be: a number, yes or no, a count, a period, a name, both with a value, a list, a table, prose."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict

KindName = Literal["number", "boolean", "count", "period", "name", "name with value", "list", "table", "prose"]


class Kind(StrEnum):
    """NUMBER, BOOLEAN and COUNT are one entry of the ledger; PERIOD and NAME are words that the report prints,
    and NAMED such words with the figure that belongs to them; a
    LIST or TABLE has several items; PROSE is quoted from the report, or written around its figures and sentences."""

    NUMBER = "number"
    BOOLEAN = "boolean"
    COUNT = "count"
    PERIOD = "period"
    NAME = "name"
    NAMED = "name with value"
    LIST = "list"
    TABLE = "table"
    PROSE = "prose"


class Item(BaseModel):
    """One of the things that an answer says. text: as shown. entry: the figure that it is, or rests on, by its name in
    the ledger; None for words that rest on the report alone. sentence: the one that it is, or is quoted from, by its
    name. under: it is not said by itself, the answer rests on it. row, column: of a table, by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    text: str
    entry: str | None = None
    sentence: str | None = None
    under: bool = False
    row: str | None = None
    column: str | None = None
