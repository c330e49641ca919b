"""What `tieout chat` keeps when the user says so: a worked turn as a recipe, the meaning of a word as a term."""

from __future__ import annotations

import re
from collections.abc import Callable

from tieout.agent.memory.generalise import checked, draft
from tieout.agent.memory.keep import KeepError
from tieout.agent.memory.recipes import as_toml, difference, save_recipe
from tieout.agent.memory.terms import Term, save_term
from tieout.agent.session import Session
from tieout.data.console import console, errors, printable

REMEMBER = re.compile(r"\s*/?remember\s+(?:this|that|it)\s+as\s+[\"']?(.{1,120}?)[\"']?\s*[.!]?\s*", re.IGNORECASE)
YES = frozenset({"", "y", "yes"})
Asked = Callable[[str], str | None]


def is_remember(line: str) -> str | None:
    """The heading of `remember this as HEADING`; None for any other line."""
    match = REMEMBER.fullmatch(line)
    return match[1] if match else None


def remember_turn(session: Session, heading: str, ask: Asked) -> None:
    """Keeps the last turn as a recipe: shows what became of it, runs it, and asks. ask: a line from the user."""
    if session.bench is None or session.memory is None or not session.turns:
        errors.print("there is nothing to remember: recipes are made of answers over data (--data)", soft_wrap=True)
        return
    folder = session.memory.folder
    try:
        made = draft(session.turns[-1], session.turns[:-1], heading)
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
            term = Term(label=word, meaning=meaning, source="explained in a conversation")
            if _agrees(ask("keep that? (Enter or yes, no) ")):
                save_term(session.memory.folder, term)
        except (KeepError, ValueError) as error:
            errors.print(f"tieout: {printable(str(error))}", markup=False, soft_wrap=True)


def _agrees(said: str | None) -> bool:
    return said is not None and said.lower() in YES


def _shown(text: str) -> str:
    return "\n".join(map(printable, text.splitlines()))
