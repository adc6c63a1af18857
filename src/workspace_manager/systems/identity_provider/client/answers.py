"""Meanings of answers of the identity provider: the one table from status, content type and body to
the five errors.

`error` or `errorMessage` decides if there is one, never the status alone, which differs between
versions (docs/systems/identity-provider.md#refused-tokens). A body is never shown; only texts of
this file, codes of a known shape, and the realm administrators' own messages of a rule are.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from workspace_manager.contract.answer import SOMETHING_ELSE, Answer
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.systems.identity_provider.client.closed_realm import closed_realm
from workspace_manager.systems.identity_provider.messages import message

USER_ABSENT = "User not found"
CLIENT_ABSENT = "Could not find client"
MAPPER_ABSENT = "Model not found"
GROUP_ABSENT = "Could not find group by id"

RUN_SETUP = message("run_setup")
NO_REALM = message("no_realm")
OUR_FAULT = message("our_fault")

_CODES = re.compile(
    r"error-[a-z-]{1,60}|invalidPassword[A-Za-z]{1,40}|missingNormalization|invalid_[a-z_]{1,40}|unknown_error"
    r"|User name is missing|Could not create user|Could not update user!|User is read "
    r"only!|User couldn't be deleted"
)
_SENTENCE = re.compile(r"[^\x00-\x1f\x7f<>]{1,200}")
"""A profile rule's `error-message`: it replaces the code, and contains no value."""
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,60}")

_CONFLICTS = {
    "User exists with same username": message("name_is_taken"),
    "User exists with same email": message("email_is_taken"),
    "User exists with same username or email": message("name_or_email_is_taken"),
    "Protocol mapper exists with same name": message("mapper_is_there"),
}
_ABSENT_REALM = {"Realm not found.", "Realm does not exist"}


def understand(
    answer: Answer, *, ok: Collection[int], absent: str = USER_ABSENT, realm: str = ""
) -> None:
    """Return if the answer's status is among `ok`; else raise its error.

    `absent`: the only text that makes a 404 an absence; any other 404 means a wrong request and
    proves nothing. `realm`: the requested realm, for its own pages.
    """
    if answer.status in ok:
        return
    answer.raise_for_transient()
    code = _code(answer.json_or_none())
    if answer.status == 401:
        raise answer.error(
            Denied,
            message("token_not_accepted"),
            advice=message("check_administrator"),
        )
    if answer.status == 403:
        if closed := closed_realm(answer, realm):
            raise closed
        raise answer.error(
            Denied,
            message("not_allowed"),
            advice=message("give_named_roles"),
        )
    if answer.status == 404:
        raise _not_found(answer, code, absent)
    if answer.status == 409:
        raise answer.error(
            Conflict,
            _CONFLICTS.get(code, message("something_is_there")),
            advice=message("decide_whose"),
        )
    raise answer.error(
        Invalid,
        message("not_accepted", why=_reasons(answer.json_or_none()) or answer.shape),
        advice=_invalid_advice(answer, code),
    )


def _not_found(answer: Answer, code: str, absent: str) -> Exception:
    if code == absent and answer.is_json:
        return answer.error(
            NotFound,
            message("no_such_thing"),
            advice=message("may_have_been_deleted"),
        )
    if code in _ABSENT_REALM:
        advice = NO_REALM
    elif answer.is_json:
        advice = message("check_paths")
    else:
        advice = message("something_else_answers")
    return answer.error(Invalid, message("address_unknown", shape=answer.shape), advice=advice)


def _invalid_advice(answer: Answer, code: str) -> Message:
    if code == "missingNormalization":
        return message("check_double_slashes")
    if answer.status < 300:
        return message("proxy_may_have_changed")
    return message("compare_with_profile")


def _code(body: Any) -> str:
    """Return the code of an error: `errorMessage` (admin style) or `error` (OAuth style)."""
    if not isinstance(body, dict):
        return ""
    code = body.get("errorMessage") or body.get("error") or ""
    return code if isinstance(code, str) else ""


def _reasons(body: Any) -> str:
    """Return the field and the rule of a refusal, by its code or the realm's own sentence, if these
    have a known shape; never values.
    """
    if not isinstance(body, dict):
        return ""
    errors = body.get("errors")
    found = []
    for error in errors if isinstance(errors, list) else [body]:
        if not isinstance(error, dict):
            continue
        code, field = _code(error), error.get("field")
        known = isinstance(field, str) and _FIELD.fullmatch(field)
        if _CODES.fullmatch(code):
            found.append(f"{field}: {code}" if known else code)
        elif known and _is_of_a_rule(code, error.get("params")):
            found.append(f"{field}: “{code}”")
    return ", ".join(found)


