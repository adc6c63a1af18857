"""A workspace in which everything is as long as it may be: names without a space, addresses that
fill their column, and every state that a page has words for.
"""

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.utils import timezone

from tests.reconcile.found_accounts import ended_run, user
from tests.web.pages import scenes
from workspace_manager.access import tokens
from workspace_manager.audit.note import note
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.engine import pause as pausing
from workspace_manager.letters import mail_outbox
from workspace_manager.people import bulk_orders, roles
from workspace_manager.people.bulk_orders import Act, BulkAction, Order, Result
from workspace_manager.people.unlinked_sign_ins import RefusalReason
from workspace_manager.records.models import (
    Component,
    Invitation,
    Mail,
    Permission,
    Person,
    Plan,
    Project,
    ReconcileItem,
    Registration,
    ServiceKey,
    Snapshot,
    Stack,
    StackTemplate,
    Tombstone,
    UnapprovedSignIn,
    WebhookDelivery,
    WebhookEndpoint,
)

WORD: Final = "Donaudampfschifffahrtsgesellschaft"
NAME: Final = (WORD * 3)[:100]
"""A hundred letters and no space."""
USERNAME: Final = NAME.lower()
EMAIL: Final = f"{USERNAME[:60]}@{USERNAME[:60]}.example.org"
URL: Final = f"https://{USERNAME[:60]}.example.org/{NAME}?next={NAME}"
SAID: Final = f"the system answered {NAME} and nothing else at {URL}"
MANY: Final = 60
"""More than a list shows on one page."""


@dataclass(frozen=True)
class Rows:
    """Who looks, and what stands in the holes of addresses, by the name of the route."""

    administrator: Person
    member: Person
    holes: dict[str, list[dict[str, Any]]]
    forms: list[tuple[str, dict[str, Any] | None]]
    """Pages that no address of the table shows as it stands: with what is asked for behind it
    (None), or as the answer to what is typed.
    """


def fill() -> Rows:
    """Put all of it there."""
    scenes.set_up_systems()
    ada = scenes.person("ada", f"{NAME} {NAME}", administrator=True)
    leaver = scenes.person(USERNAME, f"{NAME} {NAME}", email=EMAIL)
    scenes.set_up_work(leaver, ada)
    scenes.set_up_work(ada, leaver)
    things = _things(leaver)
    _people(ada)
    _systems()
    plans = _plans(ada, leaver)
    holes = {
        **things,
        **_administration(ada, leaver),
        "plan": [{"plan_id": plan.id} for plan in plans],
        "letter": [{"letter": "rejected"}],
        "letter_html": [{"letter": "rejected"}],
        "connected_accounts": [{"person_id": leaver.id}],
    }
    return Rows(ada, leaver, holes, _forms(ada, holes))


def hide_keys() -> None:
    """Each can be shown once more."""
    ServiceKey.objects.update(revealed_at=None, secret=Secret(NAME, name="key"))


def _forms(
    ada: Person, holes: dict[str, list[dict[str, Any]]]
) -> list[tuple[str, dict[str, Any] | None]]:
    """What is asked once more, what is shown once, and what is refused."""
    waiting = list(Registration.objects.values_list("id", flat=True)[:9])
    hook, key = holes["webhook"][0]["webhook_id"], ServiceKey.objects.filter(owner=ada).first()
    searched = [
        ("/manage/audit?verify=1", None),
        ("/manage/people?state=former", None),
        ("/manage/people?signed_in=no&sort=ends_at", None),
        ("/manage/registrations?status=rejected", None),
        ("/manage/plans?stands=stuck", None),
        (f"/stacks/new?template={USERNAME[:40]}", None),
    ]
    asked = [
        ("/manage/people-chosen", {"act": act.value, "chosen": [USERNAME, "carl", "ada"]})
        for act in Act
    ]
    assert key
    return [
        *searched,
        *asked,
        ("/manage/registrations/several", {"decision": "approve", "chosen": waiting}),
        ("/manage/registrations/several", {"decision": "reject", "chosen": waiting}),
        ("/manage/strangers/list", {"text": f"username,account\n{USERNAME},{USERNAME}\n"}),
        ("/manage/strangers/list", {"text": f"{NAME},{NAME}\n"}),
        ("/manage/take-over/confirm", {"which": "all"}),
        (f"/manage/webhooks/{hook}/rotate", {}),
        (f"/service-keys/{key.id}/reveal", {}),
        ("/tokens", {"name": NAME}),
        ("/components/new", {"kind": "sql_database", "label": NAME * 2}),
        ("/projects/new", {"label": NAME * 2, "description": SAID}),
        ("/register", {"username": NAME * 3, "email": URL}),
    ]


