"""Prices: what a reply costs, from a table that anyone may edit."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tieout.agent.backends.prices import PriceError, Prices
from tieout.agent.protocol.message import Usage

USAGE = Usage(input=1_000_000, output=100_000, cache_write=200_000, cache_read=3_000_000)


def table(tmp_path, text):
    path = tmp_path / "prices.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_kind_of_token_has_its_own_price(tmp_path):
    prices = Prices.load(
        table(tmp_path, "[models]\nm = {input = 1, output = 10, cache_write = 1.25, cache_read = 0.1}")
    )
    assert prices.cost("m", USAGE) == Decimal("1") + Decimal("1") + Decimal("0.25") + Decimal("0.3")


def test_a_batch_costs_its_part():
    prices = Prices.load()
    assert prices.cost("claude-sonnet-5-5", USAGE, batch=True) == prices.cost("claude-sonnet-5-5", USAGE) / 2


def test_a_date_at_the_end_of_a_model_is_left_out_and_nothing_else_is_guessed():
    prices = Prices.load()
    assert prices.find("claude-haiku-4-5-20251001") == prices.find("claude-haiku-4-5") is not None
    assert prices.find("claude-sonnet-5-5") != prices.find("claude-sonnet-5")
    assert prices.find("claude-sonnet-5-9") is None


def test_a_model_that_is_not_in_the_table_has_no_cost_rather_than_none():
    assert Prices.load().cost("qwen3-coder:30b", USAGE) is None


def test_a_table_of_ones_own_is_named_in_the_environment(tmp_path, monkeypatch):
    own = table(tmp_path, "[models]\nmine = {input = 0, output = 0, cache_write = 0, cache_read = 0}")
    monkeypatch.setenv("TIEOUT_PRICES", str(own))
    assert Prices.load().cost("mine", USAGE) == 0


@pytest.mark.parametrize(
    "text",
    [
        "[models",
        "models = 3",
        "[models]\nm = {input = 1}",
        "[models]\nm = {input = -1, output = 1, cache_write = 1, cache_read = 1}",
    ],
)
def test_a_broken_table_says_where(tmp_path, text):
    path = table(tmp_path, text)
    with pytest.raises(PriceError, match=r"prices\.toml"):
        Prices.load(path)
    with pytest.raises(PriceError, match="missing"):
        Prices.load(tmp_path / "missing.toml")
