"""The tools of the memory, offered beside those over data: run_recipe, remember."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tieout.agent.analysis.tools import bench
from tieout.agent.analysis.tools import offered as over_data
from tieout.agent.analysis.workbench import Workbench
from tieout.agent.memory.follow import follow, told
from tieout.agent.memory.generalise import Draft, checked
from tieout.agent.memory.keep import KeepError
from tieout.agent.memory.memory import Memory
from tieout.agent.memory.recipes import Recipe, RecipeAnswer, RecipeStep, Variable, difference, find_recipe, save_recipe
from tieout.agent.protocol.tool import Tool, ToolError, declare
from tieout.agent.tools.toolbox import Text, Tools, described


def memory_of(tools: Tools) -> Memory:
    """The memory that calls work on. Raises ToolError where there is none."""
    found = bench(tools).memory
    if not isinstance(found, Memory):
        raise ToolError("there is no memory in this conversation")
    return found


def run_recipe(
    tools: Tools,
    heading: Annotated[Text, Field(description="Of the recipe.")],
    settings: Annotated[dict[str, Text], Field(description="Values for its variables, as text.")] = {},  # noqa: B006
) -> dict[str, Any]:
    """Run a recipe of the memory, where it really applies to the question. Its answers are then values by name."""
    desk = bench(tools)
    desk.check_tries()
    try:
        recipe = find_recipe(memory_of(tools).folder, heading)
        follow(recipe, desk, tools.values, memory_of(tools).folder, settings)
    except (KeepError, ToolError) as error:
        raise desk.failed(ToolError(str(error))) from error
    answers = {
        name: None if entry is None else {"value": described(entry)["value"], "name": entry.name}
        for name, entry in told(recipe, tools.values).items()
    }
    return {"recipe": recipe.heading, "answers": answers}


def remember(
    tools: Tools,
    heading: Annotated[Text, Field(min_length=1, description="What it is called from now on.")],
    description: Annotated[str, Field(max_length=1000, description="What it works out, in general words.")],
    question: Annotated[Text, Field(description="As it is asked, with {variables} in place of specifics.")],
    answer: Annotated[Text, Field(description="Name of the value that answers.")],
    steps: Annotated[list[RecipeStep], Field(min_length=1, max_length=30, description="The steps that worked, "
        "general: $name for variables in queries, the name alone in scripts, {name} for columns in queries.")],
    variables: Annotated[list[Variable], Field(max_length=20, description="With the values of this session.")] = [],  # noqa: B006
    applies: Annotated[str, Field(max_length=1000, description="When it is to be used.")] = "",
    replace: Annotated[bool, Field(description="Replace what has this heading: only if the user wants it.")] = False,
) -> dict[str, Any]:  # fmt: skip
    """Keep a way of working as a recipe, when the user asks for it. It is run first, and kept only if it gives the
    answer that this session had."""
    desk, memory = bench(tools), memory_of(tools)
    expected = desk.values.get(answer) or desk.cell(answer)
    if expected is None:
        raise ToolError(f"this session has no value {answer!r} to check the recipe against")
    name = "result" if not answer.isidentifier() else answer[:64]
    made = Recipe(
        heading=heading,
        description=description,
        applies=applies,
        variables=tuple(variables),
        steps=tuple(steps),
        answers=(RecipeAnswer(name=name, value=answer, question=question, expected=str(expected.value)),),
        data=tuple(dict.fromkeys(table.file for table in desk.schema if table.file)),
    )
    try:
        checked(Draft(made, expected.value), desk, memory.folder)
        known = save_recipe(memory.folder, made, replace=replace)
    except KeepError as error:
        raise ToolError(str(error)) from error
    if known is not None:
        raise ToolError(f"there is a recipe {known.heading!r} already: ask the user whether to replace it, keep it, or "
                        f"take another heading. What would change:\n{difference(known, made)[:2000]}")  # fmt: skip
    return {"kept": heading}


MEMORY_TOOLS: tuple[Tool, ...] = (declare(run_recipe), declare(remember))


def offered(desk: Workbench) -> tuple[Tool, ...]:
    """All tools that a conversation with data has."""
    if not isinstance(desk.memory, Memory):
        return over_data(desk)
    return (*over_data(desk), *(MEMORY_TOOLS[:1] if desk.memory.fixed else MEMORY_TOOLS))
