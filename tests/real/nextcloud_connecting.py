"""Between a person and a real drive: how accounts come to be, and what becomes of the stored
credentials (the transitions of docs/explanation/drive-connection.md).
"""

import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from django.utils import timezone

from tests.drive_credentials.both import Both
from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.life.browser import Browser, document
from tests.life.holdings import Holder
from tests.life.person import PASSWORD, Life, Workspace
from tests.life.test_drive import attributes, come_in, drive, opens, write
from tests.real.nextcloud_misconfigured import drive as real_drive
from tests.real.nextcloud_workspace import (
    account,
    connected,
    grant,
    ocs,
    settings,
)
from tests.sample import first_of
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.drive_credentials import connect, in_browser
from workspace_manager.records.models import DriveFlow
from workspace_sandbox.patience import eventually
from workspace_sandbox.real.nextcloud import HEAD, RELEASED, Inside

NOT_CONNECTED = {"connected": False, "method": None, "login_name": None}
NAME, PASSWORD_ATTRIBUTE = "filesvc_login_name", "filesvc_app_password"


def read_connection(life: Life) -> dict[str, Any]:
    """How the connection stands, as the person sees it."""
    told = drive(life)
    return {name: told[name] for name in NOT_CONNECTED}


def own(life: Life, how: str) -> dict[str, Any]:
    """What somebody connected sees."""
    return {"connected": True, "method": how, "login_name": life.sub}


def disconnected(life: Life) -> None:
    assert life.call("DELETE", "/me/drive").status_code == 204


# --- how an account comes to be -------------------------------------------------------------------


def by_first_sign_in(life: Life) -> None:
    life.browser = Browser()
    assert life.sign_in().status_code == 200
    connected(life)


def by_web_login(life: Life) -> None:
    url = life.workspace.system("drive")["url"]
    browser = Browser()
    page = browser.sign_in(f"{url}/login", life.username, PASSWORD)
    assert (page.status_code, page.url.path) == (200, "/apps/dashboard/"), page.text[:500]
    browser.close()


def by_bearer_call(life: Life) -> None:
    assert Holder(life).bearer_opens_the_drive()


def by_login_flow(life: Life) -> None:
    grant(life.call("POST", "/me/drive/connect").json()["login_url"], life.username)
    assert life.call("POST", "/me/drive/poll").json() == {"state": "connected"}
    assert read_connection(life) == own(life, "app_password")


