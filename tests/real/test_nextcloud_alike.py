"""Each request goes to a real Nextcloud and to its stand-in, and their answers are compared: the
status, OCS's own code and words, who is asked for credentials, and how many failed sign-ins it
counts. Only what the stand-in serves is
said: the rest it refuses in words of its own.

Both have local people alone here; what an identity provider adds is in the recorded exchanges and
in the tests of the connection.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from workspace_sandbox.real import nextcloud
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn

pytestmark = pytest.mark.real

ADMIN, ALICE, BOB = "admin", "alice", "bob"
PASSWORDS = {ALICE: "Al1ce-Pw-of-tests", BOB: "B0b-Pw-of-tests"}
META = re.compile(r"<statuscode>(\d+)</statuscode>\s*<message>([^<]*)</message>")


@dataclass
class Drive:
    """One of the two, with what was noted of its answers."""

    url: str
    admin_password: str
    occ: Any
    attempts: Callable[[], int]
    forget_attempts: Callable[[], None]
    noted: dict[str, str] = field(default_factory=dict)

    def who(self, name: str) -> Any:
        """Credentials by name: a person, "alice's app password", "wrong", or nobody."""
        if not name:
            return None
        known = {ADMIN: self.admin_password, **PASSWORDS}
        if name in known:
            return (name, known[name])
        return (ALICE, {"wrong": "wrong", **self.noted}[name])

    def ask(self, said: "SentRequest") -> tuple[Any, ...]:
        path = said.path.format(**self.noted)
        bearer = {"Authorization": f"Bearer {self.noted[said.bearer]}"} if said.bearer else {}
        headers = {"Accept": said.accept, **bearer}
        headers |= {"OCS-APIRequest": "true"} if said.header else {}
        answer = httpx.request(
            said.method, f"{self.url}{path}", auth=self.who(said.who), data=said.form or None,
            headers=headers, trust_env=False,
        )  # fmt: skip
        if said.note:
            self.noted[said.note] = answer.json()["ocs"]["data"]["apppassword"]
        where = answer.headers.get("location", "").replace(self.url, "")
        asks = "www-authenticate" in answer.headers
        counted = self.attempts()
        self.forget_attempts()
        return (answer.status_code, *meta(answer), where.partition("?")[0], asks, counted)


@dataclass(frozen=True)
class SentRequest:
    """One request. `note`: keep the app password it answers under this name."""

    method: str
    path: str
    who: str = ""
    form: Any = None
    header: bool = True
    accept: str = "application/json"
    bearer: str = ""
    note: str = ""


def meta(answer: httpx.Response) -> tuple[str, ...]:
    """OCS's own code and words, of whichever format, and what kind of document it is."""
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if kind == "application/json":
        document = answer.json()
        found = document.get("ocs", {}).get("meta") if isinstance(document, dict) else None
        if found is None:
            return (kind, str(document.get("message", "")) if isinstance(document, dict) else "[]")
        return (kind, str(found["statuscode"]), str(found["message"]).strip())
    seen = META.search(answer.text)
    return (kind, seen[1], seen[2].strip()) if seen else (kind,)


