"""Cases of the groups and the client of a knowledge stack, at a real provider and at its
stand-in (`class Test…(GroupLife)`).
"""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from tests.systems.identity_provider.provider_under_test import (
    SECRETS,
    USER,
    ProviderUnderTest,
    claims,
    resolve,
)
from tests.systems.identity_provider.provider_under_test import service_account as robot
from workspace_manager.contract.connector import Change, Facts, Result, Severity
from workspace_manager.contract.errors import Denied, Invalid
from workspace_manager.systems.identity_provider.client import paging
from workspace_manager.systems.identity_provider.connector import connect
from workspace_manager.systems.identity_provider.names import (
    group_target,
    stack_client_id,
    stack_client_target,
    stack_groups,
    user_target,
)
from workspace_manager.systems.identity_provider.realm.clients import POST_LOGOUT

GROUP, CLIENT = "identity_provider.group", "identity_provider.client"


def group(provider: ProviderUnderTest, name: str, members: list[str] | None) -> Change:
    want: Facts | None = None if members is None else {"members": [*sorted(members)]}
    return provider.system.connectors[GROUP].plan(group_target(name, f"mark-{name}"), want)


def client(provider: ProviderUnderTest, name: str) -> Change:
    url = f"http://{name}.example:20000"
    want: Facts = {
        "redirect_uris": [f"{url}/callback", f"{url}/again"],
        "post_logout_redirect_uris": [],
        "base_url": f"{url}/",
        "name": "Birds of the <North>",
    }
    target = stack_client_target(stack_client_id(name), f"mark-{name}")
    change = provider.system.connectors[CLIENT].plan(target, want)
    return change.model_copy(update={"secrets": {"secret": "vault/client"}})


class GroupLife:
    """Tests that every identity provider passes once its realm is set up."""

    def test_members_are_the_whole_list(
        self, provider: ProviderUnderTest, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(paging, "PAGE", 2)
        groups, (admin, _) = provider.system.connectors[GROUP], stack_groups(name)
        people = [provider.make(f"{name}-{n}") for n in range(5)]
        assert groups.apply(group(provider, admin, people)).result is Result.CHANGED
        change = group(provider, admin, people[:1])
        assert change.before == {"members": sorted(people)}
        assert groups.verify(change) is None
        assert groups.apply(change).result is Result.CHANGED
        evidence = groups.verify(change)
        assert evidence
        assert evidence.text == "present, with its one member, as planned"
        with provider.admin() as hands:
            assert [one["name"] for one in hands.get(f"/users/{people[0]}/groups").json()] == [
                admin
            ]
            assert hands.get(f"/users/{people[1]}/groups").json() == []

    def test_whoever_is_deleted_leaves_and_is_not_missed(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        groups, users = (provider.system.connectors[kind] for kind in (GROUP, USER))
        stays, leaves = (provider.make(f"{name}-{n}") for n in range(2))
        both = group(provider, name, [stays, leaves])
        assert groups.apply(both).result is Result.CHANGED
        users.remove(users.plan(user_target(leaves, f"{name}-1"), None))
        assert group(provider, name, [stays]).before == {"members": [stays]}
        assert groups.verify(both)
        assert groups.apply(both).result is Result.ALREADY

    def test_a_name_with_a_slash_is_no_group(self, provider: ProviderUnderTest, name: str) -> None:
        with pytest.raises(Invalid, match="no name that a group can have"):
            group(provider, f"{name}/admin", [])

    def test_tokens_of_a_stack_name_groups_and_hold_no_role(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        clients = provider.system.connectors[CLIENT]
        sub = provider.make(name)
        admin, user = stack_groups(name)
        for one in (admin, user):
            provider.system.connectors[GROUP].apply(group(provider, one, [sub]))
        change = client(provider, name)
        assert clients.apply(change).result is Result.CHANGED
        assert clients.verify(change)
        form = {"client_id": name, "client_secret": SECRETS["vault/client"]}
        assert provider.sign_in(name, **form)["error"] == "unauthorized_client"
        found = self._set(provider, name, directAccessGrantsEnabled=True)
        assert clients.verify(change) is None, "it takes passwords now"
        token = claims(provider.sign_in(name, **form)["access_token"])
        assert sorted(token["groups"]) == [admin, user]
        assert "realm_access" not in token
        assert "resource_access" not in token
        assert clients.apply(change).result is Result.CHANGED
        assert clients.verify(change)
        with provider.admin() as hands:
            assert hands.get(f"/clients/{found['id']}").json()["directAccessGrantsEnabled"] is False

    def _set(self, provider: ProviderUnderTest, client_id: str, **members: Any) -> dict[str, Any]:
        """Somebody changes the client by hand."""
        with provider.admin() as hands:
            found: dict[str, Any] = hands.get("/clients", params={"clientId": client_id}).json()[0]
            hands.put(f"/clients/{found['id']}", json={**found, **members}).raise_for_status()
        return found

    def test_a_sign_out_leads_nowhere_unless_it_is_wished(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        """Of a client that says nothing of it a sign-out leads to where a sign-in does."""
        settings, back = provider.settings, f"http://{name}.example:20000/callback"
        url = f"{settings.url}/realms/{settings.realm}/protocol/openid-connect/logout"

        def leads_back() -> bool:
            query = {"client_id": name, "post_logout_redirect_uri": back}
            answer = httpx.get(url, params=query)
            assert answer.status_code in {302, 400}, answer.text
            return bool(answer.headers.get("location") == back)

        clients, change = provider.system.connectors[CLIENT], client(provider, name)
        clients.apply(change)
        assert not leads_back()
        self._set(provider, name, attributes={POST_LOGOUT: back})
        assert leads_back()
        assert clients.verify(change) is None
        assert clients.apply(change).result is Result.CHANGED
        assert clients.verify(change)
        assert not leads_back()

    def test_the_secret_is_renewed_and_told_apart(
        self, provider: ProviderUnderTest, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        clients, change = provider.system.connectors[CLIENT], client(provider, name)
        clients.apply(change)
        monkeypatch.setitem(SECRETS, "vault/client", "another one")
        assert clients.verify(change) is None
        assert clients.apply(change).result is Result.CHANGED
        assert clients.verify(change)
        with pytest.raises(Invalid, match="no secret is given"):
            clients.apply(change.model_copy(update={"secrets": {}}))

    def test_who_may_not_manage_clients_is_told_which_role(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        roles = {"manage-users", "view-users", "query-users", "view-realm", "view-clients"}
        with provider.admin() as hands:
            settings = robot(hands, provider.settings, f"robot-{name}", roles)
        poor = replace(provider, settings=settings)
        assert poor.system is not provider.system
        findings = {one.name: one for one in poor.system.check()}
        assert findings["rights: manage clients"].severity is Severity.WARNING
        assert "manage-clients" in findings["rights: manage clients"].remedy
        assert findings["rights: read the groups"].severity is Severity.OK
        assert connect(settings, resolve).connectors[GROUP].apply(group(poor, name, []))
        with pytest.raises(Denied):
            poor.system.connectors[CLIENT].apply(client(poor, name))
