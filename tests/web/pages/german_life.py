"""A life from registration to removal with its failures, every page and letter of which somebody
reads in German.

The systems are stand-ins and the engine is the real one, so that what stands on the pages is what
systems, stories and doors say.
"""

import re
import uuid
from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from tests.web.pages import scenes
from tests.web.pages.sandbox import Sandbox
from tests.web.pages.texts import texts_of
from workspace_manager.engine.lease import due_plans
from workspace_manager.letters import emails, mail_outbox
from workspace_manager.people import admit
from workspace_manager.people.admit import Claims, NotAdmitted
from workspace_manager.people.unlinked_sign_ins import RefusalReason
from workspace_manager.records.models import (
    Component,
    Mail,
    Person,
    Plan,
    PlanStep,
    Project,
    ProviderState,
    Registration,
    UnapprovedSignIn,
    WebhookEndpoint,
)
from workspace_manager.systems import registry
from workspace_manager.web.pages.register_form import LEAST_S, stamp
from workspace_manager.web.sign_in.adapter import render_refusal
from workspace_manager.webhooks.messages import message as notices
from workspace_manager.wiring import connected_systems
from workspace_manager.worker import run_plan

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
MANAGER = "http://127.0.0.1:8000"
PASSWORD = "vierzehn-Fugger-Briefe"
TOUR = (
    *("/", "/inbox", "/start", "/components", "/components/new", "/service-keys", "/tokens"),
    "/projects",
)
OFFICE = (
    *("/inbox", "/manage", "/manage/registrations", "/manage/registrations?status=rejected"),
    "/manage/strangers",
    "/manage/strangers/list",
    "/manage/tombstones",
    "/manage/administrators",
    "/manage/audit?verify=1",
    "/manage/letters",
    "/manage/webhooks",
    "/manage/people",
    "/manage/people?former=true",
    "/manage/plans",
    "/manage/reconcile",
    "/manage/take-over",
    "/manage/systems",
)


class Reader:
    """Somebody who reads German, and every text they were shown, by address."""

    def __init__(self, person: Person | None, seen: dict[str, list[str]]) -> None:
        self.client = Client(headers={"Accept-Language": "de"})
        self.seen = seen
        if person:
            self.client.force_login(person, backend=BACKEND)

    def get(self, path: str) -> str:
        return self._read(path, self.client.get(path, follow=True))

    def post(self, path: str, **typed: Any) -> str:
        return self._read(path, self.client.post(path, typed, follow=True))

    def _read(self, path: str, answer: Any) -> str:
        path = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "…", path)
        assert answer.status_code < 500 or answer.status_code in {502, 503}, path
        page = str(answer.content.decode())
        self.seen[path] += texts_of(page)
        return page


