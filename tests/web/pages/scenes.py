"""Rows that put the pages into their states: empty, ordinary, long, failing, busy. Used by tests
and by `tools/screenshots.py`.
"""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.utils import timezone

from workspace_manager.access import provider_state
from workspace_manager.audit import plan_notes
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import (
    Account,
    Component,
    Membership,
    Person,
    Plan,
    PlanChange,
    PlanNote,
    PlanStep,
    Project,
    Registration,
    ServiceKey,
    Snapshot,
    StoredSetting,
    SystemStatus,
    Tile,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.wiring import connected_systems

SETTINGS = {
    "identity_provider": {
        "url": "https://id.example.org",
        "realm": "lab",
        "admin_username": "manager",
        "admin_password": "s",
        "client_id": "https://workspace.example.org",
        "client_secret": "s",
    },
    "drive": {
        "base_url": "https://drive.example.org",
        "admin_username": "admin",
        "admin_password": "s",
    },
    "sql_server": {
        "host": "sql.example.org",
        "admin_username": "manager",
        "admin_password": "s",
        "admin_tool_url": "https://sql-admin.example.org",
    },
    "triplestore": {
        "url": "https://triples.example.org",
        "admin_username": "manager",
        "admin_password": "s",
    },
    "ontology_editor": {"host": "https://ontology.example.org", "api_key": "s"},
    "notebook_hub": {"url": "https://notebooks.example.org"},
    "container_manager": {"url": "https://containers.example.org", "api_key": "s"},
}
SECRETS = {"admin_password", "client_secret", "api_key"}
LONG = "Provenance of Early Modern Botanical Illustrations in Europe"
"""A name of 60 characters."""


def set_up_systems(*names: str) -> None:
    """Store settings with which every system (or those named) counts as configured."""
    for system in names or SETTINGS:
        for name, text in SETTINGS[system].items():
            secret = Secret(text, name=name) if name in SECRETS else None
            StoredSetting.objects.update_or_create(
                system=system,
                name=name,
                defaults={"value": "" if secret else text, "secret": secret},
            )


def person(
    username: str, full_name: str = "", *, administrator: bool = False, **values: Any
) -> Person:
    """Somebody who signed in: with account link, applications, and the account at the identity
    provider.
    """
    first, _, last = (full_name or username.title()).partition(" ")
    sub = str(uuid.uuid5(uuid.NAMESPACE_DNS, username))
    made = Person.objects.create_user(
        username,
        email=values.pop("email", f"{username}@example.org"),
        email_confirmed=True,
        first_name=first,
        last_name=last,
        role=Person.Role.ADMINISTRATOR if administrator else Person.Role.USER,
        locale=values.pop("locale", "en"),
        timezone=values.pop("timezone", "Europe/Berlin"),
        last_sign_in=values.pop("last_sign_in", timezone.now() - timedelta(hours=3)),
        **values,
    )
    SocialAccount.objects.create(user=made, provider="identity_provider", uid=sub, extra_data={})
    # As after a sign-in: no identity provider answers here.
    provider_state.note(sub, provider_state.State.ENABLED)
    account(made, "identity_provider.user", sub)
    for kind in Tile.Kind.values:
        Tile.objects.create(owner=made, kind=kind)
    return made


def account(owner: Person, kind: str, name: str) -> Account:
    """An account that is recorded."""
    return Account.objects.create(
        system=kind.partition(".")[0], kind=kind, name=name, username=owner.username, person=owner
    )


def project(owner: Person, label: str, *members: Person, **values: Any) -> Project:
    """A project with members."""
    made = Project.objects.create(owner=owner, label=label, **values)
    for member in members:
        Membership.objects.create(project=made, person=member)
    return made


def database(
    owner: Person, label: str, *, state: str = "ready", project: Project | None = None
) -> Component:
    """A SQL database."""
    unique = uuid.uuid5(uuid.NAMESPACE_DNS, owner.username + label).hex[:10]
    name = f"ws_{label.lower().replace(' ', '_')[:30]}_{unique}"
    return Component.objects.create(
        owner=owner,
        label=label,
        kind=Component.Kind.SQL_DATABASE,
        state=state,
        name=name,
        project=project,
        address=f"mysql://sql.example.org:3306/{name}",
    )


def repository(
    owner: Person, label: str, *, state: str = "ready", project: Project | None = None
) -> Component:
    """A triplestore repository."""
    unique = uuid.uuid5(uuid.NAMESPACE_DNS, owner.username + label).hex[:10]
    name = f"{label.lower().replace(' ', '-')[:30]}-{unique}"
    return Component.objects.create(
        owner=owner,
        label=label,
        kind=Component.Kind.TRIPLESTORE_REPOSITORY,
        state=state,
        name=name,
        project=project,
        address=f"https://triples.example.org/repositories/{name}",
    )


def snapshot(component: Component) -> Snapshot:
    """One that is ready."""
    return Snapshot.objects.create(
        owner=component.owner,
        label="Before the exam",
        state=Snapshot.State.READY,
        component=component,
        kind=component.kind,
        source_id=component.id,
        source_label=component.label,
        created_by=component.owner.username,
        bytes=4096,
        content_bytes=16384,
        consistent=True,
    )


def key(owner: Person, system: str, name: str, *, revealed: bool = False) -> ServiceKey:
    """A service key, fresh or shown."""
    return ServiceKey.objects.create(
        owner=owner,
        system=system,
        account=name,
        label=f"{system} of {owner.username}",
        secret=None if revealed else Secret("correct-horse-battery-staple", name="key"),
        revealed_at=timezone.now() if revealed else None,
    )


def set_up_work(owner: Person, *colleagues: Person) -> None:
    """What somebody has after some months: project, database, repository, keys, accounts."""
    account(owner, "drive.account", SocialAccount.objects.get(user=owner).uid)
    account(owner, "sql_server.user", f"ws_{owner.username}")
    account(owner, "triplestore.user", owner.username)
    account(owner, "notebook_hub.container", f"jupyter-{owner.username}")
    shared = project(
        owner,
        "Letters of the Fugger family",
        *colleagues,
        description="Transcription and indexing of 2,300 letters.",
    )
    database(owner, "Letter index", project=shared)
    repository(owner, "Places and people", project=shared)
    database(owner, "Scratch")
    key(owner, "sql_server", f"ws_{owner.username}")
    key(owner, "triplestore", owner.username, revealed=True)


def registration(username: str, full_name: str, *, age: timedelta, **values: Any) -> Registration:
    """Somebody who asked to join a while ago."""
    first, _, last = full_name.partition(" ")
    return Registration.objects.create(
        username=username,
        email=values.pop("email", f"{username}@example.org"),
        first_name=first,
        last_name=last,
        locale=values.pop("locale", "de"),
        timezone=values.pop("timezone", "Europe/Berlin"),
        created_at=timezone.now() - age,
        **values,
    )


def removal(leaver: Person, by: Person, *, looked: bool = True) -> Plan:
    """The draft of a removal; `looked`: as after the looks into each system."""
    plan = draft_removal(leaver.username, actor=by.username, systems=connected_systems())
    if looked:
        looked_at(plan)
    return plan


def looked_at(plan: Plan) -> None:
    """As a draft stands after the looks into each system."""
    for row in PlanChange.objects.filter(step__plan=plan):
        there = row.kind != "notebook_hub.container" and "keycloak" not in row.name
        row.change = {**row.change, "before": {"exists": True} if there else None}
        row.save()
    Plan.objects.filter(id=plan.id).update(due_at=None)
    plan.refresh_from_db()


def started(plan: Plan, by: Person) -> Plan:
    """The removal, confirmed."""
    return approve_removal(
        plan.id, digest=plan.digest, actor=by.username, systems=connected_systems()
    )


def end(plan: Plan, n: int, text: str, state: str = "done") -> None:
    """One step ended, with its evidence."""
    step = plan.steps.get(n=n)
    now = timezone.now()
    at = in_utc(datetime.now(UTC))
    step.state, step.since, step.reason = state, now, ""
    kinds = dict.fromkeys(step.changes.values_list("kind", flat=True)) or [""]
    step.evidence = [
        {"system": step.system, "method": "GET, a fresh look", "at": at, "text": text, "kind": kind}
        for kind in kinds
    ]
    step.save()
    done = PlanChange.State.ALREADY if state == "already_gone" else PlanChange.State.DONE
    step.changes.update(state=done, sent_at=now - timedelta(seconds=2), finished_at=now)


def hold(
    plan: Plan, n: int, state: str, reason: str, advice: str, *, cause: str, minutes: int = 5
) -> None:
    """One step waits or is stuck."""
    step = plan.steps.get(n=n)
    step.state, step.reason, step.advice, step.cause = state, reason, advice, cause
    # A refused credential is tried once, and then waits for a person; only a system that is down is
    # asked again.
    step.attempts = 1 if state == "stuck" else 4
    step.since = timezone.now() - timedelta(minutes=12)
    step.next_try_at = timezone.now() + timedelta(minutes=minutes) if state == "waiting" else None
    step.save()


STUCK = (
    "the drive refused our administrator's password (401, code 997)",
    (
        "Set the administrator's password under Systems. Until then the drive is not called, "
        "so that its brute-force protection does not lock it out."
    ),
)
WAITING = (
    "the triplestore did not answer within 30 seconds",
    "The manager asks again. If the system stays down, tell its operator.",
)
TEXTS = {
    1: "The container jupyter-{name} is stopped; the hub lists no running server.",
    2: "The user is disabled and has no session left.",
    3: "No account of this id is known to the drive; the app password is refused.",
    4: "The identity provider knows no user of this id.",
    5: "No SQL user of this name is left on any host, and no session of it.",
    6: "The triplestore lists no user of this name.",
    7: "No record of this person is left.",
}


def under_way(plan: Plan, *, upto: int) -> None:
    """The first steps are done, the next one runs."""
    for n in range(1, upto + 1):
        end(plan, n, TEXTS[n].format(name=plan.person), "already_gone" if n == 1 else "done")
    PlanStep.objects.filter(plan=plan, n=upto + 1).update(state="running", since=timezone.now())


def stuck(plan: Plan) -> None:
    """The drive refuses us, the triplestore is down, the rest is done."""
    for n in (1, 2, 5):
        end(plan, n, TEXTS[n].format(name=plan.person), "already_gone" if n == 1 else "done")
    hold(plan, 3, "stuck", *STUCK, cause="denied")
    hold(plan, 6, "waiting", *WAITING, cause="unavailable")
    Plan.objects.filter(id=plan.id).update(state="stuck")


def finished(plan: Plan, *, late: str = "pending") -> None:
    """Every step ended; the late look is due or taken."""
    due = timezone.now() + timedelta(minutes=4)
    text = "" if late == "pending" else "No account of this id is known to the drive."
    with transaction.atomic(), plan_notes.changing([plan.id]):
        for n in range(1, 8):
            end(plan, n, TEXTS[n].format(name=plan.person))
        shut = [{**one, "since": timezone.now().isoformat()} for one in plan.invariants]
        Plan.objects.filter(id=plan.id).update(
            invariants=shut,
            state="done",
            finished_at=timezone.now(),
            recheck_due_at=due,
            recheck_state=late,
            recheck_found=[quote_words(text)] if text else [],
        )
    if not PlanNote.objects.filter(plan=plan).exists():
        plan_notes.note([plan.id])


def findings(system: str, *rows: tuple[str, str, str, str]) -> None:
    """What a check found: (name, severity, text, remedy)."""
    members = ("name", "severity", "text", "remedy")
    found = [{"system": system, **dict(zip(members, row, strict=True))} for row in rows]
    SystemStatus.objects.update_or_create(
        system=system, defaults={"findings": found, "checked_at": timezone.now()}
    )
