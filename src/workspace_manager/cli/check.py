"""`check`: run the checks of systems."""

import click
from rich.text import Text

from workspace_manager.cli.example import example
from workspace_manager.cli.output import JSON, actor, console, print_json, say
from workspace_manager.cli.system_argument import INSTALLED
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.person_trial import USERNAME
from workspace_manager.core.connected_systems import label_of
from workspace_manager.operations import as_person as person
from workspace_manager.operations import checks, own_health
from workspace_manager.operations.system_views import view_finding
from workspace_manager.snapshots import store_health
from workspace_manager.systems import registry
from workspace_manager.wiring import connected_systems, told_anew

MARKS = {
    Severity.OK: ("✓", "green"),
    Severity.WARNING: ("!", "yellow"),
    Severity.FAILING: ("✗", "bold red"),
}


@click.command(epilog=example("check drive"))
@click.argument("system", required=False, type=INSTALLED)
@click.option(
    "--as-person",
    is_flag=True,
    help=(
        f"Make a user {USERNAME} at the identity provider besides, sign in as that person at every "
        "client, use their token at the drive, and remove everything that came of it. Nothing is "
        "started."
    ),
)
@JSON
def check(system: str | None, as_person: bool, as_json: bool) -> None:
    """Run every check of SYSTEM, or of all systems. The exit code is 1 if any fails."""
    names = [system] if system else registry().names()
    systems = told_anew(connected_systems(), names)
    found = [] if system else [*own_health.findings(), *store_health.findings()]
    found += [one for name in names for one in checks.findings(name, systems, asked=True)]
    if as_person or (system is None and person.is_on(systems)):
        found += person.check(systems, actor=actor())
    report(found, as_json=as_json)


def report(found: list[Finding], *, as_json: bool) -> None:
    """Print findings; exit with 1 if any fails."""
    failing = [finding for finding in found if finding.severity == Severity.FAILING]
    if as_json:
        print_json(
            {
                "items": [
                    {**f.model_dump(mode="json"), **view_finding(f).model_dump()} for f in found
                ],
                "count": len(found),
                "failing": len(failing),
            }
        )
    else:
        _print(found)
    if failing:
        raise click.exceptions.Exit(1)


def _print(found: list[Finding]) -> None:
    for name in dict.fromkeys(finding.system for finding in found):
        console.print(f"\n[bold]{label_of(name)}[/]")
        for finding in found:
            if finding.system != name:
                continue
            mark = Text.assemble("  ", MARKS[finding.severity], " ")
            say(f"{finding.name}: {finding.text}", first=mark)
            if finding.remedy and finding.severity != Severity.OK:
                say(f"{finding.remedy}{_id(finding)}", first="      → ")


def _id(finding: Finding) -> str:
    """Return the finding's id in docs/reference/checks.md."""
    return f" ({finding.message.code})" if finding.message else ""
