"""A question without the frame that people put around it: who asks, what for, and how kindly.

>>> without_frame("I am writing a note on banks and would be grateful to know what net income was in 2023.")
'what net income was in 2023.'
>>> without_frame("For my thesis, could you let me have the 2023 revenue of Europe, if you'd be so good?")
'the 2023 revenue of Europe'
>>> without_frame("For the Europe segment, could you tell me revenue in 2023?")
'For the Europe segment, revenue in 2023?'
>>> without_frame("How much do we owe in 2024?")
'How much do we owe in 2024?'

A frame is a run of words that say who asks and that something is asked for (`I should be glad to hear`, `could I
trouble you for`), the last one that has something behind it. What stands before it is why it is asked, unless it says
of what; a year that stands there alone stays. The words are those called `frame ...` in the file of a language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache, lru_cache

from tieout.data.printed.pattern import later
from tieout.ontology.asked.language import language
from tieout.ontology.asked.when import years_in

_WORD = later(r"i\.e\b\.?|e\.g\b\.?|[A-Za-z]+(?:['’-][A-Za-z]+)*|\d(?:[\w.,%/]*[\w%])?|[^\sA-Za-z\d]")
_SHORT = later(r"['’](?:d|m|ll|ve|re|s|t)$|n['’]t$")
_BEFORE_NOUN = frozenset(
    "i we you my to in am is would could should can might may will please kindly just perhaps still also really only "
    "and".split()
)
# A name, which the first word of a sentence may be of where it is in capitals alone.
_NAME = later(
    r"(?P<name>(?:(?<![.?!] )(?<!^)[A-Z]\w*|\b[A-Z]{2,}\b)(?: (?:& )?(?!I\b)[A-Z][\w-]*)*)"
    r"(?P<kind> segment| business| division)?"
)
_CAPITAL = later(r"\b[A-Z]\w+")
HEAD = 25  # letters by which what is left of a question is found in it
_JOINS, _MARKS = " ,;:.–—-", " ,;:.!?–—-"


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of words of a frame. start, end: in the text, without the words at its end that may be of the question."""

    start: int
    end: int
    words: tuple[str, ...]

    def is_frame(self, before: str) -> bool:
        """Whether somebody asks for something in it, or goes on to. before: the text in front of it."""
        said = " ".join(self.words)
        says_who = not _words("persons").isdisjoint(self.words) or _is_of_it(self.words)
        goes_on = language().forms["asks on of it"].match(said) is not None and (_speaks(before) or not before)
        return (says_who or goes_on) and not language().forms["asks of itself"].match(said)


def without_frame(text: str) -> str:
    """A question without its frame; as it is where it has none, or where nothing would be left of it."""
    forms = language().forms
    text = forms["how large it was"].sub(r"what was the \g<what> of \g<who>\g<time>?", text)
    text = forms["a part of it before"].sub(r"\g<ask>\g<part>'s\g<rest>", text)
    text = forms["a part at the head"].sub(r"\g<ask>\g<part>\g<rest>", text)
    if forms["may be a claim"].match(text) is not None and (claim := forms["claims so"].match(text)) is not None:
        return f"whether {claim['claim']}"
    if not _speaks(text) and not forms["a purpose ahead"].match(text.lower()):
        return text
    if (wish := forms["a wish for it"].match(text)) is not None:
        return wish["what"] or wish["also"]
    core = _within(forms["what is wanted"].sub("", text))
    goes_back = any(forms[form].match(core) for form in ("goes back", "goes back there"))
    return text if not core or goes_back else core


def with_part(text: str, core: str, is_part: Callable[[str, bool], bool]) -> str:
    """A question without its frame, with the one part of the company that stands in the frame alone: `For my note on
    Rail I need sales`; as it was where that names several, or qualifies what is asked for: `Before tax, ...`.

    core: the question without its frame. is_part: whether a word, as typed, may be of the name of a part, which a word
    behind it calls so or not.
    """
    head = text[: max(text.find(core[:HEAD]), 0)]
    if not head or any(is_part(word, True) for word in _CAPITAL.findall(core)):
        return core
    found = list(dict.fromkeys(_parts(head, is_part)))
    if len(found) > 1 or language().forms["a qualifier ahead"].search(head.lower()) is not None:
        return text
    return f"{core.rstrip('?.! ')} of {found[0]}?" if found else core


def _parts(text: str, is_part: Callable[[str, bool], bool]) -> list[str]:
    """The names in a text, written with capitals, of which every word may be of a part."""
    return [
        found[0]
        for found in _NAME.finditer(text)
        if all(is_part(word, bool(found["kind"])) for word in found["name"].replace("& ", "").split())
    ]


