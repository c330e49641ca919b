"""Several questions in one, each as a text of its own: `net sales and net income in 2024`, `what was net income, and by
how much did it grow?`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, takewhile

from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named, find_measures
from tieout.ontology.asked.when import YEAR, When
from tieout.ontology.asked.wish import asked_in_words
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.metrics.qualifier import qualifiers_of

MOST = 8
BESIDE = 4  # words between a measure and what joins it to the next beside its period: `growth`, `adjusted`
PLACES = {"domestic", "foreign", "state"}  # qualifiers that say of where something is
NEAR = 12  # characters between two of a range of years
_BEFORE_AND = re.compile(r"(?<![\w-])(?<!, )([a-z][a-z-]*) (?:and|&|vs\.?|versus) ")
_WORDS = re.compile(r"[a-z0-9]+")
_AND, NEAR_AND = re.compile(r" (?:and|&|as well as|along with|plus) (?:the |its |their )?"), 3
MOST_NEAR = 80  # characters that they may have
_LAST_WORD, _NEXT_WORD = re.compile(r"([a-z][a-z-]*) $"), re.compile(r" ([a-z][a-z-]*)")


def each_named(lower: str, named: Sequence[Named], open_: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """What a question names one beside the other, each with the question for it alone, and with another where it may be
    of what the first is of, `Europe sales and profit`; () where it names one thing, or several that are one answer: a
    sum, a ratio, the higher of two. One measure of two parts is named twice.

    lower: the question. open_: its words that nothing accounts for: what qualifies the first stands before it."""
    first = named[:1]
    split = language().forms["parts behind"].match(lower[named[0].end :]) if named else None
    if len(named) < 2 or (split is not None and split["split"]):  # `inventories: raw materials and finished goods`
        said = _WORDS.findall(" ".join(each.said for each in named[1:]))
        return _of_parts(lower, first, {*open_, *map(singular, said)})
    own = {(each.name, *(_LAST_WORD.findall(lower[: each.start]) if open_ else ())) for each in named}
    if not 1 < len(own) == len(named) <= MOST or _is_of_one(lower, named):
        return ()
    head, ends = lower[: named[0].start], [named[0].end]
    open_ = {*open_, *language().words["of a part"]}
    while (word := _LAST_WORD.search(head)) is not None and singular(word[1]) in open_:
        head = head[: word.start(1)]
    starts, lead, when, before = [len(head)], lower[len(head) : named[0].start], "", [""]
    for left, right in pairwise(named):
        glue = language().forms["one and another"].search(between := lower[left.end : right.start])
        if glue is None or max(map(_telling, (between[: glue.start()], between[glue.end() :]))) > BESIDE:
            break
        starts.append(left.end + glue.end())
        ends[-1:] = left.end + glue.start(), right.end
        before.append(lead if language().forms["of it"].search(glue[0]) else "")
        when = when or (between[: glue.start()] if YEAR.search(between[: glue.start()]) else "")
    while (word := _NEXT_WORD.match(lower, ends[-1])) is not None and singular(word[1]) in open_:
        ends[-1] = word.end()
    pieces = [of + lower[start:end].strip() for of, start, end in zip(before, starts, ends, strict=True)]
    whole = language().forms["share of a whole"].search(pieces[-1])
    of_each = f" {whole[0]}" if whole is not None else ""
    texts = [piece.removesuffix(of_each) + of_each for piece in pieces]
    tail = lower[ends[-1] :] or when  # the year behind the first is that of those behind it
    found = [(piece, _alone(head, text, tail)) for piece, text in zip(pieces, texts, strict=True)]
    is_shared = pieces[0] == lead + named[0].said != named[0].said and qualifiers_of(lead) <= PLACES
    return (
        tuple(
            (piece, _alone(head, lead + piece, tail), text) if is_shared and _is_bare(piece, each) else (piece, text)
            for each, (piece, text) in zip(named, found, strict=False)
        )
        if len(pieces) > 1
        else ()
    )


def _telling(text: str) -> int:
    """How many words a text has that say nothing of when."""
    when = language().words["of time"] | language().words["of parts"]
    return sum(not word.isdigit() and when.isdisjoint((word, singular(word))) for word in _WORDS.findall(text))


def _is_bare(piece: str, named: Named) -> bool:
    """Whether nothing stands before what is named."""
    return piece.startswith(named.said) and not named.said.startswith("total ")


def with_shared_noun(asking: str) -> str:
    """A question for two measures that share their last words with each written in full: `gross and net margin` as
    `gross margin and net margin`, where both are known, and the two beside each other are no measure of their own."""
    lower = asking.lower()
    for match in _BEFORE_AND.finditer(lower):
        for second in (each for each in find_measures(lower) if each.start == match.end()):
            noun = second.said.partition(" ")[2]
            first = _alone_named(f"{match[1]} {noun}")
            if first not in (None, second.name) and _alone_named(lower[match.start() : second.end]) is None:
                return f"{asking[: match.end(1)]} {noun}{asking[match.end(1) :]}"
    return asking


def _alone_named(phrase: str) -> str | None:
    """The measure that a phrase is the name of from its first word to its last; None for none, or several."""
    named = find_measures(phrase)
    return named[0].name if len(named) == 1 and (named[0].start, named[0].end) == (0, len(phrase)) else None


def owner(lower: str, named: Sequence[Named], open_: Collection[str]) -> str:
    """What the first thing that a question names is of: `aws` of `aws net sales in 2017`; "" where it does not say."""
    head = lower[: named[0].start] if named else ""
    while (word := _LAST_WORD.search(head)) is not None and singular(word[1]) in open_:
        head = head[: word.start(1)]
    return lower[len(head) : named[0].start].strip() if named else ""


def _of_parts(lower: str, named: Sequence[Named], open_: Collection[str]) -> tuple[tuple[str, str], ...]:
    """As `each_named`, of one measure of several parts: `bulk and premium revenue`, `sales in Europe and Asia`; of two
    things in the words of a report alone: `rents and royalties in 2023`."""
    start, end = (named[0].start, named[0].end) if named else (len(lower), len(lower))
    before, behind = lower[:start], lower[end:]
    forms = language().forms
    if named and (found := forms["parts before"].search(before)) is not None:
        head, tail = before[: found.start()], lower[start:]
    elif named and (found := forms["parts behind"].match(behind)) is not None:
        is_split = (found["split"] or "").strip() not in ("", "in", "of")
        head, tail = (
            f"{lower[:end]} " if is_split else lower[:end] + behind[: found.start("parts")],
            behind[found.end() :],
        )
        lower = lower.replace(found["split"], " ", 1) if is_split else lower
    elif not named and (found := forms["two things"].match(lower)) is not None:
        head, tail = lower[: found.start("parts")], lower[found.end() :]
    else:
        return ()
    parts = list(filter(None, forms["between parts"].split(found["parts"])))
    while parts and " " in parts[0] and singular(parts[0].split()[0]) not in open_:
        left, _, parts[0] = parts[0].partition(" ")
        head += f"{left} "
    known = language().words["function"].union(open_)
    is_open = all(singular(word) in known for part in parts for word in _WORDS.findall(part))
    if not (1 < len(parts) <= MOST and is_open) or _is_of_one(lower, named):
        return ()
    return tuple((part, " ".join(f"{head}{part} {tail}".split())) for part in parts)


def _is_of_one(lower: str, named: Sequence[Named]) -> bool:
    """Whether words beside what is named make one answer of it."""
    for each in named:
        lower = lower[: each.start] + "_" * (each.end - each.start) + lower[each.end :]
    return language().forms["of one thing"].search(lower) is not None


def _alone(head: str, piece: str, tail: str) -> str:
    """A question for one piece of several. A piece that says its own time has none of that behind the last."""
    behind, piece = tail.split(), piece.removeprefix(f"{head.split()[-1]} ") if head.split() else piece
    if behind and piece.endswith(f" {behind[0]}"):
        behind = behind[1:]
    return " ".join((*head.split(), piece, *(() if YEAR.search(piece) else behind)))


def two_questions(asking: str) -> tuple[str, str] | None:
    """A question and another one behind it: `..., and by how much did it grow?`, `... and the growth rate`; None where
    what tells the first in words tells the other too."""
    wanted = language().told.get(asked_in_words(asking.lower().rstrip("? "), ()))
    if wanted is not None and wanted.is_besides:
        return None
    for name, (first, then) in language().halves.items():
        if (both := language().forms[name].match(asking)) is not None:
            return first.format(**both.groupdict()), then.format(**both.groupdict())
    return None


def beside_and(lower: str, named: Sequence[Named]) -> Iterator[tuple[list[str], list[str]]]:
    """The words right before and right behind each `and` of a question that stands in no name: up to three of each,
    that no word of grammar parts from it."""
    for found in _AND.finditer(lower):
        if not any(each.start <= found.start() < each.end for each in named):
            ahead, behind = (
                _WORDS.findall(lower[max(found.start() - MOST_NEAR, 0) : found.start()])[::-1],
                _WORDS.findall(lower[found.end() : found.end() + MOST_NEAR]),
            )
            one, other = ([*takewhile(_says_what, side[:NEAR_AND])] for side in (ahead, behind))
            yield one[::-1], other


def _says_what(word: str) -> bool:
    return word not in language().words["function"] and not word.isdigit()


def of_one(text: str, name: str) -> str:
    """A question for something of one that was named before as one that names it: `what was its margin?`."""
    found = language().forms["of it"].sub(f"{name}'s", text, count=1)
    return found if found != text else f"{text} of {name}"


def is_dated(text: str, when: When) -> bool:
    """Whether a question says of when it asks."""
    return bool(when.taken or when.years or language().forms["months of a part"].search(text))


def dated_as(text: str, other: str, when: When) -> str:
    """A question that names no time, or the same, at that of another one. when: the time of the other."""
    own, same = text.lower(), language().forms["same time"]
    if YEAR.search(own) or (is_dated(own, When()) and not same.search(own)):
        return text
    months = language().forms["months of a part"].finditer(other.lower())
    spans = {*when.taken, *(match.span() for match in (*YEAR.finditer(other.lower()), *months))}
    said = " and ".join(_joined(other, sorted(spans)))
    return same.sub(said, own) if same.search(own) else f"{text} {said}".strip()


def _joined(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The texts of spans, those near each other as one: `2021 to 2023`."""
    start = end = -1
    for first, last in spans:
        if start >= 0 and first - end > NEAR:
            yield text[start:end]
            start = first
        start, end = (first if start < 0 else start), max(end, last)
    if start >= 0:
        yield text[start:end]
