"""People in motion as pictures: leaving while something is made, coming back, suspended, decided,
strangers at the door.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib.sessions.backends.cache import SessionStore
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import timezone

from tests.web.pages import scenes
from tools.screenshot_scenarios.shared import DAY, ada, for_docs
from workspace_manager.audit import plan_notes
from workspace_manager.people import admit, confirm_email, suspend
from workspace_manager.records.models import (
    Component,
    Mail,
    Plan,
    Project,
    ServiceKey,
    Tombstone,
    UnapprovedSignIn,
)
from workspace_manager.wiring import connected_systems
from workspace_manager.work import components


def scenarios() -> list[Callable[[Any], None]]:
    return [
        leaving_wins,
        coming_back,
        shut_out,
        decided_registrations,
        at_the_door,
    ]


def leaving_wins(studio: Any) -> None:
    """Anna leaves while a database is being made on a server that is down."""
    scenes.set_up_systems()
    admin, anna = ada(), scenes.person("anna", "Anna Beispiel")
    scenes.set_up_work(anna)
    component, creation = components.create(
        anna, kind="sql_database", label="Watermarks", project=None, systems=connected_systems()
    )
    first = creation.steps.order_by("n").first()
    assert first is not None
    down = (
        "the SQL server did not answer within 30 seconds",
        "The manager asks again. If the system stays down, tell its operator.",
    )
    scenes.hold(creation, first.n, "waiting", *down, cause="unavailable")
    Plan.objects.filter(id=creation.id).update(state="waiting")
    Component.objects.filter(id=component.id).update(state="waiting")
    for_docs(studio, "creation-waits", f"/components/{component.id}", "anna", height=700)
    Plan.objects.filter(id=creation.id).update(state="running")
    removal = scenes.started(scenes.removal(anna, admin), admin)
    for n in (1, 2, 3, 4, 6):
        scenes.end(removal, n, scenes.TEXTS[n].format(name="anna"))
    scenes.hold(removal, 5, "waiting", *down, cause="unavailable")
    Plan.objects.filter(id=removal.id).update(state="waiting")
    for_docs(studio, "leaving-wins", f"/manage/plans/{removal.id}", height=1240)
    for_docs(studio, "superseded", f"/manage/plans/{creation.id}", height=620)
    assert Component.objects.filter(owner=anna).exists()


def coming_back(studio: Any) -> None:
    """Emil left in spring and registers again."""
    scenes.set_up_systems()
    admin, emil = ada(), scenes.person("emil", "Emil Sand")
    scenes.set_up_work(emil)
    plan = scenes.started(scenes.removal(emil, admin), admin)
    scenes.finished(plan, late="clean")
    accounts = list(emil.accounts.values("system", "kind", "name"))
    for model in (ServiceKey, Component, Project):
        model._default_manager.filter(owner=emil).delete()
    emil.delete()
    stone = Tombstone.objects.create(
        username="emil",
        sub="0c1f7a52-5b9e-5c52-9d0b-6f8e4c0d9b11",
        accounts=accounts,
        plan=plan.id,
        expires_at=timezone.now() + 70 * DAY,
    )
    Tombstone.objects.filter(id=stone.id).update(created_at=timezone.now() - 20 * DAY)
    scenes.registration("emil", "Emil Sand", age=timedelta(hours=2), duplicate_of="emil")
    approve = ".entry-actions form button"
    for_docs(studio, "tombstone-refuses", "/manage/registrations", height=780, before=approve)
    studio.everywhere("tombstones", "/manage/tombstones", "ada")
    for_docs(studio, "tombstones", "/manage/tombstones", height=620, before=".fine > summary")


SHUT = {
    "stop_notebook": "The container jupyter-carl is stopped.",
    "fence_identity": "The user is disabled and has no session left.",
    "disable_drive_account": "The account is disabled: no app password opens it.",
    "lock_sql_user": "The account is locked.",
    "take_triplestore_rights": "The account has no right: it reads and writes nothing.",
    "take_ontology_memberships": "No membership is left.",
    "stop_notebook_again": "The container jupyter-carl does not run.",
}


def shut_out(studio: Any) -> None:
    """Carl is suspended, knocks, and is let in again."""
    scenes.set_up_systems()
    ada()
    carl = scenes.person("carl", "Carl Ostrom")
    scenes.set_up_work(carl)
    for_docs(studio, "suspend", "/manage/people/carl/suspension", height=1200)
    plan = suspend.suspend("carl", actor="ada", systems=connected_systems())
    for step in plan.steps.exclude(state="skipped"):
        scenes.end(plan, step.n, SHUT[step.name])
    Plan.objects.filter(id=plan.id).update(state="done", finished_at=timezone.now())
    plan_notes.note([plan.id])
    for_docs(studio, "suspension", f"/manage/plans/{plan.id}", height=900)
    for_docs(studio, "suspended", "/manage/people/carl", height=700)
    _refused(studio, "suspended-page", admit.Why.SUSPENDED)


def _refused(studio: Any, name: str, why: admit.Why) -> None:
    """The page that a sign-in ends on; only a sign-in leads there."""
    no = admit.NotAdmitted(why)
    request = RequestFactory().get("/")
    request.session = SessionStore()
    context = {
        "reason": no.message,
        "request": request,
        "may_register": no.may_register,
    }
    html = render_to_string("sign_in/refused.html", context)
    for_docs(studio, name, "/not-signed-in", "", height=420, html=html)


def decided_registrations(studio: Any) -> None:
    """A queue with confirmed and unconfirmed addresses; an approval taken back; registrations that
    ended.
    """
    scenes.set_up_systems()
    ada()
    carla = scenes.registration("carla.rossi", "Carla Rossi", age=timedelta(hours=3))
    scenes.registration("d.okafor", "Daniel Okafor", age=2 * DAY, email_confirmed=True)
    scenes.registration("mira", "Mira Lang", age=28 * DAY)
    scenes.registration(
        "fay", "Fay Lindqvist", age=9 * DAY, status="approved", sub="f-1", **_by("ada", 1)
    )
    scenes.registration("gus", "Gus Adler", age=12 * DAY, status="withdrawn", **_by("ada", 2))
    scenes.registration("hana", "Hana Sato", age=40 * DAY, status="expired", **_by("", 10))
    scenes.registration(
        "ivo",
        "Ivo Braun",
        age=5 * DAY,
        status="rejected",
        reason="The group is full until summer.",
        **_by("ada", 3),
    )
    here = "/manage/registrations"
    for_docs(studio, "queue", here, height=1000)
    for_docs(
        studio, "withdraw", f"{here}?status=approved", height=720, before=".entry details > summary"
    )
    for_docs(studio, "withdrawn", f"{here}?status=withdrawn", height=620)
    for_docs(studio, "expired", f"{here}?status=expired", height=620)
    confirm_email.send_link(carla)
    mail = Mail.objects.latest("id")
    link = next(word for word in mail.text.split() if "/register/confirm#" in word)
    path = "/register/confirm#" + link.rpartition("#")[2]
    for_docs(studio, "confirm", path, "", height=460)
    for_docs(studio, "confirmed", path, "", height=460, before="main form button")


def _by(who: str, days: int) -> dict[str, Any]:
    return {"decided_by": who, "decided_at": timezone.now() - days * DAY}


def at_the_door(studio: Any) -> None:
    """Five who knock, each for another reason."""
    scenes.set_up_systems()
    ada()
    scenes.person("anna", "Anna Beispiel")
    scenes.person("bela", "Béla Horváth", email="bela@example.org")
    scenes.person("carl", "Carl Ostrom", state="suspended")
    for sub, username, email, why, times in (
        ("5f0c2b1e-8a34-4d10-9f6c-1f8c7f3f2a01", "fay", "fay@example.org", "not approved", 1),
        ("a3d9e7c4-1b22-4f5e-8c0d-2e9b6d7f5b02", "anna", "anna@example.org", "another sub", 3),
        ("c81f4e90-6d7a-4b3c-9e21-7a5d0c9e3c03", "bela.h", "bela@example.org", "same e-mail", 2),
        ("e2b75a16-9c48-4e0f-a7d3-5b1f8e6a4d04", "emil", "emil@example.org", "tombstone", 1),
        ("d0a63c58-2f19-4a7b-b5e8-8c4e7d2f1e05", "carl", "carl@example.org", "suspended", 4),
    ):
        UnapprovedSignIn.objects.create(
            sub=sub, username=username, email=email, why=why, times=times
        )
    studio.everywhere("door", "/manage/strangers", "ada")
    for_docs(studio, "door", "/manage/strangers", height=1290)
    _refused(studio, "stranger-unknown", admit.Why.NOT_APPROVED)
    _refused(studio, "stranger-other-sub", admit.Why.OTHER_SUB)
    _refused(studio, "stranger-same-email", admit.Why.SAME_EMAIL)
