"""`administrators`: list, add, confirm and remove administrators."""

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, NOTHING, actor, fail, say, show
from workspace_manager.core.lists import ListQuery
from workspace_manager.people import announcements, roles
from workspace_manager.people.registration_views import ADMINISTRATORS, view_administrators
from workspace_manager.records.models import Person

ADDRESS = ("username", "email", "email_confirmed")


@click.group()
def administrators() -> None:
    """Administrators, who approve and remove people."""


@administrators.command("list", epilog=example("administrators list"))
@asking(ADMINISTRATORS)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List the administrators."""
    people = Person.objects.filter(role=Person.Role.ADMINISTRATOR)
    addresses = {row.pop("username"): row for row in people.values(*ADDRESS)}
    items = [
        {**one.model_dump(), **addresses.get(one.username, {})} for one in view_administrators()
    ]
    show(
        ADMINISTRATORS.chosen(items, asked),
        ("username", "state", "bound", "sub", "email", "email_confirmed", "until", "announced_by"),
        as_json=as_json,
        empty=NOTHING
        if asked.q or asked.filters
        else "There is no administrator. Make one: administrators add NAME",
    )


@administrators.command(epilog=example("administrators add ada --email ada@example.org"))
@click.argument("name")
@click.option("--sub", default="", help="Announce this account of the identity provider alone.")
@click.option("--email", default="", help="Announce whoever has this address confirmed there.")
@click.option("--until", default="", help="When an announcement ends; in 30 days.")
def add(name: str, sub: str, email: str, until: str) -> None:
    """Make NAME an administrator, or announce an absent person: --sub and --email give the role at
    the first sign-in; a name alone gives it once it is confirmed.
    """
    name = roles.make_administrator(name, actor=actor(), sub=sub, email=email, until=until)
    found = announcements.find_announcement(name)
    if found is None:
        say(f"{name} is an administrator.")
    elif Person.objects.filter(username=name).exists():
        say(f"{name} has signed in and is to be confirmed: administrators confirm {name}")
    elif announcements.read_binding(found) is announcements.Binding.NAME:
        say(
            f"{name} is announced until {found.until:%Y-%m-%d}. Anybody can register a name: once "
            f"{name} has signed in and you know who it is, administrators confirm {name}"
        )
    else:
        say(
            f"{name} is announced until {found.until:%Y-%m-%d} and becomes an administrator at the "
            f"first sign-in as {found.sub or found.email}."
        )


@administrators.command(epilog=example("administrators confirm ada"))
@click.argument("name")
def confirm(name: str) -> None:
    """Make NAME an administrator, after a sign-in under an announced name."""
    roles.confirm(name, actor=actor())
    say(f"{name} is an administrator.")


@administrators.command(epilog=example("administrators remove ada"))
@click.argument("name")
def remove(name: str) -> None:
    """Take the administrator's role from NAME."""
    if not roles.holds_role(name):
        fail(f"There is no administrator called {name}. See: workspace-manager administrators list")
    say(roles.make_user(name, actor=actor()).english)
