"""The wanted realm as values, and as wanted states of its parts, from which changes are planned."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from workspace_manager.contract.connector import Facts
from workspace_manager.contract.realm import ClientWants, MapperWants, RealmAttribute
from workspace_manager.contract.secret import SecretRef
from workspace_manager.systems.identity_provider.names import (
    LOCALE_ATTRIBUTE,
    MARK_ATTRIBUTE,
    TIMEZONE_ATTRIBUTE,
    client_target,
    mapper_target,
    profile_target,
    roles_target,
    settings_target,
)

LEFT_TO_THE_MANAGER: Final = {
    "registrationAllowed": False,
    "registrationEmailAsUsername": False,
    "editUsernameAllowed": False,
}
"""Settings that leave admission and names to the manager: a realm that lets people register or
rename themselves bypasses the approval, or detaches things from their name.
"""


@dataclass(frozen=True)
class RealmWants:
    """The workspace's requirements on the realm, with the default names of attributes.

    See docs/explanation/realm.md#attributes-of-a-user.
    """

    realm: str
    login_name_attribute: str = "filesvc_login_name"
    app_password_attribute: str = "filesvc_app_password"  # noqa: S105  the name of an attribute
    sql_password_attribute: str = "sql_password"  # noqa: S105  the name of an attribute
    clients: tuple[ClientWants, ...] = ()
    other_attributes: tuple[RealmAttribute, ...] = ()
    """Attributes of systems that are not installed."""
    issuer: str = ""
    """The realm's own address in the settings; "" outside a workspace."""

    @property
    def secret_attributes(self) -> tuple[str, ...]:
        """Return attributes whose value is a password."""
        others = (one.name for one in self.other_attributes if one.secret)
        return (self.app_password_attribute, self.sql_password_attribute, *others)

    @property
    def private_attributes(self) -> tuple[str, ...]:
        """Return attributes that only an administrator may see or edit: a person who could edit
        them could claim another's account.
        """
        others = (one.name for one in self.other_attributes if not one.secret)
        return (MARK_ATTRIBUTE, self.login_name_attribute, *self.secret_attributes, *others)

    @property
    def declared_attributes(self) -> tuple[str, ...]:
        """Return attributes that need a declaration, whoever made it."""
        return (TIMEZONE_ATTRIBUTE, LOCALE_ATTRIBUTE)


@dataclass(frozen=True)
class RealmRequirement:
    """The wanted state of one part of the realm, from which a change is planned."""

    target: dict[str, str]
    want: Facts
    secrets: dict[str, SecretRef] = field(default_factory=dict)


def realm_requirements(wants: RealmWants) -> list[RealmRequirement]:
    """Return all requirements in an order in which they can be fulfilled: profile and settings,
    then each client before its mappers.
    """
    profile: Facts = {
        "private": list(wants.private_attributes),
        "declared": list(wants.declared_attributes),
    }
    found = [
        RealmRequirement(profile_target(wants.realm), profile),
        RealmRequirement(settings_target(wants.realm), dict(LEFT_TO_THE_MANAGER)),
    ]
    for client in wants.clients:
        ref = {"client_secret": client.secret_ref} if client.secret_ref else {}
        target = client_target(wants.realm, client.client_id)
        found.append(RealmRequirement(target, client_want(client), ref))
        for mapper in client.mappers:
            target = mapper_target(wants.realm, client.client_id, mapper.name)
            found.append(RealmRequirement(target, mapper_want(mapper)))
        if client.service_roles:
            roles: Facts = {"roles": [*sorted(client.service_roles)]}
            found.append(RealmRequirement(roles_target(wants.realm, client.client_id), roles))
    return found


def realm_facts(realm: Mapping[str, object], want: Facts) -> Facts:
    """Return the present values of wanted settings; hidden ones are left out."""
    return {name: realm[name] is True for name in want if name in realm}


def client_want(client: ClientWants) -> Facts:
    """Return the wanted facts of a client, without members that do not matter."""
    if client.service_roles:
        return {"enabled": True, "public": False, "standard_flow": False, "service_account": True}
    want: Facts = {
        "enabled": True,
        "public": False,
        "standard_flow": True,
        "redirect_uris": list(client.redirect_uris),
    }
    if client.post_logout_uris:
        want["post_logout_uris"] = list(client.post_logout_uris)
    if client.backchannel_logout_url:
        want["backchannel_logout_url"] = client.backchannel_logout_url
        # A client that is notified through the browser is not notified by the provider
        # (docs/systems/identity-provider.md#disabling-signing-out-deleting).
        want["frontchannel_logout"] = False
    if client.pkce:
        want["pkce"] = "S256"
    return want


def mapper_want(mapper: MapperWants) -> Facts:
    """Return the wanted facts of a mapper."""
    return {"protocol_mapper": mapper.protocol_mapper, "config": dict(mapper.config)}


def covers(have: Facts | None, want: Facts) -> bool:
    """Return whether everything wanted is present; there may be more."""
    return have is not None and all(
        name in have and have[name] == value for name, value in want.items()
    )
