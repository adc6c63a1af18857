"""What only an administrator of the drive sees: our rights, the OpenID Connect app and its provider, the account ids."""

import re
from collections.abc import Sequence

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.errors import Denied, Invalid, NotFound
from workspace_manager.systems.drive.checks.finding import FAILING, OCC, OK, WARNING, finding
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.settings import Settings

_UUID = re.compile(r"^(.*?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def as_administrator(client: DriveClient, settings: Settings, fallback: bool) -> list[Finding]:
    """Look as administrator. `fallback`: whether the command-line tool can be run when a token gets no app password."""
    name = "administrator"
    if client.admin is None:
        return [
            finding(
                name,
                WARNING,
                "No administrator of the drive is configured.",
                "Set one, else removing a person only revokes the app password: the drive account and its files stay until somebody "
                "deletes them by hand.",
            )
        ]
    me = client.whoami_admin()
    if "admin" not in me.groups:
        return [
            finding(
                name,
                FAILING,
                f"The configured account {me.id} is not in the drive's group admin.",
                "Add it (occ group:adduser admin NAME): accounts it may not see look as if they did not exist.",
            )
        ]
    return [
        finding(name, OK, f"We are {me.id}, an administrator."),
        *_oidc_version(client, settings, fallback),
        *_providers(client, settings),
        account_ids(client.list_users(), settings),
    ]


def _oidc_version(client: DriveClient, settings: Settings, fallback: bool) -> list[Finding]:
    name = "OpenID Connect app"
    try:
        version = client.app_version("user_oidc")
    except (NotFound, Invalid, Denied):
        return []
    numbers = tuple(int(n) for n in re.findall(r"\d+", version)[:3])
    if not numbers or not settings.use_bearer_token:
        return []
    if (8, 7, 0) <= numbers <= (8, 10, 1):
        return [
            finding(
                name,
                WARNING if fallback else FAILING,
                f"Version {version} makes no app password for a token (8.7.0 to 8.10.1 cannot)."
                + (" The command-line tool in the container is used instead." if fallback else ""),
                "Update the app beyond 8.10.1, or name the drive's application container as the fallback.",
            )
        ]
    if numbers < (7, 0, 0):
        return [
            finding(
                name,
                FAILING,
                f"Version {version} refuses tokens made for another client.",
                "Update the app to 7.2 or later (6.1 to 6.4: selfencoded_bearer_validation_azp_check=false).",
            )
        ]
    return [finding(name, OK, f"Version {version}.")]


def _providers(client: DriveClient, settings: Settings) -> list[Finding]:
    name = "OpenID Connect provider"
    try:
        providers = client.providers()
    except (NotFound, Invalid, Denied):
        return []
    if len(providers) != 1:
        return [
            finding(
                name,
                FAILING,
                f"The drive has {len(providers)} OpenID Connect providers instead of one.",
                f"Configure exactly one ({OCC}, {OCC}:delete).",
            )
        ]
    identifier = str(providers[0].get("identifier", ""))
    options = providers[0].get("settings")
    if not isinstance(options, dict):
        return []
    expected = f"{identifier}-" if options.get("providerBasedId") else ""
    wrong: list[tuple[str, str]] = []
    if options.get("uniqueUid"):
        wrong.append(("hashes account ids (unique uid)", "--unique-uid=0"))
    elif expected != settings.oidc_username_prefix:
        text = f"names accounts with the prefix {expected or '{empty}'}, the settings say {settings.oidc_username_prefix or '{empty}'}"
        wrong.append((text, "the same prefix in the manager's settings"))
    if settings.use_bearer_token and not options.get("checkBearer"):
        wrong.append(("does not check bearer tokens", "--check-bearer=1"))
    if settings.use_bearer_token and not options.get("bearerProvisioning"):
        wrong.append(("does not take names from bearer tokens", "--bearer-provisioning=1"))
    if not options.get("sendIdTokenHint"):
        wrong.append(("signs out without an ID token hint", "--send-id-token-hint=1"))
    if not wrong:
        return [finding(name, OK, f"One provider, {identifier}, set up as needed.")]
    return [
        finding(name, FAILING, f"The provider {text}.", f"Set {option} ({OCC} {identifier}).")
        for text, option in wrong
    ]


def account_ids(ids: Sequence[str], settings: Settings) -> Finding:
    """Compare the account ids there with the prefixes configured here: a wrong prefix makes people strangers to their accounts."""
    name = "account ids"
    prefixes = [match[1] for match in map(_UUID.match, ids) if match]
    known = {settings.oidc_username_prefix, settings.legacy_prefix, ""}
    others = sorted({prefix for prefix in prefixes if prefix not in known})
    hashed = [account for account in ids if _SHA256.fullmatch(account)]
    if others:
        return finding(
            name,
            WARNING,
            f"There are accounts with the prefix {', '.join(others[:3])}, which the settings do not name.",
            "Set it as prefix, or as legacy prefix if it was used in the past; else these accounts are nobody's.",
        )
    if hashed:
        return finding(
            name,
            WARNING,
            f"{len(hashed)} account ids are hashes: made while unique uid was on, or of very long subjects.",
            f"Set --unique-uid=0 ({OCC}); the old accounts stay and belong to nobody we can name.",
        )
    if settings.oidc_username_prefix and prefixes and settings.oidc_username_prefix not in prefixes:
        return finding(
            name,
            WARNING,
            "No account begins with the configured prefix.",
            "Write {empty} if the drive uses the raw subject.",
        )
    return finding(name, OK, "The account ids agree with the settings, as far as can be seen.")
