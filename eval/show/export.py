"""A run for others: predictions, turns as CSV and Parquet, the official leaderboard, OpenTelemetry."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.agent.log.events import Event, ModelCalled, ModelFailed, ToolCalled, TurnEnded
from tieout.agent.log.log import read_events
from tieout.agent.protocol.message import Usage
from tieout.eval.gold.executed import ProgramError
from tieout.eval.gold.program import tokens
from tieout.eval.gold.slices import DIMENSIONS
from tieout.eval.run.manifest import Manifest, RunError
from tieout.eval.score.result import Result
from tieout.eval.score.score import RULES, Answer, Rule

if TYPE_CHECKING:
    import pyarrow

_NUMBER = re.compile(r"-?[\d,.]+(%|[\w /]*)$")
FORMATS = ("predictions", "csv", "parquet", "leaderboard", "otel")


def exact(answer: Answer) -> str | None:
    """An answer as text at full precision, a truth as yes or no."""
    if answer is None:
        return None
    return ("yes" if answer else "no") if isinstance(answer, bool) else f"{answer:f}"


def predictions(results: Iterable[Result]) -> Iterator[str]:
    """JSON lines `{"id", "turn", "answer", "program"}`: turn from 0; answer a number, `yes`, `no`, or null."""
    for result in results:
        answer = exact(result.answer)
        # Written as a JSON number by hand: a float would cut it to 17 digits.
        number = "null" if answer is None else json.dumps(answer) if isinstance(result.answer, bool) else answer
        start = json.dumps({"id": result.conversation, "turn": result.turn}, ensure_ascii=False)
        yield f'{start[:-1]}, "answer": {number}, "program": {json.dumps(result.program, ensure_ascii=False)}}}'


def leaderboard(results: Iterable[Result]) -> str:
    """The official layout, `[{"id": "<id>-<turn>", "predicted": [...]}]`; an answer without program is one token."""
    records = []
    for result in results:
        try:
            predicted = tokens(result.program) if result.program else [exact(result.answer) or "n/a", "EOF"]
        except ProgramError:
            predicted = [exact(result.answer) or "n/a", "EOF"]
        records.append({"id": f"{result.conversation}-{result.turn}", "predicted": predicted})
    return json.dumps(records, indent=1, ensure_ascii=False)


def _right(rule: Rule, result: Result) -> bool | None:
    return result.right.get(rule)


def _tokens(kind: str, result: Result) -> int:
    return int(getattr(result.usage, kind))


def _slice(dimension: str, result: Result) -> str | None:
    return result.slices.get(dimension)


# By name, so that a file of no turns has its header too.
COLUMNS: dict[str, Callable[[Result], Any]] = {
    "id": lambda result: result.conversation,
    "turn": lambda result: result.turn,
    "repeat": lambda result: result.repeat,
    "question": lambda result: result.question,
    "outcome": lambda result: result.outcome,
    "answer": lambda result: exact(result.answer),
    "text": lambda result: result.text,
    "program": lambda result: result.program,
    "gold": lambda result: None if result.gold is None else str(result.gold.answer),
    "gold_program": lambda result: None if result.gold is None else result.gold.program,
    **{str(rule): partial(_right, rule) for rule in RULES},
    "program_right": lambda result: result.program_right,
    "probability": lambda result: result.probability,
    "check_score": lambda result: result.check_score,
    "ungrounded": lambda result: result.ungrounded,
    "flags": lambda result: " ".join(result.flags),
    "model_calls": lambda result: result.model_calls,
    "tool_calls": lambda result: result.tool_calls,
    **{f"tokens_{kind}": partial(_tokens, kind) for kind in Usage.model_fields},
    "usd": lambda result: None if result.usd is None else str(result.usd),
    "seconds": lambda result: result.seconds,
    **{f"slice_{dimension.replace(' ', '_')}": partial(_slice, dimension) for dimension in DIMENSIONS},
}


def rows(results: Iterable[Result]) -> list[dict[str, Any]]:
    """One flat row per turn: exact numbers as text, truths as true and false, slices in columns of their own."""
    return [{name: value(result) for name, value in COLUMNS.items()} for result in results]


def as_csv(results: Iterable[Result]) -> str:
    """The rows as CSV with a header line."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows(results))
    return out.getvalue()


def _cell(value: object) -> object:
    """A text that a spreadsheet would take for a formula gets a quote in front: questions come from files of others."""
    dangerous = isinstance(value, str) and value[:1] in tuple("=+-@\t\r") and not _NUMBER.match(value)
    return f"'{value}" if dangerous else value


def arrow_table(results: Iterable[Result]) -> pyarrow.Table:
    """The rows as an Arrow table. Raises RunError where pyarrow is not installed."""
    try:
        import pyarrow
    except ImportError:
        raise RunError("Arrow and Parquet need pyarrow: pip install 'tieout[parquet]'") from None
    table = rows(results)
    return pyarrow.table({name: [row[name] for row in table] for name in COLUMNS})


def as_parquet(results: Iterable[Result]) -> bytes:
    """The rows as a Parquet file. Raises RunError where pyarrow is not installed."""
    table = arrow_table(results)
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(table, out)
    return out.getvalue()


def otel(manifest: Manifest, logs: Iterable[tuple[str, Path]]) -> Iterator[str]:
    """The calls of models and tools as JSON lines with the names of OpenTelemetry's conventions for generative AI.

    logs: conversation and file. The names are those of https://opentelemetry.io/docs/specs/semconv/gen-ai/.
    """
    for conversation, path in logs:
        for event in read_events(path):
            fields = _otel(event, manifest.backend)
            if fields:
                yield json.dumps({"gen_ai.conversation.id": conversation, **fields}, ensure_ascii=False)


def _otel(event: Event, backend: str) -> dict[str, Any]:
    provider, _, model = backend.partition(":")
    system = provider if provider in ("anthropic", "openai") else f"tieout.{provider}"
    match event:
        case ModelCalled():
            usage = event.reply.usage
            return {
                "name": f"chat {event.reply.model or model or provider}",
                "time": event.at,
                "duration": event.seconds,
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": system,
                "gen_ai.request.model": model or provider,
                "gen_ai.response.model": event.reply.model or model or provider,
                "gen_ai.response.finish_reasons": [event.reply.stop],
                "gen_ai.usage.input_tokens": usage.input + usage.cache_read + usage.cache_write,
                "gen_ai.usage.output_tokens": usage.output,
                "gen_ai.usage.cache_read.input_tokens": usage.cache_read,
                "gen_ai.usage.cache_creation.input_tokens": usage.cache_write,
                "tieout.turn": event.turn,
            }
        case ModelFailed():
            return {
                "name": f"chat {model or provider}",
                "time": event.at,
                "duration": event.seconds,
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": system,
                "gen_ai.request.model": model or provider,
                "error.type": event.outcome,
                "tieout.turn": event.turn,
            }
        case ToolCalled():
            return {
                "name": f"execute_tool {event.tool}",
                "time": event.at,
                "duration": event.seconds,
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": event.tool,
                "gen_ai.tool.type": "function",
                "gen_ai.tool.call.id": event.call,
                "gen_ai.tool.call.arguments": event.input,
                "gen_ai.tool.call.result": event.output,
                **({"error.type": "tool_error"} if event.error else {}),
                "tieout.turn": event.turn,
            }
        case TurnEnded():
            return {
                "name": "invoke_agent tieout",
                "time": event.at,
                "duration": event.seconds,
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": "tieout",
                "gen_ai.provider.name": system,
                "tieout.turn": event.turn,
                "tieout.outcome": event.outcome,
            }
        case _:
            return {}
