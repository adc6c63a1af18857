"""The base of every scenario: an administrator, people who have something, and what it means to be
done.
"""

from tests.crash.fake_systems import FakeSystems
from tests.fake_world.people import make_person
from workspace_manager import worker
from workspace_manager.inbox import waiting_items
from workspace_manager.notices import choices
from workspace_manager.records.models import (
    Account,
    Component,
    Lock,
    Mail,
    Membership,
    NoticeChoice,
    Person,
    Plan,
    Project,
)

SUB = "6f2d9a4e-0000-4000-8000-00000000000a"
SUB_OF_BOB = "6f2d9a4e-0000-4000-8000-00000000000b"
ONTOLOGY = "6f2d9a4e-0000-4000-8000-00000000000c"
ACTOR = "root-admin"


class Scenario:
    """One scenario on one set of fake systems."""

    name: str
    plans: tuple[str, ...] = ()
    """Kinds of plans it runs."""
    slow = False
    """Whether its many steps take too long for the everyday run."""

    def __init__(self, fakes: FakeSystems) -> None:
        self.fakes = fakes
        person = make_person(ACTOR, sub="admin-sub", role="administrator")
        # Whether a morning comes while one is repeated depends on the hour of the day.
        NoticeChoice.objects.bulk_create(
            NoticeChoice(person=person, kind=kind, how=choices.How.NEVER)
            for kind in waiting_items.SOURCES
            if choices.default_choice(kind) == choices.How.DAILY
        )

    def ask(self) -> None:
        """What a person does who looks whether it was done; does nothing when it was."""

    def come_by(self) -> None:
        """A person looks and asks again if need be; then a worker does what it does
        every minute.
        """
        self.ask()
        worker.every_minute.call_local()

    def done(self) -> bool:
        """Its plans are done, nothing waits, every letter is out, and no lock stands."""
        finished = Plan.objects.filter(state=Plan.State.DONE, due_at=None)
        waiting = (
            Plan.objects.filter(state__in=Plan.OPEN),
            Mail.objects.filter(sent_at=None),
            Lock.objects.all(),
        )
        return all(finished.filter(kind=kind).exists() for kind in self.plans) and not any(
            rows.exists() for rows in waiting
        )

    def plan(self, kind: str) -> Plan | None:
        """The newest plan of a kind that was not given up."""
        given_up = (Plan.State.STALE, Plan.State.SUPERSEDED)
        return Plan.objects.filter(kind=kind).exclude(state__in=given_up).first()

    def bob(self, *, member: bool) -> None:
        """Somebody who may share what alice has."""
        person = make_person("bob", sub=SUB_OF_BOB)
        self.fakes.things[f"identity_provider.user:{SUB_OF_BOB}"] = {"enabled": True}
        self.fakes.things[f"identity_provider.attributes:{SUB_OF_BOB}"] = {}
        if member:
            Membership.objects.create(project=Project.objects.get(), person=person)

    def alice(self) -> Person:
        """Somebody who has one of everything, in the records and in the systems."""
        person = make_person("alice", sub=SUB)
        project = Project.objects.create(
            owner=person, label="First", default=True, ontology_mark="mark-alice",
            ontology_project_id=ONTOLOGY,
        )  # fmt: skip
        for kind in ("ontology_editor.user", "sql_server.user", "triplestore.user"):
            system = kind.partition(".")[0]
            Account.objects.create(
                system=system,
                kind=kind,
                name="alice",
                username="alice",
                person=person,
                made_by_us=True,
            )
        for kind, label, name in (
            ("sql_database", "Db", "ws_alice"),
            ("triplestore_repository", "Ts", "ts-alice"),
        ):
            Component.objects.create(
                owner=person, kind=kind, label=label, name=name, project=project, state="ready"
            )
        stored = {"filesvc_login_name": SUB, "filesvc_app_password": "set"}
        self.fakes.things |= {
            f"identity_provider.user:{SUB}": {"enabled": True, "sessions": 1},
            f"identity_provider.attributes:{SUB}": stored,
            f"drive.account:{SUB}": {"exists": True},
            f"drive.app_password:{SUB}": {"exists": True},
            "sql_server.user:alice": {"exists": True},
            "sql_server.database:ws_alice": {"grantees": ["alice"]},
            "triplestore.user:alice": {"exists": True},
            "triplestore.repository:ts-alice": {"title": "Ts"},
            f"ontology_editor.project:{ONTOLOGY}": {
                "title": "First",
                "mark": "mark-alice",
                "project_id": ONTOLOGY,
            },
            "notebook_hub.container:jupyter-alice": {"running": True},
        }
        return person
