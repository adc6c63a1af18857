"""`administrators`: who may approve and remove people."""

import click

from workspace_manager.cli.output import JSON, actor, fail, say, show
from workspace_manager.people import roles
from workspace_manager.records.models import Person


@click.group()
def administrators() -> None:
    """Who may approve and remove people."""


@administrators.command("list")
@JSON
def list_(as_json: bool) -> None:
    """List the administrators."""
    items = [
        {"username": p.username, "state": p.state}
        for p in Person.objects.filter(role=Person.Role.ADMINISTRATOR)
    ]
    items += [{"username": name, "state": "not signed in yet"} for name in roles.announced()]
    show(
        items,
        ("username", "state"),
        as_json=as_json,
        empty="There is no administrator. Make one: administrators add NAME",
    )


@administrators.command()
@click.argument("name")
def add(name: str) -> None:
    """Make NAME an administrator, now or at the first sign-in."""
    name = roles.make_administrator(name, actor=actor())
    say(
        (
            f"Nobody called {name} has signed in yet; {name} becomes an administrator at the "
            f"first sign-in."
        )
        if name in roles.announced()
        else f"{name} is an administrator."
    )


@administrators.command()
@click.argument("name")
def remove(name: str) -> None:
    """Make NAME an ordinary person."""
    try:
        said = roles.make_user(name, actor=actor())
    except Person.DoesNotExist:
        fail(f"There is no administrator called {name}. See: workspace-manager administrators list")
    say(said.english)
