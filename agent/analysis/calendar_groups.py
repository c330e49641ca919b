"""Months, quarters and years as groups of days, each known by its first day."""

from __future__ import annotations

from datetime import date

GROUPS = {"month": 1, "quarter": 3, "year": 12}  # months in each


def group_start(day: date, group: str) -> date:
    """The first day of the month, quarter or year that a day is in."""
    months = GROUPS[group]
    return date(day.year, (day.month - 1) // months * months + 1, 1)
