"""Each member of what a check reads at the identity provider is decided, and each that is wrong is
said, at a real provider and at its stand-in.
"""

import contextlib
import copy
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.systems.identity_provider.life_of_checks import troubles
from tests.systems.identity_provider.provider_under_test import (
    CANARY,
    ProviderUnderTest,
    resolve,
    wants,
)
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.connector import connect
from workspace_manager.systems.identity_provider.members.brokers import BROKER_TABLE
from workspace_manager.systems.identity_provider.members.profile import PROFILE_TABLE
from workspace_manager.systems.identity_provider.members.realm import REALM_TABLE
from workspace_manager.systems.identity_provider.members.required_actions import (
    REQUIRED_ACTION_TABLE,
)

OURS = (REALM_TABLE, PROFILE_TABLE, REQUIRED_ACTION_TABLE, BROKER_TABLE)

RICH: dict[str, Any] = {
    "displayName": "Workspace",
    "displayNameHtml": "<b>Workspace</b>",
    "passwordPolicy": "length(12) and notUsername(undefined)",
    "eventsExpiration": 100,
    **dict.fromkeys(("loginTheme", "emailTheme"), "keycloak"),
    "accountTheme": "keycloak.v3",
    "adminTheme": "keycloak.v2",
    "enabledEventTypes": ["LOGIN"],
    "defaultGroups": ["/some-group"],
    "smtpServer": {"host": "mail.example", "port": "25", "from": "a@example.org", "auth": "true"},
    "otpSupportedApplications": ["totpAppFreeOTPName"],
    "webAuthnPolicyAcceptableAaguids": ["a"],
    "webAuthnPolicyExtraOrigins": ["https://other.example"],
    "clientProfiles": {
        "profiles": [
            {
                "name": "p",
                "description": "",
                "executors": [
                    {"executor": "pkce-enforcer", "configuration": {"auto-configure": False}}
                ],
            }
        ]
    },
    "clientPolicies": {
        "policies": [
            {
                "name": "q",
                "description": "",
                "enabled": False,
                "profiles": ["p"],
                "conditions": [{"condition": "any-client", "configuration": {}}],
            }
        ]
    },
    "attributes": {
        "acr.loa.map": "{}",
        "adminEventsExpiration": "100",
        "shortVerificationUri": "",
        "actionTokenGeneratedByUserLifespan.verify-email": "100",
        "client.session.idle.timeout": "0",
        "saml.signature.algorithm": "",
        "frontendUrl": "https://id.example",
    },
}
"""Members that a realm has once somebody filled them in."""
DECLARED = {
    "name": "phone",
    "displayName": "Phone",
    "annotations": {"inputType": "tel"},
    "validations": {"length": {"max": 20}},
    "required": {"roles": ["user"]},
    "permissions": {"view": ["user"], "edit": ["user"]},
    "multivalued": True,
    "selector": {"scopes": ["phone"]},
    "group": "user-metadata",
    "defaultValue": "0",
}
BROKER = {"alias": "university", "providerId": "oidc", "enabled": True, "config": {"clientId": "x"}}


@dataclass(frozen=True)
class Wrong:
    """Members of a realm that somebody set wrongly, the finding that says so, and its words."""

    members: dict[str, Any]
    found: str
    says: str
    severity: Severity = Severity.WARNING


WRONGS = (
    Wrong({"enabled": False}, "realm enabled", "nobody can sign in", Severity.FAILING),
    Wrong({"duplicateEmailsAllowed": True, "loginWithEmailAllowed": False}, "e-mail addresses",
    "same e-mail address"),
    Wrong({"defaultSignatureAlgorithm": "HS256"}, "signatures", "nobody else", Severity.FAILING),
    Wrong({"notBefore": int(time.time()) + 86_400}, "revocation", "refuses every token",
    Severity.FAILING),
    Wrong({"permanentLockout": True}, "lockout", "until an administrator"),
    Wrong({"maxFailureWaitSeconds": 604_800}, "lockout", "604800 seconds"),
    Wrong({"failureFactor": 1}, "lockout", "1 wrong"),
    Wrong({"verifyEmail": True}, "e-mail", "no mail server"),
    Wrong({"supportedLocales": ["en"]}, "internationalisation", "lack de"),
    Wrong({"accessCodeLifespan": 2, "ssoSessionIdleTimeout": 60}, "times",
    "Client Login Timeout (2 s), SSO Session Idle (60 s)"),
    Wrong({"accessTokenLifespan": 5}, "times", "Access Token Lifespan (5 s)"),
    Wrong({"rememberMe": True, "ssoSessionMaxLifespanRememberMe": 9_999_999}, "session lifespan",
    "two weeks"),
)  # fmt: skip


@contextlib.contextmanager
def realm_with(provider: ProviderUnderTest, **members: Any) -> Iterator[None]:
    """The realm with other members, as long as it lasts."""
    with provider.admin() as admin:
        before = admin.get("").json()
        assert admin.put("", json=members).status_code == 204
        try:
            yield
        finally:
            back = {name: before.get(name) for name in members}
            assert admin.put("", json=back).status_code == 204


