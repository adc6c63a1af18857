"""Every misconfiguration of a drive that a check can see, made on a real one, one by one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from tests.life.person import Workspace
from tests.life.test_drive import admin, come_in
from tests.real.nextcloud_workspace import account, ocs
from tests.real.nextcloud_wrongs import (
    Do,
    Wrong,
    account_named,
    of_app,
    of_column,
    of_provider,
    of_server,
    of_text,
    second_provider,
    with_provider,
    without_provider,
)
from tests.sample import some_of
from tests.systems.drive.documents import documents
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.containers import ContainerEngine, ContainerState, ExecResult
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive import SYSTEM
from workspace_manager.systems.drive.connector import Drive, connect
from workspace_manager.systems.drive.realm import drive_client
from workspace_manager.systems.drive.settings import Settings
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_sandbox.patience import eventually
from workspace_sandbox.real.nextcloud import HEAD, RELEASED, Inside

SIGN_IN, SIGN_OUT = "sign-in goes to the identity provider", "single logout"
APP, PROVIDER, IDS = "OpenID Connect app", "OpenID Connect provider", "account ids"
WAY, FORM = "steps of a sign-in", "sign-in form for emergencies"
FILE = "configuration file"
ASKS, BACK_ENDS = "asks for a password", "allow_multiple_user_backends"
SUB = "11111111-2222-4333-8444-555555555555"

CARELESS = (
    ("user_oidc auto_provision", "false", "boolean"),
    # As text, which this switch takes for a no as well.
    ("user_oidc selfencoded_bearer_validation_audience_check", "false", "string"),
    ("user_oidc login_validation_audience_check", "0", "integer"),
    ("user_oidc httpclient.allowselfsigned", "true", "boolean"),
    ("auth.bruteforce.protection.enabled", "false", "boolean"),
    ("debug", "true", "boolean"),
)
ELSEWHERE = "http://127.0.0.1:9/realms/other/.well-known/openid-configuration"
WRONGS = [
    of_column(
        "the client id",
        "client_id",
        lambda inside: inside.provider("--clientid=drive"),
        (PROVIDER, "uses the client drive"),
    ),
    of_column(
        "another end of sessions",
        "end_session_endpoint",
        lambda inside: inside.provider("--endsessionendpointuri=https://other.example.org/end"),
        (SIGN_OUT, "not to our realm"),
    ),
    of_column(
        "scopes without openid",
        "scope",
        lambda inside: inside.provider("--scope=profile email"),
        (PROVIDER, "without openid"),
    ),
    of_column(
        "another realm",
        "discovery_endpoint",
        lambda inside: inside.provider(f"--discoveryuri={ELSEWHERE}"),
        (PROVIDER, "signs people in at other"),
    ),
    of_column(
        "the secret",
        "client_secret",
        lambda inside: inside.provider("--clientsecret=of nobody"),
        (WAY, "nobody can sign in"),
    ),
    of_column(
        "no post-logout address",
        "post_logout_uri",
        lambda inside: inside.ask("UPDATE oc_user_oidc_providers SET post_logout_uri=NULL"),
        (PROVIDER, "older ones answer 404"),
    ),
    replace(
        of_provider("--mapping-uid", "preferred_username", "", (PROVIDER, "preferred_username")),
        unsaid=("prefix", "unique uid"),
    ),
    of_provider(
        "--mapping-display-name", "nickname", "preferred_username", (PROVIDER, "claim nickname")
    ),
    of_server("hide_login_form", "false", "true", (FORM, "in vain")),
    of_text("lost_password_link", "https://a.example/", "disabled", (FORM, "forgotten password")),
    of_app("id4me_enabled", "1", "0", (FORM, "ID4me")),
    of_app("allow_insecure_http", "0", "1", (WAY, "unencrypted http")),
    Wrong(
        "a careless configuration file",
        lambda inside: [
            inside.told("config:system:set", *name.split(), f"--value={wrong}", f"--type={kind}")
            for name, wrong, kind in CARELESS
        ],
        lambda inside: [
            inside.told("config:system:delete", *name.split()) for name, _, _ in CARELESS
        ],
        tuple(
            (FILE, words)
            for words in (
                *("no account", "of any client in the realm: a program", "sign-ins of any client"),
                *("any certificate", "debug mode", "guessed passwords"),
            )
        ),
    ),
    of_server("user_oidc selfencoded_bearer_validation", "false", "true", (FILE, "every token")),
    of_provider("--unique-uid", "1", "0", (PROVIDER, "unique uid")),
    of_provider("--check-bearer", "0", "1", (PROVIDER, "does not check bearer")),
    of_provider("--bearer-provisioning", "0", "1", (PROVIDER, "does not take names")),
    of_provider("--send-id-token-hint", "0", "1", (PROVIDER, "ID token hint")),
    of_column(
        "the way back from a sign-out leads to another host",
        "post_logout_uri",
        lambda inside: inside.provider("--postlogouturi=https://other.example.org/"),
        (SIGN_OUT, "another host"),
    ),
    Wrong(
        "a second provider",
        second_provider,
        lambda inside: inside.told("user_oidc:provider:delete", "second", "-f"),
        (
            (PROVIDER, "2 OpenID Connect providers"),
            (SIGN_IN, "2 sign-in buttons"),
            (SIGN_OUT, "session in the drive only"),
        ),
    ),
    Wrong(
        "no provider",
        without_provider,
        with_provider,
        (
            (PROVIDER, "0 OpenID Connect providers"),
            (SIGN_OUT, "session in the drive only"),
        ),
        (ASKS,),
    ),
    replace(
        of_app(
            "allow_multiple_user_backends",
            "1",
            "0",
            (SIGN_IN, "a button"),
            (SIGN_OUT, "session continues"),
        ),
        unsaid=(ASKS,),
    ),
    of_server("user_oidc single_logout", "false", "true", (SIGN_OUT, "session continues")),
    of_server("allow_local_remote_servers", "false", "true", (SIGN_OUT, "answered 500")),
    Wrong(
        "ID4me beside other back-ends",
        lambda inside: (
            inside.told("config:app:set", "user_oidc", "id4me_enabled", "--value=1"),
            inside.told("config:app:set", "user_oidc", "allow_multiple_user_backends", "--value=1"),
        ),
        lambda inside: (
            inside.told("config:app:set", "user_oidc", "id4me_enabled", "--value=0"),
            inside.told("config:app:set", "user_oidc", "allow_multiple_user_backends", "--value=0"),
        ),
        ((SIGN_IN, "2 sign-in buttons"),),
    ),
    Wrong(
        "the app is off",
        lambda inside: inside.told("app:disable", "user_oidc"),
        lambda inside: inside.told("app:enable", "user_oidc"),
        ((SIGN_OUT, "no such page"),),
        (ASKS,),
    ),
    Wrong(
        "an app that gives no app password",
        lambda inside: inside.use_user_oidc(RELEASED),
        lambda inside: inside.use_user_oidc(HEAD),
        ((APP, "no app password for a token"),),
    ),
    account_named(f"keycloak-{SUB}", (IDS, "keycloak-")),
    account_named("a" * 64, (IDS, "account id is a hash")),
]
OFTEN = [*{tuple(name for name, _ in one.found): one for one in reversed(WRONGS)}.values()]
"""The first for each finding. The others are further members that the same calls read; each is seen
on the stand-in (systems/drive/test_checks).
"""


@dataclass(frozen=True)
class Engine:
    """The container of a drive that runs beside us."""

    drive: Inside

    def inspect(self, name: str) -> ContainerState:
        return ContainerState(id="c" * 64, name=name, image="", status="running", pid=1)

    def execute(self, _container: str, command: Sequence[str], **_how: Any) -> ExecResult:
        status, text = self.drive.occ(*command[2:])
        return ExecResult(exit_code=status, stdout=text, stderr="")


def drive(workspace: Workspace, **changed: Any) -> Drive:
    told, identity = workspace.system("drive"), workspace.system("identity_provider")
    issuer = f"{identity['url']}/realms/{identity['realm']}"
    realm = RealmWants(identity["realm"], clients=(drive_client(told["url"]),), issuer=issuer)
    engine = cast(ContainerEngine, Engine(Inside.at(**told["inside"])))
    values: dict[str, Any] = {
        "base_url": told["url"],
        "admin_username": told["admin_username"],
        "admin_password": Secret(told["admin_password"]),
        "container_name": "drive",
        **changed,
    }
    return connect(Settings(**values), lambda _ref: Secret(""), engine, realm)


def wrongs(workspace: Workspace, **changed: Any) -> list[Finding]:
    findings = drive(workspace, **changed).check()
    return [one for one in findings if one.severity is not Severity.OK]


def problems(workspace: Workspace, **changed: Any) -> dict[str, Finding]:
    return {one.name: one for one in wrongs(workspace, **changed)}


@pytest.fixture
def mended(inside: Inside) -> Iterator[list[Do]]:
    """What is done afterwards."""
    after: list[Do] = []
    yield after
    for mend in after:
        mend(inside)


def test_a_well_kept_drive_has_none(workspace: Workspace, inside: Inside) -> None:
    """And every member of what is read there is decided about."""
    assert problems(workspace) == {}
    assert inside.attempts() == 0
    engine = cast(ContainerEngine, Engine(inside))
    found = list(documents(drive(workspace)._client, engine, "drive"))
    assert {id(table) for table, _ in found} == {id(table) for table in SYSTEM.member_tables()}
    undecided = {table.document: table.undecided(one) for table, one in found}
    assert undecided == dict.fromkeys(undecided, ())


@pytest.mark.parametrize("wrong", some_of(WRONGS, OFTEN), ids=lambda wrong: wrong.name)
def test_each_misconfiguration_is_found_and_nothing_is_counted(
    workspace: Workspace, inside: Inside, mended: list[Do], wrong: Wrong
) -> None:
    mended.append(wrong.mend)
    wrong.make(inside)
    found = wrongs(workspace)
    for name, words in wrong.found:
        assert any(one.name == name and words in one.text for one in found), (words, found)
    assert all(one.remedy for one in found)
    assert [one for one in found for words in wrong.unsaid if words in one.text] == []
    # One that wants HTTPS counts every sign-in that it is not told of it, ours too.
    assert inside.attempts() == wrong.name.startswith("allow_insecure_http")
    inside.forget_attempts()


@pytest.mark.parametrize(
    ("illness", "name", "words"),
    [
        ("stopped", "reachable", ""),
        ("in maintenance", "reachable", "maintenance"),
        ("our address is blocked", "asking for our own account", ""),
    ],
)
def test_a_drive_that_is_not_well(
    workspace: Workspace, sicken: Callable[[str], None], illness: str, name: str, words: str
) -> None:
    sicken(illness)
    found = problems(workspace)
    assert words in found[name].text
    assert found[name].remedy


def test_an_account_that_another_claim_named(
    workspace: Workspace, inside: Inside, mended: list[Do]
) -> None:
    """The manager's own check knows whose it is."""
    mended.append(lambda inside: inside.provider("--mapping-uid="))
    inside.provider("--mapping-uid=preferred_username")
    life = come_in(workspace)
    eventually("their account is there", lambda: account(workspace, life.username))
    mended.append(lambda inside: inside.told("user:delete", life.username))
    found = workspace.api.post("/systems/drive/check").json()["findings"]
    (of_ids,) = [one["text"] for one in found if one["name"] == IDS]
    assert f"the claim preferred_username: {life.username} has {life.username}" in of_ids


