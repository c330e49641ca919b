"""The companies of open reports in a question: where it names them, and the question without their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tieout.agent.protocol.message import Card, Request
from tieout.agent.question.question import Question
from tieout.agent.view.outline import companies_in, listed_in
from tieout.kg.filings.naming import Directory, Mention, bare, plain

THE_COMPANY = "the company"  # words that tell no figure from another
_TICKER = re.compile(r"[A-Z]{1,5}(?=_)")  # before what else a file is called by
_WORD = re.compile(r"[^\W\d_]+")


def of_the_company(request: Request) -> Request:
    """A request about one report with its company called so: `Apple's net sales` are `the company's net sales`."""
    if len(companies_in(request.card.text)) != 1 or listed_in(request.card.text):
        return request
    text = request.question
    parts = {plain(text) for fact in request.shown.facts for text in (fact.label, fact.header, fact.section) if text}
    for _, start, end in reversed(_mentions(request.card, text)):
        name = bare(text[start:end])
        if plain(name) not in parts:  # a part of the company that has its name is not the company
            text = text[:start] + THE_COMPANY + ("'s" if name != text[start:end] else "") + text[end:]
    return request if text == request.question else request.model_copy(update={"question": text})


def without_company(asked: Question, request: Request) -> Question:
    """The question without the names of the companies whose reports are open, and of their files: the view has been
    chosen by them."""
    said = [asked.text[start:end] for _, start, end in _mentions(request.card, asked.text)]
    files = request.card.document_id.split(" + ")  # a card of several files is called by them all
    said.extend(each for each in files if each.lower() in asked.text.lower())
    named = {word.lower() for each in said for word in _WORD.findall(each)}
    return replace(asked, open=asked.open - named)


def _mentions(card: Card, text: str) -> Sequence[Mention]:
    """Where a text names the companies of a card, under any name that their reports or other people have for them."""
    names = {one.names[0]: one.names for one in listed_in(card.text)} or {
        name: (name,) for name in companies_in(card.text).values()
    }
    ticker = _TICKER.match(card.document_id)
    tickers = dict.fromkeys(names, ticker[0]) if ticker and len(names) == 1 else {}
    return list(Directory(names, tickers).mentions(text))
