"""Each misconfiguration of a realm is made, found, and answered with a remedy, at a real provider
and at its stand-in.
"""

import contextlib
import copy
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import httpx
import pytest

from tests.systems.identity_provider.provider_under_test import (
    DRIVE,
    HUB,
    MANAGER,
    TOOL,
    ProviderUnderTest,
    resolve,
    service_account,
    wants,
)
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import Invalid
from workspace_manager.systems.identity_provider.connector import connect

Hand = Callable[[httpx.Client], object]
"""Somebody else's hand in the realm."""


@dataclass(frozen=True)
class Wrong:
    """What is made wrong, the finding that names it, words of its text, and words of its remedy."""

    what: str
    make: Hand
    found: str
    says: str
    remedy: str
    severity: Severity = Severity.FAILING


def client(admin: httpx.Client, client_id: str) -> dict[str, Any]:
    found: dict[str, Any] = admin.get("/clients", params={"clientId": client_id}).json()[0]
    return found


def changed(client_id: str, **members: Any) -> Hand:
    """A client with other members; `attributes` are added to those it has."""

    def make(admin: httpx.Client) -> None:
        found = client(admin, client_id)
        attributes = {**found["attributes"], **members.pop("attributes", {})}
        body = {**found, **members, "attributes": attributes}
        assert admin.put(f"/clients/{found['id']}", json=body).status_code == 204

    return make


def new_client(**members: Any) -> Hand:
    def make(admin: httpx.Client) -> None:
        body = {"enabled": True, "publicClient": False, "attributes": {}, **members}
        assert admin.post("/clients", json=body).status_code == 201

    return make


def undeclared(name: str) -> Hand:
    def make(admin: httpx.Client) -> None:
        profile = admin.get("/users/profile").json()
        profile["attributes"] = [a for a in profile["attributes"] if a["name"] != name]
        assert admin.put("/users/profile", json=profile).status_code == 200

    return make


def exposed(name: str) -> Hand:
    def make(admin: httpx.Client) -> None:
        profile = admin.get("/users/profile").json()
        for attribute in profile["attributes"]:
            if attribute["name"] == name:
                attribute["permissions"]["edit"] = ["admin", "user"]
        assert admin.put("/users/profile", json=profile).status_code == 200

    return make


def without_mapper(client_id: str, name: str) -> Hand:
    def make(admin: httpx.Client) -> None:
        found = client(admin, client_id)
        path = f"/clients/{found['id']}/protocol-mappers/models"
        (mapper,) = [m for m in admin.get(path).json() if m["name"] == name]
        assert admin.delete(f"{path}/{mapper['id']}").status_code == 204

    return make


def leaking(client_id: str, name: str, provider: str) -> Hand:
    def make(admin: httpx.Client) -> None:
        found = client(admin, client_id)
        path = f"/clients/{found['id']}/protocol-mappers/models"
        (mapper,) = [m for m in admin.get(path).json() if m["name"] == name]
        mapper["config"][provider] = "true"
        assert admin.put(f"{path}/{mapper['id']}", json=mapper).status_code == 204

    return make


def without_scope(name: str) -> Hand:
    def make(admin: httpx.Client) -> None:
        found = client(admin, MANAGER)
        (scope,) = [s for s in admin.get("/client-scopes").json() if s["name"] == name]
        path = f"/clients/{found['id']}/default-client-scopes/{scope['id']}"
        assert admin.delete(path).status_code == 204

    return make


def mapped(name: str, kind: str, **config: str) -> Hand:
    """A mapper more on the manager's client; `__` stands for a dot."""
    told = {one.replace("__", "."): value for one, value in config.items()}

    def make(admin: httpx.Client) -> None:
        path = f"/clients/{client(admin, MANAGER)['id']}/protocol-mappers/models"
        body = {"name": name, "protocol": "openid-connect", "protocolMapper": kind, "config": told}
        assert admin.post(path, json=body).status_code == 201

    return make


def user_without_enabled(admin: httpx.Client) -> None:
    """As an import does that leaves `enabled` out: the identity provider takes that as no."""
    body = {"username": "imported", "email": "imported@example.org"}
    assert admin.post("/users", json=body).status_code == 201


