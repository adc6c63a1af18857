"""People of a directory, whom the identity provider imports: what a removal of them holds against
the directory, which brings back whoever is deleted.
"""

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.fake_world.people import make_person, settle_in
from tests.fake_world.world import World
from tests.real.test_keycloak import fresh
from tests.systems.identity_provider.provider_under_test import (
    CANARY,
    FENCE,
    USER,
    ProviderUnderTest,
    name,
)
from workspace_manager.contract.connector import Change, Finding, Result, Severity
from workspace_manager.contract.errors import Invalid
from workspace_manager.engine.run import run
from workspace_manager.engine.view import PlanView
from workspace_manager.inbox import waiting_items
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.records.models import Person, Plan
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.systems.identity_provider.names import user_target
from workspace_sandbox.real import keycloak, openldap

__all__ = ["name"]

pytestmark = pytest.mark.real

DIRECTORY = "institute"
LOGIN = "filesvc_login_name"
EVERYTHING = "openid offline_access"


def federation(directory: openldap.Address, realm_id: str) -> dict[str, Any]:
    config = {
        "enabled": "true",
        "editMode": "READ_ONLY",
        "importEnabled": "true",
        "vendor": "other",
        "usernameLDAPAttribute": "uid",
        "rdnLDAPAttribute": "uid",
        "uuidLDAPAttribute": "entryUUID",
        "userObjectClasses": "inetOrgPerson",
        "connectionUrl": directory.url,
        "usersDn": openldap.PEOPLE,
        "authType": "simple",
        "bindDn": directory.admin,
        "bindCredential": directory.password.reveal(),
        "searchScope": "1",
        "pagination": "false",
        # Each look-up is one in the directory.
        "cachePolicy": "NO_CACHE",
    }
    return {
        "name": DIRECTORY,
        "providerId": "ldap",
        "providerType": "org.keycloak.storage.UserStorageProvider",
        "parentId": realm_id,
        "config": {key: [value] for key, value in config.items()},
    }


@pytest.fixture(scope="module")
def provider(
    real_keycloak: keycloak.Keycloak, real_openldap: openldap.OpenLDAP
) -> Iterator[ProviderUnderTest]:
    """A realm whose people come from a directory: read only, and imported."""
    realm = f"federated-{uuid.uuid4().hex[:8]}"
    made = fresh(real_keycloak, realm)
    made.set_up()
    assert real_openldap.address
    with made.admin() as admin:
        body = federation(real_openldap.address, admin.get("").json()["id"])
        assert admin.post("/components", json=body).status_code == 201
    yield made
    real_keycloak.delete_realm(realm)


@pytest.fixture
def ada(provider: ProviderUnderTest, real_openldap: openldap.OpenLDAP, name: str) -> str:
    """Somebody of the directory; gives the name, whose password is the canary."""
    real_openldap.add(name, CANARY)
    return name


def by_name(provider: ProviderUnderTest, name: str) -> dict[str, Any]:
    """As the next look-up by name finds it, which asks the directory."""
    with provider.admin() as admin:
        (found,) = admin.get("/users", params={"username": name, "exact": "true"}).json()
    return dict(found)


def removal(provider: ProviderUnderTest, sub: str, name: str) -> Change:
    """The deletion as a look has shown it."""
    return provider.system.connectors[USER].plan(user_target(sub, name), None)


def test_who_was_removed_stays_out_when_the_directory_is_asked_again(
    provider: ProviderUnderTest, ada: str
) -> None:
    session = provider.sign_in(ada, scope=EVERYTHING)
    assert session["status"] == 200
    sub = by_name(provider, ada)["id"]
    users = provider.system.connectors[USER]
    change = removal(provider, sub, ada)

    outcome = users.remove(change)

    assert outcome.result is Result.CHANGED
    assert [one.code.rpartition(".")[2] for one in outcome.by_hand] == ["end_in_directory"]
    found = by_name(provider, ada)
    assert (found["id"], found["enabled"]) == (sub, False)
    assert provider.sign_in(ada)["status"] == 400
    refreshed = provider.token(
        grant_type="refresh_token", client_id="probe", refresh_token=session["refresh_token"]
    )
    assert refreshed["status"] == 400
    evidence = users.verify(change)
    assert evidence
    assert "not deleted" in evidence.text
    with provider.admin() as admin:
        assert admin.get(f"/users/{sub}/consents").json() == []
        assert admin.get(f"/users/{sub}/sessions").json() == []


def test_again_is_already_and_still_left_to_a_person(provider: ProviderUnderTest, ada: str) -> None:
    sub = by_name(provider, ada)["id"]
    users = provider.system.connectors[USER]
    users.remove(removal(provider, sub, ada))
    outcome = users.remove(removal(provider, sub, ada))
    assert outcome.result is Result.ALREADY
    assert outcome.by_hand


