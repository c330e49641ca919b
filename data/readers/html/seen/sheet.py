"""The style sheets of a page: which of their declarations hold for an element, as a person at a screen sees it, and the
fonts that they bring along.

Rules for print, and those under a condition that a screen need not meet, are left out. Nothing is fetched.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tieout.data.printed.pattern import later
from tieout.data.readers.html.seen.selector import Selector, read_selectors

# What may hide text, and what sets it apart: of most pages nothing else is kept.
TOLD = frozenset(
    "display visibility opacity color background background-color background-image background-clip font font-size "
    "-webkit-background-clip -webkit-text-fill-color text-shadow text-indent position left right top bottom inset "
    "width height max-width max-height line-height overflow overflow-x overflow-y clip clip-path transform scale "
    "rotate filter zoom z-index margin margin-left margin-top content-visibility direction unicode-bidi "
    "letter-spacing flex-direction mask mask-image -webkit-mask -webkit-mask-image -webkit-text-security "
    "translate text-decoration text-decoration-line".split()
)
_TYPE = frozenset(
    "font-weight font-style text-align vertical-align page-break-before page-break-after "
    "break-before break-after".split()
)

KEPT = TOLD | _TYPE | {"content"}
FONT = "@font-face"

_COMMENT = later(r"/\*.*?(?:\*/|$)|<!--|-->", re.DOTALL)
_DATA = later(r"data:text/css[^,]{0,60},", re.IGNORECASE)
_IMPORTANT = later(r"\s*!\s*important\s*$", re.IGNORECASE)
_VARIABLE = later(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_STRING = later(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'")
_ESCAPE = later(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)")
_WIDTH = later(r"(min|max)-width\s*:\s*([0-9.]+)(px|em|rem)")
_FEATURE = later(r"\([^()]*\)")
_BRACE = later(r"[{}]|\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'")
_PARTING = later(r"[;()\"']")
_MOST_INSIDE = 8
_SCREEN = 1280.0  # pixels across


@dataclass(frozen=True, slots=True)
class Rule:
    """weight: which of two rules counts: important ones, more exact ones, later ones."""

    selector: Selector
    weight: tuple[int, ...]
    text: str


@dataclass(slots=True)
class Sheets:
    """All style sheets of a page, by one thing that the elements they are of have. variables: by name. fonts: the
    declarations of each `@font-face`."""

    rules: dict[str, list[Rule]] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    fonts: list[Mapping[str, str]] = field(default_factory=list)
    has_generated: bool = False
    known: dict[tuple[str, str, str], list[Rule]] = field(default_factory=dict)
    plain: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.rules)

    def declared(self, element: Any, generated: str = "") -> tuple[str, str]:  # noqa: ANN401 - lxml has no types
        """The declarations of the rules that hold for an element, what counts last: those that its own attribute goes
        before, and those that go before that. generated: for what is put `before` or `after` it."""
        names = (element.tag, element.get("id", ""), element.get("class", ""))
        if not generated and names in self.plain:
            return self.plain[names]
        rules = self.known.get(names)
        if rules is None:
            keys = ("*", names[0], f"#{names[1]}", *(f".{each}" for each in names[2].split()))
            rules = [rule for key in dict.fromkeys(keys) for rule in self.rules.get(key, ())]
            self.known[names] = rules = sorted(rules, key=lambda rule: rule.weight)
        found = [each for each in rules if each.selector.generated == generated and each.selector.holds(element)]
        normal, important = (";".join(each.text for each in found if each.weight[0] == level) for level in (0, 1))
        declared = self.filled(normal), self.filled(important)
        if not generated and all(each.selector.is_plain for each in rules):
            self.plain[names] = declared  # the same for all elements of these names
        return declared

    def filled(self, text: str) -> str:
        """Declarations with variables in place of their names."""
        for _ in range(_MOST_INSIDE):
            if "var(" not in text:
                break
            text = _VARIABLE.sub(lambda name: self.variables.get(name[1], name[2] or ""), text)[:10_000]
        return text

    def said(self, element: Any, where: str) -> str:  # noqa: ANN401
        """The text that a sheet puts `before` or `after` an element; "" for none."""
        for name, value in reversed(list(read_declarations(";".join(self.declared(element, where))))):
            if name == "content":
                return "".join(_unescaped(match[1] or match[2] or "") for match in _STRING.finditer(value))
        return ""


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda sign: chr(min(int(sign[1], 16), 0x10FFFF)) if sign[1] else sign[2], text)


def read_sheets(root: Any, names: Container[str] = KEPT) -> Sheets:  # noqa: ANN401
    """The style sheets inside a page, in order. names: of the declarations that are kept."""
    found = Sheets()
    order = 0
    for element in root.iter("style", "link"):
        if element.get("media") and not is_of_screen(element.get("media")):
            continue
        for selectors, declared in _blocks(_text(element)):
            order += 1
            if selectors == FONT:
                found.fonts.append(dict(read_declarations(declared)))
            else:
                _add(found, selectors, declared, order, names)
    return found


def _text(element: Any) -> str:  # noqa: ANN401
    """The text of a style sheet; of a linked one where the link itself holds it."""
    if element.tag == "style":
        return _COMMENT.sub(" ", element.text or "")
    link = element.get("href", "")
    head = _DATA.match(link) if "stylesheet" in element.get("rel", "").lower() else None
    if not head:
        return ""
    try:
        text = b64decode(link[head.end() :]).decode("utf-8", "replace") if "base64" in head[0] else None
    except (Error, ValueError):
        return ""
    return _COMMENT.sub(" ", unquote(link[head.end() :]) if text is None else text)


def _add(sheets: Sheets, selectors: str, declared: str, order: int, names: Container[str]) -> None:
    parts: dict[int, list[str]] = {0: [], 1: []}
    for name, value in read_declarations(declared):
        plain = without_importance(value)
        if name.startswith("--"):
            sheets.variables[name] = plain
        if name in names:
            parts[plain != value].append(f"{name}:{plain}")
    if not any(parts.values()):
        return
    for selector in read_selectors(selectors):
        sheets.has_generated = sheets.has_generated or bool(selector.generated)
        for important, said in parts.items():
            if said:
                rule = Rule(selector, (important, *selector.weight, order), ";".join(said))
                sheets.rules.setdefault(selector.key, []).append(rule)


def _blocks(text: str, around: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yields selectors and declarations; those of rules inside rules with the selectors around them; FONT as a
    selector."""
    at, own = 0, []
    while (start := text.find("{", at)) >= 0:
        head_at = max(text.rfind(";", at, start), text.rfind("}", at, start)) + 1 or at
        own.append(text[at:head_at])
        head, end = text[head_at:start].strip(), _closing(text, start)
        inside = text[start + 1 : end]
        at = end + 1
        if depth >= _MOST_INSIDE:
            continue
        if head.lower() == FONT:
            yield FONT, inside
        elif head.startswith("@"):
            if _applies(head):
                yield from _blocks(inside, around, depth + 1)
        else:
            yield from _blocks(inside, _nested(head, around), depth + 1)
    own.append(text[at:])
    if around and any(map(str.strip, own)):
        yield around, ";".join(own)


