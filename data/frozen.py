"""What all values have in common: none is ever changed, and none has other parts than its own.

Modules of many such values leave out `from __future__ import annotations`: pydantic would compile what it makes of each
annotation, a text, anew in every process.
"""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
