"""Which way a table runs."""

from __future__ import annotations

from enum import StrEnum


class Orientation(StrEnum):
    """What one column is: an instance (a period, a segment, an item) or a property."""

    INSTANCES_ACROSS = "instances across"  # row label = property, column header = instance; the usual one
    INSTANCES_DOWN = "instances down"  # column header = property, row label = instance (years down the first column)
