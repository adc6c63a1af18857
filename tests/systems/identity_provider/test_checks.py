"""Each misconfiguration shows, says what it does to people, and what to do about it."""

import functools
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from tests.systems.identity_provider.provider_under_test import DRIVE, HUB, MANAGER, TOOL
from tests.systems.identity_provider.realm_documents import (
    ACTIONS,
    BROKERS,
    DISCOVERY,
    IN_ORDER,
    ROOT,
    WANTS,
    attribute,
    client,
    documents,
    drop_mapper,
    expose,
    findings,
    lock_administrators_out,
    manage_no_client,
    map_claim,
    mapper,
    scope,
    undeclare,
)
from tests.systems.identity_provider.wire import GONE, HTML, Server, says
from workspace_manager.contract.connector import Severity
from workspace_manager.systems.identity_provider.checks import check
from workspace_manager.systems.identity_provider.client.realm import RealmClient
from workspace_manager.systems.identity_provider.client.users import UserClient, Wire
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.realm.wants import (
    RealmWants,
)


def test_a_realm_in_order_has_nothing_to_say() -> None:
    assert findings(documents()) == {}
    assert findings(documents(), RealmWants("r")) == {}


def test_lightweight_tokens_that_say_all_the_same_who_and_for_whom_are_no_fault() -> None:
    found = documents()
    attribute(found, "client.use.lightweight.access.token.enabled", "true")
    mappers = [
        *client(found, MANAGER)["protocolMappers"],
        *scope(found, "basic")["protocolMappers"],
    ]
    for one in mappers:
        one["config"]["lightweight.claim"] = "true"
    assert findings(found) == {}


def test_one_cause_is_said_once() -> None:
    """Without a scope none of its claims is missed; lightweight tokens lack no audience besides."""
    found = documents()
    client(found, MANAGER)["defaultClientScopes"] = ["basic"]
    assert list(findings(found)) == ["own client: scopes"]
    found = documents()
    attribute(found, "client.use.lightweight.access.token.enabled", "true")
    assert list(findings(found)) == ["own client: access tokens"]


