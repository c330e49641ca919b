"""The manifest of a lake in a bucket: the one object that says what its present state is.

| under the URL | what |
|---|---|
| `lake.json` | the manifest: form, versions, TBox, the parts of the index; replaced whole, where nobody else did |
| `parts/HASH` | pages of the index, written once |
| `bundles/KEY` | bundles, written once |
| `files/HASH` | the files that they were made of |
| `tbox/HASH` | the TBox as N-Quads |

Who reads takes a state of the index, which never changes, and bundles as they are asked for. Who writes works on a
state of its own and puts in all that is new before the manifest: one that is cut off leaves the old state. Where
another was first, the same is done again on what that left. What nothing has referred to for a day is taken away by
who writes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import timedelta

from tieout.data.system import version
from tieout.kg.index.schema import VERSION
from tieout.kg.store.bucket import Bucket
from tieout.kg.store.store import StoreError

FORM = 1  # of what lies under the URL
STAY = timedelta(days=1)  # for which readers of earlier states find what nothing refers to any more
MANIFEST, PARTS, BUNDLES, FILES, TBOX = "lake.json", "parts/", "bundles/", "files/", "tbox/"


@dataclass(frozen=True, slots=True)
class State:
    """What a manifest says. ontology, tbox: the mark of the TBox, and a hash of its graph; size: bytes of the index, in
    pages of so many; many: pages in its parts, by their hashes; left: when what earlier states referred to was left by
    the last of them; index: the version of its tables; tieout: what wrote it."""

    ontology: str
    tbox: str
    size: int
    page: int
    many: int
    parts: tuple[str, ...]
    left: Mapping[str, str] = field(default_factory=dict)
    form: int = FORM
    index: int = VERSION
    tieout: str = version.OWN

    @classmethod
    def read(cls, text: bytes) -> State:
        """Of a manifest of this form. Raises ValueError, TypeError, KeyError for what is none."""
        told = json.loads(text)
        if told["form"] != FORM:
            return cls("", "", 0, 0, 0, (), form=told["form"], tieout=str(told.get("tieout")))
        return cls(**{**told, "parts": tuple(told["parts"])})

    def text(self) -> bytes:
        """The manifest."""
        return json.dumps(asdict(self), indent=0).encode()

    @property
    def name(self) -> str:
        """By which it is known here."""
        return hash_of(self.text())[:24]

    def objects(self) -> Iterator[str]:
        """The objects that it refers to itself."""
        yield from (MANIFEST, TBOX + self.tbox, *(PARTS + each for each in self.parts))


def read_manifest(bucket: Bucket, again: bool = False) -> tuple[State | None, str]:
    """The present state, and its tag; no state where there is none. again: nor where it cannot be read."""
    text, tag = bucket.get(MANIFEST)
    if text is None:
        return None, ""
    try:
        state = State.read(text)
    except (ValueError, TypeError, KeyError):
        if again:
            return None, tag
        raise damaged(bucket.url, f"its {MANIFEST} cannot be read") from None
    if not again and (state.form, state.index) != (FORM, VERSION):
        raise StoreError(
            f"the store at {bucket.url!r} is of another version (tieout {state.tieout}) and is not read by this one: "
            f"`tieout index --again --store {bucket.url}` makes it again"
        )
    return (state if state.form == FORM else None), tag


def damaged(url: str, why: str) -> StoreError:
    """That a lake is damaged, and the way out."""
    way_out = f"`tieout index --again FOLDERS --store {url}` makes it again of the files"
    return StoreError(f"the store at {url!r} is damaged ({why}): {way_out}")


def hash_of(content: bytes) -> str:
    """By which an object is called."""
    return hashlib.sha256(content).hexdigest()
