"""The meaning of each answer of the drive, and what the client does and does not send."""

import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.http import Basic
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.client import PROCESS_REFUSALS, DriveClient
from workspace_manager.systems.drive.client.login_flow import Flow

JSON, XML, HTML = "application/json; charset=utf-8", "text/xml; charset=UTF-8", "text/html"
SYNTAX = "Invalid query, please check the syntax."


def envelope(code: int, message: str = "", data: Any = None) -> str:
    meta = {"status": "failure", "statuscode": code, "message": message}
    return json.dumps({"ocs": {"meta": meta, "data": [] if data is None else data}})


def xml(code: int, message: str = "") -> str:
    return (
        f'<?xml version="1.0"?>\n<ocs>\n <meta>\n  <status>failure</status>\n  '
        f"<statuscode>{code}</statuscode>\n"
        f"  <message>{message}</message>\n </meta>\n <data/>\n</ocs>\n"
    )


def answering(
    status: int,
    body: str = "",
    kind: str = JSON,
    headers: Mapping[str, str] | None = None,
    seen: list[httpx.Request] | None = None,
) -> DriveClient:
    """A client whose drive always answers so."""

    def handle(request: httpx.Request) -> httpx.Response:
        if seen is not None:
            seen.append(request)
        return httpx.Response(status, text=body, headers={"Content-Type": kind, **(headers or {})})

    PROCESS_REFUSALS.forget()
    admin = Basic("admin", Secret("pw"))
    return DriveClient("https://drive.test", admin=admin, transport=httpx.MockTransport(handle))


CASES = [
    (200, envelope(998), JSON, NotFound),
    (404, envelope(998), JSON, NotFound),
    (404, xml(998), XML, NotFound),
    (404, envelope(404, "User does not exist"), JSON, NotFound),
    (200, envelope(404, "User does not exist"), JSON, NotFound),
    (404, envelope(404, "", {"message": "User not found"}), JSON, NotFound),
    (404, envelope(404, SYNTAX), JSON, Invalid),
    (200, xml(998, SYNTAX), XML, Invalid),
    (404, "<html>nginx</html>", HTML, Invalid),
    (200, envelope(429, "Reached maximum delay"), JSON, Unavailable),
    (200, xml(429, "Reached maximum delay"), XML, Unavailable),
    (429, "<html>slow down</html>", HTML, Unavailable),
    (200, envelope(996, "Internal Server Error\n"), JSON, Unavailable),
    (500, xml(500, "Internal Server Error\n"), XML, Unavailable),
    (502, "<html>Bad gateway</html>", HTML, Unavailable),
    (503, envelope(503, "Service unavailable"), JSON, Unavailable),
    (401, envelope(997, "Current user is not logged in"), JSON, Denied),
    (401, xml(997, "Unauthorised"), XML, Denied),
    (401, "", HTML, Denied),
    (403, envelope(403, "Logged in account must be an admin"), JSON, Denied),
    (200, envelope(403, "Logged in account must be at least a sub admin"), JSON, Denied),
    (200, envelope(101), JSON, Conflict),
    (400, envelope(101), JSON, Conflict),
    (200, envelope(999), JSON, Invalid),
    (200, envelope(105), JSON, Denied),
    (412, '{"message":"CSRF check failed"}', JSON, Invalid),
    (405, "", XML, Invalid),
    (400, "<html>untrusted domain</html>", HTML, Invalid),
    (200, "<html>sign in</html>", HTML, Invalid),
    (200, "", JSON, Invalid),
    (200, "{", JSON, Invalid),
    (200, "[]", JSON, Invalid),
    (200, '{"ocs":[]}', JSON, Invalid),
    (200, '{"ocs":{"meta":{"statuscode":"x"}}}', JSON, Invalid),
    (200, "<ocs><meta>", XML, Invalid),
    (200, '<!DOCTYPE a [<!ENTITY b "c">]><ocs>&b;</ocs>', XML, Invalid),
    (204, "", JSON, Invalid),
    (302, "", HTML, Invalid),
    (303, envelope(100, "OK"), JSON, Invalid),
    (404, envelope(100, "OK"), JSON, Invalid),
]


