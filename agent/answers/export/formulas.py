"""Operations as formulas of a spreadsheet, over the cells of their operands; a percentage stands there as a decimal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tieout.agent.arithmetic.units import AS_DECIMALS, RATE, SCALES
from tieout.agent.ledger.ledger import Entry
from tieout.data.printed.unit import Unit

Formula = Callable[[Sequence[str]], str]


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