BROKEN: list[tuple[Callable[[dict[str, Any]], object], str, str]] = [
    (lambda d: d[ROOT].update(accessTokenLifespan=3600), "token lifespan", "3600 seconds"),
    (lambda d: d[ROOT].update(ssoSessionMaxLifespan=9999999), "session lifespan", "two weeks"),
    (
        lambda d: d[ROOT].update(internationalizationEnabled=False),
        "internationalisation",
        "language",
    ),
    (lambda d: d[ROOT].update(bruteForceProtected=False), "brute force", "without limit"),
    (lambda d: d[ROOT].update(sslRequired="none"), "https", "unencrypted http"),
    (lambda d: d[ROOT].update(registrationAllowed=True), "registration", "nobody approves"),
    (
        lambda d: d[ROOT].update(registrationEmailAsUsername=True),
        "registration: names",
        "changes with the address",
    ),
    (lambda d: d[ROOT].update(editUsernameAllowed=True), "user names", "old name"),
    (lambda d: d[ROOT].update(resetPasswordAllowed=True), "forgotten passwords", "mailbox"),
    (lambda d: undeclare(d, "sql_password"), "attributes declared", "sql_password"),
    (lambda d: expose(d, "filesvc_login_name"), "attributes private", "filesvc_login_name"),
    (
        lambda d: d[f"{ROOT}/users/profile"].update(unmanagedAttributePolicy="ENABLED"),
        "undeclared attributes",
        "any attribute",
    ),
    (lambda d: d[f"{ROOT}/users"][0]["access"].clear(), "rights: manage users", "may not change"),
    (
        lambda d: manage_no_client(d),
        "rights: manage clients",
        "knowledge stacks with a sign-in cannot be created",
    ),
    (
        lambda d: d.update({f"{ROOT}/groups": [], f"{ROOT}/groups/count": {"count": 3}}),
        "rights: read the groups",
        "shows none of them",
    ),
    (
        lambda d: d.update({f"{ROOT}/users/profile": says(403, error="HTTP 403 Forbidden")}),
        "rights: read the user profile",
        "may not do this",
    ),
    (lambda d: d.update({ROOT: {"realm": "r"}}), "token lifespan", "none of its settings"),
    (
        lambda d: d["/realms/r/.well-known/openid-configuration"].update(issuer="http://else"),
        "reachable",
        "another address",
    ),
    (lambda d: client(d, MANAGER).update(defaultClientScopes=[]), "own client: sub", "no sub"),
    (lambda d: client(d, MANAGER).update(enabled=False), "own client", "nobody can sign in"),
    (lambda d: client(d, MANAGER).update(publicClient=True), "own client: secret", "public"),
    (
        lambda d: d.update({f"{ROOT}/clients/0/client-secret": {"value": "another"}}),
        "own client: secret",
        "every sign-in fails",
    ),
    (lambda d: drop_mapper(d, MANAGER, "audience-drive"), "audience", "401"),
    (lambda d: drop_mapper(d, HUB, "drive-login"), f"client: {HUB}", "drive-login"),
    (
        lambda d: client(d, DRIVE)["attributes"].update({"post.logout.redirect.uris": "+"}),
        f"client: {DRIVE}",
        "post_logout_uris",
    ),
    (lambda d: client(d, DRIVE).update(clientId="x"), f"client: {DRIVE}", "no such client"),
    (
        lambda d: client(d, HUB)["redirectUris"].append("https://*.example/cb"),
        f"redirect addresses: {HUB}",
        "any address",
    ),
    (
        lambda d: client(d, HUB)["redirectUris"].append(f"{HUB}/*"),
        f"redirect addresses: {HUB}",
        "wildcards",
    ),
    (
        lambda d: client(d, HUB)["attributes"].update({"post.logout.redirect.uris": "*"}),
        f"post-logout addresses: {HUB}",
        "any address",
    ),
    (
        lambda d: client(d, HUB).update(publicClient=True, directAccessGrantsEnabled=True),
        f"direct grants: {HUB}",
        "try passwords",
    ),
    (
        lambda d: client(d, DRIVE).update(frontchannelLogout=True),
        f"sign-out: {DRIVE}",
        "does not learn",
    ),
    (
        lambda d: client(d, HUB)["protocolMappers"][1]["config"].update(
            {"access.token.claim": "true"}
        ),
        f"password in tokens: {HUB}",
        "filesvc_app_password",
    ),
    (
        lambda d: client(d, HUB)["protocolMappers"].append(mapper(d, TOOL, "sql-password")),
        f"password in tokens: {HUB}",
        "sql_password",
    ),
    (
        lambda d: d[f"{ROOT}/client-scopes"][0]["protocolMappers"].append(
            mapper(d, TOOL, "sql-password")
        ),
        f"password in tokens: {DRIVE}",
        "sql_password",
    ),
]


@pytest.mark.parametrize(("spoil", "name", "text"), BROKEN)
def test_a_misconfiguration_is_found(
    spoil: Callable[[dict[str, Any]], object], name: str, text: str
) -> None:
    found = documents()
    spoil(found)
    assert text in findings(found)[name].text