@pytest.mark.parametrize(("status", "body", "kind", "error"), CASES)
def test_what_an_answer_means(
    status: int, body: str, kind: str, error: type[ConnectorError]
) -> None:
    with pytest.raises(error) as raised:
        answering(status, body, kind).delete_user("x")
    assert type(raised.value) is error
    assert body[:40] not in str(raised.value) or not body
    assert raised.value.advice or error is NotFound


def test_waits() -> None:
    blocked = answering(200, envelope(429, "Reached maximum delay"))
    with pytest.raises(Unavailable) as error:
        blocked.delete_user("x")
    assert error.value.retry_after == 1800
    closed = answering(
        503, "<html>", HTML, {"Retry-After": "77", "X-Nextcloud-Maintenance-Mode": "1"}
    )
    with pytest.raises(Unavailable) as error:
        closed.delete_user("x")
    assert error.value.retry_after == 77


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (403, envelope(403), JSON),
        (403, xml(403), XML),
        (200, envelope(403), JSON),
        (404, "<html>proxy</html>", HTML),
        (404, envelope(404, SYNTAX), JSON),
        (200, xml(998, SYNTAX), XML),
        (200, "", JSON),
        (200, envelope(200, "OK"), JSON),
    ],
)
def test_no_app_password_is_offered(status: int, body: str, kind: str) -> None:
    assert answering(status, body, kind).with_token(Secret("t")).create_app_password() is None


@pytest.mark.parametrize(
    ("status", "body", "kind", "error"),
    [
        (401, envelope(997, "Current user is not logged in"), JSON, Denied),
        (200, "<html>sign in</html>", HTML, Invalid),
        (403, "<html>firewall</html>", HTML, Invalid),
        (503, envelope(503), JSON, Unavailable),
        (429, envelope(429), JSON, Unavailable),
    ],
)
def test_an_app_password_that_failed_is_not_one_that_is_not_offered(
    status: int, body: str, kind: str, error: type[ConnectorError]
) -> None:
    with pytest.raises(error):
        answering(status, body, kind).with_token(Secret("t")).create_app_password()


@pytest.mark.parametrize("name", ["a/b", "..", "", "a\nb"])
def test_an_id_that_no_address_can_carry(name: str) -> None:
    seen: list[httpx.Request] = []
    with pytest.raises(Conflict):
        answering(200, envelope(200), seen=seen).delete_user(name)
    assert seen == []


@pytest.mark.parametrize(
    ("name", "sent"),
    [("with space", "with%20space"), ("f:a:b", "f%3Aa%3Ab"), ("a+ü", "a%2B%C3%BC")],
)
def test_ids_are_quoted(name: str, sent: str) -> None:
    seen: list[httpx.Request] = []
    answering(200, envelope(200, "OK"), seen=seen).delete_user(name)
    assert seen[0].url.raw_path.decode().startswith(f"/ocs/v2.php/cloud/users/{sent}?")


def test_every_call_carries_the_ocs_header_and_asks_for_json() -> None:
    seen: list[httpx.Request] = []
    answering(200, envelope(200, "OK", {"users": []}), seen=seen).list_users("x")
    assert seen[0].headers["OCS-APIRequest"] == "true"
    assert seen[0].url.params["format"] == "json"


def _unreachable(_request: httpx.Request) -> httpx.Response:
    raise AssertionError("something was sent")


def test_without_an_administrator_nothing_is_sent() -> None:
    client = DriveClient("https://drive.test", transport=httpx.MockTransport(_unreachable))
    with pytest.raises(Denied):
        client.user("x")


def test_a_refused_pair_is_sent_once_and_another_at_once() -> None:
    seen: list[httpx.Request] = []
    client = answering(401, xml(997, "Unauthorised"), XML, seen=seen)
    for _ in range(3):
        with pytest.raises(Denied):
            client.user("x")
    assert len(seen) == 1
    client.admin = Basic("admin", Secret("new"))
    with pytest.raises(Denied):
        client.user("x")
    assert len(seen) == 2


def test_a_proxys_401_is_asked_again() -> None:
    seen: list[httpx.Request] = []
    client = answering(401, "denied by proxy", "text/plain", seen=seen)
    for _ in range(2):
        with pytest.raises(Denied):
            client.user("x")
    assert len(seen) == 2


