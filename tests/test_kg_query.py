"""Queries from outside: what is refused, what is stopped, and that the next one is served none the less."""

from __future__ import annotations

import json
import shutil
import signal
import socketserver
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from pyparsing import ParseException
from rdflib.plugins.sparql.parser import parseQuery

import tieout
import tieout.kg.store.worker
from tieout.data.system.lines import LineProcess
from tieout.kg.output import write_result
from tieout.kg.store.guard import QueryError, check_query
from tieout.kg.store.query import QueryWorker, Result
from tieout.kg.store.store import StoreError, open_store, replace_graphs, snapshot
from tieout.ontology.vocabulary import PREFIXES

QUADS = b"".join(
    b'<urn:tieout:doc:%d#t1r1c1> <urn:tieout:kg#value> "%d.5"^^<%s> <urn:tieout:doc:%d> .\n'
    % (n, n, PREFIXES["xsd"].encode() + b"decimal", n)
    for n in range(200)
)
CALL = "SERVICE <http://127.0.0.1:9/> { ?s ?p ?o }"  # pyoxigraph refuses this port: nothing is sent
BOMB = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


@pytest.fixture(scope="module")
def worker():
    with QueryWorker(quads=QUADS) as found:
        yield found


@pytest.fixture
def store(tmp_path):
    directory = tmp_path / "store"
    with open_store(directory) as opened:
        replace_graphs(opened, [("urn:tieout:doc:1", QUADS)])
    return directory


@pytest.mark.parametrize(
    "query",
    [
        'SELECT ?s { ?s rdfs:label "customer service revenue" }',
        "SELECT ?s { ?s rdfs:label '''it's a service''' } # service",
        "PREFIX k: <urn:tieout:kg#> SELECT ?service { ?service k:serviceCost ?b FILTER(CONTAINS(?b, 'load')) }",
        "BASE <http://a/> prefix x: <http://b/service#> ASK { ?s a x:y }",
        "SELECT ?a { ?a kg:value ?b, ?c FILTER(?b < 5 && ?c > 1.5) }",
        "SELECT ?a { ?a kg:value ?b, ?c FILTER(?b<5&&?c>1.5) }",
        "PREFIX #x\nb: <urn:b#>\nASK { ?a b:c <http://a/service#it's-a-service> ; <urn:a/service> <urn:b:service> }",
        "ASK { GRAPH <urn:tieout:doc:A%2F2013%2Fservice.pdf-1> { ?a kg:raw 'customer service (net)\\n' } } # service",
    ],
)
def test_honest_queries_pass(query, worker):
    assert worker.query(query).kind in ("select", "ask")


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "empty"),
        ("SELECT ?s { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT ?s { service?g{ ?s ?p ?o } }", "SERVICE"),
        ("SELECT ?s { ?s ?p 5SERVICE <http://127.0.0.1/> { } }", "SERVICE"),
        ("SELECT ?s { \\u0053ERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "escape"),
        (
            "PREFIX b: <urn:x> SELECT * { FILTER(?a<b:c&&'x'!='>') SERVICE <http://127.0.0.1/> {} FILTER(''='') }",
            "SERVICE",
        ),
        ("PREFIX b: <urn:x> SELECT * { FILTER(?a<b:c#>'''\n) SERVICE <http://127.0.0.1/> {} #'''\n }", "SERVICE"),
        ("SELECT * { FILTER(?a<?b#>'''\n) SERVICE <http://127.0.0.1/> {} #'''\n }", "SERVICE"),
        ("SELECT * { ?s ?p ?o FILTER(?o<'a:>') SERVICE <http://127.0.0.1/> {} FILTER('' = '') }", "SERVICE"),
        ("SELECT * { FILTER(?a<?b#:>'''\n) SERVICE <http://127.0.0.1/> {} #'''\n }", "SERVICE"),
        (
            "PREFIX #x\nb: <urn:b> SELECT * { FILTER(?a<b:c#>'''\n) SERVICE <http://127.0.0.1/> {} #'''\n }",
            "SERVICE",
        ),
        ("PREFIX : <http://127.0.0.1/> SELECT * { SERVICE:x { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { ?s ?p trueSERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { VALUES ?a {'''x'} SERVICE <http://127.0.0.1/> {} #\\q'''\n }", "SERVICE"),
        ("SELECT * { ?s ?p kg:a\\' . SERVICE <http://127.0.0.1/> {} FILTER(''='') }", "backslash"),
        ("SELECT * { FILTER('b'<'a:>') " + "?a ?b ?c . " * 200 + "FILTER('' = '') }", "patterns"),
        ("LOAD <http://127.0.0.1/>", "'LOAD' is not allowed"),
        ("PREFIX a: <urn:a> INSERT DATA { a:b a:c a:d }", "'INSERT' is not allowed"),
        ("DROP ALL", "'DROP' is not allowed"),
        ("hello", "'HELLO' is not allowed"),
        ("SELECT * {" + "{" * 70 + "}" * 71, "nested"),
        ("SELECT * {" + "?a ?b ?c ." * 50 + "}", "patterns"),
        ("SELECT * { ?a " + "/".join(["kg:value"] * 60) + " ?b }", "patterns"),
        ("SELECT * { ?a ?b '" + "x" * 17000 + "' }", "bytes"),
    ],
)
def test_other_queries_are_refused_with_the_reason(query, reason):
    with pytest.raises(QueryError, match=reason):
        check_query(query)