def _is_of_a_rule(sentence: str, params: Any) -> bool:
    """Return whether the sentence is a validator's: it has parameters, and the sentence contains
    none of the values among them.
    """
    if not isinstance(params, list) or not params or not _SENTENCE.fullmatch(sentence):
        return False
    return not any(isinstance(one, str) and one and one in sentence for one in params[1:])


def unexpected(answer: Answer, expected: Message) -> ConnectorError:
    """Return the error for JSON of an unexpected shape."""
    return answer.error(Invalid, expected, advice=SOMETHING_ELSE)


_TEXT, _TEXTS, _OBJECT, _OBJECTS = "text", "texts", "object", "objects"
_MEMBERS = {
    **dict.fromkeys(("id", "username", "clientId", "name", "protocolMapper", "protocol"), _TEXT),
    **dict.fromkeys(("email", "firstName", "lastName", "secret", "issuer", "realm"), _TEXT),
    **dict.fromkeys(("redirectUris", "defaultClientScopes", "optionalClientScopes"), _TEXTS),
    **dict.fromkeys(("supportedLocales", "webOrigins"), _TEXTS),
    **dict.fromkeys(("access", "config", "permissions", "validations", "annotations"), _OBJECT),
    **dict.fromkeys(("protocolMappers", "groups"), _OBJECTS),
}
"""Types of a representation's members at every level. `attributes` are an object, but a list in a
user profile, which has no id.
"""


_NAMES = {"id", "name", "clientId", "username", "alias"}
"""Members that identify a representation; without any of them it is something else."""


def document(answer: Answer) -> dict[str, Any]:
    """Return a JSON object. Raises Invalid for anything else."""
    return _representation(answer, answer.json(), message("expected_object", shape=answer.shape))


def documents(answer: Answer) -> list[dict[str, Any]]:
    """Return a JSON list of objects, each with a name or an id. Raises Invalid for anything else:
    neither an error page nor another list may look like an empty list.
    """
    body = answer.json()
    if not isinstance(body, list):
        raise unexpected(answer, message("expected_list", shape=answer.shape))
    expected = message("expected_list", shape=answer.shape)
    found = [_representation(answer, item, expected) for item in body]
    if not all(_NAMES & item.keys() for item in found):
        raise unexpected(answer, expected)
    return found


@dataclass(frozen=True)
class Odd:
    """An entry of a list with another shape than expected. `id`: its own, if it has one."""

    id: str
    place: int

    @property
    def name(self) -> str:
        return self.id or f"#{self.place + 1}"


def each_document(answer: Answer, *members: str) -> list[dict[str, Any] | Odd]:
    """Return the objects of a JSON list with these texts one by one, so that an odd entry hides no
    other. Raises Invalid if every entry is odd.
    """
    body, expected = answer.json(), message("expected_list", shape=answer.shape)
    if not isinstance(body, list):
        raise unexpected(answer, expected)
    found = [_entry(item, place, members) for place, item in enumerate(body)]
    if found and all(isinstance(one, Odd) for one in found):
        raise unexpected(answer, expected)
    return found


def _entry(item: Any, place: int, members: Collection[str]) -> dict[str, Any] | Odd:
    if isinstance(item, dict):
        if _fits(item) and all(isinstance(item.get(name), str) for name in members):
            return item
        if isinstance(item.get("id"), str):
            return Odd(item["id"], place)
    return Odd("", place)


def user_document(answer: Answer, body: Any) -> dict[str, Any]:
    """Return a user: an object with a text `id` and `username`. Raises Invalid for anything
    else.
    """
    if (
        not isinstance(body, dict)
        or not isinstance(body.get("id"), str)
        or not isinstance(body.get("username"), str)
    ):
        raise unexpected(answer, message("expected_user", shape=answer.shape))
    return _representation(answer, body, message("expected_user", shape=answer.shape))


def _representation(answer: Answer, body: Any, expected: Message) -> dict[str, Any]:
    """Return an object after checking its members at every level. Missing and null ones are left to
    the caller.
    """
    if not isinstance(body, dict) or not _fits(body):
        raise unexpected(answer, expected)
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
    """Return the id of what was made: the last segment of Location, which alone contains it. Raises
    Invalid without one.

    The server chooses host and path before it, so they are not checked.
    """
    found = re.fullmatch(r"\S*/([A-Za-z0-9:._-]+)", answer.headers.get("location", ""))
    if not found:
        raise answer.error(
            Invalid,
            message("no_location"),
            advice=message("check_location"),
        )
    return found[1]
