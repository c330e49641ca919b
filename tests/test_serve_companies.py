"""Companies over HTTP: who is there, statements, comparisons and screens, each value with its place and as a file."""

from __future__ import annotations

import io
import re
import shutil
import zipfile

import httpx
import pytest
from company_filings import write_all
from conftest import ROOT, SAMPLE

pytest.importorskip("fastapi", reason="NO FASTAPI: the API was not tried; pip install 'tieout[serve]'")
from serving import TOKEN, served

from tieout.serve.api import schema

TYPES = {"companies": schema.Companies, "measures": schema.Measures}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = write_all(tmp_path_factory.mktemp("filings"))
    shutil.copy(SAMPLE / "report.htm", folder / "10k.htm")
    with served(*sorted(folder.iterdir())) as opened:
        yield opened


@pytest.fixture(scope="module")
def get(address):
    with httpx.Client(base_url=address, timeout=60) as client:
        client.headers["Authorization"] = f"Bearer {TOKEN}"

        def get(path: str, **parameters: object) -> httpx.Response:
            """A reply, which is of its type."""
            reply = client.get(path, params=parameters)
            name = path.rpartition("/")[2]
            if (
                reply.status_code == 200
                and name in (*TYPES, "statement", "compare", "screen")
                and "form" not in parameters
            ):
                TYPES.get(name, schema.Grids).model_validate_json(reply.content)
            return reply

        yield get


def cells(reply: httpx.Response, grid: int = 0) -> dict[tuple[str, str], dict[str, object]]:
    """The values of a grid by label and column."""
    found = reply.json()["grids"][grid]
    return {
        (row["label"], column): cell
        for row in found["rows"]
        for column, cell in zip(found["columns"], row["cells"], strict=True)
        if cell
    }


def test_a_company_has_its_filings_with_their_keys(get):
    _, lumen, orion = get("/api/companies").json()["companies"]
    assert (lumen["name"], lumen["ticker"], lumen["identifier"]) == ("Lumen Works, Inc.", "LUMN", "CIK 71")
    assert [(each["id"], each["fiscal_year"], each["fiscal_period"]) for each in lumen["filings"]] == [
        ("lumen24", 2024, "FY"),
        ("lumen23", 2023, "FY"),
        ("lumen22", 2022, "FY"),
    ]
    for each in (*lumen["filings"], *orion["filings"]):
        assert get(f"/api/reports/{each['report']}").json()["id"] == each["id"]


def test_a_value_leads_to_its_print_and_a_revised_one_to_what_it_was(get):
    found = cells(get("/api/statement", company="lumen", kind="income"))
    sales = found["Total net sales", "2023"]
    assert (sales["shown"], sales["amount"], sales["program"]) == ("1,400", "1400000000", None)
    (stated,), (older,) = sales["stated"], sales["restated"]
    assert (stated["id"], older["id"], older["shown"]) == ("lumen24", "lumen23", "1,500 million USD")
    for each, raw in ((stated, "1,400"), (older, "1,500")):
        assert get(f"/api/reports/{each['report']}/facts/{each['fact']}").json()["raw"] == raw
    assert not found["Total net sales", "2022"]["restated"]


def test_measures_are_compared_and_say_what_they_rest_on(get):
    reply = get("/api/compare", measure=["revenue", "gross margin"], company=["Lumen", "ORGL"], first=2023, last=2024)
    assert cells(reply).keys() == {
        (name, year) for name in ("Lumen Works, Inc.", "Orion Glass Corporation") for year in ("2023", "2024")
    }
    margin = cells(reply, 1)["Lumen Works, Inc.", "2024"]
    assert (margin["shown"], margin["amount"], margin["unit"]) == ("40.0%", "0.4", "percent")
    assert [each["label"] for each in margin["stated"]] == ["Gross profit", "Total net sales"]
    assert all(each["fact"] in margin["program"] for each in margin["stated"])
    unknown = cells(reply)["Orion Glass Corporation", "2024"]
    assert (unknown["shown"], unknown["unit"]) == ("3,300 ?", "")  # its report does not say which currency
    assert "? Orion Glass Corporation: the unit is not stated" in reply.json()["notes"]


