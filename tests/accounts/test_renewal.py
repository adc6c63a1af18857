"""Renewing a key, on stand-ins: the new secret opens everything, the old one nothing, and nobody
else's changes.
"""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pymysql
import pytest
from django.utils import timezone

from tests.fake_world.work import let_time_pass
from tests.web.pages.german_life import MANAGER
from tests.web.pages.sandbox import Sandbox, sandbox
from tests.work.test_after_reveal import KINDS, admit_person, create_component, key_of, opens, work
from workspace_manager.accounts import keys, renewal
from workspace_manager.contract.connector import Facts
from workspace_manager.contract.secret import Secret
from workspace_manager.core.account_link import sub_of
from workspace_manager.core.refusal import Refused
from workspace_manager.engine import actions
from workspace_manager.people import suspend, unlinked_sign_ins
from workspace_manager.records.models import (
    Account,
    Component,
    Person,
    Plan,
    PlanStep,
    ServiceKey,
    UnapprovedSignIn,
)
from workspace_manager.wiring import connected_systems, resolve
from workspace_manager.work import components, reservation

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    folder: Path = tmp_path_factory.mktemp("renewal")
    with sandbox(folder, MANAGER) as found:
        yield found


@pytest.fixture
def systems(world: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    for variable, value in world.world.environment.items():
        monkeypatch.setenv(variable, value)
    return world


def anna() -> Person:
    return admit_person(f"anna{timezone.now():%H%M%S%f}")


def renewed(key: ServiceKey) -> Plan:
    plan = renewal.renew(key, actor="ada", systems=connected_systems())
    work()
    return Plan.objects.get(id=plan.id)


def evidence(plan: Plan) -> str:
    return " ".join(piece["text"] for step in plan.steps.all() for piece in step.evidence)


def machine_key(component: Component) -> ServiceKey:
    key, _ = keys.create(component, "Import", actor="ada", systems=connected_systems())
    work()
    return ServiceKey.objects.get(id=key.id)


def lets_in(account: str, secret: Secret, component: Component) -> bool:
    return opens(Person(username=account), secret, component)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("known", [True, False], ids=["not revealed", "revealed"])
def test_the_new_secret_opens_everything_and_the_old_one_nothing(
    kind: str, known: bool, systems: Sandbox
) -> None:
    person = anna()
    first, second = create_component(person, kind), create_component(person, kind)
    key = key_of(person, kind)
    old = key.secret if known else keys.reveal(key, by=person)
    assert old is not None
    assert opens(person, old, first)
    plan = renewed(key)
    key.refresh_from_db()
    assert key.renewed_at is not None
    new = keys.reveal(key, by=person)
    assert new != old
    for component in (first, second):
        assert opens(person, new, component)
        assert not opens(person, old, component)
    sql = kind == "sql_database"
    # Of a revealed one only the identity provider still knew the old password.
    assert ("previous one" in evidence(plan)) is (known or sql)
    if sql:
        reference = f"identity_provider.attributes/{sub_of(person)}/sql_password"
        assert resolve(reference) == new
    assert opens(person, new, create_component(person, kind))
    with pytest.raises(Refused, match="renew it"):
        keys.reveal(key, by=person)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_a_personal_key_and_a_machine_key_leave_each_other_alone(
    kind: str, systems: Sandbox
) -> None:
    person = anna()
    component, other = create_component(person, kind), create_component(person, kind)
    own, machine = key_of_person(person, kind), machine_key(component)
    mine, its = keys.reveal(own, by=person), keys.reveal(machine, by=person)
    assert lets_in(machine.account, its, component)
    assert not lets_in(machine.account, its, other)
    renewed(own)
    assert lets_in(machine.account, its, component)
    assert not opens(person, mine, component)
    mine = keys.reveal(own, by=person)
    renewed(machine)
    assert opens(person, mine, component)
    assert not lets_in(machine.account, its, component)
    its = keys.reveal(machine, by=person)
    assert lets_in(machine.account, its, component)
    keys.delete(machine, actor="ada", systems=connected_systems())
    work()
    assert not lets_in(machine.account, its, component)
    assert opens(person, mine, component)


def key_of_person(person: Person, kind: str) -> ServiceKey:
    system = reservation.KINDS[Component.Kind(kind)].system
    return ServiceKey.objects.get(owner=person, system=system, component=None)


def test_sql_sessions_of_the_old_password_end(systems: Sandbox) -> None:
    person = anna()
    database = create_component(person, "sql_database")
    key = key_of(person, "sql_database")
    old = keys.reveal(key, by=person)
    server = connected_systems().by_name["sql_server"].settings  # type: ignore[attr-defined]
    session = pymysql.connect(
        host=server.host, port=server.port, user=person.username,
        password=old.reveal(), database=database.name,
    )  # fmt: skip
    renewed(key)
    with pytest.raises(pymysql.MySQLError):
        session.cursor().execute("SELECT 1")


def test_a_token_given_for_the_old_password_ends(systems: Sandbox) -> None:
    person = anna()
    repository = create_component(person, "triplestore_repository")
    key = key_of(person, "triplestore_repository")
    old = keys.reveal(key, by=person)
    url = repository.address.partition("/repositories/")[0]
    form = {"username": person.username, "password": old.reveal()}
    token = httpx.post(f"{url}/api-token-auth/", data=form).json()["token"]
    look = {"Authorization": f"Token {token}", "Accept": "text/turtle"}
    assert httpx.get(f"{repository.address}/statements", headers=look).status_code == 200
    renewed(key)
    assert httpx.get(f"{repository.address}/statements", headers=look).status_code != 200


def test_one_renewal_at_a_time_and_nothing_is_shown_meanwhile(systems: Sandbox) -> None:
    person = anna()
    create_component(person, "sql_database")
    key = key_of(person, "sql_database")
    plan = renewal.renew(key, actor="ada", systems=connected_systems())
    with pytest.raises(Refused, match="being renewed") as refused:
        renewal.renew(key, actor="ada", systems=connected_systems())
    assert refused.value.plan == str(plan.id)
    with pytest.raises(Refused, match="being renewed"):
        keys.reveal(key, by=person)
    work()
    assert keys.reveal(key, by=person)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_no_renewal_while_the_account_is_being_made(kind: str, systems: Sandbox) -> None:
    person = anna()
    _, plan = components.create(
        person, kind=kind, label="First", project=None, systems=connected_systems()
    )
    with pytest.raises(Refused, match="still being created") as refused:
        renewal.renew(key_of(person, kind), actor="ada", systems=connected_systems())
    assert refused.value.plan == str(plan.id)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_made_during_a_renewal_ends_with_the_new_secret(
    kind: str, systems: Sandbox
) -> None:
    """Whichever of the two plans is done first: here the creation sees the renewal's secret."""
    person = anna()
    first = create_component(person, kind)
    key = key_of(person, kind)
    old = key.secret
    assert old is not None
    renewal.renew(key, actor="ada", systems=connected_systems())
    second = create_component(person, kind)
    key.refresh_from_db()
    new = keys.reveal(key, by=person)
    for component in (first, second):
        assert opens(person, new, component)
        assert not opens(person, old, component)


def test_a_renewal_waits_for_an_owner_who_is_suspended(systems: Sandbox) -> None:
    person = anna()
    database = create_component(person, "sql_database")
    key = key_of(person, "sql_database")
    old = key.secret
    assert old is not None
    plan = renewal.renew(key, actor="ada", systems=connected_systems())
    suspend.suspend(person.username, actor="ada", systems=connected_systems())
    with pytest.raises(AssertionError, match="suspended"):
        work()
    assert plan.steps.get(n=1).state == PlanStep.State.WAITING
    with pytest.raises(Refused, match="suspended"):
        renewal.renew(key, actor="ada", systems=connected_systems())
    suspend.resume(person.username, actor="ada", systems=connected_systems())
    work()
    new = keys.reveal(key, by=person)
    assert opens(person, new, database)
    assert not opens(person, old, database)


def test_a_renewal_that_somebody_skips_shows_no_secret(systems: Sandbox) -> None:
    """Nobody knows then which secret the account has."""
    person = anna()
    create_component(person, "triplestore_repository")
    key = key_of(person, "triplestore_repository")
    plan = renewal.renew(key, actor="ada", systems=connected_systems())
    actions.skip(plan, 1, reason="by hand", actor="ada")
    work()
    key.refresh_from_db()
    assert (key.secret, key.next_secret, key.renewed_at) == (None, None, None)
    renewed(key)
    assert keys.reveal(key, by=person)


def test_a_key_whose_account_is_going_is_not_renewed(systems: Sandbox) -> None:
    person = anna()
    repository = create_component(person, "triplestore_repository")
    key = key_of(person, "triplestore_repository")
    renewal.renew(key, actor="ada", systems=connected_systems())
    components.delete(repository, actor="ada", systems=connected_systems())
    with pytest.raises(AssertionError, match="another plan is setting up this account"):
        work()
    let_time_pass()
    work()
    assert not ServiceKey.objects.filter(owner=person).exists()
    assert not Account.objects.filter(kind="triplestore.user", person=person).exists()
    users = connected_systems().connector("triplestore.user")
    assert users
    assert users.plan({"user": person.username}, None).before is None


@pytest.mark.one_in(2)
@pytest.mark.parametrize("shown", [True, False], ids=["shown", "not shown"])
def test_whoever_is_relinked_has_a_new_sql_password_with_the_new_account(
    shown: bool, systems: Sandbox
) -> None:
    """The SQL administration tool signs people in with what their account there has: of an account
    that was made again it would have nothing.
    """
    person = anna()
    database = create_component(person, "sql_database")
    key = key_of(person, "sql_database")
    old = keys.reveal(key, by=person) if shown else key.secret
    assert old is not None
    new_sub = made_again(person)
    stranger = UnapprovedSignIn.objects.create(
        sub=new_sub, username=person.username, why="another sub"
    )
    unlinked_sign_ins.relink(stranger.id, actor="ada", systems=connected_systems())
    work()
    assert Plan.objects.get(about=str(key.id), kind="service_key.renew").state == Plan.State.DONE
    key.refresh_from_db()
    new = keys.reveal(key, by=person)
    assert resolve(f"identity_provider.attributes/{new_sub}/sql_password") == new
    assert opens(person, new, database)
    assert not opens(person, old, database)


def made_again(person: Person) -> str:
    """Their user at the identity provider is another one from now on; gives its id."""
    users = connected_systems().connector("identity_provider.user")
    assert users
    target = {"sub": sub_of(person), "username": person.username, "email": person.email}
    users.remove(users.plan(target, None))
    wish: Facts = {"email": person.email, "enabled": True}
    outcome = users.apply(users.plan({"username": person.username, "mark": "anew"}, wish))
    return outcome.facts["sub"]