def test_a_look_before_says_which_directory_the_person_is_of(
    provider: ProviderUnderTest, ada: str
) -> None:
    change = removal(provider, by_name(provider, ada)["id"], ada)
    assert isinstance(change.before, dict)
    assert change.before["directory"] == DIRECTORY
    assert change.target["entry"]


def test_the_same_entry_under_another_id_is_shut(provider: ProviderUnderTest, ada: str) -> None:
    """Somebody deleted the user there, and the directory imported it again."""
    users = provider.system.connectors[USER]
    sub = by_name(provider, ada)["id"]
    change = removal(provider, sub, ada)
    with provider.admin() as admin:
        assert admin.delete(f"/users/{sub}").status_code == 204
    assert provider.sign_in(ada)["status"] == 200
    assert by_name(provider, ada)["id"] != sub

    assert users.verify(change) is None, "it stands open"
    outcome = users.remove(change)

    assert outcome.result is Result.CHANGED
    assert provider.sign_in(ada)["status"] == 400
    assert users.verify(change)
    late = change.model_copy(update={"after": FENCE})
    assert users.verify(late), "as the late look asks"


def test_another_entry_of_the_name_is_shown_and_left(
    provider: ProviderUnderTest, ada: str, real_openldap: openldap.OpenLDAP
) -> None:
    """The name went to somebody else in the directory."""
    users = provider.system.connectors[USER]
    sub = by_name(provider, ada)["id"]
    change = removal(provider, sub, ada)
    with provider.admin() as admin:
        assert admin.delete(f"/users/{sub}").status_code == 204
    real_openldap.delete(ada)
    real_openldap.add(ada, CANARY)

    outcome = users.remove(change)

    assert outcome.result is Result.ALREADY
    assert [one.code.rpartition(".")[2] for one in outcome.by_hand] == ["same_name_in_directory"]
    assert provider.sign_in(ada)["status"] == 200
    evidence = users.verify(change)
    assert evidence
    assert by_name(provider, ada)["id"] in evidence.text


def test_who_is_known_by_name_alone_is_shown_and_left(
    provider: ProviderUnderTest, ada: str
) -> None:
    """Nothing was seen of the entry before the user was deleted there."""
    users = provider.system.connectors[USER]
    gone = str(uuid.uuid4())
    change = removal(provider, gone, ada)
    outcome = users.remove(change)
    assert [one.code.rpartition(".")[2] for one in outcome.by_hand] == ["same_name_in_directory"]
    assert provider.sign_in(ada)["status"] == 200


def test_a_user_of_ours_who_hid_an_entry_is_deleted_and_the_entry_is_shown(
    provider: ProviderUnderTest, real_openldap: openldap.OpenLDAP, name: str
) -> None:
    users = provider.system.connectors[USER]
    sub = provider.make(name)
    real_openldap.add(name, CANARY, mail=f"other-{name}@example.org")
    outcome = users.remove(removal(provider, sub, name))
    assert outcome.result is Result.CHANGED
    assert [one.code.rpartition(".")[2] for one in outcome.by_hand] == ["same_name_in_directory"]
    assert by_name(provider, name)["id"] != sub


def test_a_suspension_holds_and_ends(provider: ProviderUnderTest, ada: str) -> None:
    users = provider.system.connectors[USER]
    target = user_target(by_name(provider, ada)["id"], ada)
    shut = users.plan(target, FENCE)
    assert users.apply(shut).result is Result.CHANGED
    assert users.verify(shut)
    assert provider.sign_in(ada)["status"] == 400
    opened = users.plan(target, {"enabled": True})
    assert users.apply(opened).result is Result.CHANGED
    assert provider.sign_in(ada)["status"] == 200


def test_what_is_stored_of_a_person_can_be_cleared_where_nothing_can_be_written(
    provider: ProviderUnderTest, ada: str
) -> None:
    """The directory is read only, and so is each attribute of its people."""
    attributes = provider.system.connectors["identity_provider.attributes"]
    change = attributes.plan(user_target(by_name(provider, ada)["id"], ada), {LOGIN: None})
    attributes.apply(change)
    assert attributes.verify(change)


def edit_mode(provider: ProviderUnderTest, mode: str) -> None:
    """As an administrator sets it on the page of the directory."""
    with provider.admin() as admin:
        (found,) = admin.get("/components", params={"name": DIRECTORY}).json()
        found["config"]["editMode"] = [mode]
        assert admin.put(f"/components/{found['id']}", json=found).status_code == 204


def complained(provider: ProviderUnderTest) -> list[Finding]:
    return [
        one
        for one in provider.system.check()
        if one.severity is not Severity.OK and DIRECTORY in one.text
    ]


