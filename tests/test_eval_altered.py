"""Runs that somebody altered: whatever is cut, changed, left out, doubled, moved or exchanged, no command believes it.

Of every kind of change 500 places are tried, most of them on the log alone, some on every command.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import SAMPLE
from eval_runs import TBOX, Student, not_over, run

from tieout.agent.ledger.ledger import Entry
from tieout.agent.log.events import EVENT, ToolCalled
from tieout.agent.log.log import Log, LogError, is_complete, read_events
from tieout.agent.log.recorded import Recorded
from tieout.eval.cli import evaluate
from tieout.eval.run.logs import LogFile, log_files
from tieout.eval.run.manifest import Manifest, RunError, read_manifest, write_manifest
from tieout.eval.run.sample import Selection
from tieout.eval.score.load import broken_logs, load

ASK = SAMPLE / "ask.json"
PLACES = 500
Lines = list[bytes]


@pytest.fixture(autouse=True)
def student(monkeypatch) -> Student:
    made = Student(ASK)
    monkeypatch.setattr("tieout.eval.run.work.make_backend", lambda name: made)
    monkeypatch.setenv("COLUMNS", "200")
    return made


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A folder with the runs `first` and `second` of four conversations, and `twice` with a repeat."""
    runs = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tieout.eval.run.work.make_backend", lambda name: Student(ASK))
        for name, repeat in (("first", 1), ("second", 1), ("twice", 2)):
            run(runs, ASK, name=name, backend="student", selection=Selection(limit=4), repeat=repeat)
    return runs


@pytest.fixture
def first(made, tmp_path, monkeypatch) -> Path:
    """A copy of the run `first` to alter, from the folder above its own."""
    shutil.copytree(made, tmp_path / "runs")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "runs" / "first"


def smallest(folder: Path) -> LogFile:
    return min(log_files(folder, read_manifest(folder)), key=lambda each: each.path.stat().st_size)


def is_part_of(told: Recorded, whole: Recorded) -> bool:
    """Whether no more is told than what stood there, and the end is not, so that it counts as not complete."""
    numbers = [turn.number for turn in whole.turns[: len(told.turns)]]
    return told.events == whole.events[: len(told.events)] and [turn.number for turn in told.turns] == numbers


def draws(seed: int) -> Iterator[random.Random]:
    return (random.Random(f"{seed} {place}") for place in range(PLACES))


def cut(content: bytes, draw: random.Random) -> bytes:
    return content[: draw.randrange(len(content))]


def flip(content: bytes, draw: random.Random) -> bytes:
    place = draw.randrange(len(content) - 1)
    return content[:place] + bytes([content[place] ^ (1 << draw.randrange(8))]) + content[place + 1 :]


