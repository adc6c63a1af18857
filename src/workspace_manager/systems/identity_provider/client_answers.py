"""What an answer of the identity provider means: the one table of (status, content type, body) to the five errors.

Decided by `error` or `errorMessage` where there is one, never by the status alone: versions differ in the status (facts on Keycloak,
section 0.0 O1). A body is never shown; only texts of this file and codes of a known shape are.
"""

import re
from collections.abc import Collection
from typing import Any

from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Invalid, NotFound
from workspace_manager.contract.http import SOMETHING_ELSE, Answer

USER_ABSENT = "User not found"
CLIENT_ABSENT = "Could not find client"
MAPPER_ABSENT = "Model not found"

RUN_SETUP = "Run `workspace-manager setup identity-provider`."
OUR_FAULT = "This is a fault of the manager itself; please report it."

_CODES = re.compile(
    r"error-[a-z-]{1,60}|invalidPassword[A-Za-z]{1,40}|missingNormalization|invalid_[a-z_]{1,40}|unknown_error"
    r"|User name is missing|Could not create user|Could not update user!|User is read only!|User couldn't be deleted"
)
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,60}")

_CONFLICTS = {
    "User exists with same username": "a user of this name is there already",
    "User exists with same email": "a user with this e-mail address is there already",
    "User exists with same username or email": "a user of this name or e-mail address is there already",
    "Protocol mapper exists with same name": "a mapper of this name is there already",
}
_ABSENT_REALM = {"Realm not found.", "Realm does not exist"}


def understand(answer: Answer, *, ok: Collection[int], absent: str = USER_ABSENT) -> None:
    """Return for an answer that is among `ok`; else raise the error it means.

    `absent`: the text that alone makes a 404 an absence; any other 404 says that we asked wrongly, and proves nothing.
    """
    if answer.status in ok:
        return
    answer.raise_for_transient()
    code = _code(answer.json_or_none())
    if answer.status == 401:
        raise answer.error(
            Denied,
            "it does not accept the administrator's token, not even a fresh one",
            advice="Check the administrator's user name, password and realm in the settings.",
        )
    if answer.status == 403:
        raise answer.error(
            Denied,
            "the administrator may not do this",
            advice="Give the administrator the roles that `workspace-manager check identity_provider` names.",
        )
    if answer.status == 404:
        raise _not_found(answer, code, absent)
    if answer.status == 409:
        raise answer.error(
            Conflict,
            _CONFLICTS.get(code, "something of this name is there already"),
            advice="Look at it in the identity provider and decide whose it is; nothing is taken over by its name.",
        )
    raise answer.error(
        Invalid,
        f"it did not accept the request ({_reasons(answer.json_or_none()) or answer.shape})",
        advice=_invalid_advice(answer, code),
    )


def _not_found(answer: Answer, code: str, absent: str) -> Exception:
    if code == absent and answer.is_json:
        return answer.error(
            NotFound,
            "it has no such thing",
            advice="It may have been deleted in the identity provider itself.",
        )
    if code in _ABSENT_REALM:
        advice = "The realm is not there: check the realm's name in the settings."
    elif answer.is_json:
        advice = "Check the paths in the settings and the version of the identity provider."
    else:
        advice = "Check the address in the settings: something else answers there, perhaps a proxy."
    return answer.error(Invalid, f"it does not know the address ({answer.shape})", advice=advice)


def _invalid_advice(answer: Answer, code: str) -> str:
    if code == "missingNormalization":
        return "Check the paths in the settings for double slashes."
    if answer.status < 300:
        return "Check the address in the settings: a proxy may have changed the answer."
    return (
        "Compare what was sent with the realm's user profile and the versions this manager knows."
    )


def _code(body: Any) -> str:
    """The text that identifies an error: `errorMessage` (admin style) or `error` (OAuth style)."""
    if not isinstance(body, dict):
        return ""
    code = body.get("errorMessage") or body.get("error") or ""
    return code if isinstance(code, str) else ""


