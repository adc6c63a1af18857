"""A key that was revealed is not known here any more, and everything made after it works all the
same: second, third and shared components of each kind, on stand-ins.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pymysql
import pytest
from django.conf import settings
from django.utils import timezone

from tests.web.pages.german_life import MANAGER
from tests.web.pages.sandbox import Sandbox, sandbox
from workspace_manager.accounts import keys
from workspace_manager.contract.secret import Secret
from workspace_manager.engine.lease import due_plans
from workspace_manager.people import admit, approve, passwords
from workspace_manager.people.admit import Claims
from workspace_manager.records.models import (
    Component,
    Person,
    Plan,
    Project,
    Registration,
    ServiceKey,
)
from workspace_manager.systems.identity_provider.names import attributes_target
from workspace_manager.wiring import connected_systems
from workspace_manager.work import components, memberships, projects, reservation
from workspace_manager.worker import run_plan

pytestmark = pytest.mark.django_db(transaction=True)
KINDS = ("sql_database", "triplestore_repository")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    folder: Path = tmp_path_factory.mktemp("after-reveal")
    with sandbox(folder, MANAGER) as found:
        yield found


@pytest.fixture
def systems(world: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    for variable, value in world.world.environment.items():
        monkeypatch.setenv(variable, value)
    return world


def work() -> None:
    for _ in range(12):
        waiting = due_plans()
        for plan in waiting:
            run_plan.call_local(str(plan))
        if not waiting:
            break
    open_ = Plan.objects.filter(state__in=[*Plan.OPEN])
    said = [
        (plan.kind, step.name, step.state, str(step.reason))
        for plan in open_
        for step in plan.steps.exclude(state__in=("done", "pending"))
    ]
    assert not said


def admit_person(name: str) -> Person:
    row = Registration.objects.create(
        username=name, email=f"{name}@example.org", first_name="A", last_name="B",
        password_hash=HASH,
    )  # fmt: skip
    row = approve.approve(row.id, actor="ada", systems=connected_systems())
    person = admit.enter(Claims(row.sub, name, row.email, "A", "B"), connected_systems())
    work()
    return person


HASH = passwords.importable_hash("vierzehn-Fugger-Briefe")


def create_component(person: Person, kind: str, project: Project | None = None) -> Component:
    component, _ = components.create(
        person, kind=kind, label="One more", project=project, systems=connected_systems()
    )
    work()
    component.refresh_from_db()
    assert component.state == Component.State.READY
    return component


def key_of(person: Person, kind: str) -> ServiceKey:
    return ServiceKey.objects.get(
        owner=person, system=reservation.KINDS[Component.Kind(kind)].system
    )


def opens(person: Person, secret: Secret, component: Component) -> bool:
    """Whether the key opens the component, as its owner would try it."""
    if component.kind == "triplestore_repository":
        answer = httpx.get(
            f"{component.address}/statements",
            auth=(person.username, secret.reveal()),
            headers={"Accept": "text/turtle"},
        )
        return answer.status_code == 200
    server = connected_systems().by_name["sql_server"].settings  # type: ignore[attr-defined]
    try:
        pymysql.connect(
            host=server.host, port=server.port, user=person.username,
            password=secret.reveal(), database=component.name,
        ).close()  # fmt: skip
    except pymysql.MySQLError:
        return False
    return True


def nothing(person: Person, kind: str) -> None:
    """Nothing else happened."""


def the_keys_of_the_manager_change(person: Person, kind: str) -> None:
    settings.SECRET_KEYS = ["a newer key for tests only, of some length", *settings.SECRET_KEYS]


def the_key_is_lost(person: Person, kind: str) -> None:
    key_of(person, kind).delete()


def the_stored_attribute_is_lost(person: Person, kind: str) -> None:
    attributes = connected_systems().connector("identity_provider.attributes")
    assert attributes
    target = attributes_target(Registration.objects.get(username=person.username).sub, "x")
    attributes.apply(attributes.plan(target, {"sql_password": None}))


def the_account_is_made_anew(person: Person, kind: str) -> None:
    """As far as there is a rotation: rights are taken by making the account anew."""
    component = Component.objects.filter(owner=person, kind=kind).first()
    assert component
    components.delete(component, actor=person.username, systems=connected_systems())
    work()


HAPPENED = [
    *(nothing, the_keys_of_the_manager_change, the_key_is_lost),
    *(the_stored_attribute_is_lost, the_account_is_made_anew),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("happened", HAPPENED)
@pytest.mark.one_in(3)
def test_whatever_is_made_after_the_key_was_revealed_works(
    happened: Callable[[Person, str], None], kind: str, systems: Sandbox
) -> None:
    kept = list(settings.SECRET_KEYS)
    try:
        person = admit_person(f"anna{timezone.now():%H%M%S%f}")
        first = create_component(person, kind)
        if happened is the_account_is_made_anew:
            create_component(person, kind)
        secret = keys.reveal(key_of(person, kind), by=person)
        assert opens(person, secret, first)
        happened(person, kind)
        second, third = create_component(person, kind), create_component(person, kind)
        project = projects.make(person, connected_systems(), label="Shared")
        work()
        shared = create_component(person, kind, project)
        key = key_of(person, kind)
        if key.secret is not None:  # another one, which can be revealed once more
            secret = keys.reveal(key, by=person)
        for component in (second, third, shared):
            assert opens(person, secret, component)
    finally:
        settings.SECRET_KEYS = kept


@pytest.mark.parametrize("kind", KINDS)
def test_what_others_share_is_opened_by_the_key_that_was_revealed(
    kind: str, systems: Sandbox
) -> None:
    """A member who has a revealed key joins, and owns something afterwards."""
    owner, member = (admit_person(f"{who}{timezone.now():%H%M%S%f}") for who in ("olga", "mira"))
    create_component(member, kind)
    secret = keys.reveal(key_of(member, kind), by=member)
    project = projects.make(owner, connected_systems(), label="Shared")
    work()
    shared = create_component(owner, kind, project)
    for _ in ("joins", "again"):
        memberships.add(project, member, actor="ada", systems=connected_systems())
        work()
        key = key_of(member, kind)
        secret = secret if key.secret is None else keys.reveal(key, by=member)
        assert opens(member, secret, shared)
        assert opens(member, secret, create_component(member, kind))
        memberships.end(project, member, actor="ada", systems=connected_systems())
        work()
