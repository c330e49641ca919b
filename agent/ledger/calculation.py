"""Calculating with entries: first percentages become decimals and scales equal, each by a step of its own."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from tieout.agent.ledger.display import exact
from tieout.agent.ledger.ledger import Entry, FromConstant, FromOperation, FromPrior, Ledger
from tieout.agent.protocol.tool import ToolError, as_tool_errors
from tieout.data.arithmetic.operation import Operation, OperationError
from tieout.data.arithmetic.operations import OPERATIONS
from tieout.data.arithmetic.units import AS_DECIMALS, CONTEXT, NUMBERS, RATE, SCALES, shifted
from tieout.data.printed.amount import Unit
from tieout.data.printed.unit import is_scaled


@as_tool_errors(OperationError)
def calculate(
    ledger: Ledger, operation: Operation, operands: Sequence[Entry], name: str | None = None, period: str | None = None
) -> Entry:
    """Adds the result of an operation over entries of the ledger, and the conversions it needs, and gives the result.

    name: of the new entry; made up when None. period: its key, where it is another than that of all operands. Raises
    ToolError for whatever the operation does not allow.
    """
    operation.check_count(len(operands))
    if operation.to_scale is None and operation.name != "as_decimal":
        operands = _prepared(ledger, operation, operands)
    values = [_number(operation, entry) for entry in operands]
    if operation.to_scale is not None:
        values = [CONTEXT.multiply(values[0], Decimal(operands[0].scale))]
    value = _decimal(operands[0], values[0]) if operation.name == "as_decimal" else operation.apply(values)
    weighed = operands[: len(operands) - operation.pure]
    unit, scale = operation.result([entry.measure for entry in weighed])
    # One or minus one changes nothing but a sign: a rate stays one.
    turned = [each for each in operands if not (isinstance(each.source, FromConstant) and each.value in (1, -1))]
    if operation.name == "multiply" and turned != operands:
        unit, scale = turned[0].measure if turned else (unit, scale)
    unit = RATE if operation.name == "divide" and unit == Unit.RATIO and _is_growth(ledger, *operands) else unit
    source = FromOperation(operation=operation.name, operands=tuple(entry.name for entry in operands))
    if operation.selects:
        weighed = [next(entry for entry in operands if entry.value == value)]
    periods = {entry.period for entry in weighed if entry.period is not None}
    abouts = dict.fromkeys(entry.about for entry in weighed if entry.about)
    return ledger.add(
        Entry(
            name=name or ledger.free_name("step"),
            value=value,
            unit=unit,
            scale=scale,
            scale_known=_is_scale_known(unit, weighed),
            period=period or (periods.pop() if len(periods) == 1 else None),
            about=", ".join(abouts)[:200],
            source=source,
        )
    )


def _decimal(entry: Entry, value: Decimal) -> Decimal:
    """A percentage or a number of points as its decimal; a calculated ratio is one already: 3.6% is never 0.00036."""
    if entry.unit in NUMBERS and isinstance(entry.source, FromOperation | FromPrior):
        return value
    return shifted(value, -AS_DECIMALS.get(entry.unit or "", (RATE, 2))[1])


def _is_growth(ledger: Ledger, change: Entry, base: Entry) -> bool:
    """Whether a quotient is (a - b) / b: how much something grew is read in percent, in two steps as in one."""
    made = change.source
    if not isinstance(made, FromOperation) or made.operation != "subtract":
        return False
    old = ledger[made.operands[1]]
    return old.name == base.name or (old.source == base.source and old.value == base.value)


def _is_scale_known(unit: str | None, weighed: Sequence[Entry]) -> bool:
    """Whether a result stands at the scale that it says.

    A figure of an unknown scale leaves that of an amount unknown. In a quotient of two of one unit it falls out, but
    not beside a figure whose scale is known, nor beside one of another unit, which may be printed at another scale.
    """
    if all(entry.scale_known for entry in weighed):
        return True
    stated = any(entry.scale_known and entry.measure.stated and is_scaled(entry.unit) for entry in weighed)
    units = {entry.unit for entry in weighed if entry.unit not in NUMBERS}
    return unit in (*NUMBERS, Unit.COUNT) and not stated and len(units) == 1


def _number(operation: Operation, entry: Entry) -> Decimal:
    if not isinstance(entry.value, Decimal):
        raise ToolError(f"{operation.name}: {entry.name!r} is {exact(entry)[:100]}, not a number")
    return entry.value


def _prepared(ledger: Ledger, operation: Operation, operands: Sequence[Entry]) -> list[Entry]:
    ready = [
        _converted(ledger, each, "as_decimal") if _enters_as_decimal(each, operands) else each for each in operands
    ]
    weighed = len(ready) - operation.pure
    scale = operation.bring_to([entry.measure for entry in ready[:weighed]])
    if scale is None:
        return ready
    return [
        _converted(ledger, entry, f"in_{SCALES[scale]}")
        if index < weighed and entry.measure.stated and entry.scale != scale
        else entry
        for index, entry in enumerate(ready)
    ]


def _enters_as_decimal(entry: Entry, operands: Sequence[Entry]) -> bool:
    """Whether an operand is calculated with as a decimal: a percentage, and points beside what is not in them."""
    others = {each.unit for each in operands} - {Unit.RATIO, None}
    return entry.unit in AS_DECIMALS and (entry.unit == Unit.PERCENT or others != {entry.unit})


def _converted(ledger: Ledger, entry: Entry, conversion: str) -> Entry:
    name = f"{entry.name}_{conversion}"
    made = FromOperation(operation=conversion, operands=(entry.name,))
    if name in ledger and ledger[name].source != made:
        name = ledger.free_name(name)
    return calculate(ledger, OPERATIONS[conversion], (entry,), name)
