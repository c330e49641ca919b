"""A run as one HTML file that needs no network: figures, plots, reasons, and every turn with all that led to it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from tieout.data.files import check_folder, write_whole
from tieout.eval.gold.errata import Errata
from tieout.eval.gold.slices import DIMENSIONS
from tieout.eval.run.manifest import read_manifest
from tieout.eval.score.failures import Failure, failures
from tieout.eval.score.load import Run, conversations, load, ontology_of
from tieout.eval.score.result import Result, results
from tieout.eval.score.score import Rule
from tieout.eval.score.summary import summary
from tieout.eval.show import sections
from tieout.eval.show.details import conversation_details
from tieout.eval.show.export import exact
from tieout.eval.show.sections import Material
from tieout.kg.build import build

HERE = Path(__file__).parent
_PLACE = re.compile(r"\{\{(\w+)\}\}")


def write_report(folder: Path, against: Path | None, output: Path, rule: Rule, errata: Errata) -> tuple[Run, ...]:
    """Writes the report of the run in folder, compared with the run in against where there is one, and gives the runs.

    Where matplotlib is missing it has tables in place of plots, and says so.
    Raises RunError, LogError, OntologyError, DataError; WriteError where output cannot be written.
    """
    check_folder(output)
    runs = _runs(folder, against)
    write_whole(output, _page(folder, runs, rule, errata))
    return runs


def page(folder: Path, against: Path | None, rule: Rule, errata: Errata) -> str:
    """The report as HTML; the same run gives the same text."""
    return _page(folder, _runs(folder, against), rule, errata)


def _runs(folder: Path, against: Path | None) -> tuple[Run, ...]:
    """The run, scored, and the one that it is compared with, where there is one."""
    return tuple(load(each) for each in (folder, against) if each is not None)


def _page(folder: Path, runs: Sequence[Run], rule: Rule, errata: Errata) -> str:
    run, *against = runs
    wrong, details = _look_into(folder, rule, errata)
    material = Material(
        run=run,
        other=against[0] if against else None,
        numbers=summary(run.results, errata),
        reasons={failure.result.key: failure for failure in wrong},
        details=details,
        errata=errata,
        rule=rule,
    )
    script = (HERE / "report.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    manifest = run.manifest
    parts = {
        "title": escape(f"{run.name}: tieout"),
        "heading": escape(f"Run {run.name}"),
        "lead": escape(
            f"{manifest.backend}, strategy {manifest.settings['strategy']}, {manifest.history} answers as history, "
            f"{len(material.turns)} turns of {len(manifest.conversations)} conversations, {manifest.started[:10]}"
        ),
        "headline": sections.headline(material),
        "facts": sections.facts_list(material),
        "comparison": sections.comparison(material),
        "plots": sections.plot_figures(material),
        "slices": sections.slice_tables(material.turns),
        "reasons": sections.reasons_table(material),
        "footer": escape(sections.origin(run)),
        "data": "\n".join(_data(material)),
        "style": (HERE / "report.css").read_text(encoding="utf-8"),
        "script": script,
        "script_hash": f"sha256-{digest}",
    }
    template = (HERE / "report.html").read_text(encoding="utf-8")
    return _PLACE.sub(lambda match: parts[match[1]], template)


def _look_into(folder: Path, rule: Rule, errata: Errata) -> tuple[list[Failure], dict[str, str]]:
    ontology = ontology_of(folder)
    wrong: list[Failure] = []
    details: dict[str, str] = {}
    for conversation, repeat, turns in conversations(folder, read_manifest(folder)):
        if repeat == 1:
            facts = build(conversation.document, ontology).facts()
            details[conversation.id] = _json(conversation_details(conversation, turns, facts))
            if conversation.gold:
                wrong += failures(conversation, turns, list(results(conversation, turns)), facts, errata, rule)
    return wrong, details


# Data for the script


def _json(value: object) -> str:
    """JSON that can stand in a script element: nothing in it can end the element or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _data(material: Material) -> Iterator[str]:
    """One element for the list, and one per conversation, which is read when a turn of it is opened."""
    yield f'<script type="application/json" id="index">{_json(_index(material))}</script>'
    for number, details in enumerate(material.details.values()):
        yield f'<script type="application/json" id="conversation-{number}">{details}</script>'


def _index(material: Material) -> dict[str, Any]:
    place = {name: number for number, name in enumerate(material.details)}
    before = {other.key: earlier for earlier, other in material.pairs}
    turns = []
    for number, result in enumerate(material.turns):
        turn = _turn(material, result) | {"number": number, "conversation": place[result.conversation]}
        if earlier := before.get(result.key):
            turn |= {"other": earlier.right[material.rule], "otherAnswer": earlier.text or earlier.outcome}
        turns.append(turn)
    return {
        "rule": material.rule,
        "against": material.other.name if material.other else None,
        "dimensions": [each for each in DIMENSIONS if any(each in result.slices for result in material.turns)],
        "reasons": sorted({failure.reason for failure in material.reasons.values()}),
        "turns": turns,
    }


def _turn(material: Material, result: Result) -> dict[str, Any]:
    failure = material.reasons.get(result.key)
    return {
        "id": result.conversation,
        "turn": result.turn,
        "question": result.question,
        "answer": result.text or "",
        "gold": "" if result.gold is None else exact_gold(result),
        "outcome": result.outcome,
        "right": result.right.get(material.rule),
        "rules": result.right or None,
        "why": failure.reason if failure else "",
        "detail": failure.detail if failure else "",
        "slices": list(result.slices.values()),
        "ms": round(1000 * result.seconds, 3),
        "usd": float(result.usd or 0),
        "probability": result.probability,
        "checkScore": result.check_score,
        "suspect": material.errata.get(result.key, ""),
        "ungrounded": result.ungrounded,
    }


def exact_gold(result: Result) -> str:
    """The gold answer as text."""
    assert result.gold is not None
    answer = result.gold.answer
    return answer if isinstance(answer, str) else exact(answer) or ""
