"""A whole run of self-play: filings are read, asked and judged, in a folder that keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tieout.data.files import write_whole
from tieout.data.readers.read import DataError
from tieout.data.system.engine import Lost, run_tasks
from tieout.eval.analyst import checksum
from tieout.eval.reading import untagged
from tieout.eval.selfplay.asking import Said, Task, ask
from tieout.eval.selfplay.blame import Cluster, clusters
from tieout.eval.selfplay.conversations import Conversation, Wording, make_conversations
from tieout.eval.selfplay.judging import Trial, judge
from tieout.eval.selfplay.proposing import propose
from tieout.eval.selfplay.truth import Truth, read_truth

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Setup:
    """How self-play is run. work: the folder where pages and what was read of them are kept; with_tags: the filings are
    asked with their tags; most: proposals that are tried; jobs, engine: as `run_tasks` has them."""

    work: Path
    with_tags: bool = False
    most: int = 60
    jobs: int = 1
    engine: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a run. own, others: the filings that proposals come from, and those that judge them; left: why files
    were left out; kept: the file of the house with what holds."""

    own: tuple[Truth, ...]
    others: tuple[Truth, ...]
    left: tuple[str, ...]
    said: tuple[Said, ...]
    clusters: tuple[Cluster, ...]
    trial: Trial


def play(paths: Sequence[Path], setup: Setup, tell: Tell = lambda _: None) -> Played:
    """Asks filings and tries what might mend what is misread. tell: told what is done. Raises DataError where no file
    can be asked, and what `run_tasks` and readers raise."""
    truths, left = read_truths(paths, tell)
    if not truths:
        raise DataError("; ".join(left) or "no file is given")
    own, others = split(truths)
    conversations = list(make_conversations(truths, Wording.of(truths)))
    asking = partial(asked, setup=setup, truths=truths)
    tell(f"asking {sum(len(each.turns) for each in conversations)} turns")
    said = list(asking(conversations, None))
    found = clusters(said, {each.doc: each for each in truths}, conversations)
    proposals = propose(own, Wording.of(own), setup.most)
    tell(f"trying {len(proposals)} proposals")
    trial = judge(proposals, own, others, conversations, said, asking, setup.work / "tried.toml")
    return Played(tuple(own), tuple(others), tuple(left), tuple(said), tuple(found), trial)


def read_truths(paths: Sequence[Path], tell: Tell) -> tuple[list[Truth], list[str]]:
    """The filings by their tags, and why files are left out."""
    truths, left = [], []
    for path in paths:
        tell(f"reading the tags of {path.name}")
        try:
            truths.append(read_truth(path))
        except DataError as error:
            left.append(str(error))
    return truths, left


def split(truths: Sequence[Truth]) -> tuple[list[Truth], list[Truth]]:
    """Two parts with half of the companies each, told apart by a checksum of their names."""
    names = sorted({each.company for each in truths}, key=lambda name: checksum(name, "part"))
    first = {*names[: (len(names) + 1) // 2]}
    return [each for each in truths if each.company in first], [each for each in truths if each.company not in first]


def asked(
    conversations: Iterable[Conversation], house: Path | None, *, setup: Setup, truths: Sequence[Truth]
) -> Iterator[Said]:
    """What is said to conversations, in their order. house: a file of measures that are added."""
    paths = {each.doc: page_of(each.path, setup) for each in truths}
    by_docs: dict[tuple[str, ...], list[Conversation]] = {}
    order: dict[str, int] = {}
    for conversation in conversations:
        by_docs.setdefault(conversation.docs, []).append(conversation)
        order[conversation.id] = len(order)
    store = setup.work / ("tried" if house else "store")
    tasks = [
        Task(tuple(paths[doc] for doc in docs), tuple(asked), store, str(house or ""))
        for docs, asked in by_docs.items()
    ]
    found: list[Said] = []
    for task, made in run_tasks(ask, tasks, setup.jobs, setup.engine):
        if isinstance(made, Lost):
            raise DataError(f"{', '.join(map(str, task.pages))}: {made}")
        found += made
    yield from sorted(found, key=lambda each: (order[each.conversation], each.turn))


def page_of(path: Path, setup: Setup) -> Path:
    """The file that is asked: without its tags, in the folder of the run."""
    if setup.with_tags:
        return path.absolute()
    page = setup.work.absolute() / "pages" / path.name
    content = untagged(path.read_bytes())
    if not page.exists() or page.read_bytes() != content:
        page.parent.mkdir(parents=True, exist_ok=True)
        write_whole(page, content)
    return page