@lru_cache(maxsize=1024)
def _within(text: str) -> str:
    known = language()
    core = _without_tail(known.forms["a reason behind"].sub("", text))
    head = ""
    for run in reversed(_runs(core)):
        before, behind = core[: run.start], core[run.end :].lstrip(_JOINS)
        if run.is_frame(before) and _says(behind) and not known.forms["asks already"].search(before.lower()):
            head, core = before, behind
            break
    else:
        match = known.forms["a reason ahead"].match(core)
        if match is not None:
            head, core = match[0], core[match.end() :]
    if core != text:
        core = known.forms["a clause of it"].sub("", known.forms["a name ahead"].sub(r"\g<ask> of \g<name>", core))
    core = known.forms["a purpose of it"].sub("", core).strip()
    if head and core.lower().startswith("that "):  # `could you confirm that sales rose?`
        core = f"whether {core[5:]}"
    if known.forms["of what ahead"].match(head) is not None:
        return f"{head.rstrip(_JOINS)}, {core}"
    return _with_time(head, core)


def _with_time(head: str, core: str) -> str:
    """A question with the one time that stands before its frame alone: `... fared in 2009 and I wish to know sales`."""
    told = [] if years_in(core.lower()) else [found[0] for found in language().forms["a time told"].finditer(head)]
    return f"{core.rstrip('?. ')} in {told[0]}" if len(told) == 1 else core


def _without_tail(text: str) -> str:
    """A text without the last words and sentences that are of its frame alone: `..., if you'd be so good. Thanks!`."""
    own, tokens = _words("persons", "asks", "beside", "end"), [*_WORD.finditer(text)]
    at = len(tokens)
    while at and (tokens[at - 1][0] in _MARKS or _bare(tokens[at - 1][0]) in own):
        at -= 1
    for number in range(max(at, 1), len(tokens)):  # from the first that begins a clause in which somebody is spoken to
        first = tokens[number][0].lower()
        begins = tokens[number - 1][0] in _MARKS or first in ("and", "if", "please", "thanks")
        said = {_bare(token[0]) for token in tokens[number:]}
        if begins and first.isalpha() and not said.isdisjoint(_words("end", "persons")):
            return text[: tokens[number].start()].rstrip(_MARKS)
    return text


def _runs(text: str) -> list[_Run]:
    own = _words("persons", "asks", "nouns", "beside")
    runs: list[list[re.Match[str]]] = [[]]
    made: list[_Run | None] = []
    for token in (*_WORD.finditer(text), None):
        if token is None or (token[0] != "," and _bare(token[0]) not in own):
            made.append(_run(runs[-1], "" if token is None else token[0].lower()))
            runs.append([])
        elif token[0] != "," or runs[-1]:
            runs[-1].append(token)
    return [run for run in made if run is not None]


def _run(tokens: list[re.Match[str]], behind: str) -> _Run | None:
    """A run as far as it is surely of a frame: to its last word that asks, and whom; to its end where what is `behind`
    it asks (`a clear word on how much`)."""
    words = [each[0].lower() for each in tokens]
    has = language().forms["asks to have"].search(" ".join(words)) is not None
    asks = [at for at, word in enumerate(words) if _bare(word) in _words("asks") or (has and word == "have")]
    asks += [at for at in range(1, len(words)) if words[at] in _words("nouns") and _bare(words[at - 1]) in _BEFORE_NOUN]
    if not asks:
        return None
    last = max(asks)
    whether = next((at for at in range(last + 1, len(words)) if words[at] == "whether"), None)
    if whether is not None or behind in ("what", "which", "how", "who", "when", "where"):
        last = len(tokens) - 1 if whether is None else whether - 1
    while last + 1 < len(tokens) and words[last + 1] in _words("whom"):
        last += 1
    return _Run(tokens[0].start(), tokens[last].end(), tuple(map(_bare, words[: last + 1])))


@cache
def _words(*kinds: str) -> frozenset[str]:
    """The words of frames of some kinds."""
    return frozenset().union(*(language().words[f"frame {kind}"] for kind in kinds))


def _bare(word: str) -> str:
    """A word in lower case without what is drawn to it: `i` of `I'd`."""
    return _SHORT.sub("", word.lower())


def _is_of_it(words: Collection[str]) -> bool:
    """Whether something is said of `it`: that it would help."""
    return "it" in words and not _words("it").isdisjoint(words)


def _speaks(text: str) -> bool:
    """Whether somebody speaks of himself, or to somebody."""
    found = {*map(_bare, _WORD.findall(text))}
    return not _words("persons").isdisjoint(found) or _is_of_it(found)


def _says(text: str) -> bool:
    """Whether there is anything in a text but the words of a frame."""
    own = _words("persons", "asks", "beside", "end")
    return any(token[0].isalnum() and _bare(token) not in own for token in _WORD.findall(text))
