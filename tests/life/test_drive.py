"""Connecting the drive, over HTTP, in a running workspace: by the sign-in, in the browser, and what
a sign-in cleans up.
"""

import uuid
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest

from tests.life.browser import Browser, document
from tests.life.person import PASSWORD, Life, Workspace
from workspace_sandbox.patience import eventually

pytestmark = pytest.mark.thorough
NO_ERROR = {
    f"{which}_error{form}": None
    for which in ("bearer", "browser", "stored")
    for form in ("", "_message")
}


@pytest.fixture
def newcomer(stand_ins: Workspace) -> Life:
    """Somebody who has signed in for the first time, and has disconnected the drive since."""
    life = come_in(stand_ins)
    eventually("connected by the first sign-in", lambda: drive(life)["connected"])
    assert life.call("DELETE", "/me/drive").status_code == 204
    return life


def come_in(workspace: Workspace) -> Life:
    life = Life(workspace, f"d{uuid.uuid4().hex[:8]}")
    life.register()
    life.approve()
    assert life.sign_in().status_code == 200
    return life


def test_the_first_sign_in_connects_and_leaves_one_app_password(stand_ins: Workspace) -> None:
    life = come_in(stand_ins)
    eventually("connected by the first sign-in", lambda: drive(life)["connected"])
    accounts = stand_ins.control("drive", "/state")["accounts"]
    there = next(one for one in accounts if one["id"] == life.sub)
    assert (there["app_passwords"], there["temporary_tokens"]) == (1, 0)


def drive(life: Life) -> Any:
    answer = life.call("GET", "/me/drive")
    assert answer.status_code == 200, answer.text
    return answer.json()


def attributes(life: Life) -> dict[str, str]:
    """The two attributes, as the identity provider tells its administrator."""
    user = admin(life.workspace).get(f"/users/{life.sub}").json()
    kept = user.get("attributes", {})
    return {name: kept[name][0] for name in kept if name.startswith("filesvc_")}


def admin(workspace: Workspace) -> httpx.Client:
    told = workspace.system("identity_provider")
    http = httpx.Client(trust_env=False)
    form = {
        "grant_type": "password",
        "client_id": "admin-cli",
        "username": told["admin_username"],
        "password": told["admin_password"],
    }
    granted = http.post(f"{told['url']}/realms/master/protocol/openid-connect/token", data=form)
    http.headers["Authorization"] = f"Bearer {granted.json()['access_token']}"
    http.base_url = f"{told['url']}/admin/realms/{told['realm']}"
    return http


def write(life: Life, **values: str) -> None:
    """Change attributes at the identity provider itself."""
    http = admin(life.workspace)
    user = http.get(f"/users/{life.sub}").json()
    user["attributes"] |= {name: [value] for name, value in values.items()}
    assert http.put(f"/users/{life.sub}", json=user).status_code == 204


def opens(workspace: Workspace, login_name: str, app_password: str) -> str | None:
    """Whose account an app password opens, asked of the drive itself."""
    url = f"{workspace.system('drive')['url']}/ocs/v2.php/cloud/user"
    headers = {"OCS-APIRequest": "true", "Accept": "application/json"}
    headers["Authorization"] = f"Bearer {app_password}"
    answer = httpx.get(url, headers=headers, trust_env=False)
    return str(answer.json()["ocs"]["data"]["id"]) if answer.status_code == 200 else None


def grant(address: str, username: str) -> None:
    """Open the address, sign in at the drive as somebody, and allow what is asked."""
    browser = Browser()
    page = browser.get(address)
    link = document(page.text).get_element_by_id("login").attrib["href"]
    page = browser.sign_in(urljoin(str(page.url), link), username, PASSWORD)
    form = document(page.text).forms[0]
    done = browser.http.post(urljoin(str(page.url), form.action), data=dict(form.form_values()))
    assert "connected" in done.text
    browser.close()


def test_looking_makes_nothing(newcomer: Life) -> None:
    before = newcomer.workspace.control("drive", "/calls")["next"]
    assert drive(newcomer) == {
        "connected": False, "method": None, "login_name": None,
        **NO_ERROR,
    }  # fmt: skip
    calls = newcomer.workspace.control("drive", f"/calls?since={before}")["items"]
    assert not [call for call in calls if call["effect"]]
    assert attributes(newcomer) == {}


def test_connected_with_the_sign_in(newcomer: Life) -> None:
    answer = newcomer.call("POST", "/me/drive")
    shown = {"connected": True, "method": "bearer", "login_name": newcomer.sub}
    assert answer.json() == {**shown, **NO_ERROR}
    kept = attributes(newcomer)
    assert kept["filesvc_login_name"] == newcomer.sub
    assert opens(newcomer.workspace, newcomer.sub, kept["filesvc_app_password"]) == newcomer.sub
    assert kept["filesvc_app_password"] not in answer.text
    assert newcomer.call("POST", "/me/drive").json()["connected"]
    assert attributes(newcomer) == kept, "what works is left as it is"
    page = newcomer.browser.get(f"{newcomer.workspace.manager}/drive").text
    assert "Verbunden über SSO" in page or "Connected via SSO" in page
    assert kept["filesvc_app_password"] not in page