IDS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda d: d[ROOT].update(registrationAllowed=True), "anybody_registers"),
    (lambda d: d[ROOT].update(registrationEmailAsUsername=True), "addresses_become_names"),
    (lambda d: d[ROOT].update(editUsernameAllowed=True), "people_rename_themselves"),
    (lambda d: d[ROOT].update(resetPasswordAllowed=True), "mailbox_opens_account"),
    (lambda d: d[f"{ROOT}/users"][0]["access"].clear(), "users_not_changeable"),
    (lambda d: manage_no_client(d), "clients_not_changeable"),
    (
        lambda d: d["/realms/r/.well-known/openid-configuration"].update(issuer="http://else"),
        "realm_has_other_address",
    ),
    (lambda d: client(d, MANAGER).update(defaultClientScopes=[]), "scope_basic_missing"),
    (lambda d: client(d, MANAGER).update(enabled=False), "no_own_client"),
    (
        lambda d: d.update({f"{ROOT}/clients/0/client-secret": {"value": "another"}}),
        "secret_differs",
    ),
    (lambda d: drop_mapper(d, MANAGER, "audience-drive"), "no_audience_mapper"),
    (lambda d: drop_mapper(d, MANAGER, "audience-drive"), "not_as_needed"),
    (
        lambda d: client(d, DRIVE)["attributes"].update({"post.logout.redirect.uris": "+"}),
        "not_as_needed",
    ),
    (lambda d: client(d, DRIVE)["redirectUris"].clear(), "not_as_needed"),
    (lambda d: client(d, DRIVE).update(clientId="x"), "no_such_client"),
    (lambda d: client(d, HUB)["redirectUris"].append("*"), "redirects_anywhere"),
    (
        lambda d: d.update({f"{ROOT}/users/profile": says(403, error="HTTP 403 Forbidden")}),
        "give_roles",
    ),
    (lambda d: client(d, MANAGER).update(defaultClientScopes=["basic"]), "scopes_missing"),
    (lambda d: client(d, MANAGER).update(defaultClientScopes=[]), "scope_basic_missing"),
    (lambda d: scope(d, "basic")["protocolMappers"].pop(), "no_sub_mapper"),
    (lambda d: scope(d, "profile").update(protocolMappers=[]), "claim_missing"),
    (lambda d: map_claim(d, "email", "nickname"), "claim_from_elsewhere"),
    (lambda d: map_claim(d, "sub", "nickname"), "another_subject"),
    (lambda d: client(d, HUB).update(bearerOnly=True), "client_is_bearer_only"),
    (
        lambda d: client(d, MANAGER).update(clientAuthenticatorType="client-jwt"),
        "client_proves_otherwise",
    ),
    (lambda d: attribute(d, "client.secret.expiration.time", "1700000000"), "secret_has_ended"),
    *(
        (functools.partial(attribute, name=name, value=value), one)
        for name, value, one in (
            ("client.use.lightweight.access.token.enabled", "true", "tokens_are_lightweight"),
            ("request.object.required", "request only", "client_wants_request_object"),
            ("require.pushed.authorization.requests", "true", "client_wants_par"),
            ("dpop.bound.access.tokens", "true", "client_binds_tokens"),
            ("tls.client.certificate.bound.access.tokens", "true", "client_binds_tokens"),
            ("id.token.encrypted.response.alg", "RSA-OAEP", "client_encrypts_id_tokens"),
            ("user.info.response.signature.alg", "RS256", "client_signs_userinfo"),
            ("user.info.encrypted.response.alg", "RSA-OAEP", "client_signs_userinfo"),
            ("id.token.signed.response.alg", "HS256", "client_signs_with_secret"),
            ("access.token.signed.response.alg", "HS256", "client_signs_with_secret"),
            ("use.refresh.tokens", "false", "client_gets_no_refresh_token"),
            (
                "client.secret.authentication.allowed.method",
                "client_secret_basic",
                "client_takes_no_form",
            ),
        )
    ),
    (lambda d: d[ROOT].update(enabled=False), "realm_is_disabled"),
    (lambda d: d[ROOT].update(duplicateEmailsAllowed=True), "addresses_are_shared"),
    (lambda d: d[ROOT].update(defaultSignatureAlgorithm="HS512"), "signatures_are_secret"),
    (lambda d: d[ROOT].update(accessCodeLifespan=1), "times_are_short"),
    (lambda d: d[ROOT].update(notBefore=int(time.time()) + 86_400), "tokens_not_yet"),
    (lambda d: d[ROOT].update(notBefore=2**63), "tokens_not_yet"),
    (lambda d: d[ROOT].update(permanentLockout=True), "locked_for_good"),
    (lambda d: d[ROOT].update(maxFailureWaitSeconds=10**6), "locked_long"),
    (lambda d: d[ROOT].update(failureFactor=2), "locked_soon"),
    (lambda d: d[ROOT].update(verifyEmail=True, smtpServer={}), "no_mail_server"),
    (lambda d: d[ROOT].update(supportedLocales=["en", "fr"]), "languages_missing"),
    (lambda d: d[ROOT].update(defaultGroups=["/garden-admin"]), "everybody_is_in_group"),
    (lambda d: lock_administrators_out(d, "timezone"), "attributes_not_writable"),
    (
        lambda d: d[ACTIONS].append({"alias": "delete_account", "enabled": True}),
        "people_delete_themselves",
    ),
    (lambda d: d[ACTIONS][0].update(enabled=False), "passwords_stay_given"),
    (lambda d: d[BROKERS].append({"alias": "a", "enabled": True}), "brokers_let_in"),
    (lambda d: d.update({DISCOVERY: says(404, error="Realm does not exist")}), "realm_not_there"),
]
"""What `docs/reference/checks.md` names; of a refusal in the server's words, its remedy's id."""