def delete(content: bytes, draw: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    start = draw.randrange(len(lines) - 1)
    del lines[start : start + draw.choice([1, 1, 2, 5])]
    return b"".join(lines)


def double(content: bytes, draw: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    lines.insert(draw.randrange(len(lines) + 1), draw.choice(lines))
    return b"".join(lines)


def swap(content: bytes, draw: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    one, other = draw.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def put_anew(path: Path, content: bytes) -> None:
    """As a new file: some file systems wait for the disk when one is emptied and written again."""
    path.unlink()
    path.write_bytes(content)


CHANGES: list[Callable[[bytes, random.Random], bytes]] = [cut, flip, delete, double, swap]


@pytest.mark.parametrize("change", CHANGES)
def test_a_log_that_was_altered_is_refused_or_not_complete(first, change):
    file = smallest(first)
    content, whole = file.path.read_bytes(), file.read()
    for draw in draws(1):
        put_anew(file.path, change(content, draw))
        try:
            told = file.read()
        except LogError as error:
            assert str(file.path) in str(error)
            continue
        if change is cut or file.path.read_bytes() in content:  # a log that ends earlier: as after a crash
            assert is_part_of(told, whole) and not told.ended
        else:
            pytest.fail(f"{change.__name__} was not found")


def test_a_line_of_another_log_fits_nowhere(first):
    files = list(log_files(first, read_manifest(first)))
    contents = {each.path: each.path.read_bytes().splitlines(keepends=True) for each in files}
    file = smallest(first)
    others = [each.path for each in files if each.path != file.path]
    for draw in draws(2):
        lines, other = list(contents[file.path]), contents[draw.choice(others)]
        place = draw.randrange(len(lines))
        lines[place] = draw.choice(other)
        put_anew(file.path, b"".join(lines))
        with pytest.raises(LogError):
            file.read()


def test_a_log_in_the_place_of_another_is_found_whatever_run_and_repeat_it_is_from(first):
    folders = [first, first.parent / "second", first.parent / "twice", first.parent / "twice" / "repeat-2"]
    logs = [path for folder in folders for path in sorted(folder.glob("*.jsonl"))]
    contents = {path: path.read_bytes() for path in logs}
    files = {file.path: file for name in ("first", "second", "twice") for file in _files(first.parent / name)}
    assert set(files) == set(logs) and len(logs) == 16
    for place, other in permutations(logs, 2):
        put_anew(place, contents[other])
        with pytest.raises(LogError, match=r"begins the conversation|it is the log of another run"):
            files[place].read()
        put_anew(place, contents[place])


def _files(folder: Path) -> Iterator[LogFile]:
    return log_files(folder, read_manifest(folder))


# The list


def worst(folder: Path) -> str:
    results = load(folder).results
    return min(results, key=lambda each: (any(each.right.values()), each.conversation)).conversation


def without_the_worst(folder: Path) -> Manifest:
    """Takes the worst conversation out of run.json, and its log away."""
    name, manifest = worst(folder), read_manifest(folder)
    next(each.path for each in log_files(folder, manifest) if each.conversation == name).unlink()
    left = {each: questions for each, questions in manifest.conversations.items() if each != name}
    return manifest.model_copy(update={"conversations": left})


def put(folder: Path, manifest: Manifest) -> None:
    write_manifest(folder, manifest, (folder / "ontology.ttl").read_text())


def test_a_conversation_that_is_taken_out_with_its_log_is_missed(first):
    put(first, without_the_worst(first))
    with pytest.raises(RunError, match=r"run.json' was changed after the run was begun: it does not fit its seal"):
        load(first)


def test_it_is_missed_by_all_other_logs_where_the_seal_is_made_to_fit(first):
    forged = without_the_worst(first).sealed()
    put(first, forged)
    with pytest.raises(LogError, match=r"line 1 does not fit run\.json"):
        load(first)
    assert len(broken_logs(first)) == 3


def test_it_is_missed_where_the_run_is_said_to_have_been_extended(first):
    known = read_manifest(first)
    forged = without_the_worst(first)
    forged = forged.model_copy(update={"extents": (tuple(known.conversations),)})
    put(first, forged.model_copy(update={"seal": known.seal}))
    with pytest.raises(RunError, match="it has lost the conversation"):
        load(first)
    forged = forged.model_copy(update={"extents": (tuple(forged.conversations),)})
    put(first, forged.model_copy(update={"seal": forged.seals()[-1]}))
    with pytest.raises(LogError, match=r"line 1 does not fit run\.json"):
        load(first)


def test_it_is_missed_where_the_run_is_said_to_be_of_before_there_were_seals(first):
    put(first, without_the_worst(first).model_copy(update={"seal": None}))
    with pytest.raises(LogError, match=r"line 1 does not fit run\.json"):
        load(first)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("backend", "anthropic:best"),
        ("history", "gold"),
        ("repeat", 2),
        ("started", "2020-01-01"),
        ("run", "third"),
        ("settings", {}),
        ("versions", {}),
        ("ontology_sha256", "0"),
        ("conversations", {}),
    ],
)
def test_nothing_of_what_a_run_is_can_be_said_otherwise_later(first, field, value):
    put(first, read_manifest(first).model_copy(update={field: value}))
    with pytest.raises(RunError, match="does not fit its seal"):
        load(first)


def test_a_log_that_the_list_lacks_is_flagged(first):
    stray = first / "another.jsonl"
    shutil.copy(smallest(first).path, stray)
    assert broken_logs(first) == [(stray, "the run has no such conversation")]
    with pytest.raises(RunError, match=r"another.jsonl' is the log of no conversation of run 'first'"):
        load(first)


def test_a_run_that_was_extended_fits_its_seals(first, student):
    manifest = read_manifest(first)
    extended = run(first.parent, ASK, name="first", selection=Selection(limit=6))
    assert extended.complete == 6 and broken_logs(first) == []
    now = read_manifest(first)
    assert now.extents == (tuple(manifest.conversations),) and now.seals()[0] == manifest.seal
    put(first, now.model_copy(update={"extents": ()}).sealed())
    with pytest.raises(LogError, match=r"does not fit run\.json"):
        load(first)


def test_a_run_of_before_there_were_seals_is_read_and_gone_on_with(first, student):
    wanted = read_manifest(first).model_copy(update={"seal": None})
    for each in log_files(first, read_manifest(first)):
        again = each.path.with_suffix(".again")
        with Log(again) as log:
            for event in read_events(each.path):
                log.append(event)
        again.replace(each.path)
    put(first, wanted)
    assert load(first).complete == 4
    assert run(first.parent, ASK, name="first", selection=Selection(limit=5)).complete == 5
    assert read_manifest(first).seal is None and broken_logs(first) == []


# What ends a conversation


def test_a_call_that_speaks_of_the_end_of_a_conversation_does_not_end_it(first):
    file = smallest(first)
    events = list(read_events(file.path))
    place = next(number for number, event in enumerate(events) if isinstance(event, ToolCalled))
    called = EVENT.validate_python(events[place].model_dump() | {"input": {"event": "conversation ended"}})
    events[place] = called
    file.path.unlink()
    for number, event in enumerate(events):
        with Log(file.path, file.starts[-1]) as log:
            log.append(event)
        assert is_complete(file.path) == (number == len(events) - 1)
    assert b'"event":"conversation ended"' in file.path.read_bytes().splitlines()[place]
    assert broken_logs(first) == [] and file.read().ended


# Written anew, with hashes that fit


def rewrite(file: LogFile, change: Callable[[list], list]) -> None:
    events = change(list(read_events(file.path)))
    file.path.unlink()
    with Log(file.path, file.starts[-1]) as log:
        for event in events:
            log.append(event)


def no_entries(events: list) -> list:
    return [event.model_copy(update={"entries": ()}) if isinstance(event, ToolCalled) else event for event in events]


def in_a_circle(events: list) -> list:
    """Every entry that was calculated rests on itself."""
    return [
        event.model_copy(update={"entries": tuple(map(_on_itself, event.entries))})
        if isinstance(event, ToolCalled)
        else event
        for event in events
    ]


def _on_itself(entry: Entry) -> Entry:
    fields = {"kind": "operation", "operation": "add", "operands": [entry.name, entry.name]}
    return Entry.model_validate(entry.model_dump() | {"source": fields})


@pytest.mark.parametrize(
    "change",
    [
        no_entries,
        in_a_circle,
        lambda events: events[1:],
        lambda events: [events[0], *events],
        lambda events: [*events[:1], *events[2:]],
        lambda events: [events[0], *(e.model_copy(update={"turn": e.turn + 1}) for e in events[1:-1]), events[-1]],
        lambda events: [*events[:-1], events[-1].model_copy(update={"turns": 1})],
        lambda events: [*events[:-1], events[-1].model_copy(update={"outcomes": ()})],
    ],
)
def test_events_that_are_no_conversation_are_one_line_though_their_hashes_fit(first, change):
    rewrite(smallest(first), change)
    with pytest.raises(LogError, match=r"line|turn"):
        load(first)


def test_a_question_that_the_data_file_does_not_have_is_found(first):
    def ask_otherwise(events: list) -> list:
        return [e.model_copy(update={"question": "easy?"}) if e.event == "turn started" else e for e in events]

    rewrite(smallest(first), ask_otherwise)
    with pytest.raises(LogError, match=r"turn 1 asked 'easy\?', not"):
        load(first)


# The commands that people use


def tieout(*words: object) -> Result:
    return CliRunner().invoke(evaluate, [str(word) for word in words])


def commands(runs: Path, name: str) -> dict[str, list[object]]:
    conversation = min(_files(runs / "second"), key=lambda each: each.path).conversation  # that of the first log
    same = ["--limit", 4, "--backend", "student", "--no-store", "--runs", runs, "--json"]
    return {
        "show": ["show", name, "--runs", runs],
        "show --json": ["show", name, "--runs", runs, "--json"],
        "score": ["score", name, "--runs", runs],
        "export": ["export", name, "--format", "csv", "--runs", runs],
        "export otel": ["export", name, "--format", "otel", "--runs", runs],
        "report": ["report", name, "--runs", runs, "-o", runs / "report.html"],
        "compare": ["compare", "second", name, "--runs", runs],
        "failures": ["failures", name, "--runs", runs],
        "turn": ["turn", name, conversation, "1", "--runs", runs],
        "baseline": ["baseline", name, "--runs", runs],
        "verify": ["verify", name, "--runs", runs],
        "run": ["run", ASK, "--run", name, "--ontology", runs / name / "ontology.ttl", *same],
    }


def in_one_line(done: Result) -> bool:
    """Whether a command said what is wrong, and nothing else."""
    said = done.stderr or done.stdout  # `verify` answers what it was asked
    return done.exit_code == 1 and said.count("\n") == 1 and isinstance(done.exception, SystemExit)


ATTACKS: dict[str, Callable[[Path], object]] = {
    "a digit": lambda file: file.write_bytes(file.read_bytes().replace(b'"turn":0', b'"turn":1', 1)),
    "a line less": lambda file: file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[1:])),
    "a line more": lambda file: file.write_bytes(file.read_bytes() * 2),
    "another log": lambda file: shutil.copy(next(each for each in file.parent.glob("*.jsonl") if each != file), file),
    "another run": lambda file: shutil.copy(file.parent.parent / "second" / file.name, file),
    "one too many": lambda file: shutil.copy(file, file.parent / "x.jsonl"),
    "the list": lambda file: put(file.parent, without_the_worst(file.parent)),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_command_believes_a_run_that_was_altered(first, attack):
    every = commands(first.parent, "first")
    ATTACKS[attack](sorted(first.glob("*.jsonl"))[0])
    for name, words in every.items():
        done = tieout(*words)
        assert in_one_line(done), (name, done.output, done.exception)


