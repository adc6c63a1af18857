"""Ask the forge. Honest: one method per call, no retry, no memory."""

from typing import Any

from workspace_forge.messages import message
from workspace_forge.names import ACCOUNT
from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.connector import CallPolicy, Facts
from workspace_manager.contract.errors import Denied, Invalid, NotFound
from workspace_manager.contract.http import HttpClient, Token
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret

CALLS = CallPolicy(connect_s=5, answer_s=30)


class Client:
    """One method per call. Raises only the five errors."""

    def __init__(self, url: str, token: Secret | None, *, policy: CallPolicy) -> None:
        credential = Token("Authorization", token, scheme="token") if token else None
        self._http = HttpClient(url, system="forge", policy=policy, credential=credential)

    def me(self) -> tuple[str, bool]:
        """The name of whom the token belongs to, and whether it may administer."""
        answer = self._send("GET", "/api/me", message("asking"))
        found = _members(answer, answer.json(), login=str, admin=bool)
        return found["login"], found["admin"]

    def account(self, sub: str) -> Facts:
        """Login, whether it is blocked, and how many repositories and tokens it has. Raises
        NotFound.
        """
        answer = self._send("GET", _path(sub), message("looking"))
        return _account(answer, answer.json())

    def accounts(self, after: str, most: int) -> list[Facts]:
        """Up to `most` of those whose `sub` comes after this one."""
        params = {"after": after, "most": str(most)}
        answer = self._send("GET", "/api/users", message("listing"), params=params)
        found = answer.json()
        if not isinstance(found, list):
            raise _not_understood(answer)
        return [_account(answer, one) for one in found]

    def block(self, sub: str, *, blocked: bool) -> None:
        """Raises NotFound."""
        answer = self._send("PATCH", _path(sub), message("changing"), {"blocked": blocked})
        _account(answer, answer.json())

    def delete(self, sub: str, *, purge: bool) -> None:
        """`purge`: its repositories go too. Raises NotFound the second time."""
        self._gone("DELETE", f"{_path(sub)}?purge={str(purge).lower()}")

    def revoke(self, sub: str) -> None:
        """Revoke every token of an account. Raises NotFound."""
        self._gone("DELETE", f"{_path(sub)}/tokens")

    def _gone(self, method: str, path: str) -> None:
        answer = self._send(method, path, message("deleting"))
        if answer.status != 204:
            raise _not_understood(answer)

    def _send(self, method: str, path: str, doing: Message, body: Any = None, **how: Any) -> Answer:
        answer = self._http.send(method, path, doing=doing, kind=ACCOUNT, json_body=body, **how)
        answer.raise_for_transient()
        if answer.status in {401, 403}:
            advice = message("denied_advice")
            raise answer.error(Denied, message("denied", shape=answer.shape), advice=advice)
        if answer.status == 404 and answer.json_or_none() == {"error": "no such user"}:
            raise answer.error(NotFound, message("no_account"))
        if answer.status >= 400:
            raise _not_understood(answer)
        return answer


def _account(answer: Answer, found: object) -> Facts:
    return _members(
        answer, found, sub=str, login=str, email=str, blocked=bool, repositories=int, tokens=int
    )


def _members(answer: Answer, found: object, **types: type) -> dict[str, Any]:
    """These members, each of its type: JSON of another shape is not understood."""
    if not isinstance(found, dict):
        raise _not_understood(answer)
    if not all(type(found.get(name)) is kind for name, kind in types.items()):
        raise _not_understood(answer)
    return {name: found[name] for name in types}


def _not_understood(answer: Answer) -> Exception:
    detail = message("not_understood", shape=answer.shape)
    return answer.error(Invalid, detail, advice=message("other_address"))


def _path(sub: str) -> str:
    return f"/api/users/{segment(sub, kind=ACCOUNT, doing=message('looking'))}"
