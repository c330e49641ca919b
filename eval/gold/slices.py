"""Slices of a run: what kinds of turns there are, each turn in one slice of every dimension."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from decimal import Decimal

from tieout.agent.log.turn import Turn
from tieout.data.document import Conversation, Document, Gold
from tieout.data.printed.amount import Amount, read_amounts, read_cell
from tieout.data.readers.questions import OVER_DATA
from tieout.eval.gold.executed import ProgramError
from tieout.eval.gold.program import Program, parse, printed

Slices = dict[str, str]  # dimension to slice, in the order of DIMENSIONS

DIMENSIONS = {
    "turn": "which turn of the conversation",
    "steps": "calculation steps of the gold program",
    "kind": "look-up or program",
    "operation": "last operation of the gold program",
    "evidence": "where the gold operands are printed",
    "percent": "whether the gold answer is printed as a percentage",
    "sign": "sign of the gold answer",
    "source": "from one source question or two, and which",
    "company": "from the id of the conversation",
    "earlier turns": "whether all earlier turns of the conversation are right, by the main rule",
    "grounding": "whether a number was typed that nothing accounts for",
    "confidence": "what the run itself said",
    "layer": "what was to hand for a question over data: queries, and scripts, and further tries, and the memory",
}
UNLABELLED = "no gold"
LAYER = "layer"
_LAST_TURN = 6  # turns from here on are one slice
_MOST_STEPS = 3


class Slicer:
    """The slices of the turns of one conversation."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.two_sources = len({gold.source for gold in conversation.gold}) > 1
        self.in_tables, self.in_text = printed_amounts(conversation.document) if conversation.gold else ((), ())

    def slices(self, turn: Turn, earlier_right: bool) -> Slices:
        """The slice of a turn in every dimension. earlier_right: whether all turns before it are."""
        own = {
            "turn": f"{turn.index + 1}" if turn.index + 1 < _LAST_TURN else f"{_LAST_TURN}+",
            "company": company(self.conversation.id),
            "grounding": "ungrounded" if turn.ledger.ungrounded() else "grounded",
            "confidence": band(confidence(turn)),
        }
        if self.conversation.gold:
            own |= self._of_gold(self.conversation.gold[turn.index])
            own["earlier turns"] = "first turn" if turn.index == 0 else "all right" if earlier_right else "one wrong"
        return {dimension: own.get(dimension, UNLABELLED) for dimension in DIMENSIONS if dimension != LAYER} | (
            {LAYER: own[LAYER]} if LAYER in own else {}
        )

    def _of_gold(self, gold: Gold) -> Slices:
        own = {
            "percent": "percent" if gold.printed and "%" in gold.printed else "no percent",
            "sign": gold.answer if isinstance(gold.answer, str) else _sign(gold.answer),
            "source": f"question {gold.source + 1} of two" if self.two_sources else "one question",
        }
        if gold.kind.startswith(OVER_DATA):
            layer, _, name = self.conversation.id.rpartition("/")
            none = dict.fromkeys(("steps", "operation", "evidence"), "no program")
            kind = gold.kind.removeprefix(OVER_DATA)
            return own | none | {"sign": _sign_of(gold), "kind": kind, "company": name, LAYER: layer or "all"}
        if gold.kind:
            return own | {"sign": _sign_of(gold)} | _of_tatqa(gold)
        try:
            program = parse(gold.program)
        except ProgramError:
            return own | dict.fromkeys(("steps", "kind", "operation", "evidence"), "no program")
        steps = len(program.steps)
        return own | {
            "steps": f"{steps}" if steps < _MOST_STEPS else f"{_MOST_STEPS}+",
            "kind": "program" if steps else "look-up",
            "operation": program.steps[-1].operation if steps else "none",
            "evidence": evidence(program, self.in_tables, self.in_text),
        }


def _sign_of(gold: Gold) -> str:
    return _sign(gold.answer) if isinstance(gold.answer, Decimal) else "words"


YEAR = re.compile(r"(?:19|20)\d\d")
FIGURE = re.compile(r"\W*[\d.,]+\W*(?:million|billion|thousand|years?|cents?)?\W*")


def _of_tatqa(gold: Gold) -> Slices:
    """The kind of answer, and the operation of the derivation, of TAT-QA."""
    return {
        "steps": "no program",
        "evidence": "no program",
        "kind": kind_of(gold),
        "operation": operation_of(gold) if gold.kind == "arithmetic" else gold.kind,
    }


def kind_of(gold: Gold) -> str:
    """`calculation`, `count`, `figure`, `list of figures`, `period`, `words` or `list of words`."""
    if gold.kind == "report":
        return "figure" if len(gold.spans) == 1 else "list of figures"
    if gold.kind in ("arithmetic", "count"):
        return "calculation" if gold.kind == "arithmetic" else "count"
    if all(YEAR.fullmatch(span.strip()) for span in gold.spans):
        return "period"
    what = "figure" if all(FIGURE.fullmatch(span.strip()) for span in gold.spans) else "words"
    return what if gold.kind == "span" else f"list of {what.removesuffix('s')}s"


def operation_of(gold: Gold) -> str:
    """What a derivation does, by its signs: `change`, `percentage change`, `average`, `sum`, `difference`, `ratio`."""
    plain = re.sub(r"[\s$€£,%]", "", gold.derivation)
    if re.search(r"\)/\d+(?:\.0)?$", plain) and "+" in plain:
        return "average"
    if gold.scale == "percent":
        return "percentage change" if "-" in plain.lstrip("-(") else "share"
    if "/" in plain:
        return "ratio"
    return "sum" if "+" in plain else "difference" if "-" in plain else "product" if "*" in plain else "other"


def _sign(value: Decimal) -> str:
    return "zero" if not value else "negative" if value < 0 else "positive"


def company(conversation: str) -> str:
    """The company in an id such as `Single_NAME/2007/page_134.pdf-1`; the whole id where it is written otherwise."""
    head = conversation.partition("/")[0]
    return head.removeprefix("Single_").removeprefix("Double_")


def confidence(turn: Turn) -> float | None:
    """How likely the run said its answer is right, 0 to 1: by the backend, where it estimates that, else the checks."""
    if turn.probability is not None or turn.check_score is None:
        return turn.probability
    return turn.check_score / 100


def band(said: float | None) -> str:
    """Which fifth of the scale from 0 to 1 a confidence falls in."""
    if said is None:
        return "none"
    low = min(int(said * 5), 4) * 20
    return f"{low} to {low + 20}%"


def printed_amounts(document: Document) -> tuple[Container[Decimal], Container[Decimal]]:
    """The absolute values of all amounts in the tables, and of those in the text."""
    cells = (cell for table in document.tables for row in table.rows for cell in row)
    return _values(read_cell(cell, document.coded) for cell in cells), _values(
        read_amounts(each, document.coded) for each in document.paragraphs
    )


def _values(texts: Iterable[Iterable[Amount]]) -> frozenset[Decimal]:
    return frozenset(amount.value.copy_abs() for amounts in texts for amount in amounts)


def evidence(program: Program, in_tables: Container[Decimal], in_text: Container[Decimal]) -> str:
    """Where operands are printed: `table`, `text`, `both`, `elsewhere`; what is in both counts for the table."""
    places = set()
    for operand in program.operands:
        value = printed(operand)
        places.add("table" if value in in_tables else "text" if value in in_text else "elsewhere")
    if not places:
        return "constants"
    return "both" if {"table", "text"} <= places else max(places, key=["table", "text", "elsewhere"].index)