def _reasons(body: Any) -> str:
    """Field names and error codes of a refusal, as far as they are of a known shape; values never."""
    if not isinstance(body, dict):
        return ""
    errors = body.get("errors")
    found = []
    for error in errors if isinstance(errors, list) else [body]:
        code, field = _code(error), error.get("field") if isinstance(error, dict) else None
        if _CODES.fullmatch(code):
            known = isinstance(field, str) and _FIELD.fullmatch(field)
            found.append(f"{field}: {code}" if known else code)
    return ", ".join(found)


def unexpected(answer: Answer, wanted: str) -> ConnectorError:
    """The error for an answer that is JSON, and not what was asked for."""
    return answer.error(Invalid, f"expected {wanted} ({answer.shape})", advice=SOMETHING_ELSE)


_TEXT, _TEXTS, _OBJECT, _OBJECTS = "text", "texts", "object", "objects"
_MEMBERS = {
    **dict.fromkeys(("id", "username", "clientId", "name", "protocolMapper", "protocol"), _TEXT),
    **dict.fromkeys(("email", "firstName", "lastName", "secret", "issuer", "realm"), _TEXT),
    **dict.fromkeys(("redirectUris", "defaultClientScopes", "optionalClientScopes"), _TEXTS),
    **dict.fromkeys(("supportedLocales", "webOrigins"), _TEXTS),
    **dict.fromkeys(("access", "config", "permissions", "validations", "annotations"), _OBJECT),
    **dict.fromkeys(("protocolMappers", "groups"), _OBJECTS),
}
"""What the members of a representation are, wherever they stand; `attributes` are an object, and in a user profile, which has no id, a list."""


def document(answer: Answer) -> dict[str, Any]:
    """Take a JSON object. Raises Invalid for anything else."""
    return _representation(answer, answer.json(), "a JSON object")


def documents(answer: Answer) -> list[dict[str, Any]]:
    """Take a JSON list of objects. Raises Invalid for anything else: an error page must not look like an empty list."""
    body = answer.json()
    if not isinstance(body, list):
        raise unexpected(answer, "a list")
    return [_representation(answer, item, "a list") for item in body]


def user_document(answer: Answer, body: Any) -> dict[str, Any]:
    """Take a user representation: an object with a text `id` and `username`. Raises Invalid."""
    if (
        not isinstance(body, dict)
        or not isinstance(body.get("id"), str)
        or not isinstance(body.get("username"), str)
    ):
        raise unexpected(answer, "a user")
    return _representation(answer, body, "a user")


def _representation(answer: Answer, body: Any, wanted: str) -> dict[str, Any]:
    """An object whose members are of their kinds, as far as it goes. What is absent or null is left to whoever reads it."""
    if not isinstance(body, dict) or not _fits(body):
        raise unexpected(answer, wanted)
    return body


def _fits(body: dict[str, Any]) -> bool:
    kinds = {**_MEMBERS, "attributes": _OBJECT if "id" in body else _OBJECTS}
    return all(
        value is None or _is(value, kinds.get(name)) for name, value in body.items()
    ) and all(
        _fits(item)
        for value in body.values()
        if isinstance(value, list)
        for item in value
        if isinstance(item, dict)
    )


def _is(value: Any, kind: str | None) -> bool:
    match kind:
        case None:
            return True
        case "text":
            return isinstance(value, str)
        case "object":
            return isinstance(value, dict)
    inner = str if kind == _TEXTS else dict
    return isinstance(value, list) and all(isinstance(item, inner) for item in value)


def new_id(answer: Answer) -> str:
    """The id of what was made: the last segment of Location, the only place where it is told. Raises Invalid without one.

    Host and path before it follow the server's own idea of its name and are not looked at.
    """
    found = re.fullmatch(r"\S*/([A-Za-z0-9:._-]+)", answer.headers.get("location", ""))
    if not found:
        raise answer.error(
            Invalid,
            "it made something, and did not say under which id (no usable Location header)",
            advice="Check whether a proxy before the identity provider removes the Location header, then try again.",
        )
    return found[1]
