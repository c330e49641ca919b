"""The TBox in memory: how a printed label finds its property and a table its class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tieout.data.files import unreadable
from tieout.ontology.tbox.classify import Classifier
from tieout.ontology.tbox.match import Matcher
from tieout.ontology.tbox.rdf import read_turtle, write_turtle
from tieout.ontology.tbox.term import Match, Measure, OntologyClass, OntologyError, Property


class Ontology:
    """A TBox that answers which property a label means and which class a table has. It does not change."""

    def __init__(self, classes: Iterable[OntologyClass], properties: Iterable[Property]) -> None:
        self.classes = tuple(sorted(classes, key=lambda item: item.name))
        self.properties = tuple(sorted(properties, key=lambda item: item.name))
        self._matcher = Matcher(self.properties)
        self._classifier = Classifier(self.classes, self.properties, self._matcher)

    def __repr__(self) -> str:
        return f"Ontology({len(self.classes)} classes, {len(self.properties)} properties)"

    @classmethod
    def parse(cls, text: str, source: str = "the TBox") -> Ontology:
        """Reads Turtle as `turtle` writes it. Raises OntologyError, which names source, for anything else."""
        return cls(*read_turtle(text, source))

    @classmethod
    def load(cls, path: str | Path) -> Ontology:
        """Reads a Turtle file. Raises OntologyError when it cannot be read or is no TBox."""
        try:
            return cls.parse(Path(path).read_text(encoding="utf-8"), str(path))
        except FileNotFoundError:
            made = f"`tieout ontology build FILES... -o {path}` makes one"
            raise OntologyError(f"no such file: {str(path)!r}; {made}") from None
        except UnicodeDecodeError:
            raise OntologyError(f"{path}: not UTF-8 text; a TBox is a Turtle file") from None
        except OSError as error:
            raise OntologyError(unreadable(path, error)) from None

    def turtle(self) -> str:
        """The TBox as Turtle: the same terms give the same bytes."""
        return write_turtle(self.classes, self.properties)

    def match_property(self, label: str, unit: str | None = None) -> tuple[Match, ...]:
        """The properties that a printed label may mean, best first; empty where none fits.

        unit: as in `tieout.data.printed.unit`; of properties that fit equally well, one with this unit comes first.
        """
        return self._matcher.match(label, unit)

    def match_line(
        self,
        label: str,
        unit: str | None = None,
        *,
        header: str = "",
        section: str = "",
        measure: Measure | None = None,
    ) -> tuple[Match, ...]:
        """As match_property; where that is empty, the property of which the line is a special case or a part.

        That is one whose label ends the label of the line, else the one named by the header over the amount, else the
        one named by the sub-heading the line stands under, else, for amounts of money, the measure of the table.
        """
        return (
            self.match_property(label, unit)
            or self._matcher.narrower(label)
            or self._matcher.narrower_in("header", header)
            or self._matcher.narrower_in("section", section)
            or self._measured(label, unit, measure)
        )

    def _measured(self, label: str, unit: str | None, measure: Measure | None) -> tuple[Match, ...]:
        is_money = unit is None or (unit.isupper() and len(unit) == 3)
        if measure and is_money and (measure.of_parts or self._matcher.names_nothing(label)):
            return (measure.match,)
        return ()

    def match_measure(self, lines: Sequence[str], text: str, entity: Match | None) -> Measure | None:
        """What a table measures whose lines are parts or members of something: regions, products, notes, companies.

        Its class says it, else the sentence in front of it. None for a table whose lines speak for themselves.
        lines: the labels. text: the sentences in front. entity: the class, from `match_class`.
        """
        return self._classifier.measure(lines, text, entity)

    def match_class(self, labels: Sequence[str], text: str) -> tuple[Match, ...]:
        """The classes that a table may have, best first; empty where nothing speaks for any.

        labels: of its rows and columns. text: the sentences in front of it.
        """
        return self._classifier.match(labels, text)
