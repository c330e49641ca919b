"""A model that names and merges line items: what it is asked, what is taken from it, logged, and refused."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner
from conftest import ROOT, SAMPLE
from messages_server import error, message, serving, text, use
from ontology_documents import reports
from scripted import ScriptedBackend, says

import tieout
from tieout.adviser import AdviceError, Adviser, make_adviser
from tieout.agent.protocol.message import BackendError
from tieout.ontology.build import build
from tieout.ontology.cli import ontology as commands
from tieout.ontology.learn.advice import Proposal
from tieout.ontology.model import Ontology

SHOWN = (Proposal("net income", ("net earnings",), ("USD",), 2), Proposal("cost of sales", (), ("USD",), 1))
NOTHING = {"names": {}, "same": []}
RENAMED = {"names": {"net income": "profit for the year"}, "same": [["expected life", "cost of sales"]]}
KEY = "sk-test-advice"


def adviser(*replies):
    written = []
    backend = ScriptedBackend(replies)
    return Adviser(backend, written.append), backend, written


def test_a_request_shows_every_line_item_and_wants_one_typed_call():
    advise, backend, _ = adviser(says(("advise", NOTHING)))
    advise(SHOWN)
    (request,) = backend.requests
    assert [json.loads(line) for line in request.card.text.splitlines()] == [
        {"label": "net income", "also": ["net earnings"], "units": ["USD"], "documents": 2},
        {"label": "cost of sales", "also": [], "units": ["USD"], "documents": 1},
    ]
    (tool,) = request.tools
    assert request.must_call == tool.name == "advise"
    assert tool.parameters["required"] == ["names", "same"]
    assert tool.parameters["properties"]["same"]["items"]["minItems"] == 2


def test_advice_changes_the_tbox_and_every_call_is_logged_with_what_was_not_followed():
    unfit = {**RENAMED, "names": {**RENAMED["names"], "nothing": "something"}}
    advise, backend, written = adviser(says(("advise", unfit), model="m"))
    made = build(reports(), advise=advise, log=advise.log)
    (named,) = (item for item in made.properties if item.name == "profitForTheYear")
    assert "net income" in named.alternatives
    assert made.match_property("cost of sales")[0].name == made.match_property("expected life")[0].name
    called, advised = written
    assert (called["event"], called["backend"], called["reply"]["model"]) == ("model called", "scripted", "m")
    assert called["request"] == backend.requests[0].model_dump(mode="json")
    assert called["reply"]["calls"][0]["arguments"] == unfit
    assert (advised["event"], advised["names"], advised["same"]) == ("advised", unfit["names"], unfit["same"])
    assert advised["refused"] == ["name 'nothing': no such line item"]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (says(text="All is well."), "one call of `advise` is needed, made: none"),
        (says(("answer", NOTHING)), "made: answer"),
        (says(("advise", NOTHING), ("advise", NOTHING)), "made: advise, advise"),
        (says(("advise", {"names": {}})), "advise: same: Field required"),
        (says(("advise", {"names": ["net income"], "same": []})), "advise: names: Input should be a valid dictionary"),
        (says(("advise", {"names": {}, "same": [["net income"]]})), "advise: same.0: List should have at least 2"),
        (says(("advise", {**NOTHING, "drop": ["net income"]})), "advise: drop: Extra inputs"),
    ],
)
def test_a_reply_that_does_not_fit_goes_back_once_and_is_then_refused(reply, why):
    advise, backend, written = adviser(reply, reply)
    with pytest.raises(AdviceError, match="the advice of 'scripted' was refused: ") as raised:
        advise(SHOWN)
    assert why in str(raised.value)
    assert len(written) == len(backend.requests) == 2
    (exchange,) = backend.requests[1].exchanges
    assert why in exchange.feedback + "".join(result.content for result in exchange.results)
    assert [result.id for result in exchange.results] == [call.id for call in reply.calls]


def test_a_repaired_reply_is_taken():
    advise, _, _ = adviser(says(text="Hm."), says(("advise", {**NOTHING, "names": {"net income": "profit"}})))
    assert advise(SHOWN).names == {"net income": "profit"}


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (says(("advise", NOTHING), stop="length"), "'scripted' did not come to the end of its advice"),
        (says(stop="refusal"), "'scripted' refused to advise"),
        (BackendError("overloaded", "try later"), r"no advice from 'scripted' \(overloaded\): try later"),
    ],
)
def test_a_reply_that_is_none_ends_the_advice_and_is_logged(reply, why):
    advise, _, written = adviser(reply, says(("advise", NOTHING)))
    with pytest.raises(AdviceError, match=why):
        advise(SHOWN)
    assert len(written) == 1


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs `tieout ontology build` on the sample against a server with these replies."""
    monkeypatch.chdir(tmp_path)

    def start(*replies, options=(), backend="anthropic:test-model,retries=0"):
        with serving(*replies) as server:
            monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            arguments = ["ontology", "build", str(SAMPLE / "train.json"), "--backend", backend, *options]
            done = CliRunner().invoke(tieout.main, arguments)
        assert "Traceback" not in done.output and KEY not in done.output
        return done, server

    return start