@given(st.text(alphabet="<>?a:#'\"\\ \nservicSERVIC{}()&|!=.,;@^", max_size=80))
def test_no_text_that_the_guard_passes_can_call_a_service(text):
    query = "SELECT * { " + text + " }"
    try:
        check_query(query)
    except QueryError:
        return
    try:
        list(ox.Store().query(query, prefixes=PREFIXES))
    except OSError as error:
        pytest.fail(f"the query called a service: {error}")
    except (SyntaxError, ValueError):
        pass  # it is no SPARQL, and so does nothing


# What reads in two ways, between whole statements, so that much of what is put together of it can be parsed.
OPERANDS = (
    "'a:>'",
    "'>'",
    "?p#:>\n",
    "?p#>'''\n",
    "kg:c#>'\n",
    "kg:c",
    "kg:a\\'",
    "5",
    "'''x'",
    "''",
    "<a:b>",
    "'\\q'",
)
CALLS = (CALL, f"OPTIONAL {{ ?s ?p true{CALL} }}", "SERVICE:x { ?s ?p ?o }", "SERVICE#\n:x { ?s ?p ?o }")
STATEMENTS = st.one_of(
    st.sampled_from(("#>'''\n", "#'''\n", "#'\n", "#\\q'''\n", "FILTER('' = '')")),
    st.builds("FILTER(?o{}{})".format, st.sampled_from(("<", "< ", "<=", ">")), st.sampled_from(OPERANDS)),
    st.builds("VALUES ?a {{{} {}}}".format, st.sampled_from(OPERANDS), st.sampled_from(OPERANDS)),
)


def calls_a_service(query):
    """Whether one of two parsers sees a call in the query."""
    try:
        list(ox.Store().query(query, prefixes=PREFIXES))
    except OSError:
        return True
    except (SyntaxError, ValueError):
        pass
    try:
        return "ServiceGraphPattern" in repr(parseQuery(query))
    except (ParseException, ValueError):
        return False


@settings(max_examples=120, deadline=None)  # a machine that is busy is no fault
@given(st.lists(STATEMENTS, max_size=3), st.sampled_from(CALLS), st.lists(STATEMENTS, max_size=2))
def test_what_reads_in_two_ways_hides_no_call_to_a_service(before, call, after):
    statements = "\n".join([*before, call, *after])
    query = f"PREFIX : <http://127.0.0.1:9/> SELECT * {{ VALUES ?o {{ 1 }} {statements}\n}}"
    try:
        check_query(query)
    except QueryError:
        return
    assert not calls_a_service(query)


def test_rows_are_capped_and_said_to_be(worker):
    result = worker.query("SELECT ?s ?v { ?s kg:value ?v }", rows=7)
    assert len(result.rows) == 7
    assert result.truncated
    assert not worker.query("SELECT ?s { ?s kg:value ?v }", rows=200).truncated


