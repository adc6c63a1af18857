"""The meaning of recorded answers for the drive's client, and for its command-line tool."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tests.recorded.comparing import is_cut
from tests.recorded.expected_meaning import Meaning
from tests.recorded.expected_meaning_nextcloud import (
    GET_PASSWORD,
    ME,
    PASSWORD,
    POLL,
    PROVIDERS,
    START,
    TABLE,
    USER,
    USERS,
)
from tests.recorded.feeding import answer_of, meaning_of, played
from tests.recorded.reading import Exchange, Run
from workspace_manager.contract.connector import Evidence
from workspace_manager.contract.containers import ContainerState, ExecResult, Names
from workspace_manager.contract.errors import ConnectorError, Denied, NotFound, Unavailable
from workspace_manager.contract.http import Basic
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.client import PROCESS_REFUSALS, DriveClient, Flow, understand
from workspace_manager.systems.drive.command_line import add_app_password

KIND = "drive.app_password"
HANDLE = '{"path": "/login/v2/poll", "token": "t", "until": 99999999999}'
CALL: Mapping[tuple[str, str], Callable[[DriveClient, Exchange], Any]] = {
    ("GET", USER): lambda client, _: client.user("somebody"),
    ("DELETE", USER): lambda client, _: client.delete_user("somebody"),
    ("GET", USERS): lambda client, _: client.list_users(),
    ("GET", ME): lambda client, said: _who(client, said),
    ("GET", GET_PASSWORD): lambda client, _: or_else(
        client.with_token(Secret("t")).create_app_password(), NotFound
    ),
    ("DELETE", PASSWORD): lambda client, _: client.revoke_app_password(Secret("p")),
    ("GET", PROVIDERS): lambda client, _: client.providers(),
    ("GET", "/status.php"): lambda client, _: client.status(),
    ("POST", START): lambda client, _: client.login_flows.start(),
    ("POST", POLL): lambda client, _: or_else(
        client.login_flows.poll(Flow("u", Secret(HANDLE)).handle), Unavailable
    ),
}


def classify(exchange: Exchange) -> Meaning:
    """By the client's own method where it makes this call, else by the one function that knows what
    answers mean.
    """
    call = CALL.get((exchange.method, TABLE.route(exchange.path)))
    if call is None or is_cut(exchange):
        return meaning_of(lambda: understand(answer_of(mended(exchange), kind=KIND)))
    PROCESS_REFUSALS.forget()
    wire = played(exchange)
    client = DriveClient("http://127.0.0.1", admin=Basic("admin", Secret("pw")), transport=wire)
    return meaning_of(lambda: call(client, exchange) and None)


def _who(client: DriveClient, said: Exchange) -> Any:
    """Who somebody is: the administrator with name and password, everybody else with a token."""
    if said.headers.get("authorization", "").lower().startswith("basic"):
        return client.whoami_admin()
    return or_else(client.whoami(Secret("t")), Denied)


def or_else(found: Any, reaction: type[ConnectorError]) -> Any:
    """What the client found; where it found nothing, the reaction that this stands for."""
    if found is None:
        raise reaction(quote_words("nothing"), kind=KIND, doing=quote_words("asking"))
    return found


def mended(exchange: Exchange) -> Exchange:
    """An envelope whose data were cut off, closed behind its `meta`."""
    if not is_cut(exchange):
        return exchange
    if "xml" in exchange.content_type:
        head = re.match(r".*</meta>", exchange.text, re.DOTALL)
        text = f"{head[0]}<data/></ocs>" if head else exchange.text
    else:
        head = re.match(r'.*?"meta":\{[^{}]*\},"data":', exchange.text, re.DOTALL)
        text = f"{head[0]}[]}}}}" if head else exchange.text
    return replace(exchange, content=text.encode())


class Tool:
    """A container engine in whose container a recorded run happens."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def inspect(self, name: str) -> ContainerState:
        return ContainerState(id="c" * 64, name=name, image="nextcloud", status="running", pid=7)

    def list_names(self, prefix: str = "") -> list[str]:
        return []

    def volume_names(self, prefix: str) -> list[str]:
        return []

    def each_name(self, prefix: str = "") -> Names:
        return Names()

    def each_volume_name(self, prefix: str) -> Names:
        return Names()

    def require_everything(self) -> None:
        return None

    def has_volume(self, name: str) -> bool:
        return True

    def stop(self, container_id: str, *, grace_s: int = 10) -> bool:
        return False

    def execute(
        self,
        container_id: str,
        command: Sequence[str],
        *,
        user: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> ExecResult:
        run = self.run
        return ExecResult(exit_code=run.exit_code, stdout=run.stdout, stderr=run.stderr)

    def prove_credential(self) -> None:
        return None

    def prove_rights(self) -> Evidence:
        return Evidence(system="container_manager", method="", at="", text="")


def classify_run(run: Run) -> Meaning:
    return meaning_of(lambda: add_app_password(Tool(run), "drive", "alice") and None)