def test_connected_in_the_browser(newcomer: Life) -> None:
    assert newcomer.call("POST", "/me/drive/poll").status_code == 409
    opened = newcomer.call("POST", "/me/drive/connect").json()
    assert set(opened) == {"login_url"}
    assert newcomer.call("POST", "/me/drive/poll").json() == {"state": "pending"}
    grant(opened["login_url"], newcomer.username)
    assert newcomer.call("POST", "/me/drive/poll").json() == {"state": "connected"}
    assert drive(newcomer)["method"] == "app_password"
    first = attributes(newcomer)["filesvc_app_password"]
    assert opens(newcomer.workspace, newcomer.sub, first) == newcomer.sub
    again = newcomer.call("POST", "/me/drive/connect").json()["login_url"]
    grant(again, newcomer.username)
    assert newcomer.call("POST", "/me/drive/poll").json() == {"state": "connected"}
    assert opens(newcomer.workspace, newcomer.sub, first) is None, "the replaced one is revoked"


def test_another_account_is_refused_and_what_it_granted_is_revoked(newcomer: Life) -> None:
    other = come_in(newcomer.workspace)
    eventually("connected by the first sign-in", lambda: drive(other)["connected"])
    opened = newcomer.call("POST", "/me/drive/connect").json()["login_url"]
    grant(opened, other.username)
    answer = newcomer.call("POST", "/me/drive/poll")
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert "another account" in answer.json()["detail"]
    assert attributes(newcomer) == {}
    accounts = newcomer.workspace.control("drive", "/state")["accounts"]
    assert [one["app_passwords"] for one in accounts if one["id"] == other.sub] == [1], "its own"


def test_a_sign_in_drops_what_is_stale_and_connects_anew(newcomer: Life) -> None:
    newcomer.call("POST", "/me/drive")
    write(newcomer, filesvc_login_name="somebody-else")
    assert drive(newcomer)["connected"] is False
    later = Life(newcomer.workspace, newcomer.username, sub=newcomer.sub)
    assert later.sign_in().status_code == 200
    eventually("connected anew", lambda: drive(later)["connected"])
    assert attributes(later)["filesvc_login_name"] == later.sub


def test_a_drive_that_is_down_costs_nobody_what_is_stored(newcomer: Life) -> None:
    newcomer.call("POST", "/me/drive")
    kept = attributes(newcomer)
    fault = {"fault": "status", "status": 503, "path": "^/ocs", "method": "", "times": 1000}
    newcomer.workspace.control("drive", "/faults", fault)
    try:
        answer = newcomer.call("GET", "/me/drive")
        assert (answer.status_code, answer.json()["system"]) == (503, "drive")
        assert newcomer.call("POST", "/me/drive").status_code == 503
        later = Life(newcomer.workspace, newcomer.username, sub=newcomer.sub)
        assert later.sign_in().status_code == 200
    finally:
        newcomer.workspace.control("drive", "/faults", method="DELETE")
    assert attributes(newcomer) == kept
    assert drive(newcomer)["connected"]


def test_a_token_the_drive_does_not_take_is_told(newcomer: Life) -> None:
    newcomer.workspace.control("drive", "/settings", {"provider": {"checkBearer": False}})
    try:
        shown = newcomer.call("POST", "/me/drive").json()
    finally:
        newcomer.workspace.control("drive", "/settings", {"provider": {"checkBearer": True}})
    assert shown["connected"] is False
    assert "The drive rejected your sign-in." in shown["bearer_error"]
    assert drive(newcomer)["bearer_error"] == shown["bearer_error"]
    assert newcomer.call("POST", "/me/drive").json()["bearer_error"] is None


def test_disconnected_the_app_password_is_dead(newcomer: Life) -> None:
    newcomer.call("POST", "/me/drive")
    kept = attributes(newcomer)
    assert newcomer.call("DELETE", "/me/drive").status_code == 204
    assert attributes(newcomer) == {}
    assert opens(newcomer.workspace, newcomer.sub, kept["filesvc_app_password"]) is None
    assert drive(newcomer)["connected"] is False


def test_an_api_token_connects_nothing_by_itself(newcomer: Life) -> None:
    token = newcomer.call("POST", "/me/tokens", {"name": "laptop"}).json()["token"]
    shown = httpx.post(
        f"{newcomer.workspace.manager}/api/v1/me/drive",
        headers={"Authorization": f"Bearer {token}"},
        trust_env=False,
    ).json()
    assert shown["connected"] is False
    assert "in the browser" in shown["bearer_error"]


def test_leaving_ends_the_connection(newcomer: Life) -> None:
    newcomer.call("POST", "/me/drive")
    app_password = attributes(newcomer)["filesvc_app_password"]
    plan_id = newcomer.remove()
    eventually("gone", lambda: newcomer.plan(plan_id)["state"] == "done")
    assert opens(newcomer.workspace, newcomer.sub, app_password) is None
    step = next(s for s in newcomer.plan(plan_id)["steps"] if s["name"] == "remove_drive_account")
    assert step["state"] == "done"
