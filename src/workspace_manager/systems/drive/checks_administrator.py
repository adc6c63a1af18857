"""Checks that need an administrator of the drive: our rights, the OpenID Connect app and its
provider, the account ids.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import Denied, Invalid, NotFound
from workspace_manager.contract.known_people import KnownPeople
from workspace_manager.contract.message import Message
from workspace_manager.contract.realm import RealmNeeds
from workspace_manager.contract.settings import EMPTY
from workspace_manager.systems.drive.checks_addresses import shorten
from workspace_manager.systems.drive.checks_finding import (
    FAILING,
    OCC,
    OK,
    SAID,
    WARNING,
    finding,
)
from workspace_manager.systems.drive.checks_people import naming_findings
from workspace_manager.systems.drive.checks_sign_in import identity_faults
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.members.provider import table_of
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.settings import Settings

_UUID = re.compile(r"^(.*?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$")
_SHA256 = re.compile(r"[0-9a-f]{64}")


Wrong = tuple[Severity, Message, Message]


def as_administrator(
    client: DriveClient,
    settings: Settings,
    fallback: bool,
    realm: RealmNeeds | None,
    people: KnownPeople,
) -> list[Finding]:
    """Run the administrator's checks. `fallback`: whether the command-line tool can be run if a
    token gets no app password.
    """
    name = message("check_administrator")
    if client.admin is None:
        return [
            finding(
                name,
                WARNING,
                message("no_administrator_is_set"),
                message("set_administrator"),
            )
        ]
    me = client.whoami_admin()
    if "admin" not in me.groups:
        return [
            finding(
                name,
                FAILING,
                message("not_in_group_admin_as", id=me.id),
                message("add_to_group_admin"),
            )
        ]
    ids = client.list_users(limit=None)
    return [
        _credential(client, name, me.id),
        *_oidc_version(client, settings, fallback),
        *_providers(client, settings, realm),
        *(naming_findings(client, settings, people(), ids) or [account_ids(ids, settings)]),
    ]


def _credential(client: DriveClient, name: Message, account: str) -> Finding:
    if client.admin_by_app_password:
        return finding(name, OK, message("we_are_administrator", id=account))
    text = message("administrator_uses_password", id=account)
    return finding(name, WARNING, text, message("make_app_password"))


def _oidc_version(client: DriveClient, settings: Settings, fallback: bool) -> list[Finding]:
    name = message("check_oidc_app")
    try:
        version = client.app_version("user_oidc")
    except (NotFound, Invalid, Denied):
        return []
    numbers = tuple(int(n) for n in re.findall(r"[0-9]{1,6}", version)[:3])
    if not numbers or not settings.use_bearer_token:
        return []
    if (8, 7, 0) <= numbers <= (8, 10, 1):
        return [
            finding(
                name,
                WARNING if fallback else FAILING,
                message("version_makes_no_app_password_fallback", version=version)
                if fallback
                else message("version_makes_no_app_password", version=version),
                message("update_app_or_name_container"),
            )
        ]
    if numbers < (7, 0, 0):
        return [
            finding(
                name,
                FAILING,
                message("version_refuses_tokens", version=version),
                message("update_app"),
            )
        ]
    return [finding(name, OK, message("version", version=version))]


def _providers(client: DriveClient, settings: Settings, realm: RealmNeeds | None) -> list[Finding]:
    name = message("check_oidc_provider")
    try:
        providers = client.providers()
    except (NotFound, Invalid, Denied):
        return []
    if len(providers) != 1:
        return [
            finding(
                name,
                FAILING,
                message("not_one_provider", count=len(providers)),
                message("configure_one_provider", occ=OCC),
            )
        ]
    provider = providers[0]
    options = provider.get("settings")
    if not isinstance(options, dict):
        return []
    table = table_of(provider, tokens=settings.use_bearer_token)
    wrong = [*_client_faults(provider, realm), *_names(provider, options, settings)]
    found = [finding(name, *one) for one in wrong] + list(table.findings(provider, SAID))
    identifier = str(provider.get("identifier", ""))
    return found or [finding(name, OK, message("provider_as_needed", identifier=identifier))]


def _client_faults(provider: Mapping[str, Any], realm: RealmNeeds | None) -> Iterator[Wrong]:
    """Yield faults of the provider: client, realm and scope."""
    address = str(provider.get("discoveryEndpoint", ""))
    yield from identity_faults(str(provider.get("clientId", "")), address, realm)
    if not provider.get("postLogoutUri"):
        yield WARNING, message("no_post_logout"), message("set_post_logout_home", occ=OCC)
    scope = provider.get("scope")
    if scope is not None and "openid" not in str(scope).split():
        text = message("scope_without_openid", scope=shorten(scope))
        yield FAILING, text, message("set_scope", occ=OCC)


def _names(
    provider: Mapping[str, Any], options: Mapping[str, Any], settings: Settings
) -> Iterator[Wrong]:
    """Yield faults of account names and of the provider. A prefix is checked only if the ids match
    our settings at all.
    """
    identifier = str(provider.get("identifier", ""))
    expected = f"{identifier}-" if options.get("providerBasedId") else ""
    here = settings.oidc_username_prefix
    if not options.get("uniqueUid") and expected != here:
        differs = message("provider_prefix_differs", there=expected or EMPTY, here=here or EMPTY)
        yield FAILING, differs, message("set_same_prefix", occ=OCC, identifier=identifier)
    if settings.provider_name not in {"", identifier}:
        differs = message("provider_named_otherwise", there=identifier, here=settings.provider_name)
        yield FAILING, differs, message("leave_provider_name_empty")


def account_ids(ids: Sequence[str], settings: Settings) -> Finding:
    """Compare the account ids with the prefixes configured here: with a wrong prefix, people's
    accounts are not recognised.
    """
    name = message("check_account_ids")
    prefixes = [match[1] for match in map(_UUID.match, ids) if match]
    known = {settings.oidc_username_prefix, settings.legacy_prefix, ""}
    others = sorted({prefix for prefix in prefixes if prefix not in known})
    hashed = [account for account in ids if _SHA256.fullmatch(account)]
    if others:
        return finding(
            name,
            WARNING,
            message("unknown_prefixes", prefixes=", ".join(others[:3])),
            message("set_prefix"),
        )
    if hashed:
        return finding(
            name,
            WARNING,
            message("ids_are_hashes", n=len(hashed)),
            message("set_unique_uid_off", occ=OCC),
        )
    if settings.oidc_username_prefix and prefixes and settings.oidc_username_prefix not in prefixes:
        return finding(
            name,
            WARNING,
            message("no_account_has_prefix"),
            message("write_empty"),
        )
    return finding(name, OK, message("account_ids_agree"))
