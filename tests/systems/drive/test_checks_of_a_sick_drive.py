"""A drive that answers nonsense where the checks look: a finding, or nothing; never a crash."""

import base64

import httpx
import pytest

from tests.systems.drive.conftest import FakeEngine, Issuer, MakeDrive, Switch, wants
from workspace_manager.contract.connector import Severity
from workspace_manager.systems.drive.checks import check
from workspace_manager.systems.drive.checks_login_form import login_form
from workspace_manager.systems.drive.checks_sign_in import sign_in_findings
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.settings import Settings
from workspace_sandbox.stand_ins.drive import DriveStandIn


@pytest.mark.parametrize(
    ("status", "text", "one"),
    [
        (404, "You must access Nextcloud with HTTPS", "sign_in_wants_https"),
        (404, "There is no such provider", "sign_in_does_not_begin"),
        (200, "<html>a proxy's own page</html>", "sign_in_does_not_begin"),
        (303, "", "sign_in_does_not_begin"),
    ],
)
def test_a_sign_in_that_does_not_begin(
    make_drive: MakeDrive, stand_in: DriveStandIn, status: int, text: str, one: str
) -> None:
    real = httpx.HTTPTransport()

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.startswith("/apps/user_oidc/login/"):
            return httpx.Response(status, text=text)
        return real.handle_request(request)

    found = sign_in_findings(
        DriveClient(stand_in.url, transport=httpx.MockTransport(answer)),
        Settings(base_url=stand_in.url),
        None,
        make_drive()._client.page("/login"),
        (),
    )
    assert [f.message.code for f in found if f.message] == [f"drive.{one}"]


ODD = (
    "http://[", "http://[::1/realms/x", "//", "?client_id=", "https://a.example:99999999/realms/x",
    "https://a.example/realms/" + "x" * 100_000, "https://a.example/?" + "state=1&" * 500,
)  # fmt: skip


@pytest.mark.parametrize("address", ODD, ids=lambda one: one[:24])
def test_an_address_that_is_none_is_a_finding_and_no_crash(
    stand_in: DriveStandIn, issuer: Issuer, address: str
) -> None:
    real = httpx.HTTPTransport()

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.startswith(("/apps/user_oidc/login/", "/apps/user_oidc/sls")):
            return httpx.Response(303, headers={"Location": address})
        return real.handle_request(request)

    client = DriveClient(stand_in.url, transport=httpx.MockTransport(answer))
    found = check(client, Settings(base_url=stand_in.url), None, wants(issuer.address))
    wrong = [one for one in found if one.severity is not Severity.OK]
    assert len(wrong) > 1  # Besides the administrator that is not set.
    assert all(len(one.text) < 1000 for one in wrong)


@pytest.mark.parametrize("value", ["[" * 20_000, "null", "{", "\u00b2"])
def test_a_form_that_tells_nonsense_is_no_crash(value: str) -> None:
    text = base64.b64encode(value.encode()).decode()
    names = ("alternativeLogins", "hideLoginForm", "loginResetPasswordLink")
    hidden = "".join(f'<input id="initial-state-core-{name}" value="{text}">' for name in names)

    def answer(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, text=hidden)

    client = DriveClient("http://drive.test", transport=httpx.MockTransport(answer))
    assert all(one.remedy for one in login_form(client))


@pytest.mark.parametrize("printed", ["[" * 20_000, "", "not json", '"\u00b2"', "[]", "9" * 5000])
def test_a_tool_that_prints_nonsense_is_no_crash(
    make_drive: MakeDrive, engine: FakeEngine, switch: Switch, printed: str
) -> None:
    switch(server_version="31.0.1")
    engine.prints = printed
    assert make_drive().check()


@pytest.mark.parametrize("page", ["", "Failed to contact the OIDC provider token endpoint"])
def test_a_version_that_names_no_reason_is_not_called_wrong(
    make_drive: MakeDrive, stand_in: DriveStandIn, page: str
) -> None:
    real = httpx.HTTPTransport()

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/apps/user_oidc/code":
            return httpx.Response(403, text=page)
        return real.handle_request(request)

    client = DriveClient(stand_in.url, transport=httpx.MockTransport(answer))
    login = make_drive()._client.page("/login")
    (found,) = sign_in_findings(client, Settings(base_url=stand_in.url), None, login, ())
    assert (found.severity, found.message and found.message.code) == (
        Severity.OK,
        "drive.sign_in_goes_out",
    )