@pytest.mark.parametrize("body", ["{}", '{"id": 5}', '{"id": ""}', "[]", '"x"'])
def test_an_account_of_unknown_shape(body: str) -> None:
    with pytest.raises(Invalid):
        answering(200, envelope(200, "OK", json.loads(body))).user("x")


def test_xml_accounts_are_understood() -> None:
    body = (
        '<?xml version="1.0"?><ocs><meta><status>ok</status><statuscode>100</statuscode></meta>'
        "<data><enabled>1</enabled><id>alice</id><backend>Database</backend>"
        "<groups><element>admin</element></groups></data></ocs>"
    )
    account = answering(200, body, "application/xml").user("alice")
    assert (account.id, account.groups, account.enabled) == ("alice", ("admin",), True)


def test_xml_lists_are_understood() -> None:
    body = (
        "<ocs><meta><statuscode>100</statuscode></meta><data><users><element>a</element>"
        "<element>b</element></users></data></ocs>"
    )
    assert answering(200, body, "application/xml").list_users() == ["a", "b"]
    empty = "<ocs><meta><statuscode>100</statuscode></meta><data><users/></data></ocs>"
    assert answering(200, empty, "application/xml").list_users() == []


class TestLoginFlow:
    @staticmethod
    def start(login: str, endpoint: str) -> Flow:
        body = json.dumps({"poll": {"token": "t" * 128, "endpoint": endpoint}, "login": login})
        return answering(200, body).login_flows.start()

    def test_it_stays_with_our_drive(self) -> None:
        flow = self.start(
            "https://drive.test/login/v2/flow/abc", "https://drive.test/index.php/login/v2/poll"
        )
        assert flow.login_url == "https://drive.test/login/v2/flow/abc"
        assert "t" * 128 not in repr(flow)

    @pytest.mark.parametrize(
        ("login", "endpoint"),
        [
            ("https://evil.test/login/v2/flow/a", "https://drive.test/login/v2/poll"),
            ("https://drive.test/login/v2/flow/a", "https://evil.test/login/v2/poll"),
            ("javascript:alert(1)", "https://drive.test/login/v2/poll"),
            ("https://drive.test/login/v2/flow/a", "https://drive.test/other"),
            ("https://drive.test@evil.test/login/v2/flow/a", "https://drive.test/login/v2/poll"),
        ],
    )
    def test_another_place_is_refused(self, login: str, endpoint: str) -> None:
        with pytest.raises(Invalid):
            self.start(login, endpoint)

    @pytest.mark.parametrize(
        ("status", "body", "kind", "error"),
        [
            (404, "<html>", HTML, Invalid),
            (500, "<html>", HTML, Unavailable),
            (503, "<html>", HTML, Unavailable),
            (200, "<html>", HTML, Invalid),
            (200, "{}", JSON, Invalid),
            (403, "<html>", HTML, Denied),
        ],
    )
    def test_a_poll_that_fails(
        self, status: int, body: str, kind: str, error: type[ConnectorError]
    ) -> None:
        flow = self.start("https://drive.test/login/v2/flow/a", "https://drive.test/login/v2/poll")
        with pytest.raises(error):
            answering(status, body, kind).login_flows.poll(flow.handle)

    def test_a_start_that_is_forbidden(self) -> None:
        with pytest.raises(Denied, match="does not allow signing in"):
            answering(403, "<html>", HTML).login_flows.start()

    @pytest.mark.parametrize("name", ["", None])
    def test_a_grant_to_nobody_gives_the_app_password_so_that_it_can_be_revoked(
        self, name: str | None
    ) -> None:
        flow = self.start("https://drive.test/login/v2/flow/a", "https://drive.test/login/v2/poll")
        body = json.dumps({"server": "https://drive.test", "loginName": name, "appPassword": "p"})
        granted = answering(200, body).login_flows.poll(flow.handle)
        assert granted == ("", Secret("p"))

    def test_a_handle_that_is_none(self) -> None:
        with pytest.raises(Invalid):
            answering(200).login_flows.poll(Secret("nonsense"))
