"""The offline backend over data: a question that a recipe fits is answered by running it, and no other."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.agent.expert.workbench import Workbench
from tieout.agent.memory.find import Match
from tieout.agent.memory.memory import Memory
from tieout.agent.protocol.message import Backend, Reply, Request, ToolCall


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
                return self._declined(matches, f"The recipe {matches[0].recipe.heading!r} does not run on this data.")
            return self._run(matches[0])
        if self._reports is not None:
            return self._reports.reply(request.model_copy(update={"question": question}))
        return self._declined(matches, "No recipe fits this question, and without a model only recipes are run here.")

    def _run(self, match: Match) -> Reply:
        heading = match.recipe.heading
        run = ToolCall(id="call1", tool="run_recipe", arguments={"heading": heading, "settings": match.settings})
        answer = {"value": match.answer.value}
        if match.answer.format is not None:
            answer["format"] = match.answer.format
        return Reply(calls=(run, ToolCall(id="call2", tool="answer", arguments=answer)), model=self.name)

    def _declined(self, matches: Sequence[Match], why: str) -> Reply:
        schema = self._desk.schema if self._desk is not None else ()
        tables = ", ".join(f"{table.name} ({len(table.columns)} columns)" for table in schema) or "none"
        headings = ", ".join(recipe.heading for recipe in self._memory.recipes()) or "none"
        said = f"{why} There are the tables {tables}; recipes: {headings}."
        options = [match.answer.question or match.recipe.heading for match in matches[:5]]
        arguments = {"question": said[:1000], "options": [option[:400] for option in options]}
        return Reply(calls=(ToolCall(id="call1", tool="clarify", arguments=arguments),), model=self.name, confidence=0)