@pytest.mark.parametrize(("spoil", "one"), IDS)
def test_ids(spoil: Callable[[dict[str, Any]], object], one: str) -> None:
    found = documents()
    spoil(found)
    said = [m.code for f in findings(found).values() for m in (f.message, f.remedy_message) if m]
    assert f"identity_provider.{one}" in said


def test_the_realm_of_administrators_is_no_workspace() -> None:
    wire = Wire(replace(IN_ORDER, realm="master"), transport=httpx.MockTransport(_nobody))
    (only,) = check(UserClient(wire), RealmClient(wire), WANTS)
    assert only.message == message("realm_is_master", realm="master")


def _nobody(request: httpx.Request) -> httpx.Response:
    raise AssertionError(request.url)


def test_without_a_drive_nobody_is_missed_in_the_audience_of_tokens() -> None:
    """Setup could not mend it: there is no client to name."""
    found = documents()
    drop_mapper(found, MANAGER, "audience-drive")
    others = tuple(one for one in WANTS.clients if not one.takes_our_tokens)
    assert "audience" not in findings(found, replace(WANTS, clients=others))


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (httpx.Response(503), "reachable"),
        (HTML, "reachable"),
        (says(404, error="Realm does not exist"), "settings: realm"),
        (says(403, error_description="HTTPS required"), "reachable"),
    ],
)
def test_what_is_not_reachable_is_one_finding(answer: httpx.Response, name: str) -> None:
    found = {"/realms/r/.well-known/openid-configuration": answer}
    assert list(findings(found)) == [name]


def test_a_refused_administrator_is_one_finding() -> None:
    refused = findings(documents(), token=says(401, error="invalid_grant"))
    assert list(refused) == ["sign-in"]
    assert refused["sign-in"].severity is Severity.FAILING
    assert refused["sign-in"].name_message == message("check_sign_in")


def test_a_realm_without_users_says_nothing_about_managing_them() -> None:
    found = documents()
    found.update({f"{ROOT}/users": [], f"{ROOT}/users/count": 0})
    assert findings(found) == {}


def test_a_secret_that_is_not_shown_is_no_finding() -> None:
    found = documents()
    found[f"{ROOT}/clients/0/client-secret"] = says(403, error="HTTP 403 Forbidden")
    assert findings(found) == {}


def test_a_delete_path_without_an_id_is_found() -> None:
    users = Server(GONE).with_settings(users_delete_url="/")
    found = check(users, Server(says(200, issuer="x")).realm, WANTS)
    assert "settings: delete path" in {one.name for one in found}
