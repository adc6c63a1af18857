"""`keys`: service keys of people and their programs, and the keys that encrypt stored secrets."""

import uuid
from typing import Final

import click

from workspace_manager.accounts import renewal
from workspace_manager.accounts.key_views import view_keys
from workspace_manager.accounts.listings import KEYS
from workspace_manager.audit.seals import sign_again
from workspace_manager.cli.example import example
from workspace_manager.cli.ids import IdOf
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, NOTHING, actor, print_json, say, show
from workspace_manager.core.lists import ListQuery
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import Person, ServiceKey
from workspace_manager.records.reencrypt import reencrypt
from workspace_manager.snapshots.verification import wrap_keys_again
from workspace_manager.wiring import connected_systems

BY_OWNER: Final = ("owner", "created_at")


@click.group()
def keys() -> None:
    """Service keys of people and programs, and the keys of stored secrets."""


@keys.command("list", epilog=example("keys list --person alan"))
@click.option("--person", metavar="NAME", help="Those of one person.")
@asking(KEYS)
@JSON
def list_(asked: ListQuery, person: str | None, as_json: bool) -> None:
    """List service keys, never their secrets."""
    rows = ServiceKey.objects.select_related("owner", "component")
    if person is not None:
        rows = rows.filter(owner=Person.objects.get(username=person))
    found = list(KEYS.found(rows, asked, BY_OWNER))
    views = [view.model_dump() for view in view_keys(found)]
    if not as_json:  # people know components by their names
        for view, row in zip(views, found, strict=True):
            view["component"] = row.component and row.component.label
    show(
        views,
        ("id", "owner", "system", "account", "component", "purpose", "renewed_at"),
        as_json=as_json,
        empty=NOTHING if asked != ListQuery() else "There is no service key.",
    )


@keys.command(epilog=example("keys renew dca16297"))
@click.argument("key_id", type=IdOf(ServiceKey), metavar="ID")
@JSON
def renew(key_id: uuid.UUID, as_json: bool) -> None:
    """Renew the secret of a service key wherever it is used; only its owner can see the new one."""
    key = ServiceKey.objects.select_related("owner").get(id=key_id)
    plan = renewal.renew(key, actor=actor(), systems=connected_systems())
    if as_json:
        print_json(view_plan(plan).model_dump(mode="json"))
    else:
        say(f"Plan {plan.id} renews the key; {key.owner.username} can show it once that is done.")


@keys.command(epilog=example("keys rotate"))
def rotate() -> None:
    """Encrypt every stored secret again with the first key, and sign the audit log's seals
    with it.
    """
    secrets, seals, kept = reencrypt(), sign_again(), wrap_keys_again()
    say(
        "The first key now encrypts every stored secret and the key of every snapshot in its "
        "store, and signs every seal of the audit log. "
        f"Stored secrets: {secrets}. Snapshots: {kept}. Seals that another key had signed: "
        f"{seals}. You can take the other keys out of WORKSPACE_SECRET_KEYS. After a restore, "
        "wait until `reconcile` has recorded the snapshots in the store."
    )
