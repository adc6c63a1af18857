"""The stand-in as a browser, a careless client and the command-line tool see it: what was recorded
of the real one.
"""

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.systems.drive.conftest import Exists, Issuer, Switch
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.connector import Drive
from workspace_sandbox.routes import NOT_SERVED
from workspace_sandbox.stand_ins.drive import DriveStandIn

OCS = {"OCS-APIRequest": "true", "Accept": "application/json"}
SUB = "11111111-2222-4333-8444-555555555555"
ADMIN = ("admin", "Adm1n-Canary-Pw")
WHO = "/ocs/v2.php/cloud/user"


def find_text(pattern: str, page: httpx.Response) -> str:
    """What a page shows at this place."""
    hit = re.search(pattern, page.text)
    assert hit, page.text
    return str(hit[1])


def start_flow(wire: httpx.Client) -> Any:
    flow = wire.post("/index.php/login/v2", headers={"User-Agent": "workspace-manager (alice)"})
    return flow.json()


def open_grant(wire: httpx.Client, flow: Any) -> str:
    """Follow the login address to the grant link, as a browser does."""
    landing = wire.get(urlsplit(flow["login"]).path)
    assert landing.status_code == 303
    page = wire.get(landing.headers["location"])
    return find_text(r'href="(/login/v2/grant[^"]*)"', page).replace("&amp;", "&")


def sign_in(wire: httpx.Client, user: str, password: str, redirect_url: str) -> httpx.Response:
    form = {"user": user, "password": password, "redirect_url": redirect_url, "requesttoken": "a:b"}
    return wire.post("/login", data=form)


def grant(wire: httpx.Client, page: httpx.Response) -> None:
    token = find_text(r'name="stateToken" value="([^"]+)"', page)
    done = wire.post("/login/v2/grant", data={"stateToken": token, "requesttoken": "a:b"})
    assert "Account connected" in done.text


def poll(wire: httpx.Client, flow: Any) -> httpx.Response:
    return wire.post(urlsplit(flow["poll"]["endpoint"]).path, data={"token": flow["poll"]["token"]})


class TestLoginFlow:
    @pytest.mark.parametrize(
        ("typed", "login_name"),
        [("alice", "alice"), ("ALICE", "ALICE"), ("a@example.org", "alice")],
    )
    def test_with_a_local_password(
        self, wire: httpx.Client, stand_in: DriveStandIn, typed: str, login_name: str
    ) -> None:
        alice = stand_in.world.accounts.find("alice")
        assert alice is not None
        alice["email"] = "a@example.org"
        flow = start_flow(wire)
        assert len(flow["poll"]["token"]) == 128
        link = open_grant(wire, flow)
        assert poll(wire, flow).status_code == 404
        assert poll(wire, flow).text == "[]"
        to_login = wire.get(link)
        assert to_login.headers["location"].startswith(
            "/login?redirect_url=/login/v2/grant?stateToken%3D"
        )
        back = sign_in(wire, typed, "Al1ce-Pw", link)
        assert back.headers["location"] == stand_in.url + link
        grant(wire, wire.get(link))
        answer = poll(wire, flow).json()
        assert answer["loginName"] == login_name
        assert poll(wire, flow).status_code == 404
        with httpx.Client(base_url=stand_in.url, headers=OCS) as fresh:
            me = fresh.get(WHO, auth=(login_name, answer["appPassword"]))
            assert me.json()["ocs"]["data"]["id"] == "alice"
            if login_name != "alice":
                fresh.cookies.clear()
                assert fresh.get(WHO, auth=("alice", answer["appPassword"])).status_code == 401
        assert wire.get(urlsplit(flow["login"]).path).status_code == 403

    def test_through_the_identity_provider(
        self, wire: httpx.Client, stand_in: DriveStandIn, drive: Drive
    ) -> None:
        login_url, handle = drive.start_login_flow()
        link = open_grant(wire, {"login": login_url})
        page = httpx.Client(cookies=wire.cookies, follow_redirects=True).get(stand_in.url + link)
        assert "maria" in page.text
        grant(wire, page)
        polled = drive.poll_login_flow(handle)
        assert polled is not None
        login_name, app_password = polled
        assert login_name == SUB
        assert drive.credentials_work(login_name, app_password, SUB)
        assert drive.poll_login_flow(handle) is None

    def test_small_print(self, wire: httpx.Client, switch: Switch) -> None:
        flow = start_flow(wire)
        assert wire.post("/login/v2/poll").status_code == 500
        switch(advance_seconds=1201)
        assert wire.get(urlsplit(flow["login"]).path).status_code == 403
        switch(attempts={"login": 11})
        assert start_flow(wire)["poll"]["token"]


