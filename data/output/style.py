"""The house style: how negative amounts, currencies and decimals of results are written, the same everywhere.

TIEOUT_STYLE="negative=brackets currency=code" tieout ask ...
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace

VARIABLE = "TIEOUT_STYLE"


class StyleError(ValueError):
    """A house style that names no setting, or a setting of no such value."""


@dataclass(frozen=True, slots=True)
class Style:
    """How figures are written.

    negative: `minus` (-$5 million) or `brackets` (($5 million)). currency: `sign` ($5 million) or `code`
    (5 million USD). digits: significant ones of a calculated amount; printed: of a printed figure, which shows all that
    it has up to so many, so that none has fewer than the page. percent, ratio: decimals of a calculated one.
    rounded: `yes`, or `no` to show all digits.
    """

    negative: str = "minus"
    currency: str = "sign"
    digits: int = 4
    printed: int = 12
    percent: int = 1
    ratio: int = 2
    rounded: str = "yes"


CHOICES = {"negative": ("minus", "brackets"), "currency": ("sign", "code"), "rounded": ("yes", "no")}
LEAST, MOST = {"digits": 1, "printed": 1}, 12  # digits or decimals
_style: ContextVar[Style | None] = ContextVar("style", default=None)


def read_style(text: str) -> Style:
    """The style that a line of settings says: `negative=brackets digits=3`. Raises StyleError."""
    said: dict[str, str | int] = {}
    for setting in text.replace(",", " ").split():
        name, _, value = setting.partition("=")
        if name not in {each.name for each in fields(Style)}:
            raise StyleError(f"{setting!r} sets nothing of a style: {', '.join(each.name for each in fields(Style))}")
        if name in CHOICES:
            if value not in CHOICES[name]:
                raise StyleError(f"{name} is {' or '.join(CHOICES[name])}, not {value!r}")
            said[name] = value
        elif not (value.isdecimal() and value.isascii() and LEAST.get(name, 0) <= int(value) <= MOST):
            raise StyleError(f"{name} is a number from {LEAST.get(name, 0)} to {MOST}, not {value!r}")
        else:
            said[name] = int(value)
    return replace(Style(), **said)  # type: ignore[arg-type]


def house_style() -> Style:
    """The style that counts now: that of `in_style`, else of the environment. Raises StyleError."""
    return _style.get() or read_style(os.environ.get(VARIABLE, ""))


@contextmanager
def in_style(style: Style) -> Iterator[None]:
    """What is shown inside is shown in this style."""
    token = _style.set(style)
    try:
        yield
    finally:
        with suppress(ValueError):  # left open, and closed in another context: what was set went with its own
            _style.reset(token)
