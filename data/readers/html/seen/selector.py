"""Selectors of style sheets, held against elements: names, classes, ids, attributes, places among siblings, `:not()`.

As in Selectors Level 4 of the W3C; a selector with anything else in it (a state such as `:hover`) holds for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from tieout.data.printed.pattern import later

_PART = later(
    r"(?P<name>\*|(?:[\w-]|\\.)+)|\.(?P<class>(?:[\w-]|\\.)+)|#(?P<id>(?:[\w-]|\\.)+)"
    r"|\[\s*(?P<attribute>[\w:-]+)\s*(?:(?P<how>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|[\w-]+)\s*[is]?\s*)?\]"
    r"|:(?P<pseudo>[\w-]+)(?:\((?P<inside>(?:[^()]|\([^()]*\))*)\))?"
)
_GENERATED = later(r"::?(before|after)$")
_NTH = later(r"(?:(?P<step>[+-]?\d*)n\s*)?(?P<first>[+-]?\s*\d+)?")
_LONGEST = 1000
_MOST_SIBLINGS = 2000


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element has to be: tests (kind, name, more), all of which hold. A kind that is none of those below is
    the name of an attribute."""

    tests: tuple[tuple[str, str, str], ...]

    def holds(self, element: Any) -> bool:  # noqa: ANN401 - lxml has no types
        return all(_holds(element, *test) for test in self.tests)


@dataclass(frozen=True, slots=True)
class Selector:
    """steps: from the element itself outwards, each with how it stands to the step before: "" for itself, " " inside,
    ">" right inside, "+" right behind, "~" behind. weight: which of two rules counts. generated: `before`, `after` of
    the element, "" for itself."""

    steps: tuple[tuple[str, Compound], ...]
    weight: tuple[int, int, int]
    generated: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether name, id and classes of an element tell alone."""
        kinds = {test[0] for _, compound in self.steps for test in compound.tests}
        return len(self.steps) == 1 and kinds <= {"name", "class", "id"}

    @property
    def key(self) -> str:
        """One thing that every element it holds for has: `#id`, `.class`, its name, or `*`."""
        tests = self.steps[0][1].tests
        for kind, sign in (("id", "#"), ("class", "."), ("name", "")):
            for each in tests:
                if each[0] == kind and each[1] != "*":
                    return sign + each[1]
        return "*"

    def holds(self, element: Any) -> bool:  # noqa: ANN401
        """Whether it holds for an element."""
        return self.steps[0][1].holds(element) and _around(element, self.steps[1:])


def _around(element: Any, steps: tuple[tuple[str, Compound], ...]) -> bool:  # noqa: ANN401
    if not steps:
        return True
    how, compound = steps[0]
    return any(compound.holds(each) and _around(each, steps[1:]) for each in _others(element, how))


def _others(element: Any, how: str) -> Iterator[Any]:  # noqa: ANN401
    if how == " ":
        yield from element.iterancestors()
        return
    if how == ">":
        parent = element.getparent()
        if parent is not None:
            yield parent
        return
    for before in element.itersiblings(preceding=True):
        if isinstance(before.tag, str):
            yield before
            if how == "+":
                return


def _holds(element: Any, kind: str, name: str, more: str) -> bool:  # noqa: ANN401
    if not isinstance(element.tag, str):
        return False
    match kind:
        case "name":
            return bool(name == "*" or element.tag == name)
        case "class":
            return name in element.get("class", "").split()
        case "id":
            return bool(element.get("id") == name)
        case "not" | "is":
            found = any(each.holds(element) for each in read_selectors(name))
            return found is (kind == "is")
        case "nth" | "nth-last" | "nth-of-type" | "nth-last-of-type":
            siblings = islice(element.itersiblings(preceding="last" not in kind), _MOST_SIBLINGS)
            is_own = (lambda tag: tag == element.tag) if "type" in kind else (lambda tag: isinstance(tag, str))
            return _is_nth(name, 1 + sum(is_own(each.tag) for each in siblings))
        case "root":
            return bool(element.getparent() is None)
        case "empty":
            return not len(element) and not element.text
    return _attribute(element.get(kind), name, more)


def _attribute(said: str | None, how: str, value: str) -> bool:
    if said is None:
        return False
    match how:
        case "=":
            return said == value
        case "~=":
            return value in said.split()
        case "|=":
            return said == value or said.startswith(f"{value}-")
        case "^=":
            return bool(value) and said.startswith(value)
        case "$=":
            return bool(value) and said.endswith(value)
        case "*=":
            return bool(value) and value in said
    return True


def _is_nth(formula: str, place: int) -> bool:
    formula = {"odd": "2n+1", "even": "2n"}.get(formula, formula)
    found = _NTH.fullmatch(formula)
    if not found:
        return False
    first = int((found["first"] or "0").replace(" ", ""))
    if found["step"] is None:
        return place == first
    step = int(f"{found['step']}1") if found["step"] in ("", "+", "-") else int(found["step"])
    return place == first if not step else (place - first) % step == 0 and (place - first) // step >= 0


@lru_cache(maxsize=4096)
def read_selectors(text: str) -> tuple[Selector, ...]:
    """The selectors of a list, `.a, #b > td`; those that are not known are left out."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(text[:_LONGEST]):
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            parts.append(text[start:at])
            start = at + 1
    found = (_selector(part.strip()) for part in (*parts, text[start:_LONGEST]))
    return tuple(each for each in found if each)


