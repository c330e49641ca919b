"""What a reply costs: its tokens times the prices of a small table that anyone may edit."""

from __future__ import annotations

import os
import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from tieout.agent.protocol.message import Reply, Usage
from tieout.data.files import read_toml, unreadable
from tieout.data.frozen import Frozen

TABLE = Path(__file__).with_name("prices.toml")
MILLION = Decimal(1_000_000)


class PriceError(ValueError):
    """A table of prices that cannot be read, or a model that is not in it though its price is needed."""


class Price(Frozen):
    """US dollars per million tokens, one for each of the four counts of `Usage`."""

    input: Decimal = Field(ge=0)
    output: Decimal = Field(ge=0)
    cache_write: Decimal = Field(ge=0)
    cache_read: Decimal = Field(ge=0)

    def of(self, usage: Usage) -> Decimal:
        """US dollars for these tokens."""
        counts = usage.model_dump()
        return sum((getattr(self, kind) * count for kind, count in counts.items()), Decimal(0)) / MILLION


class Prices(Frozen):
    """The table. batch: the part of a price that a batch costs."""

    models: dict[str, Price]
    batch: Decimal = Field(default=Decimal(1), ge=0, le=1)

    @classmethod
    def load(cls, path: Path | None = None) -> Prices:
        """The table of the file named, else of the one in TIEOUT_PRICES, else the one that ships. Raises PriceError."""
        path = path or Path(os.environ.get("TIEOUT_PRICES") or TABLE)
        try:
            return cls.model_validate(_shipped() if path == TABLE else read_toml(path, parse_float=Decimal))
        except OSError as error:
            raise PriceError(f"prices: {unreadable(path, error)}") from error
        except ValidationError as error:
            first = error.errors()[0]
            raise PriceError(f"prices {str(path)!r}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
        except ValueError as error:
            raise PriceError(f"prices {str(path)!r} are no TOML: {error}") from error

    def find(self, model: str) -> Price | None:
        """The price of a model, a date at the end of its name left out; None where the table has none."""
        return self.models.get(model) or self.models.get(re.sub(r"-\d{4}-?\d\d-?\d\d$", "", model))

    def require(self, model: str) -> Price:
        """The price of a model. Raises PriceError where the table has none."""
        price = self.find(model)
        if price is None:
            raise PriceError(
                f"no price for {model!r}, so that dollars cannot be limited; add it to a table of your own"
            )
        return price

    def cost(self, model: str, usage: Usage, *, batch: bool = False) -> Decimal | None:
        """US dollars for one reply, None where the price of the model is not known: that is not the same as nothing."""
        price = self.find(model)
        if price is None:
            return None
        return price.of(usage) * self.batch if batch else price.of(usage)

    def of(self, reply: Reply) -> Decimal | None:
        """US dollars for a reply, at the price of the model that was asked for where the table has none for the one
        that answered, e.g. behind a gateway; None where it has neither."""
        if reply.usage == Usage():
            return Decimal(0)
        model = reply.model if self.find(reply.model) is not None else reply.asked
        return self.cost(model, reply.usage, batch=reply.batch)


@cache
def _shipped() -> dict[str, Any]:
    return read_toml(TABLE, parse_float=Decimal)
