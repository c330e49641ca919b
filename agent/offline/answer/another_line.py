"""Holds a figure against the line item that a question names, where it was found by other words."""

from __future__ import annotations

from tieout.agent.answers.checks.check import SURE_ENOUGH
from tieout.agent.offline.answer.reply import Missing, ask_back
from tieout.agent.offline.operands.linking import IS_CONCEPT, Lines
from tieout.agent.protocol.message import Reply
from tieout.agent.question.question import Question
from tieout.kg.fact import Fact
from tieout.kg.figure import BALANCE, is_instant, table_of, without_inside, words_around, words_of
from tieout.kg.filings.concepts import STANDARD
from tieout.kg.filings.eligible import rank_of
from tieout.ontology.asked.language import language
from tieout.ontology.metrics.line_item import MAIN_STATEMENTS, LineItem, find_line_item, line_items
from tieout.ontology.metrics.metric import metrics

MOST_SURE = 0.7  # chance of a figure of another line

TOTAL = frozenset(("total", "net"))  # words that any line may have


def is_of_another(fact: Fact, asked: Question, lines: Lines, *, is_named: bool = False) -> bool:
    """Whether a figure belongs to another line than the one line item that a question asks for. Its tag, its time, what
    its table is of, what its line is known as, or a word of its label may say so. is_named: the reply by what the
    question names is certain, and rests on this figure."""
    if (item := _item_of(asked)) is None or fact.concept in item.concepts or item.unit == "count" or fact.column == 0:
        return False  # an amount inside a label stands in no column
    is_known = lines.concepts.get(item.name, {}).get(fact.name, 0) >= IS_CONCEPT
    is_called, said = rank_of(item, fact) is not None, words_of(asked.named[0].said) - language().words["function"]
    if is_known or (is_named and (item.name in metrics() or is_called or said <= words_around(fact))):
        return False
    of_label, is_of_day = find_line_item(fact.label), not item.is_instant and is_instant(fact) is True
    is_tagged = fact.concept.startswith(STANDARD) and bool(item.concepts) and not (fact.dimensions and of_label is None)
    if is_called:
        return (is_tagged or is_of_day or _is_of_part(fact, item, asked, lines)) and not _is_of_statement(fact, lines)
    if BALANCE.search(fact.label.lower()) and said <= words_around(fact):
        return is_tagged or is_of_day  # a balance whose title says of what
    words = words_of(without_inside(fact.label)) - language().words["function"]
    left = _left(words, said, item)
    is_so = _is_said(said, words, fact, item) and _is_of_statement(fact, lines)
    return is_tagged or is_of_day or not (is_so or (of_label is None and not left))


def is_of_another_cell(fact: Fact, asked: Question, lines: Lines) -> bool:
    """Whether a question names a line item and a part of the company, and nothing says that a figure is of both."""
    item = line_items().get(asked.named[0].name) if len(asked.named) == 1 and asked.calculation == "value" else None
    parts = lines.part_names.named(asked.open) if item is not None else ()
    if item is None or not parts or fact.table is None or item.unit == "count":
        return False
    around, said = words_around(fact), words_of(asked.named[0].said) - language().words["function"]
    if not any(part in fact.parts or words_of(part) <= around for part in parts):
        return True
    return lines.said_in_cell(fact, fact.parts, item, None) is None and not said <= around


def is_chosen_by_another(fact: Fact, asked: Question) -> bool:
    """Whether the figure by which a name or a time is chosen is known as another line than the one that is named."""
    item, named = find_line_item(fact.label), {each.name for each in asked.named}
    return item is not None and len(named) == 1 and item.name not in named


def is_sign_turned(reply: Reply) -> bool:
    """Whether a reply is a figure with its sign turned: `Operating expenses` for an income."""
    return reply.done == ["multiply"] and any("-1" in call.arguments.get("values", ()) for call in reply.calls)


def or_asked_back(reply: Reply, fact: Fact, asked: Question) -> Reply:
    """A reply of a figure of another line; the question back where it is a guess, or has its sign turned, and the line
    is known as another item and lacks words of what is asked for."""
    said, other = asked.named[0].said, find_line_item(fact.label)
    is_guess = reply.chance < SURE_ENOUGH or is_sign_turned(reply)
    if is_guess and other not in (None, _item_of(asked)) and not words_of(said) <= words_of(fact.label):
        return ask_back(Missing(f"The report has no figure for {said!r}.", (fact.label[:120],)))
    return reply


def _item_of(asked: Question) -> LineItem | None:
    """The line item that is all that a question asks for."""
    is_one = len(asked.named) == 1 and not asked.open and asked.calculation == "value"
    return line_items().get(asked.named[0].name) if is_one else None


def _left(words: frozenset[str], said: frozenset[str], item: LineItem) -> frozenset[str]:
    """The words of a label that neither a question says nor its line item has."""
    names = [label.partition(" net of ")[0] for label in item.labels]  # without what is taken off
    return words.difference(said, TOTAL, language().words["of many lines"] if item.spent else (), *map(words_of, names))


def _is_said(said: frozenset[str], words: frozenset[str], fact: Fact, item: LineItem) -> bool:
    """Whether the words of a label are those that a question says, but for `total`, or no more than as many beside them
    that qualify nothing."""
    may_be = TOTAL - item.qualifiers
    if said - may_be == words - TOTAL:
        return True
    left = _left(words, said, item)
    is_longer = len(left) <= len(said) and left.isdisjoint(language().words["qualifiers"])
    return is_longer and said <= words | words_of(fact.section)


def _is_of_statement(fact: Fact, lines: Lines) -> bool:
    table = lines.statements.get(table_of(fact))  # none of a figure in a sentence
    return table is not None and table.statement in MAIN_STATEMENTS


def _is_of_part(fact: Fact, item: LineItem, asked: Question, lines: Lines) -> bool:
    """Whether what stands around a line of a note says that all of its table is of a part of the company, or of
    something else, as the question does not: `Assets held for sale`, `Total deferred tax assets`."""
    title = f"{fact.caption} {fact.heading.rpartition('>')[2]}"
    around = f"{title} {fact.section} {fact.header} {lines.total_of(fact)}".lower()
    found = language().forms["of something else"].search(around)
    is_main = item.statement in MAIN_STATEMENTS
    return is_main and found is not None and not any(found[0] in each for each in (asked.lower, *item.labels))
