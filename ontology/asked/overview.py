"""Questions for how a company did as a whole, which its main figures tell."""

from __future__ import annotations

from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.metrics.slips import words_of_measures


def main_figures(text: str) -> str:
    """`How did Acme do in 2023?` as a question for the main figures of Acme in 2023; any other question as it is."""
    asked = text.strip().rstrip("?!. ")
    found = next(filter(None, (way.fullmatch(asked) for way in language().overview)), None)
    if found is None or find_measures(asked.lower()):
        return text
    said = found.groupdict("")
    who, when = (said.get("who") or said.get("whose") or "").strip(), said["when"].strip(" ,")
    if any(word.islower() and singular(word) in words_of_measures() for word in who.split()):
        return text  # of margins
    of = f" of {who}" if who else ""
    at = f" in {when}" if when[:1].isdigit() else f" {when}" if when else ""
    return f"what were {'its' if said.get('its') else 'the'} {language().main_figures}{of}{at}?"
