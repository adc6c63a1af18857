"""The stand-in as a browser sees it: sign-in with a code, one session for all clients, signing out,
locks; as recorded.
"""

import re
import time
from collections.abc import Iterator

import httpx
import pytest

from tests.systems.identity_provider.stand_in_wire import (
    BACK,
    DRIVE,
    PASSWORD,
    Browser,
    Wire,
    claims,
    clients,
    error_of,
    read_refusal,
    sent_back,
)
from workspace_sandbox.routes import NOT_SERVED
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    stand_in = IdentityProviderStandIn(clients=clients())
    with running(stand_in):
        yield Wire(stand_in)


@pytest.fixture
def browser(wire: Wire) -> Browser:
    return Browser(wire)


def find_text(pattern: str, page: httpx.Response) -> str:
    """What a page shows at this place."""
    hit = re.search(pattern, page.text)
    assert hit, page.text
    return str(hit[1])


def test_the_sign_in_page(browser: Browser) -> None:
    page = browser.authorize(login_hint="someone")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html;charset=utf-8")
    assert 'id="kc-form-login"' in page.text
    assert 'id="username" name="username" value="someone"' in page.text
    assert 'id="password" name="password"' in page.text
    assert "stand-in" in page.text
    action = find_text(r'action="([^"]+)"', page)
    assert action.startswith(
        f"{browser.wire.base}/realms/workspace/login-actions/authenticate?session_code="
    )
    assert {"AUTH_SESSION_ID", "KC_AUTH_SESSION_HASH", "KC_RESTART"} == set(browser.jar)


def test_a_code_is_good_once(wire: Wire, browser: Browser) -> None:
    user = wire.make("coder")
    back = sent_back(browser.sign_in("coder"))
    assert list(back) == ["state", "session_state", "iss", "code"]
    assert (back["state"], back["iss"]) == ("st", f"{wire.base}/realms/workspace")
    tokens = browser.exchange(back["code"]).json()
    identity = claims(tokens["id_token"])
    assert (identity["nonce"], identity["sub"], identity["sid"]) == (
        "nn",
        user,
        back["session_state"],
    )
    assert identity["auth_time"] <= time.time()
    assert read_refusal(browser.exchange(back["code"])) == (400, "invalid_grant", "Code not valid")
    assert (
        read_refusal(wire.refresh(tokens["refresh_token"]))[2]
        == "Session doesn't have required client"
    )


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"redirect_uri": f"{BACK}/other"}, "Incorrect redirect_uri"),
        ({"code_verifier": ""}, "PKCE code verifier not specified"),
        ({"code_verifier": "w" * 50}, "PKCE verification failed: Code mismatch"),
        ({"code_verifier": "short"}, "PKCE verification failed: Invalid code verifier"),
        (
            {"client_id": DRIVE, "client_secret": "drive-secret"},
            "Auth error: Found different client_id in clientSession",
        ),
    ],
)
def test_a_code_is_bound_to_its_request(
    wire: Wire, browser: Browser, form: dict[str, str], sentence: str
) -> None:
    name = f"bound{len(sentence)}"
    wire.make(name)
    code = sent_back(browser.sign_in(name))["code"]
    assert read_refusal(browser.exchange(code, **form)) == (400, "invalid_grant", sentence)


@pytest.mark.parametrize(
    ("name", "password", "text"),
    [
        ("pageuser", "wrong", "Invalid username or password."),
        ("nobody", PASSWORD, "Invalid username or password."),
        ("pageoff", "wrong", "Invalid username or password."),
        ("pageoff", PASSWORD, "Account is disabled, contact your administrator."),
    ],
)
def test_a_failed_sign_in_shows_the_page_again(
    wire: Wire, browser: Browser, name: str, password: str, text: str
) -> None:
    for known, enabled in (("pageuser", True), ("pageoff", False)):
        if not wire.admin("GET", f"users?username={known}&exact=true").json():
            wire.make(known, enabled=enabled)
    page = browser.sign_in(name, password)
    assert page.status_code == 200
    assert text in page.text
    assert 'id="kc-form-login"' in page.text


