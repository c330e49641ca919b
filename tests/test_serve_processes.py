"""Questions answered in a process beside the one that serves: the same answers, and what happens when it ends."""

from __future__ import annotations

import os
import signal
import threading

import pytest
from conftest import SAMPLE

from tieout.agent.log.events import Event
from tieout.agent.log.log import read_events
from tieout.agent.log.turn import read_turns
from tieout.agent.session import QuestionError
from tieout.ontology.model import default_ontology
from tieout.serve.asking.desk import Plan
from tieout.serve.asking.reading import Reader
from tieout.serve.asking.shelf import MOST_LOADED, Shelf
from tieout.serve.conversations import ConversationError, Conversations
from tieout.serve.library import Library

PAGE = "Single_NORVALE/2013/page_35.pdf-1"
FIRST, THEN = "what was the operating income in 2013?", "and in 2012?"


@pytest.fixture(scope="module")
def library():
    with Library(default_ontology(None)[0]) as opened:
        for name in ("ask.json", "report.htm"):
            opened.add(SAMPLE / name)[1].result()
        yield opened


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="module")
def beside(library, logs):
    there = Conversations(library, Plan(log=logs), processes=1)
    yield there
    there.close()


def end(conversations: Conversations) -> None:
    """Ends the process as the kernel would that runs out of memory."""
    process = conversations._beside[0]._process
    os.kill(process.pid, signal.SIGKILL)
    process.join()


def test_the_answers_are_those_of_this_process_and_tell_what_happens(library, beside):
    here = Conversations(library, Plan())
    for reports, questions in (([PAGE], (FIRST, THEN)), (["report"], ("what was operating income in 2024?",))):
        talks = [each.begin(reports) for each in (here, beside)]
        for question in questions:
            heard: list[Event] = []
            one, other = talks[0].ask(question), talks[1].ask(question, heard.append)
            assert one.text == other.text and one.facts_under() == other.facts_under()
            assert heard[0].event == "turn started" and heard[-1].event == "turn ended"
            assert list(other.events) == heard
    here.close()


def test_what_is_no_question_is_refused_there_too(beside):
    with pytest.raises(QuestionError):
        beside.begin([PAGE]).ask(" ")


def test_several_reports_are_asked_as_one(beside):
    talk = beside.begin(["report", PAGE])
    alias = next(alias for alias, held in talk.aliases().items() if held.id == "report")
    turn = talk.ask("what was the operating income of Brightmoor in 2024?")
    assert turn.text == "$685 million" and turn.facts_under()[0].startswith(f"{alias}:")


def test_a_conversation_goes_on_in_another_process_where_its_own_was_ended(beside, logs):
    talk = beside.begin([PAGE])
    talk.ask(FIRST)
    end(beside)
    with pytest.raises(ConversationError, match="ask again"):
        talk.ask(THEN)
    assert talk.ask(THEN).text == "$631.3 million"
    assert [turn.question for turn in talk.turns] == [FIRST, THEN]
    assert [turn.text for turn in read_turns(read_events(logs / f"{talk.key}-2.jsonl"))] == [
        "$559.5 million",
        "$631.3 million",
    ]
    assert beside.begin([PAGE]).ask(FIRST).text == "$559.5 million"


def test_a_turn_is_taken_back_there_too(beside):
    talk = beside.begin([PAGE])
    talk.ask(FIRST)
    talk.ask("what was the operating income in 2011?")
    assert talk.undo().question == "what was the operating income in 2011?"
    assert talk.ask(THEN).text == "$631.3 million"


def test_the_shelf_lets_reports_go_and_loads_them_again(library):
    shelf = Shelf(library.shelf.folder)
    sources = [held.source for held in library.ready()]
    first = shelf.loaded(sources[0])
    before = first.facts()
    for number in range(MOST_LOADED + 1):
        shelf._kept(shelf._graphs, type(sources[0])(f"other{number}", "other", False), lambda: first)
    again = shelf.loaded(sources[0])
    assert again is not first and again.facts() == before
    shelf.close()


