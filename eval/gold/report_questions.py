"""Questions about whole reports with their answers, as JSON Lines: `{id, doc, question, gold, gold_number, percent}`.

The layout is that of FinanceBench's numeric questions (Islam et al. 2023). `doc` is the name of a file in a folder of
reports, with its suffix or without, or a list of them (`files` is read the same way); `gold` the answer as printed,
`gold_number` its number, `gold_numbers` those of an answer of several; `percent` says that they count hundredths.
`needs` may list the figures that the answer is made of, as printed: numbers, or `{label, period, figure}`; a file of
`{id, needs}` may do so beside it. Both are for measuring: nothing that answers is told of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeVar

from tieout.data.document import Conversation, Document, Gold, Question
from tieout.data.readers.read import Problem, Report, read_files

Read = TypeVar("Read")
KIND = "report"  # of the golds of these questions
NO_REPORT = (".json", ".jsonl", ".toml")  # what lies beside a report and is none


class QuestionsError(ValueError):
    """A file that does not hold questions as the module says, or a report of theirs that is not there."""


@dataclass(frozen=True, slots=True)
class Need:
    """A figure that an answer is made of. label: words of its row or sentence, "" for any."""

    figure: Decimal
    label: str = ""


@dataclass(frozen=True, slots=True)
class ReportQuestion:
    """A question about whole reports. docs: the names of their files.

    numbers: of the answer, percent as printed; empty where it is in words. needs: the figures that it is made of, where
    the file lists them. sentences: words of those that it rests on.
    """

    id: str
    docs: tuple[str, ...]
    question: str
    gold: str
    numbers: tuple[Decimal, ...]
    percent: bool
    needs: tuple[Need, ...]
    sentences: tuple[str, ...] = ()

    @property
    def figures(self) -> tuple[Need, ...]:
        """What has to be seen of the reports to answer: what is listed, else the answer itself."""
        return self.needs or tuple(map(Need, self.numbers))


def is_report_questions(path: Path) -> bool:
    """Whether a file holds questions about whole reports, by its first line. Raises OSError."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        first = next((line for line in lines if line.strip()), "")
    try:
        told = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(told, dict) and isinstance(told.get("question"), str) and bool(_docs(told))


def read_questions(path: Path, needs: Path | None = None) -> Iterator[ReportQuestion]:
    """The questions of a file. needs: a file of what answers are made of, by id.

    Raises QuestionsError naming the line that is none, OSError.
    """
    listed = dict(_lines(needs, lambda told: (str(told["id"]), told))) if needs is not None else {}
    seen: set[str] = set()
    for read in _lines(path, _question):
        if read.id in seen:
            raise QuestionsError(f"{str(path)!r}: {read.id!r} stands in the file twice")
        seen.add(read.id)
        told = listed.get(read.id)
        yield (
            read
            if told is None
            else replace(read, needs=_needs(told), sentences=tuple(told.get("sentences", {}).values()))
        )


def _lines(path: Path, read: Callable[[dict[str, Any]], Read]) -> Iterator[Read]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield read(json.loads(line, parse_float=Decimal))
                except (ValueError, KeyError, TypeError, AttributeError, InvalidOperation) as error:
                    raise QuestionsError(f"{str(path)!r}, line {number}: {error!r}") from error


def _docs(told: dict[str, Any]) -> tuple[str, ...]:
    given = told.get("doc", told.get("files"))
    names = given if isinstance(given, list) else [given]
    texts = tuple(name for name in names if isinstance(name, str) and name)
    return texts if len(texts) == len(names) else ()


def _question(told: dict[str, Any]) -> ReportQuestion:
    docs = _docs(told)
    if not docs:
        raise ValueError("doc: the name of a file is missing")
    numbers = told.get("gold_numbers")
    if numbers is None:
        numbers = [] if told.get("gold_number") is None else [told["gold_number"]]
    return ReportQuestion(
        id=str(told["id"]),
        docs=docs,
        question=str(told["question"]),
        gold=str(told.get("gold", "")),
        numbers=tuple(_number(each) for each in numbers),
        percent=bool(told.get("percent")),
        needs=_needs(told),
    )


def _needs(told: dict[str, Any]) -> tuple[Need, ...]:
    listed = told.get("needs") or told.get("figures") or ()
    return tuple(
        Need(_number(each["figure"]), str(each.get("label", ""))) if isinstance(each, dict) else Need(_number(each))
        for each in listed
    )


def _number(value: object) -> Decimal:
    number = Decimal(str(value))
    if not number.is_finite():
        raise ValueError(f"{value!r} is no number")
    return number


def find_report(folder: Path, doc: str) -> Path:
    """The file of a report in a folder or below it. Raises QuestionsError where there is none of this name."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix.lower() not in NO_REPORT)
    found = sorted((path.name != doc, str(path)) for path in files if doc in (path.stem, path.name))
    if not found:
        raise QuestionsError(f"there is no report {doc!r} in {str(folder)!r}")
    return Path(found[0][1])


def read_asked(paths: Sequence[Path], report: Report | None = None) -> Iterator[Conversation]:
    """The conversations of files that are run: of questions about whole reports, one for each report, or of pages.

    report: is told of what is left out. Raises QuestionsError, and what `read_files` raises.
    """
    asked = [path for path in paths if path.is_file() and is_report_questions(path)]
    pages = [path for path in paths if path not in asked]
    if pages:
        yield from read_files(pages, report)
    for path in asked:
        by_docs: dict[tuple[str, ...], list[ReportQuestion]] = {}
        for each in read_questions(path):
            by_docs.setdefault(each.docs, []).append(each)
        for docs, questions in by_docs.items():
            labelled = [each for each in questions if each.numbers]
            for each in questions:
                if report is not None and labelled and not each.numbers:
                    report(Problem(path, each.id, "gold_number", "is missing: only answers in numbers are scored"))
            yield _conversation(docs, labelled or questions)


def _conversation(docs: Sequence[str], questions: Sequence[ReportQuestion]) -> Conversation:
    """The questions about the same reports, each for itself; the reports are read when they are run."""
    return Conversation(
        document=Document(id=" + ".join(docs), paragraphs=(), before=0, tables=()),
        questions=tuple(Question(text=each.question) for each in questions),
        gold=tuple(gold_of(each) for each in questions if each.numbers),
        independent=True,
        reports=tuple(docs),
    )


def gold_of(question: ReportQuestion) -> Gold:
    """The label of a question that has a number."""
    return Gold(
        answer=question.numbers[0],
        program="",
        printed=question.gold,
        spans=tuple(f"{number:f}" for number in question.numbers),
        scale="percent" if question.percent else "",
        kind=KIND,
    )
