"""The offline backend over data: a question that a recipe fits is answered by running it, and no other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tieout.agent.analysis.workbench import Workbench
from tieout.agent.memory.find import Match
from tieout.agent.memory.memory import Memory
from tieout.agent.offline.answer.reply import reply_of
from tieout.agent.protocol.message import Backend, Reply, Request
from tieout.data.datasets.schema import TableSchema

UNEXPLAINED = re.compile(r"^\[nothing here explains (.+): ask what it means\]$", re.M)  # as the memory writes it
FEW = 6  # columns of a table that are named


class RecipeBackend:
    """Looks for a recipe first; a question that none fits goes to the backend for reports, where there is one.

    desk: the data, None where there is none. reports: that backend, None where no report is open.
    """

    name = "offline"

    def __init__(self, desk: Workbench | None, memory: Memory, reports: Backend | None) -> None:
        self._desk = desk
        self._memory = memory
        self._reports = reports

    def reply(self, request: Request) -> Reply:
        """The calls that run the recipe, the reply of the other backend, or a question back with what there is."""
        question = self._memory.in_house_words(request.question.partition("\n[")[0])
        matches = self._memory.matches(question) if self._desk is not None else []
        if matches and matches[0].fits:
            if request.exchanges:
                return self._declined(
                    request.question, matches, f"The recipe {matches[0].recipe.heading!r} does not run on this data."
                )
            return self._run(matches[:1])
        if self._desk is not None and not request.exchanges and (parts := self._memory.matches_by_parts(question)):
            return self._run(parts)
        if self._reports is not None:
            plain = self._memory.plain_words
            history = tuple(
                turn.model_copy(update={"question": plain(turn.question.partition("\n[")[0])})
                for turn in request.history
            )
            return self._reports.reply(request.model_copy(update={"question": plain(question), "history": history}))
        matches += self._memory.matches_for_parts(question) if self._desk is not None else []
        return self._declined(
            request.question, matches, "No recipe fits this question, and without a model only recipes are run here."
        )

    def _run(self, matches: Sequence[Match]) -> Reply:
        """Runs the recipe of each match, the same one once, and answers with what they are for."""
        settings: dict[str, dict[str, str]] = {}
        for match in matches:
            settings.setdefault(match.recipe.heading, {}).update(match.settings)
        runs = [("run_recipe", {"heading": heading, "settings": given}) for heading, given in settings.items()]
        answer: dict[str, object] = {"values": [match.answer.value for match in matches]}
        if len(matches) == 1:
            answer = {"value": matches[0].answer.value}
            if matches[0].answer.format is not None:
                answer["format"] = matches[0].answer.format
        return reply_of([*runs, ("answer", answer)], None)

    def _declined(self, question: str, matches: Sequence[Match], why: str) -> Reply:
        schema = self._desk.schema if self._desk is not None else ()
        tables = ", ".join(f"{table.name} ({_columns(table)})" for table in schema) or "none"
        headings = ", ".join(recipe.heading for recipe in self._memory.recipes()) or "none"
        if unknown := UNEXPLAINED.search(question):
            why = f"{why} Nothing here explains {unknown[1]}: what does it mean?"
        said = f"{why} There are the tables {tables}; recipes: {headings}."
        options = list(dict.fromkeys(match.answer.question or match.recipe.heading for match in matches))[:5]
        return reply_of([("clarify", {"question": said[:1000], "options": [option[:400] for option in options]})], 0)


def _columns(table: TableSchema) -> str:
    """The first columns of a table, and whether there are more."""
    names = [column.name for column in table.columns]
    return ", ".join([*names[:FEW], *(["and others"] if len(names) > FEW else [])])
