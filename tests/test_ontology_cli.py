"""The commands `tieout ontology`, with good and with bad input."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from ontology_documents import reports

from tieout.ontology.check import check
from tieout.ontology.cli import ontology as commands
from tieout.ontology.diagram import svg
from tieout.ontology.model import Ontology, OntologyClass, OntologyError, Property


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with report files of four pages, and of the first two of them."""
    monkeypatch.chdir(tmp_path)
    records = [
        {
            "id": document.id,
            "pre_text": list(document.paragraphs),
            "post_text": [],
            "table": [list(row) for row in document.tables[0].rows],
        }
        for document in reports()
    ]
    (tmp_path / "all.json").write_text(json.dumps(records))
    (tmp_path / "some.json").write_text(json.dumps(records[:2]))
    return tmp_path


def run(*arguments, code=0):
    result = CliRunner().invoke(commands, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_build_writes_a_tbox_and_says_what_is_in_it(folder):
    result = run("build", "all.json")
    assert "8 classes and" in result.stdout
    assert "4 pages" in result.stdout
    assert Ontology.load(folder / "ontology.ttl").properties
    assert not list(folder.glob("*.partial"))


def test_build_gives_its_counts_as_json(folder):
    counts = json.loads(run("build", "all.json", "-o", "er.ttl", "--json").stdout)
    assert counts["pages"] == counts["tables"] == 4
    assert counts["labels_per_property"] == counts["labels"] / counts["properties"]
    assert (folder / "er.ttl").exists()


def test_a_file_in_a_folder_that_is_not_there_is_not_written_nor_is_the_folder_made(folder):
    done = run("build", "all.json", "-o", "deep/er.ttl", code=1)
    assert done.stderr == "tieout: 'deep/er.ttl' cannot be written: there is no folder 'deep'\n"
    assert not (folder / "deep").exists()


def test_build_writes_nothing_over_a_tbox_where_no_table_has_a_line_item(folder):
    (folder / "text.json").write_text(json.dumps([{"id": "a", "pre_text": ["sales were $ 5 ."], "post_text": []}]))
    run("build", "all.json")
    before = (folder / "ontology.ttl").read_text()
    result = run("build", "text.json", code=1)
    assert result.stderr == "tieout: no line item in the tables of text.json: ontology.ttl is not written\n"
    assert (folder / "ontology.ttl").read_text() == before
    assert "nothing new" in run("build", "text.json", "--update", "ontology.ttl").stdout


def test_an_update_prints_the_difference(folder):
    run("build", "some.json", "-o", "old.ttl")
    result = run("build", "all.json", "-o", "new.ttl", "--update", "old.ttl")
    assert "labels per property" not in result.stdout
    assert "new property: expectedVolatility" in result.stdout
    assert "new class: StockOption" in result.stdout
    assert "nothing new" in run("build", "all.json", "-o", "newer.ttl", "--update", "new.ttl").stdout
    assert (folder / "newer.ttl").read_text() == (folder / "new.ttl").read_text()


def test_show_prints_the_tree_and_one_class(folder):
    run("build", "all.json")
    assert "StockOption" in run("show").stdout
    assert "expectedVolatility" in run("show", "stock option").stdout
    shown = json.loads(run("show", "stockoption", "--json").stdout)
    assert {item["name"] for item in shown["properties"]} >= {"expectedLife", "expectedVolatility"}
    assert len(json.loads(run("show", "--json").stdout)) > 2


def test_stats_print_the_rates_under_plain_names(folder):
    run("build", "all.json")
    counted = json.loads(run("stats", "all.json", "--json").stdout)
    assert counted["tables_classed"] == 1.0
    assert 0.9 < counted["rows_mapped"] < 1
    assert counted["rows_minted"] == pytest.approx(1 - counted["rows_mapped"])
    own = sum(counted[f"rows_{way}"] for way in ("exact", "alternative", "fuzzy"))
    assert counted["rows_mapped_without_narrower"] == pytest.approx(own)
    assert "rows_mapped: 0.9" in run("stats", "all.json").stdout


def test_an_ontology_of_the_folder_is_used_and_the_output_says_so_and_without_one_the_sample_is(folder):
    assert run("stats", "all.json").stderr == ""
    run("build", "all.json")
    assert run("stats", "all.json").stderr == "ontology: ontology.ttl of this folder\n"


def test_check_finds_nothing_in_what_build_wrote(folder):
    run("build", "all.json")
    assert "0 findings" in run("check").stdout


def test_check_finds_what_is_wrong_and_fails(folder):
    run("build", "all.json")
    path = folder / "ontology.ttl"
    path.write_text(path.read_text().replace("    rdfs:range xsd:decimal ;\n", "", 1))
    assert "costOfSales: has no range" in run("check", "--ontology", path, code=1).stdout
    assert "costOfSales: has no range" in run("check", code=1).stdout
    assert json.loads(run("check", "--ontology", path, "--json", code=1).stdout)["findings"]


K = '@prefix kg: <urn:tieout:kg#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: \
<http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . \
kg:Entity a owl:Class ; rdfs:label "entity" . '
LEASE = 'kg:Lease a owl:Class ; rdfs:label "lease" ; rdfs:subClassOf kg:Entity . '


@pytest.mark.parametrize(
    ("turtle", "said"),
    [
        ("kg:Lease a owl:Class ; rdfs:subClassOf kg:Entity .", "Lease: has no label"),
        ('kg:Lease a owl:Class ; rdfs:label "lease" .', "Lease: stands below no class"),
        ('kg:Lease a owl:Class ; rdfs:label "lease" ; rdfs:subClassOf kg:Rent .', "Rent, which is no class"),
        (
            'kg:A a owl:Class ; rdfs:label "a" ; rdfs:subClassOf kg:B . '
            'kg:B a owl:Class ; rdfs:label "b" ; rdfs:subClassOf kg:A .',
            "A: stands below itself",
        ),
        (LEASE + 'kg:rent a owl:DatatypeProperty ; rdfs:label "rent" ; rdfs:domain kg:Lease .', "rent: has no range"),
        (
            LEASE + 'kg:rent a owl:DatatypeProperty ; rdfs:label "rent" ; rdfs:range xsd:decimal .',
            "rent: has no domain",
        ),
        (
            'kg:rent a owl:DatatypeProperty ; rdfs:label "rent" ; rdfs:range xsd:decimal ; rdfs:domain kg:Rental .',
            "domain Rental, which is no class",
        ),
        (
            LEASE
            + 'kg:rent a owl:DatatypeProperty ; rdfs:label "rent" ; rdfs:range xsd:decimal ; rdfs:domain kg:Lease . '
            + 'kg:rents a owl:DatatypeProperty ; rdfs:label "Rents" ; rdfs:range xsd:decimal ; rdfs:domain kg:Lease .',
            "several properties called 'rent': rent, rents",
        ),
        (LEASE + "kg:Lease rdfs:subClassOf owl:Nothing . kg:x a kg:Lease .", "inconsistent under OWL 2 RL"),
        (LEASE + 'kg:Lease rdfs:comment "few"^^xsd:integer .', "'few' does not match its datatype"),
        (LEASE + 'kg:Lease rdfs:comment "a b"^^xsd:NCName .', "inconsistent under OWL 2 RL"),
        (
            LEASE + "kg:note a owl:AnnotationProperty ; rdfs:domain kg:Rental . kg:Rental owl:disjointWith kg:Lease . "
            'kg:x a kg:Lease ; kg:note "a text" .',
            "inconsistent under OWL 2 RL",
        ),
    ],
)
def test_each_fault_is_found(turtle, said):
    assert any(said in str(finding) for finding in check(K + turtle)), check(K + turtle)


def test_a_missing_owlrl_is_told_in_one_line(folder, monkeypatch):
    run("build", "all.json")
    monkeypatch.setitem(__import__("sys").modules, "owlrl", None)
    assert "tieout[check]" in run("check", code=1).stderr
    with pytest.raises(OntologyError):
        check(K)


def boxes_of(text):
    """(name, left edge, upper edge, lower edge) of every class in a diagram."""
    space = "{http://www.w3.org/2000/svg}"
    root = ElementTree.fromstring(text)
    names = [text.text.split(" ·")[0] for text in root.iter(f"{space}text") if text.get("class") == "name"]
    edges = [
        [float(box.get(name)) for name in ("x", "y", "height")]
        for box in root.iter(f"{space}rect")
        if box.get("class") is None
    ]
    return [(name, x, y, y + height) for name, (x, y, height) in zip(names, edges, strict=True)]


def test_the_diagram_is_svg_with_every_class(folder):
    run("build", "all.json")
    run("diagram", "-o", "classes.svg")
    names = [name for name, *_ in boxes_of((folder / "classes.svg").read_text())]
    assert sorted(names) == sorted(["Entity", *(item.name for item in Ontology.load("ontology.ttl").classes)])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_no_class_of_a_diagram_is_drawn_over_another(shape):
    classes = [
        OntologyClass(f"C{number}", "c", parent=f"C{parent % number}" if number and parent else None)
        for number, (parent, _) in enumerate(shape)
    ]
    properties = [
        Property(f"p{number}x{index}", f"p{number} {index}", domains=(f"C{number}",))
        for number, (_, count) in enumerate(shape)
        for index in range(count)
    ]
    boxes = boxes_of(svg(Ontology(classes, properties)))
    assert len(boxes) == len(classes) + 1
    for index, (_, x, top, bottom) in enumerate(boxes):
        for _, x2, top2, bottom2 in boxes[index + 1 :]:
            assert x != x2 or bottom <= top2 or bottom2 <= top


def test_a_class_that_does_not_exist_is_told_with_the_nearest(folder):
    run("build", "all.json")
    assert "did you mean StockOption" in run("show", "stokoption", code=1).stderr


def test_a_record_that_does_not_parse_is_told_and_the_rest_is_used(folder):
    records = json.loads((folder / "all.json").read_text())
    records[0]["table"] = []
    (folder / "part.json").write_text(json.dumps(records))
    result = run("build", "part.json")
    assert "3 pages" in result.stdout
    assert "field table: the table has no rows" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("build", "none.json"), "no such file: 'none.json'"),
        (("build", "folder"), "a directory without a file"),
        (("build", "all.json", "--update", "none.ttl"), "no such file: 'none.ttl'"),
        (("build", "all.json", "-o", "all.json/x.ttl"), "'all.json/x.ttl' cannot be written"),
        (("build", "all.json", "-o", "folder"), "'folder' is a folder: name a file"),
        (("diagram", "-o", "folder"), "'folder' is a folder: name a file"),
        (("stats", "all.json", "--ontology", "all.json"), "not Turtle"),
        (("stats", "all.json", "--ontology", "."), "directory"),
        (("show", "--ontology", "none.ttl"), "no such file"),
        (("check", "--ontology", "none.ttl"), "no such file"),
    ],
)
def test_bad_input_ends_with_one_line_and_code_1(folder, arguments, said):
    (folder / "folder").mkdir()
    before = sorted(folder.rglob("*"))
    result = run(*arguments, code=1)
    assert sorted(folder.rglob("*")) == before
    assert said in result.stderr
    assert result.stderr.strip().count("\n") == 0
    assert result.stderr.startswith("tieout: ")


@pytest.mark.parametrize("number", ["9" * 5_000, "²"])
def test_a_count_of_a_tbox_that_is_none_counts_as_none(number):
    given = Ontology((OntologyClass("Debt", "debt"),), (Property("debt", "debt", support=3),))
    read = Ontology.parse(given.turtle().replace("kg:support 3", f'kg:support "{number}"'))
    assert [each.support for each in read.properties] == [0]


@pytest.mark.parametrize("arguments", [("build",), ("stats",), ("diagram",)])
def test_missing_arguments_are_told_with_code_2(folder, arguments):
    assert "Missing" in run(*arguments, code=2).stderr


@pytest.mark.parametrize("command", sorted(commands.commands))
def test_every_command_has_help(command):
    assert len(run(command, "--help").stdout) > 80
