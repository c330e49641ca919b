"""What every test stands on: no network but loopback, no keys, and the real reports where they are."""

from __future__ import annotations

import gc
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import launched
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tieout.data.system.locks import hold, share

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data" / "convfinqa"
SAMPLE = ROOT / "data" / "sample"

# The same examples each time, however busy the machine is: whether a test fails depends on the code alone.
# `pytest --hypothesis-profile=explore` looks at others, and at more.
ANY_SPEED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("steady", derandomize=True, max_examples=40, **ANY_SPEED)
settings.register_profile("explore", **ANY_SPEED)
settings.load_profile("steady")

# What takes long comes first, so that at the end no process waits for the other.
FIRST = (
    "test_serve_day",
    "test_portable",
    "test_agent_readings",
    "test_eval_run",
    "test_serve_page",
    "test_bounds",
    "test_serve_processes",
    "test_export",
    "test_eval_report",
    "test_agent_opening",
    "test_readme",
    "test_eval_cli",
    "test_package",
    "test_eval_training",
    "test_kg_build",
    "test_eval_altered",
    "test_eval_threads",
    "test_plugins",
    "test_serve_kept",
    "test_serve_api",
    "test_serve_mcp",
    "test_serve_pressure",
    "test_kg_query",
    "test_eval_alike",
    "test_agent_recorded_answers",
    "test_expert_attacks",
    "test_structure",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the files of FIRST first; those that they hold, and all others, stay in their order."""
    order = {name: number for number, name in enumerate(FIRST)}
    items.sort(key=lambda item: order.get(item.path.stem, len(FIRST)))


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """No test, and nothing it starts, can use a key or a setting of whoever runs it.

    Steady examples are not drawn from the constants of the modules that are loaded: those depend on the tests before.
    """
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "OPENAI_", "TIEOUT_"))]:
        del os.environ[name]
    os.environ["TIEOUT_CONFIG"] = os.devnull
    if settings.get_current_profile_name() == "steady":
        assert providers._get_local_constants, "Hypothesis has it under another name now"
        providers._get_local_constants = lambda: providers._local_constants


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """What is imported lives to the end: it is not looked through again and again for what could be let go.

    On a new clone importing compiles. Of several processes the first collects alone, so that it is done once.
    """
    gc.disable()
    with Path(__file__).open("rb") as file:
        if hasattr(session.config, "workerinput"):
            try:
                hold(file.fileno(), wait=False)
            except BlockingIOError:
                share(file.fileno())
        found = yield
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 50, 100)
    return found


def pytest_runtest_setup() -> None:
    """What earlier tests left, which stays prepared for those behind them, is not looked through either."""
    gc.freeze()


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that would reach out fails at once."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family != getattr(socket, "AF_UNIX", None) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise OSError(f"a test tried to connect to {address!r}")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real ConvFinQA files. Tests that need it are skipped, loudly, where it is missing."""
    if not SHARED.is_dir():
        pytest.skip(
            "REAL DATA NOT FOUND: ../shared/data/convfinqa is missing, so this test on real reports did not run"
        )
    return SHARED


@pytest.fixture(scope="session")
def measured(pytestconfig: pytest.Config) -> bool:
    """Whether this is `make bench`; else benchmarks only show that they still run, on a part of the data."""
    return bool(pytestconfig.getoption("benchmark_enable"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The browser of all tests of a file; while it is there, nothing else can run an event loop in this thread."""
    with launched() as opened:
        yield opened


@pytest.fixture(scope="session")
def warm_desks() -> Iterator[Any]:
    """Makes workbenches that are used again by tests over the same data: each costs a process."""
    from warm_desks import WarmDesks

    made = WarmDesks()
    yield made
    made.end()


@pytest.fixture(scope="session")
def sample() -> Path:
    """The folder of the invented reports that ship with tieout."""
    return SAMPLE
