"""The conversations that agents have: each a session over the reports, and the results they have calculated."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from secrets import token_hex
from typing import Any

from tieout.agent.answers.result import readings, result
from tieout.agent.ledger.ledger import Ledger
from tieout.agent.log.turn import Turn
from tieout.agent.protocol.message import Backend
from tieout.agent.session import Session
from tieout.agent.view.reports import Reports

MOST_CONVERSATIONS, MOST_COMPARED = 100, 200
MOST_RESULTS = 2000
LOOK = "list_reports, list_tables and search show what there is"


class AskingError(ValueError):
    """A report or conversation that is not there, or too much at once."""


class Conversations:
    """Conversations over reports, the longest unused of which gives way."""

    def __init__(self, reports: Reports, backend: Backend) -> None:
        self._reports, self._backend = reports, backend
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._ledger = Ledger()

    def ledger(self) -> Ledger:
        """What was calculated so far, by name; begun anew where it is very much."""
        if len(self._ledger) > MOST_RESULTS:
            self._ledger = Ledger()
        return self._ledger

    def ask(self, question: str, report: str = "", conversation: str = "") -> tuple[str, Turn]:
        """Asks, and says in which conversation. Raises AskingError, QuestionError."""
        if conversation and conversation not in self._sessions:
            raise AskingError(f"there is no conversation {conversation!r}: ask without one to begin")
        key = conversation or token_hex(6)
        session = self._sessions.get(key) or Session(self._only([report] if report else []), self._backend)
        turn = session.ask(question)
        self._sessions[key] = session
        self._sessions.move_to_end(key)
        if len(self._sessions) > MOST_CONVERSATIONS:
            self._sessions.popitem(last=False)
        return key, turn

    def compare(self, measure: str, periods: Sequence[str], names: Sequence[str]) -> list[dict[str, Any]]:
        """A measure of each report in each period, each asked for by itself. Raises AskingError."""
        chosen = [self._find(name) for name in names] or list(self._reports.open)
        if len(chosen) * len(periods) > MOST_COMPARED:
            raise AskingError(f"a comparison has {MOST_COMPARED} figures at most: name fewer reports or periods")
        rows = []
        for alias in chosen:
            over = self._only([alias])
            for period in periods:
                found = told(Session(over, self._backend).ask(f"what was {measure} in {period}?"))
                kept = ("answer", "value", "unit", "scale", "probability", "figures", "flags", "asked_back")
                row = {"report": alias or self._reports.open[alias].entry.id, "period": period}
                rows.append(row | {key: found[key] for key in kept if found.get(key) not in (None, [])})
        return rows

    def _only(self, names: Sequence[str]) -> Reports:
        """The reports of these names, called as they are among all; all where none is named."""
        if not names:
            return self._reports
        chosen = [self._reports.open[self._find(name)] for name in names]
        graphs = [each.graph for each in chosen]
        return Reports(graphs, chosen[0].index, names=[each.alias for each in chosen])

    def _find(self, name: str) -> str:
        """The alias of a report by its alias or id. Raises AskingError."""
        for alias, each in self._reports.open.items():
            if name in (alias, each.entry.id):
                return alias
        raise AskingError(f"there is no report {name[:60]!r}: `list_reports` gives their names")


def told(turn: Turn) -> dict[str, Any]:
    """What an agent is told of a turn: the first keys of `--json`, its readings where it is doubted, its figures."""
    found = result(turn)
    kept = ("answer", "kind", "value", "unit", "scale", "probability", "outcome")
    asked = found["clarification"]
    return {
        **{key: found[key] for key in kept},
        "flags": [f"{flag.rule}: {flag.message}" for flag in turn.flags],
        **({"readings": list(read)} if (read := readings(turn)) else {}),
        **({"asked_back": asked} if asked else {}),
        **({"then": LOOK} if asked and not asked["options"] else {}),
        **({"failed": turn.message} if turn.message else {}),
        **({"items": found["items"]} if found.get("items") else {}),
        "figures": [
            {"figure": each["fact"], "raw": each["raw"], "about": each["about"], "period": each["period"]}
            | {"place": each["place"]}
            for each in found["places"]
        ],
    }