@pytest.fixture
def no_plots(monkeypatch):
    """Reports have tables alone: drawing takes longer than all other commands."""
    monkeypatch.setattr("tieout.data.output.chart.find_spec", lambda name: None)


def test_a_log_that_is_gone_or_cut_is_told_by_every_command_once_a_run_was_completed(first, no_plots):
    every = commands(first.parent, "first")
    again = every.pop("run")
    removed, shortened = sorted(first.glob("*.jsonl"))[:2]
    removed.unlink()
    shortened.write_bytes(shortened.read_bytes()[:-200])
    for name, words in every.items():
        if name != "verify":
            done = tieout(*words)
            assert in_one_line(done) and "since run 'first' was completed" in done.stderr, name
    assert tieout(*every["verify"]).exit_code == 1
    assert tieout(*again).exit_code == 0
    assert all(tieout(*words).exit_code == 0 for words in every.values())


def test_a_run_that_is_not_over_says_so_beside_every_figure(first):
    removed = sorted(first.glob("*.jsonl"))[0]
    removed.unlink()
    not_over(first)
    every = commands(first.parent, "first")
    for name in ("show", "show --json", "score", "export", "export otel", "report", "compare", "failures", "baseline"):
        done = tieout(*every[name])
        assert done.exit_code == 0, (name, done.output)
        assert "the run first is not complete: 1 conversations are left" in done.stderr, name
    said = json.loads(tieout("score", "first", "--json").stdout)
    assert (said["status"], said["conversations"], said["conversations_complete"]) == ("incomplete", 4, 3)


