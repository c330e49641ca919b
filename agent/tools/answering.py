"""Answers of every kind, made of what a call names: figures, lists, tables, words of the report, prose with caveats."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from tieout.agent.ledger.calculation import calculate
from tieout.agent.ledger.display import display, exact
from tieout.agent.ledger.form import Format, asked_form, in_words, meant_form, merged, read_form
from tieout.agent.ledger.ledger import CONSTANTS_ALONE, Entry, FromOperation, rests_on_something
from tieout.agent.protocol.message import Item, Kind
from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.prose import composed, is_composed, marked, quoted, refusal, refusals
from tieout.agent.tools.values import Values
from tieout.data.arithmetic.operations import find as find_operation
from tieout.data.arithmetic.units import AS_DECIMALS, NUMBERS, RATE
from tieout.data.frozen import Frozen
from tieout.data.printed.amount import Unit
from tieout.kg.fact import Fact
from tieout.kg.figure import year_of
from tieout.kg.moves import is_taken_off, says_a_rise
from tieout.ontology.asked.language import language
from tieout.ontology.asked.quoted import YES_OR_NO

TOTAL = "Total"
# Units of what is no part of a sum.
NO_PARTS = frozenset({*NUMBERS, *AS_DECIMALS, Unit.CALENDAR_YEAR, Unit.DATE_PART, Unit.REFERENCE, Unit.INDEX})

DIFFERENCES = ("subtract", "percentage_points")
BLANK = "-"  # a cell of a table without a figure


class Answer(Frozen):
    """What answers the question, and how it is to be read.

    entry: the one that is the answer; None for an answer that is no single number, whose items are said instead.
    understood: what was asked, in words, where that was not said before.
    """

    entry: Entry | None = None
    format: Format | None = None
    text: str
    kind: Kind = Kind.NUMBER
    items: tuple[Item, ...] = ()
    understood: str = ""


def tabled(values: Values, names: list[str], rows: list[str], columns: list[str], format: str | None) -> Answer:
    """A table of figures; `-` leaves a cell empty. It has totals where the question asks for them.

    Raises ToolError where names and figures do not fit, or a name says what nothing does.
    """
    if len(names) != len(rows) * len(columns):
        raise ToolError(f"{len(rows)} rows of {len(columns)} columns are not {len(names)} values")
    refused = [each for name in (*rows, *columns) for each in refusals(name, values)]
    if refused:
        raise refusal(refused)
    form = in_words(merged(read_form(format or ""), asked_form(values.questions[-1])))
    entries = [None if each == BLANK else values.entry(each) for each in names]
    if not any(entries):
        raise ToolError("no cell of the table has a value")
    wants_totals = language().forms["with totals"].search(values.questions[-1].lower()) is not None
    if wants_totals and (added := _totals(values, entries, rows, len(columns))):
        rows, entries = [*rows, TOTAL], [*entries, *added]
    places = [(row, column) for row in rows for column in columns]
    items = tuple(
        Item(text=display(entry, form), entry=entry.name, row=row, column=column)
        for entry, (row, column) in zip(entries, places, strict=True)
        if entry is not None
    )
    lines = [
        f"{row}: {', '.join(f'{item.column} {item.text}' for item in items if item.row == row) or BLANK}"
        for row in rows
    ]
    return Answer(format=form, text="; ".join(lines), kind=Kind.TABLE, items=items)


def _totals(values: Values, cells: Sequence[Entry | None], rows: list[str], width: int) -> list[Entry]:
    """The sum of each column, calculated in the ledger; none where a row is a total already, a cell is empty, or
    figures of a column do not add up: rates, prices, dates, and those of several units."""
    entries = [each for each in cells if each is not None]
    columns = [entries[at::width] for at in range(width)]
    units = [{entry.unit for entry in column} for column in columns]
    is_one = all(len(each) == 1 and _adds_up(next(iter(each))) for each in units)
    if (
        len(rows) < 2
        or len(entries) < len(cells)
        or not is_one
        or any(row.lower().startswith(TOTAL.lower()) for row in rows)
    ):
        return []
    return [calculate(values.ledger, find_operation("sum"), column) for column in columns]


def _adds_up(unit: str | None) -> bool:
    return unit is not None and "/" not in unit and unit not in NO_PARTS


def answered(
    values: Values, value: str | None, several: list[str], words: list[str], format: str | None, kind: Kind | None
) -> Answer:
    """The answer that a value, several, or words are; see `Tools.answer`. Raises ToolError."""
    entries = [values.entry(each) for each in several]
    asked = asked_form(values.questions[-1])
    if words:
        return _worded(values, words, entries, kind or Kind.PROSE, format)
    if entries:
        format = in_words(merged(read_form(format or ""), asked))
        items = tuple(Item(text=display(entry, format), entry=entry.name) for entry in entries)
        grown = [_grown_by(values, entry) for entry in entries]
        told = zip(told_apart(entries), map(_with, items, grown), strict=True)
        apart = _held_apart(values, entries, format)
        text = "; ".join(
            [*(f"{what}: {each}" if what else each for what, each in told), *([_with(*apart)] if apart else [])]
        )
        return Answer(format=format, text=text, kind=kind or Kind.LIST, items=(*items, *filter(None, grown), *apart))
    if value is None:
        raise ToolError("answer needs a value, values or words")
    entry = values.entry(value)
    if values.strict and not rests_on_something(values.ledger, entry.name):
        raise ToolError(CONSTANTS_ALONE, suggestion="look up the figures that the question is about")
    meant = format or meant_form(values.ledger, entry, values.questions[-1]) or ""
    format = in_words(merged(read_form(meant), asked))
    said = kind or (Kind.BOOLEAN if isinstance(entry.value, bool) else Kind.NUMBER)
    amount, moved = _grown_by(values, entry), "down " if _is_fall(values, entry) else ""
    text = _with(Item(text=f"{moved}{display(entry, format)}"), amount)
    return Answer(entry=entry, format=format, text=text, kind=said, items=(amount,) if amount else ())


def _with(item: Item, amount: Item | None = None) -> str:
    return item.text if amount is None else f"{item.text} ({amount.text})"


def _grown_by(values: Values, entry: Entry) -> Item | None:
    """The amount of a rate of change, where a question does not say which of the two it asks for."""
    source, asked = entry.source, values.questions[-1].lower()
    if not isinstance(source, FromOperation) or source.operation != "percentage_change":
        return None
    new, old = (values.ledger[name] for name in source.operands)
    is_open = "change" in language().cues_of(asked) and not language().forms["counted one way"].search(asked)
    if not is_open or not all(isinstance(e.value, Decimal) and e.value > 0 and _adds_up(e.unit) for e in (new, old)):
        return None
    amount = calculate(values.ledger, find_operation("subtract"), [new, old])
    return Item(text=display(amount), entry=amount.name, under=True)


def _held_apart(values: Values, entries: list[Entry], format: Format | None) -> tuple[Item, ...]:
    """By how much, and at which rate, one line moved between two times that a question holds against each other."""
    is_held = language().forms["held against"].search(values.meant.lower())
    amounts = [each.value for each in entries if isinstance(each.value, Decimal)]
    if is_held is None or len(entries) != 2 or len(amounts) < 2 or entries[0].unit != entries[1].unit:
        return ()
    under = [_facts_under(values, each.name) for each in entries]
    if (is_later := says_a_rise(*under, is_below=False)) is None:
        return ()
    last, first = entries if is_later else entries[::-1]
    if max(amounts) < 0 and is_taken_off([*under[0], *under[1]]):
        last, first = (calculate(values.ledger, find_operation("magnitude"), [each]) for each in (last, first))
    is_rate = last.unit in (*AS_DECIMALS, RATE) or read_form(format or "").kind == "percent"
    moved = calculate(values.ledger, find_operation("percentage_points" if is_rate else "subtract"), [last, first])
    size, is_fall = in_words(replace(read_form(format or ""), magnitude=True)), exact(moved).startswith("-")
    said = f"{'down' if is_fall else 'up'} {display(moved, size)}" if moved.value else "unchanged"
    items = [Item(text=said, entry=moved.name, under=True)]
    if moved.value and last.unit not in NO_PARTS and not exact(first).startswith("-") and first.value:
        grown = calculate(values.ledger, find_operation("percentage_change"), [last, first])
        items.append(Item(text=display(grown, "magnitude"), entry=grown.name, under=True))
    return tuple(items)


def _facts_under(values: Values, name: str) -> list[Fact]:
    return [values.facts[each] for each in values.ledger.facts_under(name)]


def _is_fall(values: Values, entry: Entry) -> bool:
    """Whether a number without a sign is by how much one line fell between two times, which the text then says."""
    is_positive = isinstance(entry.value, Decimal) and entry.value > 0
    while isinstance(entry.source, FromOperation) and entry.source.operation in ("magnitude", "percentage"):
        entry = values.ledger[entry.source.operands[0]]
    if not is_positive or not isinstance(entry.source, FromOperation) or entry.source.operation not in DIFFERENCES:
        return False
    sides = [values.ledger[name].value for name in entry.source.operands]
    under = [_facts_under(values, each) for each in entry.source.operands]
    rises = says_a_rise(*under, is_below=all(isinstance(each, Decimal) and each < 0 for each in sides))
    return rises is not None and rises != (isinstance(entry.value, Decimal) and entry.value > 0)


def _worded(values: Values, words: list[str], entries: list[Entry], kind: Kind, format: Format | None) -> Answer:
    """Words of the report, with the figures they rest on. Raises ToolError for words that stand nowhere in it."""
    if kind is Kind.PROSE and any(map(is_composed, words)):
        return _written(values, words, format)
    names: list[str | None] = [entry.name for entry in entries]
    names += [None] * (len(words) - len(names))
    is_said = kind is Kind.PROSE and words[0] in YES_OR_NO and len(words) > 1  # by what is quoted behind it
    quotations = [Item(text=words[0])] if is_said else []
    for each, name in [*zip(words, names, strict=False)][len(quotations) :]:
        years = () if name is None else {str(year_of(fact)) for fact in _facts_under(values, name)}  # fiscal ones
        quotations.append(Item(text=each) if each in years else quoted(each, values, with_sentence=kind is Kind.PROSE))
    items = tuple(
        Item(text=each.text, entry=name, sentence=each.sentence) for each, name in zip(quotations, names, strict=False)
    )
    items += tuple(Item(text=display(entry, format), entry=entry.name) for entry in entries[len(words) :])
    is_list = kind in (Kind.TABLE, Kind.LIST)
    told = [f"{words[0].capitalize()}: {words[1]}", *words[2:]] if is_said else list(words)
    moved = _held_apart(values, entries, format) if is_list else ()
    grown = [_grown_by(values, entry) if is_list else None for entry in entries[: len(words)]]
    if kind in (Kind.TABLE, Kind.NAMED, Kind.LIST):
        shown = (_with(Item(text=display(e, format)), amount) for e, amount in zip(entries, grown, strict=False))
        told = [f"{text}: {each}" for text, each in zip(words, shown, strict=False)] or told
    under = (*filter(None, grown), *moved)
    return Answer(
        text="; ".join([*told, *([_with(*moved)] if moved else [])]), kind=kind, items=items + under, format=format
    )


def _written(values: Values, words: list[str], format: Format | None) -> Answer:
    """Prose around figures and sentences. Raises ToolError that says all that nothing accounts for."""
    refused = [each for text in words for each in refusals(text, values)]
    if refused:
        raise refusal(refused)
    said: list[Item] = []
    under: dict[tuple[str | None, str | None], Item] = {}
    for each in words:
        text, rests = composed(marked(each), values, format)
        said.append(Item(text=text))
        under |= {(item.entry, item.sentence): item for item in rests}
    return Answer(text=" ".join(item.text for item in said), kind=Kind.PROSE, items=(*said, *under.values()))


def with_words(values: Values, answer: Answer, basis: str | None, caveat: str | None) -> Answer:
    """An answer with what it is on, and with what is to be borne in mind. Raises ToolError as for prose."""
    beside = [each for each in (basis, marked(caveat) if caveat else None) if each]
    if not beside:
        return answer
    refused = [each for text in beside for each in refusals(text, values)]
    if refused:
        raise refusal(refused)
    said, under = zip(*(composed(each, values) for each in beside), strict=True)
    text = f"{answer.text}, {said[0].rstrip('.')}" if basis else answer.text
    text += f". {said[-1]}" if caveat else ""
    figures = (item for items in under for item in items if item.sentence is not None or answer.entry is None)
    return answer.model_copy(update={"text": text, "items": (*answer.items, *figures)})


def told_apart(entries: Sequence[Entry]) -> list[str]:
    """What each of several figures is, in the words in which they differ: the period, what it measures, or both."""
    periods = [(each.period or "").replace("/", " to ") for each in entries]
    abouts = [each.about.partition(", ")[0] for each in entries]  # without the header of its column
    by_period, by_about = len(set(periods)) > 1, len(set(abouts)) > 1
    told = [
        ", ".join(part for part in (about if by_about else "", period if by_period else "") if part)
        for about, period in zip(abouts, periods, strict=True)
    ]
    return told if len(set(told)) == len(entries) else [""] * len(entries)
