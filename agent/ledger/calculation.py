"""Calculating with entries: first percentages become decimals and scales equal, each by a step of its own."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from tieout.agent.arithmetic.operation import Operation
from tieout.agent.arithmetic.operations import OPERATIONS
from tieout.agent.arithmetic.units import CONTEXT, SCALES
from tieout.agent.ledger.display import exact
from tieout.agent.ledger.ledger import Entry, FromOperation, FromPrior, Ledger
from tieout.agent.protocol.tool import ToolError
from tieout.data.printed.amount import Unit
from tieout.data.printed.unit import is_scaled


def calculate(
    ledger: Ledger,
    operation: Operation,
    operands: Sequence[Entry],
    name: str | None = None,
    period: str | None = None,
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
    already = operation.name == "as_decimal" and _is_decimal(operands[0])
    value = values[0] if already else operation.apply(values)
    weighed = operands[: len(operands) - operation.pure]
    unit, scale = operation.result([entry.measure for entry in weighed])
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
            scale_known=not is_scaled(unit) or all(entry.scale_known for entry in weighed),
            period=period or (periods.pop() if len(periods) == 1 else None),
            about=", ".join(abouts)[:200],
            source=source,
        )
    )


def _is_decimal(entry: Entry) -> bool:
    """Whether it is a calculated ratio, which is a decimal already: 3.6% is 0.036, and never 0.00036."""
    return entry.unit == Unit.RATIO and isinstance(entry.source, FromOperation | FromPrior)


def _number(operation: Operation, entry: Entry) -> Decimal:
    if not isinstance(entry.value, Decimal):
        raise ToolError(f"{operation.name}: {entry.name!r} is {exact(entry)[:100]}, not a number")
    return entry.value


def _prepared(ledger: Ledger, operation: Operation, operands: Sequence[Entry]) -> list[Entry]:
    ready = [_converted(ledger, entry, "as_decimal") if entry.unit == Unit.PERCENT else entry for entry in operands]
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


def _converted(ledger: Ledger, entry: Entry, conversion: str) -> Entry:
    name = f"{entry.name}_{conversion}"
    made = FromOperation(operation=conversion, operands=(entry.name,))
    if name in ledger and ledger[name].source != made:
        name = ledger.free_name(name)
    return calculate(ledger, OPERATIONS[conversion], (entry,), name)
