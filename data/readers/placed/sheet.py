"""The style sheets inside a page: which declarations hold for an element, and the fonts that it brings along.

Selectors of names, classes and ids, alone or one inside another, are followed, as programs that convert pages write no
others. Rules for print, and what depends on a state such as `:hover`, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Declarations = dict[str, str]
_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_COMPOUND = re.compile(r"(?P<tag>[\w:-]+|\*)?(?P<rest>(?:[.#][\w-]+)*)")
_COMBINATOR = re.compile(r"\s*>\s*|\s+")
_MOST_INSIDE = 4  # rules inside rules: `@media` inside `@supports`
_SCREEN = re.compile(r"\b(?:screen|all)\b", re.IGNORECASE)
_PRINT = re.compile(r"\b(?:print|speech)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Compound:
    """What an element has to be: its name, "" for any, its id, its classes."""

    tag: str
    id: str
    classes: frozenset[str]

    def holds(self, element: Any) -> bool:  # noqa: ANN401 - lxml has no types
        return (
            (not self.tag or element.tag == self.tag)
            and (not self.id or element.get("id") == self.id)
            and (not self.classes or self.classes <= set(element.get("class", "").split()))
        )


@dataclass(frozen=True, slots=True)
class Rule:
    """around: what elements around it have to be, from the outside. weight: which of two rules counts."""

    compound: Compound
    around: tuple[Compound, ...]
    weight: tuple[int, int, int, int]
    declarations: Mapping[str, str]


@dataclass(slots=True)
class Sheet:
    """All style sheets of a page. fonts: the declarations of each `@font-face`."""

    rules: dict[str, list[Rule]] = field(default_factory=dict)  # by one name that its element has: `#id`, `.class`, tag
    fonts: list[Declarations] = field(default_factory=list)
    known: dict[tuple[str, str, str], list[Rule]] = field(default_factory=dict)

    def style(self, element: Any) -> Declarations:  # noqa: ANN401
        """What sheets and its own attribute say of an element; what it inherits is not among it."""
        names = element.tag, element.get("id", ""), element.get("class", "")
        rules = self.known.get(names)
        if rules is None:
            rules = self.known[names] = self._rules(element)
        found: Declarations = {}
        for rule in rules:
            if not rule.around or _is_inside(element, rule.around):
                found.update(rule.declarations)
        own = element.get("style", "")
        if own:
            found.update(read_declarations(own))
        return found

    def _rules(self, element: Any) -> list[Rule]:  # noqa: ANN401
        keys = [
            element.tag,
            f"#{element.get('id', '')}",
            "*",
            *(f".{each}" for each in element.get("class", "").split()),
        ]
        found = [
            rule for key in dict.fromkeys(keys) for rule in self.rules.get(key, ()) if rule.compound.holds(element)
        ]
        return sorted(found, key=lambda rule: rule.weight)


def _is_inside(element: Any, around: Sequence[Compound]) -> bool:  # noqa: ANN401
    wanted = list(around)
    for ancestor in element.iterancestors():
        if wanted and isinstance(ancestor.tag, str) and wanted[-1].holds(ancestor):
            wanted.pop()
    return not wanted


def read_sheet(root: Any) -> Sheet:  # noqa: ANN401
    """The style sheets of a page in order."""
    sheet = Sheet()
    for number, element in enumerate(root.iter("style")):
        for selectors, declared in _blocks(_COMMENT.sub("", element.text or ""), _MOST_INSIDE):
            declarations = read_declarations(declared)
            if selectors.startswith("@"):
                sheet.fonts.append(declarations)
                continue
            for selector in selectors.split(","):
                if rule := _rule(selector.strip(), number, declarations):
                    sheet.rules.setdefault(_key(rule.compound), []).append(rule)
    return sheet


def _blocks(text: str, most: int) -> Iterator[tuple[str, str]]:
    """Yields selectors and declarations, those for the screen too; `@font-face` as a selector."""
    at = 0
    while (start := text.find("{", at)) >= 0:
        head = text[at:start].rpartition(";")[2].strip()
        end = text.find("}", start)
        if head.startswith("@") and not head.lower().startswith("@font-face"):
            end = _closing(text, start)
            is_media = head.lower().startswith(("@media", "@supports"))
            if most and is_media and (_SCREEN.search(head) or not _PRINT.search(head)):
                yield from _blocks(text[start + 1 : end], most - 1)
        elif end > 0:
            yield head, text[start + 1 : end]
        at = (end if end > 0 else len(text)) + 1


def _closing(text: str, start: int) -> int:
    depth = 0
    for found in re.finditer(r"[{}]", text[start:]):
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return start + found.start()
    return len(text)


def _rule(selector: str, number: int, declarations: Declarations) -> Rule | None:
    parts = [_compound(part) for part in _COMBINATOR.split(selector)]
    compounds = [part for part in parts if part]
    if not compounds or len(compounds) < len(parts):
        return None
    ids = sum(bool(each.id) for each in compounds)
    classes = sum(len(each.classes) for each in compounds)
    tags = sum(bool(each.tag) for each in compounds)
    return Rule(compounds[-1], tuple(compounds[:-1]), (ids, classes, tags, number), declarations)


def _compound(text: str) -> Compound | None:
    found = _COMPOUND.fullmatch(text)
    if not found or not text:
        return None
    names = re.findall(r"[.#][\w-]+", found["rest"] or "")
    tag = (found["tag"] or "").lower()
    return Compound(
        "" if tag == "*" else tag,
        next((name[1:] for name in names if name[0] == "#"), ""),
        frozenset(name[1:] for name in names if name[0] == "."),
    )


def _key(compound: Compound) -> str:
    if compound.id:
        return f"#{compound.id}"
    return f".{min(compound.classes)}" if compound.classes else compound.tag or "*"


def read_declarations(text: str) -> Declarations:
    """`left: 3px; color: red` by name; what stands later counts."""
    found: Declarations = {}
    for each in re.split(
        r";(?![^()]*\))", text
    ):  # no semicolon of an address in brackets: `url(data:font/ttf;base64,..)`
        name, colon, value = each.partition(":")
        if colon:
            found[name.strip().lower()] = value.strip().removesuffix("!important").strip()
    return found
