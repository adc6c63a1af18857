"""Login Flow v2: a person signs in to the drive in a browser while we poll for the app password.

The poll token and endpoint never leave the server, and are only sent to the configured drive.

See docs/explanation/drive-connection.md#in-the-browser.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import Denied, Invalid, NotFound
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.client.ocs import understand
from workspace_manager.systems.drive.messages import message

KIND = "drive.app_password"
FLOW_S = 1200
"""Seconds a login flow lasts. An expired one answers like a pending one, so we measure the time
ourselves.
"""


@dataclass(frozen=True)
class Flow:
    """A started login flow: the address for the person, and the handle to poll with. The handle can
    fetch an app password, so it is a secret.
    """

    login_url: str
    handle: Secret


class LoginFlows:
    """Login flows over a client of the drive."""

    def __init__(self, http: HttpClient, base_url: str) -> None:
        self._http = http
        self._base_url = base_url

    def start(self) -> Flow:
        """Start a login flow. Raises Invalid if the drive names another host."""
        answer = self._http.send(
            "POST",
            "/index.php/login/v2",
            doing=message("starting_login_flow"),
            kind=KIND,
            anonymous=True,
        )
        document = self._plain_json(answer)
        poll = document.get("poll")
        login_url = str(document.get("login", ""))
        if not isinstance(poll, dict) or not isinstance(poll.get("token"), str):
            raise answer.error(Invalid, message("login_flow_of_unknown_shape"))
        self._pin(answer, login_url)
        path = self._pin(answer, str(poll.get("endpoint", "")))
        kept = {"path": path, "token": poll["token"], "until": int(time.time()) + FLOW_S}
        return Flow(login_url, Secret(json.dumps(kept), name="login flow"))

    def poll(self, handle: Secret) -> tuple[str, Secret] | None:
        """Return login name and app password once the person has granted access; None before. They
        are given exactly once. The name is blank if the drive does not know the user of that
        sign-in.

        Raises Denied if the drive allows no such sign-in, NotFound for an expired flow (20
        minutes), and Invalid for a wrong handle.
        """
        doing = message("polling_login_flow")
        try:
            kept = json.loads(handle.reveal())
            path, token, until = str(kept["path"]), str(kept["token"]), int(kept["until"])
        except (ValueError, KeyError, TypeError) as wrong:
            raise Invalid(message("no_login_flow"), kind=KIND, doing=doing) from wrong
        if time.time() > until:
            raise NotFound(
                message("login_flow_expired"),
                kind=KIND,
                doing=doing,
                advice=message("start_again"),
            )
        answer = self._http.send(
            "POST", path, doing=doing, kind=KIND, form={"token": token}, anonymous=True
        )
        if answer.status == 404 and answer.is_json:
            return None
        document = self._plain_json(answer)
        name, password = document.get("loginName"), document.get("appPassword")
        if not isinstance(name, str | None) or not isinstance(password, str) or not password:
            raise answer.error(Invalid, message("login_flow_of_unknown_shape"))
        return name or "", Secret(password, name="app password")

    def _pin(self, answer: Answer, url: str) -> str:
        """Return the path of an address on our drive. Raises Invalid for another host, to which a
        poll token must not be sent.
        """
        ours, theirs = urlsplit(self._base_url), urlsplit(url)
        if theirs.scheme not in {"http", "https"} or theirs.hostname != ours.hostname:
            raise answer.error(
                Invalid,
                message("login_flow_other_host"),
                advice=message("set_base_url"),
            )
        path = theirs.path.removeprefix(ours.path) if ours.path else theirs.path
        if "/login/v2/" not in path:
            raise answer.error(Invalid, message("login_flow_unknown_page"))
        return path

    def _plain_json(self, answer: Answer) -> Mapping[str, Any]:
        if answer.status == 403:
            # A drive that signs people in only elsewhere, or that accepts only listed clients.
            raise answer.error(
                Denied, message("login_flow_forbidden"), advice=message("use_tokens")
            )
        if answer.status != 200:
            understand(answer)
        document = answer.json()
        if not isinstance(document, dict):
            raise answer.error(Invalid, message("login_flow_of_unknown_shape"))
        return document
