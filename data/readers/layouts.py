"""One decoded record into a conversation: three layouts.

Official, one record per conversation (ConvFinQA, Chen et al., EMNLP 2022):
    {"id": "Single_X/2009/page_28.pdf-3", "pre_text": ["..."], "post_text": ["..."],
     "table": [["", "2009"], ["revenue", "$ 3.1"]],
     "annotation": {"dialogue_break": ["what was the revenue?"], "turn_program": ["3.1"], "exe_ans_list": [3.1],
                    "answer_list": ["3.1"], "qa_split": [0]}}
Official, one record per turn: the same with the id `..._<turn_ind>`, and in the annotation `cur_dial` (the questions
up to this turn), `turn_ind`, `cur_program`, `exe_ans`.
Cleaned:
    {"id": "...", "doc": {"pre_text": "one . text .", "post_text": "", "table": {"2009": {"revenue": 3.1}}},
     "dialogue": {"conv_questions": ["..."], "conv_answers": ["3.1"], "turn_program": ["3.1"],
                  "executed_answers": [3.1], "qa_split": [false]}}
The cleaned layout is damaged at its source: `27% ( 27 % )` became -27.0, so that the sign of a percent in it cannot be
trusted; repeated row labels are lost, and no unit is left. Where both exist, read the official file.
In all of them a report of text alone has no key `table`; a table that is there has to have rows. Several are `tables`,
each of them rows, or {"title": "Revenue", "rows": [["", "2009"]]}.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain
from typing import Any

from tieout.data.document import Conversation, Document, Gold, Question, Table
from tieout.data.printed.pattern import later

_KEYS = frozenset("id pre_text post_text table tables annotation doc dialogue".split())
# What the files of FinQA and ConvFinQA hold besides, which is about questions and the making of the data.
_KEYS_OF_FINQA = later(r"filename|table_ori|qa(?:_[01])?|features|uid|table_retrieved\w*|text_retrieved\w*|model_input")
_SENTENCE_END = later(r"(?<= \.) +")


class Flaw(ValueError):  # noqa: N818 - not an error of ours but a property of the data
    """One field of a record is not as it has to be."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field, self.message = field, message


def _kind(value: object) -> str:
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        Decimal: "a number",
        bool: "true or false",
        type(None): "null",
    }
    return names[type(value)]


