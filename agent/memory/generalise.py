"""From a turn to a recipe by rule: the calls that led to its answer, with their specifics taken out into variables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from tieout.agent.analysis.workbench import Workbench
from tieout.agent.ledger.display import exact
from tieout.agent.ledger.ledger import Entry, Ledger, Words
from tieout.agent.log.events import Answered, ToolCalled
from tieout.agent.log.turn import Turn
from tieout.agent.memory.find import SPECIFIC
from tieout.agent.memory.follow import follow
from tieout.agent.memory.keep import KeepError
from tieout.agent.memory.recipes import Recipe, RecipeAnswer, RecipeStep, Variable, VariableKind
from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.values import Values
from tieout.data.arithmetic.units import rounded

DATE = r"(?:DATE\s+)?'(\d{4}-\d{2}-\d{2})'"
DATE_CALL = r"(?:datetime\.)?date\(\s*(\d{4})\s*,\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)"
WORD = r"(?<!\[)'([A-Za-z][^'\n]{0,60})'"
MOST_VARIABLES = 20


@dataclass(frozen=True)
class Draft:
    """A recipe that is not kept yet, and the answer that it has to give on the data of its session."""

    recipe: Recipe
    expected: bool | Decimal | Words


def draft(turn: Turn, earlier: Sequence[Turn], heading: str, description: str = "", applies: str = "") -> Draft:
    """A recipe of a turn. earlier: the turns before, for frames that it uses. Raises KeepError where the turn has no
    answer, or none that rests on data."""
    answered = next((event for event in turn.events if isinstance(event, Answered)), None)
    if answered is None or turn.answer is None:
        raise KeepError("the turn has no answer: there is nothing to remember")
    steps = steps_of([*earlier, turn], turn)
    if not steps:
        raise KeepError("the answer rests on no query or script: there are no steps to remember")
    names = _Variables(turn.question)
    general = tuple(names.step(step) for step in steps)
    value = _answer_of(turn) or answered.entry
    answer = RecipeAnswer(
        name="answer", value=value, question=names.question(), format=answered.format, expected=exact(turn.answer)
    )
    recipe = Recipe(
        heading=heading,
        description=description or f"Answers: {names.question()}",
        applies=applies,
        steps=general,
        variables=tuple(names.found),
        answers=(answer,),
    )
    return Draft(recipe, turn.answer.value)


def _answer_of(turn: Turn) -> str | None:
    """What `answer` was called with: a name, or a cell of a frame."""
    calls = [event for event in turn.events if isinstance(event, ToolCalled) and not event.error]
    given = next((event.input.get("value") for event in reversed(calls) if event.tool == "answer"), None)
    return given if isinstance(given, str) else None


def steps_of(turns: Sequence[Turn], last: Turn) -> list[RecipeStep]:
    """The calls of queries, scripts and calculations that the answer of the last turn needs, in order; of several
    under one name the latest."""
    made: dict[str, RecipeStep] = {}
    for turn in turns:
        for event in turn.events:
            if isinstance(event, ToolCalled) and not event.error and (step := _step(event)):
                made.pop(step.name, None)
                made[step.name] = step
    wanted = {_answer_of(last) or ""}
    needed: list[RecipeStep] = []
    for step in reversed(made.values()):
        if _is_used(step, wanted):
            needed.insert(0, step)
            wanted |= {*step.frames, *step.values, step.select}
    return needed


def _step(event: ToolCalled) -> RecipeStep | None:
    given = event.input
    match event.tool:
        case "query_sql":
            columns = tuple(given.get("columns", ()))
            return RecipeStep(tool="query_sql", name=given["name"], select=given["select"], columns=columns)
        case "run_script":
            frames = tuple(given.get("frames", ()))
            return RecipeStep(tool="run_script", name=given["name"], code=given["code"], frames=frames)
        case "calculate" if event.entries:
            values = tuple(map(str, given["values"]))
            operation = str(given["operation"])
            return RecipeStep(tool="calculate", name=event.entries[-1].name, operation=operation, values=values)
        case "run_recipe":
            settings = {name: str(value) for name, value in given.get("settings", {}).items()}
            return RecipeStep(tool="recipe", heading=given["heading"], settings=settings)
    return None


def _is_used(step: RecipeStep, wanted: set[str]) -> bool:
    if step.tool == "recipe":
        return True
    name = re.escape(step.name)
    return any(re.search(rf"(?<![A-Za-z0-9]){name}(?![A-Za-z0-9])", text) for text in wanted)


class _Variables:
    """Specifics that were taken out: dates, and numbers and names that the question states as well."""

    def __init__(self, question: str) -> None:
        self._question = question
        self.found: list[Variable] = []
        self._holes: dict[str, str] = {}

    def step(self, step: RecipeStep) -> RecipeStep:
        """The step with names of variables in place of specifics."""
        return step.model_copy(update={"select": self._general(step.select, "$"), "code": self._general(step.code, "")})

    def question(self) -> str:
        """The question with holes for the variables that stand in it."""
        text = self._question
        for written, name in sorted(self._holes.items(), key=lambda pair: -len(pair[0])):
            text = re.sub(rf"(?<!\w){re.escape(written)}(?!\w)", f"{{{name}}}", text, count=1)
        return text

    def _general(self, text: str, mark: str) -> str:
        def date_name(match: re.Match[str]) -> str:
            day = match[1] if len(match.groups()) == 1 else f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"
            return self._name("date", day, match[0], mark)

        text = re.sub(DATE if mark else DATE_CALL, date_name, text)
        text = re.sub(WORD, lambda match: self._word(match, mark), text)
        for written in dict.fromkeys(SPECIFIC.findall(self._question)):
            number = written.rstrip("% ").replace(",", "")
            pattern = rf"(?<![\w.'$]){re.escape(number)}(?![\w.'])"
            text = re.sub(pattern, lambda match: self._name("number", match[0], match[0], mark), text)
        return text

    def _word(self, match: re.Match[str], mark: str) -> str:
        is_asked = match[1].lower() in self._question.lower()
        return self._name("text", match[1], match[0], mark) if is_asked else match[0]

    def _name(self, kind: VariableKind, value: str, written: str, mark: str) -> str:
        known = next((each for each in self.found if (each.kind, each.value) == (kind, value)), None)
        if known is None:
            if len(self.found) == MOST_VARIABLES:
                return written
            number = sum(each.kind == kind for each in self.found) + 1
            stem = {"date": "day", "number": "number", "text": "series"}.get(kind, kind)
            known = Variable(name=f"{stem}_{number}", kind=kind, value=value)
            self.found.append(known)
            for said in (value, value[:4] if kind == "date" else value):
                if re.search(rf"(?<!\w){re.escape(said)}(?!\w)", self._question):
                    self._holes[said] = known.name
                    break
        return f"{mark}{known.name}"


def checked(made: Draft, desk: Workbench, folder: Path) -> None:
    """Runs a draft on the data of its session. Raises KeepError where it does not give the answer that it had."""
    values = Values(Ledger(), {}, ("",), frames=desk)
    try:
        with desk.aside():
            follow(made.recipe, desk, values, folder, {})
            entry = values.entry(made.recipe.answers[0].value)
    except (ToolError, KeepError) as error:
        raise KeepError(f"the general steps do not run: {error}") from error
    if not agrees(entry, made.expected):
        raise KeepError(f"the general steps give {exact(entry)}, not {made.expected}: the recipe is not kept")


def agrees(entry: Entry, expected: bool | Decimal | Words) -> bool:
    """Whether a value is the one expected: numbers to five decimals, all else as it is."""
    if isinstance(entry.value, Decimal) and isinstance(expected, Decimal):
        return rounded(entry.value) == rounded(expected)
    return entry.value == expected
