"""How a tool is declared: a typed function gives its JSON schema and the check of its arguments."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic_core import ErrorDetails

from tieout.agent.protocol.message import ToolSpec

UNTOLD = frozenset({"default", "maxItems", "maxLength", "minLength"})  # checked, and told where they are broken


class ToolError(ValueError):
    """A call that cannot be done as asked. The message goes back to whoever called, so it says what would work.

    detail: more of the same for a machine, e.g. candidates with their scores.
    """

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.detail = detail


class ArgumentError(ToolError):
    """Arguments that do not fit the signature; one line per argument."""


@contextmanager
def as_tool_errors(*kinds: type[Exception]) -> Iterator[None]:
    """What is raised in here, of these kinds, goes back to whoever called: it is raised as ToolError."""
    try:
        yield
    except kinds as error:
        raise ToolError(str(error)) from error


@dataclass(frozen=True)
class Tool:
    """A declared tool. function: takes its owner and then the arguments by name."""

    name: str
    function: Callable[..., Any]
    arguments: type[BaseModel]
    spec: ToolSpec

    def check(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments with their types and defaults. Raises ArgumentError with one line per bad argument."""
        try:
            model = self.arguments.model_validate(arguments)
        except ValidationError as error:
            raise ArgumentError("\n".join(_line(self.name, each) for each in error.errors())) from error
        return {name: getattr(model, name) for name in self.arguments.model_fields}


def _line(tool: str, error: ErrorDetails) -> str:
    place = ".".join(str(part) for part in error["loc"]) or "arguments"
    given = "" if error["type"] == "missing" else f" (got {str(error['input'])[:80]!r})"
    return f"{tool}: {place}: {error['msg']}{given}"


def declare(function: Callable[..., Any]) -> Tool:
    """A tool from a typed function; its first parameter is the owner it is called on.

    The docstring's text is the description; each parameter says what it is by `Annotated[..., Field(description=...)]`.
    Raises TypeError for a function without docstring or a parameter without type.
    """
    if not function.__doc__:
        raise TypeError(f"tool {function.__name__!r} has no docstring")
    hints = typing.get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        if parameter.name not in hints:
            raise TypeError(f"parameter {parameter.name!r} of tool {function.__name__!r} has no type")
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[parameter.name] = (hints[parameter.name], default)
    model = create_model(function.__name__, __config__=ConfigDict(extra="forbid"), **fields)
    description = inspect.cleandoc(function.__doc__)
    parameters = _plain(model.model_json_schema())
    spec = ToolSpec(name=function.__name__, description=description, parameters=parameters)
    return Tool(function.__name__, function, model, spec)


def _plain(schema: object) -> Any:  # noqa: ANN401 - JSON
    """The schema with keys sorted and without what only the check needs: short, and the same to the byte every time.

    `anyOf` with null is written as the other type: an argument that may be null may as well be left out.
    """
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "anyOf" in schema and "default" in schema and schema["default"] is None:
        (only,) = (part for part in schema["anyOf"] if part != {"type": "null"})
        return _plain({**only, "description": schema.get("description", "")})
    return {
        key: {name: _plain(value) for name, value in sorted(part.items())} if key == "properties" else _plain(part)
        for key, part in sorted(schema.items())
        if key not in UNTOLD and not (key == "title" and isinstance(part, str))
    }
