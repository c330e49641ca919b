"""The strategies by name."""

from __future__ import annotations

from collections.abc import Callable

from tieout.agent.strategies.strategy import Strategy, ToolsStrategy
from tieout.agent.workspace import Settings


class StrategyError(ValueError):
    """Settings that ask for a strategy that there is not, or for two things that do not go together."""


def _plan(settings: Settings) -> Strategy:
    from tieout.agent.strategies.plan import PlanStrategy

    return PlanStrategy(settings)


def _plain(settings: Settings) -> Strategy:
    from tieout.agent.strategies.plain import PlainStrategy

    return PlainStrategy(settings)


STRATEGIES: dict[str, Callable[[Settings], Strategy]] = {"tools": ToolsStrategy, "plan": _plan, "plain": _plain}
OTHER = {"tools": "plan", "plan": "tools"}  # whose second opinion is asked for


def make_strategy(settings: Settings) -> Strategy:
    """The strategy that the settings name. Raises StrategyError that lists those there are."""
    if settings.strategy not in STRATEGIES:
        raise StrategyError(f"there is no strategy {settings.strategy!r}; there are: {', '.join(STRATEGIES)}")
    if settings.verify and settings.strategy == "plain":
        raise StrategyError("the strategy 'plain' is a baseline and is not verified: leave out --verify")
    strategy = STRATEGIES[settings.strategy](settings)
    if not settings.verify:
        return strategy
    from tieout.agent.strategies.verify import VerifiedStrategy

    other = STRATEGIES[OTHER[settings.strategy]](settings)
    return VerifiedStrategy(strategy, other, settings.retries)


def check_strategy(settings: Settings, backend: str) -> None:
    """Raises StrategyError where the settings do not go together, or not with the backend of this name."""
    make_strategy(settings)
    if backend == "offline" and settings.strategy != "tools":
        raise StrategyError(f"the offline backend answers by the strategy 'tools' alone, not by {settings.strategy!r}")
    if backend == "offline" and (settings.verify or settings.two_phase):
        raise StrategyError(
            "the offline backend makes all calls at once, and always the same: leave out --verify and --two-phase"
        )
