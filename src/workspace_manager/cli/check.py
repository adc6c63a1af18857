"""`check`: is every system reachable, may we do there what we must, and is anything configured wrongly."""

import click

from workspace_manager.cli.output import JSON, console, print_json, say
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.core.connected_systems import LABELS
from workspace_manager.wiring import SETTINGS, configured, connected_systems, misspelt

MARKS = {
    Severity.OK: "[green]✓[/]",
    Severity.WARNING: "[yellow]![/]",
    Severity.FAILING: "[bold red]✗[/]",
}


@click.command()
@click.argument("system", required=False, type=click.Choice(list(SETTINGS)))
@JSON
def check(system: str | None, as_json: bool) -> None:
    """Run every check of SYSTEM, or of all systems. Exit code 1 if any fails."""
    report(
        [
            finding
            for name in ([system] if system else SETTINGS)
            for finding in [*misspelt(name), *_findings(name)]
        ],
        as_json=as_json,
    )


def report(found: list[Finding], *, as_json: bool) -> None:
    """Print what was found, and end with exit code 1 if anything fails."""
    failing = [finding for finding in found if finding.severity == Severity.FAILING]
    if as_json:
        print_json(
            {
                "items": [f.model_dump(mode="json") for f in found],
                "count": len(found),
                "failing": len(failing),
            }
        )
    else:
        _print(found)
    if failing:
        raise click.exceptions.Exit(1)


def _findings(name: str) -> list[Finding]:
    system = connected_systems().ready.get(name)
    if system is not None:
        return list(system.check())
    state = configured(name)
    if state.errors:
        text = "; ".join(f"{setting} {why}" for setting, why in state.errors.items())
        remedy = "Correct it with: workspace-manager settings set"
        return [
            Finding(
                system=name, name="settings", severity=Severity.FAILING, text=text, remedy=remedy
            )
        ]
    missing = ", ".join(state.missing) or "the container manager"
    text = f"the {LABELS[name]} is not configured (missing: {missing})"
    return [
        Finding(
            system=name,
            name="configured",
            severity=Severity.WARNING,
            text=text,
            remedy="Set it if you have one.",
        )
    ]


def _print(found: list[Finding]) -> None:
    for name in dict.fromkeys(finding.system for finding in found):
        console.print(f"\n[bold]{LABELS[name]}[/]")
        for finding in found:
            if finding.system != name:
                continue
            console.print(f"  {MARKS[finding.severity]} ", end="")
            say(f"{finding.name}: {finding.text}")
            if finding.remedy and finding.severity != Severity.OK:
                say(f"      → {finding.remedy}")
