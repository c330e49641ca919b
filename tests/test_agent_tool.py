"""Tools: declared by their signature, arguments checked before the call, three outcomes and no fourth."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field

from tieout.agent.protocol.tool import ArgumentError, declare
from tieout.agent.tools.toolbox import TOOLS

SNAPSHOT = Path(__file__).parent / "snapshots" / "tools.json"
WRITE = (
    "import json; from tieout.agent.tools.toolbox import TOOLS; "
    "print(json.dumps([tool.spec.model_dump() for tool in TOOLS.values()], indent=1))"
)


def test_the_schemas_are_those_of_the_snapshot() -> None:
    """After a change that is meant: python -c '<WRITE above>' > tests/snapshots/tools.json"""
    assert json.dumps([tool.spec.model_dump() for tool in TOOLS.values()], indent=1) + "\n" == SNAPSHOT.read_text()


def test_the_schemas_are_the_same_to_the_byte_in_every_process() -> None:
    printed = [
        subprocess.run(
            [sys.executable, "-c", WRITE],
            env={"PYTHONHASHSEED": seed},
            cwd=SNAPSHOT.parent.parent.parent,
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1] != b""


def test_every_schema_is_closed_and_every_argument_says_what_it_is() -> None:
    for spec in (tool.spec for tool in TOOLS.values()):
        assert spec.description
        assert spec.parameters["additionalProperties"] is False
        for name, schema in spec.parameters["properties"].items():
            assert schema.get("description"), f"{spec.name}: {name} has no description"
            assert "title" not in schema
            assert "anyOf" not in schema


class Owner:
    def double(
        self,
        number: Annotated[int, Field(description="What to double.", ge=0)],
        title: Annotated[
            str | None, Field(description="A property that is called as pydantic calls its titles.")
        ] = None,
    ) -> int:
        """Double a number."""
        return 2 * number


def test_a_tool_is_its_signature() -> None:
    tool = declare(Owner.double)
    assert tool.spec.name == "double"
    assert tool.spec.description == "Double a number."
    assert tool.spec.parameters == {
        "additionalProperties": False,
        "properties": {
            "number": {"description": "What to double.", "minimum": 0, "type": "integer"},
            "title": {"description": "A property that is called as pydantic calls its titles.", "type": "string"},
        },
        "required": ["number"],
        "type": "object",
    }
    assert tool.function(Owner(), **tool.check({"number": 4})) == 8


def test_bad_arguments_get_one_line_each() -> None:
    with pytest.raises(ArgumentError) as error:
        TOOLS["calculate"].check({"values": [], "operand": "x", "name": "1st"})
    assert [line.split(": ")[:2] for line in str(error.value).splitlines()] == [
        ["calculate", "operation"],
        ["calculate", "values"],
        ["calculate", "name"],
        ["calculate", "operand"],
    ]


@pytest.mark.parametrize("arguments", [{"values": [True], "operation": "add"}, {"values": "ab", "operation": "add"}])
def test_values_are_names_or_numbers_in_a_list(arguments: dict[str, object]) -> None:
    with pytest.raises(ArgumentError):
        TOOLS["calculate"].check(arguments)


def test_numbers_given_as_json_numbers_are_read_as_written() -> None:
    checked = TOOLS["calculate"].check({"operation": "add", "values": [100, 0.1]})
    assert checked["values"] == ["100", "0.1"]


def test_a_function_without_words_or_types_is_no_tool() -> None:
    def silent(owner: Owner) -> None: ...

    def untyped(owner, thing):
        """Do a thing."""

    with pytest.raises(TypeError, match="tool 'silent' has no docstring"):
        declare(silent)
    with pytest.raises(TypeError, match="parameter 'thing' of tool 'untyped' has no type"):
        declare(untyped)


@pytest.mark.parametrize(
    ("number", "text"), [(0.00001, "0.00001"), (1e16, "10000000000000000"), (-1.5, "-1.5"), (7, "7")]
)
def test_a_number_of_json_is_written_out(number, text):
    assert TOOLS["calculate"].check({"operation": "add", "values": [number, 1]})["values"] == [text, "1"]