def read_object(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Flaw(name, f"an object expected, not {_kind(value)}")
    return value


def read_list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise Flaw(name, f"a list expected, not {_kind(value)}")
    return value


def read_text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise Flaw(name, f"a text expected, not {_kind(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Flaw(name, "holds half of a surrogate pair") from None
    return value


def _texts(value: object, name: str) -> tuple[str, ...]:
    return tuple(read_text(item, f"{name}[{position}]") for position, item in enumerate(read_list(value, name)))


def _cell(value: object, name: str) -> str:
    """A cell is a text; numbers and blanks, as the cleaned layout has them, are taken as they would be printed."""
    if value is None:
        return ""
    return format(value, "f") if isinstance(value, Decimal) else read_text(value, name)


def _table(rows: tuple[tuple[str, ...], ...], name: str) -> Table:
    if not any(rows):
        raise Flaw(name, "the table has no rows")
    return Table(rows=rows)


def table_of_rows(value: object, name: str) -> Table:
    rows = [read_list(row, f"{name}[{r}]") for r, row in enumerate(read_list(value, name))]
    return _table(
        tuple(tuple(_cell(cell, f"{name}[{r}][{c}]") for c, cell in enumerate(row)) for r, row in enumerate(rows)), name
    )


def _table_of_columns(value: object, name: str) -> Table:
    columns = {key: read_object(column, f"{name}[{key!r}]") for key, column in read_object(value, name).items()}
    labels = dict.fromkeys(label for column in columns.values() for label in column)
    header = ("", *columns) if columns else ()
    rows = [
        (label, *(_cell(column.get(label), f"{name}[{key!r}][{label!r}]") for key, column in columns.items()))
        for label in labels
    ]
    return _table((header, *rows), name)


def _sentences(value: object, name: str) -> tuple[str, ...]:
    return tuple(sentence for sentence in _SENTENCE_END.split(read_text(value, name).strip()) if sentence)


def _document(identifier: str, before: tuple[str, ...], after: tuple[str, ...], tables: tuple[Table, ...]) -> Document:
    if not before and not after and not tables:
        raise Flaw("", "holds neither text nor a table")
    coded = in_lower_case(before + after, tables)
    return Document(id=identifier, coded=coded, paragraphs=before + after, before=len(before), tables=tables)


def in_lower_case(paragraphs: Iterable[str], tables: Iterable[Table]) -> bool:
    """Whether a page is all in lower case, as those of ConvFinQA are, whose extraction left codes for characters that
    were lost. A page with a capital is as it was published."""
    cells = (cell for table in tables for row in (*table.rows, (table.title,)) for cell in row)
    return not any(text != text.lower() for text in chain(paragraphs, cells))


def official_document(identifier: str, record: Mapping[str, Any]) -> Document:
    before, after = (_texts(record.get(name, []), name) for name in ("pre_text", "post_text"))
    tables: tuple[Table, ...] = (table_of_rows(record["table"], "table"),) if "table" in record else ()
    if "tables" in record:
        own = [_titled_table(each, f"tables[{n}]") for n, each in enumerate(read_list(record["tables"], "tables"))]
        if not in_lower_case(before + after, own):
            before, own = _in_order(before, own)
        tables += tuple(own)
    return _document(identifier, before, after, tables)


def _in_order(before: tuple[str, ...], tables: Iterable[Table]) -> tuple[tuple[str, ...], list[Table]]:
    """The paragraphs before the end of the tables, and the tables, each behind its title and what stands below that, as
    a report prints them."""
    said, placed = [*before], []
    for table in tables:
        lines = [each.strip() for each in table.title.splitlines() if each.strip()]
        said += lines
        placed.append(table.model_copy(update={"after": len(said), "title": "".join(lines[:1])}))
    return tuple(said), placed


def _titled_table(value: object, name: str) -> Table:
    """One of several tables: its rows, or an object with `rows` and `title`."""
    if not isinstance(value, dict):
        return table_of_rows(value, name)
    title = read_text(value.get("title", ""), f"{name}.title")
    return table_of_rows(value.get("rows"), f"{name}.rows").model_copy(update={"title": title})


def unknown_keys(record: Mapping[str, Any]) -> list[str]:
    """The keys of a record that no layout knows, in order: nothing is read from them."""
    return [key for key in record if key not in _KEYS and not _KEYS_OF_FINQA.fullmatch(key)]


def read_questions(value: object, name: str) -> tuple[Question, ...]:
    texts = _texts(value, name)
    for position, text in enumerate(texts):
        if not text.strip():
            raise Flaw(f"{name}[{position}]", "the question is empty")
    return tuple(Question(text=text) for text in texts)


def read_answer(value: object, name: str) -> Decimal | str:
    if isinstance(value, Decimal):
        return value
    if isinstance(value, str) and value in ("yes", "no"):
        return value
    raise Flaw(name, "a number, 'yes' or 'no' expected")


def _of_all(values: Mapping[str, Any], key: str, prefix: str, count: int) -> list[Any] | None:
    """The list under key, which has to be as long as the questions; None where there is none."""
    if key not in values:
        return None
    items = read_list(values[key], prefix + key)
    if len(items) != count:
        raise Flaw(prefix + key, f"{len(items)} items for {count} questions")
    return items


def _gold(values: Mapping[str, Any], prefix: str, count: int, answers: str, printed: str) -> tuple[Gold, ...]:
    """The labels of all turns, empty where there are none."""
    programs = _of_all(values, "turn_program", prefix, count)
    results = _of_all(values, answers, prefix, count)
    if programs is None and results is None:
        return ()
    if programs is None or results is None:
        raise Flaw(prefix + ("turn_program" if programs is None else answers), "missing, though the turns are labelled")
    as_printed = _of_all(values, printed, prefix, count) or [None] * count
    sources = _of_all(values, "qa_split", prefix, count) or [Decimal(0)] * count
    return tuple(
        Gold(
            answer=read_answer(results[turn], f"{prefix}{answers}[{turn}]"),
            program=read_text(programs[turn], f"{prefix}turn_program[{turn}]"),
            printed=None if as_printed[turn] is None else _cell(as_printed[turn], f"{prefix}{printed}[{turn}]"),
            source=_source(sources[turn], f"{prefix}qa_split[{turn}]"),
        )
        for turn in range(count)
    )


def _source(value: object, name: str) -> int:
    if isinstance(value, bool | Decimal) and value in (0, 1):
        return int(value)
    raise Flaw(name, "0 or 1 expected")


def official(identifier: str, record: Mapping[str, Any]) -> Conversation:
    document = official_document(identifier, record)
    notes = read_object(record.get("annotation", {}), "annotation")
    questions = read_questions(notes.get("dialogue_break", []), "annotation.dialogue_break")
    gold = _gold(notes, "annotation.", len(questions), "exe_ans_list", "answer_list")
    return Conversation(document=document, questions=questions, gold=gold)


def cleaned(identifier: str, record: Mapping[str, Any]) -> Conversation:
    doc, talk = read_object(record["doc"], "doc"), read_object(record.get("dialogue", {}), "dialogue")
    before, after = (_sentences(doc.get(name), f"doc.{name}") for name in ("pre_text", "post_text"))
    tables = (_table_of_columns(doc["table"], "doc.table"),) if "table" in doc else ()
    document = _document(identifier, before, after, tables)
    questions = read_questions(talk.get("conv_questions", []), "dialogue.conv_questions")
    gold = _gold(talk, "dialogue.", len(questions), "executed_answers", "conv_answers")
    return Conversation(document=document, questions=questions, gold=gold)


@dataclass(slots=True)
class Turns:
    """The turn records of one conversation: gathered until the file ends, as nothing says that they stand together."""

    whole: Conversation  # from the fields of the conversation, which every turn record repeats
    questions: tuple[Question, ...] = ()
    gold: dict[int, Gold] = field(default_factory=dict)

    def add(self, document: Document, record: Mapping[str, Any], turn: int) -> None:
        notes = record["annotation"]
        if document != self.whole.document:
            raise Flaw("", "its report differs from that of the other turns of the conversation")
        questions = read_questions(notes["cur_dial"], "annotation.cur_dial")
        if len(questions) <= turn:
            raise Flaw("annotation.cur_dial", f"{len(questions)} questions, but the turn is {turn}")
        self.questions = max(self.questions, questions, key=len)
        if "exe_ans" in notes or "cur_program" in notes:
            in_whole = self.whole.gold[turn] if turn < len(self.whole.gold) else None
            self.gold[turn] = Gold(
                answer=read_answer(notes.get("exe_ans"), "annotation.exe_ans"),
                program=read_text(notes.get("cur_program"), "annotation.cur_program"),
                printed=in_whole.printed if in_whole else None,
                source=in_whole.source if in_whole else 0,
            )

    def conversation(self) -> Conversation:
        """Turns without a record of their own are filled in from the fields of the conversation."""
        gold = dict(enumerate(self.whole.gold)) | self.gold
        questions = max(self.questions, self.whole.questions, key=len)
        missing = [turn for turn in range(len(questions)) if turn not in gold]
        if gold and missing:
            raise Flaw("annotation.exe_ans", f"turn {missing[0]} has no answer, though others have")
        labels = tuple(gold[turn] for turn in sorted(gold) if turn < len(questions))
        return Conversation(document=self.whole.document, questions=questions, gold=labels)


def turn_number(record: Mapping[str, Any]) -> int:
    turn = record["annotation"].get("turn_ind")
    if not isinstance(turn, Decimal) or turn != turn.to_integral_value() or turn < 0:
        raise Flaw("annotation.turn_ind", "a whole number from 0 expected")
    return int(turn)
