"""A workspace that two thousand people live in is taken over: seeded in the stand-ins past our
connectors, found by a walk, confirmed at once. Namesakes, services and other spellings are given to
nobody.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount

from tests.fake_world.people import make_person
from tests.systems.drive.conftest import ADMIN_APP_PASSWORD, DRIVE_CLIENT, Issuer, wants
from tests.systems.identity_provider.provider_under_test import ProviderUnderTest as Realm
from tests.systems.sql_server.conftest import reach_server
from tests.systems.triplestore.conftest import ADMIN_PASSWORD as TRIPLESTORE_PASSWORD
from tests.systems.triplestore.conftest import connected as triplestore_at
from tests.systems.whole_inventory import everything
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.lists import ListQuery
from workspace_manager.reconcile import take_over, walk
from workspace_manager.reconcile.proposals import digest
from workspace_manager.records.models import Account, Person, Project, ReconcileItem
from workspace_manager.systems import identity_provider, registry
from workspace_manager.systems.drive.connector import connect as drive_at
from workspace_manager.systems.drive.settings import Settings as DriveSettings
from workspace_manager.systems.identity_provider.settings import Settings as RealmSettings
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn
from workspace_sandbox.stand_ins.drive.accounts import new_account
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn
from workspace_sandbox.stand_ins.triplestore import accounts as triplestore_accounts

pytestmark = [pytest.mark.django_db, pytest.mark.everything]
MANY = 2000
NAMES = [f"person{n:04}" for n in range(MANY)]
UNCONFIRMED, SPELT, NAMESAKE = NAMES[0], NAMES[1], NAMES[2]


def user(name: str, **more: Any) -> dict[str, Any]:
    return {
        "username": name,
        "email": f"{name}@example.org",
        "emailVerified": True,
        "firstName": "Some",
        "lastName": name.title(),
        **more,
    }


def no_secret(_reference: str) -> Secret:
    raise NotFound(quote_words("no such secret"), kind="vault", doing=quote_words("reading"))


@pytest.fixture
def systems() -> Iterator[ConnectedSystems]:
    """Four systems with everybody in them, of whom the manager knows nobody."""
    people = [user(name, emailVerified=name != UNCONFIRMED) for name in NAMES]
    realm = IdentityProviderStandIn(
        admin_password="realm-admin", users=[*people, user("wm_report"), user("eve.one")]
    )
    issuer, triplestore = Issuer(), TriplestoreStandIn(admin_password=TRIPLESTORE_PASSWORD)
    sql = SqlServerStandIn()
    with running(realm), running(issuer), running(triplestore), running(sql):
        drive = DriveStandIn(
            issuer_url=issuer.address,
            client_id=DRIVE_CLIENT,
            client_secret="client-secret",
            admin_app_password=ADMIN_APP_PASSWORD,
        )
        with running(drive):
            settings = RealmSettings(
                url=realm.url,
                realm="workspace",
                admin_username="admin",
                admin_password=Secret("realm-admin"),
            )
            provider = Realm(settings)
            found = everything(identity_provider.SYSTEM, provider.system)
            subs = {one.username: one.sub for one in found.values() if one.sub}
            for name in NAMES:
                uid = subs[name]
                drive.state["accounts"][uid] = new_account(uid, "user_oidc", email=f"{name}@x.org")
            _seed_by_name(sql, triplestore)
            at_drive = DriveSettings(
                base_url=drive.url,
                admin_username="admin",
                admin_password=Secret(ADMIN_APP_PASSWORD),
            )
            ready: dict[str, Any] = {
                "identity_provider": provider.system,
                "drive": drive_at(at_drive, no_secret, None, wants(issuer.address)),
                "sql_server": reach_server(sql).system(),
                "triplestore": triplestore_at(triplestore),
            }
            unset = {name: spec.settings() for name, spec in registry().specs.items()}
            known = {
                "identity_provider": settings,
                "drive": at_drive,
                "sql_server": reach_server(sql).settings,
            }
            yield ConnectedSystems(by_name=ready, settings={**unset, **known})


def _seed_by_name(sql: SqlServerStandIn, triplestore: TriplestoreStandIn) -> None:
    """Accounts that are known by a name alone: one written otherwise, one that only looks right."""
    written = [SPELT.upper() if name == SPELT else name for name in NAMES]
    for name in [*written, "backup_job"]:
        sql.state["users"].append({"user": name, "host": "%", "hash": "", "locked": False})
    for name in [*written, "wm_machine"]:
        triplestore.state["users"][name] = triplestore_accounts.new_account()


def test_two_thousand_people_are_taken_over(systems: ConnectedSystems) -> None:
    make_person("ada", sub="sub-of-ada", role="administrator")
    # Somebody is here by that name already, as another user of the identity provider.
    namesake = make_person(NAMESAKE, sub="sub-of-another")
    Person.objects.filter(id=namesake.id).update(email_confirmed=False)
    run = walk.begin("ada")
    walk.go_on(run, systems)
    run.refresh_from_db()
    shown = take_over.shown_of(run, systems, ListQuery())
    by_account = {(one.item.kind, one.item.name): one for one in shown}
    assert by_account["triplestore.user", "wm_machine"].username == ""
    row = take_over.confirm(
        run,
        digest_shown=digest(shown),
        asked=ListQuery(),
        chosen=None,
        actor="ada",
        systems=systems,
    )
    take_over.go_on_with_all(systems)
    row.refresh_from_db()
    assert take_over.results(row)["refused"] == 0
    taken = Person.objects.filter(username__in=NAMES)
    assert taken.count() == MANY  # the namesake was here before
    link = SocialAccount.objects.get(user__username=NAMESAKE)
    assert link.uid == "sub-of-another"
    _owned(systems)
    refused = {one.item.login_name or one.item.name for one in shown if not one.username}
    assert {SPELT.upper(), "backup_job", UNCONFIRMED} <= refused
    assert not Person.objects.filter(username="wm_report").exists()
    again = walk.begin("ada")
    walk.go_on(again, systems)
    left = ReconcileItem.objects.filter(ended_at=None, difference="unknown_account")
    assert left.count() < 12, list(left.values_list("kind", "name"))
    undone = take_over.undo(row.id, actor="ada")
    assert undone.kept == ()
    assert set(Person.objects.values_list("username", flat=True)) == {"ada", NAMESAKE}
    assert not Project.objects.exists()


def _owned(systems: ConnectedSystems) -> None:
    """Every account is with its own person, and those that could be another's are with nobody."""
    found = everything(identity_provider.SYSTEM, systems.by_name["identity_provider"])
    subs = {one.sub: one.username for one in found.values() if one.sub}
    drive = Account.objects.filter(kind="drive.account").values_list("name", "person__username")
    assert {subs[name]: owner for name, owner in drive} == {
        name: name for name in NAMES if name != NAMESAKE
    }
    for kind in ("sql_server.user", "triplestore.user"):
        rows = Account.objects.filter(kind=kind).values_list("name", "person__username")
        expected = {n: n for n in NAMES if n not in {UNCONFIRMED, SPELT, NAMESAKE}}
        assert dict(rows) == expected, kind
