"""The things that a realm lacks, and the documents that give it that: nothing others declared is
lost.
"""

import copy
from datetime import timedelta
from typing import Any

import pytest

from tests.systems.identity_provider.provider_under_test import DRIVE, HUB, MANAGER, TOOL, wants
from workspace_manager.contract.connector import Facts
from workspace_manager.contract.realm import ClientWants, audience_mapper
from workspace_manager.systems.drive.realm import drive_client
from workspace_manager.systems.identity_provider.realm import clients, profile
from workspace_manager.systems.identity_provider.realm.services import manager_client
from workspace_manager.systems.identity_provider.realm.wants import (
    RealmWants,
    client_want,
    covers,
    mapper_want,
    realm_requirements,
)
from workspace_manager.systems.notebook_hub.realm import hub_client
from workspace_manager.systems.ontology_editor.realm import ontology_editor_client
from workspace_manager.systems.sql_server.realm import sql_tool_client

ADMIN = {"view": ["admin"], "edit": ["admin"]}
OPEN = {"view": ["admin", "user"], "edit": ["admin", "user"]}
PROFILE: dict[str, Any] = {
    "attributes": [
        {"name": "username", "permissions": OPEN, "validations": {"length": {"min": 3}}},
        {"name": "email", "permissions": OPEN, "required": {"roles": ["user"]}},
        {"name": "sql_password", "permissions": OPEN, "required": {"roles": ["user"]}},
        {"name": "timezone", "permissions": OPEN},
    ],
    "groups": [{"name": "user-metadata"}],
    "unmanagedAttributePolicy": "ADMIN_VIEW",
}
WANT: Facts = {
    "private": ["workspace_registration", "sql_password"],
    "declared": ["timezone", "locale"],
}


# --- the profile ----------------------------------------------------------------------------------


def test_a_profile_is_completed_and_loses_nothing() -> None:
    before = copy.deepcopy(PROFILE)
    changed = profile.changed_profile(PROFILE, {}, WANT)
    assert before == PROFILE, "the document that came in is left alone"
    assert profile.profile_facts(PROFILE, {}, WANT) == {"private": [], "declared": ["timezone"]}
    assert profile.profile_facts(changed, {}, WANT) == WANT
    found = {a["name"]: a for a in changed["attributes"]}
    assert found["username"] == PROFILE["attributes"][0]
    assert found["timezone"]["permissions"] == OPEN, (
        "nothing secret: whose declaration it is does not matter"
    )
    assert found["sql_password"] == {"name": "sql_password", "permissions": ADMIN}
    assert found["workspace_registration"]["permissions"] == ADMIN
    assert changed["groups"] == PROFILE["groups"]
    assert changed["unmanagedAttributePolicy"] == "ADMIN_VIEW"
    assert profile.changed_profile(changed, {}, WANT) == changed


def test_internationalisation_brings_the_locale() -> None:
    realm = {"internationalizationEnabled": True}
    assert profile.profile_facts(PROFILE, realm, WANT)["declared"] == ["timezone", "locale"]
    changed = profile.changed_profile(PROFILE, realm, WANT)
    assert "locale" not in {a["name"] for a in changed["attributes"]}


@pytest.mark.parametrize(
    ("policy", "lost"), [(None, ["b"]), ("ADMIN_VIEW", ["b"]), ("ADMIN_EDIT", []), ("ENABLED", [])]
)
def test_what_an_undeclared_attribute_comes_to(policy: str | None, lost: list[str]) -> None:
    document = {"attributes": [{"name": "a"}], "unmanagedAttributePolicy": policy}
    assert profile.undeclared_attributes(document, ["a", "b"]) == lost


def test_what_was_lost_on_the_way_is_named() -> None:
    stored = {"attributes": PROFILE["attributes"][:2], "groups": []}
    lost = profile.profile_lost(PROFILE, stored)
    assert lost == ["sql_password", "timezone", "groups", "unmanagedAttributePolicy"]
    assert profile.profile_lost(PROFILE, PROFILE) == []