WRONGS = (
    Wrong("sign-outs are not told to the manager", changed(MANAGER,
    attributes={"backchannel.logout.url": ""}), f"client: {MANAGER}", "backchannel_logout_url",
    "setup identity-provider"),
    Wrong("an attribute is undeclared", undeclared("sql_password"), "attributes declared",
    "sql_password", "setup identity-provider"),
    Wrong("people may edit an attribute", exposed("filesvc_login_name"), "attributes private",
    "filesvc_login_name", "setup identity-provider"),
    Wrong("the audience mapper is missing", without_mapper(MANAGER, "audience-drive"), "audience",
    "the drive refuses them with 401", "sign out and in again"),
    Wrong("enabled was left out for a user", user_without_enabled, "users enabled", "imported",
    "`enabled`", Severity.WARNING),
    Wrong("a redirect address is a wildcard", changed(TOOL, redirectUris=[f"{TOOL}/_oauth",
    f"{TOOL}/*"]), f"redirect addresses: {TOOL}", "wildcards", "List the exact addresses",
    Severity.WARNING),
    Wrong("a redirect address is anywhere", new_client(clientId="anywhere", redirectUris=["*"]),
    "redirect addresses: anywhere", "any address", "List the exact addresses"),
    Wrong("a public client accepts passwords", new_client(clientId="old-app", publicClient=True,
    directAccessGrantsEnabled=True), "direct grants: old-app", "without a browser",
    "Switch off Direct access grants", Severity.WARNING),
    Wrong("userinfo of the hub is signed", changed(HUB, attributes={
    "user.info.response.signature.alg": "RS256"}), f"client: {HUB}", "plain JSON", "Choose"),
    Wrong("the hub's tokens carry the app password", leaking(HUB, "drive-app-password",
    "access.token.claim"), f"password in tokens: {HUB}", "filesvc_app_password", "userinfo only"),
    Wrong("the manager's tokens carry no sub", without_scope("basic"), "own client: sub", "basic",
    "default client scopes"),
    Wrong("a claim comes from elsewhere", mapped("renamed", "oidc-usermodel-attribute-mapper",
    claim__name="email", user__attribute="nickname", userinfo__token__claim="true"),
    "own client: claims", "renamed", "user attribute email"),
    Wrong("a scope that is asked for is none of the client's", without_scope("profile"),
    "own client: scopes", "invalid_scope", "default client scopes"),
    Wrong("access tokens are lightweight", changed(MANAGER, attributes={
    "client.use.lightweight.access.token.enabled": "true"}), "own client: access tokens",
    "refuses them with 401", "lightweight"),
    Wrong("another sub for the manager", mapped("pairwise", "oidc-sha256-pairwise-sub-mapper",
    pairwiseSubAlgorithmSalt="salt"), f"subject: {MANAGER}", "pairwise", "Remove the mapper"),
    Wrong("the drive's tokens cannot be verified", changed(DRIVE, attributes={
    "id.token.signed.response.alg": "HS256"}), f"client: {DRIVE}", "cannot verify", "RS256"),
    Wrong("the drive is told through the browser", changed(DRIVE, frontchannelLogout=True),
    f"sign-out: {DRIVE}", "Front channel", "Switch off", Severity.WARNING),
    Wrong("sign-outs may go anywhere", new_client(clientId="astray",
    redirectUris=["https://a.example/"], attributes={"post.logout.redirect.uris": "*"}),
    "post-logout addresses: astray", "any address", "own address", Severity.WARNING),
    Wrong("tokens live long", lambda admin: admin.put("", json={"accessTokenLifespan": 7200}),
    "token lifespan", "7200 seconds", "cannot be revoked", Severity.WARNING),
    Wrong("passwords may be tried for ever", lambda admin: admin.put("",
    json={"bruteForceProtected": False}), "brute force", "without limit", "Brute force detection",
    Severity.WARNING),
    Wrong("anybody may register", lambda admin: admin.put("", json={"registrationAllowed": True}),
    "registration", "nobody approves", "setup identity-provider"),
    Wrong("addresses become names", lambda admin: admin.put("",
    json={"registrationEmailAsUsername": True}), "registration: names", "changes with the address",
    "setup identity-provider"),
    Wrong("people rename themselves", lambda admin: admin.put("",
    json={"editUsernameAllowed": True}), "user names", "old name", "setup identity-provider"),
    Wrong("a mailbox opens an account", lambda admin: admin.put("",
    json={"resetPasswordAllowed": True}), "forgotten passwords", "mailbox", "Forgot password",
    Severity.WARNING),
    Wrong("a client is not enabled", changed(TOOL, enabled=False), f"client: {TOOL}", "enabled",
    "setup identity-provider"),
)  # fmt: skip
"""The last one ends what is found of that client: one that is not enabled harms nobody."""


PATTERN = {"pattern": {"pattern": ".*@institute[.]example", "error-message": "Institute only"}}
NO_DOTS = {"pattern": {"pattern": "[a-z0-9]+", "error-message": "Letters and digits"}}


@dataclass(frozen=True)
class Rule:
    """A rule of the profile, what the finding says of it, and whether it refuses every approval."""

    attribute: dict[str, Any]
    says: tuple[str, ...]
    severity: Severity = Severity.WARNING
    refused: bool = True


