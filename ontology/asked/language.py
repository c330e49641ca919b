"""The words of a language, read from its file: which only ask, what stands for what, and what patterns are signs of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tieout.data.printed.pattern import Sieve, later
from tieout.data.system.compile_cache import read_toml

OPENINGS = ("yes or no", "asks on")  # forms that are told by the first words
FILES = Path(__file__).parent
MOST_TEXTS = 4096  # that stay read
_CLASS = later(r"\{([a-z ]+)\}")
_FROM = r"(?:\b|(?<!\w)(?=[$€£%(]))"  # where what is written short begins: `$ change` is a word too
CHANCE = 0.9  # that what is printed in one of the forms of what is asked for is that


@dataclass(frozen=True, slots=True)
class Told:
    """What reports tell in words. asked: whether a question, in lower case, is for it; near: of which what tells it has
    one, letter by letter; said: how it is printed, the best first, as patterns with groups for what is quoted, which
    are compiled when it is asked for; under: headings that it stands under, None for any; is_all: it is told by all
    that is printed so, and not by the first; chance: that what is printed so is what is asked for; is_count: a figure
    that is surely it comes before; is_latest: it is told by what names the latest year; is_besides: it has the figures
    that are asked for with it, in another question too; otherwise: what is told in its place, of more than is asked;
    what: of which a question asks for it, as `told_of` finds it."""

    asked: re.Pattern[str]
    near: tuple[str, ...]
    said: tuple[str, ...]
    under: re.Pattern[str] | None
    is_all: bool
    chance: float
    is_count: bool
    is_latest: bool
    is_besides: bool
    otherwise: str
    what: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a sentence answers in words. asked: whether a question, in lower case, is for it, with groups `of`, what it
    is about, and `verb`, what it says of that; said: how a sentence says it, the best first, with a group `what`, which
    is the answer, and `at`, where it begins that is said; <verbs> stands for that of the question, or one of `alike`
    that means the same; is_around: what it is about may stand behind the answer; chance: that what is said so
    answers."""

    asked: tuple[re.Pattern[str], ...]
    said: tuple[str, ...]
    alike: tuple[str, ...]
    is_around: bool
    chance: float


@dataclass(frozen=True, slots=True)
class ClaimForm:
    """How a question for yes or no is asked. asked: its pattern; sides: the questions for the figures that it claims
    something of; than: the number that one of them is held against, "" for the one that the question names; of: what
    number the question names, "" for none."""

    asked: re.Pattern[str]
    sides: tuple[str, ...]
    than: str
    of: str


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """One language. Each field is a section of its file, which says what it is for.

    against: what is made of two amounts, each with a pattern of how that is asked for. claims: what a question for yes
    or no is about.
    cues: the patterns by the name of what they are signs of, each cue one pattern. sides: the patterns of shares,
    ratios and other pairs, in the order in which they are tried; unsure: those of `share` that may mean an amount.
    of_written, of_cues: which of their patterns may be in a text.
    """

    words: Mapping[str, frozenset[str]]
    judged: tuple[tuple[re.Pattern[str], str], ...]
    same: Mapping[str, str]
    short: Mapping[str, str]
    cut: Mapping[str, str]
    lay: Mapping[str, Sequence[str]]
    written: tuple[tuple[re.Pattern[str], str], ...]
    of_written: Sieve
    numbers: Mapping[str, int]
    multiples: Mapping[str, float]
    scales: Mapping[str, int]
    cues: Mapping[str, re.Pattern[str]]
    of_cues: Sieve
    forms: Mapping[str, re.Pattern[str]]
    sorts: Mapping[str, re.Pattern[str]]
    tells: Mapping[str, re.Pattern[str]]
    called: Mapping[str, re.Pattern[str]]
    joined: Mapping[str, re.Pattern[str]]
    halves: Mapping[str, tuple[str, str]]
    against: tuple[tuple[str, re.Pattern[str]], ...]
    claims: tuple[ClaimForm, ...]
    in_full: Mapping[str, str]
    turns: tuple[tuple[re.Pattern[str], str], ...]
    doing: tuple[tuple[frozenset[str], frozenset[str]], ...]
    shares: tuple[re.Pattern[str], ...]
    ratios: tuple[re.Pattern[str], ...]
    splits: tuple[re.Pattern[str], ...]
    between: re.Pattern[str]
    tail: re.Pattern[str]
    unsure: int
    told: Mapping[str, Told]
    answered: tuple[Answered, ...]
    overview: tuple[re.Pattern[str], ...]
    main_figures: str

    @lru_cache(maxsize=MOST_TEXTS)  # noqa: B019 - of the few languages that there are
    def written_out(self, text: str) -> str:
        """A text with what people write short written out."""
        left = self.of_written.left_of(text)
        while left:
            ways, full = self.written[number := left.pop(0)]
            if (out := ways.sub(full, text).lstrip()) != text:
                text, left = out, [each for each in self.of_written.left_of(out) if each > number]
        return " ".join(text.split())

    @lru_cache(maxsize=MOST_TEXTS)  # noqa: B019
    def cues_of(self, lower: str) -> frozenset[str]:
        """The names of the cues that a text in lower case has."""
        cues = [*self.cues.items()]
        found = [name for name, cue in map(cues.__getitem__, self.of_cues.left_of(lower)) if cue.search(lower)]
        return frozenset((*found, *(form for form in OPENINGS if self.forms[form].match(lower))))


