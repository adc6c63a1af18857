"""The OpenID Connect app: check tokens against the identity provider's own keys, derive account
ids, make accounts.

Discovery is fetched for every token, as the real one does without a memory cache; keys are kept for
an hour. Every rejection looks the same from outside.
"""

import hashlib
import time
from collections.abc import Callable
from typing import Any

from workspace_sandbox.stand_ins import openid
from workspace_sandbox.stand_ins.drive.accounts import OIDC, Accounts
from workspace_sandbox.stand_ins.drive.options import numbers

KEYS_S = 3600
LEEWAY_S = 60
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"


class Unreachable(Exception):
    """The identity provider gave no usable answer."""


class Oidc:
    """The app with its providers. `options` are the stand-in's switches, `state` its document."""

    def __init__(
        self,
        state: Callable[[], dict[str, Any]],
        accounts: Accounts,
        clock: Callable[[], float],
    ) -> None:
        self._state = state
        self._accounts = accounts
        self._clock = clock
        self._keys: dict[str, tuple[float, dict[str, Any]]] = {}

    @property
    def options(self) -> dict[str, Any]:
        options: dict[str, Any] = self._state()["options"]
        return options

    @property
    def version(self) -> tuple[int, int, int]:
        return numbers(str(self.options["version"]))

    @property
    def running(self) -> bool:
        """Return whether the app works at all: 8.7.0 does not start on a server before 31."""
        server = int(str(self.options["server_version"]).split(".")[0])
        return bool(self.options["app_enabled"]) and not (self.version == (8, 7, 0) and server < 31)

    @property
    def refuses_app_passwords(self) -> bool:
        """Issue 1452: a token gets no app password, though the account is made."""
        return (8, 7, 0) <= self.version <= (8, 10, 1)

    @property
    def providers(self) -> list[dict[str, Any]]:
        providers: list[dict[str, Any]] = self._state()["providers"] if self.running else []
        return providers

    def provider(self, number: int) -> dict[str, Any] | None:
        return next((p for p in self.providers if p["id"] == number), None)

    # --- the identity provider --------------------------------------------------------------------

    async def fetch(self, url: str) -> dict[str, Any]:
        """Fetch a JSON document. Raises Unreachable."""
        if not self.options["identity_provider_reachable"]:
            raise Unreachable(url)
        try:
            return await openid.ask("GET", url)
        except (openid.ProviderUnavailable, openid.ProviderRefusal) as broken:
            raise Unreachable(url) from broken

    async def discover(self, provider: dict[str, Any]) -> dict[str, Any]:
        return await self.fetch(provider["discoveryEndpoint"])

    async def keys(self, url: str, *, fresh: bool = False) -> dict[str, Any]:
        kept = self._keys.get(url)
        if kept and not fresh and time.monotonic() - kept[0] < KEYS_S:
            return kept[1]
        document = await self.fetch(url)
        self._keys[url] = (time.monotonic(), document)
        return document

    def forget_keys(self) -> None:
        self._keys.clear()

    async def verify(self, text: str, discovery: dict[str, Any]) -> dict[str, Any] | None:
        """Check signature, expiry, not-before and issuer of a token; None when it does not hold."""
        url = str(discovery.get("jwks_uri", ""))
        claims = openid.verify_signature(text, await self.keys(url))
        if claims is None and self.options["refetch_unknown_key"]:
            claims = openid.verify_signature(text, await self.keys(url, fresh=True))
        if claims is None or claims.get("iss") != discovery.get("issuer"):
            return None
        now = self._clock()
        times = [claims.get(name) for name in ("exp", "nbf", "iat")]
        if any(t is not None and not isinstance(t, int | float) for t in times):
            return None
        exp, nbf, iat = times
        if exp is None or exp <= now or (nbf or 0) > now + LEEWAY_S or (iat or 0) > now + LEEWAY_S:
            return None
        return claims

    # --- bearer -----------------------------------------------------------------------------------

    async def sign_in(self, token: str) -> dict[str, Any] | None:
        """Give the account a bearer token signs in, made on first contact; None for every kind of
        rejection.
        """
        for provider in self.providers:
            if not provider["settings"]["checkBearer"]:
                continue
            claims = await self._bearer_claims(provider, token)
            if claims is None:
                continue
            account = self.account(provider, claims, bearer=True)
            return account if account and account["enabled"] else None
        return None

    async def _bearer_claims(self, provider: dict[str, Any], token: str) -> dict[str, Any] | None:
        if not self.options["selfencoded_bearer_validation"] or token.count(".") != 2:
            return None
        try:
            claims = await self.verify(token, await self.discover(provider))
        except Unreachable:
            return None
        if claims is None:
            return None
        checks_audience = self.options["selfencoded_bearer_validation_audience_check"]
        if checks_audience and "aud" in claims and not openid.is_for(claims, provider["clientId"]):
            return None
        checks_azp = self.version < (6, 1, 0) or (
            self.version < (7, 0, 0) and self.options["selfencoded_bearer_validation_azp_check"]
        )
        if checks_azp and claims.get("azp") not in {None, provider["clientId"]}:
            return None
        return claims

    # --- accounts ---------------------------------------------------------------------------------

    def account(
        self, provider: dict[str, Any], claims: dict[str, Any], *, bearer: bool
    ) -> dict[str, Any] | None:
        """Find or make the account of these claims; one of another back-end with the same id is
        signed in too.
        """
        settings = provider["settings"]
        sub = claims.get(settings["mappingUid"] or "sub")
        if not isinstance(sub, str) or not sub:
            return None
        uid = local_id(provider, sub)
        account = self._accounts.find(uid)
        if account is None and not self.options["auto_provision"]:
            return None
        if account is None:
            account = self._accounts.add(uid, OIDC)
        if account["backend"] == OIDC and (not bearer or settings["bearerProvisioning"]):
            name = claims.get(settings["mappingDisplayName"] or "name")
            email = claims.get(settings["mappingEmail"] or "email")
            account["display_name"] = name or account["display_name"]
            account["email"] = email or account["email"]
        self._accounts.seen(account)
        return account


def local_id(provider: dict[str, Any] | None, sub: str, *, number: int = 0) -> str:
    """Derive an account id as LocalIdService does. An unknown provider number gets the default: a
    hash.
    """
    settings = provider["settings"] if provider else {"uniqueUid": True}
    number = provider["id"] if provider else number
    if settings.get("uniqueUid"):
        return hashlib.sha256(f"{number}_0_{sub}".encode()).hexdigest()
    uid = f"{provider['identifier']}-{sub}" if provider and settings.get("providerBasedId") else sub
    return hashlib.sha256(uid.encode()).hexdigest() if len(uid) > 64 else uid
