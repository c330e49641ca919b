"""The TBox in memory: how a printed label finds its property and a table its class."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tieout.data.files import read_small, unreadable
from tieout.data.printed.unit import Unit, is_currency
from tieout.ontology.tbox.term import Match, Measure, OntologyClass, OntologyError, Property

if TYPE_CHECKING:
    from tieout.ontology.tbox.classify import Classifier
    from tieout.ontology.tbox.match import Matcher

Terms = tuple[Sequence[OntologyClass], Sequence[Property]]
MOST = 64 << 20  # bytes of a file


class Ontology:
    """A TBox that answers which property a label means and which class a table has. It does not change.

    Its terms are read when they are first asked for: what is kept already is asked without them.
    """

    def __init__(self, classes: Iterable[OntologyClass], properties: Iterable[Property]) -> None:
        found = tuple(classes), tuple(properties)
        self._read: Callable[[], Terms] = lambda: found
        self._mark = ""

    @classmethod
    def later(cls, read: Callable[[], Terms], mark: str) -> Ontology:
        """One whose terms are read when they are needed. mark: what it is known by until then: equal for equal terms.

        Whatever read raises comes from the first use.
        """
        made = cls((), ())
        made._read, made._mark = read, mark
        return made

    @cached_property
    def terms(self) -> Terms:
        """Its classes and properties."""
        return self._read()

    @cached_property
    def classes(self) -> tuple[OntologyClass, ...]:
        """By name."""
        return tuple(sorted(self.terms[0], key=lambda item: item.name))

    @cached_property
    def properties(self) -> tuple[Property, ...]:
        """By name."""
        return tuple(sorted(self.terms[1], key=lambda item: item.name))

    @cached_property
    def _matcher(self) -> Matcher:
        from tieout.ontology.tbox.match import Matcher

        return Matcher(self.properties)

    @cached_property
    def _classifier(self) -> Classifier:
        from tieout.ontology.tbox.classify import Classifier

        return Classifier(self.classes, self.properties, self._matcher)

    @cached_property
    def mark(self) -> str:
        """What the TBox is known by, without reading its terms where that can be."""
        return self._mark or hashlib.sha256(self.turtle().encode()).hexdigest()

    def __repr__(self) -> str:
        return f"Ontology({len(self.classes)} classes, {len(self.properties)} properties)"

    @classmethod
    def parse(cls, text: str, source: str = "the TBox") -> Ontology:
        """Reads Turtle as `turtle` writes it. Raises OntologyError, which names source, for anything else."""
        from tieout.ontology.tbox.rdf import read_turtle

        return cls(*read_turtle(text, source))

    @classmethod
    def load(cls, path: str | Path) -> Ontology:
        """Reads a Turtle file. Raises OntologyError when it cannot be read or is no TBox."""
        try:
            text = read_small(Path(path), MOST)
        except FileNotFoundError:
            made = f"`tieout ontology build FILES... -o {path}` makes one"
            raise OntologyError(f"no such file: {str(path)!r}; {made}") from None
        except UnicodeDecodeError:
            raise OntologyError(f"{path}: not UTF-8 text; a TBox is a Turtle file") from None
        except OSError as error:
            raise OntologyError(unreadable(path, error)) from None
        except ValueError as error:
            raise OntologyError(f"{path}: {error}; a TBox is a Turtle file") from None
        return cls.parse(text, str(path))

    def turtle(self) -> str:
        """The TBox as Turtle: the same terms give the same bytes."""
        from tieout.ontology.tbox.rdf import write_turtle

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
        one named by the sub-heading the line stands under, else, for amounts of money and indices of them, the measure
        of the table.
        """
        return (
            self.match_property(label, unit)
            or self._matcher.narrower(label)
            or self._matcher.narrower_in("header", header)
            or self._matcher.narrower_in("section", section)
            or self._measured(label, unit, measure)
        )

    def _measured(self, label: str, unit: str | None, measure: Measure | None) -> tuple[Match, ...]:
        is_amount = unit in (None, Unit.INDEX) or is_currency(unit)  # of dollars that were invested: 100 at the start
        if measure and is_amount and (measure.of_parts or self._matcher.names_nothing(label)):
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
