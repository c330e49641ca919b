"""Which proposals hold: those by which questions of other companies gain, and by which no question of any loses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tieout.data.files import write_whole
from tieout.eval.selfplay.asking import DOUBTED, OUTCOMES, RIGHT, Said
from tieout.eval.selfplay.conversations import SAYS_LITTLE, Conversation
from tieout.eval.selfplay.proposing import FIRST, OTHERS, Proposal, house_file, probes
from tieout.eval.selfplay.truth import Truth, plain

ROUNDS = 8  # times that what does not hold is taken out and the rest is tried again
Key = tuple[str, int]
Ask = Callable[[Sequence[Conversation], Path | None], Iterable[Said]]  # conversations, with a file of the house


@dataclass(frozen=True, slots=True)
class Verdict:
    """A proposal that was tried. own, others: the outcomes of its questions before and after, of the companies that it
    comes from and of others. lost: a question that became worse by it, "" for none."""

    proposal: Proposal
    own: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...]
    lost: str = ""

    @property
    def gains(self) -> bool:
        """Whether a question of another company is answered better, and rightly."""
        return any(is_better(after, before) and after in (RIGHT, DOUBTED) for before, after in self.others)

    @property
    def is_kept(self) -> bool:
        return self.gains and not self.lost


@dataclass(slots=True)
class Trial:
    """All proposals that were tried. changed: the turns of the conversations that came to another outcome with all in
    use that are kept, before and after."""

    verdicts: list[Verdict] = field(default_factory=list)
    changed: list[tuple[Said, Said]] = field(default_factory=list)

    @property
    def kept(self) -> list[Verdict]:
        return [each for each in self.verdicts if each.is_kept]


def is_better(one: str, other: str) -> bool:
    """Whether an outcome is better than another: OUTCOMES go from the best to the worst."""
    return OUTCOMES.index(one) < OUTCOMES.index(other)


def judge(
    proposals: Sequence[Proposal],
    own: Sequence[Truth],
    others: Sequence[Truth],
    conversations: Sequence[Conversation],
    said: Iterable[Said],
    ask: Ask,
    house: Path,
) -> Trial:
    """Tries proposals, all at once, until all that are left hold.

    own, others: the filings that they come from, and those that judge. said: what was said to the conversations before.
    house: the file that has those in use.
    """
    asked = {each.key: (list(probes(each, own, FIRST)), list(probes(each, others, OTHERS))) for each in proposals}
    before = {_key(each): each for each in said}
    before |= {
        _key(each): each for each in ask([one for sides in asked.values() for side in sides for one in side], None)
    }

    def is_wanted(proposal: Proposal) -> bool:
        return all(any(before[one.id, 0].outcome != RIGHT for one in side) for side in asked[proposal.key])

    printed = {truth.doc: {plain(row.label) for row in truth.rows} for truth in (*own, *others)}
    trial = Trial()
    tried = list(filter(is_wanted, proposals))
    for _ in range(ROUNDS):
        if not tried:
            break
        write_whole(house, house_file(tried))
        wanted = [*conversations, *(one for each in tried for side in asked[each.key] for one in side)]
        after = {_key(each): each for each in ask(wanted, house)}
        worse = [each for key, each in after.items() if is_better(before[key].outcome, each.outcome)]
        lost = {one.key: each.asked.text for each in worse for one in culprits(each, tried, printed[each.asked.doc])}
        verdicts = [_verdict(each, asked[each.key], before, after, lost.get(each.key, "")) for each in tried]
        trial.changed = [
            (before[one.id, turn], after[one.id, turn])
            for one in conversations
            for turn in range(len(one.turns))
            if before[one.id, turn].outcome != after[one.id, turn].outcome
        ]
        fallen = [each for each in verdicts if not each.is_kept]
        trial.verdicts += fallen or verdicts
        tried = [each.proposal for each in verdicts if each.is_kept] if fallen else []
    return trial


def _key(said: Said) -> Key:
    return said.conversation, said.turn


def _verdict(
    proposal: Proposal,
    asked: Sequence[Sequence[Conversation]],
    before: Mapping[Key, Said],
    after: Mapping[Key, Said],
    lost: str,
) -> Verdict:
    own, others = (tuple((before[one.id, 0].outcome, after[one.id, 0].outcome) for one in side) for side in asked)
    return Verdict(proposal, own, others, lost)


def culprits(said: Said, tried: Sequence[Proposal], printed: Collection[str]) -> list[Proposal]:
    """The proposals by which a question may have become worse: those whose words stand in it; else those about its
    measure, or whose words stand in the lines of its answer; else those that share most words with it; else those that
    its filing prints. printed: the labels of the filing, as compared."""
    told = [plain(text) for text in (said.asked.text, *(label for label, _ in said.used))]
    words = {word for text in told for word in text.split()} - SAYS_LITTLE
    labels = {each.key: {*map(plain, each.labels)} for each in tried}

    def is_about(each: Proposal) -> bool:
        named = any(label in text for label in labels[each.key] for text in told)
        return named or said.asked.measure in (each.name, each.concept)

    return (
        [each for each in tried if any(label in told[0] for label in labels[each.key])]
        or list(filter(is_about, tried))
        or _nearest(words, labels, tried)
        or [each for each in tried if not labels[each.key].isdisjoint(printed)]
    )


def _nearest(
    words: Collection[str], labels: Mapping[str, Collection[str]], tried: Sequence[Proposal]
) -> list[Proposal]:
    """The proposals whose labels, by their keys, share most of some words; none where no label has one of them."""
    shared = {each.key: max(len({*label.split()} & {*words}) for label in labels[each.key]) for each in tried}
    most = max(shared.values(), default=0)
    return [each for each in tried if most and shared[each.key] == most]
