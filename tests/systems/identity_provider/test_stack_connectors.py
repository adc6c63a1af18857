"""Two tries at once, and a thing that goes between look and deletion: the groups and the client of
a knowledge stack.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.systems.identity_provider.life_of_groups import CLIENT, GROUP, client, group
from tests.systems.identity_provider.provider_under_test import ProviderUnderTest, name
from tests.systems.identity_provider.test_life import provider, stand_in
from workspace_manager.contract.connector import Change, Result
from workspace_manager.contract.errors import Conflict, NotFound
from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.identity_provider.client.groups import GroupClient
from workspace_manager.systems.identity_provider.client.realm import RealmClient
from workspace_manager.systems.identity_provider.names import stack_client_id, stack_groups

__all__ = ["name", "provider", "stand_in"]


@pytest.fixture(params=[GROUP, CLIENT])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def plan_change(provider: ProviderUnderTest, kind: str, name: str) -> Change:
    return group(provider, name, []) if kind == GROUP else client(provider, name)


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """The next looks find nothing: another try is faster."""
    left = [0]

    def hide(owner: type[Any], method: str) -> None:
        found = getattr(owner, method)

        def look(self: object, name: str) -> Any:
            left[0] -= 1
            return None if left[0] >= 0 else found(self, name)

        monkeypatch.setattr(owner, method, look)

    hide(GroupClient, "find_group")
    hide(RealmClient, "find_client")

    def looks(number: int) -> None:
        left[0] = number

    return looks


def test_what_another_try_of_ours_made_is_ours(
    provider: ProviderUnderTest, kind: str, name: str, unseen: Callable[[int], None]
) -> None:
    connector, change = provider.system.connectors[kind], plan_change(provider, kind, name)
    assert connector.apply(change).result is Result.CHANGED
    unseen(1)
    connector.apply(change)
    assert connector.verify(change)


def test_what_somebody_else_made_meanwhile_is_not_ours(
    provider: ProviderUnderTest, kind: str, name: str, unseen: Callable[[int], None]
) -> None:
    connector, change = provider.system.connectors[kind], plan_change(provider, kind, name)
    connector.apply(change)
    other = change.model_copy(update={"target": {**change.target, "mark": "another"}})
    unseen(1)
    with pytest.raises(Conflict, match="does not have our mark"):
        connector.apply(other)
    unseen(2)
    with pytest.raises(Conflict, match="already exists"):
        connector.apply(other)


@pytest.mark.parametrize("goes", [True, False])
def test_what_goes_between_look_and_deletion(
    provider: ProviderUnderTest, kind: str, name: str, goes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    connector, change = provider.system.connectors[kind], plan_change(provider, kind, name)
    connector.apply(change)
    owner: type[Any] = GroupClient if kind == GROUP else RealmClient
    method = "delete_group" if kind == GROUP else "delete_client"
    delete = getattr(owner, method)

    def refuse(self: object, number: str) -> None:
        if goes:
            delete(self, number)
        delete(self, number if goes else "nothing")

    monkeypatch.setattr(owner, method, refuse)
    if goes:
        assert connector.remove(change).result is Result.ALREADY
        return
    with pytest.raises(Conflict, match="reports that it does not exist") as caught:
        connector.remove(change)
    assert not isinstance(caught.value, NotFound)


@pytest.mark.parametrize("wrong", ["", "a/b", "-a", "A", "a b", "a.b", "a" * 62])
def test_a_stack_has_a_plain_name(wrong: str) -> None:
    for rule in (stack_groups, stack_client_id):
        with pytest.raises(NameImpossible):
            rule(wrong)
    assert stack_groups("ada-birds-1a2b") == ("ada-birds-1a2b-admin", "ada-birds-1a2b-user")
