"""How a spreadsheet program shows the cells of figures, in the house style: `0.0%`, `"$"#,##0.00`, `0`."""

from __future__ import annotations

from decimal import Decimal

from tieout.agent.arithmetic.units import RATE, RATE_CHANGE
from tieout.agent.ledger.display import SIGNS
from tieout.agent.ledger.form import read_form
from tieout.agent.ledger.ledger import Entry, is_calculated
from tieout.agent.ledger.style import house_style
from tieout.data.printed.unit import NOT_MEASURES, Unit

MOST_DECIMALS = 6


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
