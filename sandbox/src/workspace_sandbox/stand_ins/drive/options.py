"""The switches of the stand-in: what an administrator of the real drive could have configured, and
which version it imitates.
"""

from typing import Any

OPTIONS: dict[str, Any] = {
    "maintenance": False,
    "app_enabled": True,
    "auto_provision": True,
    "disable_account_creation": False,
    "selfencoded_bearer_validation": True,
    "selfencoded_bearer_validation_audience_check": True,
    "selfencoded_bearer_validation_azp_check": True,
    "allow_multiple_user_backends": False,
    "single_logout": True,
    "id4me_enabled": False,
    "social_login": False,
    "hide_login_form": True,
    "lost_password_link": "disabled",
    "allow_insecure_http": True,
    "identity_provider_reachable": True,
    "refetch_unknown_key": True,
    "proxy_404": False,
    "max_attempts": None,
    "file": {},
    "broken_mail": False,
    "broken_creation": False,
    "deletion_refused": "",
    "shares": [],
    "gone_in_their_directory": [],
    "throttle_sleep": False,
    "trusted_domains": [],
    "server_version": "29.0.6",
    "version": "8.6.1",
}
"""`version`: of user_oidc, or "HEAD". `proxy_404`: a proxy swallows `getapppassword`.
`broken_mail`: creating a user with an e-mail address ends in an internal error though the user
exists; `broken_creation`: creating any user does. `deletion_refused`: the
sentence with which the back-end of an account keeps it; "-" for none. `max_attempts`:
auth.bruteforce.max-attempts, which is only shown; `file`: what else the configuration file holds,
shown alone too. `identity_provider_reachable` False: as with
allow_local_remote_servers off.
"""

_MAPPINGS = (
    "DisplayName Email Quota Uid Groups Language Locale Address Streetaddress Postalcode "
    "Locality Region Country Website Avatar "
    "Twitter Fediverse Organisation Role Headline Biography Phonenumber Gender Pronouns Birthdate"
)


def provider_settings(**changed: Any) -> dict[str, Any]:
    """Settings of a provider in the order the real API shows them; `changed` by their
    names there.
    """
    settings: dict[str, Any] = {f"mapping{name}": "" for name in _MAPPINGS.split()}
    settings |= {
        "uniqueUid": True,
        "checkBearer": False,
        "sendIdTokenHint": False,
        "bearerProvisioning": False,
        "extraClaims": "",
        "providerBasedId": False,
        "groupProvisioning": False,
        "groupWhitelistRegex": "",
        "restrictLoginToGroups": False,
        "azureGroupNames": False,
        "nestedAndFallbackClaims": False,
    }
    unknown = set(changed) - set(settings)
    if unknown:
        raise ValueError(f"no such provider setting: {', '.join(sorted(unknown))}")
    return settings | changed


def as_deployed() -> dict[str, Any]:
    """Provider settings as a drive with single sign-on alone needs them."""
    return provider_settings(
        mappingDisplayName="preferred_username",
        uniqueUid=False,
        checkBearer=True,
        sendIdTokenHint=True,
        bearerProvisioning=True,
    )


def numbers(version: str) -> tuple[int, int, int]:
    """Give a user_oidc version as numbers; HEAD is 8.11.0."""
    if version.upper().startswith("HEAD"):
        return (8, 11, 0)
    parts = [int(part) for part in version.split("-", maxsplit=1)[0].split(".")]
    return (parts[0], parts[1] if len(parts) > 1 else 0, parts[2] if len(parts) > 2 else 0)
