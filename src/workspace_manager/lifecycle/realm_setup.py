"""Set up the realm: what is needed is computed from what is there, applied, and looked at again."""

from collections.abc import Sequence
from typing import Protocol, cast

from workspace_manager.contract.connector import Change
from workspace_manager.lifecycle import history
from workspace_manager.lifecycle.driven import DrivenSystems, IdentityProvider
from workspace_manager.lifecycle.workspace_realm import wanted_realm
from workspace_manager.systems.identity_provider.realm.wants import RealmWants


class Realm(IdentityProvider, Protocol):
    """What the set-up asks of the identity provider."""

    def realm_changes(self, wants: RealmWants | None = None) -> list[Change]: ...


MANAGER_SECRET = "settings/identity_provider/client_secret"  # noqa: S105  a reference, not a secret


def needed(driven: DrivenSystems, *, base_url: str) -> list[Change]:
    """The changes that bring the realm to what the workspace needs; none when it is so. Raises the five errors."""
    realm = cast(Realm, driven.identity_provider())
    wants = wanted_realm(driven.settings, base_url=base_url, secrets={"manager": MANAGER_SECRET})
    return realm.realm_changes(wants)


def apply(driven: DrivenSystems, changes: Sequence[Change], *, actor: str) -> list[str]:
    """Make the changes; gives the parts that a fresh look does not show yet."""
    left = []
    for change in changes:
        connector = driven.connector(change.kind)
        assert connector is not None
        connector.apply(change)
        if connector.verify(change) is None:
            left.append(change.target["part"])
    history.note(
        "realm:set_up", "identity_provider", actor=actor, parts=[c.target["part"] for c in changes]
    )
    return left