class TestSingleSignOn:
    def test_the_way_there_and_out_again(
        self, wire: httpx.Client, stand_in: DriveStandIn, issuer: Issuer
    ) -> None:
        first = wire.get("/login?redirect_url=/apps/dashboard/")
        assert first.status_code == 302
        second = wire.get(first.headers["location"])
        query = parse_qs(urlsplit(second.headers["location"]).query)
        assert query["redirect_uri"] == [f"{stand_in.url}/apps/user_oidc/code"]
        assert query["code_challenge_method"] == ["S256"]
        third = httpx.get(second.headers["location"])
        back = wire.get(third.headers["location"])
        assert (back.status_code, back.headers["location"]) == (303, "/apps/dashboard/")
        assert "welcome.txt" in wire.get("/apps/dashboard/").text
        token = wire.get(
            "/ocs/v2.php/core/getapppassword?format=json", headers={"OCS-APIRequest": "true"}
        )
        assert len(token.json()["ocs"]["data"]["apppassword"]) == 72
        out = wire.get("/apps/user_oidc/sls").headers["location"]
        assert out.startswith(
            f"{issuer.address}/logout?post_logout_redirect_uri={stand_in.url}/&client_id="
        )
        assert "id_token_hint" in out
        assert "id_token_hint" not in wire.get("/apps/user_oidc/sls").headers["location"]
        assert wire.get("/apps/dashboard/").status_code == 303

    def test_back_channel_logout_ends_the_session(
        self, wire: httpx.Client, issuer: Issuer, stand_in: DriveStandIn
    ) -> None:
        wire.get(
            httpx.get(wire.get("/apps/user_oidc/login/1").headers["location"]).headers["location"]
        )
        events: dict[str, Any] = {"http://schemas.openid.net/event/backchannel-logout": {}}
        url = "/apps/user_oidc/backchannel-logout/keycloak"
        wrong = wire.post(url, data={"logout_token": issuer.mint(aud="x", events=events, jti="1")})
        assert wrong.json()["error"] == "invalid audience"
        assert wire.post(url + "x").json()["error"] == "provider not found"
        token = issuer.mint(aud="https://drive.example.org", events=events, jti="1", sid="sid-1")
        done = wire.post(url, data={"logout_token": token})
        assert (done.status_code, done.text, done.headers["cache-control"]) == (
            200,
            "[]",
            "no-store",
        )
        assert wire.get("/apps/dashboard/").status_code == 303

    def test_a_stale_provider_in_the_session(
        self, wire: httpx.Client, stand_in: DriveStandIn
    ) -> None:
        wire.get(
            httpx.get(wire.get("/apps/user_oidc/login/1").headers["location"]).headers["location"]
        )
        stand_in.state["providers"].clear()
        gone = wire.get("/apps/user_oidc/sls")
        assert gone.status_code == 404
        assert "There is no such OpenID Connect provider." in gone.text
        assert gone.headers["x-nextcloud-bruteforce-throttled"] == "200ms"

    def test_an_insecure_address(self, wire: httpx.Client, switch: Switch) -> None:
        switch(allow_insecure_http=False)
        assert "HTTPS" in wire.get("/apps/user_oidc/login/1").text

    def test_a_code_of_nobody(self, wire: httpx.Client) -> None:
        assert wire.get("/apps/user_oidc/code?state=x&code=y").status_code == 403
        assert wire.get("/apps/user_oidc/code?error=access_denied").status_code == 400

    def test_sessions_survive_no_reset(self, wire: httpx.Client, stand_in: DriveStandIn) -> None:
        sign_in(wire, "alice", "Al1ce-Pw", "")
        httpx.post(f"{stand_in.control_url}/reset")
        assert wire.get("/apps/dashboard/").status_code == 303