# --- clients --------------------------------------------------------------------------------------


@pytest.mark.parametrize("wanted", wants("r").clients, ids=lambda client: client.client_id)
def test_a_new_client_is_as_wanted(wanted: ClientWants) -> None:
    want = client_want(wanted)
    made = clients.changed_client(None, wanted.client_id, want)
    assert made["clientId"] == wanted.client_id
    assert made["directAccessGrantsEnabled"] is False
    assert clients.client_facts(made, want) == want
    assert clients.changed_client(made, wanted.client_id, want) == made


def test_a_client_that_is_there_keeps_what_it_has() -> None:
    there = {
        "id": "1",
        "clientId": DRIVE,
        "enabled": False,
        "publicClient": True,
        "frontchannelLogout": True,
        "directAccessGrantsEnabled": True,
        "redirectUris": ["https://old.example/cb"],
        "attributes": {
            "post.logout.redirect.uris": "https://old.example/bye",
            "backchannel.logout.session.required": "false",
            "theirs": "x",
        },
        "unknown": {"to": "us"},
    }
    want = client_want(drive_client(DRIVE, provider_name="keycloak"))
    have = clients.client_facts(there, want)
    assert not covers(have, want)
    assert have["other_redirect_uris"] == ["https://old.example/cb"]
    changed = clients.changed_client(there, DRIVE, want)
    assert covers(clients.client_facts(changed, want), want)
    assert changed["redirectUris"][0] == "https://old.example/cb"
    assert changed["attributes"]["post.logout.redirect.uris"] == (
        f"https://old.example/bye##{DRIVE}/*"
    )
    assert changed["attributes"]["theirs"] == "x"
    assert changed["attributes"]["backchannel.logout.session.required"] == "false"
    assert (changed["id"], changed["unknown"]) == ("1", {"to": "us"})
    assert changed["directAccessGrantsEnabled"] is True, "not ours to switch off; the checks say so"


@pytest.mark.parametrize(
    ("text", "uris"),
    [
        ("", []),
        ("-", []),
        ("+", ["https://a/cb"]),
        ("https://a/x", ["https://a/x"]),
        ("https://a/x##https://a/y", ["https://a/x", "https://a/y"]),
    ],
)
def test_post_logout_addresses_are_read_as_keycloak_reads_them(text: str, uris: list[str]) -> None:
    client = {"redirectUris": ["https://a/cb"], "attributes": {"post.logout.redirect.uris": text}}
    assert clients.post_logout_uris(client) == uris


def test_the_longest_token_decides() -> None:
    some: list[dict[str, Any]] = [
        {"attributes": {"access.token.lifespan": "900"}},
        {"attributes": {}},
        {},
    ]
    assert clients.token_lifespan({"accessTokenLifespan": 300}, some) == 900
    assert clients.token_lifespan({"accessTokenLifespan": 3600}, some) == 3600
    assert clients.token_lifespan({"accessTokenLifespan": 300}, []) == 300
    odd: list[dict[str, Any]] = [
        {"attributes": {"access.token.lifespan": "-1"}},
        {"attributes": None},
    ]
    assert clients.token_lifespan({"accessTokenLifespan": 300}, odd) == 300
    assert clients.token_lifespan({"realm": "only its name"}, some) is None


@pytest.mark.parametrize("said", ["²", "٣", "1e300", "9" * 5000, "soon", True, 1e300])
def test_a_lifespan_is_a_number_of_seconds_that_a_clock_can_count(said: Any) -> None:
    own: list[dict[str, Any]] = [{"attributes": {"access.token.lifespan": said}}]
    for found in (
        clients.token_lifespan({"accessTokenLifespan": 300}, own),
        clients.token_lifespan({"accessTokenLifespan": True}, own),
        clients.token_lifespan({"accessTokenLifespan": 10**30}, own),
    ):
        assert found is None or timedelta(seconds=found) < timedelta(days=40 * 366)


# --- mappers --------------------------------------------------------------------------------------

AUDIENCE = mapper_want(audience_mapper("audience-drive", DRIVE))


