"""`registrations`: list and decide registrations."""

import uuid

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.ids import IdOf
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, NOTHING, actor, say, show
from workspace_manager.core.lists import ListQuery
from workspace_manager.people import approve as story
from workspace_manager.people import confirm_email
from workspace_manager.people import withdraw as withdrawing
from workspace_manager.people.registration_views import REGISTRATIONS, view_registrations
from workspace_manager.records.models import Registration
from workspace_manager.wiring import connected_systems


@click.group()
def registrations() -> None:
    """Registrations of people who ask to join."""


@registrations.command("list", epilog=example("registrations list --status pending"))
@asking(REGISTRATIONS)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List registrations, oldest first."""
    items = view_registrations(list(REGISTRATIONS.found(Registration.objects.all(), asked)))
    columns = ("id", "username", "email", "email_confirmed", "status", "created_at", "duplicate_of")
    status = asked.filters.get("status")
    empty = f"No registration is {status}." if status else "Nobody has registered."
    empty = NOTHING if asked.q or "email_confirmed" in asked.filters else empty
    show(items, columns, as_json=as_json, empty=empty)


@registrations.command(epilog=example("registrations approve 48a273f3"))
@click.argument("registration_id", type=IdOf(Registration), metavar="ID")
def approve(registration_id: uuid.UUID) -> None:
    """Create the identity-provider user of registration ID."""
    registration = story.approve(registration_id, actor=actor(), systems=connected_systems())
    say(f"{registration.username} is approved (user id {registration.sub}) and can sign in.")


@registrations.command(epilog=example('registrations reject 48a273f3 --reason "Who are you?"'))
@click.argument("registration_id", type=IdOf(Registration), metavar="ID")
@click.option("--reason", required=True, help="Told to the applicant.")
def reject(registration_id: uuid.UUID, reason: str) -> None:
    """Reject registration ID."""
    registration = story.reject(registration_id, actor=actor(), reason=reason)
    say(f"{registration.username} is rejected; the password hash is erased.")


@registrations.command(epilog=example("registrations withdraw 48a273f3"))
@click.argument("registration_id", type=IdOf(Registration), metavar="ID")
def withdraw(registration_id: uuid.UUID) -> None:
    """Withdraw the approval of ID: a removal, whether or not the person has signed in."""
    plan = withdrawing.withdraw(registration_id, actor=actor(), systems=connected_systems())
    say(
        f"The approval of {plan.person} is withdrawn, and nobody enters with it any more. "
        f"Plan {plan.id} removes what was made for it: workspace-manager plans show {plan.id}"
    )


@registrations.command("send-link", epilog=example("registrations send-link 48a273f3"))
@click.argument("registration_id", type=IdOf(Registration), metavar="ID")
def send_link(registration_id: uuid.UUID) -> None:
    """Send the link that confirms the address of ID again; an earlier one stops working."""
    registration = confirm_email.send_again(registration_id, actor=actor())
    say(f"A letter with a fresh link is on its way to {registration.email}.")
