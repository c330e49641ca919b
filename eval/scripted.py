"""A model that is right by script: `python -m tieout.eval.scripted QUESTIONS --reports FOLDER --needs FILE`.

What it chooses is written down beside the questions (`eval/needs/`): the figures that an answer needs, by label, and
what is calculated from them. It sees what any backend sees: it takes each figure by its name from the view, or looks
for its label with `search`, and answers through the tools. That it gets the gold answers shows that view, tools and
ledger are enough for a model that chooses right; it says nothing of any model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from tieout.agent.log.turn import Turn
from tieout.agent.opening import open_files
from tieout.agent.protocol.message import Reply, Request, ToolCall
from tieout.agent.session import Session
from tieout.agent.tools.prose import HOLE
from tieout.agent.view.reports import BUDGET, Reports
from tieout.data.console import one_line
from tieout.data.readers.read import DataError
from tieout.eval.gold.report_questions import Need, QuestionsError, ReportQuestion, find_report, gold_of, read_questions
from tieout.eval.score.score import Rule
from tieout.eval.score.sets.report_answer import scores_of_report
from tieout.eval.score.view_recall import showing
from tieout.kg.fact import Fact
from tieout.kg.index.words import WordIndexError
from tieout.kg.options import store_option
from tieout.kg.store.graph import Graph
from tieout.kg.store.reading import Reader
from tieout.kg.store.store import StoreError
from tieout.ontology.model import OntologyError, default_ontology

Opener = Callable[[Sequence[str]], AbstractContextManager[Graph | Reports]]
RESULT = "r"  # the name of what is answered, of a figure or of a step


@dataclass(frozen=True, slots=True)
class Choice:
    """What is chosen for one question. needs: the figures, by names of their own; steps: arguments of `calculate`.

    answer: the arguments of `answer`, in which figures, results and sentences stand by these names; None for the result
    `r` alone. sentences: words that each sentence has. open: the heading that is opened where a figure is not in the
    view; "" to search for the labels.
    """

    needs: Mapping[str, Need]
    steps: Sequence[Mapping[str, Any]]
    form: str | None
    answer: Mapping[str, Any] | None = None
    sentences: Mapping[str, str] = field(default_factory=dict)
    open: str = ""


def read_choices(path: Path) -> dict[str, Choice]:
    """The choices of a file, by the id of the question. Raises QuestionsError for one that is none, OSError."""
    choices: dict[str, Choice] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            told = json.loads(line, parse_float=Decimal)
            needs = {each["name"]: Need(Decimal(each["figure"]), each["label"]) for each in told["needs"]}
            steps, sentences = told.get("steps", ()), told.get("sentences", {})
            choices[told["id"]] = Choice(
                needs, steps, told.get("format"), told.get("answer"), sentences, told.get("open", "")
            )
        except (ValueError, KeyError, TypeError) as error:
            raise QuestionsError(f"{str(path)!r}, line {number}: {error!r}") from error
    return choices


class ScriptedModel:
    """Answers one question as a choice says: what the view lacks is searched for first. searched: what that was."""

    name = "scripted"

    def __init__(self, choice: Choice, source: Graph | Reports) -> None:
        self._choice = choice
        self._reader = source if isinstance(source, Reports) else Reader(source)
        self.searched: list[str] = []

    def reply(self, request: Request) -> Reply:
        """A search for what is not shown, else all the calls of the answer."""
        seen = request.shown.facts
        if request.exchanges and isinstance(self._reader, Reports):
            seen = tuple(self._reader.facts.values())
        found = {name: _chosen(seen, need) for name, need in self._choice.needs.items()}
        missing = [name for name, fact in found.items() if fact is None]
        if missing and not request.exchanges:
            self.searched = [self._choice.needs[name].label for name in missing]
            if self._choice.open:
                return _reply([("open", {"name": self._choice.open})])
            return _reply(("search", {"words": label.split()}) for label in dict.fromkeys(self.searched))
        if missing:
            asked = ", ".join(self._choice.needs[name].label for name in missing)
            return _reply([("clarify", {"question": f"Nothing shows {asked}."})])
        return _reply(self._calls({name: fact for name, fact in found.items() if fact is not None}))

    def _calls(self, facts: Mapping[str, Fact]) -> Iterator[tuple[str, dict[str, Any]]]:
        names = {name: fact.name for name, fact in facts.items()}
        described = {"description": "As written down.", "requires_calculation": bool(self._choice.steps)}
        yield "understand", described
        for name in names.values():
            yield "query_kg", {"fact": name}
        for step in self._choice.steps:
            values = [names.get(value, value) for value in step["values"]]
            yield "calculate", {"operation": step["operation"], "values": values, "name": step["name"]}
        if self._choice.answer is not None:
            yield "answer", {key: self._named(value, names) for key, value in self._choice.answer.items()}
            return
        answer = {"value": names.get(RESULT, RESULT)}
        yield "answer", answer | ({"format": self._choice.form} if self._choice.form else {})

    def _named(self, said: Any, names: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
        """Arguments of `answer` with the names of figures and sentences as the report has them."""
        if isinstance(said, list):
            return [self._named(each, names) for each in said]
        told = names.get(said, said)
        told = HOLE.sub(lambda hole: f"{{{names.get(hole[1], hole[1])}{f'|{hole[2]}' if hole[2] else ''}}}", told)
        for name, words in self._choice.sentences.items():
            told = told.replace(f"[{name}]", f"[{self._reader.sentence_with(words)}]")
        return told


def _chosen(seen: Iterable[Fact], need: Need) -> Fact | None:
    """The figure that is needed, one of its sign first: a table prints `(3)` of what a sentence says fell by 3."""
    facts = sorted(showing(seen, need), key=lambda fact: fact.value.is_signed() != need.figure.is_signed())
    return facts[0] if facts else None


def _reply(calls: Iterable[tuple[str, dict[str, Any]]]) -> Reply:
    made = (ToolCall(id=f"call{at}", tool=tool, arguments=told) for at, (tool, told) in enumerate(calls, 1))
    return Reply(calls=tuple(made), model="scripted")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a question. right: whether the number is the gold one; of an answer in words, which is to be read,
    whether there is one. searched: what was not in the view."""

    question: ReportQuestion
    turn: Turn
    right: bool
    searched: tuple[str, ...]


