"""Ask the kiln's control panel. Honest: one method per call, no retry, no memory."""

from typing import Any

from workspace_kiln.messages import message
from workspace_kiln.names import KIND
from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Denied, Invalid, NotFound
from workspace_manager.contract.http import HttpClient, Token
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret

CALLS = CallPolicy(connect_s=5, answer_s=30)


class Client:
    """One method per call. Raises only the five errors."""

    def __init__(self, url: str, key: Secret | None, *, policy: CallPolicy) -> None:
        credential = Token("Authorization", key, scheme="Bearer") if key else None
        self._http = HttpClient(url, system="kiln", policy=policy, credential=credential)

    def me(self) -> tuple[str, str]:
        """Name and role of whom the key belongs to."""
        found = self._json(self._send("GET", "/me", message("asking")), "name", "role")
        return str(found["name"]), str(found["role"])

    def account(self, name: str) -> bool:
        """Whether it is locked. Raises NotFound."""
        found = self._json(self._send("GET", _path(name), message("looking")), "locked")
        return bool(found["locked"])

    def accounts(self, after: str, most: int) -> dict[str, bool]:
        """Up to `most` that come after this one, by name, and whether each is locked. To who is no
        warden none is shown.
        """
        params = {"after": after, "most": str(most)}
        answer = self._send("GET", "/accounts", message("listing"), params=params)
        found = self._json(answer, "accounts")["accounts"]
        if not isinstance(found, dict):
            raise answer.error(Invalid, **_not_understood(answer))
        return {str(name): bool(locked) for name, locked in found.items()}

    def put(self, name: str, *, locked: bool) -> None:
        """Make it, or change it."""
        answer = self._send("PUT", _path(name), message("changing"), {"locked": locked})
        self._json(answer, "locked")

    def delete(self, name: str) -> None:
        """Raises NotFound the second time."""
        answer = self._send("DELETE", _path(name), message("deleting"))
        if answer.status != 204:
            raise answer.error(Invalid, **_not_understood(answer))

    def _send(self, method: str, path: str, doing: Message, body: Any = None, **how: Any) -> Answer:
        answer = self._http.send(method, path, doing=doing, kind=KIND, json_body=body, **how)
        answer.raise_for_transient()
        if answer.status in {401, 403}:
            raise answer.error(
                Denied,
                message("denied", shape=answer.shape),
                advice=message("denied_advice"),
            )
        if answer.status == 404 and answer.json_or_none() == {"error": "no such account"}:
            raise answer.error(NotFound, message("no_account"))
        if answer.status >= 400:
            raise answer.error(Invalid, **_not_understood(answer))
        return answer

    def _json(self, answer: Answer, *members: str) -> dict[str, Any]:
        found = answer.json()
        if not isinstance(found, dict) or not {*members} <= found.keys():
            raise answer.error(Invalid, **_not_understood(answer))
        return found


def _not_understood(answer: Answer) -> dict[str, Any]:
    detail = message("not_understood", shape=answer.shape)
    return {"detail": detail, "advice": message("other_address")}


def _path(name: str) -> str:
    return f"/accounts/{segment(name, kind=KIND, doing=message('looking'))}"