@pytest.mark.parametrize(
    ("query", "status", "text"),
    [
        ({"client_id": "nobody"}, 400, "Client not found."),
        ({"client_id": ""}, 400, "Invalid Request"),
        ({"redirect_uri": "http://evil.example/"}, 400, "Invalid parameter: redirect_uri"),
        (
            {"client_id": "broker"},
            403,
            "Bearer-only applications are not allowed to initiate browser login",
        ),
    ],
)
def test_errors_nobody_may_be_sent_back_with(
    browser: Browser, query: dict[str, str], status: int, text: str
) -> None:
    page = browser.authorize(**query)
    assert (page.status_code, error_of(page)) == (status, text)


@pytest.mark.parametrize(
    ("query", "error", "description"),
    [
        ({"response_type": ""}, "invalid_request", "Missing parameter: response_type"),
        ({"response_type": "zzz"}, "unsupported_response_type", None),
        (
            {"code_challenge_method": ""},
            "invalid_request",
            "Missing parameter: code_challenge_method",
        ),
        ({"code_challenge": ""}, "invalid_request", "Missing parameter: code_challenge"),
        ({"scope": "openid nosuch"}, "invalid_scope", "Invalid scopes: openid nosuch"),
        ({"prompt": "none"}, "login_required", None),
    ],
)
def test_errors_the_client_is_told(
    wire: Wire, browser: Browser, query: dict[str, str], error: str, description: str
) -> None:
    back = sent_back(browser.authorize(**query))
    assert (back["error"], back.get("error_description"), back["state"]) == (
        error,
        description,
        "st",
    )
    assert back["iss"] == f"{wire.base}/realms/workspace"


def test_one_session_serves_every_client(wire: Wire, browser: Browser) -> None:
    user = wire.make("single")
    first = sent_back(browser.sign_in("single"))
    drive = {
        "client_id": DRIVE,
        "redirect_uri": f"{BACK}/drive/x",
        "code_challenge": "",
        "code_challenge_method": "",
    }
    second = sent_back(browser.authorize(**drive, prompt="none"))
    assert second["session_state"] == first["session_state"]
    assert "Please re-authenticate" in browser.authorize(prompt="login").text
    sessions = wire.admin("GET", f"users/{user}/sessions").json()
    assert [sorted(session["clients"].values()) for session in sessions] == [
        [DRIVE, "https://manager.example"]
    ]
    wire.admin("PUT", f"users/{user}", {"enabled": False})
    assert sent_back(browser.authorize(prompt="none"))["error"] == "login_required"
    assert "KEYCLOAK_IDENTITY" not in browser.jar


def test_without_its_cookie_a_form_is_worth_nothing(wire: Wire, browser: Browser) -> None:
    wire.make("cookieless")
    page = browser.authorize()
    browser.jar.clear()
    answer = browser.fill(page, username="cookieless", password=PASSWORD)
    assert answer.status_code == 400
    assert error_of(answer).startswith("Restart login cookie not found.")


# --- required actions -----------------------------------------------------------------------------


def test_somebody_who_has_to_do_something_first_is_not_signed_in(
    wire: Wire, browser: Browser
) -> None:
    """The pages on which it is done are not imitated; that nobody gets past them is."""
    wire.make("temporary", credentials=[{"type": "password", "value": PASSWORD, "temporary": True}])
    document = {"username": "incomplete", "enabled": True, "credentials": [{"value": PASSWORD}]}
    wire.admin("POST", "users", document)
    for name, action in (("temporary", "UPDATE_PASSWORD"), ("incomplete", "VERIFY_PROFILE")):
        step = browser.sign_in(name)
        assert f"execution={action}" in step.headers["location"]
        page = browser.send("GET", step.headers["location"])
        assert (page.status_code, page.json()["type"]) == (501, NOT_SERVED)
        assert sent_back(browser.authorize(prompt="none"))["error"] == "login_required"


# --- the lock -------------------------------------------------------------------------------------


def test_a_lock_looks_like_a_wrong_password(wire: Wire, browser: Browser) -> None:
    user = wire.make("locked")
    wire.admin("PUT", "", {"bruteForceProtected": True, "failureFactor": 3})
    try:
        for _ in range(4):
            wire.password("locked", "wrong")
        assert read_refusal(wire.password("locked")) == (
            400,
            "invalid_grant",
            "Invalid user credentials",
        )
        assert "Invalid username or password." in browser.sign_in("locked").text
        assert wire.user(user)["enabled"] is True
        wire.admin("PUT", f"users/{user}", {"enabled": True})
        assert wire.password("locked").status_code == 200
    finally:
        wire.admin("PUT", "", {"bruteForceProtected": False})
