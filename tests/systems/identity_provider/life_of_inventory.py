"""Cases of the realm's inventory, at a real provider and at its stand-in (`class
Test…(InventoryLife)`).
"""

from dataclasses import replace

import pytest

from tests.systems.identity_provider.life_of_groups import CLIENT, GROUP, client, group
from tests.systems.identity_provider.provider_under_test import USER, ProviderUnderTest, resolve
from tests.systems.identity_provider.provider_under_test import service_account as robot
from tests.systems.whole_inventory import everything
from workspace_manager.contract.errors import Denied
from workspace_manager.systems.identity_provider import SYSTEM, inventory
from workspace_manager.systems.identity_provider.connector import connect
from workspace_manager.systems.identity_provider.names import stack_groups, user_target


class InventoryLife:
    """Tests that every identity provider passes once its realm is set up."""

    def test_whoever_was_made_is_listed_until_removed(
        self, provider: ProviderUnderTest, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(inventory, "USERS", 2)
        subs = [provider.make(f"{name}-{n}") for n in range(5)]
        with provider.admin() as hands:
            bare = {"username": f"{name}-bare", "enabled": False, "email": f"{name}@x.example"}
            bare["firstName"] = "Ada"
            address = hands.post("/users", json=bare).headers["location"]
        pages: list[int] = []
        found = everything(SYSTEM, provider.system, pages)
        assert max(pages[:3]) == 2
        ours = [found[USER, sub] for sub in subs]
        assert {one.username for one in ours} == {f"{name}-{n}" for n in range(5)}
        assert all(one.ours and one.open and one.email_confirmed for one in ours)
        assert ours[0].email == f"{name}-0@example.org"
        assert ours[0].full_name == "Ada Example"
        assert ours[0].target == user_target(subs[0], f"{name}-0")
        theirs = found[USER, address.rpartition("/")[2]]
        assert (theirs.ours, theirs.open, theirs.email_confirmed) == (False, False, False)
        assert theirs.full_name == "Ada"
        assert theirs.kept is None

        users = provider.system.connectors[USER]
        users.remove(users.plan(user_target(subs[0], f"{name}-0"), None))
        left = everything(SYSTEM, provider.system)
        assert (USER, subs[0]) not in left
        assert (USER, subs[1]) in left

    def test_an_own_name_is_kept(self, provider: ProviderUnderTest, name: str) -> None:
        with provider.admin() as hands:
            hands.post("/users", json={"username": "administrator", "enabled": True})
        found = everything(SYSTEM, provider.system).values()
        (only,) = [one for one in found if one.username == "administrator"]
        assert only.kept
        assert not only.ours

    def test_whoever_administers_the_realm_is_kept(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        with provider.admin() as hands:
            hands.post("/users", json={"username": f"{name}-boss", "enabled": True})
            (boss,) = hands.get("/users", params={"username": f"{name}-boss"}).json()
            (client,) = hands.get("/clients", params={"clientId": "realm-management"}).json()
            roles = hands.get(f"/clients/{client['id']}/roles").json()
            chosen = [role for role in roles if role["name"] == "manage-users"]
            held = f"/users/{boss['id']}/role-mappings/clients/{client['id']}"
            hands.post(held, json=chosen)
        plain = provider.make(f"{name}-plain")
        found = everything(SYSTEM, provider.system)
        assert found[USER, boss["id"]].kept
        assert found[USER, plain].kept is None

    def test_groups_and_clients_are_ours_by_their_mark(
        self, provider: ProviderUnderTest, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(inventory, "GROUPS", 1)
        monkeypatch.setattr(inventory, "CLIENTS", 2)
        groups, clients = provider.system.connectors[GROUP], provider.system.connectors[CLIENT]
        admin, user = stack_groups(name)
        people = sorted(provider.make(f"{name}-{n}") for n in range(2))
        assert groups.apply(made := group(provider, admin, people)).result
        clients.apply(client(provider, name))
        with provider.admin() as hands:
            hands.post("/groups", json={"name": user})
            hands.post("/groups", json={"name": f"{name} of others"})
            hands.post("/clients", json={"clientId": f"{name}-theirs"})
        found = everything(SYSTEM, provider.system)
        ours, theirs = found[GROUP, admin], found[GROUP, user]
        assert (ours.ours, ours.kept, ours.holders) == (True, None, tuple(people))
        assert ours.target == made.target
        assert (theirs.ours, theirs.holders) == (False, ())
        assert theirs.kept
        assert (GROUP, f"{name} of others") not in found
        assert found[CLIENT, name].ours
        assert found[CLIENT, name].kept is None
        assert found[CLIENT, f"{name}-theirs"].kept
        assert "realm itself" in (found[CLIENT, "account"].kept or ours.seen).english
        clients.remove(client(provider, name).model_copy(update={"after": None}))
        groups.remove(group(provider, admin, None))
        left = everything(SYSTEM, provider.system)
        assert (CLIENT, name) not in left
        assert (GROUP, admin) not in left

    def test_what_we_may_not_see_is_not_nothing(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        """Whoever may query and not view gets 200 and an empty list."""
        provider.make(name)
        with provider.admin() as hands:
            roles = {"query-users", "query-groups", "query-clients"}
            settings = robot(hands, provider.settings, f"robot-{name}", roles)
        system = connect(replace(settings), resolve)
        read = SYSTEM.lister()
        assert read
        for cursor in ("", "users:500", "groups", "clients"):
            with pytest.raises(Denied):
                read(system, cursor)
