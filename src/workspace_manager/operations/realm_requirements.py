"""The wanted realm: the manager's own client, and what each connected system declares.

`setup identity-provider`, the checks and the sandbox share it.
"""

from collections.abc import Mapping
from dataclasses import replace

from workspace_manager.contract.realm import ClientWants, RealmAttribute
from workspace_manager.contract.secret import SecretRef
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.systems import registry
from workspace_manager.systems.drive.realm import APP_PASSWORD, LOGIN_NAME
from workspace_manager.systems.identity_provider.names import MASTER
from workspace_manager.systems.identity_provider.realm import services
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_manager.systems.identity_provider.settings import Settings as IdentityProvider
from workspace_manager.systems.sql_server.realm import PASSWORD


def wanted_realm(
    settings: Mapping[str, SystemSettings],
    *,
    base_url: str,
    secrets: Mapping[str, SecretRef] | None = None,
    service_account: str = "",
) -> RealmWants:
    """Return the wanted realm. `base_url`: the manager's. `secrets`: references to known client
    secrets, by system.

    `service_account`: client id of an administrator with few rights, if one is wanted.
    """
    known = secrets or {}
    realm = _identity_provider(settings)
    attributes = _attributes(settings)
    named = {one.purpose: one.name for one in attributes}
    others = _clients(settings, named, known)
    manager = services.manager_client(
        base_url,
        realm.client_id,
        audiences={
            name: client.client_id for name, client in others.items() if client.takes_our_tokens
        },
        secret_ref=known.get("manager", ""),
    )
    accounts = (services.service_account(service_account),) if service_account else ()
    ours = (LOGIN_NAME, APP_PASSWORD, PASSWORD)
    return RealmWants(
        realm.realm,
        login_name_attribute=named[LOGIN_NAME],
        app_password_attribute=named[APP_PASSWORD],
        sql_password_attribute=named[PASSWORD],
        clients=(manager, *others.values(), *accounts),
        other_attributes=tuple(one for one in attributes if one.purpose not in ours),
        # No system is told to use a realm that is no workspace.
        issuer=f"{realm.url}/realms/{realm.realm}" if realm.url and realm.realm != MASTER else "",
    )


def _identity_provider(settings: Mapping[str, SystemSettings]) -> IdentityProvider:
    found = settings["identity_provider"]
    if not isinstance(found, IdentityProvider):
        raise TypeError(f"{type(found).__name__} are no settings of the identity provider")
    return found


def _attributes(settings: Mapping[str, SystemSettings]) -> list[RealmAttribute]:
    return [
        attribute
        for name, spec in registry().specs.items()
        if name in settings
        for attribute in spec.realm_attributes(settings[name])
    ]


def _clients(
    settings: Mapping[str, SystemSettings],
    attributes: Mapping[str, str],
    secrets: Mapping[str, SecretRef],
) -> dict[str, ClientWants]:
    """Return the clients of configured systems, by system."""
    wanted = {
        name: spec.realm_client(settings[name], attributes)
        for name, spec in registry().specs.items()
        if name in settings
    }
    return {
        name: replace(client, secret_ref=secrets.get(name, ""))
        for name, client in wanted.items()
        if client
    }