def test_a_star_keeps_the_order_in_which_variables_are_named(worker):
    assert worker.query("SELECT * { ?zebra ?apple ?mango }").variables == ("zebra", "apple", "mango")


def test_a_query_bomb_is_stopped_and_the_next_query_served(worker):
    with pytest.raises(QueryError, match=r"stopped after 0\.5 seconds"):  # the query itself would take hours
        worker.query(BOMB, seconds=0.5)
    assert worker.query("ASK { ?s ?p ?o }").rows[0][0]["value"] == "true"


def test_a_query_that_takes_too_much_memory_ends_alone():
    with QueryWorker(quads=QUADS, memory=400 * 1024**2) as small:
        with pytest.raises(QueryError, match="memory"):
            small.query("SELECT DISTINCT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a", seconds=60)
        assert len(small.query("SELECT ?s { ?s ?p ?o }").rows) == 200


def test_a_crash_of_the_worker_is_one_error_and_the_next_query_is_served(worker):
    with pytest.raises(QueryError):
        worker.query("SELECT * { ?a ?b ?c FILTER(" + "!" * 12000 + "true) }")
    assert worker.query("ASK { ?s ?p ?o }").kind == "ask"


def test_a_query_sees_the_graphs_it_is_given_and_no_other(worker):
    one = ["urn:tieout:doc:1"]
    assert len(worker.query("SELECT ?s { ?s ?p ?o }", graphs=one).rows) == 1
    assert len(worker.query("SELECT ?s { GRAPH ?g { ?s ?p ?o } }", graphs=one).rows) == 1
    assert worker.query("SELECT ?s { GRAPH <urn:tieout:doc:2> { ?s ?p ?o } }", graphs=one).rows == ()


def test_the_worker_itself_cannot_open_a_socket(worker, monkeypatch):
    calls = []

    class Listener(socketserver.BaseRequestHandler):
        def handle(self):
            calls.append(self.client_address)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        query = f"SELECT * {{ SERVICE <http://127.0.0.1:{server.server_address[1]}/> {{ ?s ?p ?o }} }}"
        with pytest.raises(OSError):
            list(ox.Store().query(query))
        reached = len(calls)
        monkeypatch.setattr("tieout.kg.store.query.check_query", lambda text: None)
        with pytest.raises(QueryError):
            worker.query(query)
        server.shutdown()
    assert reached, "the listener must be reachable, or this test shows nothing"
    assert len(calls) == reached


def test_the_store_is_read_while_another_has_a_snapshot(store, tmp_path):
    with QueryWorker(store) as reader:
        assert len(reader.query("SELECT ?s { ?s ?p ?o }").rows) == 200
        with open_store(store) as opened:
            opened.clear()
        assert len(reader.query("SELECT ?s { ?s ?p ?o }").rows) == 200
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


def test_a_graph_is_loaded_in_parts_of_whole_lines(tmp_path, monkeypatch):
    monkeypatch.setattr("tieout.kg.store.store.PART", 150)
    some = b"".join(QUADS.splitlines(keepends=True)[:12])  # to load a part takes a write to the disk
    with open_store(tmp_path / "store") as opened:
        replace_graphs(opened, [("urn:tieout:doc:1", some)])
        assert len(opened) == 12


def test_graphs_loaded_again_replace_what_was_there(store):
    quad = b"<urn:a> <urn:b> <urn:c> <urn:tieout:doc:1> .\n"
    with open_store(store, must_exist=True) as opened:
        assert replace_graphs(opened, [("urn:tieout:doc:1", quad)]) == 1
        graph = ox.NamedNode("urn:tieout:doc:1")
        assert len(list(opened.quads_for_pattern(None, None, None, graph))) == 1
        assert len(list(opened.quads_for_pattern(None, None, None, ox.NamedNode("urn:tieout:doc:2")))) == 1


def run(*arguments):
    return CliRunner().invoke(tieout.main, ["sparql", *arguments])


