"""A question for yes or no as a claim: the questions for the figures that it is about, and what one is held against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tieout.ontology.asked.bound import Bound
from tieout.ontology.asked.language import ClaimForm, language

NUMBER = "#"  # what stands for the number that a question names
ANY = "number"  # of whatever


@dataclass(frozen=True, slots=True)
class Claim:
    """sides: the questions for one figure, or for two. than: the number that one is held against, as a calculation
    takes it; is_less: the first is claimed to be less; is_of_any: it is claimed that there is any of it; number: as
    written, that the first is claimed to be."""

    sides: tuple[str, ...]
    than: str = ""
    is_less: bool = False
    is_of_any: bool = False
    number: str = ""


def claims_in(text: str, bound: Bound | None) -> Iterator[Claim]:
    """What a question for yes or no may claim, the likeliest first. bound: the number that it names."""
    asking = " ".join(text.split()).rstrip("?!. ")
    if bound is None and (found := language().forms["it is a number"].fullmatch(asking)) is not None:
        yield Claim((f"what was {found['one']}{found['rest'] or ''}",), number=found["number"])
        return
    said = language().forms["time ahead"].sub(r"\g<rest> \g<time>", asking)
    at = said.lower().find(bound.said) if bound is not None and bound.value else -1
    if bound is not None and bound.value and at < 0:
        return  # it is put otherwise
    if bound is not None and at >= 0:
        said = f"{said[:at]}{NUMBER}{said[at + len(bound.said) :]}"
    for form in language().claims:
        found = form.asked.fullmatch(said) if _is_of(form, bound if at >= 0 else None) else None
        if found is None:
            continue
        sides = (" ".join(each.format(**found.groupdict("")).split()) for each in form.sides)
        is_less = found.groupdict().get("less") is not None
        if bound is None or at < 0:
            is_of_any = form.than == "0" and "less" not in found.groupdict()
            yield Claim(tuple(sides), form.than, is_less, is_of_any)
        else:
            yield Claim(tuple(sides), f"{bound.value:f}{'%' if bound.scale is None else ''}", not bound.above)


def _is_of(form: ClaimForm, bound: Bound | None) -> bool:
    """Whether a way to ask is one for the number that a question names, or for none."""
    return form.of in (ANY, bound.sort) if bound is not None else not form.of
