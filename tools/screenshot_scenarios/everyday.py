"""The states of the world that `tools/screenshots.py` takes pictures of."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests.web.pages import scenes
from tools.screenshot_scenarios import (
    administration,
    failures,
    people_in_motion,
    stacks,
    two_thousand,
    workbench,
)
from workspace_manager.accounts import machine_accounts
from workspace_manager.engine import pause as pausing
from workspace_manager.records.models import Component, Person, Plan, PlanStep


def scenarios() -> list[Callable[[Any], None]]:
    return [
        empty,
        ordinary,
        removing,
        failing,
        long,
        *people_in_motion.scenarios(),
        *workbench.scenarios(),
        *administration.scenarios(),
        *failures.scenarios(),
        *stacks.scenarios(),
        *two_thousand.scenarios(),
    ]


def _for_docs(studio: Any, name: str, path: str, who: str, *, height: int, **look: Any) -> None:
    """One of the few pictures that the documentation shows: the top of a page, so that the file
    stays small.
    """
    studio.everywhere(f"docs-{name}", path, who, height=height, looks=[look])


def _administrator() -> Person:
    return scenes.person("ada", "Ada Kraft", administrator=True)


def empty(studio: Any) -> None:
    """A new workspace."""
    _administrator()
    scenes.person("new", "Noor Weber")
    studio.everywhere("landing", "/")
    studio.everywhere("register", "/register")
    studio.everywhere("empty-dashboard", "/", "new")
    studio.everywhere("empty-inbox", "/inbox", "new")
    studio.everywhere("start", "/start", "new")
    for name in (
        "components",
        "projects",
        "service-keys",
        "components/new",
        "components/from-file",
        "snapshots",
        "projects/new",
    ):
        studio.everywhere(f"empty-{name.replace('/', '-')}", f"/{name}", "new")
    for name in ("registrations", "plans", "systems"):
        studio.everywhere(f"empty-{name}", f"/manage/{name}", "ada")
    studio.everywhere("error-404", "/nothing", "new")
    studio.everywhere("error-403", "/manage/people", "new")
    studio.everywhere("received", "/register/received")


def ordinary(studio: Any) -> None:
    """A workspace in use."""
    scenes.set_up_systems()
    ada = _administrator()
    anna = scenes.person("anna", "Anna Beispiel")
    bela = scenes.person("bela", "Béla Horváth", last_sign_in=timezone.now() - timedelta(days=40))
    scenes.set_up_work(anna, bela)
    scenes.database(anna, "Watermarks", state=Component.State.CREATING)
    _registrations()
    _checked()
    database = Component.objects.get(owner=anna, label="Letter index")
    repository = Component.objects.get(owner=anna, label="Places and people")
    studio.everywhere("dashboard", "/", "anna")
    _for_docs(studio, "dashboard", "/", "anna", height=1110)
    _for_docs(studio, "registrations", "/manage/registrations", "ada", height=1060)
    _for_docs(studio, "systems", "/manage/systems", "ada", height=1100)
    scenes.account(bela, "sql_server.user", "ws_bela")
    scenes.key(bela, "sql_server", "ws_bela")
    _for_docs(studio, "component-access", f"/components/{database.id}", "bela", height=1000)
    machine_accounts.reserve(anna, database, purpose="Nightly import")
    _for_docs(studio, "service-keys", "/service-keys", "anna", height=900)
    studio.everywhere("component-sql", f"/components/{database.id}", "anna")
    studio.everywhere("component-sparql", f"/components/{repository.id}", "anna")
    studio.everywhere("components", "/components", "anna")
    kept = scenes.snapshot(database)
    studio.everywhere("snapshots", "/snapshots", "anna")
    studio.everywhere("snapshot", f"/snapshots/{kept.id}", "anna")
    studio.everywhere("project", f"/projects/{database.project_id}", "anna")
    studio.everywhere("keys", "/service-keys", "anna")
    studio.everywhere("accounts", f"/user/{anna.id}/connected-accounts", "anna")
    studio.everywhere("settings", "/settings", "anna")
    studio.everywhere("help", "/help", "ada")
    studio.everywhere("registrations", "/manage/registrations", "ada")
    studio.everywhere(
        "registrations-several",
        "/manage/registrations",
        "ada",
        before=".tick-all input;#several button[value=approve]",
    )
    studio.everywhere("people", "/manage/people", "ada")
    studio.everywhere("person", "/manage/people/anna", "ada")
    studio.everywhere("systems", "/manage/systems", "ada")
    studio.everywhere(
        "systems-settings", "/manage/systems", "ada", before="#settings-drive > summary"
    )
    studio.everywhere("admin-dashboard", "/", ada.username)


def _registrations() -> None:
    scenes.registration(
        "carla.rossi", "Carla Rossi", age=timedelta(minutes=12), locale="en", timezone="Europe/Rome"
    )
    scenes.registration("d.okafor", "Daniel Okafor", age=timedelta(days=2))
    scenes.registration(
        "anna",
        "Anna Beispiel-Meyer",
        age=timedelta(days=3),
        duplicate_of="anna",
        email="anna.meyer@example.org",
    )
    scenes.registration(
        "emil",
        "Emil Sørensen",
        age=timedelta(days=26),
        timezone="Europe/Copenhagen",
        reason="identity_provider.user: creating the user: no answer within 30 seconds",
    )
    scenes.registration(
        "fay",
        "Fay Lindqvist",
        age=timedelta(days=9),
        status="approved",
        sub="f",
        decided_by="ada",
        decided_at=timezone.now(),
    )


def _checked() -> None:
    fine = (
        ("reachable", "ok", "It answers.", ""),
        ("rights", "ok", "Our administrator may do what is needed.", ""),
        ("sign-in", "ok", "People sign in through the identity provider.", ""),
    )
    for system in ("identity_provider", "sql_server", "ontology_editor", "container_manager"):
        scenes.findings(system, *fine)
    scenes.findings(
        "drive",
        *fine,
        (
            "bearer tokens",
            "warning",
            "The drive checks who a token was issued to, so tokens of the manager are refused.",
            "Set bearer_validation_azp_check to false in the drive's configuration file.",
        ),
        (
            "administrator",
            "failing",
            "No administrator is set, so drive accounts stay until somebody deletes them.",
            "Set the administrator and an app password of theirs in the settings below.",
        ),
    )
    pausing.pause(
        "triplestore",
        actor="manager",
        reason="the triplestore refused our administrator's password",
    )


def removing(studio: Any) -> None:
    """Removals: to look at, under way, done."""
    scenes.set_up_systems()
    ada = _administrator()
    bela = scenes.person("bela", "Béla Horváth")
    for name, full in (
        ("anna", "Anna Beispiel"),
        ("carl", "Carl Ostrom"),
        ("dora", "Dora Nowak"),
        ("emil", "Emil Sand"),
    ):
        scenes.set_up_work(scenes.person(name, full), bela)
    done = scenes.started(scenes.removal(Person.objects.get(username="emil"), ada), ada)
    scenes.finished(done)
    clean = scenes.started(scenes.removal(Person.objects.get(username="dora"), ada), ada)
    scenes.finished(clean, late="clean")
    running = scenes.started(scenes.removal(Person.objects.get(username="carl"), ada), ada)
    scenes.under_way(running, upto=3)
    draft = scenes.removal(Person.objects.get(username="anna"), ada)
    looking = Plan.objects.get(id=draft.id)
    studio.everywhere("plan-draft", f"/manage/plans/{draft.id}", "ada")
    studio.everywhere("plan-running", f"/manage/plans/{running.id}", "ada")
    studio.everywhere("plan-done", f"/manage/plans/{done.id}", "ada")
    studio.everywhere("plan-clean", f"/manage/plans/{clean.id}", "ada")
    studio.everywhere(
        "plan-unfolded",
        f"/manage/plans/{clean.id}",
        "ada",
        before="#all-kept > summary;#all-steps > summary;#all-proof > summary",
    )
    studio.everywhere("plans", "/manage/plans", "ada")
    _for_docs(studio, "removal-preview", f"/manage/plans/{draft.id}", "ada", height=1300)
    _for_docs(studio, "removal-done", f"/manage/plans/{done.id}", "ada", height=1240)
    Plan.objects.filter(id=looking.id).update(due_at=timezone.now())
    studio.everywhere("plan-looking", f"/manage/plans/{looking.id}", "ada")
    Plan.objects.filter(id=looking.id).update(state="stale")
    studio.everywhere("plan-stale", f"/manage/plans/{looking.id}", "ada")


def failing(studio: Any) -> None:
    """Take pictures of what waits and what is stuck."""
    scenes.set_up_systems(
        "identity_provider",
        "drive",
        "sql_server",
        "triplestore",
        "notebook_hub",
        "container_manager",
    )
    ada = _administrator()
    anna = scenes.person("anna", "Anna Beispiel")
    scenes.set_up_work(anna, scenes.person("bela", "Béla Horváth"))
    plan = scenes.started(scenes.removal(anna, ada), ada)
    scenes.stuck(plan)
    pausing.pause("drive", actor="manager", reason=scenes.STUCK[0])
    _registrations()
    studio.everywhere("plan-stuck", f"/manage/plans/{plan.id}", "ada")
    _for_docs(studio, "removal-stuck", f"/manage/plans/{plan.id}", "ada", height=1420)
    _for_docs(
        studio,
        "removal-phone",
        f"/manage/plans/{plan.id}",
        "ada",
        height=1700,
        wide=False,
        dark=True,
    )
    studio.everywhere("failing-plans", "/manage/plans", "ada")
    studio.everywhere("failing-systems", "/manage/systems", "ada")
    studio.everywhere("failing-dashboard", "/", "ada")
    studio.everywhere("failing-inbox", "/inbox", "ada")
    studio.everywhere("inbox-put-off", "/inbox", "ada", before="main details > summary")
    PlanStep.objects.filter(plan=plan, state="stuck").update(state="waiting")


def long(studio: Any) -> None:
    """Many rows and long names."""
    scenes.set_up_systems()
    ada = scenes.person("ada", "Ada Kraft", administrator=True, locale="de")
    for number in range(200):
        made = scenes.person(
            f"wilhelmina-alexandrina.{number:03}",
            f"Wilhelmina-Alexandrina von Hohenlohe-Waldenburg the {number}",
        )
        if number < 3:
            scenes.set_up_work(made)
            scenes.database(made, scenes.LONG)
            scenes.repository(ada, f"{scenes.LONG[:56]} {number}")
        scenes.registration(
            f"applicant.{number:03}", f"Applicant {scenes.LONG}", age=timedelta(hours=number)
        )
    studio.everywhere("long-people", "/manage/people", "ada", height=860)
    studio.everywhere("long-registrations", "/manage/registrations", "ada", height=860)
    studio.everywhere("long-components", "/components", "ada")
    studio.everywhere("long-inbox", "/inbox", "ada")
    studio.everywhere("long-person", "/manage/people/wilhelmina-alexandrina.000", "ada")
    draft = scenes.removal(Person.objects.get(username="wilhelmina-alexandrina.000"), ada)
    studio.everywhere("long-plan", f"/manage/plans/{draft.id}", "ada")