@contextlib.contextmanager
def profile_with(provider: ProviderUnderTest, **members: Any) -> Iterator[None]:
    """The user profile with other members, as long as it lasts."""
    with provider.admin() as admin:
        before = admin.get("/users/profile").json()
        assert admin.put("/users/profile", json={**before, **members}).status_code == 200
        try:
            yield
        finally:
            assert admin.put("/users/profile", json=before).status_code == 200


def attributes(provider: ProviderUnderTest) -> list[dict[str, Any]]:
    with provider.admin() as admin:
        found: list[dict[str, Any]] = admin.get("/users/profile").json()["attributes"]
        return copy.deepcopy(found)


def administrator(provider: ProviderUnderTest, roles: set[str]) -> ProviderUnderTest:
    """A user of the realm master, who has these roles of our realm and no others."""
    name = f"admin-{uuid.uuid4().hex[:8]}"
    master = replace(provider, settings=replace(provider.settings, realm="master"))
    with master.admin() as admin:
        user = {
            "username": name,
            "enabled": True,
            "email": f"{name}@example.org",
            "firstName": "Ada",
            "lastName": "Example",
            "emailVerified": True,
            "credentials": [{"type": "password", "value": CANARY}],
        }
        made = admin.post("/users", json=user).headers["location"].rpartition("/")[2]
        wanted = {"clientId": f"{provider.settings.realm}-realm"}
        owner = admin.get("/clients", params=wanted).json()[0]["id"]
        chosen = [
            one for one in admin.get(f"/clients/{owner}/roles").json() if one["name"] in roles
        ]
        answer = admin.post(f"/users/{made}/role-mappings/clients/{owner}", json=chosen)
        assert answer.status_code == 204
    settings = replace(provider.settings, admin_username=name, admin_password=Secret(CANARY))
    return replace(provider, settings=settings)


def new_in(provider: ProviderUnderTest, before: dict[str, Finding]) -> dict[str, Finding]:
    return {name: one for name, one in troubles(provider).items() if name not in before}


