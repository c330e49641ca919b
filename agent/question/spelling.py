"""Words that are misspelt, or cut short: read as those of our lists or of a report that they stand for.

A word that nothing accounts for is as a rule one of the report's. It is taken for the short form of its company or of
words of its labels (`exp`, `gos`), or for letters that the report says what they stand for; else, where the report has
it nowhere, for a slip of a word of its labels, of a measure (`invtry`) or of its sentences, or of a known word of
which two neighbouring letters stand the wrong way round (`waht`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from tieout.agent.question.read import read_question
from tieout.data.printed.pattern import later
from tieout.ontology.asked.abroad.question import in_english
from tieout.ontology.asked.language import language
from tieout.ontology.asked.wording.framed import with_part, without_frame
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.labels.mistyped import is_doubled_otherwise, mistyped
from tieout.ontology.labels.shortened import are_initials_of, stands_for_name, written_out
from tieout.ontology.metrics import slips
from tieout.ontology.metrics.slips import WORD, Printed

Slips = tuple[tuple[str, str], ...]
LONGEST, MOST_OF_LABEL = 40, 20  # letters of what may be a word, words of what may be a label
_TYPED = later(r"(?<![\w&'’.-])[A-Za-z]+(?:&[A-Za-z]+)?(?![\w&'’-])")
SHORT = 4  # letters of a word that a share is of and that is not taken for misspelt: `pct`
_VOWELS = later(r"(?<=.)[aeiou]")
_OF_PART = later(r" [A-Z][a-z]")  # behind a name: `GM Financial` is no company


def as_printed(question: str, report: Printed) -> tuple[str, Slips]:
    """A question in English, with the words that a report has nowhere put right, or written out, by its labels, and
    what is read as what."""
    plain = in_english(question)
    core = without_frame(plain)
    asked = read_question(core if core == plain else with_part(plain, core, _may_be_part(report)))
    known, names, has = language(), report.names, report.has
    every = list(dict.fromkeys(_TYPED.findall(asked.text)))
    is_share = asked.calculation == "share"  # whose whole may be misspelt too
    typed = [word for word in every if (is_share and len(word) > SHORT) or singular(word.lower()) in asked.open]
    is_told = bool(asked.told) and not known.told[asked.told].is_count  # as it is asked for
    odd = [word for word in typed if _is_odd(word.lower()) and not is_told]
    short = {each.said for each in asked.named}  # of a measure, where it does not stand for the company: `GM`
    found = {word: name for word in odd for name in names if stands_for_name(_initials(word).lower(), [name])}
    alone = (each[0] for each in _TYPED.finditer(asked.text) if not _OF_PART.match(asked.text, each.end()))
    meant = [word for word in dict.fromkeys(alone) if word.lower() in short]
    found |= {word: name for word in meant for name in names if are_initials_of(word.lower(), name)}
    left = [word for word in odd if word not in found]
    printed, words = _words_of(frozenset(report.labels() if left else ()))
    beside = {singular(each) for each in WORD.findall(asked.lower)} - known.words["function"]
    for word, is_last in ((each, is_last) for is_last in (False, True, False) for each in left):  # by what others are
        own, others = word.lower(), beside - {singular(word.lower())}
        is_name = word.istitle() and not ("&" in word and word.isupper()) and asked.writes_as_name(own)
        read = None if own in words else slips.of_name(own, names) or slips.of_letters(word, words, report)
        read = read or (None if own in words or is_name else written_out(_initials(word), others, printed))
        read = read or (None if is_name else known.cut.get(own))
        lay = () if is_name or own in words or singular(own) in words else known.lay.get(singular(own), ())
        read = read or next((each for each in lay if not words.isdisjoint((each, f"{each}s"))), None)
        if read is None and is_last and own not in words and not (has(word) and not slips.is_of_same_stem(own, words)):
            read = _of_grammar(own) or mistyped(own, sorted({*words, *slips.words_of_measures()}))
            read = read or (None if "&" in own or is_name else written_out(word, others, slips.labels_of_measures()))
            read = read or mistyped(own, report.words(own))
        if read is not None and word not in found:
            found[word] = read
            beside |= {singular(each) for each in read.split()}
    told = tuple(each for each in found.items() if each[1] not in (*names, known.cut.get(each[0].lower())))
    told = told if plain == question else ((question, asked.text), *told)
    return _TYPED.sub(lambda match: found.get(match[0], match[0]), asked.text), told


def _may_be_part(report: Printed) -> Callable[[str, bool], bool]:
    """Whether a word may be of the name of a part: one of the report's labels and none of its company's name, nor of
    ours, unless it is called a part."""
    words = _words_of(frozenset(report.labels()))[1]
    own = [each for name in report.names for each in WORD.findall(name.lower())]

    def is_part(word: str, is_called: bool) -> bool:
        lower = word.lower()
        is_own = any(each.startswith(lower) or lower.startswith(each) for each in own)
        is_own = is_own or any(stands_for_name(lower, [name]) for name in report.names)
        return lower in words and not is_own and (is_called or lower not in _known())

    return is_part


@lru_cache(maxsize=16)
def _words_of(labels: frozenset[str]) -> tuple[list[str], frozenset[str]]:
    """Labels in order, and their words; those of a note that stands in a row are no names of lines."""
    words = (found for label in labels if len(found := WORD.findall(label.lower())) <= MOST_OF_LABEL)
    return sorted(labels), frozenset(word for found in words for word in found)


def _initials(word: str) -> str:
    """A word without the ending of its plural, where it is of capitals: `RSU` of `RSUs`."""
    return word.removesuffix("s") if word[:-1].isupper() else word


def _is_odd(word: str) -> bool:
    forms = {word, singular(word), *([f"{word}s"] if singular(f"{word}s") == word else ())}
    is_short = word in language().cut or singular(word) in language().lay
    return 1 < len(word) <= LONGEST and (is_short or _known().isdisjoint(forms))


def _of_grammar(word: str) -> str | None:
    """The word that asks or measures in which two neighbouring letters stand the other way round, that has a letter of
    it once for twice, or that has vowels which it leaves out: `waht`, `acount`, `hw`."""
    swapped = (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))
    known, asking = language().words, sorted(language().words["function"] | language().words["asking"])
    found = next((each for each in swapped if each in _known()), None)
    found = found or next((each for each in sorted(known["common"]) if is_doubled_otherwise(word, each)), None)
    return found or next((each for each in asking if word == _VOWELS.sub("", each) != each), None)


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(slips.words_of_measures()).union(*language().words.values())