class TestCookies:
    def test_a_kept_cookie_runs_the_call_as_somebody_else(
        self, wire: httpx.Client, stand_in: DriveStandIn
    ) -> None:
        alice = stand_in.world.accounts.mint("alice", "alice", "test")
        assert wire.get(WHO, headers=OCS, auth=("alice", alice)).status_code == 200
        careless = wire.get(WHO, headers=OCS, auth=("bob", "wrong"))
        assert careless.json()["ocs"]["data"]["id"] == "alice"

    def test_one_opened_with_a_password_is_looked_at_again(
        self, wire: httpx.Client, stand_in: DriveStandIn
    ) -> None:
        wire.get(WHO, headers=OCS, auth=("alice", "Al1ce-Pw"))
        bob = stand_in.world.accounts.mint("bob", "bob", "test")
        second = wire.get(WHO, headers=OCS, auth=("bob", bob))
        assert second.json()["ocs"]["data"]["id"] == "bob"

    def test_our_client_keeps_none(self, client: DriveClient, stand_in: DriveStandIn) -> None:
        for _ in range(2):
            client.whoami_admin()
        assert all("cookie" not in c for c in stand_in.ledger.items)
        assert len(stand_in.world.sessions) == 2


class TestThrottle:
    def test_the_twelfth_try_is_refused_for_everybody(self, stand_in: DriveStandIn) -> None:
        with httpx.Client(base_url=stand_in.url, headers=OCS) as fresh:
            for _ in range(11):
                assert fresh.get(WHO, auth=("alice", "no")).status_code == 401
                fresh.cookies.clear()
            assert fresh.get(WHO, auth=ADMIN).status_code == 429
            throttle = stand_in.world.throttle
            assert (throttle.attempts("127.0.0.1"), throttle.delay_ms("127.0.0.1")) == (11, 25000)

    def test_the_block_ends_after_half_an_hour(self, wire: httpx.Client, switch: Switch) -> None:
        switch(attempts={"login": 11})
        assert wire.get(WHO, headers=OCS, auth=ADMIN).status_code == 429
        switch(advance_seconds=1801)
        assert wire.get(WHO, headers=OCS, auth=ADMIN).status_code == 200

    def test_a_success_forgives_only_its_own_failures(self, stand_in: DriveStandIn) -> None:
        with httpx.Client(base_url=stand_in.url, headers=OCS) as fresh:
            fresh.get(WHO, auth=("alice", "no"))
            fresh.get(WHO, auth=("bob", "no"))
            fresh.get(WHO, auth=("alice", "Al1ce-Pw"))
        assert [a["user"] for a in stand_in.state["attempts"]] == ["bob"]


