"""IRIs and literals: every name of the graph is made here, from ids, numbers and ASCII slugs, whatever the
document holds."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache

from tieout.data.printed.pattern import later
from tieout.ontology.vocabulary import PREFIXES

LONGEST_SLUG = 60
XSD = PREFIXES["xsd"]

_WORD = later(r"[A-Za-z0-9]+")
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})
_SURROGATE = later("[\ud800-\udfff]")


@lru_cache(maxsize=65536)
def camel(label: str, upper: bool = False) -> str:
    """A local name for a label: `exercise price` is `exercisePrice`; `item` where it has no ASCII letter or digit.

    upper: as the second part of a name, `StockOption_ExercisePrice`, so that it may begin with a digit.
    """
    plain = label if label.isascii() else unicodedata.normalize("NFKD", label[:400]).encode("ascii", "ignore").decode()
    name = ""
    for word in _WORD.findall(plain[:400]):
        if len(name) + len(word) > LONGEST_SLUG:
            word = word[: LONGEST_SLUG - len(name)] if not name else ""
        if not word:
            break
        name += word[0].upper() + word[1:].lower() if name or upper else word.lower()
    if not name:
        return "Item" if upper else "item"
    return name if upper or name[0].isalpha() else f"n{name}"


@lru_cache(maxsize=4096)
def slug(key: str) -> str:
    """A key as a part of a local name: `2012/2016` is `2012_2016`."""
    return "_".join(re.findall(r"[A-Za-z0-9-]+", key[:LONGEST_SLUG])) or "x"


def decimal_text(value: Decimal) -> str:
    """The one way in which amounts are written: plain digits, no exponent, no zeros at the end. Raises ValueError
    for NaN and infinity."""
    if not value.is_finite():
        raise ValueError(f"{value!r} is no amount")
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def text_literal(text: str) -> str:
    """A string as N-Quads. A lone surrogate, which no encoding can carry, becomes U+FFFD, so that spans stay as
    they are."""
    if not text.isascii() and _SURROGATE.search(text):
        text = _SURROGATE.sub("\ufffd", text)
    if '"' in text or "\\" in text or "\n" in text or "\r" in text:
        text = text.translate(_ESCAPES)
    return f'"{text}"'


def typed_literal(text: str, datatype: str) -> str:
    """A literal of an XML Schema datatype as N-Quads. text: its lexical form, made by us."""
    return f'"{text}"^^<{XSD}{datatype}>'


class Names:
    """Local names that are unique in one document: the same key gives the same name, another key never does."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], str] = {}
        self._taken: set[str] = set()

    def name(self, wanted: str, key: str) -> str:
        """`wanted`, or `wanted_2`, ... when another key has it."""
        given = self._given.get((wanted, key))
        if given is None:
            given, number = wanted, 1
            while given in self._taken:
                number += 1
                given = f"{wanted}_{number}"
            self._taken.add(given)
            self._given[wanted, key] = given
        return given
