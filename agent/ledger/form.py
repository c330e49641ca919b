"""How one figure is wanted: `percent`, `1 decimal`, `in billions`; as a backend says it, or as a question does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator, Field

from tieout.agent.ledger.ledger import Entry, FromOperation, Ledger, Step
from tieout.data.arithmetic.units import RATE, SCALES
from tieout.data.printed.amount import Unit
from tieout.ontology.asked.language import language

MOST_DECIMALS = 12


@dataclass(frozen=True, slots=True)
class Form:
    """How a figure is shown where that is not left to the house style.

    kind: `percent`, `points`, `times`, `number` (a percentage as its decimal), or "" for what suits the unit.
    decimals: as many; None for what suits. scale: the one to show it in, None for the largest that fits. magnitude:
    without its sign, where a verb says which way. exact: with all digits.
    """

    kind: str = ""
    decimals: int | None = None
    scale: int | None = None
    magnitude: bool = False
    exact: bool = False


AS_SUITS = Form()
KINDS = ("percent", "points", "times", "number")
FORMS_SAID = "percent, points, times, number, 1 decimal, in millions, magnitude, exact"
FORM_SAID = f"How it is shown, where not as suits its unit: {FORMS_SAID}; several with commas."
_SCALES = {name.removesuffix("s"): scale for scale, name in SCALES.items()} | {"full": 1}
_WORDS = {"whole": 0, "no": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_DECIMALS = re.compile(r"(\d{1,2}|[a-z]+) (?:decimals?|decimal places?|digits?)")
_SCALE = re.compile(r"in (?:full )?([a-z]+?)s?")


@lru_cache(maxsize=256)
def read_form(text: str) -> Form:
    """The form that words say, several with commas or bars between: `percent, 1 decimal`. Raises ValueError."""
    form = AS_SUITS
    for part in re.split(r"[,|]", text.lower()):
        form = replace(form, **_said(" ".join(part.split())))  # type: ignore[arg-type]
    return form


def _said(part: str) -> Mapping[str, object]:
    if part in ("", "yes/no"):
        return {}
    if part in KINDS:
        return {"kind": part}
    if part in ("magnitude", "positive", "absolute"):
        return {"magnitude": True}
    if part == "exact":
        return {"exact": True}
    if part == "whole":
        return {"decimals": 0}
    if (match := _DECIMALS.fullmatch(part)) and (places := _places(match[1])) is not None:
        return {"decimals": places}
    if (match := _SCALE.fullmatch(part)) and match[1] in _SCALES:
        return {"scale": _SCALES[match[1]]}
    raise ValueError(f"{part!r} is no way to show a figure; there are: {FORMS_SAID}")


def _places(said: str) -> int | None:
    places = int(said) if said.isdecimal() and said.isascii() else _WORDS.get(said)
    return places if places is not None and places <= MOST_DECIMALS else None


def _check(text: str) -> str:
    read_form(text)
    return text


# In words, as a reply or a recipe holds it.
Format = Annotated[str, Field(max_length=60), AfterValidator(_check)]

_NEAREST = {"tenth": 1, "hundredth": 2, "cent": 2}


@lru_cache(maxsize=256)
def asked_form(question: str) -> Form:
    """How a question says that it wants its figure: `in billions`, `to two decimals`; AS_SUITS where it does not."""
    form, forms, lower = AS_SUITS, language().forms, question.lower()
    if match := forms["to so many decimals"].search(lower):
        places = _NEAREST.get(match["nearest"], 0) if match["nearest"] else _places(match["places"])
        form = replace(form, decimals=places)
    if match := forms["in a scale"].search(lower):
        nearest = match[0].startswith("to the nearest")
        form = replace(form, scale=_SCALES[match["scale"]], decimals=0 if nearest else form.decimals)
    return form


def meant_form(ledger: Ledger, entry: Entry, question: str) -> str | None:
    """The form in words of a quotient where the question asks for percent: `percent`, and `points` of a difference of
    two of them; None else, as what is a rate shows that itself."""
    in_percent = language().forms["wanted in percent"].search(question.lower()) is not None
    if not isinstance(entry.value, Decimal) or entry.unit != Unit.RATIO or not in_percent:
        return None
    if _is_quotient(entry):
        return "percent"
    source = entry.source
    apart = isinstance(source, FromOperation) and source.operation in ("subtract", "range")
    below = [step.entry for step in ledger.operands(Step(ledger.turn, entry))]
    return "points" if apart and below and all(map(_is_quotient, below)) else None


def operand_form(entry: Entry, form: str | None = None) -> str | None:
    """How the operands of an entry that is shown in a form are: those of which points are made in percent."""
    source = entry.source
    is_of_rates = isinstance(source, FromOperation) and source.operation in ("percentage_points", "basis_points")
    return "percent" if is_of_rates or (form and read_form(form).kind == "points") else None


def _is_quotient(entry: Entry) -> bool:
    return entry.unit in (Unit.RATIO, RATE) and (
        isinstance(entry.source, FromOperation) and entry.source.operation == "divide"
    )


def merged(first: Form, second: Form) -> Form:
    """What the first form says, and of what it leaves open the second."""
    said = {each.name: getattr(first, each.name) or getattr(second, each.name) for each in fields(Form)}
    said["decimals"] = second.decimals if first.decimals is None else first.decimals
    return Form(**said)


def in_words(form: Form) -> str | None:
    """The form as `read_form` takes it; None where it says nothing."""
    parts = [form.kind] if form.kind else []
    parts += [f"{form.decimals} decimal{'' if form.decimals == 1 else 's'}"] if form.decimals is not None else []
    parts += [f"in {SCALES[form.scale]}"] if form.scale is not None else []
    parts += ["magnitude"] if form.magnitude else []
    parts += ["exact"] if form.exact else []
    return ", ".join(parts) or None
