"""The meaning of answers: one table from status, content type and body to the five errors.

A 404 has six meanings (docs/systems/container-manager.md#what-a-careful-client-handles). Only the
engine's own "no such container" may count as "already gone"; unknown environment, unknown stack,
"endpoint associated to the stack", a wrong base address and a wrong engine path are told apart by
content type and message.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager.client.compose_output import failure_reason
from workspace_manager.systems.container_manager.messages import message

T = TypeVar("T")
Thing: TypeAlias = Literal["", "container", "exec", "volume", "network", "image", "stack"]
"""The thing that a call addresses: only its own absence is NotFound."""

_ABSENT: dict[str, tuple[str, ...]] = {
    "container": ("no such container",),
    "exec": ("no such exec instance", "no such exec session"),
    "volume": ("no such volume",),
    "network": ("network not found", "no such network"),
    "image": ("no such image", "image not known"),
    "stack": ("unable to find a stack with the specified identifier",),
}
_NO_SUCH = {
    "container": message("no_such_container"),
    "exec": message("no_such_exec"),
    "volume": message("no_such_volume"),
    "network": message("no_such_network"),
    "image": message("no_such_image"),
    "stack": message("no_such_stack"),
}
_BASE_ADDRESS = message("check_base_address")
_ENVIRONMENT = message("set_environment")
_KEY = message("make_new_token")


@dataclass(frozen=True)
class Meaning:
    """The reaction to an answer and its message. `reaction` None: the answer is a success."""

    reaction: type[ConnectorError] | None
    detail: Message | None = None
    advice: Message | None = None

    def error(self, answer: Answer) -> ConnectorError | None:
        if self.reaction is None or self.detail is None:
            return None
        return answer.error(self.reaction, self.detail, advice=self.advice)


FINE = Meaning(None)


def meaning(answer: Answer, thing: Thing = "") -> Meaning:
    """Classify an answer of Portainer or of an engine. `thing`: the addressed thing; its absence is
    NotFound, that of others Invalid.
    """
    status = answer.status
    if 200 <= status < 300 or status == 304:
        return FINE
    body = _body(answer)
    if status == 404:
        return _not_found(answer, body, thing)
    if status in {401, 403} or (status == 422 and body.get("details") == "Unauthorized"):
        return _denied(status, body, answer)
    if status == 409:
        return _conflict(body)
    if status == 429 or status >= 500:
        return _later(answer, body)
    if 300 <= status < 400:
        return _redirect(answer)
    return Meaning(
        Invalid,
        message("not_accepted", shape=answer.shape),
        message("check_docker_environment"),
    )


def raise_for(answer: Answer, thing: Thing = "") -> Answer:
    """Return the answer if it is a success; else raise its error."""
    error = meaning(answer, thing).error(answer)
    if error is not None:
        raise error
    return answer


def as_object(answer: Answer) -> dict[str, Any]:
    """Decode a JSON object. Raises Invalid for anything else."""
    found = answer.json()
    if not isinstance(found, dict):
        raise answer.error(Invalid, message("not_an_object", shape=answer.shape))
    return found


@dataclass(frozen=True)
class Odd:
    """An entry of a list with another shape than expected. `place`: counted from 1."""

    place: int


def read_entries(answer: Answer, found: Any, read: Callable[[dict[str, Any]], T]) -> list[T | Odd]:
    """Read the entries of a list one by one, so that an odd entry hides no other. Raises Invalid if
    every entry is odd.
    """
    if not isinstance(found, list):
        raise answer.error(Invalid, message("not_an_array", shape=answer.shape))
    entries: list[T | Odd] = []
    for place, item in enumerate(found, start=1):
        try:
            entries.append(read(item) if isinstance(item, dict) else Odd(place))
        except Invalid:
            entries.append(Odd(place))
    if entries and all(isinstance(one, Odd) for one in entries):
        raise answer.error(Invalid, message("not_an_array", shape=answer.shape))
    return entries


def require_all(answer: Answer, entries: Iterable[T | Odd]) -> list[T]:
    """Return every entry of a list. Raises Invalid if one is odd, for callers that need all."""
    found: list[T] = []
    for one in entries:
        if isinstance(one, Odd):
            raise answer.error(Invalid, message("odd_entry", place=one.place, shape=answer.shape))
        found.append(one)
    return found


def labels_of(answer: Answer, item: dict[str, Any]) -> dict[str, str]:
    """Return the labels of a thing; {} without any. Raises Invalid for labels of another shape,
    because they decide what is ours.
    """
    found = item.get("Labels")
    if not isinstance(found, dict | None):
        raise answer.error(Invalid, message("labels_of_unknown_shape", shape=answer.shape))
    return {str(name): str(value) for name, value in (found or {}).items()}


def number_in(answer: Answer, item: dict[str, Any], name: str) -> int:
    """Return a number of a thing; 0 without it. Raises Invalid for any other value."""
    found = item.get(name)
    if found is None or type(found) is int:
        return found or 0
    raise answer.error(Invalid, message("no_number", name=name, shape=answer.shape))


def _body(answer: Answer) -> dict[str, Any]:
    found = answer.json_or_none() if answer.is_json else None
    return found if isinstance(found, dict) else {}


def _message(body: dict[str, Any]) -> str:
    return str(body.get("message", "")).lower()


def _not_found(answer: Answer, body: dict[str, Any], thing: Thing) -> Meaning:
    said = _message(body)
    from_portainer = "details" in body
    named = bool(thing) and any(text in said for text in _ABSENT[thing])
    if named and from_portainer is (thing == "stack"):
        return Meaning(NotFound, _NO_SUCH[thing])
    if "unable to find an environment" in said:
        return Meaning(Invalid, message("no_such_environment"), _ENVIRONMENT)
    if "unable to find the endpoint associated" in said:
        return Meaning(Invalid, message("unknown_stack_environment"), _ENVIRONMENT)
    if any(text in said for texts in _ABSENT.values() for text in texts):
        return Meaning(
            Invalid,
            message("something_else_is_missing"),
            message("look_at_containers_settings"),
        )
    if answer.text.strip() == "404 page not found":
        return Meaning(Invalid, message("unknown_route"), _BASE_ADDRESS)
    if from_portainer:
        return Meaning(
            Invalid,
            message("portainer_does_not_know", shape=answer.shape),
            message("look_in_portainer"),
        )
    return Meaning(
        Invalid,
        message("engine_does_not_know", shape=answer.shape),
        message("other_product_may_answer"),
    )


def _denied(status: int, body: dict[str, Any], answer: Answer) -> Meaning:
    said = _message(body)
    if status in {401, 422}:
        return Meaning(Denied, message("key_not_accepted", status=status), _KEY)
    if "same time" in said:
        return Meaning(
            Denied,
            message("two_authorizations"),
            message("remove_header_at_proxy"),
        )
    if "csrf" in answer.text.lower():
        return Meaning(
            Denied,
            message("cookie_arrived"),
            message("remove_cookie_at_proxy"),
        )
    return Meaning(
        Denied,
        message("owner_may_not"),
        message("token_must_be_administrators"),
    )


def _conflict(body: dict[str, Any]) -> Meaning:
    said = _message(body)
    if "paused" in said or "is not running" in said:
        return Meaning(
            Unavailable,
            message("does_not_run"),
            message("start_or_unpause"),
        )
    return Meaning(
        Conflict,
        message("in_use"),
        message("decide_whose"),
    )


def _later(answer: Answer, body: dict[str, Any]) -> Meaning:
    details = str(body.get("details", "")).lower()
    if _message(body).startswith("failed to deploy a stack"):
        reason = failure_reason(f"{body.get('message')} {body.get('details')}")
        detail = message("stack_not_started", why=reason)
        return Meaning(Unavailable, detail, message("look_at_template"))
    by_proxy = _message(body).startswith("unable to proxy the request")
    if by_proxy and ("no media type" in details or "error response from daemon" in details):
        return Meaning(
            Unavailable,
            message("refused_in_proxy", shape=answer.shape),
            message("regular_users_key"),
        )
    return Meaning(
        Unavailable,
        message("answered", shape=answer.shape),
        message("engine_may_be_down"),
    )


def _redirect(answer: Answer) -> Meaning:
    if answer.headers.get("redirect-reason") == "AdminInitTimeout":
        return Meaning(
            Invalid,
            message("locked_itself"),
            message("restart_portainer"),
        )
    return Meaning(
        Invalid,
        message("redirected", shape=answer.shape),
        message("something_else_answers"),
    )
