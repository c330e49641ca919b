"""Builds what the Dockerfile says, serves the sample from it with as few rights as can be, asks it, and sees who it is.

Where no Docker runs, the steps of the Dockerfile are run in a folder that stands for the image: the files of this
system with a Python of its own in /usr/local, and what the steps change kept in memory. That takes Linux, root, and
the Python that the Dockerfile names. `python .ci/try_container.py`, or `make container`.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
QUESTION, ANSWER, USER = "what was free cash flow in 2024?", "$492 million", "10001"
SECONDS = 300
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
APART = "--apart"  # says that the process may mount what it likes: nobody else sees it


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """What a command prints. Raises SystemExit with what it said where it fails."""
    done = subprocess.run(list(map(str, command)), capture_output=True, encoding="utf-8", env=env)
    if done.returncode:
        raise SystemExit(f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def free_port() -> int:
    with socket.socket() as at:
        at.bind(("127.0.0.1", 0))
        return int(at.getsockname()[1])


@contextmanager
def docker() -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """A container that serves the sample: its process, its port here, and the user it runs as."""
    run("docker", "build", "--tag", "tieout", ROOT)
    name, port = f"tieout-{os.getpid()}", free_port()
    rights = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
    place = ["--publish", f"127.0.0.1:{port}:8737", "--volume", f"{ROOT}/data/sample:/reports:ro"]
    command = ["docker", "run", "--rm", "--name", name, *rights, *place, "tieout"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        try:
            yield process, port, "docker exec " + name + " id -u"
        finally:
            run("docker", "rm", "--force", name)


class Image:
    """A folder that stands for an image, as far as the steps of a Dockerfile have come."""

    def __init__(self, base: str, at: Path) -> None:
        """base: `python:3.13-slim`. at: an empty folder, in memory."""
        version = base.removeprefix("python:").removesuffix("-slim")
        if not (python := shutil.which(f"python{version}")):
            raise SystemExit(f"Docker does not run here, and there is no Python {version}, which {base} has")
        prefix = Path(run(python, "-c", "import sys; print(sys.base_prefix)").strip())
        if prefix == Path("/usr"):
            raise SystemExit(f"{python} is that of the system: a Python {version} of its own is needed")
        self.root, self.environment, self.folder, self.user = at / "root", {"PATH": PATH}, "/", "0"
        self.command: list[str] = []
        self._lay(Path("/"), self.root, at / "changes")
        self._lay(prefix, self.root / "usr/local", at / "python")
        run("mount", "-t", "proc", "proc", self.root / "proc")
        for device in ("null", "zero", "random", "urandom"):
            self._bind(Path("/dev", device), self.root / "dev" / device)
        self._as_it_comes(version)

    @staticmethod
    def _lay(below: Path, at: Path, changes: Path) -> None:
        """Puts a folder at another place, so that what is changed there is kept apart."""
        for each in (at, changes / "new", changes / "work"):
            each.mkdir(parents=True, exist_ok=True)
        layers = f"lowerdir={below},upperdir={changes}/new,workdir={changes}/work"
        run("mount", "-t", "overlay", "overlay", "-o", layers, at)

    @staticmethod
    def _bind(source: Path, at: Path) -> None:
        at.touch()
        run("mount", "--bind", source, at)

    def _as_it_comes(self, version: str) -> None:
        """Leaves of Python what python:slim has: its library and pip, found below /usr/local."""
        local = self.root / "usr/local"
        for each in (local / f"lib/python{version}/site-packages").iterdir():
            if not each.name.startswith("pip"):
                shutil.rmtree(each) if each.is_dir() else each.unlink()
        main = "#!/usr/local/bin/python3\nfrom pip._internal.cli.main import main\nraise SystemExit(main())\n"
        (local / "bin/pip").write_text(main)
        run("chroot", self.root, "/sbin/ldconfig")

    def step(self, word: str, text: str, stages: dict[str, Image]) -> None:
        """Does what a line of the Dockerfile says."""
        if word == "RUN":
            kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
            run("chroot", self.root, "/bin/sh", "-c", text, env=kept | self.environment)
        elif word == "COPY":
            *options, source, target = text.split()
            self._copy(stages[options[0].removeprefix("--from=")].root / source[1:] if options else None, target)
        elif word == "ENV":
            self.environment |= dict(each.split("=", 1) for each in shlex.split(text))
        elif word == "USER":
            self.user = text
        elif word == "WORKDIR":
            self.folder = text
        elif word in ("ENTRYPOINT", "CMD"):
            self.command += json.loads(text)
        elif word not in ("EXPOSE", "HEALTHCHECK"):
            raise SystemExit(f"the Dockerfile has a step that is not known here: {word}")

    def _copy(self, source: Path | None, target: str) -> None:
        """Copies a folder of another stage, or where there is None what .dockerignore lets in."""
        there = self.root / target[1:]
        there.mkdir(parents=True, exist_ok=True)
        if source is not None:
            run("cp", "-a", f"{source}/.", there)
            return
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
            if line.startswith("!"):
                run("cp", "-a", ROOT / line[1:], there)
        for each in list(there.rglob("__pycache__")):
            shutil.rmtree(each)

    @contextmanager
    def served(self) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
        """A process in the image that serves the sample, as `docker` gives it. It can write to /tmp alone."""
        reports, port = self.root / "reports", free_port()
        run("mount", "--bind", "-o", "ro", ROOT / "data/sample", reports)
        for each in (self.root, self.root / "usr/local"):
            run("mount", "-o", "remount,ro", each)
        run("mount", "-t", "tmpfs", "tmpfs", self.root / "tmp")
        inside = ["chroot", f"--userspec={self.user}", self.root, "setpriv", "--no-new-privs", "env", "-C", self.folder]
        command = [*map(str, inside), *self.command, "--port", str(port)]
        with subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, encoding="utf-8") as process:
            try:
                yield process, port, f"stat -c %u /proc/{process.pid}"
            finally:
                process.terminate()


@contextmanager
def steps() -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """What the Dockerfile makes, without Docker: as `docker` gives it."""
    stages: dict[str, Image] = {}
    name = tempfile.mkdtemp()
    run("mount", "-t", "tmpfs", "tmpfs", name)
    try:
        for line in (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines():
            word, _, text = line.partition(" ")
            if word == "FROM":
                base, _, stage = text.partition(" AS ")
                image = stages[stage] = Image(base, Path(name, stage or "last"))
            elif line and not line.startswith("#"):
                image.step(word, text, stages)
        with image.served() as found:
            yield found
    finally:
        run("umount", "--recursive", "--lazy", name)
        Path(name).rmdir()  # nothing is left in it: what was mounted there is no file of ours to remove


def asked(port: int, token: str) -> str:
    """The answer, once the sample is read; else what the server said last."""
    content = json.dumps({"reports": ["report"], "question": QUESTION}).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/ask", content, headers)
    until = time.monotonic() + SECONDS
    while True:
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as reply:
                return str(json.load(reply)["answer"])
        except (urllib.error.URLError, ConnectionError) as error:
            said = error.read().decode() if isinstance(error, urllib.error.HTTPError) else str(error)
        if time.monotonic() > until:
            return said
        time.sleep(0.5)


def main(*arguments: str) -> None:
    """Builds, serves, asks."""
    here = bool(shutil.which("docker")) and not subprocess.run(["docker", "info"], capture_output=True).returncode
    if not here and APART not in arguments:
        if sys.platform != "linux" or os.geteuid():
            raise SystemExit("Docker does not run here, and its steps can be run without it by root on Linux alone")
        command = ["unshare", "--mount", "--propagation", "private", sys.executable, __file__, APART]
        os.execvp(command[0], command)
    print(
        "built by Docker" if here else "Docker does not run here: the steps of the Dockerfile, one by one", flush=True
    )
    with (docker if here else steps)() as (process, port, whose):
        assert process.stdout is not None
        token = next((found[1] for line in process.stdout if (found := re.search(r"token=(\S+)", line))), None)
        if token is None:
            raise SystemExit("it ends without an address")
        if (user := run(*whose.split()).strip()) != USER:
            raise SystemExit(f"it runs as user {user}")
        print(f"runs as user {user}: as it should be", flush=True)
        if (answer := asked(port, token)) != ANSWER:
            raise SystemExit(f"no answer: {answer}")
        print("answers: as it should be")


if __name__ == "__main__":
    main(*sys.argv[1:])