def test_every_command_takes_a_run_that_nobody_touched(first, no_plots):
    for name, words in commands(first.parent, "first").items():
        done = tieout(*words)
        assert done.exit_code == 0 and not isinstance(done.exception, AssertionError), (name, done.output)


# Replay


@pytest.fixture
def replaying(monkeypatch):
    from tieout.agent.backends.choose import make_backend

    monkeypatch.setattr("tieout.eval.run.work.make_backend", make_backend)


def replay(first: Path) -> Result:
    fixed = [
        "--limit",
        4,
        "--json",
        "--no-store",
        "--run",
        "again",
        "--ontology",
        first / "ontology.ttl",
        "--runs",
        "runs",
    ]
    return tieout("run", ASK, "--backend", f"replay:{first}", *fixed)


def test_a_run_that_nobody_touched_is_replayed(first, replaying):
    assert replay(first).exit_code == 0


@pytest.mark.parametrize("attack", ["a digit", "a line less", "a line more", "another log"])
def test_a_run_is_not_replayed_from_a_log_that_was_altered(first, replaying, attack):
    ATTACKS[attack](sorted(first.glob("*.jsonl"))[0])
    done = replay(first)
    assert in_one_line(done) and "jsonl" in done.stderr
    assert not (first.parent / "again").exists()


