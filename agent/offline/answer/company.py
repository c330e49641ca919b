"""The companies of open reports in a question: where it names them, and the question without their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from tieout.agent.protocol.message import Request
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.kg.asked.part_names import PartNames
from tieout.kg.filings.naming import Mention, bare, in_general, plain, short
from tieout.kg.reports.outline import directory, listed_in
from tieout.ontology.asked.in_turn import possessors
from tieout.ontology.asked.language import language
from tieout.ontology.labels.label import with_country
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.metrics.slips import words_of_measures

_HEADED = re.compile(r"\s*(\S.{0,60}?)(?:\s*[:–—]|\s+-)\s+")
_WORD = re.compile(r"[^\W\d_]+")


def of_the_company(request: Request) -> Request:
    """A request about one report with its company called so: `Apple's sales`, `the railroad's` as `the company's`."""
    if listed_in(request.card.text):
        return request
    text = in_general(request.question, _mentions(request, request.question))
    return request if text == request.question else request.model_copy(update={"question": text})


def without_company(asked: Question, request: Request) -> Question:
    """The question without the names of the companies whose reports are open, and of their files: the view has been
    chosen by them. What stands behind the name is of the name of a part, where that has it: `Harrow Money`."""
    said = [asked.text[start:end] for _, start, end in _mentions(request, asked.text)]
    parts = () if said else directory(request.card.text, request.card.ticker).mentions(asked.text)
    behind = {word for _, _, end in parts for word in _WORD.findall(asked.text[end:].lower())[:1]}
    files = request.card.document_id.split(" + ") if not parts else ()  # a card of several files is called by all
    said.extend(each for each in files if each.lower() in asked.text.lower())
    names = {word for each in said for word in _WORD.findall(each.lower())}
    whole = asked.whole and replace(asked.whole, open=asked.whole.open - names)
    return replace(asked, open=asked.open - names | behind, whole=whole)


def names_in(request: Request, text: str) -> frozenset[str]:
    """The words of a text by which it names the company, of which a part may be called so too."""
    found = directory(request.card.text, request.card.ticker).mentions(text)
    return frozenset(word for each in found for word in _WORD.findall(text[each.start : each.end].lower()))


def of_its_parts(request: Request, names: PartNames) -> Request:
    """A request that calls the parts of its company as the report does."""
    if listed_in(request.card.text):
        return request
    full, texts = request.in_full, [request.question, *([] if request.in_full is None else [request.in_full.text])]
    plain = [of_the_company(request.model_copy(update={"question": text})).question for text in texts]
    asked = [read_question(text) for text in plain]
    made = [each.text if each.told or each.form == "why" else names.in_print(each.text, each.open) for each in asked]
    said = [text if new == old else new for text, old, new in zip(texts, plain, made, strict=True)]
    if said == texts:
        return request
    return request.model_copy(update={"question": said[0], "in_full": full and replace(full, text=said[-1])})


def without_heading(request: Request) -> Request:
    """A request without the name of its only company, where that heads the question: `Acme: did sales rise?`"""
    found = _HEADED.match(request.question)
    is_one = found is not None and request.in_full is None and not listed_in(request.card.text)
    named = _mentions(request, request.question) if is_one else ()
    if found is None or not any((each.start, each.end) == found.span(1) for each in named):
        return request
    return request.model_copy(update={"question": request.question[found.end() :]})


def of_another(asked: Question, request: Request) -> str | None:
    """Whose figure is asked for, `Acme's revenue`, where that is none of several companies, nor what lines are of."""
    if not listed_in(request.card.text) or _mentions(request, asked.text):
        return None
    said = " ".join(f"{each.label} {each.header} {each.section}" for each in request.shown.facts).lower()
    names = ((name, name.lower().split()) for name in possessors(asked.text))
    unknown = (name for name, of in names if all(singular(each) in asked.open and each not in said for each in of))
    return next(unknown, None)


def _mentions(request: Request, text: str) -> Sequence[Mention]:
    """Where a text names the companies of a request, under any name that their reports or other people have for them; a
    part of a company that has its name is not the company, but for whose something is: `Alder's margin`."""
    found = [*directory(request.card.text, request.card.ticker).mentions(text), *_called(request, text)]
    if text.isupper():  # `COST OF SALES` is asked of no ticker
        found = [each for each in found if text[each.start : each.end].lower() not in words_of_measures()]
    if not found:
        return []
    said = {text for fact in request.shown.facts for text in (fact.label, fact.header, fact.section) if text}
    whole = {request.card.ticker, *(each.key for each in found)}  # `Zeph Inc.` heads the return on its shares
    parts = {plain(with_country(each)) for each in said} - {plain(with_country(each)) for each in whole}
    named = [each for each in found if _owns(text, each) or not _is_part(text, each, parts)]
    return sorted({each.start: each for each in reversed(named)}.values(), key=lambda each: each.start)


def _called(request: Request, text: str) -> Iterator[Mention]:
    """Where a text may mean the only company by its ticker in lower case, or by what it is: `the railroad`."""
    ticker = request.card.ticker.lower()
    is_word = len(ticker) < 3 or ticker in language().words["function"] | language().words["asking"]
    is_word = is_word or ticker in words_of_measures()
    many = "s?" if len(ticker) > 3 else ""  # `aapls`, as it is typed in haste, and `GEs`
    ways = [] if is_word else [rf"{re.escape(ticker)}{many}"]
    ways += [rf"{re.escape(request.card.ticker)}s"] if ticker else []
    for match in re.finditer(rf"\b(?:{'|'.join(ways)})\b", text) if ways else ():
        yield Mention(ticker, *match.span())
    for match in language().forms["the company"].finditer(text.lower()):
        yield Mention(match[0], *match.span())


def _owns(text: str, each: Mention) -> bool:
    """Whether the whole name of a company stands as that of whose something is."""
    said = text[each.start : each.end]
    return bare(said) != said and short(bare(said)) == short(each.key)


def _is_part(text: str, each: Mention, parts: Collection[str]) -> bool:
    """Whether a part of the company is named, which may have more words than the company: `Harrow U.S.` of Harrow."""
    said = plain(bare(text[each.start : each.end])), plain(with_country(text[each.start :]))
    name, words = (each.removeprefix("the ") for each in said)
    behind = _WORD.findall(text[each.end :].lower())[:1]
    if behind and behind[0] not in words_of_measures():  # `Harrow Money` of Harrow, by any line of it
        return name in parts or any(f"{one} ".startswith(f"{name} {behind[0]} ") for one in parts)
    return name in parts or any(one.startswith(f"{name} ") and f"{words} ".startswith(f"{one} ") for one in parts)
