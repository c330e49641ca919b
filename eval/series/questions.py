"""Questions over series with their gold answers: the file, and when an answer is right."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from tieout.agent.ledger.ledger import Entry, Words
from tieout.data.files import unreadable
from tieout.eval.run.manifest import RunError

frozen = ConfigDict(frozen=True, extra="forbid")
HUNDREDTH = Decimal("0.01")


class SeriesQuestion(BaseModel):
    """A question over data. kind: how its answer is compared; gold: the answer, as text."""

    model_config = frozen
    id: str
    kind: Literal["number", "count", "date"]
    question: str
    gold: str


class SeriesQuestions(BaseModel):
    """A file of them. data: the folder that the gold answers are for, beside the file's own or above it."""

    model_config = frozen
    data: str
    questions: tuple[SeriesQuestion, ...]


def is_series(path: Path) -> bool:
    """Whether a file holds questions over series, by how it begins."""
    try:
        with path.open(encoding="utf-8") as file:
            head = file.read(200)
    except (OSError, UnicodeDecodeError):
        return False
    return head.lstrip().startswith("{") and '"data"' in head and '"questions"' in head


def read_questions(path: Path) -> SeriesQuestions:
    """The questions in a file. Raises RunError that says what is wrong with it."""
    try:
        return SeriesQuestions.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise RunError(unreadable(path, error)) from error
    except ValidationError as error:
        first = error.errors()[0]
        raise RunError(f"{str(path)!r}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    except ValueError as error:
        raise RunError(f"{str(path)!r} is no JSON: {error}") from error


def is_right(question: SeriesQuestion, entry: Entry | None) -> bool:
    """Numbers agree to two decimals, counts and dates exactly."""
    if entry is None or isinstance(entry.value, bool):
        return False
    if question.kind == "date":
        return isinstance(entry.value, Words) and entry.value.text == question.gold
    if isinstance(entry.value, Words):
        return False
    try:
        if question.kind == "count":
            return entry.value == Decimal(question.gold)
        return entry.value.quantize(HUNDREDTH) == Decimal(question.gold).quantize(HUNDREDTH)
    except InvalidOperation:
        return False
