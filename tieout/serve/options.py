"""What a page offers to choose from: options that differ in more than the name of a figure, which no page shows, and
reports that a question may be for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tieout.agent.log.turn import Turn
from tieout.data.printed.pattern import later
from tieout.kg.drafts.outline import JOIN
from tieout.serve.conversations import Talk
from tieout.serve.library import Held

NAMED = later(r"([^\[\]]*?)(\s*\[((?:[a-z0-9]+:)?(?:t\d+r\d+c\d+|s\d+a\d+)[a-z]*)\])")

MOST_ELSEWHERE = 4  # reports that are offered


def elsewhere(turn: Turn, talk: Talk) -> list[str]:
    """The keys of open reports that a question may be for and its conversation does not ask, those of a year that it
    names first: of companies that it names and none of whose reports are asked; where nothing was answered, also
    further reports of the companies that it is about."""
    library, asked = talk.library.companies(), dict.fromkeys(each.id for each in talk.members if each.asked)
    about = dict.fromkeys(company for company, _ in library.companies_in(turn.question))
    if turn.text is not None:
        about = {each: None for each in about if not any(filing.report in asked for filing in each.filings)}
    elif not about:
        about = dict.fromkeys(filter(None, map(library.company_of, asked)))
    further = [filing for company in about for filing in company.filings if filing.report not in asked]
    further.sort(key=lambda each: str(each.fiscal_year) not in turn.question)
    keys = talk.library.keys() if asked and further else {}
    return [keys[filing.report] for filing in further if filing.report in keys][:MOST_ELSEWHERE]


def told_apart(options: Sequence[str], here: Mapping[str, Held]) -> list[str]:
    """The options. Where figures of several names have the same words, each has behind them what tells it from the
    others: `Net sales (2024), Segments [t3r1c1]`. here: the report behind each alias of a name."""
    names: dict[str, dict[str, None]] = {}
    for option in options:
        for words, _, name in NAMED.findall(option):
            names.setdefault(words, {})[name] = None
    said = dict(each for alike in names.values() if len(alike) > 1 for each in _differing(list(alike), here))
    return [NAMED.sub(lambda each: f"{each[1]}{said.get(each[3], '')}{each[2]}", option) for option in options]


def _differing(names: Sequence[str], here: Mapping[str, Held]) -> Iterator[tuple[str, str]]:
    """The first thing in which all these figures differ; nothing where a report is not open."""
    ways = [tuple(_ways(here, *name.rpartition(":")[::2])) for name in names]
    for way in zip(*ways, strict=False):
        if len(set(way)) == len(names):
            yield from ((name, f", {told}") for name, told in zip(names, way, strict=True) if told)
            return


def _ways(here: Mapping[str, Held], alias: str, name: str) -> Iterator[str]:
    """What a figure may differ in from others, what says most first."""
    held = here.get(alias)
    fact = held.fact(name) if held else None
    if held and fact:
        yield held.source.company or held.id
        yield fact.heading.rpartition(JOIN)[2]
        yield from (fact.section, fact.header, fact.place)
        yield f"table {fact.table}, row {fact.row}, column {fact.column}" if fact.table else f"sentence {fact.sentence}"