def test_a_client_that_is_off_is_no_wrong_secret(workspace: Workspace) -> None:
    """Though the identity provider says so to the drive."""
    realm = admin(workspace)
    sought = {"clientId": workspace.system("drive")["url"]}
    (client,) = realm.get("/clients", params=sought).json()
    realm.put(f"/clients/{client['id']}", json={**client, "enabled": False})
    try:
        (found,) = wrongs(workspace)
    finally:
        realm.put(f"/clients/{client['id']}", json=client)
    assert (found.name, "Client disabled." in found.text) == (WAY, True)


def test_settings_of_ours_that_do_not_fit(workspace: Workspace, inside: Inside) -> None:
    second = {"OC_PASS": "of a second one"}
    inside.told("user:add", "--password-from-env", "second", "--group=admin", environment=second)
    real = problems(workspace, admin_username="second", admin_password=Secret("of a second one"))
    assert list(real) == ["administrator"], real
    assert "with a real password" in real["administrator"].text
    inside.told("user:delete", "second")
    assert "by hand" in problems(workspace, admin_username="")["administrator"].remedy
    wrong = problems(workspace, admin_password=Secret("wrong"))
    assert wrong["asking for our own account"].severity is Severity.FAILING
    url = workspace.system("drive")["url"].replace("127.0.0.1", "127.1")
    untrusted = problems(workspace, base_url=url)
    assert list(untrusted) == ["reachable"]
    assert "untrusted domain" in untrusted["reachable"].text
    inside.told("user:add", "--password-from-env", "plain", environment={"OC_PASS": "of plain"})
    plain = problems(workspace, admin_username="plain", admin_password=Secret("of plain"))
    assert "group admin" in plain["administrator"].text
    inside.told("user:delete", "plain")
    prefixed = problems(workspace, oidc_username_prefix="keycloak-")
    assert "prefix" in prefixed[PROVIDER].text
    inside.forget_attempts()
    assert ocs(workspace, "GET", "/cloud/user").status_code == 200