def test_a_store_that_cannot_be_read_gets_one_line(tmp_path, store, monkeypatch):
    monkeypatch.setattr("tieout.kg.store.store.PATIENCE", 0.2)
    (tmp_path / "file").write_text("x")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "note.txt").write_text("x")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "CURRENT").write_text("garbage")
    shutil.copytree(store, tmp_path / "torn")
    for manifest in (tmp_path / "torn").glob("MANIFEST-*"):
        manifest.write_bytes(manifest.read_bytes()[:20])
    for name, reason in {
        "none": "no store",
        "none/deep": "no store",
        "file": "is a file",
        "file/deep": "no store",
        "other": "not a store: name another with --store",
        "broken": "`tieout index --again",
        "torn": "`tieout index --again",
    }.items():
        result = run("ASK {}", "--store", str(tmp_path / name))
        assert result.exit_code == 1
        assert reason in result.stderr
        assert result.stderr.count("\n") == 1
    with open_store(store):
        result = run("ASK {}", "--store", str(store))
    assert result.exit_code == 1
    assert "in use by another process" in result.stderr
    with pytest.raises(StoreError):
        snapshot(tmp_path / "none", tmp_path / "copy")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT * {?s ?p", 'line 1, column 16: it ends there, expected "$", "\'"'),
        ("SELECT ?s\n{ ?s ?p ?o } LIMIT x", "line 2, column 20: 'x' stands there, expected "),
        ("ASK { ?s foo:bar ?o }", "line 1, column 17: Prefix not found, behind 'foo:bar'"),
        ("SELECT ?s { ?s ?p ?o } GROUP BY ?p", "The SELECT contains a variable that is unbound, behind '?p'"),
    ],
)
def test_a_query_that_is_no_sparql_is_told_in_one_short_line(worker, query, said):
    with pytest.raises(QueryError) as error:
        worker.query(query)
    assert said in str(error.value)
    assert len(str(error.value)) < 160 and "\n" not in str(error.value) and "\\u{" not in str(error.value)


def test_a_system_that_cannot_forbid_sockets_is_said_once(store, monkeypatch):
    plain = run("ASK { ?s ?p ?o }", "--store", str(store))
    assert plain.stderr == ""
    start = QueryWorker._exchange
    monkeypatch.setattr(QueryWorker, "_exchange", lambda *given: start(*given) | {"sockets_forbidden": False})
    warned = run("ASK { ?s ?p ?o }", "--store", str(store))
    assert warned.stdout == plain.stdout
    assert warned.stderr.count("\n") == 1
    assert "cannot forbid sockets" in warned.stderr


def test_every_format_says_the_same(store):
    query = "SELECT ?s ?v { ?s kg:value ?v } ORDER BY ?v LIMIT 2"
    at = ("--store", str(store))
    found = json.loads(run(query, *at, "--format", "json").output)
    assert [row["v"]["value"] for row in found["results"]["bindings"]] == ["0.5", "1.5"]
    assert run(query, *at, "--format", "csv").output.split() == [
        "s,v",
        "urn:tieout:doc:0#t1r1c1,0.5",
        "urn:tieout:doc:1#t1r1c1,1.5",
    ]
    assert '"0.5"^^<http://www.w3.org/2001/XMLSchema#decimal>' in run(query, *at, "--format", "tsv").output
    assert "2 rows" in run(query, *at).output
    assert run(query, *at, "--document", "1", "--format", "csv").output.split() == [
        "s,v",
        "urn:tieout:doc:1#t1r1c1,1.5",
    ]
    turtle = run("CONSTRUCT { ?s kg:value ?v } WHERE { ?s kg:value ?v }", *at, "--format", "ttl", "--rows", "3").stdout
    assert len(list(ox.parse(turtle, format=ox.RdfFormat.TURTLE))) == 3
    wrong = run(query, *at, "--format", "ttl")
    assert wrong.exit_code == 1
    assert "CONSTRUCT" in wrong.stderr
    assert run("ASK { ?s kg:value ?v }", *at).output == "yes\n"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT (COUNT(*) AS ?n) FROM <urn:nothing> { ?s ?p ?o }",
        "SELECT (COUNT(*) AS ?n)FROM NAMED<urn:nothing>{ GRAPH ?g { ?s ?p ?o } }",
        "PREFIX : <urn:> ASK from:nothing { ?s ?p ?o }",
        "ASK FROMkg:nothing { ?s ?p ?o }",
        "CONSTRUCT { ?s ?p ?o } FROM # a remark\n<urn:nothing> WHERE { ?s ?p ?o }",
        "DESCRIBE ?s fromnamed <urn:nothing> { ?s ?p ?o }",
    ],
)
def test_a_query_that_names_its_graphs_by_from_is_refused_and_told_how_to(query):
    with pytest.raises(QueryError, match="FROM is not allowed: name the graphs with --document"):
        check_query(query)


