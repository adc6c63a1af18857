"""Say what an answer means: the one table from (status, content type, body) to the five errors.

A 404 has six meanings (facts, container manager 0.3): the engine's own "no such container" is the only one that may count as
"already gone"; unknown environment, unknown stack, "endpoint associated to the stack", a wrong base address and a wrong engine
path are told apart by content type and message.
"""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.http import Answer

Thing: TypeAlias = Literal["", "container", "exec", "volume", "network", "image", "stack"]
"""What the call addressed: only its own absence is NotFound."""

_ABSENT: dict[str, tuple[str, ...]] = {
    "container": ("no such container",),
    "exec": ("no such exec instance", "no such exec session"),
    "volume": ("no such volume",),
    "network": ("network not found", "no such network"),
    "image": ("no such image", "image not known"),
    "stack": ("unable to find a stack with the specified identifier",),
}
_BASE_ADDRESS = "Check the address in the settings: it must be Portainer's own, without /api or anything behind it."
_ENVIRONMENT = (
    "Set environment_id to the number of an existing environment (Portainer, Environments)."
)
_KEY = "Make a new access token as an administrator in Portainer and store it as api_key."


@dataclass(frozen=True)
class Meaning:
    """The reaction to one answer, and how to say it. `reaction` None: the answer is a success."""

    reaction: type[ConnectorError] | None
    detail: str = ""
    advice: str = ""

    def error(self, answer: Answer) -> ConnectorError | None:
        if self.reaction is None:
            return None
        return answer.error(self.reaction, self.detail, advice=self.advice)


FINE = Meaning(None)


def meaning(answer: Answer, thing: Thing = "") -> Meaning:
    """Classify any answer of Portainer or of an engine. `thing`: what was addressed (its absence is NotFound, others' Invalid)."""
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
        f"it did not accept the request ({answer.shape})",
        "Check that address and environment are those of a Docker environment; see the container manager's log.",
    )


def raise_for(answer: Answer, thing: Thing = "") -> Answer:
    """Give the answer back if it is a success, else raise what it means."""
    error = meaning(answer, thing).error(answer)
    if error is not None:
        raise error
    return answer


def as_object(answer: Answer) -> dict[str, Any]:
    """Decode a JSON object. Raises Invalid when it is anything else."""
    found = answer.json()
    if not isinstance(found, dict):
        raise answer.error(Invalid, f"expected a JSON object, got {answer.shape}")
    return found


def as_objects(answer: Answer) -> list[dict[str, Any]]:
    """Decode a JSON array of objects. Raises Invalid when it is anything else."""
    found = answer.json()
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise answer.error(Invalid, f"expected a JSON array of objects, got {answer.shape}")
    return found


def labels_of(answer: Answer, item: dict[str, Any]) -> dict[str, str]:
    """The labels of a thing; none is none. Raises Invalid for labels of another shape: they decide what is ours."""
    found = item.get("Labels")
    if not isinstance(found, dict | None):
        raise answer.error(Invalid, f"the labels have an unknown shape ({answer.shape})")
    return {str(name): str(value) for name, value in (found or {}).items()}


def number_in(answer: Answer, item: dict[str, Any], name: str) -> int:
    """A number of a thing; none is 0. Raises Invalid for anything else in its place."""
    found = item.get(name)
    if found is None or type(found) is int:
        return found or 0
    raise answer.error(Invalid, f"the answer has no number in {name} ({answer.shape})")


def _body(answer: Answer) -> dict[str, Any]:
    found = answer.json_or_none() if answer.is_json else None
    return found if isinstance(found, dict) else {}


def _message(body: dict[str, Any]) -> str:
    return str(body.get("message", "")).lower()


def _not_found(answer: Answer, body: dict[str, Any], thing: Thing) -> Meaning:
    message = _message(body)
    from_portainer = "details" in body
    named = bool(thing) and any(text in message for text in _ABSENT[thing])
    if named and from_portainer is (thing == "stack"):
        return Meaning(NotFound, f"there is no such {thing}")
    if "unable to find an environment" in message:
        return Meaning(Invalid, "Portainer has no environment with this number", _ENVIRONMENT)
    if "unable to find the endpoint associated" in message:
        return Meaning(
            Invalid, "Portainer does not know the environment the stack was asked in", _ENVIRONMENT
        )
    if any(text in message for texts in _ABSENT.values() for text in texts):
        return Meaning(
            Invalid,
            "something else than what was asked for is missing",
            "An image, network or volume that the call needs is not there; look at the container's settings.",
        )
    if answer.text.strip() == "404 page not found":
        return Meaning(Invalid, "the address leads to an unknown Portainer route", _BASE_ADDRESS)
    if from_portainer:
        return Meaning(
            Invalid,
            f"Portainer does not know what was asked for ({answer.shape})",
            "Look in Portainer whether it is there; this client does not expect it to be missing.",
        )
    return Meaning(
        Invalid,
        f"the engine does not know this path ({answer.shape})",
        "Check the address in the settings; a proxy or another product may be answering.",
    )


def _denied(status: int, body: dict[str, Any], answer: Answer) -> Meaning:
    message = _message(body)
    if status in {401, 422}:
        return Meaning(Denied, f"the API key or sign-in was not accepted (HTTP {status})", _KEY)
    if "same time" in message:
        return Meaning(
            Denied,
            "an API key and another authorization arrived together (HTTP 403)",
            "A proxy in front of Portainer adds an Authorization header; remove it there.",
        )
    if "csrf" in answer.text.lower():
        return Meaning(
            Denied,
            "a login cookie arrived with the request (HTTP 403)",
            "A proxy in front of Portainer adds a cookie; remove it there.",
        )
    return Meaning(
        Denied,
        "the API key's owner may not do this (HTTP 403)",
        "The token must be an administrator's: a regular user sees its own containers only. "
        + _KEY,
    )


def _conflict(body: dict[str, Any]) -> Meaning:
    message = _message(body)
    if "paused" in message or "is not running" in message:
        return Meaning(
            Unavailable,
            "the container does not run at present (HTTP 409)",
            "Start or unpause the container; the call is made again.",
        )
    return Meaning(
        Conflict,
        "it is in use, or its name is taken (HTTP 409)",
        "Look in the container manager at what has this name or uses it, and decide whose it is.",
    )


def _later(answer: Answer, body: dict[str, Any]) -> Meaning:
    details = str(body.get("details", "")).lower()
    by_proxy = _message(body).startswith("unable to proxy the request")
    if by_proxy and ("no media type" in details or "error response from daemon" in details):
        return Meaning(
            Unavailable,
            f"Portainer refused inside its proxy ({answer.shape})",
            "This is how Portainer answers the key of a regular user: " + _KEY,
        )
    return Meaning(
        Unavailable,
        f"it answered {answer.shape}",
        "The container engine behind it may be down or busy; it is asked again.",
    )


def _redirect(answer: Answer) -> Meaning:
    if answer.headers.get("redirect-reason") == "AdminInitTimeout":
        return Meaning(
            Invalid,
            "Portainer locked itself: no administrator was created within five minutes of its first start",
            "Restart Portainer and create its administrator at once.",
        )
    return Meaning(
        Invalid,
        f"it answered with a redirect ({answer.shape})",
        "Check the address in the settings: a login page or a proxy may be answering instead.",
    )