def _things(owner: Person) -> dict[str, list[dict[str, Any]]]:
    """What somebody works with, each in every state."""
    project = scenes.project(owner, NAME, description=f"{URL} {SAID}")
    project.requests.create(person=scenes.person("carl", f"{NAME} {NAME}"))
    for name in (USERNAME[:90], "", "dora"):
        Invitation.objects.create(
            project=project, username=name, email="" if name else EMAIL, created_by=owner.username,
            expires_at=timezone.now() + timedelta(days=3),
        )  # fmt: skip
    Project.objects.bulk_create(
        Project(owner=owner, label=f"{n} {NAME}"[:100]) for n in range(MANY)
    )
    stacks = [
        Stack.objects.create(
            owner=owner, label=NAME, name=f"st-{state}", state=state, address=URL, project=project
        )
        for state in ("ready", "failed", "creating")
    ]
    components = [
        Component.objects.create(
            owner=owner, label=NAME, kind=kind, state=state, name=f"{kind}-{state}-{USERNAME}"[:64],
            project=project, address=URL, stack=stacks[0] if kind == "knowledge_stack" else None,
        )
        for kind in Component.Kind
        for state in ("ready", "failed", "creating")
    ]  # fmt: skip
    snapshots = [
        Snapshot.objects.create(
            owner=owner, label=NAME, state=state, kind=components[0].kind,
            component=components[0], source_id=components[0].id, source_label=NAME,
            created_by=USERNAME, bytes=2**50, content_bytes=2**51, consistent=False,
        )
        for state in Snapshot.State if state != Snapshot.State.RESTORING
    ]  # fmt: skip
    tokens.create(owner, name=NAME, actor=owner.username)
    return {
        "project": [{"project_id": project.id}],
        "stack": [{"stack_id": row.id} for row in stacks],
        "snapshot": [{"snapshot_id": row.id} for row in snapshots],
        "component": [{"component_id": row.id} for row in components],
        "public_component": [
            {"component_id": row.id} for row in components
            if row.kind == "triplestore_repository" and row.state == "ready"
        ],
    }  # fmt: skip


