"""A difference ends only where its own thing was looked for and seen without it."""

import contextlib
from typing import Any

import pytest

from tests.fake_world.people import make_person
from tests.fake_world.world import FakeConnector
from tests.reconcile.fakes import Walks
from tests.systems.identity_provider.provider_under_test import ProviderUnderTest as Realm
from workspace_manager.contract.errors import Invalid, NotFound
from workspace_manager.contract.inventory import Page
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.reconcile import confirm_missing, walk
from workspace_manager.records.models import Account, Component, ReconcileItem, ReconcileRun
from workspace_manager.systems import registry
from workspace_manager.systems.identity_provider import inventory as realm_inventory
from workspace_manager.systems.identity_provider.client.users import UserClient
from workspace_manager.systems.identity_provider.settings import Settings as RealmSettings
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

pytestmark = pytest.mark.django_db
USER = "sql_server.user"
COUNTED_OFF = frozenset({USER})
NAMES = ("a1", "a2", "a3", "a4", "a5")


def not_looked_at(run: ReconcileRun) -> int:
    count: int = run.parts.get(system="sql_server").not_looked_at
    return count


def recorded(*names: str) -> None:
    for name in names:
        Account.objects.create(
            system="sql_server", kind=USER, name=name, username=name, person=make_person(name),
            made_by_us=True,
        )  # fmt: skip


def there(walks: Walks, *names: str) -> None:
    """Shown by a look, and by no page."""
    for name in names:
        walks.world.things[f"{USER}:{name}"] = {"exists": True}


def test_what_pages_may_leave_out_lasts_until_a_look_shows_that_it_is_gone(walks: Walks) -> None:
    walks.holding.unsure = COUNTED_OFF
    walks.holding.put(USER, "carl")
    walks.run()
    walks.holding.take("carl")
    there(walks, "carl")

    shown_by_no_page = walks.run()

    assert walks.found() == [("unknown_account", "carl")]
    assert not_looked_at(shown_by_no_page) == 0
    walks.world.things.clear()
    walks.run()
    assert walks.found() == []


def test_what_a_sure_list_does_not_have_is_over_without_a_look(walks: Walks) -> None:
    walks.holding.put(USER, "carl")
    walks.run()
    walks.holding.take("carl")
    there(walks, "carl")
    walks.run()
    assert walks.found() == []


def test_what_one_run_cannot_look_at_lasts_and_is_first_in_the_next(
    walks: Walks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confirm_missing, "MOST", 2)
    walks.holding.unsure = COUNTED_OFF
    for name in NAMES:
        walks.holding.put(USER, name)
    walks.run()
    walks.holding.take(*NAMES)
    there(walks, "a1", "a2")

    runs = [walks.run() for _ in range(3)]

    # a1 and a2 are there: others have their turn before they are looked at again.
    assert [not_looked_at(run) for run in runs] == [3, 3, 1]
    assert walks.found() == [("unknown_account", "a1"), ("unknown_account", "a2")]


def test_what_is_missing_is_looked_at_in_turn(
    walks: Walks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confirm_missing, "MOST", 2)
    recorded(*NAMES)
    walks.run()
    assert len(walks.found()) == len(NAMES)  # of a sure list
    there(walks, "a5")

    for _ in range(3):
        walks.run()

    assert walks.found() == [("missing", name) for name in NAMES[:-1]]
    assert not ReconcileItem.objects.filter(looked_at=None).exists()


def test_nothing_new_is_missing_that_pages_may_leave_out_and_nobody_looked_for(
    walks: Walks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confirm_missing, "MOST", 2)
    walks.holding.unsure = COUNTED_OFF
    recorded(*NAMES)

    run = walks.run()

    assert walks.found() == [("missing", "a1"), ("missing", "a2")]
    assert not_looked_at(run) == 3


def test_an_odd_entry_ends_nothing_of_its_kind(walks: Walks) -> None:
    """The odd one may be any of those that no page shows."""
    for name in ("anna", "bert", "carl"):
        walks.holding.put(USER, name)
    walks.run()
    walks.holding.take("anna", "bert", "carl")
    kept = quote_words("of another shape")
    walks.holding.put(USER, "anna", kept=kept, unread=True)
    walks.holding.put(USER, "#7", kept=kept, unread=True)
    there(walks, "anna", "bert")

    walks.run()

    # A look showed that carl is gone.
    assert walks.found() == [("unknown_account", "anna"), ("unknown_account", "bert")]


def test_rights_of_which_not_all_were_read_are_not_compared(walks: Walks) -> None:
    database = "sql_server.database"
    owner = make_person("anna")
    Component.objects.create(
        owner=owner, kind="sql_database", label="Db", name="ws_db_1", state="ready"
    )
    for held in ({"holders": ("carl",)}, {"holders_unread": True}):
        walks.holding.take("ws_db_1")
        walks.holding.put(database, "ws_db_1", **held)
        walks.holding.unsure = frozenset({database} if "holders_unread" in held else ())
        walks.world.things[f"{database}:ws_db_1"] = {"exists": True}
        walks.run()
        assert walks.found() == [("holder_not_shared", "ws_db_1")]


def test_a_look_that_nobody_understands_is_of_one_thing_alone(
    walks: Walks, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks.holding.unsure = COUNTED_OFF
    for name in ("anna", "bert"):
        walks.holding.put(USER, name)
    walks.run()
    walks.holding.take("anna", "bert")
    look = FakeConnector.verify

    def odd(self: FakeConnector, change: Any) -> Any:
        if change.target == {"name": "anna"}:
            raise Invalid(quote_words("of another shape"), kind=USER, doing=quote_words("looking"))
        return look(self, change)

    monkeypatch.setattr(FakeConnector, "verify", odd)

    run = walks.run()

    assert run.parts.get(system="sql_server").state == "done"
    assert walks.found() == [("unknown_account", "anna")]
    assert not_looked_at(run) == 1


def test_who_moved_off_the_pages_is_still_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The realm counts its pages off: whoever is deleted while they are read moves the rest up."""
    names = ("anna", "bert", "carl", "dora")
    realm = IdentityProviderStandIn(
        admin_password="realm-admin", users=[{"username": name} for name in names]
    )
    with running(realm):
        settings = RealmSettings(
            url=realm.url,
            realm="workspace",
            admin_username="admin",
            admin_password=Secret("realm-admin"),
        )
        system = Realm(settings).system
        unset = {name: spec.settings() for name, spec in registry().specs.items()}
        systems = ConnectedSystems(
            by_name={"identity_provider": system},
            settings={**unset, "identity_provider": settings},
        )
        monkeypatch.setattr(realm_inventory, "USERS", 2)
        assert _users_of_nobody(systems) == list(names)
        anna = ReconcileItem.objects.get(login_name="anna")
        read = realm_inventory._users

        def deleted_meanwhile(listing: Any, first: int) -> Page:
            if first:
                with contextlib.suppress(NotFound):
                    UserClient(listing.wire).delete_user(anna.sub)
            return read(listing, first)

        monkeypatch.setattr(realm_inventory, "_users", deleted_meanwhile)

        assert _users_of_nobody(systems) == list(names)
        # Now carl is on a page again, and a look shows that anna is gone.
        assert _users_of_nobody(systems) == list(names[1:])


def _users_of_nobody(systems: ConnectedSystems) -> list[str]:
    run = walk.begin("ada")
    walk.go_on(run, systems)
    assert run.parts.get(system="identity_provider").state == "done"
    rows = ReconcileItem.objects.filter(ended_at=None, difference="unknown_account")
    return sorted(row.login_name for row in rows)