WAYS: tuple[Callable[[Life], None], ...] = (
    by_first_sign_in,
    by_web_login,
    by_bearer_call,
    by_login_flow,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_each_way_makes_the_account_of_the_subject(
    workspace: Workspace, newcomer: Life, way: Callable[[Life], None]
) -> None:
    disconnected(newcomer)
    assert ocs(workspace, "DELETE", f"/cloud/users/{newcomer.sub}").status_code == 200
    assert account(workspace, newcomer.sub) is None
    way(newcomer)
    found = account(workspace, newcomer.sub)
    assert found
    assert (found["id"], found["backend"]) == (newcomer.sub, "user_oidc")
    assert found["displayname"] == newcomer.username


PAIRS = 8


def test_who_goes_on_to_the_drive_at_once_after_the_first_sign_in_races_with_nobody(
    workspace: Workspace,
) -> None:
    """Two first requests of one new account race in the drive: one of them is ours."""
    url = workspace.system("drive")["url"]
    came = [Life(workspace, f"d{uuid.uuid4().hex[:8]}") for _ in range(PAIRS)]
    found = Counter[int]()
    for life in came:
        life.register()
        life.approve()
        assert life.sign_in().status_code == 200
        found[life.browser.get(f"{url}/login").status_code] += 1
    assert found == {200: PAIRS}, found
    for life in came:
        assert connected(life)[NAME] == life.sub


# --- absent, then stored --------------------------------------------------------------------------


def test_the_first_sign_in_leaves_one_app_password(newcomer: Life, inside: Inside) -> None:
    kept = attributes(newcomer)
    assert kept[NAME] == newcomer.sub
    assert opens(newcomer.workspace, newcomer.sub, kept[PASSWORD_ATTRIBUTE]) == newcomer.sub
    assert read_connection(newcomer) == own(newcomer, "bearer")
    assert len(inside.tokens(newcomer.sub)) == 1, "and no session that its token opened"


def test_an_app_that_gives_none_is_helped_by_the_command_line(
    workspace: Workspace, inside: Inside
) -> None:
    inside.use_user_oidc(RELEASED)
    try:
        life = come_in(workspace)
        kept = connected(life)
    finally:
        inside.use_user_oidc(HEAD)
    assert inside.tokens(life.sub) == ["cli"]
    assert opens(workspace, life.sub, kept[PASSWORD_ATTRIBUTE]) == life.sub
    disconnected(life)
    assert inside.tokens(life.sub) == []


def test_without_that_a_login_flow_connects(workspace: Workspace, inside: Inside) -> None:
    inside.use_user_oidc(RELEASED)
    settings(workspace, "drive", container_name="")
    try:
        life = come_in(workspace)
        told = eventually("refused", lambda: (d := drive(life))["bearer_error"] and d)
        assert not told["connected"]
        assert attributes(life) == {}
        assert account(workspace, life.sub), "the token has made it all the same"
        by_login_flow(life)
    finally:
        inside.use_user_oidc(HEAD)
        settings(workspace, "drive", container_name="drive")
    assert drive(life)["bearer_error"] is None
    assert inside.tokens(life.sub)[-1:] == ["workspace-manager"]


def test_a_tool_that_fails_is_told_and_no_cure_of_it_to_the_person(
    workspace: Workspace, newcomer: Life, inside: Inside
) -> None:
    disconnected(newcomer)
    inside.use_user_oidc(RELEASED)
    container(workspace, "stop")
    try:
        tried = newcomer.call("POST", "/me/drive")
        told = drive(newcomer)
        checked = workspace.api.post("/systems/drive/check").json()["findings"]
    finally:
        container(workspace, "start")
        inside.use_user_oidc(HEAD)
    assert tried.status_code == 200, tried.text
    for said in (tried.json()["bearer_error"], told["bearer_error"]):
        assert "The administrators have been notified." in said
        assert "container" not in said
    found = {one["name"]: one["severity"] for one in checked}
    assert found["OpenID Connect app"] == "failing"
    assert inside.tokens(newcomer.sub) == []


def container(workspace: Workspace, what: str) -> None:
    """Start or stop the container that the drive's command-line tool is run in."""
    told = workspace.system("container_manager")
    path = f"/api/endpoints/{told['environment_id']}/docker/containers/drive/{what}"
    key = {"X-API-Key": told["api_key"]}
    answer = httpx.post(f"{told['url']}{path}", headers=key, trust_env=False)
    assert answer.status_code in {204, 304}, answer.text


@pytest.mark.django_db
def test_a_sign_in_in_the_browser_that_the_drive_refuses_is_said_to_be_of_no_use(
    workspace: Workspace, inside: Inside
) -> None:
    """Of somebody new, where the drive makes no accounts: it tells nobody but the browser."""
    life = Life(workspace, f"d{uuid.uuid4().hex[:8]}")
    life.register()
    life.approve()
    ready: Any = {"drive": real_drive(workspace), "identity_provider": Both()}
    systems = ConnectedSystems(by_name=ready, settings=World().systems().settings)
    person = make_person(life.username, sub=life.sub)
    option = ("config:system:set", "user_oidc", "auto_provision", "--type=boolean")
    inside.told(*option, "--value=false")
    try:
        page = life.browser.get(in_browser.start(person, systems))
        asked = document(page.text).get_element_by_id("login-form").action
        refused = life.browser.sign_in(asked, life.username, PASSWORD)
    finally:
        inside.told(*option, "--value=true")
    assert refused.status_code >= 400, refused.text[-500:]
    assert in_browser.poll(person, systems) is False
    DriveFlow.objects.update(created_at=timezone.now() - in_browser.LONGEST_SIGN_IN)
    with pytest.raises(Refused, match="Connect with your sign-in"):
        in_browser.poll(person, systems)
    said = connect.status(person, systems).browser_error
    assert said
    assert "has not completed the sign-in for ten minutes" in said.english


def test_pending_until_it_is_granted_and_given_once(newcomer: Life) -> None:
    disconnected(newcomer)
    assert newcomer.call("POST", "/me/drive/poll").status_code == 409
    address = newcomer.call("POST", "/me/drive/connect").json()["login_url"]
    assert newcomer.call("POST", "/me/drive/poll").json() == {"state": "pending"}
    grant(address, newcomer.username)
    for _ in range(2):
        assert newcomer.call("POST", "/me/drive/poll").json() == {"state": "connected"}


def test_another_account_is_refused_and_what_it_granted_is_revoked(
    workspace: Workspace, newcomer: Life, inside: Inside
) -> None:
    other = come_in(workspace)
    connected(other)
    disconnected(newcomer)
    before = inside.tokens(other.sub)
    address = newcomer.call("POST", "/me/drive/connect").json()["login_url"]
    grant(address, other.username)
    granted = inside.tokens(other.sub)
    assert "workspace-manager" in granted[len(before) :]
    answer = newcomer.call("POST", "/me/drive/poll")
    assert answer.status_code == 400
    assert "another account" in answer.json()["detail"]
    assert attributes(newcomer) == {}
    granted.remove("workspace-manager")
    assert sorted(inside.tokens(other.sub)) == sorted(granted)


def test_the_name_may_be_typed_in_another_case(workspace: Workspace, newcomer: Life) -> None:
    """The identity provider, not the drive, is asked for the name: it is the subject either way."""
    disconnected(newcomer)
    address = newcomer.call("POST", "/me/drive/connect").json()["login_url"]
    grant(address, newcomer.username.upper())
    assert newcomer.call("POST", "/me/drive/poll").json() == {"state": "connected"}
    assert drive(newcomer)["login_name"] == newcomer.sub


# --- stored, then absent --------------------------------------------------------------------------


def another_login_name(life: Life, _inside: Inside) -> None:
    write(life, **{NAME: "somebody-else"})


def revoked_at_the_drive(life: Life, inside: Inside) -> None:
    inside.ask(f"DELETE FROM oc_authtoken WHERE uid = '{life.sub}'")


def account_deleted_at_the_drive(life: Life, _inside: Inside) -> None:
    assert ocs(life.workspace, "DELETE", f"/cloud/users/{life.sub}").status_code == 200


def half_a_pair(life: Life, _inside: Inside) -> None:
    write(life, **{PASSWORD_ATTRIBUTE: ""})


WORDS: dict[Callable[[Life, Inside], None], str] = {
    revoked_at_the_drive: "rejects the stored app password",
    another_login_name: "belong to another account at the drive",
    account_deleted_at_the_drive: "rejects the stored app password",
    half_a_pair: "credentials were incomplete",
}
STALE = tuple(WORDS)


@pytest.mark.parametrize("how", first_of(STALE), ids=lambda how: how.__name__)
def test_what_is_of_no_use_is_dropped_and_the_sign_in_connects_anew(
    newcomer: Life, inside: Inside, how: Callable[[Life, Inside], None]
) -> None:
    first = attributes(newcomer)
    how(newcomer, inside)
    assert read_connection(newcomer)["connected"] is False
    assert WORDS[how] in drive(newcomer)["stored_error"]
    newcomer.browser = Browser()
    assert newcomer.sign_in().status_code == 200
    again = connected(newcomer)
    assert again[NAME] == newcomer.sub
    assert again[PASSWORD_ATTRIBUTE] != first[PASSWORD_ATTRIBUTE]
    assert opens(newcomer.workspace, newcomer.sub, again[PASSWORD_ATTRIBUTE]) == newcomer.sub
    assert drive(newcomer)["stored_error"] is None


@pytest.mark.parametrize(
    "illness", first_of(["our address is blocked", "stopped", "in maintenance"])
)
def test_a_drive_that_says_nothing_of_it_leaves_everything_stored(
    newcomer: Life, sicken: Callable[[str], None], inside: Inside, illness: str
) -> None:
    kept = attributes(newcomer)
    sicken(illness)
    before = inside.attempts()
    assert newcomer.call("GET", "/me/drive").status_code in {200, 503}
    newcomer.browser = Browser()
    assert newcomer.sign_in().status_code == 200
    assert attributes(newcomer) == kept
    assert inside.attempts() == before, "and is not asked with what counts"


def test_a_legacy_id_is_accepted_where_the_prefix_was_used(
    workspace: Workspace, newcomer: Life, inside: Inside
) -> None:
    disconnected(newcomer)
    legacy = f"keycloak-{newcomer.sub}"
    inside.told("user:add", "--password-from-env", legacy, environment={"OC_PASS": "of nobody"})
    write(newcomer, **{NAME: legacy, PASSWORD_ATTRIBUTE: inside.app_password(legacy)})
    assert read_connection(newcomer)["connected"] is False
    settings(workspace, "drive", legacy_prefix="keycloak-")
    try:
        assert read_connection(newcomer)["login_name"] == legacy
        disconnected(newcomer)
        assert inside.tokens(legacy) == []
    finally:
        settings(workspace, "drive", legacy_prefix="")
        inside.told("user:delete", legacy)


def test_disconnected_nothing_of_it_opens_the_drive(newcomer: Life, inside: Inside) -> None:
    kept = attributes(newcomer)
    disconnected(newcomer)
    assert attributes(newcomer) == {}
    assert opens(newcomer.workspace, newcomer.sub, kept[PASSWORD_ATTRIBUTE]) is None
    assert inside.tokens(newcomer.sub) == []
    assert inside.attempts() == 0
    assert read_connection(newcomer) == NOT_CONNECTED


# --- a token that is not taken --------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--check-bearer=0", "--clientid=https://other.example.org"])
def test_a_token_the_drive_does_not_take_is_told(
    workspace: Workspace, newcomer: Life, inside: Inside, option: str
) -> None:
    disconnected(newcomer)
    inside.provider(option)
    try:
        told = newcomer.call("POST", "/me/drive").json()
    finally:
        own_id = workspace.system("drive")["url"]
        inside.provider("--check-bearer=1", f"--clientid={own_id}")
    assert told["connected"] is False
    assert told["bearer_error"]
    assert newcomer.call("POST", "/me/drive").json()["bearer_error"] is None


def test_unknown_people_where_none_are_made(workspace: Workspace, inside: Inside) -> None:
    """Not bearer provisioning but auto_provision decides whether a token makes an account."""
    option = ("config:system:set", "user_oidc", "auto_provision", "--type=boolean")
    inside.told(*option, "--value=false")
    try:
        life = come_in(workspace)
        eventually("refused", lambda: drive(life)["bearer_error"])
        assert account(workspace, life.sub) is None
    finally:
        inside.told(*option, "--value=true")
    by_first_sign_in(life)


def test_the_drive_counts_nothing_of_all_this(workspace: Workspace, inside: Inside) -> None:
    assert inside.attempts() == 0
    url = f"{workspace.system('drive')['url']}/status.php"
    assert httpx.get(url, trust_env=False).json()["maintenance"] is False
