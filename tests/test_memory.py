"""Terms and recipes: kept, found, in conflict, edited, run; safe under kills and under two who save at once."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from orris import TBOX, session
from scripted import ScriptedBackend, answers, says

import tieout as front
from tieout import main
from tieout.agent.ledger.ledger import FromFrame
from tieout.agent.log.events import Rephrased, ToolCalled, TurnStarted
from tieout.agent.log.log import Log, log_path, read_events
from tieout.agent.memory.find import find_for_parts, find_recipes, find_terms, unknown_words
from tieout.agent.memory.keep import KeepError
from tieout.agent.memory.memory import Memory
from tieout.agent.memory.recipes import (
    Recipe,
    RecipeAnswer,
    RecipeStep,
    Variable,
    as_toml,
    find_recipe,
    read_recipe,
    read_recipes,
    recipe_path,
    save_recipe,
)
from tieout.agent.memory.terms import Term, as_turtle, read_skos, read_terms, save_term
from tieout.agent.session import Session
from tieout.agent.wiring import facts_of
from tieout.data.document import Document
from tieout.data.readers.read import read_conversations
from tieout.kg.build import build
from tieout.ontology.model import Ontology, default_ontology

MEMORY = ROOT / "data" / "series" / "memory"
QUESTION = "What was the average amount of anna since 2020-02-01?"
QUERY = (
    "query_sql",
    {"select": "SELECT amount FROM sales WHERE who = 'anna' AND day >= DATE '2020-02-01'", "name": "s"},
)
MEAN = ("run_script", {"code": "mean(s['amount'])", "frames": ["s"], "name": "average"})
words = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


@pytest.fixture
def sales(tmp_path):
    folder = tmp_path / "sales"
    folder.mkdir()
    rows = ("2020-01-31,1.5,anna", "2020-02-29,2.0,ben", "2020-03-31,4.0,anna", "2020-04-30,5.0,anna")
    (folder / "sales.csv").write_text("day,amount,who\n" + "\n".join(rows) + "\n")
    return folder


@pytest.fixture
def desk(sales, warm_desks):
    made = warm_desks([sales])
    yield made
    made.close()


@pytest.fixture(autouse=True)
def commands_share_processes(monkeypatch, warm_desks):
    """Commands of these tests take their data from processes that are there already."""
    monkeypatch.setattr("tieout.cli_recipe.Workbench", warm_desks)
    monkeypatch.setattr(
        "tieout.agent.wiring.open_data", lambda source, beside: warm_desks(beside.data, facts_of(source))
    )


def tieout(*arguments, **more):
    return CliRunner().invoke(main, [str(argument) for argument in arguments], **more)


def talk(desk, *replies, log=None, memory=None):
    document = Document(id="data", paragraphs=(), before=0, tables=())
    desk.memory = memory
    graph = build(document, Ontology.parse(TBOX))
    return Session(graph, ScriptedBackend(replies), log=log, document=document, bench=desk, memory=memory)


def recorded(desk, tmp_path):
    """The log of one turn over the sales."""
    log = tmp_path / "turn.jsonl"
    with Log(log) as file:
        turn = talk(desk, says(QUERY, MEAN, answers("average")), log=file).ask(QUESTION)
    assert turn.number == Decimal("4.5")
    return log


# Terms


def test_a_term_is_kept_listed_shown_and_removed(tmp_path):
    added = tieout("term", "add", "free cash flow", "cash from operations less capex", "--also", "FCF",
                   "--source", "handbook", "--calculation", "cfo - capex", "--memory", tmp_path)  # fmt: skip
    assert (added.exit_code, added.stdout) == (0, "kept free cash flow\n")
    listed = json.loads(tieout("term", "list", "--json", "--memory", tmp_path).stdout)
    assert listed == [{"label": "free cash flow", "others": ["FCF"], "meaning": "cash from operations less capex",
                       "source": "handbook", "calculation": "cfo - capex"}]  # fmt: skip
    assert "meaning: cash from operations less capex" in tieout("term", "show", "fcf", "--memory", tmp_path).stdout
    assert tieout("term", "remove", "FCF", "--memory", tmp_path).exit_code == 0
    assert read_terms(tmp_path) == ()
    assert tieout("term", "remove", "FCF", "--memory", tmp_path).stderr.startswith("tieout: there is no term 'FCF'")


def test_a_term_that_is_there_is_not_replaced_unless_asked(tmp_path):
    tieout("term", "add", "ARR", "annual recurring revenue", "--memory", tmp_path)
    other = tieout("term", "add", "arr", "average rate of return", "--memory", tmp_path)
    assert other.exit_code == 1
    assert "annual recurring revenue" in other.stderr
    assert tieout("term", "add", "arr", "average rate of return", "--replace", "--memory", tmp_path).exit_code == 0
    assert [term.meaning for term in read_terms(tmp_path)] == ["average rate of return"]


def test_a_term_without_words_for_its_meaning_is_not_kept(tmp_path):
    done = tieout("term", "add", "zork", " ", "--memory", tmp_path)
    assert done.exit_code == 1 and done.stderr == "tieout: the meaning of 'zork' is empty: say what it means\n"
    assert not list(tmp_path.iterdir())


def test_any_skos_file_is_imported(tmp_path):
    (tmp_path / "in.ttl").write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        '<urn:x> a skos:Concept ; skos:prefLabel "margin"@en ; skos:definition "what is left" .\n'
    )
    done = tieout("term", "import", tmp_path / "in.ttl", "--memory", tmp_path / "m")
    assert done.stdout == "kept 1 terms\n"
    assert read_terms(tmp_path / "m") == (Term(label="margin", meaning="what is left"),)
    (tmp_path / "bad.ttl").write_text("no turtle")
    assert tieout("term", "import", tmp_path / "bad.ttl", "--memory", tmp_path / "m").exit_code == 1


@settings(max_examples=40)
@given(label=words.filter(str.strip), meaning=words, others=st.lists(words.filter(str.strip), max_size=3))
def test_terms_are_read_back_as_they_were_written(label, meaning, others, tmp_path_factory):
    term = Term(label=label, meaning=meaning, others=tuple(sorted(set(others))))
    path = tmp_path_factory.mktemp("terms") / "t.ttl"
    path.write_text(as_turtle([term]), encoding="utf-8", newline="")
    (read,) = read_skos(path)
    assert read == term


def test_terms_are_found_exactly_by_stems_and_nearly():
    terms = [Term(label="free cash flow", others=("FCF",)), Term(label="headcount"), Term(label="run rate")]
    assert [t.label for t in find_terms("what was FCF in 2020?", terms)] == ["free cash flow"]
    assert [t.label for t in find_terms("What were free cash flows?", terms)] == ["free cash flow"]
    assert [t.label for t in find_terms("the headcout of 2019", terms)] == ["headcount"]
    assert find_terms("the cash that flows freely at any rate", terms) == []


def test_what_a_question_means_is_written_into_it_and_both_are_logged(tmp_path):
    save_term(tmp_path / "m", Term(label="strike", meaning="the exercise price"))
    plain = session(says(answers("t1r1c1")))
    with Log(tmp_path / "log.jsonl") as log:
        memory = Memory(tmp_path / "m", lambda: ["2007"])
        told = Session(plain.graph, plain.backend, log=log, memory=memory)
        told.ask("what was the strike in 2007?")
    asked = plain.backend.requests[0].question
    assert asked == "what was the strike in 2007?\n[term: strike: the exercise price]"
    events = list(read_events(tmp_path / "log.jsonl"))
    assert next(e for e in events if isinstance(e, Rephrased)).question == asked
    assert next(e.question for e in events if hasattr(e, "history")) == "what was the strike in 2007?"


def test_words_that_nothing_explains_are_found():
    known = ["the ARR of the company", "GDP"]
    assert unknown_words("How did ARR and NAIRU move with GDP?", known) == ["NAIRU"]
    assert unknown_words("how did prices move?", known) == []


def test_chat_asks_for_a_word_and_keeps_the_meaning_when_the_user_agrees(sales, tmp_path):
    arguments = ["chat", "--data", sales, "--memory", tmp_path / "m"]
    done = tieout(*arguments, input="what is the NAIRU?\nthe natural rate\nyes\n\n/quit\n")
    assert done.exit_code == 0
    assert [(term.label, term.meaning) for term in read_terms(tmp_path / "m")] == [("NAIRU", "the natural rate")]
    tieout(*arguments, input="what is the ZZTOP?\na band\nno\n\n/quit\n")
    assert [term.label for term in read_terms(tmp_path / "m")] == ["NAIRU"]


def test_a_meaning_that_is_none_is_one_line_wherever_it_comes_from(sales, tmp_path, monkeypatch):
    arguments = ["chat", "--data", sales, "--memory", tmp_path / "m"]
    said = "'NAIRU': longer than 2000 characters, or no valid text"
    done = tieout(*arguments, input=f"what is the NAIRU?\n{'long ' * 500}\n\n/quit\n")
    assert (done.exit_code, done.stderr) == (0, f"tieout: {said}\n")
    (tmp_path / "terms.ttl").write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        f'<urn:n> a skos:Concept ; skos:prefLabel "NAIRU" ; skos:definition "{"long " * 500}" .\n'
    )
    imported = tieout("term", "import", tmp_path / "terms.ttl", "--memory", tmp_path / "m")
    assert (imported.exit_code, imported.stderr) == (1, f"tieout: {said}\n")
    asked = tieout("ask", "--data", sales, "--memory", tmp_path, "what is the NAIRU?")  # a memory that somebody sent
    assert (asked.exit_code, asked.stderr) == (1, f"tieout: {said}\n")


# Recipes


def test_a_turn_becomes_a_recipe_by_rule_is_checked_and_runs_again(desk, sales, tmp_path):
    log, memory = recorded(desk, tmp_path), tmp_path / "m"
    saved = tieout("recipe", "save", log, 1, "--as", "Average Amount", "--data", sales, "--yes", "--memory", memory)
    assert saved.exit_code == 0, saved.output
    recipe = find_recipe(memory, "average amount")
    found = {(each.kind, each.value) for each in recipe.variables}
    assert found == {("date", "2020-02-01"), ("text", "anna")}
    assert "$series_1" in recipe.steps[0].select and "$day_1" in recipe.steps[0].select
    assert recipe.answers[0].question == "What was the average amount of {series_1} since {day_1}?"
    ran = tieout("recipe", "run", "Average Amount", "--data", sales, "--memory", memory)
    assert ran.stdout.startswith("answer: 4.5\n")
    assert "recipe: Average Amount" in ran.stdout
    other = tieout("recipe", "run", "Average Amount", "--set", "day_1=2020-01-01", "--set", "series_1=ben",
                   "--data", sales, "--memory", memory)  # fmt: skip
    assert other.stdout.startswith("answer: 2\n") or other.stdout.startswith("answer: 2.0\n")


def test_a_recipe_is_run_with_the_same_numbers_every_time():
    data = ["--data", ROOT / "data" / "series", "--memory", MEMORY, "--json"]
    runs = {tieout("recipe", "run", "Recession Calculation", *data).stdout for _ in range(2)}
    assert len(runs) == 1
    (text,) = runs
    assert len(json.loads(text)) == 12


def test_a_recipe_that_does_not_give_the_answer_of_its_turn_is_not_kept(desk, sales, tmp_path):
    log = recorded(desk, tmp_path)
    (sales / "sales.csv").write_text("day,amount,who\n2020-03-31,9.0,anna\n")
    saved = tieout("recipe", "save", log, 1, "--as", "X", "--data", sales, "--yes", "--memory", tmp_path / "m")
    assert saved.exit_code == 1
    assert "gives 9.0, not 4.5" in saved.stderr or "give 9" in saved.stderr
    assert read_recipes(tmp_path / "m") == ()


def test_saving_what_is_there_shows_the_difference_and_needs_a_word(desk, sales, tmp_path):
    log, memory = recorded(desk, tmp_path), tmp_path / "m"
    save_recipe(memory, Recipe(heading="Average Amount", steps=(), answers=()))
    arguments = ["recipe", "save", log, 1, "--as", "average amount", "--yes", "--memory", memory, "--data", sales]
    refused = tieout(*arguments)
    assert refused.exit_code == 1
    assert "--- kept" in refused.stdout and "+[[steps]]" in refused.stdout
    assert "is there already" in refused.stderr
    assert find_recipe(memory, "Average Amount").steps == ()
    assert tieout(*arguments, "--replace").exit_code == 0
    assert len(find_recipe(memory, "Average Amount").steps) == 2


def test_recipes_are_listed_shown_edited_removed_and_tested(tmp_path, monkeypatch):
    memory = tmp_path / "m"
    shipped = find_recipe(MEMORY, "Recession Calculation")
    save_recipe(memory, shipped)
    assert "Recession" in tieout("recipe", "list", "--memory", memory).stdout
    asked = tieout("recipe", "list", "--for", "when did the last recession start?", "--json", "--memory", memory)
    assert [each["heading"] for each in json.loads(asked.stdout)] == ["Recession Calculation"]
    shown = tieout("recipe", "show", "recession calculation", "--memory", memory)
    assert shown.stdout.startswith('heading = "Recession Calculation"\n')
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i \'s/^heading = .*/heading = "Downturns"/\' "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    assert tieout("recipe", "edit", "Recession Calculation", "--memory", memory).stdout == "kept Downturns\n"
    assert [each.heading for each in read_recipes(memory)] == ["Downturns"]
    editor.write_text("#!/bin/sh\necho 'no recipe' > \"$1\"\n")
    assert tieout("recipe", "edit", "Downturns", "--memory", memory).exit_code == 1
    assert [each.heading for each in read_recipes(memory)] == ["Downturns"]
    tested = tieout("recipe", "test", "Downturns", "--data", ROOT / "data" / "series", "--memory", memory)
    assert (tested.exit_code, tested.stdout.count(": ok")) == (0, 12)
    assert tieout("recipe", "remove", "Downturns", "--memory", memory).exit_code == 0
    assert read_recipes(memory) == ()


def test_a_recipe_that_gives_something_else_than_it_did_fails_its_test(sales, tmp_path):
    step = RecipeStep(tool="query_sql", name="s", select="SELECT sum(amount) AS v FROM sales")
    answer = RecipeAnswer(name="total", value="s", expected="1")
    save_recipe(tmp_path, Recipe(heading="Total", steps=(step,), answers=(answer,)))
    done = tieout("recipe", "test", "--data", sales, "--memory", tmp_path)
    assert done.exit_code == 1
    assert "gives 12.5, kept with 1" in done.stdout


def test_what_cannot_be_run_is_told_in_one_line(sales, tmp_path):
    save_recipe(tmp_path, find_recipe(MEMORY, "Recession Calculation"))
    run = ["recipe", "run", "Recession Calculation", "--memory", tmp_path]
    assert tieout(*run).stderr == "tieout: a recipe works on data: give --data\n"
    assert "step 1 (query_sql): there is no table 'national_accounts'" in tieout(*run, "--data", sales).stderr
    assert "has no variable 'x'" in tieout(*run, "--data", sales, "--set", "x=1").stderr
    assert "years is a number, not 'many'" in tieout(*run, "--data", sales, "--set", "years=many").stderr
    assert "there is no recipe 'Growth'" in tieout("recipe", "run", "Growth", "--data", sales).stderr
    recipe_path(tmp_path, "bad").write_text("heading = 1")
    assert "is no recipe: heading" in tieout("recipe", "list", "--memory", tmp_path).stderr


def test_a_name_in_a_recipe_cannot_leave_its_quotes(desk, tmp_path):
    step = RecipeStep(tool="query_sql", name="s", select="SELECT {column} AS v FROM sales WHERE who = $who")
    variables = (Variable(name="column", kind="name", value="amount"), Variable(name="who", kind="text", value="ben"))
    save_recipe(tmp_path, Recipe(heading="R", steps=(step,), variables=variables,
                                 answers=(RecipeAnswer(name="a", value="s"),)))  # fmt: skip
    run = ["recipe", "run", "R", "--data", tmp_path / "sales", "--memory", tmp_path]
    assert tieout(*run).stdout.startswith("a: 2.0\n")
    assert 'amount" FROM sales --' in tieout(*run, "--set", 'column=amount" FROM sales --').stderr
    assert tieout(*run, "--set", "who=' OR 1=1 --").exit_code in (0, 1)
    assert "a: none" in tieout(*run, "--set", "who=' OR 1=1 --").stdout


def test_a_recipe_may_use_another(sales, tmp_path):
    inner = RecipeStep(tool="query_sql", name="s", select="SELECT amount FROM sales WHERE who = $who ORDER BY day")
    save_recipe(tmp_path, Recipe(heading="Amounts", steps=(inner,), answers=(),
                                 variables=(Variable(name="who", kind="text", value="anna"),)))  # fmt: skip
    steps = (
        RecipeStep(tool="recipe", heading="amounts", settings={"who": "$person"}),
        RecipeStep(tool="run_script", name="top", code="max(s['amount'])", frames=("s",)),
    )
    variables = (Variable(name="person", kind="text", value="anna"),)
    answer = (RecipeAnswer(name="top", value="top"),)
    save_recipe(tmp_path, Recipe(heading="Top", steps=steps, variables=variables, answers=answer))
    run = ["recipe", "run", "Top", "--data", sales, "--memory", tmp_path]
    assert tieout(*run).stdout.startswith("top: 5.0\n")
    assert tieout(*run, "--set", "person=ben").stdout.startswith("top: 2.0\n")
    save_recipe(tmp_path, Recipe(heading="Loop", steps=(RecipeStep(tool="recipe", heading="Loop"),), answers=()))
    assert "is within itself" in tieout("recipe", "run", "Loop", "--data", sales, "--memory", tmp_path).stderr


names = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)


@settings(max_examples=40)
@given(
    heading=words.filter(str.strip),
    code=words,
    value=words,
    bound=st.dictionaries(words, words, max_size=2),
    name=names,
)
def test_recipes_are_read_back_as_they_were_written(heading, code, value, bound, name, tmp_path_factory):
    recipe = Recipe(
        heading=heading,
        variables=(Variable(name=name, kind="text", value=value),),
        steps=(RecipeStep(tool="run_script", name=name, code=code, settings=bound),),
        answers=(RecipeAnswer(name=name, value=value, question=code),),
    )
    path = tmp_path_factory.mktemp("recipes") / "r.toml"
    path.write_text(as_toml(recipe), encoding="utf-8", newline="")
    assert read_recipe(path) == recipe


def test_a_question_fits_a_recipe_only_where_every_word_and_specific_does():
    recipes = read_recipes(MEMORY)

    def fitting(question):
        return [(m.answer.name, m.settings) for m in find_recipes(question, recipes) if m.fits]

    assert fitting("when did the latest recession begin?") == [("latest_start", {})]
    assert fitting("How many recessions started in the last 20 years?") == [("count", {"years": "20"})]
    for other in (
        "When did the latest boom start?",
        "How many recessions started in the last 20 years above 5?",
        "When did the latest recession not start?",
        "How many quarters did the shortest recession last?",
        "What was the average unemployment rate?",
    ):
        assert fitting(other) == []


def test_a_model_is_told_of_recipes_and_may_run_one(warm_desks):
    made = warm_desks([ROOT / "data" / "series"])
    try:
        run = ("run_recipe", {"heading": "Recession Calculation", "settings": {"years": "20"}})
        asked = talk(made, says(run, answers("recession_count")), memory=Memory(MEMORY))
        turn = asked.ask("how many recessions began in the last 20 years?")
        assert "'Recession Calculation'" in asked.backend.requests[0].question
        assert turn.number == 2
        assert isinstance(turn.answer.source, FromFrame)
        assert turn.answer.source.recipe == "Recession Calculation"
        assert [tool.name for tool in asked.backend.requests[0].tools][-2:] == ["run_recipe", "remember"]
    finally:
        made.close()


def test_a_model_writes_a_recipe_that_is_kept_only_if_it_gives_the_same_answer(desk, tmp_path):
    steps = [
        {"tool": "query_sql", "name": "s", "select": "SELECT amount FROM sales WHERE who = $who AND day >= $since"},
        {"tool": "run_script", "name": "average", "code": "mean(s['amount'])", "frames": ["s"]},
    ]
    variables = [
        {"name": "who", "kind": "text", "value": "anna"},
        {"name": "since", "kind": "date", "value": "2020-02-01"},
    ]
    keep = {"heading": "Average", "description": "of a person", "question": "average amount of {who} since {since}?",
            "answer": "average", "steps": steps, "variables": variables}  # fmt: skip
    wrong = {**keep, "variables": [variables[0], {**variables[1], "value": "2020-01-01"}]}
    asked = talk(
        desk,
        says(QUERY, MEAN, answers("average")),
        says(("remember", wrong)),
        says(("remember", keep)),
        says(("remember", {**keep, "description": "other"}), answers("prev_1")),
        memory=Memory(tmp_path / "m"),
    )
    asked.ask(QUESTION)
    asked.ask("remember this as Average")
    refused, kept = (request.exchanges[-1].results[0].content for request in asked.backend.requests[2:4])
    assert "not 4.5: the recipe is not kept" in refused
    assert json.loads(kept) == {"kept": "Average"}
    assert find_recipe(tmp_path / "m", "Average").description == "of a person"


def test_a_turn_of_a_run_is_named_by_its_conversation(desk, sales, tmp_path):
    with Log(log_path(tmp_path / "run", "memory/first")) as log:
        talk(desk, says(QUERY, MEAN, answers("average")), log=log).ask(QUESTION)
    with Log(log_path(tmp_path / "run", "memory/other")) as log:
        talk(desk, says(QUERY, answers("s.amount[0]")), log=log).ask("the first?")
    save = ["recipe", "save", tmp_path / "run", "--as", "A", "--yes", "--memory", tmp_path / "m"]
    assert tieout(*save, "memory/first", "--data", sales, "--applies", "sales").exit_code == 0
    kept = find_recipe(tmp_path / "m", "A")
    assert (kept.applies, len(kept.steps)) == ("sales", 2)
    assert "there are: memory/first, memory/other" in tieout(*save, "memory/frist", "--unchecked").stderr
    assert "has 1 turns, not 2" in tieout(*save, "memory/first:2", "--unchecked").stderr
    assert "give --data, or --unchecked" in tieout(*save, "memory/first:1").stderr
    assert "no run of that name" in tieout("recipe", "save", "nothing", "1", "--as", "A").stderr


SHIPPED = read_recipes(MEMORY)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("How far did the equity index fall during the latest recession?", "the latest recession"),
        ("What was the policy rate when the first recession started?", "the first recession started"),
        ("Average inflation outside of recessions", "recessions"),
        ("How far did the equity index fall during the longest boom?", None),
        ("What is the average unemployment rate?", None),
    ],
)
def test_the_parts_of_a_question_are_looked_for_where_the_whole_is_not_known(question, part):
    assert [match.part for match in find_for_parts(question, SHIPPED)] == ([part] if part else [])
    assert not any(match.fits for match in find_recipes(question, SHIPPED))


def test_a_model_is_told_of_a_recipe_for_a_part_and_judges_itself(warm_desks, tmp_path):
    desk = warm_desks([ROOT / "data" / "series"])
    run = ("run_recipe", {"heading": "Recession Calculation"})
    query = "SELECT policy_rate FROM labour_and_rates WHERE month = DATE '2020-07-01'"
    with Log(tmp_path / "log.jsonl") as log:
        asked = talk(
            desk,
            says(run),
            says(("query_sql", {"select": query, "name": "rate"}), answers("rate")),
            says(("query_sql", {"select": query, "name": "other"}), answers("other")),
            memory=Memory(MEMORY),
            log=log,
        )
        first = asked.ask("What was the policy rate when the latest recession started?")
        second = asked.ask("What was the policy rate when the latest recession was feared?")
    told = asked.backend.requests[0].question
    assert "[recipe for a part, 'the latest recession started': 'Recession Calculation'" in told
    assert first.number == second.number
    assert "Judge whether one really applies" in asked.backend.requests[0].instructions
    rephrased = [event for event in read_events(tmp_path / "log.jsonl") if isinstance(event, Rephrased)]
    assert [event.recipes for event in rephrased][:1] == [("Recession Calculation",)]
    assert [call.tool for call in second.events if isinstance(call, ToolCalled)] == ["query_sql", "answer"]
    desk.close()


def test_what_is_declined_names_what_there_is_and_what_nothing_explains(tmp_path):
    (tmp_path / "t.csv").write_text("M2SL,S&P 500,a,b,c,d,e\n" + "1,2,3,4,5,6,7\n" * 3)
    told = json.loads(tieout("ask", "--data", tmp_path, "what is the NAIRU?", "--json").stdout)
    assert (told["outcome"], told["flags"]) == ("clarify", [])
    said = told["clarification"]["question"]
    assert "the tables t (M2SL, S&P 500, a, b, c, d, and others)" in said
    assert "Nothing here explains NAIRU: what does it mean?" in said


def test_several_questions_in_one_are_answered_one_after_the_other_without_a_model():
    data = ["--data", ROOT / "data" / "series", "--memory", MEMORY]
    both = tieout("ask", *data, "When did the latest recession start, and how many quarters did it last?", "--json")
    assert json.loads(both.stdout)["outcome"] == "clarify"
    asked = "When did the latest recession start, and how many recessions started in the last 20 years?"
    told = json.loads(tieout("ask", *data, asked, "--json").stdout)
    assert [item["text"] for item in told["items"]] == ["2020-07-01", "2"]
    assert {line["frame"]["recipe"] for line in told["sheet"]["lines"]} == {"Recession Calculation"}


def test_a_report_is_asked_in_words_of_the_house_and_both_questions_are_logged(sample, tmp_path):
    page = next(read_conversations(sample / "ask.json"))
    (known, *_), log = page.questions, tmp_path / "log.jsonl"
    label = next(fact.label for fact in build(page.document, default_ontology(None)[0]).facts() if fact.label)
    tieout("term", "add", label, "what is printed so", "--also", "zarquon", "--memory", tmp_path / "m")
    asked = f"what was zarquon in {known.text[-5:-1]}?"
    plain = asked.replace("zarquon", label)
    ask = ["ask", sample / "ask.json", page.id]
    with_term = tieout(*ask, asked, "--memory", tmp_path / "m", "--log", log, "--json")
    without = json.loads(tieout(*ask, plain, "--json").stdout)
    assert json.loads(with_term.stdout)["value"] == without["value"]
    events = list(read_events(log))
    assert next(e.question for e in events if isinstance(e, TurnStarted)) == asked
    rephrased = next(e for e in events if isinstance(e, Rephrased))
    assert rephrased.question.startswith(f"{asked}\n[term: {label}: what is printed so")


def test_a_run_over_reports_looks_words_up_where_a_memory_is_named(sample, tmp_path):
    tieout("term", "add", "operating income", "what is left of sales", "--memory", tmp_path / "m")
    run = ["eval", "run", sample / "ask.json", "--no-store", "--runs", tmp_path / "runs", "--limit", "1"]
    assert tieout(*run, "--memory", tmp_path / "m", "--run", "house").exit_code == 0
    told = [event for log in (tmp_path / "runs" / "house").glob("*.jsonl") for event in read_events(log)]
    asked = [event.question for event in told if isinstance(event, TurnStarted)]
    terms = [event.terms for event in told if isinstance(event, Rephrased)]
    assert len(terms) == sum("operating income" in question for question in asked) > 0
    assert tieout("eval", "score", "house", "--runs", tmp_path / "runs").exit_code == 0
    tieout("term", "add", "sales", "what is sold", "--memory", tmp_path / "m")
    again = tieout(*run, "--memory", tmp_path / "m", "--run", "house")
    assert "the memory of run 'house' has changed" in again.stderr


def test_python_asks_data_without_a_report(tmp_path):
    with front.open(data=ROOT / "data" / "series", memory=MEMORY) as asked:
        assert asked.ask("When did the latest recession start?").text == "2020-07-01"


def test_in_chat_a_model_writes_the_general_form_and_by_rule_it_is_kept_where_it_does_not(sales, tmp_path, monkeypatch):
    steps = [{"tool": "query_sql", "name": "s", "select": "SELECT avg(amount) AS v FROM sales WHERE who = $who"}]
    keep = {"heading": "Average", "description": "of a person", "question": "average amount of {who}?", "answer": "s",
            "steps": steps, "variables": [{"name": "who", "kind": "text", "value": "ben"}]}  # fmt: skip
    work = says(("query_sql", {"select": steps[0]["select"].replace("$who", "'ben'"), "name": "s"}), answers("s"))
    lines = "average amount of ben?\nremember this as Average\n"
    model = ScriptedBackend([work, says(("remember", keep), answers("prev_1"))])
    monkeypatch.setattr("tieout.cli_ask.make_backend", lambda name, **told: model)
    done = tieout("chat", "--data", sales, "--memory", tmp_path / "m", input=f"{lines}/quit\n")
    assert "it was run first, and gave the same answer" in done.stdout, done.output
    assert find_recipe(tmp_path / "m", "Average").variables[0].name == "who"
    model.replies = [work, says(answers("prev_1"))]
    done = tieout("chat", "--data", sales, "--memory", tmp_path / "n", input=f"{lines}\n/quit\n")
    assert "by rule" in done.stderr and "(Enter or yes, no) \nkept" in done.stdout
    assert find_recipe(tmp_path / "n", "Average").variables[0].value == "ben"


def test_chat_remembers_the_last_turn_as_it_is_told(sales, tmp_path):
    memory = tmp_path / "m"
    save_recipe(memory, find_recipe(MEMORY, "Recession Calculation"))
    lines = "when did the latest recession start?\nremember this as Start\n\n/quit\n"
    done = tieout("chat", "--data", ROOT / "data" / "series", "--memory", memory, input=lines)
    assert "kept" in done.stdout, done.output
    recipe = find_recipe(memory, "Start")
    assert [step.tool for step in recipe.steps] == ["recipe"]
    assert recipe.answers[0].question == "when did the latest recession start?"
    again = tieout("chat", "--data", ROOT / "data" / "series", "--memory", memory,
                   input=lines.replace("latest", "first").replace("\n\n", "\n\nkeep\n"))  # fmt: skip
    assert "is there already" in again.stdout and "kept as it was" in again.stdout
    assert find_recipe(memory, "Start") == recipe


# Safety

SAVES = """
import sys
from pathlib import Path
from tieout.agent.memory.recipes import Recipe, save_recipe
from tieout.agent.memory.terms import Term, save_term
folder, who = Path(sys.argv[1]), sys.argv[2]
for number in range(int(sys.argv[3])):
    save_term(folder, Term(label=f"{who} {number}", meaning="x"))
    save_recipe(folder, Recipe(heading=f"{who} {number}", steps=(), answers=()))
    print(number, flush=True)