class TestCommandLine:
    def test_app_passwords(self, stand_in: DriveStandIn, wire: httpx.Client) -> None:
        code, output = stand_in.occ(
            ["php", "occ", "user:add-app-password", "alice", "-n", "--no-warnings"]
        )
        notice, label, token = output.splitlines()
        assert (code, label, len(token)) == (0, "app password:", 72)
        assert notice.startswith("No password provided.")
        assert wire.get(WHO, headers=OCS, auth=("alice", token)).status_code == 200
        assert [t["name"] for t in stand_in.world.accounts.tokens if t["uid"] == "alice"] == ["cli"]

    @pytest.mark.parametrize(
        ("argv", "code", "text"),
        [
            (["user:add-app-password", "-n", "--", "-x"], 1, "Account does not exist"),
            (["user:add-app-password", "alice"], 1, "Aborted."),
            (["user:add-app-password", "-n"], 1, "Not enough arguments"),
            (["user:add-app-password", "alice", "-n", "--name=x"], 1, "does not exist"),
            (
                ["user:add-app-password", "alice", "--password-from-env", "-n"],
                1,
                "NC_PASS is empty",
            ),
            (["user:list"], 1, "This is a stand-in"),
        ],
    )
    def test_refusals(self, stand_in: DriveStandIn, argv: list[str], code: int, text: str) -> None:
        ended, output = stand_in.occ(argv)
        assert ended == code
        assert text in output

    def test_only_its_own_user_runs_it(self, stand_in: DriveStandIn) -> None:
        assert stand_in.occ(["user:add-app-password", "alice", "-n"], user="root")[0] == 1
        assert stand_in.occ(["user:add-app-password", "alice", "-n"])[0] == 0

    def test_a_wrong_password_dies_at_the_check(
        self, stand_in: DriveStandIn, switch: Switch, wire: httpx.Client
    ) -> None:
        _, output = stand_in.occ(
            ["user:add-app-password", "alice", "--password-from-env"], environment={"NC_PASS": "no"}
        )
        token = output.splitlines()[-1]
        bearer = {**OCS, "Authorization": f"Bearer {token}"}
        assert wire.get(WHO, headers=bearer).status_code == 200
        switch(advance_seconds=301)
        wire.cookies.clear()
        assert wire.get(WHO, headers=bearer).status_code == 401


class TestFiles:
    def test_an_app_password_opens_its_own_home(
        self, wire: httpx.Client, drive: Drive, bearer: Secret
    ) -> None:
        login_name, secret, _ = drive.ensure_app_password(bearer, SUB)
        auth = (login_name, secret.reveal())
        listing = wire.request("PROPFIND", f"/remote.php/dav/files/{SUB}/", auth=auth)
        assert (listing.status_code, "welcome.txt" in listing.text) == (207, True)
        other = wire.request("PROPFIND", "/remote.php/dav/files/alice/", auth=auth)
        assert (other.status_code, "welcome" in other.text) == (207, False)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("MOVE", f"/remote.php/dav/files/{SUB}/a.txt"),
        ("GET", "/ocs/v1.php/cloud/user"),
        ("GET", "/ocs/v2.php/cloud/groups"),
        ("GET", "/settings/user"),
    ],
)
def test_what_nobody_calls_is_not_imitated(wire: httpx.Client, method: str, path: str) -> None:
    answer = wire.request(method, path, auth=ADMIN)
    assert (answer.status_code, answer.json()["type"]) == (501, NOT_SERVED)


def test_it_says_what_it_is_and_keeps_no_secret(
    wire: httpx.Client, stand_in: DriveStandIn, drive: Drive, bearer: Secret
) -> None:
    assert "stand-in" in wire.get("/").text
    _, secret, _ = drive.ensure_app_password(bearer, SUB)
    assert secret.reveal() not in json.dumps(stand_in.state)
    shown = httpx.get(f"{stand_in.control_url}/state").text
    assert "client-secret" not in shown
    assert 'password"' not in shown.replace("app_passwords", "")


def test_unknown_options_are_refused(stand_in: DriveStandIn) -> None:
    answer = httpx.post(f"{stand_in.control_url}/settings", json={"nonsense": 1})
    assert answer.status_code == 400


@pytest.mark.parametrize("host", ["evil.example.org", "drive.example.org:80"])
def test_an_untrusted_host(stand_in: DriveStandIn, host: str) -> None:
    assert httpx.get(stand_in.url + WHO, headers={"Host": host}).status_code == 400


def test_a_creation_may_end_in_an_internal_error_and_have_happened(
    wire: httpx.Client, switch: Switch, exists: Exists
) -> None:
    switch(broken_creation=True)
    form = {"userid": "carol", "password": "Some-Loopback-Pw1"}
    answer = wire.post("/ocs/v2.php/cloud/users", data=form, headers=OCS, auth=ADMIN)
    assert (answer.status_code, "<statuscode>500</statuscode>" in answer.text) == (500, True)
    assert "carol" in exists()