def events(path):
    written = path.read_text()
    assert KEY not in written
    return [json.loads(line) for line in written.splitlines()]


def test_a_model_names_line_items_through_the_messages_api_and_the_log_holds_every_call(run, tmp_path):
    def first_is_renamed(body):
        label = json.loads(body["system"][1]["text"].splitlines()[0])["label"]
        return message(use("advise", {"names": {label: f"{label} as advised"}, "same": []}))

    done, server = run(first_is_renamed, options=["--json", "--log", "logs/calls.jsonl"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["properties"] > 0
    assert "every call of anthropic:test-model,retries=0 is logged in logs/calls.jsonl" in done.stderr
    made = Ontology.load(tmp_path / "ontology.ttl")
    assert any(item.label.endswith(" as advised") for item in made.properties)
    logged = events(tmp_path / "logs" / "calls.jsonl")
    assert [event["event"] for event in logged] == ["model called", "advised"] * len(server.requests)
    assert [tool["name"] for tool in server.requests[0].body["tools"]] == ["advise"]
    assert logged[0]["reply"]["usage"]["input"] == 10


def test_a_lone_surrogate_in_advice_is_replaced_and_logged(run, tmp_path):
    names = {"names": {"nothing\ud800": "something\udfff"}, "same": []}
    done, _ = run(message(text("\ud800"), use("advise", names)), options=["--json"])
    assert done.exit_code == 0, done.output
    called, advised, *_ = events(tmp_path / "ontology.advice.jsonl")
    assert called["reply"]["text"] == "\ufffd"
    assert list(advised["names"].values()) == ["something\ufffd"]


def test_advice_that_changes_nothing_gives_the_tbox_that_is_built_without(run, tmp_path):
    done, _ = run(message(use("advise", NOTHING)), options=["-o", "with.ttl"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "with.advice.jsonl").exists()
    assert CliRunner().invoke(commands, ["build", str(SAMPLE / "train.json"), "-o", "without.ttl"]).exit_code == 0
    assert (tmp_path / "with.ttl").read_bytes() == (tmp_path / "without.ttl").read_bytes()
    assert not (tmp_path / "without.advice.jsonl").exists()


@pytest.mark.parametrize(
    ("reply", "why", "event"),
    [
        (message(text("no")), "the advice of 'anthropic:test-model,retries=0' was refused: one call", "model called"),
        (error(529, "overloaded_error", "later"), "(overloaded): the endpoint says 'later'", "model failed"),
    ],
)
def test_without_advice_there_is_one_line_and_no_tbox(run, tmp_path, reply, why, event):
    done, _ = run(reply)
    assert done.exit_code == 1
    told = done.stderr.splitlines()
    assert len(told) == 2 and told[1].startswith("tieout: ") and why in told[1]
    assert not (tmp_path / "ontology.ttl").exists()
    assert {each["event"] for each in events(tmp_path / "ontology.advice.jsonl")} == {event}


@pytest.mark.parametrize(
    ("backend", "why"),
    [
        ("offline", "the backend 'offline' cannot advise on line items: anthropic:<model> or openai:<model> can"),
        (
            "replay:runs/one",
            "the backend 'replay:runs/one' cannot advise on line items: anthropic:<model> or openai:<model> can",
        ),
        ("oracle", "there is no backend 'oracle'"),
        ("anthropic:m,warmth=1", "'warmth=1' is no option of the backend"),
    ],
)
def test_a_backend_that_cannot_advise_is_one_line(run, tmp_path, backend, why):
    done, server = run(message(use("advise", NOTHING)), backend=backend)
    assert done.exit_code == 1
    assert done.output.count("\n") == 1 and done.output.startswith(f"tieout: {why}")
    assert not server.requests and not list(tmp_path.iterdir())


def test_without_a_key_or_a_place_for_the_log_nothing_is_asked(run, tmp_path):
    with pytest.raises(AdviceError, match="no API key"):
        make_adviser("anthropic:test-model", tmp_path / "log.jsonl")
    done, server = run(message(use("advise", NOTHING)), options=["--log", str(tmp_path)])
    assert done.exit_code == 1 and done.output.count("\n") == 1
    assert not server.requests


def test_a_log_without_a_backend_is_refused(run):
    done = CliRunner().invoke(tieout.main, ["ontology", "build", str(SAMPLE / "train.json"), "--log", "x.jsonl"])
    assert done.exit_code == 2
    assert "--log needs a --backend" in done.output


def test_building_without_a_model_loads_no_backend(tmp_path):
    arguments = ["ontology", "build", str(SAMPLE / "train.json"), "-o", str(tmp_path / "o.ttl"), "--json"]
    code = f"""import sys, tieout
tieout.main({arguments!r}, standalone_mode=False)
print({{"tieout.agent", "anthropic"}} & set(sys.modules), file=sys.stderr)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr.strip() == "set()" and (tmp_path / "o.ttl").exists()
