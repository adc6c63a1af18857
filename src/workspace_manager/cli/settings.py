"""`settings`: the stored settings of the systems."""

import sys

import click

from workspace_manager.cli.speak import JSON, actor, fail, say, show
from workspace_manager.lifecycle import system_settings
from workspace_manager.wiring import SETTINGS, configured

SYSTEM = click.argument("system", type=click.Choice(list(SETTINGS)))


@click.group()
def settings() -> None:
    """Settings of the driven systems."""


@settings.command("list")
@JSON
def list_(as_json: bool) -> None:
    """List every setting; secrets are named, never shown."""
    items = []
    for system, cls in SETTINGS.items():
        state = configured(system)
        for spec in cls.specs():
            value = getattr(state.settings, spec.name)
            shown = ("set" if value else "") if spec.secret else str(value)
            items.append(
                {
                    "system": system,
                    "name": spec.name,
                    "value": shown,
                    "pinned": spec.name in state.pinned,
                }
            )
    show(items, ("system", "name", "value", "pinned"), as_json=as_json, empty="")


@settings.command()
@SYSTEM
@click.argument("name")
def get(system: str, name: str) -> None:
    """Print one setting; of a secret only whether it is set."""
    specs = {spec.name: spec for spec in SETTINGS[system].specs()}
    if name not in specs:
        raise click.UsageError(f"{system} has no setting {name}")
    value = getattr(configured(system).settings, name)
    say(("set" if value else "not set") if specs[name].secret else str(value))


@settings.command("set")
@SYSTEM
@click.argument("name")
@click.argument("value", required=False)
def set_(system: str, name: str, value: str | None) -> None:
    """Store one setting. A secret is read from standard input or asked for: arguments are public."""
    specs = {spec.name: spec for spec in SETTINGS[system].specs()}
    if name not in specs:
        raise click.UsageError(f"{system} has no setting {name}")
    if specs[name].secret:
        if value is not None:
            raise click.UsageError(
                "a secret is not given as an argument: arguments are public. Leave VALUE out."
            )
        typed = (
            click.prompt(name, hide_input=True, default="", show_default=False)
            if sys.stdin.isatty()
            else sys.stdin.readline().rstrip("\n")
        )
        if not typed:
            say("Blank: the stored secret stays.")
            return
        value = typed
    if value is None:
        raise click.UsageError("VALUE is missing")
    if name in configured(system).pinned:
        fail(f"{system}.{name} is pinned by the environment; change it there.")
    system_settings.save(system, SETTINGS[system], {name: value}, actor=actor())
    say(f"{system}.{name} is stored.")


COMMANDS = [settings]
