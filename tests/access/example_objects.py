"""The things the table's addresses name: alice's, shared with bob; charlie asked to join, and is
invited.
"""

import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests.access.table import Row
from tests.visitors import API, Visitor
from workspace_manager.access import tokens
from workspace_manager.audit.note import note
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import (
    Component,
    Membership,
    MembershipRequest,
    Person,
    PlanStep,
    Project,
    ReconcileItem,
    ReconcileRun,
    Registration,
    ServiceKey,
    Snapshot,
    SnapshotSchedule,
    Snooze,
    Stack,
    StackTemplate,
    TakeOver,
    Tombstone,
    UnapprovedSignIn,
    WebhookDelivery,
    WebhookEndpoint,
)
from workspace_manager.snapshots.store.keys import make_key
from workspace_manager.snapshots.store.snapshot_writer import SnapshotWriter
from workspace_manager.snapshots.store_access import open_snapshots
from workspace_manager.wiring import connected_systems
from workspace_manager.work import components, invitations

COMPOSE = "services: {web: {image: example/web:1}}"
JSON_BODIES: dict[tuple[str, str], Any] = {
    ("POST", "/registrations/{registration_id}/reject"): {"reason": "no room"},
    ("POST", "/plans/{plan_id}/steps/{n}/skip"): {"reason": "gone"},
    ("POST", "/plans/{plan_id}/steps/{n}/by-hand"): {"note": "done"},
    ("POST", "/me/tokens"): {"name": "laptop"},
    ("PUT", "/people/{username}/end-date"): {"until": None},
    ("PUT", "/people/{username}/permissions"): {"permissions": ["view_stacks"]},
    ("POST", "/projects"): {"label": "Another"},
    ("POST", "/strangers/relink-list"): {"rows": [{"username": "x", "account": "y"}]},
    ("POST", "/reconcile/{run_id}/take-over"): {"digest": "another"},
    ("POST", "/reconcile/{run_id}/items/{n}/connect"): {"username": "charlie"},
    ("POST", "/reconcile/{run_id}/items/{n}/remove"): {},
    ("POST", "/reconcile/{run_id}/items/{n}/ignore"): {
        "reason": "known",
        "until": "2090-01-01T00:00:00Z",
    },
    ("PATCH", "/projects/{project_id}"): {"label": "Renamed"},
    ("PATCH", "/projects/{project_id}/members/{username}"): {"role": "read"},
    ("POST", "/projects/{project_id}/invitations"): {"username": "dora"},
    ("POST", "/components"): {"kind": "sql_database", "label": "Another"},
    ("PATCH", "/components/{component_id}"): {"label": "Renamed"},
    ("PATCH", "/service-keys/{key_id}"): {"label": "Renamed"},
    ("PATCH", "/stacks/{stack_id}"): {"label": "Renamed"},
    ("POST", "/stacks"): {"label": "Another"},
    ("POST", "/stack-templates"): {"name": "another", "label": "Another", "compose": COMPOSE},
    ("PUT", "/stack-templates/{name}"): {"label": "Renamed", "compose": COMPOSE},
    ("PATCH", "/snapshots/{snapshot_id}"): {"label": "Renamed"},
    ("POST", "/snapshots/{snapshot_id}/restore"): {"label": "Again"},
    ("PUT", "/components/{component_id}/snapshot-schedule"): {"every": "day", "keep": 3},
    ("PUT", "/stacks/{stack_id}/snapshot-schedule"): {"every": "day", "keep": 3},
    ("PATCH", "/systems/{name}"): {"settings": {"base_url": "https://drive.example.org"}},
    ("POST", "/webhooks"): {
        "url": "https://tools.example.org/hook",
        "label": "Tools",
        "events": ["registration.approved"],
    },
    ("PUT", "/me/notices"): {"notices": {"invitation": "never"}},
    ("PATCH", "/webhooks/{webhook_id}"): {"label": "Renamed"},
    ("POST", "/registrations"): {
        "username": "dora",
        "email": "dora@example.org",
        "first_name": "Dora",
        "last_name": "Beispiel",
        "password": "correct horse battery staple",
    },
}
FORMS: dict[str, dict[str, str]] = {
    "/language": {"language": "de"},
    "/components/new": {"kind": "sql_database", "label": "Another"},
    "/projects/new": {"label": "Another"},
    "/snapshots/{snapshot_id}/restore": {"label": "Again"},
    "/components/{component_id}/snapshot-schedule": {"every": "day", "keep": "3"},
    "/stacks/{stack_id}/snapshot-schedule": {"every": "day", "keep": "3"},
    "/manage/registrations/{registration_id}/reject": {"reason": "no room"},
    "/projects/{project_id}/members/{username}/role": {"role": "read"},
    "/manage/people/{username}/role": {"role": "administrator"},
    "/manage/people/{username}/permissions": {"view_stacks": "1"},
    "/manage/administrators/add": {"username": "nina"},
    "/manage/plans/{plan_id}/steps/{n}/skip": {"reason": "gone"},
    "/manage/plans/{plan_id}/steps/{n}/by-hand": {"note": "done"},
}

SQL_SERVER = {
    "host": "127.0.0.1",
    "port": "1",
    "admin_username": "manager",
    "admin_password": "not used here",
}
"""Configured, and never reached."""