@pytest.mark.parametrize("attack", ["a digit", "a line less", "a line more", "another log"])
def test_nor_from_a_folder_of_logs_alone(first, replaying, attack):
    ATTACKS[attack](sorted(first.glob("*.jsonl"))[0])
    shutil.copy(first / "ontology.ttl", first.parent)
    (first / "run.json").unlink()
    done = replay(first)
    assert in_one_line(done) and "jsonl" in done.stderr
    assert load(first.parent / "again").complete < 4


def test_turns_that_were_not_recorded_are_no_answers_of_a_backend(first, replaying):
    not_over(first)
    path = sorted(first.glob("*.jsonl"))[0]
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    done = replay(first)
    assert done.exit_code == 1 and "have no reply in what it replays" in done.stderr


# A folder that is taken away


@pytest.mark.parametrize("after", [1, 5, 9])
def test_a_run_whose_folder_is_deleted_under_it_fails(first, student, monkeypatch, after):
    inner, asked = student.reply, []

    def reply(request):
        asked.append(request)
        if len(asked) == after:
            shutil.rmtree(first.parent / "third")
        return inner(request)

    monkeypatch.setattr(student, "reply", reply)
    done = tieout("run", ASK, "--run", "third", "--limit", 4, "--no-store", "--runs", first.parent)
    assert done.exit_code == 1 and done.stdout == "", done.output
    assert done.stderr.splitlines()[-1].startswith("tieout: ") and "third" in done.stderr
    assert not (first.parent / "third" / "run.json").exists()


def test_a_log_that_is_deleted_while_it_is_written_is_no_log(tmp_path):
    from tieout.agent.log.events import TurnStarted

    with Log(tmp_path / "a.jsonl") as log:
        log.append(TurnStarted(turn=0, question="?"))
        (tmp_path / "a.jsonl").unlink()
        with pytest.raises(LogError, match=r"a.jsonl' was deleted while it was being written"):
            log.append(TurnStarted(turn=1, question="?"))


def test_a_run_that_is_replayed_has_the_same_events_whatever_its_seal(first):
    assert TBOX is not None
    one, other = (sorted((first.parent / name).glob("*.jsonl"))[0] for name in ("first", "second"))
    assert next(read_events(one)).model_dump(exclude={"at"}) == next(read_events(other)).model_dump(exclude={"at"})
    assert one.read_bytes()[:400] != other.read_bytes()[:400]
