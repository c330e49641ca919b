"""Records of other question sets into conversations: TAT-QA, FinQA, and questions over data, each for itself.

TAT-QA (Zhu et al., ACL 2021), one record per page, as printed, one table and the paragraphs around it:
    {"table": {"uid": "...", "table": [["", "2019"], ["Revenue", "$1,496.5"]]},
     "paragraphs": [{"uid": "...", "order": 1, "text": "..."}],
     "questions": [{"uid": "...", "order": 1, "question": "...", "answer": ["$1,496.5"], "derivation": "",
                    "answer_type": "span", "scale": "million"}]}
FinQA (Chen et al., EMNLP 2021), one record per question, on pages of ConvFinQA's shape:
    {"id": "...", "pre_text": ["..."], "post_text": ["..."], "table": [["..."]],
     "qa": {"question": "...", "program": "subtract(3, 2)", "exe_ans": 1.0, "answer": "1"}}
Our own over data beside reports, one record for all; kind is `number`, `count` or `date`, data where the gold is from:
    {"data": "data/series", "questions": [{"id": "cpi-200", "kind": "count", "question": "...", "gold": "2010"}]}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from tieout.data.document import Conversation, Document, Gold
from tieout.data.printed.note import introduced_note
from tieout.data.printed.pattern import later
from tieout.data.readers.layouts import (
    Flaw,
    in_lower_case,
    official_document,
    read_answer,
    read_list,
    read_object,
    read_questions,
    read_text,
    table_of_rows,
)

ANSWER_TYPES = frozenset({"arithmetic", "count", "span", "multi-span"})
SCALES = frozenset({"", "percent", "thousand", "million", "billion"})
_INTRODUCES = later(r":\s*$|\b(?:following|above|below) tables?\b|\btables? (?:below|above)\b|\bas follows\b", re.I)


def is_tatqa(record: object) -> bool:
    """Whether a decoded record has the shape of TAT-QA."""
    return isinstance(record, dict) and {"table", "paragraphs", "questions"} <= record.keys()


def is_finqa(record: object) -> bool:
    """Whether a decoded record has the shape of FinQA."""
    return isinstance(record, dict) and "qa" in record and "annotation" not in record


def tatqa(record: Mapping[str, Any]) -> Conversation:
    """A page and its questions. Its paragraphs are brought into their order; where the table stands the file does not
    say: behind the first paragraph that states a scale (`in thousands`), else behind the first that introduces a table,
    else in front of all.

    Raises Flaw.
    """
    table = read_object(record["table"], "table")
    paragraphs = [
        read_object(each, f"paragraphs[{n}]") for n, each in enumerate(read_list(record["paragraphs"], "paragraphs"))
    ]
    texts = tuple(
        read_text(each.get("text"), f"paragraphs[{n}].text") for n, each in enumerate(sorted(paragraphs, key=_order))
    )
    places = [[n for n, text in enumerate(texts) if says(text)] for says in (_scale_of, _INTRODUCES.search)]
    before = next((found[0] + 1 for found in places if found), 0)
    tables = (table_of_rows(table.get("table"), "table.table"),)
    document = Document(
        id=read_text(table.get("uid"), "table.uid"),
        coded=in_lower_case(texts, tables),
        paragraphs=texts,
        before=before,
        tables=tables,
    )
    asked = [read_object(each, f"questions[{n}]") for n, each in enumerate(read_list(record["questions"], "questions"))]
    questions = read_questions([each.get("question") for each in asked], "questions")
    gold = tuple(_gold(each, f"questions[{n}]") for n, each in enumerate(asked) if "answer" in each)
    if gold and len(gold) < len(questions):
        raise Flaw("questions", "some have an answer and some have none")
    return Conversation(document=document, questions=questions, gold=gold, independent=True)


def _scale_of(text: str) -> int | None:
    return introduced_note(text)[0].scale


def _order(paragraph: Mapping[str, Any]) -> Decimal:
    order = paragraph.get("order")
    return order if isinstance(order, Decimal) else Decimal(0)


def _gold(question: Mapping[str, Any], name: str) -> Gold:
    kind, scale = (read_text(question.get(key), f"{name}.{key}") for key in ("answer_type", "scale"))
    if kind not in ANSWER_TYPES:
        raise Flaw(f"{name}.answer_type", f"one of {', '.join(sorted(ANSWER_TYPES))} expected")
    if scale not in SCALES:
        raise Flaw(f"{name}.scale", f"one of {', '.join(sorted(SCALES - {''}))} or nothing expected")
    answer = question["answer"]
    spans = answer if isinstance(answer, list) else [answer]
    printed = tuple(
        f"{each:f}" if isinstance(each, Decimal) else read_text(each, f"{name}.answer[{n}]")
        for n, each in enumerate(spans)
    )
    if not printed:
        raise Flaw(f"{name}.answer", "is empty")
    return Gold(
        answer=answer if isinstance(answer, Decimal) else "; ".join(printed),
        program="",
        printed="; ".join(printed),
        spans=printed,
        scale=scale,
        kind=kind,
        derivation=read_text(question.get("derivation", ""), f"{name}.derivation"),
    )


def finqa(identifier: str, record: Mapping[str, Any]) -> Conversation:
    """A page and its one question. Raises Flaw."""
    asked = read_object(record["qa"], "qa")
    questions = read_questions([asked.get("question")], "qa.question")
    gold: tuple[Gold, ...] = ()
    if "exe_ans" in asked:
        printed = asked.get("answer")
        gold = (
            Gold(
                answer=read_answer(asked["exe_ans"], "qa.exe_ans"),
                program=read_text(asked.get("program", ""), "qa.program"),
                printed=printed if isinstance(printed, str) else None,
            ),
        )
    document = official_document(identifier, record)
    return Conversation(document=document, questions=questions, gold=gold, independent=True)


OVER_DATA = "over data: "  # how the kinds of gold answers begin that are of questions over data
DATA_KINDS = ("number", "count", "date")


def is_over_data(record: object) -> bool:
    """Whether a decoded record holds questions over data."""
    return isinstance(record, dict) and {"data", "questions"} <= record.keys() and "table" not in record


def over_data(record: Mapping[str, Any]) -> Iterator[tuple[str, Conversation | Flaw]]:
    """Each question by its name: a conversation over a document that is empty, or what is wrong with it.

    Raises Flaw where there is no list of questions."""
    seen: set[str] = set()
    for number, value in enumerate(read_list(record["questions"], "questions")):
        name, field = f"question {number + 1}", f"questions[{number}]"
        try:
            asked = read_object(value, field)
            name = read_text(asked.get("id"), f"{field}.id")
            if not name.strip() or "/" in name or name in seen:
                raise Flaw(f"{field}.id", "has to be a name of its own, without /")
            seen.add(name)
            document = Document(id=name, paragraphs=(), before=0, tables=())
            questions = read_questions([asked.get("question")], f"{field}.question")
            gold = (_gold_over_data(asked, field),) if "gold" in asked else ()
            yield name, Conversation(document=document, questions=questions, gold=gold, independent=True)
        except Flaw as flaw:
            yield name, flaw


def _gold_over_data(question: Mapping[str, Any], field: str) -> Gold:
    kind, said = (read_text(question.get(key), f"{field}.{key}") for key in ("kind", "gold"))
    if kind not in DATA_KINDS:
        raise Flaw(f"{field}.kind", f"one of {', '.join(DATA_KINDS)} expected")
    try:
        answer = date.fromisoformat(said).isoformat() if kind == "date" else Decimal(said)
    except (ValueError, InvalidOperation):
        raise Flaw(f"{field}.gold", f"{said[:40]!r} is no {kind}") from None
    return Gold(answer=answer, program="", printed=said, kind=f"{OVER_DATA}{kind}")
