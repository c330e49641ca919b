"""Running a recipe: its steps in order over the data at hand, with values for its variables. No model is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tieout.agent.analysis.workbench import Workbench
from tieout.agent.ledger.calculation import calculate
from tieout.agent.ledger.ledger import Entry
from tieout.agent.memory.keep import KeepError
from tieout.agent.memory.recipes import Recipe, RecipeStep, find_recipe
from tieout.agent.protocol.tool import ToolError, as_tool_errors
from tieout.agent.tools.values import Values
from tieout.data.arithmetic.operation import OperationError
from tieout.data.arithmetic.operations import find as find_operation
from tieout.data.datasets.engine import Variables

DEEPEST = 5  # recipes in recipes
NAMED = re.compile(r"\{([A-Za-z]\w*)\}")


def follow(
    recipe: Recipe, desk: Workbench, values: Values, folder: Path, given: Mapping[str, str], depth: int = 0
) -> None:
    """Runs the steps of a recipe. Frames and values are there under the names of its steps afterwards.

    folder: of the memory, for recipes within. given: values of variables, as text. Raises KeepError for these;
    ToolError, with the number of the step, where one cannot be run on this data.
    """
    if depth > DEEPEST:
        raise KeepError(f"recipe {recipe.heading!r} is within itself, or {DEEPEST} deep")
    settings = recipe.settings(given)
    names = {variable.name: str(settings[variable.name]) for variable in recipe.variables if variable.kind == "name"}
    bound = {name: value for name, value in settings.items() if name not in names}
    before = desk.recipe, desk.variables
    try:
        for number, step in enumerate(recipe.steps, 1):
            desk.under(recipe.heading, bound)
            try:
                _step(step, desk, values, folder, names, bound, depth)
            except ToolError as error:
                raise ToolError(f"recipe {recipe.heading!r}, step {number} ({step.tool}): {error}") from error
    finally:
        desk.recipe, desk.variables = before


def _step(
    step: RecipeStep,
    desk: Workbench,
    values: Values,
    folder: Path,
    names: Mapping[str, str],
    bound: Variables,
    depth: int,
) -> None:
    match step.tool:
        case "query_sql":
            desk.query(with_names(step.select, names), step.columns, step.name)
        case "run_script":
            desk.script(step.code, step.frames, step.name, values.ledger)
        case "calculate":
            operands = [values.entry(value) for value in step.values]
            with as_tool_errors(OperationError):
                operation = find_operation(step.operation)
            made = calculate(values.ledger, operation, operands, step.name or None)
            desk.values[made.name] = made
        case _:
            inner = find_recipe(folder, step.heading)
            own = {f"${name}": value for name, value in {**bound, **names}.items()}  # a variable of this one
            given = {name: str(own.get(text, text)) for name, text in step.settings.items()}
            follow(inner, desk, values, folder, given, depth + 1)


def with_names(select: str, names: Mapping[str, str]) -> str:
    """A query with {names} of columns and tables put in, in quotes of SQL."""

    def name(match: re.Match[str]) -> str:
        given = names.get(match[1])
        return match[0] if given is None else '"' + given.replace('"', '""') + '"'

    return NAMED.sub(name, select)


def told(recipe: Recipe, values: Values) -> dict[str, Entry | None]:
    """The answers of a recipe that was run, by name; None for one that has no value on this data."""
    found: dict[str, Entry | None] = {}
    for answer in recipe.answers:
        try:
            found[answer.name] = values.entry(answer.value)
        except ToolError:
            found[answer.name] = None
    return found