"""


def saver(folder: Path, who: str, count: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", SAVES, str(folder), who, str(count)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def test_two_who_save_at_once_lose_nothing(tmp_path):
    both = [saver(tmp_path, who, 10) for who in ("anna", "ben")]
    for each in both:
        each.communicate()
        assert each.returncode == 0
    wanted = {f"{who} {number}" for who in ("anna", "ben") for number in range(10)}
    assert {term.label for term in read_terms(tmp_path)} == wanted
    assert {recipe.heading for recipe in read_recipes(tmp_path)} == wanted


def test_one_who_is_killed_while_saving_loses_nothing_that_was_kept(tmp_path):
    process = saver(tmp_path, "anna", 10_000)
    assert process.stdout is not None
    done = [int(process.stdout.readline()) for _ in range(15)]
    process.kill()
    done += [int(line) for line in process.communicate()[0].split()]
    labels = {term.label for term in read_terms(tmp_path)}
    headings = {recipe.heading for recipe in read_recipes(tmp_path)}
    assert {f"anna {number}" for number in done} <= labels & headings
    assert save_term(tmp_path, Term(label="ben")) is None  # the lock went with its holder


def test_a_memory_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(KeepError, match="cannot be changed"):
        save_term(tmp_path / "file" / "m", Term(label="x"))


def test_a_column_explains_what_its_name_is_short_for():
    assert unknown_words("How far did the S&P 500 fall?", ["date, sp500"]) == []
    assert unknown_words("How far did the S&P 500 fall?", ["date, gdp"]) == ["S&P"]
