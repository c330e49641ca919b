"""What a query text may be before it is run at all: read-only, without SERVICE, and of a size that can be planned."""

from __future__ import annotations

import re

from tieout.data.printed.pattern import later

MOST_BYTES = 16 * 1024
MOST_NESTING = 64
MOST_PATTERNS = 40

# The terminals of SPARQL 1.1, section 19.8. A string with a wrong escape is none: pyoxigraph reads it another way.
SKIP = r"(?:[ \t\r\n]|\#[^\r\n]*+)"
IRI = r"<[^<>\"{}|^`\\\x00-\x20]*+>"
ESCAPE = r"\\[tbnrf\"'\\]"
OPAQUE = later(
    rf"{SKIP}++|[?$]\w+|\d+\.\d+"
    rf"|\"\"\"(?:\"{{0,2}}(?:[^\"\\]|{ESCAPE}))*\"\"\"|'''(?:'{{0,2}}(?:[^'\\]|{ESCAPE}))*'''"
    rf"|\"(?:[^\"\\\r\n]|{ESCAPE})*\"|'(?:[^'\\\r\n]|{ESCAPE})*'"
)
# A keyword, or a name, of which only the prefix can hide a keyword: `SERVICE:x` calls `:x` if the prefix `:` is known.
WORD = later(r"(?P<word>[\w-]*)(?::(?:[\w:%](?:[\w:%.-]*[\w:%-])?)?)?")
SERVICE = later(r"service[\s#?$<:\w]", re.IGNORECASE)
FROM = later(r"from[\s#<:\w]", re.IGNORECASE)  # pyoxigraph takes the graphs we give it and passes over these
COMPARISON_OR_IRI = later(IRI)
PROLOGUE = later(rf"{SKIP}*+(?:(?:prefix{SKIP}*+[^\s:<#]*:|base){SKIP}*+{IRI}{SKIP}*+)*+", re.IGNORECASE)
FORM = later(r"[A-Za-z]*")


class QueryError(ValueError):
    """A query that is refused, broken, or took more than it may."""


class QueryStoppedError(QueryError):
    """A query that is well formed and took more time or memory than it may."""


def _measure(text: str) -> tuple[int, int]:
    """The deepest nesting of a query and its most patterns. Raises QueryError for SERVICE and FROM.

    `<` compares or opens an IRI: `?a<b:c#>` can end in a comment or in `>`, and what follows is then code in one
    reading and text in the other. Both are followed, and where they meet again the larger figures go on.
    """
    reached = {0: (0, 0)}  # where a token starts in some reading: nesting and patterns before it
    deepest = most = 0
    for at in range(len(text)):
        if at not in reached:
            continue
        depth, patterns = reached.pop(at)
        ends = []
        if opaque := OPAQUE.match(text, at):
            ends.append(opaque.end())
        elif text.startswith("//", at):  # stands in no query, so that the `<` of `<http://a/#b>` is no comparison
            continue
        else:
            word = WORD.match(text, at)
            assert word is not None  # it may be empty
            if SERVICE.search(text[at : word.end("word") + 1]):
                raise QueryError("SERVICE is not allowed: a query sees this store and nothing else")
            if FROM.search(text[at : word.end("word") + 1]):
                raise QueryError("FROM is not allowed: name the graphs with --document and --run, or with GRAPH <iri>")
            if text[at] == "\\":
                raise QueryError("a backslash is allowed in strings only: write the name as an IRI in angle brackets")
            depth += (text[at] in "{([") - (text[at] in "})]")
            patterns += text[at] in ".;{/"
            ends.append(max(word.end(), at + 1))
        if iri := COMPARISON_OR_IRI.match(text, at):
            ends.append(iri.end())
        deepest, most = max(deepest, depth), max(most, patterns)
        for end in ends:
            there = reached.get(end, (depth, patterns))
            reached[end] = (max(depth, there[0]), max(patterns, there[1]))
    return deepest, most


def check_query(text: str) -> None:
    """Raises QueryError, saying why, unless text may be handed to the worker.

    Sizes are those beyond which pyoxigraph 0.5 crashes or plans for seconds; patterns are counted by the marks that
    separate them.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if not text.strip():
        raise QueryError("the query is empty")
    if size > MOST_BYTES:
        raise QueryError(f"the query has {size} bytes, more than the {MOST_BYTES} it may have")
    if not text.isprintable() and re.search(r"[\ud800-\udfff]", text):
        raise QueryError("the query is not valid Unicode")
    if re.search(r"\\u", text, re.IGNORECASE):
        raise QueryError(r"\u escapes are not allowed in a query: write the character itself")
    prologue = PROLOGUE.match(text)
    first = FORM.match(text, prologue.end() if prologue else 0)
    form = first[0].upper() if first else ""
    if form not in ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE"):
        shown = f"{form!r} is not allowed" if form else "no query form was found"
        raise QueryError(f"only SELECT, ASK, CONSTRUCT and DESCRIBE can be run: {shown}")
    depth, patterns = _measure(text)
    if depth > MOST_NESTING:
        raise QueryError(f"the query is nested {depth} deep, more than the {MOST_NESTING} it may be")
    if patterns > MOST_PATTERNS:
        raise QueryError(f"the query has about {patterns} patterns, more than the {MOST_PATTERNS} it may have")


# What pyoxigraph says of a query it cannot parse: a place, and every token that could stand there: text in quotes,
# `[classes of characters]`, KEYWORDS, and what is wrong with a token that was read, as `Prefix not found`.
_SYNTAX = later(r"error at (\d+):(\d+): expected (?:one of )?(.*)", re.S)
_TOKEN = later(r'"(?:[^"\\]|\\.)*"|\[.*?\](?=, |$)|[^,]+', re.S)
_MOST_TOKENS = 6


def readable(error: str, text: str) -> str:
    """What is wrong with a query in one line: where, what stands there, what could."""
    found = _SYNTAX.fullmatch(error)
    if not found:
        return error
    line, column = int(found[1]), int(found[2])
    lines = text.splitlines(keepends=True)
    at = sum(map(len, lines[: line - 1])) + column - 1
    before, behind = text[:at].split(), text[at:].split()
    tokens = [token.strip() for token in _TOKEN.findall(found[3])]
    faults = [token for token in tokens if token[:1].isalpha() and " " in token]
    names = [token for token in tokens if token and not token.startswith("[")]
    if faults and before:
        what = f"{', '.join(faults)}, behind {before[-1]!r}"
    else:
        more = " or another" if len(names) > _MOST_TOKENS else ""
        what = f"{behind[0]!r} stands there" if behind else "it ends there"
        what += f", expected {', '.join(names[:_MOST_TOKENS])}{more}" if names else ""
    return f"the query is no SPARQL at line {line}, column {column}: {what}"