def test_an_equivalent_mapper_counts_under_any_name_and_on_a_default_scope() -> None:
    mapper = clients.changed_mapper(None, "their-name", AUDIENCE)
    scopes = [
        {"name": "profile", "protocolMappers": [mapper]},
        {"name": "other", "protocolMappers": [{"name": "x"}]},
    ]
    client = {"defaultClientScopes": ["profile", "email"], "protocolMappers": [{"name": "own"}]}
    found = clients.mappers_in_effect(client, scopes)
    assert [m["name"] for m in found] == ["own", "their-name"]
    assert clients.equivalent(found, AUDIENCE) == "their-name"
    assert clients.equivalent(clients.mappers_in_effect({}, scopes), AUDIENCE) == ""


def test_a_changed_mapper_keeps_its_id_and_further_settings() -> None:
    there = {
        "id": "7",
        "name": "n",
        "config": {"lightweight.claim": "true", "id.token.claim": "false"},
    }
    changed = clients.changed_mapper(there, "n", AUDIENCE)
    assert changed["id"] == "7"
    assert changed["config"]["lightweight.claim"] == "true"
    assert changed["config"]["id.token.claim"] == "true"
    assert clients.mapper_facts(changed, AUDIENCE) == AUDIENCE


@pytest.mark.parametrize(
    ("config", "name", "value"),
    [
        ({}, "access.token.claim", "false"),
        ({"access.token.claim": "true"}, "introspection.token.claim", "true"),
        ({"id.token.claim": "true"}, "userinfo.token.claim", "true"),
        (
            {"id.token.claim": "true", "userinfo.token.claim": "false"},
            "userinfo.token.claim",
            "false",
        ),
        ({}, "user.attribute", ""),
    ],
)
def test_what_is_left_out_of_a_mapper_means(config: dict[str, str], name: str, value: str) -> None:
    assert clients.effective_value(config, name) == value


# --- everything -----------------------------------------------------------------------------------


def test_passwords_reach_the_one_place_that_needs_them() -> None:
    (login, password) = hub_client(HUB).mappers
    for mapper in (login, password):
        flags = {n: v for n, v in mapper.config.items() if n.endswith("token.claim")}
        assert [n for n, v in flags.items() if v == "true"] == ["userinfo.token.claim"]
    (sql,) = sql_tool_client(TOOL).mappers
    assert sql.config["userinfo.token.claim"] == "false"
    assert sql.config["access.token.claim"] == sql.config["id.token.claim"] == "true"


def test_without_a_drive_there_is_no_audience_to_add() -> None:
    assert manager_client(MANAGER).mappers == ()
    assert ontology_editor_client("https://onto.example").client_id == "https://onto.example"


def test_clients_come_before_their_mappers_and_secrets_as_references() -> None:
    found = realm_requirements(wants("r"))
    parts = [wish.target["part"] for wish in found]
    assert parts[0] == "profile"
    for part in parts:
        kind, _, rest = part.partition(":")
        if kind == "mapper":
            client_id = rest.rpartition(":")[0]
            assert parts.index(f"client:{client_id}") < parts.index(part)
    assert [w.secrets for w in found if w.secrets] == [{"client_secret": "vault/client"}]
    assert found[0].want["private"] == [
        *("workspace_registration", "filesvc_login_name", "filesvc_app_password", "sql_password"),
    ]


def test_attribute_names_are_settings() -> None:
    renamed = RealmWants("r", "login", "app", "sql")
    assert renamed.private_attributes == ("workspace_registration", "login", "app", "sql")
    assert renamed.secret_attributes == ("app", "sql")


def test_the_implicit_flow_counts_only_where_a_client_uses_it() -> None:
    realm = {"accessTokenLifespan": 60, "accessTokenLifespanForImplicitFlow": 900}
    assert clients.token_lifespan(realm, [{"implicitFlowEnabled": False}]) == 60
    assert clients.token_lifespan(realm, [{"implicitFlowEnabled": True}]) == 900
