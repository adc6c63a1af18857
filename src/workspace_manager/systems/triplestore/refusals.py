"""What an answer of the triplestore means: one table from (status, content type, body) to the five errors.

Rows follow the facts (triplestore 0, 2.1, 2.2). Three different 404 matter: JSON that names the thing is absence, an empty one on
OpenGDB is "no right", an HTML one is a wrong address.
"""

import re
from urllib.parse import urlsplit

from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.http import Answer

_NAMES_THE_THING = re.compile(
    r"No \w+ matches the given query\.|Not found\."
    r"|.*\b(?:no such|unknown) (?:user|repository)\b.*|.*\b(?:user|repository)\b.*\bdoes not exist\b.*",
    re.IGNORECASE | re.DOTALL,
)
"""What the store itself says of a thing that is not there. A gateway before it has JSON for a 404 too, and that proves nothing."""

GRAPHDB = "graphdb"
OPENGDB = "opengdb"

_ADVICE_RIGHTS = (
    "Check the administrator's name and password in the settings. OpenGDB lets only a Django superuser manage users: the role "
    "ROLE_ADMIN is not enough."
)
_ADVICE_ADDRESS = (
    "Check the address in the settings: something else than the triplestore's interface answered."
)
_ADVICE_WAIT = (
    "It may have been done all the same. The triplestore is looked at again before anything is repeated; check that RDF4J runs "
    "behind it."
)


def is_page(answer: Answer) -> bool:
    """Whether a web page answered: a login page with status 200, a proxy's or Django's error page."""
    return answer.content_type == "text/html" and answer.content.lstrip()[:1] == b"<"


def refusal(answer: Answer, *, flavour: str = OPENGDB) -> ConnectorError | None:
    """Say which error an answer is, None when the call did what it was asked. Keeps the shape, never the body."""
    status = answer.status
    if 200 <= status < 300:
        return _misread(answer) if is_page(answer) else None
    if status == 429 or status >= 500:
        return _trouble(answer)
    if 300 <= status < 400:
        return _redirected(answer)
    if status in {401, 403}:
        return answer.error(
            Denied, f"it refused our credentials ({answer.shape})", advice=_ADVICE_RIGHTS
        )
    if status == 404:
        return _absent(answer, flavour)
    if status == 409:
        return answer.error(
            Conflict,
            "a repository with this id exists already",
            advice="A person decides whose it is.",
        )
    if status == 400:
        return _bad_request(answer)
    return answer.error(
        Invalid, f"it did not accept the call ({answer.shape})", advice=_ADVICE_ADDRESS
    )


def require(answer: Answer, *expected: int, flavour: str = OPENGDB) -> Answer:
    """Give the answer back when it has one of the expected statuses and is no web page; raise what it means otherwise."""
    error = refusal(answer, flavour=flavour)
    if error is not None:
        raise error
    if answer.status not in expected:
        raise _misread(answer)
    return answer


def _misread(answer: Answer) -> ConnectorError:
    return answer.error(
        Invalid,
        f"it answered something else than was asked ({answer.shape})",
        advice=_ADVICE_ADDRESS,
    )


def _trouble(answer: Answer) -> ConnectorError:
    detail = f"it is in trouble ({answer.shape})"
    if "Unknown authority" in _message(answer):
        detail = "it does not know one of the rights: probably a repository is missing that a right is about"
    return answer.error(Unavailable, detail, advice=_ADVICE_WAIT)


def _redirected(answer: Answer) -> ConnectorError:
    """OpenGDB redirects to its login page instead of 401 or 403; any other redirect is no answer at all."""
    path = urlsplit(answer.headers.get("location", "")).path
    if path.startswith("/admin") or "login" in path:
        return answer.error(
            Denied,
            "it sent us to its login page: the account lacks the right",
            advice=_ADVICE_RIGHTS,
        )
    return answer.error(
        Invalid, f"it answered with a redirect ({answer.shape})", advice=_ADVICE_ADDRESS
    )


def _absent(answer: Answer, flavour: str) -> ConnectorError:
    if answer.is_json and _NAMES_THE_THING.fullmatch(_message(answer)):
        return answer.error(NotFound, "there is no such thing")
    if answer.content_type == "text/plain" and answer.text.startswith("Unknown repository"):
        return answer.error(NotFound, "RDF4J has no such repository")
    if answer.content.strip():
        return answer.error(
            Invalid, f"this address is unknown there ({answer.shape})", advice=_ADVICE_ADDRESS
        )
    if flavour == GRAPHDB:
        return answer.error(NotFound, "there is no such thing")
    return answer.error(
        Denied,
        "it hides the thing from us: OpenGDB answers an empty 404 for a missing right",
        advice=_ADVICE_RIGHTS,
    )


def _bad_request(answer: Answer) -> ConnectorError:
    message = _message(answer) or ("" if is_page(answer) else answer.text)
    if "already exists" in message:
        return answer.error(
            Conflict,
            "an account with this name exists already",
            advice="A person decides whose it is.",
        )
    if "UNIQUE constraint" in message:
        return answer.error(
            Conflict,
            "the id was created twice; from now on every call on it fails",
            advice="Only the administrator of the triplestore can repair this: remove the second row of this id from its database.",
        )
    if "Unable to log in" in message:
        return answer.error(Denied, "it refused our name and password", advice=_ADVICE_RIGHTS)
    advice = (
        "Check that the host name in the address is one the triplestore allows (ALLOWED_HOSTS)."
        if is_page(answer)
        else ""
    )
    return answer.error(Invalid, f"it did not understand the call ({answer.shape})", advice=advice)


def _message(answer: Answer) -> str:
    """The sentence inside a JSON error body, for telling rows of the table apart; never shown."""
    body = answer.json_or_none()
    if not isinstance(body, dict):
        return ""
    error, several = body.get("error"), body.get("non_field_errors")
    candidates = [body.get("detail"), body.get("message")]
    if isinstance(error, dict):
        candidates.append(error.get("message"))
    if isinstance(several, list):
        candidates += several
    return " ".join(text for text in candidates if isinstance(text, str))