def build(owner: Person, member: Person, stranger: Person) -> dict[str, str]:
    """Make one of everything; gives what goes into the holes of addresses, and the digest of the
    plan.
    """
    project = Project.objects.create(owner=owner, label="Herbarium")
    Membership.objects.create(project=project, person=member)
    asked = MembershipRequest.objects.create(project=project, person=stranger)
    invited = invitations.invite(project, by=owner, username=stranger.username)
    component, plan = components.create(
        owner, kind="sql_database", label="Notes", project=project, systems=connected_systems()
    )
    Component.objects.filter(id=component.id).update(state=Component.State.READY)
    PlanStep.objects.filter(plan=plan, n=1).update(state=PlanStep.State.STUCK)
    ready = Component.State.READY
    stack = Stack.objects.create(
        owner=owner, label="All", name="st-all", project=project, state=ready
    )
    Component.objects.create(
        owner=owner, label="All", name="ws_all", kind="sql_database", project=project, stack=stack,
        state=ready,
    )  # fmt: skip
    snapshot = _make_snapshot(component)
    for source in ({"component": component}, {"stack": stack}):
        SnapshotSchedule.objects.create(
            **source, every="week", keep=3, next_at=timezone.now() + timedelta(days=1)
        )
    key = ServiceKey.objects.create(
        owner=owner, label="Triplestore", system="triplestore", account="alice", secret=Secret("s")
    )
    token, _ = tokens.create(owner, name="laptop", actor=owner.username)
    registration = Registration.objects.create(username="erin", email="erin@example.org")
    now = timezone.now()
    Tombstone.objects.create(username=owner.username, expires_at=now + timedelta(days=1))
    StackTemplate.objects.create(name="drive", label="Template", compose=COMPOSE)
    Snooze.objects.create(
        person=owner,
        kind="request",
        subject=asked.id.hex,
        since=asked.created_at,
        until=now + timedelta(days=1),
    )
    door = UnapprovedSignIn.objects.create(sub="unknown", username="fay", why="not approved")
    run = ReconcileRun.objects.create(started_by="ada")
    ReconcileItem.objects.create(
        n=1,
        difference="unknown_account",
        system="sql_server",
        kind="sql_server.user",
        name="gina",
        target={"user": "gina"},
        last_run=run,
        first_seen=now,
        last_seen=now,
    )
    hook = WebhookEndpoint.objects.create(
        origin="https://tools.example.org",
        address=Secret("https://tools.example.org/hook"),
        label="Tools",
        secret=Secret("whsec_c2VjcmV0"),
    )
    delivery = WebhookDelivery.objects.create(
        endpoint=hook, type="webhook.test", body="{}", state=WebhookDelivery.State.FAILED
    )
    order = uuid.uuid4()
    note("people:several", str(order), actor="ada", act="suspend", results=[])
    return {
        "run_id": str(run.id),
        "take_over_id": str(TakeOver.objects.create(run=run.id, key="1", confirmed_by="ada").id),
        "what": "take",
        "webhook_id": str(hook.id),
        "delivery_id": str(delivery.id),
        "username": owner.username,
        "order": str(order),
        "person_id": str(owner.id),
        "project_id": str(project.id),
        "request_id": str(asked.id),
        "invitation_id": str(invited.id),
        "component_id": str(component.id),
        "plan_id": str(plan.id),
        "digest": plan.digest,
        "stack_id": str(stack.id),
        "snapshot_id": str(snapshot.id),
        "key_id": str(key.id),
        "token_id": str(token.id),
        "registration_id": str(registration.id),
        "stranger_id": str(door.id),
        "key": f"request:{asked.id}",
        "letter": "approved",
        "name": "drive",
        "n": "1",
        "provider_id": "identity_provider",
    }


def _make_snapshot(component: Component) -> Snapshot:
    """One that is ready, with content in the store."""
    key = make_key()
    with SnapshotWriter(open_snapshots(), key, kind=component.kind) as writer:
        with writer.open_part("database.sql") as part:
            part.write(b"SELECT 1;")
        manifest = writer.finish()
    return Snapshot.objects.create(
        owner=component.owner,
        component=component,
        kind=component.kind,
        label="Monday",
        state=Snapshot.State.READY,
        place=manifest.place,
        key=key.identity,
    )


def ask(visitor: Visitor, row: Row, holes: dict[str, str]) -> Any:
    """Call one route of the table as it wants to be called."""
    if "/members/" in row.address:
        holes = {**holes, "username": "bob"}
    address = row.address.format(**holes).replace("*", "nothing-of-this-name")
    if row.address.startswith(API):
        path = row.address.removeprefix(API)
        body = JSON_BODIES.get((row.method, path))
        if path == "/inbox/{key}/snooze":
            body = {"until": _soon()} if row.method == "POST" else None
        if path == "/plans/{plan_id}/approve":
            body = {"digest": holes["digest"]}
        if (row.method, path) == ("POST", "/service-keys"):
            body = {"component": holes["component_id"], "purpose": "Import"}
        return visitor.ask(row.method, address.removeprefix(API), body)
    if row.method in {"GET", "HEAD"}:
        return visitor.generic(row.method, address)
    form = FORMS.get(row.address, {})
    if row.address == "/inbox/{key}/snooze":
        form = {"until": _soon()}
    if row.address == "/manage/plans/{plan_id}/approve":
        form = {"digest": holes["digest"], "confirm": holes["username"]}
    return visitor.generic(
        row.method,
        address,
        "&".join(f"{name}={value}" for name, value in form.items()),
        "application/x-www-form-urlencoded",
    )


def _soon() -> str:
    """A day until which something may be put off."""
    return (timezone.now() + timedelta(days=7)).date().isoformat()
