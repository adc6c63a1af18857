"""The life of users and realm at the stand-in: the tests a real Keycloak passes
(`tests/real/test_keycloak.py`), and injected faults.
"""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.systems.identity_provider.life_of_checks import CheckLife
from tests.systems.identity_provider.life_of_groups import GroupLife
from tests.systems.identity_provider.life_of_members import MemberLife
from tests.systems.identity_provider.life_of_realm import RealmLife
from tests.systems.identity_provider.life_of_realm_members import RealmMemberLife
from tests.systems.identity_provider.life_of_sessions import SessionLife, listener
from tests.systems.identity_provider.life_of_users import UserLife
from tests.systems.identity_provider.provider_under_test import (
    ATTRIBUTES,
    CANARY,
    FENCE,
    MANAGER,
    SECRETS,
    USER,
    ProviderUnderTest,
    creation,
    name,
)
from workspace_manager.contract.connector import Change, Facts, Result, Severity
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.names import attributes_target, user_target
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

__all__ = ["listener", "name"]

REALM: dict[str, Any] = {
    "internationalizationEnabled": True,
    "supportedLocales": ["en", "de"],
    "defaultLocale": "en",
    "bruteForceProtected": True,
    "accessTokenLifespan": 300,
}


@pytest.fixture(scope="module")
def stand_in() -> Iterator[IdentityProviderStandIn]:
    one = IdentityProviderStandIn(
        admin_password=f"{CANARY}-admin", declared_attributes=(), realm_settings=REALM
    )
    with running(one):
        yield one


def make_provider(one: IdentityProviderStandIn) -> ProviderUnderTest:
    return ProviderUnderTest(
        Settings(
            url=one.url,
            realm="workspace",
            admin_username="admin",
            admin_password=Secret(f"{CANARY}-admin"),
            client_id=MANAGER,
            client_secret=Secret(SECRETS["vault/client"]),
        )
    )


@pytest.fixture(scope="module")
def provider(stand_in: IdentityProviderStandIn) -> ProviderUnderTest:
    made = make_provider(stand_in)
    made.set_up()
    return made


class TestStandIn(UserLife, RealmLife, GroupLife, MemberLife):
    """A realm that was set up."""


class TestSessions(SessionLife):
    """The same realm."""


@pytest.fixture(scope="module")
def neglected() -> Iterator[ProviderUnderTest]:
    one = IdentityProviderStandIn(
        admin_password=f"{CANARY}-admin", declared_attributes=(), realm_settings=REALM
    )
    with running(one):
        made = make_provider(one)
        made.set_up()
        yield made


class TestChecks(CheckLife):
    """A realm that goes from bad to worse."""


@pytest.fixture
def new_provider() -> Iterator[ProviderUnderTest]:
    one = IdentityProviderStandIn(
        admin_password=f"{CANARY}-admin", declared_attributes=(), realm_settings=REALM
    )
    with running(one):
        yield make_provider(one)


class TestRealmMembers(RealmMemberLife):
    """The realm that was set up, and realms nobody touched yet."""


FAULTS: list[tuple[dict[str, Any], type[ConnectorError]]] = [
    ({"fault": "status", "status": 503}, Unavailable),
    ({"fault": "status", "status": 500}, Unavailable),
    ({"fault": "status", "status": 429, "retry_after": "77"}, Unavailable),
    ({"fault": "status", "status": 401, "times": 2}, Denied),
    ({"fault": "status", "status": 403}, Denied),
    ({"fault": "status", "status": 404}, Invalid),
    ({"fault": "reset"}, Unavailable),
    ({"fault": "truncated"}, Unavailable),
    ({"fault": "garbage"}, Invalid),
    ({"fault": "html"}, Invalid),
    ({"fault": "redirect"}, Invalid),
]


@pytest.fixture
def faults(stand_in: IdentityProviderStandIn) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stand_in.control_url) as control:
        yield control
        control.delete("/faults")


@pytest.mark.parametrize(("fault", "error"), FAULTS)
@pytest.mark.parametrize("verb", ["plan", "apply", "remove", "verify"])
@pytest.mark.one_in(3)
def test_a_fault_is_never_a_success(
    provider: ProviderUnderTest,
    faults: httpx.Client,
    name: str,
    fault: dict[str, Any],
    error: type[ConnectorError],
    verb: str,
) -> None:
    users = provider.system.connectors[USER]
    sub = provider.make(name)
    gone = users.plan(user_target(sub, name), None)
    fence = users.plan(user_target(sub, name), FENCE)
    calls: dict[str, Callable[[], object]] = {
        "plan": lambda: users.plan(gone.target, None),
        "apply": lambda: users.apply(fence),
        "remove": lambda: users.remove(gone),
        "verify": lambda: users.verify(gone),
    }
    wrong = {**fault, "path": f"/users/{sub}"}
    if verb == "apply":
        wrong["method"] = "PUT"
    if verb == "remove":
        wrong["method"] = "DELETE"
    assert faults.post("/faults", json=wrong).status_code == 201
    with pytest.raises(ConnectorError) as caught:
        calls[verb]()
    assert type(caught.value) is error
    assert caught.value.advice
    assert CANARY not in f"{caught.value!r} {caught.value} {caught.value.advice}"
    if "retry_after" in fault:
        assert caught.value.retry_after == 77
    faults.delete("/faults")
    calls[verb]()


