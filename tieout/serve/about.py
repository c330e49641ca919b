"""What there is beside the reports: who answers, the data, the terms and recipes of the house."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from tieout.agent.memory.keep import FOLDER, KeepError
from tieout.agent.memory.recipes import read_recipes
from tieout.agent.memory.terms import read_terms
from tieout.data.datasets.files import find_sources
from tieout.serve.asking.desk import Plan

T = TypeVar("T")


def about(plan: Plan) -> dict[str, Any]:
    """What the page shows of it. data: names of tables; recipes: with the questions that they answer."""
    terms, recipes = _read(plan, read_terms), _read(plan, read_recipes)
    return {
        "backend": plan.backend,
        "data": [source.table for source in find_sources(plan.data)] if plan.data else [],
        "terms": [
            {"label": each.label, "others": each.others, "meaning": each.meaning, "calculation": each.calculation}
            for each in terms
        ],
        "recipes": [
            {
                "heading": each.heading,
                "description": each.description,
                "questions": [answer.question or each.heading for answer in each.answers],
            }
            for each in recipes
        ],
    }


def _read(plan: Plan, read: Callable[[Path], tuple[T, ...]]) -> tuple[T, ...]:
    """What the memory holds; nothing where it cannot be read: a question would tell what is wrong with it."""
    try:
        return read(plan.memory or FOLDER)
    except KeepError:
        return ()
