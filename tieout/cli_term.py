"""The commands `tieout term`."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from tieout.agent.memory.keep import FOLDER, KeepError
from tieout.agent.memory.terms import find_term, make_term, read_skos, read_terms, remove_term, save_term
from tieout.data.console import Failure, console, json_option, one_line, print_json, print_table, printable
from tieout.data.files import WriteError

memory_option = click.option(
    "--memory", type=click.Path(path_type=Path), default=FOLDER, show_default=True, help="Folder of the memory."
)
replace_option = click.option("--replace", is_flag=True, help="Replace what has the same name.")


@click.group()
def term() -> None:
    """Keep what words mean in your house: they are written into questions that use them."""


@term.command()
@click.argument("label")
@click.argument("meaning", required=False)
@click.option("--also", multiple=True, help="Another word for it; may be given again.")
@click.option("--source", default="", help="Where the meaning is from.")
@click.option("--calculation", default="", help="How it is worked out.")
@replace_option
@memory_option
def add(
    label: str, meaning: str | None, also: tuple[str, ...], source: str, calculation: str, replace: bool, memory: Path
) -> None:
    """Keep a LABEL with its MEANING."""
    if not label.strip():
        raise Failure("a term needs a label")
    if meaning is not None and not meaning.strip():
        raise Failure(f"the meaning of {printable(label)!r} is empty: say what it means")
    with one_line(KeepError, WriteError):
        known = save_term(memory, make_term(label, also, meaning or "", source, calculation), replace=replace)
    if known is not None:
        raise Failure(
            f"{printable(known.label)!r} is there already, as {known.in_words()!r}: --replace takes the new meaning, "
            "another label keeps both"
        )
    console.print(f"kept {printable(label)}", markup=False)


@term.command(name="list")
@memory_option
@json_option
def list_terms(memory: Path, as_json: bool) -> None:
    """List the terms."""
    with one_line(KeepError):
        terms = read_terms(memory)
    if as_json:
        print_json([each.model_dump() for each in terms])
        return
    table = Table("term", "also", "meaning", box=None, pad_edge=False)
    for each in terms:
        table.add_row(*map(printable, (each.label, ", ".join(each.others), each.meaning)))
    print_table(table)


@term.command()
@click.argument("label")
@memory_option
@json_option
def show(label: str, memory: Path, as_json: bool) -> None:
    """Show the term LABEL."""
    with one_line(KeepError):
        found = find_term(read_terms(memory), label)
    if found is None:
        raise Failure(f"there is no term {label!r}")
    if as_json:
        print_json(found.model_dump())
        return
    for name, text in found.model_dump().items():
        if text:
            said = ", ".join(text) if isinstance(text, tuple) else text
            console.print(f"{name}: {printable(said)}", markup=False, soft_wrap=True)


@term.command()
@click.argument("label")
@memory_option
def remove(label: str, memory: Path) -> None:
    """Take the term LABEL out."""
    with one_line(KeepError, WriteError):
        gone = remove_term(memory, label)
    console.print(f"removed {printable(gone.label)}", markup=False)


@term.command(name="import")
@click.argument("file", type=click.Path(path_type=Path))
@replace_option
@memory_option
def import_file(file: Path, replace: bool, memory: Path) -> None:
    """Keep the terms of a FILE in SKOS, the vocabulary of RDF for terms and their labels, written as Turtle."""
    with one_line(KeepError, WriteError):
        before = read_terms(memory)
        left = [each for each in read_skos(file) if save_term(memory, each, replace=replace) is not None]
        new = [each for each in read_terms(memory) if each not in before]
    console.print(f"kept {len(new)} terms", markup=False)
    for each in left:
        console.print(f"left out, there already: {printable(each.label)} (--replace takes it)", markup=False)
