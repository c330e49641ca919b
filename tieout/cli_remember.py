"""What `tieout chat` keeps when the user says so: a worked turn as a recipe, the meaning of a word as a term."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tieout.agent.backends.choose import DEFAULT
from tieout.agent.log.events import ToolCalled
from tieout.agent.memory.generalise import checked, draft
from tieout.agent.memory.keep import KeepError
from tieout.agent.memory.recipes import as_toml, difference, find_recipe, save_recipe
from tieout.agent.memory.terms import make_term, save_term
from tieout.agent.session import Session
from tieout.data.console import console, errors, printable
from tieout.data.printed.pattern import later

REMEMBER = later(r"\s*/?remember\s+(?:this|that|it)\s+as\s+[\"']?(.{1,120}?)[\"']?\s*[.!]?\s*", re.IGNORECASE)
YES = frozenset({"", "y", "yes"})
Asked = Callable[[str], str | None]


def is_remember(line: str) -> str | None:
    """The heading of `remember this as HEADING`; None for any other line."""
    match = REMEMBER.fullmatch(line)
    return match[1] if match else None


def by_a_model(session: Session) -> bool:
    """Whether a language model can write the general form of what was worked out."""
    return session.backend.name != DEFAULT and session.memory is not None and bool(session.turns)


def kept_by_model(session: Session, since: int) -> bool:
    """Whether a recipe was kept in the turns from since on; it is shown then."""
    for turn in session.turns[since:]:
        for event in turn.events:
            if isinstance(event, ToolCalled) and event.tool == "remember" and not event.error and session.memory:
                kept = find_recipe(session.memory.folder, json.loads(event.output)["kept"])
                console.print(_shown(as_toml(kept)), markup=False, soft_wrap=True)
                console.print("kept; it was run first, and gave the same answer")
                return True
    return False


def remember_turn(session: Session, heading: str, ask: Asked, turns: int | None = None) -> None:
    """Keeps a turn as a recipe: shows what became of it, runs it, and asks. ask: a line from the user. turns: the last
    of so many turns is meant, of all unless given."""
    worked = session.turns[:turns]
    if session.bench is None or session.memory is None or not worked:
        errors.print("there is nothing to remember: recipes are made of answers over data (--data)", soft_wrap=True)
        return
    folder = session.memory.folder
    try:
        made = draft(worked[-1], worked[:-1], heading)
        checked(made, session.bench, folder)
        console.print(_shown(as_toml(made.recipe)), markup=False, soft_wrap=True)
        if not _agrees(ask("keep it? (Enter or yes, no) ")):
            console.print("not kept")
            return
        known = save_recipe(folder, made.recipe)
        while known is not None:
            console.print(_shown(difference(known, made.recipe)), markup=False, soft_wrap=True)
            said = ask(f"{known.heading!r} is there already: replace, keep, or another heading? ")
            if said is None or said.lower() in ("keep", "k", ""):
                console.print("kept as it was")
                return
            replace = said.lower() in ("replace", "r")
            recipe = made.recipe if replace else made.recipe.model_copy(update={"heading": said[:120]})
            known = save_recipe(folder, recipe, replace=replace)
        console.print("kept")
    except KeepError as error:
        errors.print(f"tieout: {printable(str(error))}", markup=False, soft_wrap=True)


def explain(session: Session, question: str, ask: Asked) -> None:
    """Asks for each word of a question that nothing explains, and keeps what the user says, when they agree."""
    if session.memory is None:
        return
    for word in session.memory.unknown(question):
        meaning = ask(f"what does {word!r} mean? (Enter to go on) ")
        if not meaning:
            continue
        try:
            term = make_term(word, meaning=meaning, source="explained in a conversation")
            if _agrees(ask("keep that? (Enter or yes, no) ")):
                save_term(session.memory.folder, term)
        except KeepError as error:
            errors.print(f"tieout: {printable(str(error))}", markup=False, soft_wrap=True)


def _agrees(said: str | None) -> bool:
    return said is not None and said.lower() in YES


def _shown(text: str) -> str:
    return "\n".join(map(printable, text.splitlines()))
