"""The tie-out sheet: under an answer each operation, each figure with the cell or sentence it is from, as printed."""

from collections.abc import Iterator
from io import StringIO

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from tieout.agent.answers.checks.check import is_unsure
from tieout.agent.ledger.display import display, exact
from tieout.agent.ledger.form import Format, operand_form
from tieout.agent.ledger.ledger import (
    FromConstant,
    FromFact,
    FromFrame,
    FromOperation,
    FromPrior,
    FromQuestion,
    Ledger,
    Source,
    Step,
    Ungrounded,
)
from tieout.agent.log.turn import Turn
from tieout.agent.protocol.message import Kind
from tieout.data.console import printable as printable
from tieout.data.frozen import Frozen

WIDTH = 1000


class Line(Frozen):
    """One entry on the way to an answer. turn: from 1, that of the ledger it is in. operands: names in the same ledger.

    shown: the value for reading; value: exactly. how: where it is from, in words. fact: its name, for a printed figure.
    """

    turn: int
    name: str
    shown: str
    value: str
    unit: str | None
    scale: int
    period: str | None
    about: str
    how: str
    fact: str | None = None
    raw: str | None = None
    operation: str | None = None
    operands: tuple[str, ...] = ()
    frame: FromFrame | None = None


class Sheet(Frozen):
    """An answer with all that it rests on. lines: operands before what is made from them, the answer last."""

    question: str
    answer: str
    program: str | None
    check_score: int | None
    flags: tuple[str, ...]
    lines: tuple[Line, ...]


def make_sheet(turn: Turn) -> Sheet | None:
    """The sheet of a turn, None where it has no answer."""
    if turn.text is None:
        return None
    return Sheet(
        question=turn.question,
        answer=turn.text,
        program=turn.program,
        check_score=turn.check_score,
        flags=tuple(f"{flag.rule}: {flag.message}" for flag in turn.flags),
        lines=tuple(_line(turn.ledger, step) for step in turn.ledger.way_to(*turn.roots)),
    )


def tree(turn: Turn) -> Tree | None:
    """The sheet as a tree for the terminal, None where there is no answer. What stands in it twice is unfolded once."""
    if turn.text is None:
        return None
    tops = [Step(turn.index, turn.ledger[name]) for name in turn.roots]
    is_one = turn.answer is not None
    strong = "" if is_unsure(turn.probability) else "bold"
    root = Tree(_label(turn.ledger, tops[-1], strong, turn.format) if is_one else Text(_told(turn), style="dim"))
    root.guide_style = "dim"
    done = {(tops[-1].turn, tops[-1].entry.name)} if is_one else set[tuple[int, str]]()
    below = [*turn.ledger.made_from(tops[-1]), *tops[:-1]] if is_one else tops
    for item in turn.items:
        if item.sentence is not None:
            root.add(Text(printable(f"“{item.text}”  [{item.sentence}]"), style="dim"))
    under = operand_form(turn.answer, turn.format) if turn.answer is not None else None
    waiting = [(root, step, under) for step in reversed(below)]
    while waiting:
        parent, step, form = waiting.pop()
        key = (step.turn, step.entry.name)
        operands = turn.ledger.made_from(step)
        label = _label(turn.ledger, step, strong, form)
        if key in done and operands:
            parent.add(label.append("  (as above)", style="dim"))
            continue
        done.add(key)
        branch = parent.add(label)
        waiting.extend((branch, operand, operand_form(step.entry, form)) for operand in reversed(operands))
    return root


def _told(turn: Turn) -> str:
    """What the answer is, where it is no single number."""
    if turn.kind is Kind.PROSE and any(item.under for item in turn.items):
        return "prose, by these figures and sentences of the report"
    if turn.kind is Kind.PROSE and not turn.roots:
        return "quoted from the report, word for word"
    if not turn.roots:
        return "as the report prints it"
    return f"{turn.kind or Kind.LIST}, by these figures{' of the report' if turn.facts_under() else ''}"


def plain_text(turn: Turn) -> str:
    """The sheet as text without colours, "" where there is no answer. Only lines longer than WIDTH are broken."""
    drawn = tree(turn)
    if drawn is None:
        return ""
    out = StringIO()
    Console(file=out, width=WIDTH, color_system=None, highlight=False, legacy_windows=False).print(
        drawn, soft_wrap=True
    )
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def _label(ledger: Ledger, step: Step, strong: str, form: Format | None = None) -> Text:
    entry = step.entry
    style = "red" if isinstance(entry.source, Ungrounded) else "dim"
    parts = [(display(entry, form), strong), *((part, style) for part in _words(ledger, step, form))]
    return Text("  ").join(Text(printable(text), style=style) for text, style in parts)


def _words(ledger: Ledger, step: Step, form: Format | None) -> Iterator[str]:
    entry = step.entry
    match entry.source:
        case FromFact() as source:
            yield " ".join(part for part in (source.label, f"({entry.period})" if entry.period else "") if part)
            yield f'"{source.raw}"'
            yield f"{source.place} [{source.fact}]"
        case FromOperation() as source:
            under = operand_form(entry, form)
            shown = ", ".join(display(operand.entry, under) for operand in ledger.made_from(step))
            yield f"= {source.operation}({shown})"
            if ledger.follows(step):
                yield f"of {entry.period}, which is not printed"
        case _:
            yield _how(entry.source)


def _how(source: Source) -> str:
    match source:
        case FromFact():
            return f"{source.place}, printed as {source.raw!r}"
        case FromQuestion():
            return f'stated in question {source.turn + 1}: "{source.raw}"'
        case FromConstant():
            return f"constant: {source.meaning}"
        case FromPrior(entry=None):
            return f"given as the answer of question {source.turn + 1}"
        case FromPrior():
            return f"answer of question {source.turn + 1}"
        case FromOperation():
            return f"{source.operation}({', '.join(source.operands)})"
        case FromFrame():
            return frame_words(source)
        case Ungrounded():
            return "NOT GROUNDED: nothing accounts for this number"


def frame_words(source: FromFrame) -> str:
    """Where a value of a frame is from: the line of the script or the cell, the queries, the tables, the rows."""
    if source.code is not None:
        made = f"script {source.frame}, line {source.line}: {source.code_line}"
    else:
        made = f"frame {source.frame}, column {source.column}, row {source.row}"
    parts = [made, *(f"query: {' '.join(query.split())}" for query in source.queries)]
    parts += [f"tables: {', '.join(source.tables)}"] if source.tables else []
    parts += [f"recipe: {source.recipe}"] if source.recipe else []
    parts += [f"rows {source.rows_hash[:12]}", "binary float" if source.binary else "exact"]
    return "; ".join(parts)


def _line(ledger: Ledger, step: Step) -> Line:
    entry, source = step.entry, step.entry.source
    return Line(
        turn=step.turn + 1,
        name=entry.name,
        shown=display(entry),
        value=exact(entry),
        unit=entry.unit,
        scale=entry.scale,
        period=entry.period,
        about=entry.about,
        how=_how(source),
        fact=source.fact if isinstance(source, FromFact) else None,
        raw=source.raw if isinstance(source, FromFact | FromQuestion) else None,
        operation=source.operation if isinstance(source, FromOperation) else None,
        operands=source.operands if isinstance(source, FromOperation) else (),
        frame=source if isinstance(source, FromFrame) else None,
    )
