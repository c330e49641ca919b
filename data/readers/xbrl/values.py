"""Values that the forms of XBRL in JSON share: units and days."""

from __future__ import annotations

from datetime import date, datetime, timedelta

_PURE = frozenset(("pure", "number"))


def unit_name(text: str | None) -> str | None:
    """A unit as tieout names it: `iso4217:USD/xbrli:shares` is `USD/share`; None for a pure number."""
    if not text:
        return None
    over, _, under = text.replace(" ", "").partition("/")
    top = over.rpartition(":")[2]
    if not under:
        return None if top.lower() in _PURE else top
    bottom = under.rpartition(":")[2]
    return f"{top}/{'share' if bottom.lower() in ('share', 'shares') else bottom}"


def day(text: object) -> date | None:
    """A day as ISO 8601 writes it; None for what is none."""
    try:
        return date.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def period(text: str) -> tuple[date | None, date | None]:
    """First and last day of a period of xBRL-JSON, whose moments lie at the end: `2025-01-01T00:00:00` ends 2024."""
    moments = [_moment(part) for part in text.split("/")[:2]]
    end = moments[-1]
    last = None if end is None else (end - timedelta(days=1) if end == _midnight(end) else end).date()
    first = moments[0]
    return (None if len(moments) < 2 or first is None else first.date()), last


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if "T" not in text:
        moment += timedelta(days=1)  # a day alone is meant whole
    return moment.replace(tzinfo=None)


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
