"""The tags of Inline XBRL 1.1: contexts, units and what a tagged number states.

The header that a browser does not show names contexts (whose, when, which parts) and units; every tag on a printed
number points to one of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from tieout.data.document import Tag
from tieout.data.readers.html.page import NUMBER_TAG, TEXT_TAG
from tieout.data.readers.html.transform import transform

MOST_SCALE = 30
_SHARES = frozenset(("shares", "share"))


@dataclass(frozen=True, slots=True)
class Context:
    """start: None for an instant. dimensions: (axis, member), sorted."""

    start: date | None
    end: date | None
    dimensions: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Statement:
    """What the tags of a page say: by context, by unit, and of the report as a whole.

    texts: tagged texts (`dei:EntityRegistrantName`) by concept, with the last day of their context. entity: scheme and
    identifier of whose report it is, "" where no context says so.
    """

    contexts: dict[str, Context] = field(default_factory=dict)
    units: dict[str, str | None] = field(default_factory=dict)
    texts: dict[str, tuple[str, date | None]] = field(default_factory=dict)
    entity: str = ""

    def tag(self, element: Any, printed: tuple[int, int] | None) -> Tag | None:  # noqa: ANN401
        """The tag of an `ix:nonFraction`; None where it points to no context or its text is no number."""
        context = self.contexts.get(element.get("contextref", ""))
        concept = element.get("name", "")
        if context is None or context.end is None or not concept:
            return None
        nil = element.get("xsi:nil", element.get("nil", "")).strip() in ("true", "1")
        value = None if nil else _value(element)
        if value is None and not nil:
            return None
        decimals = element.get("decimals", "")
        return Tag(
            concept=concept,
            value=value,
            unit=self.units.get(element.get("unitref", "")),
            start=context.start,
            end=context.end,
            decimals=int(decimals) if decimals.lstrip("-").isdecimal() and len(decimals) < 4 else None,
            dimensions=context.dimensions,
            printed=printed,
        )

    def about(self, concept: str) -> str:
        """The text tagged with a concept of the cover page (`EntityRegistrantName`), "" for none."""
        return self.texts.get(f"dei:{concept}", ("", None))[0]

    def of_itself(self) -> Iterator[tuple[str, str]]:
        """What the file says of itself, as `Document.about` has it, by name."""
        said = {concept.removeprefix("dei:"): words for concept, (words, _) in self.texts.items() if words}
        if self.entity:
            said["EntityIdentifier"] = self.entity
        yield from sorted(said.items())


def read_statement(root: Any) -> Statement:  # noqa: ANN401
    """Contexts, units and the texts of the cover page."""
    found = Statement()
    resources = list(root.iter("ix:resources")) or [root]
    for element in (each for part in resources for each in part.iter()):
        tag = element.tag
        if not isinstance(tag, str) or ":" not in tag:
            continue
        local = tag.rpartition(":")[2]
        if local == "context":
            found.contexts[element.get("id", "")] = _context(element)
            found.entity = found.entity or _entity(element)
        elif local == "unit":
            found.units[element.get("id", "")] = _unit(element)
    if not found.contexts:
        return found
    for element in root.iter(TEXT_TAG):
        concept = element.get("name", "")
        if concept.startswith("dei:") and concept not in found.texts:
            context = found.contexts.get(element.get("contextref", ""))
            words = " ".join("".join(element.itertext()).split())
            found.texts[concept] = (words, context.end if context else None)
    return found


def _value(element: Any) -> Decimal | None:  # noqa: ANN401
    """Signed, in full units. A tag around another one has its text."""
    text = "".join(element.itertext()) if len(element) else element.text or ""
    number = transform(element.get("format", ""), text.strip())
    if number is None:
        return None
    scale = element.get("scale", "0").strip() or "0"
    power = int(scale) if scale.lstrip("+-").isdecimal() and len(scale) < 4 else 0
    if abs(power) > MOST_SCALE or len(number.as_tuple().digits) > 2 * MOST_SCALE:
        return None
    sign, digits, exponent = number.as_tuple()
    value = Decimal((sign, digits, int(exponent) + power))
    return value.copy_negate() if element.get("sign", "") == "-" and value else value


def _locals(element: Any, name: str) -> Iterator[Any]:  # noqa: ANN401
    for each in element.iter():
        if isinstance(each.tag, str) and each.tag.rpartition(":")[2] == name:
            yield each


def _words(element: Any) -> str:  # noqa: ANN401
    return "".join(element.itertext()).strip()


def _day(element: Any, name: str) -> date | None:  # noqa: ANN401
    for each in _locals(element, name):
        text = _words(each)
        try:
            return date.fromisoformat(text[:10]) - timedelta(days="T" in text and text[11:16] == "00:00")
        except (ValueError, OverflowError):
            return None
    return None


def _entity(context: Any) -> str:  # noqa: ANN401
    for each in _locals(context, "identifier"):
        return f"{each.get('scheme', '').strip()} {_words(each)}".strip()
    return ""


def _context(element: Any) -> Context:  # noqa: ANN401
    dimensions = [(each.get("dimension", ""), _words(each)) for each in _locals(element, "explicitmember")]
    dimensions += [(each.get("dimension", ""), _words(each)) for each in _locals(element, "typedmember")]
    instant = _day(element, "instant")
    return Context(
        None if instant else _day(element, "startdate"), instant or _day(element, "enddate"), tuple(sorted(dimensions))
    )


def _unit(element: Any) -> str | None:  # noqa: ANN401
    """`USD`, `USD/share`, `shares`; None for a pure number."""
    above = [_words(each) for part in _locals(element, "unitnumerator") for each in _locals(part, "measure")]
    below = [_words(each) for part in _locals(element, "unitdenominator") for each in _locals(part, "measure")]
    if not above:
        above = [_words(each) for each in _locals(element, "measure")]
    names = ["*".join(each.rpartition(":")[2] for each in measures) for measures in (above, below)]
    if names[0] in ("", "pure") and not names[1]:
        return None
    if names[1]:
        return f"{names[0]}/{'share' if names[1] in _SHARES else names[1]}"
    return names[0]


def numbers(root: Any) -> Iterator[Any]:  # noqa: ANN401
    """Every tagged number of a page, hidden ones too."""
    yield from root.iter(NUMBER_TAG)
