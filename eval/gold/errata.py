"""Gold labels under suspicion: named with a reason, scored with and without, never dropped in silence.

["Single_NAME/2007/page_134.pdf-1"]      the id of a conversation
2 = "adds thousands to millions"         the turn, counted from 0, and why its gold is suspect
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as shortened

from tieout.data.files import read_toml, unreadable

SHIPPED = Path(__file__).with_name("errata.toml")

Errata = Mapping[tuple[str, int], str]  # conversation and turn, to the reason
_TURN = re.compile(r"0|[1-9][0-9]{0,5}")  # one way to write each number, so that no key hides another


class ErrataError(ValueError):
    """A file of errata that cannot be read. The message names the file and the place."""


def read_errata(path: Path = SHIPPED) -> Errata:
    """The reasons by conversation and turn. Raises ErrataError."""
    try:
        content = read_toml(path)
    except OSError as error:
        raise ErrataError(f"errata: {unreadable(path, error)}") from error
    except ValueError as error:
        raise ErrataError(f"errata {str(path)!r} are no TOML: {error}") from error
    found: dict[tuple[str, int], str] = {}
    for conversation, turns in content.items():
        if not isinstance(turns, dict):
            raise ErrataError(f"errata {str(path)!r}: {conversation!r} has to be a table of turns and reasons")
        for turn, reason in turns.items():
            if not _TURN.fullmatch(turn) or not isinstance(reason, str) or not reason.strip():
                raise ErrataError(
                    f"errata {str(path)!r}: {conversation!r}: {shortened(turn)} needs a turn number "
                    "(0 to 999999, without leading zeros) and a reason"
                )
            found[conversation, int(turn)] = reason
    return found
