"""Operations as formulas of a spreadsheet, over the cells of their operands; a percentage stands there as a decimal;
and how a spreadsheet shows each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from tieout.agent.ledger.display import SIGNS
from tieout.agent.ledger.form import read_form
from tieout.agent.ledger.ledger import Entry, is_calculated
from tieout.data.arithmetic.units import AS_DECIMALS, RATE, RATE_CHANGE, SCALES
from tieout.data.output.style import house_style
from tieout.data.printed.unit import NOT_MEASURES, Unit

Formula = Callable[[Sequence[str]], str]


MOST_DECIMALS = 6


def _listed(function: str) -> Formula:
    return lambda cells: f"{function}({','.join(cells)})"


FORMULAS: Mapping[str, Formula] = {
    "add": lambda cells: f"{cells[0]}+{cells[1]}",
    "subtract": lambda cells: f"{cells[0]}-{cells[1]}",
    "multiply": lambda cells: f"{cells[0]}*{cells[1]}",
    "divide": lambda cells: f"{cells[0]}/{cells[1]}",
    "exp": lambda cells: f"{cells[0]}^{cells[1]}",
    "greater": lambda cells: f"{cells[0]}>{cells[1]}",
    "percentage": lambda cells: f"{cells[0]}/{cells[1]}",
    "percentage_change": lambda cells: f"({cells[0]}-{cells[1]})/{cells[1]}",
    "cagr": lambda cells: f"({cells[1]}/{cells[0]})^(1/{cells[2]})-1",
    "percentage_points": lambda cells: f"({cells[0]}-{cells[1]})*100",
    "basis_points": lambda cells: f"({cells[0]}-{cells[1]})*10000",
    "magnitude": lambda cells: f"ABS({cells[0]})",
    "in_percent": lambda cells: f"{cells[0]}",
    "range": lambda cells: f"MAX({','.join(cells)})-MIN({','.join(cells)})",
    "sum": _listed("SUM"),
    "average": _listed("AVERAGE"),
    "min": _listed("MIN"),
    "max": _listed("MAX"),
    "median": _listed("MEDIAN"),
    "count": _listed("COUNT"),
    "standard_deviation": _listed("STDEV"),
}
TO_SCALE = {f"in_{name}": scale for scale, name in SCALES.items()}


def formula(operation: str, cells: Sequence[str], operands: Sequence[Entry], result: Entry) -> str | None:
    """`=B4-B5`; None for an operation that a spreadsheet has no plain formula for.

    cells: the addresses of the operands, in order.
    """
    if operation == "as_decimal":
        is_held_so = operands[0].unit == Unit.PERCENT or operands[0].value == result.value  # a cell holds 27% as 0.27
        return (
            f"={cells[0]}"
            if is_held_so
            else f"={cells[0]}/{10 ** AS_DECIMALS.get(operands[0].unit or '', (RATE, 2))[1]}"
        )
    if operation in TO_SCALE:
        return f"={cells[0]}*{operands[0].scale}/{TO_SCALE[operation]}"
    made = FORMULAS.get(operation)
    return None if made is None else f"={made(cells)}"


def number_format(entry: Entry, form: str | None = None) -> str:
    """The format of the cell of an entry, which holds a percentage as its decimal; "" for what is no number."""
    if not isinstance(entry.value, Decimal) or isinstance(entry.value, bool):
        return ""
    wanted, style = read_form(form or ""), house_style()
    if entry.unit in NOT_MEASURES:
        return "0"
    if entry.unit == Unit.PERCENT or entry.unit == RATE or (entry.unit == Unit.RATIO and wanted.kind == "percent"):
        own = _own(entry) if entry.unit == Unit.PERCENT else _own(entry) - 2
        places = style.percent if is_calculated(entry) else max(own, 0)
        return f"0{_point(places if wanted.decimals is None else wanted.decimals)}%"
    if entry.unit == RATE_CHANGE or (entry.unit == Unit.RATIO and wanted.kind == "points"):
        return f'0{_point(style.percent)}%" points"'
    places = _own(entry)
    if is_calculated(entry) and (places > 2 or len(entry.value.as_tuple().digits) > style.printed):
        places = min(places, 2)
    number = f"#,##0{_point(places if wanted.decimals is None else wanted.decimals)}"
    money = SIGNS.get((entry.unit or "").partition("/")[0], "") if style.currency == "sign" else ""
    said = f'"{money}"{number}' if money else number
    return f"{said};({said})" if style.negative == "brackets" else f"{said};-{said}" if money else said


def _own(entry: Entry) -> int:
    """The decimals that a value has, as far as they are shown."""
    assert isinstance(entry.value, Decimal)
    exponent = entry.value.as_tuple().exponent
    return min(max(0, -exponent if isinstance(exponent, int) else 0), MOST_DECIMALS)


def _point(places: int) -> str:
    return f".{'0' * places}" if places else ""