class Life:
    """The workspace, its administrator, and what they and everybody else read."""

    def __init__(self, systems: Sandbox) -> None:
        self.systems = systems
        self.seen: dict[str, list[str]] = defaultdict(list)
        self.ended: set[uuid.UUID] = set()
        ada = scenes.person("ada", "Ada Kraft", administrator=True, locale="de")
        self.ada = Reader(ada, self.seen)
        self.visitor = Reader(None, self.seen)

    def work(self) -> None:
        """What a worker does until nothing is due, and everything that is to be seen of it."""
        for _ in range(12):
            waiting = due_plans()
            if not waiting:
                break
            for plan in waiting:
                run_plan.call_local(str(plan))

    def at_once(self) -> None:
        """What would be tried later is due now."""
        PlanStep.objects.filter(state="waiting").update(next_try_at=_a_moment_ago())
        Plan.objects.filter(state__in=Plan.OPEN).update(due_at=_a_moment_ago())
        self.work()

    def look(self) -> None:
        """Everything the administration can look at."""
        for path in OFFICE:
            self.ada.get(path)
        for person in Person.objects.all():
            self.ada.get(f"/manage/people/{person.username}")
        self.plans()

    def plans(self) -> None:
        """Every plan that may look otherwise than before."""
        for plan in Plan.objects.exclude(id__in=self.ended):
            self.ada.get(f"/manage/plans/{plan.id}")
        self.ended |= set(Plan.objects.filter(state="done").values_list("id", flat=True))

    def tour(self, reader: Reader) -> None:
        """Everything a member can look at."""
        for path in TOUR:
            reader.get(path)
        reader.get("/drive")
        for project in Project.objects.all():
            reader.get(f"/projects/{project.id}")
        for component in Component.objects.all():
            reader.get(f"/components/{component.id}")

    def letters(self) -> None:
        """Every letter that was written."""
        for mail in Mail.objects.all():
            self.seen[f"letter: {mail.subject}"] += [mail.subject, *mail.text.splitlines()]
            self.seen[f"letter: {mail.subject}"] += texts_of(mail.html)

    # --- one after the other ---------------------------------------------------------------------

    def register(self, username: str) -> Registration:
        """First with everything wrong, then rightly."""
        self.visitor.get("/")
        self.visitor.get("/register")
        names = ("username", "email", "first_name", "last_name", "password", "locale", "timezone")
        self.visitor.post("/register", **dict.fromkeys(names, "<"), stamp=stamp())
        self.visitor.post("/register", **dict.fromkeys(names, ""), stamp="")
        values = {
            "username": username,
            "email": f"{username}@example.org",
            "first_name": "Carla",
            "last_name": "Rossi",
            "password": PASSWORD,
            "locale": "de",
            "timezone": "Europe/Berlin",
        }
        self.visitor.post("/register", **values, stamp=_earlier())
        return Registration.objects.get(username=username)

    def approve(self, row: Registration) -> None:
        """The identity provider is down, then refuses, then is there."""
        for trouble in ({"status": 503}, {"status": 403}, {"fault": "html"}):
            self.systems.fault("IdentityProvider", **{"fault": "status", **trouble})
            self.ada.post(f"/manage/registrations/{row.id}/approve")
            self.ada.get("/manage/registrations")
            self.systems.calm()
            self.ada.post("/manage/systems/identity_provider/resume")
        self.ada.post(f"/manage/registrations/{row.id}/approve")
        row.refresh_from_db()
        assert row.status == "approved"
        self.ada.post(f"/manage/registrations/{row.id}/approve")

    def enter(self, row: Registration) -> Reader:
        """The first sign-in, and those that are refused."""
        claims = Claims(row.sub, row.username, row.email, "Carla", "Rossi", "de", "Europe/Berlin")
        person = admit.enter(claims, connected_systems())
        for why in RefusalReason:
            page = refused_page(self.visitor, why)
            self.seen[f"sign-in: {why}"] += texts_of(page)
        self.work()
        return Reader(person, self.seen)

    def make_things(self, carla: Reader) -> None:
        """A project with a member, and components in every state."""
        bela = scenes.person("bela", "Béla Horváth", locale="de")
        carla.post("/projects/new", label="Fuggerbriefe", description="Abschriften")
        carla.post("/projects/new", label="", description="")
        self.work()
        project = Project.objects.get(label="Fuggerbriefe")
        carla.post(f"/projects/{project.id}/members", username="bela")
        carla.post(f"/projects/{project.id}/members", username="niemand")
        for kind in ("sql_database", "triplestore_repository"):
            typed = {"kind": kind, "label": f"Register {kind}", "project": str(project.id)}
            carla.post("/components/new", **typed)
        carla.post("/components/new", kind="sql_database", label="", project="")
        self.tour(carla)
        self.work()
        self.tour(carla)
        self.tour(Reader(bela, self.seen))

    def fail(self, carla: Reader) -> None:
        """Every kind of failure in plans that make something, then everything works again."""
        ways: tuple[dict[str, Any], ...] = (
            {"fault": "status", "status": 503},
            {"fault": "status", "status": 403},
            {"fault": "status", "status": 404},
            {"fault": "status", "status": 409},
            {"fault": "html"},
            {"fault": "garbage"},
            {"fault": "reset"},
        )
        for n, way in enumerate(ways):
            self.systems.fault("Triplestore", **way)
            self.systems.fault("OntologyEditor", **way)
            self.systems.fault("SqlServer", **{**way, "statement": "."})
            carla.post("/projects/new", label=f"Versuch {n}")
            for kind in ("sql_database", "triplestore_repository"):
                carla.post("/components/new", kind=kind, label=f"Versuch {n}")
            self.work()
            self.plans()
            for component in Component.objects.filter(label=f"Versuch {n}"):
                carla.get(f"/components/{component.id}")
            for system in ("sql_server", "triplestore", "ontology_editor"):
                self.ada.post(f"/manage/systems/{system}/check")
            self.ada.get("/manage/systems")
            self.systems.calm()
            for system in ("sql_server", "triplestore", "ontology_editor"):
                self.ada.post(f"/manage/systems/{system}/resume")
            self._decide()
            self.at_once()

    def _decide(self) -> None:
        """What is stuck is tried again, skipped or done by hand, also where that cannot be."""
        for n, step in enumerate(PlanStep.objects.filter(plan__state__in=Plan.OPEN)):
            where = f"/manage/plans/{step.plan_id}/steps/{step.n}"
            match n % 3:
                case 0:
                    self.ada.post(f"{where}/skip", reason="")
                    self.ada.post(f"{where}/skip", reason="Das lassen wir.")
                case 1:
                    self.ada.post(f"{where}/by-hand", note="Das ist erledigt.")
                case _:
                    self.ada.post(f"{where}/retry")
                    self.ada.post(f"{where}/retry")

    def connect_drive(self, carla: Reader) -> None:
        """Without a token, and in the browser, and with a drive that is down."""
        carla.post("/drive/connect")
        carla.post("/drive/poll")
        carla.post("/drive/browser")
        carla.post("/drive/poll")
        self.systems.fault("Drive", fault="status", status=503)
        carla.get("/drive")
        carla.post("/drive/connect")
        self.systems.calm()
        carla.post("/drive/disconnect")

    def suspend(self) -> None:
        """With a failure, and back in."""
        self.ada.post("/manage/people/ada/suspend")
        self.ada.post("/manage/people/ada/removal")
        self.ada.post("/manage/administrators/ada/remove")
        self.ada.post("/manage/administrators/add", username="/")
        self.systems.fault("ContainerManager", fault="status", status=503)
        self.ada.post("/manage/people/carla/suspend")
        self.ada.post("/manage/people/carla/suspend")
        self.work()
        self.look()
        self.systems.calm()
        self.at_once()
        self.look()
        self.ada.post("/manage/people/carla/resume")
        self.work()
        self.look()

    def settings(self) -> None:
        """Values that cannot be, tried out and stored."""
        self.ada.get("/manage/systems")
        for system in registry().specs:
            # A check asks for everybody of whom nothing was said for a minute; ada is only here.
            ProviderState.objects.update(answered_at=timezone.now())
            wrong = {
                f"{system}-{spec.name}": "nirgendwo"
                for spec in registry().specs[system].settings.specs()
            }
            self.ada.post(f"/manage/systems/{system}/settings", **wrong)
            self.ada.post(f"/manage/systems/{system}/test", **wrong)
            self.ada.post(f"/manage/systems/{system}/test")
            self.ada.post(f"/manage/systems/{system}/check")
            self.ada.post(f"/manage/systems/{system}/pause", reason="")
            self.ada.get("/manage/systems")
            self.ada.post(f"/manage/systems/{system}/resume")

    def remove(self) -> Plan:
        """Preview, running, stuck and waiting, done; and the end of access."""
        self.ada.post("/manage/people/carla/removal")
        plan = Plan.objects.get(kind="removal", state="draft")
        self.work()
        self.look()
        where = f"/manage/plans/{plan.id}"
        self.ada.post(f"{where}/approve", confirm="falsch", digest=plan.digest)
        self.ada.post(f"{where}/approve", confirm="carla", digest="falsch")
        self.systems.fault("Drive", fault="status", status=401)
        self.systems.fault("Triplestore", fault="status", status=503)
        self.systems.fault("OntologyEditor", fault="html")
        self.ada.post(f"{where}/approve", confirm="carla", digest=plan.digest)
        self.ada.get(where)
        self.work()
        self.look()
        self.systems.calm()
        for system in registry().specs:
            self.ada.post(f"/manage/systems/{system}/resume")
        for step in plan.steps.filter(state="stuck"):
            self.ada.post(f"{where}/steps/{step.n}/retry")
        self.at_once()
        self.look()
        self.ada.get("/manage/people/carla")
        return plan

    def look_again(self, plan: Plan) -> None:
        """The look after the last token has ended: first nobody can look, then all is clean."""
        for broken in (True, False):
            if broken:
                self.systems.fault("Drive", fault="status", status=503)
            Plan.objects.filter(belongs_to=plan).update(due_at=_a_moment_ago())
            self.work()
            self.look()
            self.systems.calm()

    def after(self) -> None:
        """Who knocks now, and whose name is kept."""
        for n, why in enumerate(RefusalReason):
            UnapprovedSignIn.objects.create(sub=f"sub-{n}", username=f"gast{n}", why=why)
        self.look()
        for stranger in UnapprovedSignIn.objects.all():
            for decision in ("relink", "adopt", "refuse", "adopt"):
                self.ada.post(f"/manage/strangers/{stranger.id}/{decision}")
        row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=29))
        self.ada.post(f"/manage/registrations/{row.id}/approve")
        self.ada.post(f"/manage/registrations/{row.id}/reject", reason="")
        self.ada.post(f"/manage/registrations/{row.id}/reject", reason="Die Gruppe ist voll.")
        Mail.objects.update(trouble=mail_outbox.MailFailure.SLOW, attempts=2)
        self.look()
        self.ada.post("/manage/tombstones/carla/release")
        self.webhooks()
        for name in emails.LETTERS:
            self.ada.get(f"/manage/letters/{name}?language=de")
            self.ada.get(f"/manage/letters/{name}/html?language=de")

    def webhooks(self) -> None:
        """One that is refused, and one that is kept, tried and switched off."""
        self.ada.post("/manage/webhooks", label="", url="http://x", events="?")
        self.ada.post("/manage/webhooks", label="Tools", url="https://10.1.2.3/", events="*")
        self.ada.post(
            "/manage/webhooks", label="Tools", url="https://tools.example.org", events="*"
        )
        hook = WebhookEndpoint.objects.get()
        address = f"/manage/webhooks/{hook.id}"
        for deed in ("", "/rotate", "/test", "/switch", "/test"):
            self.ada.post(f"{address}{deed}", label="Tools", url="https://x.org", events="?")
        hook.deliveries.update(
            trouble=notices("answered", status=500), state="failed", ended_at=_a_moment_ago()
        )
        WebhookEndpoint.objects.update(left_out=2, failing_since=_a_moment_ago(), disabled="")
        self.ada.get(address)
        for why in WebhookEndpoint.Disabled.values:
            WebhookEndpoint.objects.update(disabled=why)
            self.ada.get(address)
        self.ada.post(f"{address}/delete")


def _a_moment_ago() -> datetime:
    """SQLite's clock counts whole milliseconds: what is due at this moment may not be for it."""
    return timezone.now() - timedelta(seconds=1)


def refused_page(reader: Reader, why: RefusalReason) -> str:
    """What somebody reads who is not let in."""
    request = reader.client.get("/", headers={"Accept-Language": "de"}).wsgi_request
    no = NotAdmitted(why)
    with translation.override("de"):
        return render_refusal(request, no.message, may_register=no.may_register).content.decode()


def _earlier() -> str:
    """The mark of a form that was opened long enough ago."""
    with pytest.MonkeyPatch.context() as patch:
        now = timezone.now().timestamp()
        patch.setattr("workspace_manager.web.pages.register_form.time.time", lambda: now - LEAST_S)
        return stamp()