def test_the_same_request_is_answered_once_for_all_conversations(library, monkeypatch):
    from tieout.agent.offline.backend import OfflineBackend

    calls: list[str] = []
    real = OfflineBackend.reply

    def reply(backend, request):
        calls.append(request.question)
        return real(backend, request)

    monkeypatch.setattr(OfflineBackend, "reply", reply)
    here = Conversations(library, Plan())
    talks = [here.begin([PAGE]) for _ in range(3)]
    assert len({talk.ask(FIRST).text for talk in talks}) == 1 and calls == [FIRST]
    talks[0].ask("what was the gross profit in 2013?")
    told = [talk.ask(THEN).text for talk in talks]  # behind another question it is another request
    assert told[0] != told[1] == told[2] and calls.count(THEN) == 2
    here.close()


def test_files_are_read_in_a_process_of_their_own_as_in_this_one(library, tmp_path):
    (tmp_path / "nothing.xlsx").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "sales.csv").write_text("In millions,2013,2012\nnet sales,$ 4391,$ 4000\n")
    said: list[str] = []
    with Library(default_ontology(None)[0], said.append, apart=True) as apart:
        for path in (tmp_path / "nothing.xlsx", SAMPLE / "ask.json", tmp_path / "sales.csv", tmp_path / "sales.csv"):
            apart.add(path)[1].result()
        failed, *read = apart.all()
        assert failed.state == "failed" and "nothing.xlsx" in failed.message and said == [failed.message]
        here = {held.id: held for held in library.ready() if held.id != "report"}
        assert [held.id for held in read] == [*here, "sales", "sales (2)"]
        for held in read[:-2]:
            assert held.facts == here[held.id].facts and held.is_page == here[held.id].is_page
            assert held.read == here[held.id].read
        kill(apart._reader)
        held, reading = apart.add(tmp_path / "sales.csv")
        reading.result()
        assert held.state == "failed" and "was ended" in held.message
        apart.add(tmp_path / "sales.csv")[1].result()
        assert apart.ready()[-1].facts == read[-1].facts


def test_a_file_that_takes_more_than_its_budget_is_ended_and_the_next_one_is_read(tmp_path, monkeypatch):
    (tmp_path / "wide.csv").write_text("\n".join(",".join(["5.1"] * 300) for _ in range(600)))
    (tmp_path / "sales.csv").write_text("In millions,2013,2012\nnet sales,$ 4391,$ 4000\n")
    with Library(default_ontology(None)[0], apart=True) as apart:
        monkeypatch.setenv("TIEOUT_READ_SECONDS", "0.2")
        held, reading = apart.add(tmp_path / "wide.csv")
        reading.result()
        assert held.state == "failed" and "it takes more than 0 seconds of a processor to read" in held.message
        monkeypatch.delenv("TIEOUT_READ_SECONDS")
        apart.add(tmp_path / "sales.csv")[1].result()
        assert len(apart.ready()) == 1


def kill(reader) -> None:
    """Ends the process that reads, as the kernel would."""
    os.kill(reader.process.pid, signal.SIGKILL)
    reader.process.join()


class Waiting:
    """Who is told of a file, and waits for the test when its first report is named."""

    def __init__(self) -> None:
        self.named, self.go_on = threading.Event(), threading.Event()

    def name(self, document_id: str) -> tuple[str, str]:
        self.named.set()
        self.go_on.wait()
        return "r1", document_id

    def __getattr__(self, _: str):
        return lambda *_: None


def test_a_reader_that_is_closed_while_it_reads_ends_the_reading_and_starts_no_other_process(tmp_path):
    reader, told, ended = Reader(default_ontology(None)[0].turtle(), tmp_path), Waiting(), []

    def read() -> None:
        try:
            reader.read(SAMPLE / "report.htm", "report", told)
        except EOFError as error:
            ended.append(error)

    thread, process = threading.Thread(target=read), reader.process
    thread.start()
    assert told.named.wait(300)
    closing = threading.Thread(target=reader.close)
    closing.start()
    process.join()
    told.go_on.set()
    closing.join()
    thread.join()
    assert ended and reader.process is process and not process.is_alive()
    with pytest.raises(EOFError):
        reader.read(SAMPLE / "report.htm", "report", told)
