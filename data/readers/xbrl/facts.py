"""XBRL as JSON into a document whose facts have no page: which of its forms a file has."""

from __future__ import annotations

import json
import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from tieout.data.readers.encoding import decode
from tieout.data.readers.records import MAX_DIGITS, MAX_EXPONENT
from tieout.data.readers.refusal import READS, UnreadableError

if TYPE_CHECKING:
    from tieout.data.document import Document

_KEYS = re.compile(r'"(?:cik|documentInfo|facts|units)"\s*:\s*[{"\d]')


def is_facts(start: str) -> bool:
    """Whether JSON that begins like this holds XBRL facts and no pages."""
    return start.lstrip().startswith("{") and bool(_KEYS.search(start))


def read_facts(content: bytes, identifier: str) -> Document:
    """The document of SEC's companyfacts or companyconcept, or of an xBRL-JSON report. Raises UnreadableError."""
    from tieout.data.readers.xbrl.company import read_company, read_concept
    from tieout.data.readers.xbrl.report import read_oim

    values = _load(content)
    if isinstance(values, dict):
        if isinstance(values.get("documentInfo"), dict):
            return read_oim(values, identifier)
        if isinstance(values.get("facts"), dict):
            return read_company(values, identifier)
        if isinstance(values.get("units"), dict) and "tag" in values:
            return read_concept(values, identifier)
    raise UnreadableError(
        "JSON, but neither pages of a report (`table`, `pre_text`) nor XBRL (companyfacts, companyconcept, xBRL-JSON); "
        + READS
    )


def _load(content: bytes) -> Any:  # noqa: ANN401 - what JSON holds
    try:
        return json.loads(decode(content), parse_float=_number, parse_int=_number, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        raise UnreadableError(f"not valid JSON in line {error.lineno} ({error.msg}); is the file complete?") from None
    except RecursionError:
        raise UnreadableError("JSON that is nested too deeply") from None


def _number(text: str) -> Decimal | None:
    """A number, None for one whose digits would take unbounded time and memory."""
    if len(text) > 2 * MAX_DIGITS:
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    is_short = len(number.as_tuple().digits) <= MAX_DIGITS
    return number if is_short and (not number or abs(number.adjusted()) <= MAX_EXPONENT) else None
