"""The command `tieout plugins`: what packages add."""

from __future__ import annotations

import click

from tieout.data.console import console, json_option, print_json
from tieout.data.plugins import GROUPS, packages


@click.command("plugins")
@json_option
def list_plugins(as_json: bool) -> None:
    """List the readers, measures, backends and exporters that installed packages add to tieout."""
    found = {group: packages(group) for group in GROUPS}
    if as_json:
        print_json(found)
    elif not any(found.values()):
        console.print("no package adds anything to tieout", markup=False)
    else:
        for group, names in found.items():
            for name, package in names.items():
                console.print(f"{group:<10} {name:<12} {package}", markup=False, soft_wrap=True)