V2, JSON = "/ocs/v2.php", "?format=json"
CONVERSATION = [
    SentRequest("GET", "/status.php"),
    SentRequest("GET", f"{V2}/cloud/capabilities{JSON}"),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", ALICE),
    SentRequest("GET", f"{V2}/cloud/user{JSON}"),
    SentRequest("GET", f"{V2}/cloud/user", "wrong"),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", "wrong"),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", ALICE, header=False),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", accept="text/html"),
    SentRequest("GET", f"{V2}/cloud/user/{JSON}", ALICE),
    SentRequest("GET", f"{V2}/cloud/users/{ALICE}{JSON}", ADMIN),
    SentRequest("GET", f"{V2}/cloud/users/ALICE{JSON}", ADMIN),
    SentRequest("GET", f"{V2}/cloud/users/nobody{JSON}", ADMIN),
    SentRequest("GET", f"{V2}/cloud/users/{BOB}{JSON}", ALICE),
    SentRequest("GET", f"{V2}/cloud/users{JSON}&search=ali", ADMIN),
    SentRequest("GET", f"{V2}/cloud/users{JSON}", ALICE),
    SentRequest("GET", f"{V2}/cloud/users/details{JSON}&limit=1&offset=0", ADMIN),
    SentRequest("GET", f"{V2}/cloud/users/details{JSON}&limit=1&offset=99", ADMIN),
    SentRequest("GET", f"{V2}/cloud/users/details{JSON}&limit=1&offset=0", ALICE),
    SentRequest("POST", f"{V2}/cloud/users{JSON}", ADMIN, {"userid": ALICE, "password": "x"}),
    SentRequest("POST", f"{V2}/cloud/users{JSON}", ADMIN, {"userid": "a/b", "password": "x"}),
    SentRequest("DELETE", f"{V2}/cloud/users/nobody{JSON}", ADMIN),
    SentRequest("DELETE", f"{V2}/cloud/users/{ADMIN}{JSON}", ADMIN),
    SentRequest("DELETE", f"{V2}/cloud/users/{BOB}{JSON}", ALICE),
    SentRequest("PUT", f"{V2}/cloud/users/nobody/disable{JSON}", ADMIN),
    SentRequest("PUT", f"{V2}/cloud/users/{ADMIN}/disable{JSON}", ADMIN),
    SentRequest("GET", f"{V2}/core/getapppassword{JSON}"),
    SentRequest("DELETE", f"{V2}/core/apppassword{JSON}", ALICE),
    SentRequest("DELETE", f"{V2}/core/apppassword{JSON}"),
    SentRequest("GET", f"{V2}/cloud/apps/user_oidc{JSON}", ADMIN),
    SentRequest("GET", f"{V2}/cloud/apps/user_oidc{JSON}", ALICE),
    SentRequest("GET", f"{V2}/cloud/apps/nothing{JSON}", ADMIN),
    SentRequest("GET", f"{V2}/core/getapppassword{JSON}", ALICE, note="first"),
    SentRequest("GET", f"{V2}/core/getapppassword{JSON}", ALICE, note="second"),
    SentRequest("GET", f"{V2}/core/getapppassword{JSON}", "first"),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", "first"),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", bearer="first"),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", bearer="first", header=False),
    SentRequest("PROPFIND", f"/remote.php/dav/files/{ALICE}/", "first", accept="*/*"),
    SentRequest("PROPFIND", f"/remote.php/dav/files/{BOB}/", "first", accept="*/*"),
    SentRequest("PROPFIND", f"/remote.php/dav/files/{ALICE}/", "wrong", accept="*/*"),
    SentRequest("DELETE", f"{V2}/core/apppassword{JSON}", "first", header=False),
    SentRequest("DELETE", f"{V2}/core/apppassword{JSON}", bearer="first"),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", bearer="first"),
    SentRequest("DELETE", f"{V2}/core/apppassword{JSON}", "second"),
    SentRequest("DELETE", f"{V2}/core/apppassword{JSON}", "second"),
    SentRequest("GET", f"{V2}/core/getapppassword{JSON}", ALICE, note="third"),
    SentRequest("PUT", f"{V2}/cloud/users/{ALICE}/disable{JSON}", ADMIN),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", ALICE),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", "third"),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", bearer="third"),
    SentRequest("PROPFIND", f"/remote.php/dav/files/{ALICE}/", "third", accept="*/*"),
    SentRequest("PROPFIND", f"/remote.php/dav/files/{ALICE}/", bearer="third", accept="*/*"),
    SentRequest("PROPFIND", f"/remote.php/dav/files/{ALICE}/", ALICE, accept="*/*"),
    SentRequest("DELETE", f"{V2}/core/apppassword{JSON}", bearer="third"),
    SentRequest("PUT", f"{V2}/cloud/users/{ALICE}/enable{JSON}", ADMIN),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", bearer="third"),
    SentRequest("GET", f"{V2}/apps/user_oidc/api/v1/provider{JSON}", ADMIN),
    SentRequest("GET", f"{V2}/apps/user_oidc/api/v1/provider{JSON}", ALICE),
    SentRequest("POST", "/login/v2/poll", form={"token": "unknown"}),
    SentRequest("POST", "/login/v2/poll"),
    SentRequest("GET", "/login/v2/flow/unknown", accept="text/html"),
    SentRequest("GET", "/login?direct=1", accept="text/html"),
    SentRequest("DELETE", f"{V2}/cloud/users/ALICE{JSON}", ADMIN),
    SentRequest("GET", f"{V2}/cloud/users/{ALICE}{JSON}", ADMIN),
    SentRequest("GET", f"{V2}/cloud/user{JSON}", bearer="third"),
]


@pytest.fixture
def real(real_nextcloud: nextcloud.Nextcloud) -> Iterator[Drive]:
    inside, address = real_nextcloud.inside, real_nextcloud.address
    assert address
    for name, password in PASSWORDS.items():
        inside.told("user:add", "--password-from-env", name, environment={"OC_PASS": password})
    testing = ("config:system:set", "auth.bruteforce.protection.testing", "--type=boolean")
    inside.told(*testing, "--value=true")
    password = address.admin_password.reveal()
    yield Drive(address.url, password, inside.occ, inside.attempts, inside.forget_attempts)
    for name in PASSWORDS:
        inside.occ("user:delete", name)
    inside.told(*testing, "--value=false")
    inside.forget_attempts()


@pytest.fixture
def stand_in() -> Iterator[Drive]:
    found = DriveStandIn(
        issuer_url="http://127.0.0.1:9", client_id="drive", admin_password="of the administrator",
        users=PASSWORDS,
    )  # fmt: skip
    with running(found):
        attempts = lambda: len(found.state["attempts"])  # noqa: E731
        forget = lambda: found.state["attempts"].clear()  # noqa: E731
        yield Drive(found.url, "of the administrator", found.occ, attempts, forget)


def test_the_stand_in_answers_as_the_real_one(real: Drive, stand_in: Drive) -> None:
    different = []
    for said in CONVERSATION:
        answers = real.ask(said), stand_in.ask(said)
        if answers[0] != answers[1]:
            different.append((said.method, said.path, said.who or said.bearer, *answers))
    assert not different, "\n".join(map(str, different))


OCC = [
    ("user:add-app-password", "-n", "--no-warnings", "--", "nobody"),
    ("user:add-app-password", "-n", "--no-warnings", "--name", "x", BOB),
    ("user:add-app-password", "-n", "--no-warnings"),
    ("user:auth-tokens:list", "nobody", "--output=json"),
    ("user:auth-tokens:list", BOB, "--output=json"),
    ("user:auth-tokens:delete", BOB, "4711"),
]


@pytest.mark.parametrize("argv", OCC, ids=" ".join)
def test_its_command_line_ends_as_the_real_one(
    real: Drive, stand_in: Drive, argv: tuple[str, ...]
) -> None:
    code, _text = real.occ(*argv)
    assert stand_in.occ(["php", "occ", *argv])[0] == code
