"""Which rows of a table are headers, where a header is run together with the first row, and what a spread one means."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from tieout.data.printed.amount import Amount, Unit, is_dash, read_amounts, read_cell
from tieout.data.printed.label import FOOTNOTE, read_label
from tieout.data.printed.note import read_note
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.ending import leads_to_day
from tieout.data.printed.periods.period import PeriodKind, find_periods, read_period
from tieout.data.printed.unit import NOT_MEASURES

Rows = Sequence[Sequence[str]]
Amounts = Sequence[Sequence[tuple[Amount, ...]]]

_NOT_VALUES = NOT_MEASURES | {Unit.YEARS, Unit.MONTHS, Unit.DAYS, Unit.BASIS_POINTS}
_NO_VALUE = frozenset(("n/a", "na", "nm", "n.m", "n.m.", "*", "**", "***", "none", "nil", "n.a.", "n/m"))
_LETTER = later(r"[a-z]")
_FROM_TO = later(r"(?:[0-9]{2}|[0-9]{4})\s?/\s?(?:[0-9]{2}|[0-9]{4})")  # `21/20` over changes
_ENDED = later(r"(?:ended|ending)\b")
_GOES_ON = later(r"(?:\band|&|\b(?:remainder|balance|rest) of(?: fiscal)?)$")  # a title that is read on below it
_TRAILING_DASH = later(r" (?:2014|2013|-|–|—)$")


def is_value(text: str, amounts: tuple[Amount, ...]) -> bool:
    """Whether a cell prints amounts and no words but footnote marks, or says that there is no value."""
    if not amounts:
        return is_dash(text, coded=True) or text.strip().lower() in _NO_VALUE
    if all(amount.unit in (Unit.CALENDAR_YEAR, Unit.DATE_PART) for amount in amounts):
        return False
    rest = [text[: amounts[0].start], text[amounts[-1].end :], *(text[a.end : b.start] for a, b in pairwise(amounts))]
    return not _LETTER.search(FOOTNOTE.sub("", " ".join(rest).lower()).replace("to", ""))


def is_marked_dash(text: str) -> bool:
    """Whether a cell prints a dollar sign and no value."""
    return text[:1] == "$" and is_dash(text, coded=True)


def has_values(row: Sequence[str], amounts: Sequence[tuple[Amount, ...]]) -> bool:
    """Whether a row is data: every cell with something in it prints a value, and they do not all read as periods."""
    body = [(text, found) for text, found in zip(row, amounts, strict=True) if text.strip()]
    if all(read_period(text) for text, _ in body):
        return False
    is_data = any(found or is_marked_dash(text.strip()) for text, found in body)
    return is_data and all(is_value(text, found) for text, found in body)


def count_headers(rows: Rows, amounts: Amounts, first: int) -> int:
    """How many rows at the top are headers: all above the first figure. first: the column where data begins, 1 behind
    row labels, else 0.

    A label with nothing beside it is a sub-heading below the header, and belongs to it above.
    """
    count = 0
    for index, row in enumerate(rows):
        body = [(text, found) for text, found in zip(row[first:], amounts[index][first:], strict=True) if text.strip()]
        if any(_is_figure(text, found) for text, found in body):
            return count
        is_remark = bool(row) and bool(row[0].strip()) and read_note(row[0]).scale is not None
        if body or (count and is_remark):
            count = index + 1
        elif count:
            return count
    return min(1, len(rows))  # a table of words


def _is_figure(text: str, found: tuple[Amount, ...]) -> bool:
    is_torn = text.rstrip().endswith(",")  # the end of `December 31,` above years, in a cell of its own
    if is_torn or not is_value(text, found) or _FROM_TO.fullmatch(text.strip()):
        return False
    is_rate = any(amount.unit == Unit.PERCENT for amount in found)  # and the years that it is of: `17.3% 2025`
    return is_rate or not read_period(text)


def merged_header(rows: Rows, amounts: Amounts) -> dict[int, int]:
    """Header and first row run together (`high $ 60.15`): where the value begins in the first cell of each column. A
    table as published keeps them apart.

    {} for other tables. A column without any amount below may hold words alone: it has the labels of a second table,
    printed beside the first.
    """
    if not rows or len(rows[0]) < 2 or not rows[0][0].strip():
        return {}
    found = {}
    for column, text in enumerate(rows[0][1:], start=1):
        below = [amounts[index][column] for index in range(1, len(rows)) if column < len(rows[index])]
        is_label = bool(below) and not any(below) and bool(_LETTER.search(text.lower()))
        if at := _value_start(text):
            found[column] = at
        elif not is_label and not is_value(text, amounts[0][column]):
            return {}
    return found


def _value_start(text: str) -> int:
    """Where the value begins in a cell that holds a title and a value behind it; 0 for any other cell."""
    dash = _TRAILING_DASH.search(text)
    title = read_period(text[: dash.start()]) if dash else None
    if dash and title and title.year is not None:  # in `december 31 , 2014` it is the year, and no dash
        return dash.start() + 1
    amounts = read_amounts(text, coded=True)
    if not amounts or text[amounts[-1].end :].strip():
        return 0
    last = amounts[-1]
    if read_period(text[last.start :]) or any(start < last.start < end for _, start, end in find_periods(text)):
        return 0
    if last.unit in _NOT_VALUES or not _LETTER.search(text[: last.start].lower()):
        return 0
    return last.start if last.unit is not None or len(text[last.start : last.end]) > 1 else 0


def spread(rows: Rows, first: int, spanned: Collection[int] = ()) -> list[list[str]]:
    """Header rows with titles that span columns repeated over each of them. first: the column where data begins.
    spanned: the rows of which the file itself says what spans what.

    A file of cells keeps a spanning title in one cell, the first of its columns or the middle one, and leaves the
    others blank. A title goes to columns that have one of their own further down; a note (`(in millions)`) to all.
    """
    width = max((len(row) for row in rows), default=0)
    full = [[*row, *[""] * (width - len(row))] for row in rows]
    for index in reversed(range(len(full))):  # what a title below spans is known before those above it are read
        row, printed = full[index], [[*each, *[""] * (width - len(each))] for each in rows[index + 1 :]]
        filled = [column for column in range(first, width) if row[column].strip()]
        if not filled or len(filled) == width - first or index in spanned:
            continue
        below = [any(other[column].strip() for other in printed) for column in range(width)]
        dated = [any(read_period(other[column]) for other in full[index + 1 :]) for column in range(width)]
        if any(dated[first:]) and not all(dated[first:]) and not any(find_periods(row[column]) for column in filled):
            below = [there and not is_dated for there, is_dated in zip(below, dated, strict=True)]
        whole = len(filled) == 1 and is_remark(row[filled[0]])
        ends = bool(printed) and _end_groups(filled, first, printed[0])
        for column, source in _spanned(filled, first, width, ends=ends).items():
            if _GOES_ON.search(row[source].strip().lower()):
                continue  # `2030 and` over `thereafter`
            if not whole and _is_day_alone(row[source]) and any(_has_day(other[column]) for other in full[index + 1 :]):
                continue  # `July 2,` over `2023`, beside `December 31, 2022`
            if whole or below[column]:
                row[column] = row[source]
    for row in full:
        for column in range(first, width - 1):
            one, other = row[column].strip(), row[column + 1].strip()
            if _ENDED.match(other.lower()) and not leads_to_day(one) and leads_to_day(f"{one} {other}"):
                row[column] = row[column + 1] = f"{one} {other}"  # a title over two columns, parted between its words
    return full


def _is_day_alone(text: str) -> bool:
    """Whether a title is a day of no year: `July 2,`."""
    period = read_period(text)
    return period is not None and period.kind is PeriodKind.DATE and period.year is None


def _has_day(text: str) -> bool:
    period = read_period(text)
    return period is not None and period.kind is PeriodKind.DATE


def _spanned(filled: Sequence[int], first: int, width: int, *, ends: bool) -> dict[int, int]:
    """For each blank column the filled one whose title spans it: equal groups with one title each, else the one to its
    left. ends: titles stand over the last columns of their groups, so that it is the one to its right."""
    size, rest = divmod(width - first, len(filled))
    grouped = not rest and all((column - first) // size == number for number, column in enumerate(filled))
    found = {}
    for column in range(first, width):
        if ends:
            source = min(c for c in filled if c >= column)
        else:
            source = (
                filled[(column - first) // size] if grouped else max((c for c in filled if c <= column), default=-1)
            )
        if source >= 0 and column not in filled:
            found[column] = source
    return found


def _end_groups(filled: Sequence[int], first: int, below: Sequence[str]) -> bool:
    """Whether titles stand over the last columns of groups that begin alike: `2023`, `2022`, `2021` over `Amount`,
    `Change`, `Amount`, `Change`, `Amount`, each year over what ends its group."""
    if filled[0] == first or filled[-1] != len(below) - 1:
        return False
    begin = [first, *(column + 1 for column in filled[:-1])]
    return bool(below[first].strip()) and [at for at, text in enumerate(below) if text == below[first]] == begin


def is_remark(text: str) -> bool:
    """Whether a title only says in what its figures are: `(in millions)`, `$`, `(unaudited)`, `U.S. $ in thousands`."""
    label = read_label(text)
    return is_note(text) or label.scale is not None or (not _LETTER.search(text.lower())) or "unaudited" in text.lower()


def has_label_column(rows: Rows) -> bool:
    """Whether the first column holds labels, and not amounts below a title as the other columns do."""
    if not rows or len(rows[0]) < 2 or not rows[0][0].strip():
        return True
    below = [row[0] for row in rows[1:] if row and row[0].strip()]
    if not below or any(_LETTER.search(text.lower()) and not is_note(text) for text in below):
        return True
    if not any(read_cell(text) for text in below) or any(read_period(text) for text in below):
        return True
    return not all(_LETTER.search(text.lower()) or read_period(text) for text in rows[0] if text.strip())


def is_note(text: str) -> bool:
    """Whether a text states a scale and nothing else: `( in thousands )`."""
    label = read_label(text)
    return not label.name and label.scale is not None


def listed_years(introduction: str, count: int) -> list[int]:
    """The last list of exactly `count` different years in the words before a table: `2009 2008 2007`; [] for none."""
    years = [(period.year, start, end) for period, start, end in find_periods(introduction) if period.year is not None]
    runs: list[list[tuple[int, int, int]]] = []
    for year, start, end in years:
        if runs and not introduction[runs[-1][-1][2] : start].strip(" ,and"):
            runs[-1].append((year, start, end))
        else:
            runs.append([(year, start, end)])
    fitting = [
        [year for year, _, _ in run] for run in runs if len(run) == count and len({year for year, _, _ in run}) == count
    ]
    return fitting[-1] if fitting else []