class RealmMemberLife:
    """`provider`: a realm that was set up. `new_provider`: one that nobody touched yet, for one
    test.
    """

    # --- decided ----------------------------------------------------------------------------------

    def test_each_member_has_a_row(self, new_provider: ProviderUnderTest) -> None:
        with new_provider.admin() as admin:
            admin.post("/groups", json={"name": "some-group"})
            assert admin.put("", json=RICH).status_code == 204
            profile = admin.get("/users/profile").json()
            profile["attributes"].append(DECLARED)
            assert admin.put("/users/profile", json=profile).status_code == 200
            more = {"linkOnly": True, "trustEmail": True, "displayName": "University"}
            made = admin.post("/identity-provider/instances", json={**BROKER, **more})
            assert made.status_code == 201, made.text
            documents: list[Any] = [
                [admin.get("").json()],
                [admin.get("/users/profile").json()],
                admin.get("/authentication/required-actions").json(),
                admin.get("/identity-provider/instances").json(),
            ]
        for table, entries in zip(OURS, documents, strict=True):
            assert entries
            assert [table.undecided(one) for one in entries] == [()] * len(entries)

    def test_a_realm_that_was_just_set_up_is_as_it_should_be(
        self, new_provider: ProviderUnderTest
    ) -> None:
        """The client without a browser is ours, and wrong for a workspace."""
        new_provider.set_up()
        assert set(troubles(new_provider)) == {"direct grants: probe"}

    # --- said -------------------------------------------------------------------------------------

    @pytest.mark.parametrize("wrong", WRONGS, ids=lambda wrong: " ".join(wrong.members))
    def test_a_member_that_is_wrong_is_said(
        self, provider: ProviderUnderTest, wrong: Wrong
    ) -> None:
        before = troubles(provider)
        with realm_with(provider, **wrong.members):
            found = new_in(provider, before)
        assert list(found) == [wrong.found]
        finding = found[wrong.found]
        assert finding.severity is wrong.severity
        assert wrong.says in finding.text
        assert finding.remedy

    def test_everybody_in_the_group_of_a_stack_is_said(
        self, new_provider: ProviderUnderTest
    ) -> None:
        with new_provider.admin() as admin:
            admin.post("/groups", json={"name": "garden-user"})
            assert admin.put("", json={"defaultGroups": ["/garden-user"]}).status_code == 204
        assert "garden-user" in troubles(new_provider)["default groups"].text

    @pytest.mark.parametrize("name", ["email", "firstName", "timezone"])
    def test_what_an_administrator_may_not_write_is_said(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        """It would be dropped, without a word."""
        declared = attributes(provider)
        for one in declared:
            if one["name"] == name:
                one["permissions"] = {"view": ["admin", "user"], "edit": ["user"]}
        before = troubles(provider)
        with profile_with(provider, attributes=declared):
            found = new_in(provider, before)
        assert name in found["attributes written"].text

    def test_what_only_administrators_edit_needs_no_declaration(
        self, provider: ProviderUnderTest
    ) -> None:
        declared = [one for one in attributes(provider) if not one["name"].startswith("filesvc_")]
        before = troubles(provider)
        with profile_with(provider, attributes=declared, unmanagedAttributePolicy="ADMIN_EDIT"):
            found = new_in(provider, before)
            left = provider.system.realm_changes(wants(provider.settings.realm))
        assert found == {}
        assert left == []

    def test_what_people_may_edit_needs_one(self, provider: ProviderUnderTest) -> None:
        declared = [one for one in attributes(provider) if not one["name"].startswith("filesvc_")]
        before = troubles(provider)
        with profile_with(provider, attributes=declared, unmanagedAttributePolicy="ENABLED"):
            found = new_in(provider, before)
        assert {"attributes private", "undeclared attributes"} == set(found)

    @pytest.mark.parametrize(
        ("alias", "enabled", "says"),
        [
            ("delete_account", True, "delete their own"),
            ("UPDATE_PASSWORD", False, "never asked for a new password"),
        ],
    )
    def test_what_people_are_asked_is_said(
        self, new_provider: ProviderUnderTest, alias: str, enabled: bool, says: str
    ) -> None:
        before = troubles(new_provider)
        path = f"/authentication/required-actions/{alias}"
        with new_provider.admin() as admin:
            actions = admin.get("/authentication/required-actions").json()
            (action,) = (one for one in actions if one["alias"] == alias)
            assert admin.put(path, json={**action, "enabled": enabled}).status_code == 204
        found = new_in(new_provider, before)
        assert list(found) == ["required actions"]
        assert says in found["required actions"].text

    def test_who_else_lets_people_in_is_said(self, new_provider: ProviderUnderTest) -> None:
        before = troubles(new_provider)
        with new_provider.admin() as admin:
            for alias, more in {"a": {}, "b": {"linkOnly": True}, "c": {"enabled": False}}.items():
                body = {**BROKER, "alias": alias, **more}
                made = admin.post("/identity-provider/instances", json=body)
                assert made.status_code == 201, made.text
        assert list(new_in(new_provider, before)) == ["sign-in through a"]

    # --- one cause once ---------------------------------------------------------------------------

    def test_a_realm_that_wants_https_says_so(self, new_provider: ProviderUnderTest) -> None:
        with new_provider.admin() as admin:
            assert admin.put("", json={"sslRequired": "all"}).status_code == 204
        (only,) = troubles(new_provider).values()
        assert "https" in only.text
        assert "Require SSL" in only.remedy
        assert new_provider.settings.realm in only.remedy
        assert "role" not in only.text + only.remedy

    @pytest.mark.parametrize("realm", ["master", "nobody-made-it"])
    def test_a_realm_that_is_no_workspace_is_said_and_nothing_else(
        self, provider: ProviderUnderTest, realm: str
    ) -> None:
        other = replace(provider, settings=replace(provider.settings, realm=realm))
        (only,) = troubles(other).values()
        assert (only.name, only.severity) == ("settings: realm", Severity.FAILING)
        assert realm in only.text
        assert only.hides == ("*",)
        with pytest.raises(Invalid) as refused:
            connect(other.settings, resolve).realm_changes(wants(realm))
        assert "realm" in refused.value.advice
        with replace(
            provider, settings=replace(provider.settings, realm="master")
        ).admin() as admin:
            made = {one["clientId"] for one in admin.get("/clients").json()}
        assert not made & {one.client_id for one in wants(realm).clients}

    def test_who_may_not_see_the_realm_is_told_what_a_user_of_master_can_have(
        self, new_provider: ProviderUnderTest
    ) -> None:
        new_provider.set_up()
        few = {"query-users", "view-users", "view-clients", "manage-users", "manage-clients"}
        found = troubles(administrator(new_provider, few))
        ours = f"of {new_provider.settings.realm}-realm"
        assert "attributes declared" not in found
        assert ours in found["token lifespan"].remedy
        wanting = {name for name, one in found.items() if "Give the administrator" in one.remedy}
        assert {"token lifespan", "rights: read the identity providers"} <= wanting
        assert all(ours in found[name].remedy for name in wanting)

    def test_a_disabled_realm_says_so_to_its_own_service_account(
        self, new_provider: ProviderUnderTest
    ) -> None:
        """A realm that is disabled answers an administrator of master, and gives a service account
        of its own no token.
        """
        with new_provider.admin() as admin:
            assert admin.put("", json={"enabled": False}).status_code == 204
        realm = f"{new_provider.settings.url}/realms/{new_provider.settings.realm}"
        url = f"{realm}/protocol/openid-connect/token"
        settings = replace(
            new_provider.settings,
            admin_username="service-account-robot",
            admin_password=Secret(CANARY),
            token_url=url,
        )
        (only,) = troubles(replace(new_provider, settings=settings)).values()
        assert only.name == "sign-in"
        assert f"the realm {new_provider.settings.realm} is not enabled" in only.text
