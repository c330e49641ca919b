"""Which conversations are run: all, the first ones, named ones, or a stratified sample that a seed repeats."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tieout.data.document import Conversation
from tieout.data.files import unreadable
from tieout.eval.gold.executed import ProgramError
from tieout.eval.gold.program import parse
from tieout.eval.gold.slices import evidence, printed_amounts
from tieout.eval.run.manifest import RunError

PHASES = {"smoke": 5, "select": 12, "full": None}  # how many conversations: does it work, which is better, the figure


@dataclass(frozen=True, slots=True)
class Selection:
    """limit: the first so many. size: a stratified sample of so many, by seed. ids: only these. None for no bound."""

    limit: int | None = None
    size: int | None = None
    seed: int = 0
    ids: frozenset[str] | None = None

    def choose(self, conversations: Iterable[Conversation]) -> dict[str, int]:
        """The chosen ids, in the order of the files, each with its number of questions. Raises RunError."""
        sizes: dict[str, int] = {}
        strata: dict[str, str] = {}
        unknown = set(self.ids or ())
        for conversation in conversations:
            full = self.limit is not None and len(sizes) == self.limit
            if full and not unknown:
                break
            if not conversation.questions or (self.ids is not None and conversation.id not in self.ids):
                continue
            unknown.discard(conversation.id)  # also behind the limit: only what is nowhere is a mistake
            if full:
                continue
            sizes[conversation.id] = len(conversation.questions)
            if self.size is not None:
                strata[conversation.id] = stratum(conversation)
        if unknown:
            raise RunError(f"no conversation {min(unknown)!r} in the files; {len(unknown)} of the ids are not there")
        if not sizes:
            raise RunError("there is no conversation with a question to run")
        chosen = set(stratified(strata, self.size, self.seed)) if self.size is not None else set(sizes)
        return {name: turns for name, turns in sizes.items() if name in chosen}


def read_ids(path: Path) -> frozenset[str]:
    """Ids of conversations, one a line; empty lines and lines from `#` are left out. Raises RunError.

    A byte order mark, which some editors put in front, is no part of the first id.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise RunError(unreadable(path, error)) from error
    except UnicodeDecodeError as error:
        raise RunError(f"{path}: not UTF-8 text ({error.reason})") from error
    ids = frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    if not ids:
        raise RunError(f"{path}: holds no id")
    return ids


def stratum(conversation: Conversation) -> str:
    """Difficulty and evidence: the most steps of any gold program, and where the operands of all are printed.

    The number of questions where nothing is labelled.
    """
    if not conversation.gold:
        return f"{len(conversation.questions)} questions"
    programs = []
    for gold in conversation.gold:
        try:
            programs.append(parse(gold.program))
        except ProgramError:
            return "no program"
    amounts = printed_amounts(conversation.document)
    places = {evidence(program, *amounts) for program in programs}
    steps = min(max(len(program.steps) for program in programs), 3)
    return f"{steps} steps, {' and '.join(sorted(places))}"


def stratified(strata: dict[str, str], size: int, seed: int) -> Sequence[str]:
    """`size` of the keys of strata, from each stratum its share (largest remainders first), drawn with the seed."""
    groups: dict[str, list[str]] = {}
    for name, where in strata.items():
        groups.setdefault(where, []).append(name)
    size = min(size, len(strata))
    exact = {where: size * len(names) / len(strata) for where, names in sorted(groups.items())}
    share = {where: int(part) for where, part in exact.items()}
    for where in sorted(exact, key=lambda each: (share[each] - exact[each], each))[: size - sum(share.values())]:
        share[where] += 1
    draw = random.Random(seed)
    return [name for where in exact for name in draw.sample(sorted(groups[where]), share[where])]
