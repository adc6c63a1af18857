"""`settings`: list, get, set and test the settings of systems."""

import sys

import click

from workspace_manager.cli.check import report
from workspace_manager.cli.example import example
from workspace_manager.cli.output import JSON, actor, reject_usage, say, show
from workspace_manager.cli.system_argument import INSTALLED
from workspace_manager.contract.settings import EMPTY, SettingSpec, as_text
from workspace_manager.operations import checks
from workspace_manager.operations import settings as system_settings
from workspace_manager.operations.system_configuration import read_settings
from workspace_manager.operations.system_views import view_systems
from workspace_manager.wiring import tried_out

SYSTEM = click.argument("system", type=INSTALLED)


@click.group()
def settings() -> None:
    """Settings of the connected systems."""


@settings.command("list", epilog=example("settings list"))
@JSON
def list_(as_json: bool) -> None:
    """List every setting; secrets are named, never shown."""
    items = [
        {
            "system": system.name,
            **one.model_dump(),
            "value": one.value if one.kind != "secret" else "set" if one.is_set else "",
        }
        for system in view_systems()
        for one in system.settings
    ]
    show(items, ("system", "name", "value", "pinned"), as_json=as_json, empty="")


@settings.command(
    epilog=example(
        "settings test triplestore url=https://triples.example.org --secret admin_password"
    )
)
@SYSTEM
@click.argument("values", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--secret", "secrets", multiple=True, metavar="NAME", help="Ask for this secret.")
@JSON
def test(system: str, values: tuple[str, ...], secrets: tuple[str, ...], as_json: bool) -> None:
    """Check SYSTEM with these values in place of the stored ones; nothing is stored. The exit code
    is 1 if any check fails.
    """
    specs = _specs(system)
    typed: dict[str, str] = {}
    for text in values:
        name, found, value = text.partition("=")
        if not found or name not in specs:
            raise click.UsageError(f"{system} has no setting {name}; write NAME=VALUE")
        if specs[name].secret:
            raise click.UsageError("a secret is not given as an argument; use --secret NAME")
        typed[name] = value
    report_on = {**typed, **_typed_secrets(system, secrets)}
    tried = tried_out(system, report_on, actor=actor())
    report(checks.looked_at(tried, asked=True), as_json=as_json)


def _specs(system: str) -> dict[str, SettingSpec]:
    return {spec.name: spec for spec in system_settings.installed_spec(system).settings.specs()}


def _typed_secrets(system: str, names: tuple[str, ...]) -> dict[str, str]:
    specs = _specs(system)
    for name in names:
        if name not in specs or not specs[name].secret:
            raise click.UsageError(f"{system} has no secret {name}")
    return {name: _typed_secret(name) for name in names}


def _typed_secret(name: str) -> str:
    """Read a secret from standard input or a prompt; "" if nothing was entered."""
    try:
        typed: str = (
            click.prompt(name, hide_input=True, default="", show_default=False)
            if sys.stdin.isatty()
            else sys.stdin.readline().rstrip("\n")
        )
        # Depending on the locale, Python refuses bytes that are no text at once, or only when they
        # are sent.
        typed.encode()
    except UnicodeError:
        reject_usage(f"What was typed for {name} is no text in this terminal's encoding (UTF-8?).")
    return typed


@settings.command(epilog=example("settings get drive base_url"))
@SYSTEM
@click.argument("name")
def get(system: str, name: str) -> None:
    """Print one setting; of a secret only whether it is set."""
    specs = _specs(system)
    if name not in specs:
        raise click.UsageError(f"{system} has no setting {name}")
    value = getattr(read_settings(system).settings, name)
    say(("set" if value else "not set") if specs[name].secret else as_text(specs[name], value))


@settings.command(
    "set",
    epilog=example(
        "settings set drive base_url https://drive.example.org",
        "settings set drive admin_password < password-file",
    ),
)
@SYSTEM
@click.argument("name")
@click.argument("value", required=False)
@click.option("--secret", "secrets", multiple=True, metavar="NAME", help="Ask for this secret too.")
def set_(system: str, name: str, value: str | None, secrets: tuple[str, ...]) -> None:
    """Store one setting. A secret is read from standard input or asked for, since arguments are
    public. {empty} as the secret forgets it. If an address gets another scheme, host or port, enter
    each secret again: --secret NAME.
    """
    specs = _specs(system)
    if name not in specs:
        raise click.UsageError(f"{system} has no setting {name}")
    if specs[name].secret:
        if value is not None:
            raise click.UsageError(
                "a secret is not given as an argument: arguments are public. Leave VALUE out."
            )
        typed = _typed_secret(name)
        if not typed:
            say(f"Blank: the stored secret stays. {EMPTY} forgets it.")
            return
        value = typed
    if value is None:
        raise click.UsageError("VALUE is missing")
    again = _typed_secrets(system, secrets)
    system_settings.save(system, {**again, name: value}, actor=actor())
    forgotten = specs[name].secret and value == EMPTY
    say(f"{system}.{name} is {'no longer stored' if forgotten else 'stored'}.")
