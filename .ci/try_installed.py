"""Tries the tieout that is installed for the Python that runs this: asks, indexes, queries, serves, evaluates.

`python .ci/try_installed.py FOLDER` works in FOLDER, which it makes, and needs tieout[serve]. Nothing but
Python's own library is used, so that it runs wherever tieout is to run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

QUESTION, ANSWER = "what was free cash flow in 2024?", "$492 million"
SAMPLE = (
    "import tieout.data; from pathlib import Path; print(Path(next(iter(tieout.data.__path__)), 'sample').resolve())"
)
SECONDS = 300  # for each step, on the slowest machine
UTF_8 = os.environ | {"PYTHONUTF8": "1"}  # for what we read; what is installed finds its own way


def tieout(*arguments: str, here: Path) -> str:
    """What a command prints. Raises SystemExit with what it says where it fails."""
    command = [sys.executable, "-m", "tieout", *arguments]
    done = subprocess.run(command, cwd=here, capture_output=True, encoding="utf-8", timeout=SECONDS)
    if done.returncode:
        raise SystemExit(f"tieout {' '.join(arguments)}\n{done.stdout}{done.stderr}")
    return done.stdout


def told(what: str, found: str, wanted: str) -> None:
    """Says that something works, or ends with what was found instead."""
    if wanted not in found:
        raise SystemExit(f"{what}: {wanted!r} is not in {found!r}")
    print(f"{what}: as it should be", flush=True)


def fetched(address: str, headers: dict[str, str], content: object = None) -> dict[str, Any]:
    """What the server replies, which is JSON."""
    data = None if content is None else json.dumps(content).encode()
    with urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=SECONDS) as reply:
        return json.load(reply)


def ask_over_http(report: Path, here: Path) -> str:
    """The reply of `tieout serve` to the question. The server is ended."""
    command = [sys.executable, "-m", "tieout", "serve", str(report), "--port", "0"]
    process = subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
    assert process.stdout is not None
    try:
        address = re.match(r"(http://\S+)/\?token=(\S+)", process.stdout.readline())
        if address is None:
            raise SystemExit("tieout serve prints no address")
        headers = {"Authorization": f"Bearer {address[2]}", "Content-Type": "application/json"}
        until = time.monotonic() + SECONDS
        while (shown := fetched(f"{address[1]}/api/reports", headers)["reports"])[0]["state"] != "ready":
            if time.monotonic() > until or shown[0]["state"] == "failed":
                raise SystemExit(f"the report is not read: {shown}")
            time.sleep(0.2)
        asked = {"reports": [shown[0]["id"]], "question": QUESTION}
        return str(fetched(f"{address[1]}/api/ask", headers, asked)["answer"])
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def main(here: Path) -> None:
    """Every step, in a folder."""
    (here / "reports").mkdir(parents=True)
    found = subprocess.run([sys.executable, "-c", SAMPLE], cwd=here, capture_output=True, encoding="utf-8", env=UTF_8)
    sample = Path(found.stdout.strip())
    report = Path(shutil.copy(sample / "report.htm", here / "reports"))
    told("ask a file", tieout("ask", str(report), QUESTION, here=here), ANSWER)
    tieout("index", "reports", "--jobs", "2", "--store", "kept", here=here)
    told("ask what is kept", tieout("ask", QUESTION, "--store", "kept", here=here), ANSWER)
    query = "SELECT (COUNT(*) AS ?figures) { ?figure kg:raw ?text }"
    told("query", tieout("sparql", query, "--store", "kept", here=here), "figures")
    told("serve", ask_over_http(report, here), ANSWER)
    options = ("--limit", "2", "--workers", "2", "--run", "first", "--no-store")
    told("evaluate", tieout("eval", "run", str(sample / "ask.json"), *options, here=here), "2 of 2 complete")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
