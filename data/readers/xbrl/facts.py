"""XBRL as JSON into a document whose facts have no page: which of its forms a file has."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from tieout.data.printed.pattern import later
from tieout.data.readers.encoding import decode
from tieout.data.readers.records import MAX_DIGITS, MAX_EXPONENT
from tieout.data.readers.refusal import READS, UnreadableError

if TYPE_CHECKING:
    from tieout.data.document import Document

FIRST, MOST_NAME = 3, 60  # how many keys a message names, and letters of each
_KEYS = later(r'"(?:cik|documentInfo|facts|units)"\s*:\s*[{"\d]')


def is_facts(start: str) -> bool:
    """Whether JSON that begins like this holds XBRL facts and no pages."""
    return start.lstrip().startswith("{") and bool(_KEYS.search(start))


def read_facts(content: bytes, identifier: str) -> Document:
    """The document of SEC's companyfacts or companyconcept, or of an xBRL-JSON report. Raises UnreadableError."""
    from tieout.data.readers.xbrl.company import read_company, read_concept
    from tieout.data.readers.xbrl.report import read_oim

    twice: list[str] = []
    values = _load(content, twice)
    if isinstance(values, dict):
        read = None
        if isinstance(values.get("documentInfo"), dict):
            read = read_oim
        elif isinstance(values.get("facts"), dict):
            read = read_company
        elif isinstance(values.get("units"), dict) and "tag" in values:
            read = read_concept
        if read:
            document = read(values, identifier)
            return document.model_copy(update={"unread": (*document.unread, *_told(twice))})
    raise UnreadableError(
        "JSON, but neither pages of a report (`table`, `pre_text`) nor XBRL (companyfacts, companyconcept, xBRL-JSON); "
        + READS
    )


def _told(twice: list[str]) -> tuple[str, ...]:
    """That keys stand twice, in one line."""
    if not twice:
        return ()
    names = list(dict.fromkeys(name[:MOST_NAME] for name in twice))
    told = ", ".join([*map(repr, names[:FIRST]), *([f"{len(names) - FIRST:,} more"] if len(names) > FIRST else [])])
    return (f"of {told} there are two in one object, and neither is read: which one holds cannot be told",)


def _load(content: bytes, twice: list[str]) -> Any:  # noqa: ANN401 - what JSON holds
    """The values of JSON, without keys that stand twice in one object, whose names go to twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            several = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
            twice.extend(several)
            for key in several:
                del made[key]
        return made

    try:
        return json.loads(
            decode(content),
            parse_float=_number,
            parse_int=_number,
            parse_constant=lambda _: None,
            object_pairs_hook=unique,
        )
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