RULES = (
    Rule({"name": "costcentre", "required": {"roles": ["admin", "user"]}},
    ("costcentre", "neither locked"), Severity.FAILING),
    Rule({"name": "phone", "required": {}}, ("phone",), Severity.FAILING),
    Rule({"name": "email", "validations": PATTERN}, ("email", "institute", "Institute only")),
    Rule({"name": "username", "validations": NO_DOTS}, ("username", "a.b", "Letters and digits")),
    Rule({"name": "username", "validations": {"length": {"min": 3, "max": 12}}},
    ("username", "length"), refused=False),
    Rule({"name": "workspace_registration", "validations": {"length": {"max": 8}}},
    ("workspace_registration", "length"), Severity.FAILING),
)  # fmt: skip
ASKED_OF_PEOPLE = {"name": "nickname", "required": {"roles": ["user"]}}


@contextlib.contextmanager
def ruled(provider: ProviderUnderTest, rule: dict[str, Any]) -> Iterator[None]:
    """A profile with a rule more, as long as it lasts."""
    with provider.admin() as admin:
        before = admin.get("/users/profile").json()
        profile = copy.deepcopy(before)
        there = {one["name"]: one for one in profile["attributes"]}
        if rule["name"] not in there:
            permissions = {"view": ["admin", "user"], "edit": ["admin", "user"]}
            there[rule["name"]] = {"permissions": permissions}
        one = there[rule["name"]]
        rules = {**one.get("validations", {}), **rule.get("validations", {})}
        there[rule["name"]] = {**one, **rule, "validations": rules}
        profile["attributes"] = list(there.values())
        assert admin.put("/users/profile", json=profile).status_code == 200
        yield
        assert admin.put("/users/profile", json=before).status_code == 200


def troubles(provider: ProviderUnderTest) -> dict[str, Finding]:
    """What `check` complains of."""
    system = connect(provider.settings, resolve, wants(provider.settings.realm))
    return {f.name: f for f in system.check() if f.severity is not Severity.OK}


class CheckLife:
    """`neglected`: a realm that was set up, and goes from bad to worse: each misconfiguration is
    new when it is made.
    """

    @pytest.mark.parametrize("wrong", WRONGS, ids=lambda wrong: wrong.what)
    def test_what_is_wrong_is_found_and_answered(
        self, neglected: ProviderUnderTest, wrong: Wrong
    ) -> None:
        before = troubles(neglected)
        assert wrong.found not in before
        with neglected.admin() as admin:
            wrong.make(admin)
        found = troubles(neglected)
        finding = found[wrong.found]
        assert finding.severity is wrong.severity
        assert wrong.says in finding.text
        assert wrong.remedy in finding.remedy

    @pytest.mark.parametrize("rule", RULES, ids=lambda rule: " ".join(rule.says[:2]))
    def test_a_rule_that_would_refuse_an_approval_is_foreseen(
        self, neglected: ProviderUnderTest, rule: Rule
    ) -> None:
        name = "user profile: rules"
        assert name not in troubles(neglected)
        with ruled(neglected, rule.attribute):
            finding = troubles(neglected)[name]
            if rule.refused:
                with pytest.raises(Invalid):
                    neglected.make(f"a.{uuid.uuid4().hex[:8]}")
        assert finding.severity is rule.severity
        assert all(words in finding.text for words in rule.says)
        assert rule.attribute["name"] in finding.remedy

    def test_what_people_alone_are_asked_for_refuses_nothing(
        self, neglected: ProviderUnderTest
    ) -> None:
        with ruled(neglected, ASKED_OF_PEOPLE):
            assert "user profile: rules" not in troubles(neglected)
            assert neglected.make(f"a.{uuid.uuid4().hex[:8]}")

    @pytest.mark.parametrize(
        ("held", "right", "named"),
        [
            ({"query-users", "view-realm", "view-clients"}, "query users", "view-users"),
            ({"query-users", "view-users", "view-realm"}, "read the clients", "view-clients"),
            ({"query-users", "view-users", "view-clients"}, "token lifespan", "view-realm"),
            ({"query-users", "view-users", "view-clients", "view-realm"}, "manage users",
            "manage-users"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )  # fmt: skip
    def test_an_administrator_without_rights_is_found(
        self, neglected: ProviderUnderTest, held: set[str], right: str, named: str
    ) -> None:
        neglected.make(f"seen-{uuid.uuid4().hex[:8]}")  # where nobody is, nobody is kept from us
        with neglected.admin() as admin:
            settings = service_account(admin, neglected.settings, f"lacks-{named}", held)
        found = troubles(replace(neglected, settings=settings))
        finding = found.get(f"rights: {right}") or found[right]
        assert finding.severity is Severity.FAILING
        assert named in finding.remedy
