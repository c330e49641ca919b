"""What a report tells in words: who leads and audits the company, where it is, what it does; quoted as printed.

It stands on covers, in signatures, in lists of officers and in sentences: each is one text here, its lines or cells
joined by ` | `, and held against the patterns that the file of the language has for what is asked. What has no pattern
may be told by the sentence that has the words of the question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from tieout.agent.protocol.message import Card, Said
from tieout.agent.question.question import Question
from tieout.agent.question.read import things_of
from tieout.agent.view.sought import telling_words
from tieout.data.printed.unit import NOT_MEASURES, Unit
from tieout.kg.fact import Fact
from tieout.kg.figure import words_of
from tieout.kg.index.relevance import Looked
from tieout.kg.index.sentences import printed_near
from tieout.kg.index.telling import Wanted, kept_in_memory, telling
from tieout.kg.index.words import Index
from tieout.kg.sense import is_of_sort, sentence_for_each
from tieout.kg.sums import number_of
from tieout.ontology.asked.bound import Bound
from tieout.ontology.asked.language import Told, language
from tieout.ontology.asked.listed import likeliest, names_alone
from tieout.ontology.asked.polarity import Hit, told_of_it
from tieout.ontology.asked.quoted import LONGEST, YES_OR_NO, first_quoted, joined, told_of
from tieout.ontology.metrics.formula import Apply

BEFORE, BEHIND = 4, 3  # lines beside one that are read with it: a signature is above the line that says whose it is
LEAST, MOST_SAID = 0.3, 40  # of the words of a question in a sentence that may tell it; sentences that are looked at
FEWEST, NEARLY = 2, 0.75  # words that name something; a share from which a sentence answers the whole of a question
TELLING_ALL = 0.95  # a share from which a sentence answers a question for anything, whatever figures it has
AS_LIKELY = 0.7  # of the share of the first, from which a sentence that names a day tells when better than a year
HALF = 0.5  # and one from which a sentence denies that any is beyond the number that it names too
Figures = Callable[[Sequence[int]], Sequence[Fact]]  # those of sentences, by their numbers
MOST_NAMING = 200  # sentences that may name what is asked for one by one
AT_FIGURE = 0.3  # what it counts that the words stand at the figure itself
FIRST = 4  # sentences whose figures are read before those of the others
ALIKE = 0.15  # by which the share of words of sentences that may tell all of several things differs
Find = Callable[[Sequence[Wanted], int], list[tuple[int, str, float]]]  # the sentences that have most of some words


def told_by(index: Index, question: Question, report: str) -> tuple[str, ...]:
    """What a report prints of what a question asks for in words, each to be quoted; () where it does not tell it, or
    the question asks for something else."""
    return _told(question, lambda wanted: printed_near(index, wanted, report, BEFORE, BEHIND))


def told_in(question: Question, sentences: Sequence[str]) -> tuple[str, ...]:
    """As `told_by`, of a page with these sentences."""

    def near(wanted: Told) -> list[str]:
        places = (at for at, line in enumerate(sentences) if any(each in line for each in wanted.near))
        return [joined(sentences[max(0, at - BEFORE) : at + BEHIND + 1]) for at in places]

    return _told(question, near)


def _told(question: Question, near: Callable[[Told], Sequence[str]]) -> tuple[str, ...]:
    if (wanted := told_of(question.told, question.lower)) is None:
        return ()
    return first_quoted(wanted, near(wanted)) or _told(replace(question, told=wanted.otherwise), near)


def said_by(index: Index, question: Question, report: str, companies: Collection[str]) -> Said | None:
    """The sentence of a report that has most of the words of a question, with a figure of the sort that is asked for;
    one of each of its parts, where these have more of them; of one for the names of several, the one that has them.
    companies: words of their names."""

    def find(words: Sequence[Wanted], most: int) -> list[tuple[int, str, float]]:
        return [(hit.number, hit.text, hit.score) for hit in index.telling(words, question.years, report, most)]

    def best(part: Question) -> Said | None:
        words = telling_words(part, companies)
        hits = find(words, MOST_SAID)
        if part.form == "yes or no":  # the row of what there is none of says so
            cells = (cell.text for table in index.printed_tables(report) for cell in table)
            hits += [(-1, text, 0.0) for text in cells if language().forms["a row of none"].search(text)]
        return _best(part, hits, partial(index.figures_of_sentences, report), told_by(index, part, report), words)

    return _naming(question, companies, find) or _in_parts(question, best)


def said_in(question: Question, card: Card) -> Said | None:
    """As `said_by`, of a page."""
    with kept_in_memory(said := card.sentences) as words:

        def find(asked: Sequence[Wanted], most: int) -> list[tuple[int, str, float]]:
            found = telling(words, asked, question.years, (0, len(said) - 1), most, Looked(), lambda _: said)
            return [(number, said[number], share) for number, share in found]

        def best(part: Question) -> Said | None:
            asked = telling_words(part, ())
            return _best(part, find(asked, MOST_SAID), lambda _: card.facts, told_in(part, card.sentences), asked)

        return _naming(question, (), find) or _in_parts(question, best)


def _in_parts(question: Question, best: Callable[[Question], Said | None]) -> Said | None:
    every = replace(question, lower=" and ".join(question.halves).lower(), told="") if question.halves else question
    if sum(each.weight >= 1 for each in telling_words(every, ())) < FEWEST - (question.form == "yes or no"):
        return None
    whole, parts = best(every), things_of(question)
    if question.halves and (whole is None or whole.share < NEARLY or len(whole.figures) < len(parts)):
        whole = best(replace(question, told=""))  # of its second half no sentence may have a word beside the first
    is_told = bool(question.halves and question.told)  # which may be in the sentence for the first half alone
    if len(parts) < 2 or (whole is not None and whole.share >= NEARLY and not is_told):
        return whole
    found = [each for part in parts if (each := best(part)) is not None]
    share = min((each.share for each in found), default=0.0)
    if len(found) < len(parts) or (whole is not None and share < whole.share and not question.halves):
        return whole
    texts = dict.fromkeys(text for each in found for text in each.texts)
    return Said(tuple(texts), share, tuple(name for each in found for name in each.figures))


def _best(
    question: Question, hits: Sequence[Hit], figures_of: Figures, told: tuple[str, ...], words: Sequence[Wanted]
) -> Said | None:
    """What is told; else yes or no and the one of these sentences, (number, text, share), that says so; else the first
    with a figure of the sort that is asked for. figures_of: reads the figures of sentences, of further ones where none
    of the first has it; words: those that are looked for."""
    if told:
        return Said(told, language().told[question.told].chance, ())
    is_in_words = question.kinds[0] == "words" or ("which" in question.cues and not question.named)
    is_in_words = is_in_words and question.calculation == "value"
    likely = [hit for hit in hits if hit[2] >= LEAST and len(hit[1]) <= LONGEST]
    is_held = question.calculation != "value" and (bool(question.named) or question.calculation != "change")
    if question.form == "yes or no" and question.bound is not None and question.bound.value:
        return _beyond(question.bound, hits, figures_of)
    if question.form == "yes or no" and not is_held:
        known = [(each.forms, {*each.near}.difference(each.opposed), each.weight) for each in words]
        if (so := told_of_it(known, question.lower, question.years, hits)) is not None:
            return Said(so[:2], so[2], ())
    if question.is_told:
        is_in_words, likely = True, [hit for hit in likely if language().tells[question.asks_for].search(hit[1])]
        names = [frozenset(each.forms) for each in words if each.is_name]
        likely = [hit for hit in likely if not any(map(words_of(hit[1]).isdisjoint, names))] or likely
        days = [hit for hit in likely if question.asks_for == "date" and language().tells["day"].search(hit[1])]
        likely = days if days and days[0][2] >= AS_LIKELY * likely[0][2] else likely  # a year tells less
    if len(sorts := [each.asks_for for each in things_of(question)]) > 1 and likely:
        near = [hit for hit in likely if hit[2] >= max(NEARLY, likely[0][2] - ALIKE)]
        figures = sentence_for_each(sorts, figures_of(numbers := [number for number, _, _ in near]), numbers)
        for _, text, share in (hit for hit in near if figures and hit[0] == figures[0].sentence):
            return Said((text.strip(),), share, tuple(each.name for each in figures))
    for some in filter(None, (likely[:FIRST], likely[FIRST:])):
        facts, found = figures_of([number for number, _, _ in some]), list[tuple[float, Said]]()
        for number, text, share in some:
            figures = _asked_of(question, text, [fact for fact in facts if fact.sentence == number])
            if not all(any(is_of_sort(each, sort) for each in figures) for sort in sorts):
                figures = []  # of two things it has one
            is_told = is_in_words or (share >= TELLING_ALL and not question.named and "how many" not in question.cues)
            if figures or is_told or question.form == "yes or no":
                at = 0.0 if is_in_words else max((_share_of_label(fact, words) for fact in figures), default=0.0)
                said = Said((text.strip(),), share, tuple(fact.name for fact in figures))
                found.append((share + AT_FIGURE * at, said))
        if found:
            return max(found, key=lambda each: each[0])[1]
    return None


def _share_of_label(fact: Fact, words: Sequence[Wanted]) -> float:
    """How much of the weight of words the label of a figure of a sentence has, which stands right at it."""
    label = words_of(fact.label)
    has = (each.weight * (not label.isdisjoint({*each.forms, *each.near})) for each in words)
    return sum(has) / (sum(each.weight for each in words) or 1)


def _beyond(bound: Bound, hits: Sequence[Hit], figures_of: Figures) -> Said | None:
    """Yes or no, and the sentence of which the one figure is beyond the number of a question or not, or none is."""
    likely = [hit for hit in hits if hit[2] >= HALF and len(hit[1]) <= LONGEST]
    facts = [fact for fact in figures_of([number for number, _, _ in likely]) if is_of_sort(fact, bound.sort)]
    for number, text, share in likely:
        amounts = {number_of(fact) for fact in facts if fact.sentence == number}
        is_none = language().forms["denies any"].match(text) is not None and f"{bound.value:f}" in text
        if is_none or (len(amounts) == 1 and share >= NEARLY):
            return Said((YES_OR_NO[is_none or not bound.holds(*amounts)], text.strip()), min(share, 1.0), ())
    return None


def _naming(question: Question, companies: Collection[str], find: Find) -> Said | None:
    """The sentence that has most words of a question for names, and these one by one; None for any other question."""
    if (listed := names_alone(question.lower)) is None:
        return None
    words = telling_words(replace(question, lower=listed.rest), companies)
    best = likeliest(listed, find(words, MOST_NAMING)) if words else None
    return None if best is None else Said((best[1].strip(),), min(best[2], 1), (), best[0])


def _asked_of(question: Question, text: str, facts: Sequence[Fact]) -> list[Fact]:
    """Those of the figures of a sentence that are of the sort that a question asks for."""
    plain = [fact for fact in facts if fact.unit not in NOT_MEASURES and is_of_sort(fact, question.asks_for)]
    is_moved = question.calculation in ("change", "growth")
    if isinstance(question.tree, Apply) or (is_moved and not language().cues["change"].search(text.lower())):
        return []
    is_rate = question.calculation not in ("value", "change") or question.asks_share or question.sort == "rate"
    return [fact for fact in plain if fact.unit == Unit.PERCENT] if is_rate else plain