def _closing(text: str, start: int) -> int:
    depth = 0
    for sign in _BRACE.finditer(text, start):
        depth += (sign[0] == "{") - (sign[0] == "}")
        if not depth:
            return sign.start()
    return len(text)


def _nested(head: str, around: str) -> str:
    if not around:
        return head
    return head.replace("&", f":is({around})") if "&" in head else f":is({around}) {head}"


def _applies(head: str) -> bool:
    """Whether a person at a screen is shown what stands under `@media`, `@supports`, `@layer`."""
    name, _, said = head[1:].partition(" ")
    if name.lower() == "media":
        return is_of_screen(said)
    return name.lower() in ("supports", "layer", "scope", "document")


def is_of_screen(media: str) -> bool:
    """Whether one of a list of media is a wide screen. What depends on the person is not met."""
    return any(_is_screen(each.strip().lower()) for each in media.split(","))


def _is_screen(query: str) -> bool:
    negated = query.startswith("not ")
    query = query.removeprefix("not ").removeprefix("only ")
    features = _FEATURE.findall(query)
    widths = [_WIDTH.search(each) for each in features]
    met = all(
        width is not None and (_pixels(width) <= _SCREEN if width[1] == "min" else _pixels(width) >= _SCREEN)
        for width in widths
    )
    kind = _FEATURE.sub("", query).replace("and", " ").split()
    return (met and (not kind or kind[0] in ("all", "screen"))) is not negated


def _pixels(width: re.Match[str]) -> float:
    return float(width[2]) * (1 if width[3] == "px" else 16)


def without_importance(value: str) -> str:
    """`3px` of `3px !important`."""
    return _IMPORTANT.sub("", value) if "!" in value else value


def read_declarations(text: str) -> Iterator[tuple[str, str]]:
    """`left: 3px; color: red` as names in lower case and values; no semicolon inside brackets or quotes parts them."""
    for each in _parted(text) if "(" in text or '"' in text or "'" in text else text.split(";"):
        name, colon, value = each.partition(":")
        if colon:
            yield name.strip().lower(), value.strip()


def _parted(text: str) -> Iterator[str]:
    start, depth, quote = 0, 0, ""
    for sign in _PARTING.finditer(text):
        if quote:
            quote = "" if sign[0] == quote else quote
        elif sign[0] in "\"'":
            quote = sign[0]
        elif sign[0] != ";":
            depth = max(0, depth + (1 if sign[0] == "(" else -1))
        elif not depth:
            yield text[start : sign.start()]
            start = sign.end()
    yield text[start:]