def _selector(text: str) -> Selector | None:
    generated = ""
    if end := _GENERATED.search(text):
        generated, text = end[1], text[: end.start()]
    steps: list[tuple[str, Compound]] = []
    tests: list[tuple[str, str, str]] = []
    how, at = "", 0
    text = text or "*"
    while at < len(text):
        if text[at] in " >+~\t\n\r":
            sign = re.match(r"[ >+~\t\n\r]+", text[at:])
            between = sign[0].strip() if sign else ""
            if not tests or len(between) > 1:
                return None
            steps.append((how, Compound(tuple(tests))))
            tests, how, at = [], between or " ", at + (sign.end() if sign else 1)
            continue
        part = _PART.match(text, at)
        test = _test(part) if part else None
        if part is None or test is None:
            return None
        tests.append(test)
        at = part.end()
    if not tests:
        return None
    steps.append((how, Compound(tuple(tests))))
    kinds = [test[0] for _, compound in steps for test in compound.tests]
    names = sum(kind == "name" for kind in kinds)
    weight = (kinds.count("id"), len(kinds) - kinds.count("id") - names, names)
    return Selector(_outwards(steps), weight, generated)


def _outwards(steps: list[tuple[str, Compound]]) -> tuple[tuple[str, Compound], ...]:
    """Steps as written, from the outside in, as steps from the element outwards."""
    hows = [how for how, _ in steps[1:]]
    return tuple(zip(("", *reversed(hows)), (compound for _, compound in reversed(steps)), strict=True))


def _test(part: re.Match[str]) -> tuple[str, str, str] | None:
    for kind in ("name", "class", "id"):
        if part[kind]:
            name = part[kind].replace("\\", "")
            return kind, name.lower() if kind == "name" else name, ""
    if part["attribute"]:
        return part["attribute"].lower(), part["how"] or "", (part["value"] or "").strip("\"'")
    pseudo, inside = part["pseudo"].lower(), (part["inside"] or "").strip()
    match pseudo:
        case "not":
            return "not", inside, ""
        case "is" | "where" | "matches":
            return "is", inside, ""
        case "first-child" | "last-child" | "first-of-type" | "last-of-type":
            kind = "nth-last" if pseudo.startswith("last") else "nth"
            return f"{kind}{'-of-type' if pseudo.endswith('type') else ''}", "1", ""
        case "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type":
            return pseudo.removesuffix("-child"), inside.lower(), ""
        case "root" | "empty":
            return pseudo, "", ""
    return None