def test_what_a_person_needs_cannot_be_stored_in_a_read_only_directory_and_the_remedy_helps(
    provider: ProviderUnderTest, ada: str
) -> None:
    """Said by the check, and where it fails, with what mends it."""
    attributes = provider.system.connectors["identity_provider.attributes"]
    change = attributes.plan(user_target(by_name(provider, ada)["id"], ada), {LOGIN: "ada"})

    (found,) = complained(provider)
    with pytest.raises(Invalid) as refused:
        attributes.apply(change)

    assert found.severity is Severity.FAILING
    assert found.message
    assert found.message.code == "identity_provider.directory_keeps_nothing"
    assert "UNSYNCED" in found.remedy
    assert DIRECTORY in refused.value.detail
    assert "UNSYNCED" in refused.value.advice
    edit_mode(provider, "UNSYNCED")
    try:
        assert complained(provider) == []
        assert attributes.apply(change).result is Result.CHANGED
        assert attributes.verify(change)
    finally:
        edit_mode(provider, "READ_ONLY")


# --- the whole removal ----------------------------------------------------------------------------


class Institute(World):
    """Everything but the users, who are those of the realm."""

    def __init__(self, provider: ProviderUnderTest) -> None:
        super().__init__()
        self.provider = provider

    def connector(self, kind: str) -> Any:
        return self.provider.system.connectors[USER] if kind == USER else super().connector(kind)


def drafted(world: Institute, name: str, sub: str) -> Plan:
    make_person("root-admin", sub="admin-sub", role="administrator")
    settle_in(make_person(name, sub=sub), sub, world)
    plan = draft_removal(name, actor="root-admin", systems=world.systems())
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    return plan


def carried_out(world: Institute, plan: Plan) -> PlanView:
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    for _ in range(3):
        run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE, [(one.name, one.reason) for one in view_plan(plan).steps]
    return view_plan(plan)


def looked_late(world: Institute, plan: Plan, number: int = 1) -> PlanView:
    """The time of a late look has come."""
    recheck = plan.rechecks.order_by("due_at")[number - 1]
    plan.rechecks.filter(id=recheck.id).update(due_at=timezone.now() - timedelta(seconds=1))
    run(recheck.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    return view_plan(plan)


@pytest.mark.django_db(transaction=True)
def test_the_preview_says_it_the_end_proves_it_and_the_late_look_sees_who_came_back(
    provider: ProviderUnderTest, ada: str
) -> None:
    world = Institute(provider)
    plan = drafted(world, ada, by_name(provider, ada)["id"])
    said = [text for text in view_plan(plan).by_hand if DIRECTORY in text]
    assert len(said) == 1, "before anybody approves it"
    assert "not deleted" in said[0]

    done = carried_out(world, plan)

    assert provider.sign_in(ada)["status"] == 400
    (step,) = (one for one in done.steps if one.name == "remove_identity")
    assert step.state == "by_hand"
    assert any("not deleted" in piece.text for piece in step.evidence)
    assert [text for text in done.by_hand if DIRECTORY in text] == said, "once, as before"
    states = {one.credential: one.state for one in done.end_of_access}
    assert {states["password"], states["identity_session"]} == {"ended"}
    root = Person.objects.get(username="root-admin")
    (item,) = waiting_items.list_items(root, timezone.now(), kinds=("left_by_hand",)).items
    assert item.since == plan.finished_at
    assert DIRECTORY in str(item.why)

    with provider.admin() as admin:
        user = by_name(provider, ada)
        admin.put(f"/users/{user['id']}", json={"enabled": True})
    assert provider.sign_in(ada)["status"] == 200
    late = looked_late(world, plan)
    assert late.late_look.state == "removed"
    assert provider.sign_in(ada)["status"] == 400


@pytest.mark.django_db(transaction=True)
def test_the_late_look_finds_it_still_shut(provider: ProviderUnderTest, ada: str) -> None:
    world = Institute(provider)
    plan = drafted(world, ada, by_name(provider, ada)["id"])
    carried_out(world, plan)
    late = looked_late(world, plan)
    assert late.late_look.state == "clean"
    assert "disabled, and no session is open" in late.late_look.text


@pytest.mark.django_db(transaction=True)
def test_the_late_look_shuts_the_same_entry_and_not_who_was_approved_since(
    provider: ProviderUnderTest, ada: str, settings: Any
) -> None:
    """Somebody deleted the imported user, against what the plan says; the directory brought it
    back.
    """
    settings.RECHECK_AGAIN_HOURS = (1,)
    world = Institute(provider)
    plan = drafted(world, ada, by_name(provider, ada)["id"])
    carried_out(world, plan)
    with provider.admin() as admin:
        admin.delete(f"/users/{by_name(provider, ada)['id']}")
    assert provider.sign_in(ada)["status"] == 200
    back = make_person(ada, sub=by_name(provider, ada)["id"])

    assert looked_late(world, plan, 1).late_look.state == "clean"
    assert provider.sign_in(ada)["status"] == 200, "approved here since: somebody else's"

    back.delete()
    assert any(ada in text or "again" in text for text in looked_late(world, plan, 2).findings)
    assert provider.sign_in(ada)["status"] == 400
