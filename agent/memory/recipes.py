"""Recipes: a worked session as steps with variables under a heading, one TOML file each, to be read and edited; the
form of such a file is in docs/data-and-memory.md.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError, field_validator

from tieout.agent.ledger.form import Format
from tieout.agent.memory.keep import KeepError, locked
from tieout.agent.memory.terms import same
from tieout.agent.tools.toolbox import NAME
from tieout.data.datasets.engine import Variables
from tieout.data.files import read_toml, unreadable, write_whole
from tieout.data.frozen import Frozen

FOLDER = "recipes"
VariableKind = Literal["date", "number", "text", "name"]


class Variable(Frozen):
    """A specific that was taken out. kind: `name` is that of a column or table, written as {name} in a query; the
    others are written as $name in a query, and as they are in a script. value: what it is unless set."""

    name: str = Field(pattern=NAME)
    kind: VariableKind
    value: str
    meaning: str = ""

    @field_validator("value")
    @classmethod
    def _written(cls, value: str) -> str:
        return value.strip()


class RecipeStep(Frozen):
    """A call to make. tool: query_sql, run_script, calculate, or `recipe` for the steps of another one."""

    tool: Literal["query_sql", "run_script", "calculate", "recipe"]
    name: str = Field(default="", max_length=64)
    select: str = ""
    columns: tuple[str, ...] = ()
    code: str = ""
    frames: tuple[str, ...] = ()
    operation: str = ""
    values: tuple[str, ...] = ()
    heading: str = ""
    settings: dict[str, str] = Field(default={})


class RecipeAnswer(Frozen):
    """What the steps can tell. value: name of a value or cell; question: as people ask it, without its specifics, or
    with {variables} in their places; expected: what it was when the recipe was kept."""

    name: str = Field(pattern=NAME)
    value: str
    question: str = ""
    format: Format | None = None
    expected: str = ""


class Recipe(Frozen):
    """See the module. applies: when it is to be used, in words. data: names of the files it was made on."""

    heading: str = Field(min_length=1, max_length=120)
    description: str = ""
    applies: str = ""
    data: tuple[str, ...] = ()
    variables: tuple[Variable, ...] = ()
    steps: tuple[RecipeStep, ...] = ()
    answers: tuple[RecipeAnswer, ...] = ()

    def answer(self, name: str | None) -> RecipeAnswer:
        """The answer of that name, the first without one. Raises KeepError."""
        for each in self.answers:
            if name in (None, each.name):
                return each
        raise KeepError(f"recipe {self.heading!r} has no answer {name!r}; there are: "
                        f"{', '.join(each.name for each in self.answers) or 'none'}")  # fmt: skip

    def settings(self, given: Mapping[str, str]) -> Variables:
        """The values of all variables, given ones first. Raises KeepError for one that is unknown or no such thing."""
        known = {variable.name: variable for variable in self.variables}
        for name in given:
            if name not in known:
                raise KeepError(f"recipe {self.heading!r} has no variable {name!r}; there are: "
                                f"{', '.join(known) or 'none'}")  # fmt: skip
        return {name: read_value(variable, given.get(name, variable.value)) for name, variable in known.items()}


def read_value(variable: Variable, text: str) -> date | int | float | str:
    """The value of a variable from text. Raises KeepError where it is no such thing."""
    try:
        match variable.kind:
            case "date":
                return date.fromisoformat(text if len(text) > 4 else f"{text}-01-01")
            case "number":
                number = Decimal(text)
                if not number.is_finite():
                    raise ValueError
                return int(number) if number == number.to_integral_value() else float(number)
    except (ValueError, InvalidOperation) as error:
        raise KeepError(f"{variable.name} is a {variable.kind}, not {text!r}") from error
    return text


def slug(heading: str) -> str:
    """The name of the file of a heading, without its ending."""
    return re.sub(r"\W+", "-", heading.lower()).strip("-")[:80] or "recipe"


def recipe_path(folder: Path, heading: str) -> Path:
    """The file of a recipe."""
    return folder / FOLDER / f"{slug(heading)}.toml"


def read_recipe(path: Path) -> Recipe:
    """The recipe in a file. Raises KeepError that says what is wrong with it."""
    try:
        return Recipe.model_validate(read_toml(path))
    except OSError as error:
        raise KeepError(unreadable(path, error)) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise KeepError(f"{str(path)!r} is no recipe: {place}: {first['msg']}") from error
    except ValueError as error:
        raise KeepError(f"{str(path)!r} is no TOML: {error}") from error


def read_recipes(folder: Path) -> tuple[Recipe, ...]:
    """The recipes kept in folder, by heading. Raises KeepError for a file that is none."""
    return tuple(read_recipe(path) for path in sorted((folder / FOLDER).glob("*.toml")))


def find_recipe(folder: Path, heading: str) -> Recipe:
    """The recipe under a heading. Raises KeepError with near headings where there is none."""
    recipes = read_recipes(folder)
    found = next((recipe for recipe in recipes if same(recipe.heading, heading)), None)
    if found is None:
        headings = [recipe.heading for recipe in recipes]
        near = difflib.get_close_matches(heading, headings, n=3, cutoff=0.4) or headings[:10]
        raise KeepError(f"there is no recipe {heading!r}; there are: {', '.join(near) or 'none'}")
    return found


def save_recipe(folder: Path, recipe: Recipe, *, replace: bool = False) -> Recipe | None:
    """Keeps a recipe. Gives the one that has its heading already, and keeps nothing then, unless replace."""
    path = recipe_path(folder, recipe.heading)
    with locked(folder):
        if path.exists() and not replace:
            known = read_recipe(path)
            return known if known != recipe else None
        write_whole(path, as_toml(recipe))
    return None


def remove_recipe(folder: Path, heading: str) -> Recipe:
    """Takes a recipe out. Raises KeepError where there is none."""
    with locked(folder):
        recipe = find_recipe(folder, heading)
        recipe_path(folder, recipe.heading).unlink()
    return recipe


def difference(old: Recipe, new: Recipe) -> str:
    """What would change, line by line."""
    kept, new_lines = as_toml(old).splitlines(), as_toml(new).splitlines()
    return "\n".join(difflib.unified_diff(kept, new_lines, "kept", "new", lineterm="", n=1))


def as_toml(recipe: Recipe) -> str:
    """A recipe as its file: the same recipe gives the same bytes, and reads back as the same."""
    lines = [f"{name} = {_toml(getattr(recipe, name))}" for name in ("heading", "description", "applies", "data")]
    for kind in ("variables", "steps", "answers"):
        for each in getattr(recipe, kind):
            lines += ["", f"[[{kind}]]", *_fields(each)]
    return "\n".join(lines) + "\n"


def _fields(value: BaseModel) -> list[str]:
    given = value.model_dump(mode="json", exclude_defaults=True)
    return [f"{name} = {_toml(part)}" for name, part in given.items()]


def _toml(value: Any) -> str:  # noqa: ANN401 - text, list or dict of text
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_quoted(key)} = {_toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    text = str(value)
    plain_lines = all(char == "\n" or char == "\t" or (char.isprintable() and char != "\x7f") for char in text)
    if "\n" in text and "'''" not in text and plain_lines and not text.endswith("'"):
        return f"'''\n{text}'''"
    return _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")  # escapes as TOML does