def test_companies_are_screened(get):
    reply = get("/api/screen", conditions="revenue > 2bn and gross margin >= 40%")
    assert {name for name, _ in cells(reply)} == {"Brightmoor Instruments, Inc.", "Orion Glass Corporation"}
    alone = get("/api/screen", conditions="revenue > 2bn", company=["ORGL"])
    assert [each["shown"] for each in cells(alone).values()] == ["3,300,000,000 ?"]  # of no unit, also where all are


def test_what_is_shown_can_be_had_as_a_file(get):
    asked = {"company": "LUMN", "kind": "balance"}
    rows = get("/api/statement", **asked, form="csv")
    assert rows.headers["content-type"].startswith("text/csv") and rows.text.startswith("company,company_name,ticker")
    pytest.importorskip("xlsxwriter", reason="NO XLSXWRITER: no workbook was written")
    book = get("/api/statement", **asked, form="xlsx")
    assert "xl/workbook.xml" in zipfile.ZipFile(io.BytesIO(book.content)).namelist()


@pytest.mark.parametrize(
    ("path", "asked", "status", "said"),
    [
        ("compare", {"measure": "revenu"}, 400, "did you mean 'revenue'?"),
        ("compare", {"measure": "revenue", "first": 1999, "last": 2000}, 404, "no report that is open states this"),
        ("compare", {}, 422, "measure"),
        ("statement", {"company": "Lumin"}, 404, "Lumen"),
        ("statement", {"company": "Lumen", "kind": "wrong"}, 422, "kind"),
        ("screen", {"conditions": "revenue"}, 400, "gross margin > 40%"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(get, path, asked, status, said):
    reply = get(f"/api/{path}", **asked)
    assert (reply.status_code, said in reply.json()["error"]) == (status, True), reply.text


def test_measures_that_can_be_asked_for_are_listed(get):
    found = {each["name"]: each for each in get("/api/measures").json()["measures"]}
    assert found["revenue"]["statement"] == "income" and found["gross margin"]["unit"] == "percent"
    for name in ("revenue", "gross margin", "free cash flow"):
        assert get("/api/compare", measure=name).status_code in (200, 404)


def test_a_question_for_a_company_or_a_year_of_another_open_report_says_which(address):
    with httpx.Client(base_url=f"{address}/api", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60) as client:
        keys = {each["id"]: each["key"] for each in client.get("/reports").json()["reports"]}
        key = client.post("/conversations", json={"reports": ["lumen23"]}).json()["conversation"]

        def ask(question: str) -> dict:
            return client.post(f"/conversations/{key}/ask", json={"question": question}).raise_for_status().json()

        assert ask("what were total net sales in 2023?")["elsewhere"] == []
        assert ask("what were total net sales in 2024?")["elsewhere"] == [keys["lumen24"], keys["lumen22"]]
        orion = ask("what were Orion's total net sales in 2024?")["elsewhere"]
        assert orion and orion == [keys[name] for name in sorted(keys, reverse=True) if name.startswith("orion")]
        client.patch(f"/conversations/{key}", json={"reports": ["lumen23", *orion]}).raise_for_status()
        answered = ask("what were Orion's total net sales in 2024?")
        assert answered["answer"] and answered["elsewhere"] == []
        back = ask("what was the occupancy?")["clarification"]["question"]
        assert all(name in back for name in ("Lumen Works, Inc.", "Orion Glass Corporation")), back


def test_the_example_of_the_documentation_runs(address, capsys):
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "serving.md").read_text(), re.DOTALL)
    exec(example.replace("http://127.0.0.1:8737", address), {"token": TOKEN})
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "$685 million"
    assert "gross margin, percent Brightmoor Instruments, Inc. ['43.3%', '43.2%', '43.3%']" in told