def test_a_create_that_happened_and_timed_out_is_adopted(
    provider: ProviderUnderTest, faults: httpx.Client, name: str
) -> None:
    users = provider.system.connectors[USER]
    fault = {"method": "POST", "path": "/users$", "fault": "timeout_after_effect", "seconds": 0}
    faults.post("/faults", json=fault)
    with pytest.raises(Unavailable):
        users.apply(creation(name, "mark"))
    outcome = users.apply(creation(name, "mark"))
    assert outcome.result is Result.ALREADY
    assert outcome.facts["sub"]
    assert provider.sign_in(name)["status"] == 200


@pytest.mark.parametrize("method", ["PUT", "POST"])
def test_a_fence_cut_off_half_way_is_finished(
    provider: ProviderUnderTest, faults: httpx.Client, name: str, method: str
) -> None:
    users = provider.system.connectors[USER]
    sub = provider.make(name)
    provider.sign_in(name)
    fence = users.plan(user_target(sub, name), FENCE)
    fault = {"method": method, "path": sub, "fault": "timeout_after_effect", "seconds": 0}
    faults.post("/faults", json=fault)
    with pytest.raises(Unavailable):
        users.apply(fence)
    users.apply(fence)
    assert users.verify(fence)


def test_a_delete_that_happened_and_timed_out_is_calm(
    provider: ProviderUnderTest, faults: httpx.Client, name: str
) -> None:
    users = provider.system.connectors[USER]
    gone = users.plan(user_target(provider.make(name), name), None)
    fault = {"method": "DELETE", "path": "/users/", "fault": "timeout_after_effect", "seconds": 0}
    faults.post("/faults", json=fault)
    with pytest.raises(Unavailable):
        users.remove(gone)
    assert users.remove(gone).result is Result.ALREADY
    assert users.verify(gone)


def test_a_write_that_happened_and_timed_out_is_not_repeated(
    provider: ProviderUnderTest, faults: httpx.Client, name: str
) -> None:
    attributes = provider.system.connectors[ATTRIBUTES]
    target = attributes_target(provider.make(name), name)
    change = Change(
        kind=ATTRIBUTES,
        subject="",
        target=target,
        after={"sql_password": "set"},
        secrets={"sql_password": "vault/sql"},
    )
    fault = {"method": "PUT", "path": "/users/", "fault": "timeout_after_effect", "seconds": 0}
    faults.post("/faults", json=fault)
    with pytest.raises(Unavailable):
        attributes.apply(change)
    assert attributes.apply(change).result is Result.ALREADY


def test_a_plan_and_a_check_write_nothing(
    provider: ProviderUnderTest, faults: httpx.Client, name: str
) -> None:
    sub = provider.make(name)
    since = faults.get("/calls").json()["next"]
    system = provider.system
    wishes: list[Facts | None] = [None, FENCE, {"enabled": True}]
    for want in wishes:
        system.connectors[USER].plan(user_target(sub, name), want)
    system.connectors[ATTRIBUTES].plan(attributes_target(sub, name), {"sql_password": "set"})
    system.realm_changes()
    system.check()
    system.prove_rights()
    calls = faults.get("/calls", params={"since": since}).json()["items"]
    assert calls
    assert not [call for call in calls if call["effect"]]


def test_a_refused_administrator_is_not_tried_again(
    provider: ProviderUnderTest, faults: httpx.Client
) -> None:
    since = faults.get("/calls").json()["next"]
    RealmLife().test_a_wrong_password_is_denied(provider)
    calls = faults.get("/calls", params={"since": since}).json()["items"]
    grants = [call for call in calls if call["path"].endswith("/token")]
    assert len(grants) == 1


def test_a_check_of_a_dead_provider_is_a_finding(
    provider: ProviderUnderTest, faults: httpx.Client
) -> None:
    faults.post("/faults", json={"path": ".", "fault": "reset", "times": 99})
    (only,) = provider.system.check()
    assert (only.name, only.severity) == ("reachable", Severity.FAILING)