@lru_cache(maxsize=8)
def language(name: str = "en") -> Language:
    """The language of this name. Raises FileNotFoundError for one that has no file."""
    read = read_toml(FILES / f"{name}.toml")
    classes = _classes(read["classes"])

    def whole(pattern: str) -> re.Pattern[str]:
        return later(_written(pattern, classes))

    sides, cues = read["sides"], {cue: _any(patterns, classes) for cue, patterns in read["cues"].items()}
    written = {rf"{_FROM}(?:{_written(ways, classes)})(?!\w)": full for ways, full in read["written"].items()}
    return Language(
        words={kind: frozenset(text.split()) for kind, text in read["words"].items()},
        judged=tuple((later(rf"\b(?:{ways})\b", re.I), plain) for ways, plain in read["judged"].items()),
        same=read["same"],
        short=read["short"],
        cut=read["cut"],
        lay=read["lay"],
        written=tuple((later(ways, re.I), full) for ways, full in written.items()),
        of_written=Sieve([*written]),
        numbers=read["numbers"],
        multiples=read["multiples"],
        scales=read["scales"],
        cues={cue: later(each) for cue, each in cues.items()},
        of_cues=Sieve([*cues.values()]),
        forms={form: whole(pattern) for form, pattern in read["forms"].items()},
        sorts={sort: whole(pattern) for sort, pattern in read["sorts"].items()},
        tells={sort: later(pattern) for sort, pattern in read["tells"].items()},
        called={operation: later(_any([names], classes)) for operation, names in read["called"].items()},
        joined={operation: whole(ways) for operation, ways in read["joined"].items()},
        halves={form: (first, then) for form, (first, then) in read["halves"].items()},
        against=tuple(
            (operation, whole(f"(?i){each}")) for operation, ways in read["against"].items() for each in ways
        ),
        claims=tuple(
            ClaimForm(whole(f"(?i){each['asked']}"), tuple(each["sides"]), each.get("than", ""), each.get("of", ""))
            for each in read["claims"]
        ),
        in_full=read["in_full"],
        turns=tuple((later(rf"(?:{_written(ways, classes)})\W*"), full) for ways, full in read["turns"].items()),
        doing=tuple((frozenset(asked), frozenset((*asked, *alike))) for asked, alike in read["doing"].values()),
        shares=tuple(whole(each) for each in sides["share"]),
        ratios=tuple(whole(each) for each in sides["ratio"]),
        splits=tuple(later(_any([each], classes)) for each in sides["split"]),
        between=whole(sides["between"]),
        tail=whole(sides["tail"]),
        unsure=sides["unsure"],
        told=_told(read["told"]),
        answered=_answered(read["answered"]),
        overview=tuple(later(_written(each, classes), re.I) for each in read["overview"]["ways"]),
        main_figures=read["overview"]["figures"],
    )


def cues_of_names(asking: str) -> frozenset[str]:
    """The cues of which every word stands in a name, written with a capital behind the head of a question: of a company
    that calls itself the best nothing is asked about the highest."""
    head, _, rest = asking.partition(" ")
    if not any(map(str.islower, rest)):
        return frozenset()  # all in capitals
    patterns = ((name, language().cues[name]) for name in ("highest", "lowest"))
    said = {name: [match.span() for match in pattern.finditer(asking.lower())] for name, pattern in patterns}
    return frozenset(
        name
        for name, spans in said.items()
        if spans and all(at > len(head) and asking[at].isupper() for at, _ in spans)
    )


def _classes(patterns: Mapping[str, str]) -> dict[str, str]:
    """Classes of words by name, those in the pattern of another written out there."""
    classes: dict[str, str] = {}
    for name, pattern in patterns.items():
        classes[name] = _written(pattern, classes)
    return classes


def _written(pattern: str, classes: Mapping[str, str]) -> str:
    return _CLASS.sub(lambda match: classes[match[1]], pattern)


def _told(read: dict[str, Any]) -> dict[str, Told]:
    """What is told in words, by its name, with the classes of its patterns written out."""
    classes, officers = _classes(read.pop("classes")), read.pop("officers")["said"]
    told = {}
    for name, each in read.items():
        said = each["said"] if "said" in each else [one.replace("{office}", each["office"]) for one in officers]
        told[name] = Told(
            later("|".join(_written(one, classes) for one in each["asked"])),
            tuple(each.get("near") or read[each["otherwise"]]["near"]),
            tuple(_written(one, classes) for one in said),
            each.get("under") and later(each["under"]),
            bool(each.get("all")),
            each.get("chance", CHANCE),
            bool(each.get("count")),
            bool(each.get("latest")),
            bool(each.get("besides")),
            each.get("otherwise", ""),
        )
    return told


def _answered(read: dict[str, Any]) -> tuple[Answered, ...]:
    """What is answered in words, with the classes of its patterns written out."""
    classes = _classes(read.pop("classes"))
    return tuple(
        Answered(
            tuple(later(rf"(?:{_written(one, classes)})\W*") for one in each["asked"]),
            tuple(_written(one, classes) for one in each["said"]),
            tuple(each.get("alike", ())),
            bool(each.get("around")),
            each["chance"],
        )
        for each in read.values()
    )


def _any(patterns: Iterable[str], classes: Mapping[str, str]) -> str:
    """Any of the patterns, each between ends of words; what begins or ends in no letter, as `%`, has no end there."""
    written = (_CLASS.sub(lambda match: f"(?:{classes[match[1]]})", each) for each in patterns)
    return rf"(?<!\w)(?:{'|'.join(f'(?:{each})' for each in written)})(?!\w)"