def answer(question: ReportQuestion, choice: Choice, source: Graph | Reports) -> Outcome:
    """Asks a question of open reports, or of a page, in a conversation of its own."""
    model = ScriptedModel(choice, source)
    turn = Session(source, model).ask(question.question)
    right = scores_of_report(turn, gold_of(question))[Rule.MAIN] if question.numbers else turn.text is not None
    return Outcome(question, turn, right, tuple(model.searched))


def answers(questions: Iterable[ReportQuestion], choices: Mapping[str, Choice], open_: Opener) -> Iterator[Outcome]:
    """All questions that have a choice. open_: the reports of these names, ready to be asked."""
    for question in questions:
        if question.id in choices:
            with open_(question.docs) as source:
                yield answer(question, choices[question.id], source)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--reports", required=True, type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder.")
@click.option("--needs", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Choices.")
@click.option(
    "--budget", type=click.IntRange(500, 200_000), default=BUDGET, show_default=True, help="Tokens of a view."
)
@store_option
def main(file: Path, reports: Path, needs: Path, budget: int, store: Path) -> None:
    """Answer the questions of FILE by the choices that are written down for them."""
    tbox, _ = default_ontology(None)

    @contextmanager
    def open_(docs: Sequence[str]) -> Iterator[Graph | Reports]:
        with open_files([find_report(reports, doc) for doc in docs], tbox, store=store, budget=budget) as opened:
            yield opened.source

    with one_line(QuestionsError, DataError, OntologyError, StoreError, WordIndexError, OSError):
        outcomes = list(answers(read_questions(file), read_choices(needs), open_))
    for each in outcomes:
        searched = f"; searched for {', '.join(each.searched)}" if each.searched else ""
        said = each.turn.text or f"{each.turn.outcome}: {each.turn.message}"
        verdict = "WRONG" if not each.right else "right" if each.question.numbers else "to be read"
        click.echo(f"{verdict}  {each.question.id}: {said}, gold {' '.join(each.question.gold.split())}{searched}")
    scored = [each for each in outcomes if each.question.numbers]
    if scored:
        click.echo(f"{sum(each.right for each in scored)} of {len(scored)} right")
    if worded := len(outcomes) - len(scored):
        click.echo(f"{worded} in words, to be read")


if __name__ == "__main__":
    main()