def _people(ada: Person) -> None:
    """Those who are here, who come, and who stand at the door."""
    Person.objects.bulk_create(
        Person(username=f"p{n}.{USERNAME}"[:100], first_name=NAME, last_name=str(n), email=EMAIL)
        for n in range(MANY)
    )
    for n in range(MANY // 2):
        scenes.registration(
            f"r{n}{USERNAME}", f"{NAME} {NAME}", age=timedelta(days=n), email=EMAIL,
            duplicate_of="" if n % 3 else USERNAME, reason=quote_words(SAID if n % 3 else ""),
        )  # fmt: skip
    for n, why in enumerate(RefusalReason):
        UnapprovedSignIn.objects.create(
            sub=f"{n}{USERNAME}", username=f"{n}{USERNAME}", why=why, email=EMAIL,
            email_confirmed=True,
        )  # fmt: skip
    roles.make_administrator(USERNAME[:90], actor=ada.username)
    account = {"system": "sql_server", "kind": "sql_server.user", "name": USERNAME}
    Tombstone.objects.create(
        username=f"former{USERNAME}", accounts=[account],
        expires_at=timezone.now() + timedelta(days=9),
    )  # fmt: skip
    note("person:changed", USERNAME, actor=USERNAME, text=URL)


def _systems() -> None:
    """What a check found, long and short, and a system that is paused."""
    for system in scenes.SETTINGS:
        scenes.findings(
            system,
            (NAME, "failing", SAID, SAID),
            ("rights", "warning", SAID, ""),
            ("reachable", "ok", "It answers.", ""),
        )
    pausing.pause("triplestore", actor=USERNAME, reason=SAID)


def _plans(ada: Person, leaver: Person) -> list[Plan]:
    """Removals in each of their states."""
    made = []
    for name in ("running", "stuck", "pending", "clean"):
        one = scenes.person(f"{name}{USERNAME}"[:90], f"{NAME} {NAME}", email=EMAIL)
        scenes.set_up_work(one)
        made.append(scenes.started(scenes.removal(one, ada), ada))
    running, stuck, *ended = made
    scenes.under_way(running, upto=3)
    scenes.stuck(stuck)
    stuck.steps.filter(state="stuck").update(reason=quote_words(SAID), advice=quote_words(SAID))
    for plan, late in zip(ended, ("pending", "clean"), strict=True):
        scenes.finished(plan, late=late)
    return [*made, scenes.removal(leaver, ada)]


def _administration(ada: Person, leaver: Person) -> dict[str, list[dict[str, Any]]]:
    """Letters, webhooks, templates, differences, and an order for several."""
    for n in range(3):
        Mail.objects.create(
            to=EMAIL, subject=NAME * 2, attempts=n, person=leaver, kind="rejected",
            trouble=mail_outbox.MailFailure.UNREACHABLE if n else "",
        )  # fmt: skip
    hook = WebhookEndpoint.objects.create(
        label=NAME, origin=URL[:400], events=["*"], created_by=ada.username, left_out=1234
    )
    for n in range(MANY):
        WebhookDelivery.objects.create(
            endpoint=hook, type="registration.approved", body="{}", tries=n,
            state=WebhookDelivery.State.values[n % 3], status=200 if n % 3 else None,
            trouble=quote_words(SAID) if n % 3 == 2 else quote_words(""),
        )  # fmt: skip
    parameters = [{"name": "T" * 40, "label": NAME, "default": URL, "required": True}]
    StackTemplate.objects.create(
        name=USERNAME[:40], label=NAME, description=f"{SAID} {URL}", state="offered",
        compose="services: {}", parameters=parameters, needs=["sql_database"],
    )  # fmt: skip
    ended_run()
    user(USERNAME, email=EMAIL, full_name=f"{NAME} {NAME}")
    user("emil", email="emil@example.org", full_name="Emil")
    now = timezone.now()
    for difference in ReconcileItem.Difference:
        ReconcileItem.objects.create(
            difference=difference, system="sql_server", kind="sql_server.user", target={},
            name=f"{difference}{USERNAME}", username=USERNAME, evidence=quote_words(SAID),
            reason=quote_words(SAID), first_seen=now, last_seen=now,
        )  # fmt: skip
    Permission.objects.create(person=leaver, name=Permission.Name.APPROVE_REGISTRATIONS)
    order = Order(uuid.uuid4(), ada.username, BulkAction(Act.SUSPEND), {USERNAME: "", "carl": ""})
    bulk_orders.take(order)
    bulk_orders.write_down(order, {USERNAME: Result(USERNAME, why=quote_words(SAID))})
    person = [{"username": USERNAME}]
    of_person = ("permissions_of_person", "tokens_of_person", "letters_to_person", "keys_of_person")
    return {
        "webhook": [{"webhook_id": hook.id}],
        "template": [{"name": USERNAME[:40]}],
        "people_chosen_result": [{"order": order.id}],
        "person": [*person, {"username": "ada"}, {"username": f"former{USERNAME}"},
                   {"username": f"r1{USERNAME}"}],
        "suspension": person,
        **dict.fromkeys(of_person, person),
    }  # fmt: skip