def test_words_and_names_that_hold_from_pass(worker):
    query = "SELECT ?from { ?f kg:unitFrom ?from ; kg:raw 'from <urn:a>' ; <urn:from:a> <urn:b/from> } # from <urn:x>"
    assert worker.query(query).kind == "select"


def test_what_stopped_the_rows_is_told(monkeypatch, capsys):
    found = tieout.kg.store.worker.answer(store_of(QUADS), asked("SELECT ?s ?v { ?s kg:value ?v }", rows=3))
    assert (len(found["rows"]), found["truncated"]) == (3, "rows")
    monkeypatch.setattr(tieout.kg.store.worker, "REPLY_CHARACTERS", 100)
    found = tieout.kg.store.worker.answer(store_of(QUADS), asked("SELECT ?s ?v { ?s kg:value ?v }", rows=150))
    assert (len(found["rows"]) < 150, found["truncated"]) == (True, "size")
    rows = tuple(tuple(row) for row in found["rows"])
    for form in ("table", "csv"):
        write_result(Result("select", ("s", "v"), rows, "size"), form)
        told = "".join(capsys.readouterr())
        assert "too large for one reply" in told and "--rows" not in told
    write_result(Result("select", ("s", "v"), rows, "rows"), "table")
    assert "raise --rows" in capsys.readouterr().out


def store_of(quads):
    store = ox.Store()
    store.load(quads, ox.RdfFormat.N_QUADS)
    return store


def asked(query, rows):
    return {"query": query, "prefixes": PREFIXES, "rows": rows, "seconds": 5, "graphs": None}


PARENT = """
import signal, sys
from pathlib import Path
from tieout.kg.store.query import QueryWorker
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is ignored
worker = QueryWorker(Path(sys.argv[1]))
worker._start()
print(worker._process.pid, flush=True)
worker.query(sys.argv[2], seconds=600)
"""


def is_running(process):
    """Whether a process is there and is not but waited for: of one killed here nobody takes the end off the table."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to look for a process")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_a_worker_ends_with_its_parent_and_its_snapshot_is_removed_by_the_next(store, end):
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(store), BOMB], stdout=subprocess.PIPE)
    worker = int(parent.stdout.readline())
    assert is_running(worker)
    parent.send_signal(end)
    parent.wait(timeout=300)
    parent.stdout.close()
    deadline = time.monotonic() + 300
    while is_running(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(worker)
    left = [path for path in store.parent.iterdir() if path.name.startswith(".snapshot-")]
    assert len(left) == 1
    (store.parent / ".snapshot-mine").mkdir()
    with QueryWorker(store) as worker:
        assert worker.query("ASK { ?s ?p ?o }").rows
        assert not left[0].exists()
        own = list(store.parent.glob(".snapshot-*"))
        with QueryWorker(store) as other:  # one that is in use stays
            assert other.query("ASK { ?s ?p ?o }").rows and worker.query("ASK { ?s ?p ?o }").rows
    assert (store.parent / ".snapshot-mine").exists() and len(own) == 2


def test_a_worker_that_nobody_stops_ends_by_a_limit_of_its_own(monkeypatch, store):
    """With the clock of its parent stopped, so that nothing but the limit on the processor is left."""
    monkeypatch.setattr(tieout.kg.store.query.LineProcess, "exchange", without_deadline)
    with QueryWorker(store) as worker, pytest.raises(QueryError, match="ended its process"):
        worker.query(BOMB, seconds=0.1)


def without_deadline(self, message, seconds, exchange=LineProcess.exchange):
    return exchange(self, message, 600)
