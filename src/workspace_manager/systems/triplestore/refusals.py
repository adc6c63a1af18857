"""Meanings of answers of the triplestore: one table from status, content type and body to the five
errors.

The rows follow what was seen (docs/systems/triplestore.md). Three kinds of 404 matter: JSON that
names the thing is an absence, an empty one on OpenGDB means "no right", and an HTML one is a wrong
address.
"""

import re
from urllib.parse import urlsplit

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.systems.triplestore.messages import message

_NAMES_THE_THING = re.compile(
    r"No \w+ matches the given query\.|Not found\."
    r"|.*\b(?:no such|unknown) (?:user|repository)\b.*|.*\b(?:user|repository)\b.*\bdoes "
    r"not exist\b.*",
    re.IGNORECASE | re.DOTALL,
)
"""The store's own words for a missing thing. A gateway's JSON 404 proves nothing."""

GRAPHDB = "graphdb"
OPENGDB = "opengdb"

_ADVICE_RIGHTS = message("check_credentials")
_ADVICE_ADDRESS = message("check_address")
_ADVICE_WAIT = message("may_have_been_done")


def is_page(answer: Answer) -> bool:
    """Return whether the answer is a web page: a login page with status 200, or an error page of a
    proxy or of Django.
    """
    return answer.content_type == "text/html" and answer.content.lstrip()[:1] == b"<"


def refusal(answer: Answer, *, flavour: str = OPENGDB) -> ConnectorError | None:
    """Return the error of an answer; None for a success. It contains the shape, never the body."""
    status = answer.status
    if 200 <= status < 300:
        return _misread(answer) if is_page(answer) else None
    if status == 429 or status >= 500:
        return _unavailable_error(answer)
    if 300 <= status < 400:
        return _redirect_error(answer)
    if status in {401, 403}:
        return answer.error(
            Denied, message("refused_credentials", shape=answer.shape), advice=_ADVICE_RIGHTS
        )
    if status == 404:
        return _absent(answer, flavour)
    if status == 409:
        return answer.error(
            Conflict,
            message("repository_exists"),
            advice=message("person_decides"),
        )
    if status == 400:
        return _bad_request(answer)
    return answer.error(
        Invalid, message("call_not_accepted", shape=answer.shape), advice=_ADVICE_ADDRESS
    )


def refuses_member(answer: Answer) -> bool:
    """Return whether OpenGDB refuses a body because of an unknown member, after it used the members
    before.
    """
    return answer.status == 400 and _message(answer).startswith("Unknown settings key")


def require(answer: Answer, *expected: int, flavour: str = OPENGDB) -> Answer:
    """Return the answer if it has one of the expected statuses and is no web page; else raise its
    error.
    """
    error = refusal(answer, flavour=flavour)
    if error is not None:
        raise error
    if answer.status not in expected:
        raise _misread(answer)
    return answer


def _misread(answer: Answer) -> ConnectorError:
    return answer.error(
        Invalid,
        message("answered_something_else", shape=answer.shape),
        advice=_ADVICE_ADDRESS,
    )


def _unavailable_error(answer: Answer) -> ConnectorError:
    detail = message("in_trouble", shape=answer.shape)
    if "Unknown authority" in _message(answer):
        detail = message("unknown_right")
    return answer.error(Unavailable, detail, advice=_ADVICE_WAIT)


def _redirect_error(answer: Answer) -> ConnectorError:
    """Return the error of a redirect: OpenGDB redirects to its login page instead of answering 401
    or 403; any other redirect is no answer.
    """
    path = urlsplit(answer.headers.get("location", "")).path
    if path.startswith("/admin") or "login" in path:
        return answer.error(
            Denied,
            message("sent_to_login"),
            advice=_ADVICE_RIGHTS,
        )
    return answer.error(Invalid, message("redirected", shape=answer.shape), advice=_ADVICE_ADDRESS)


def _absent(answer: Answer, flavour: str) -> ConnectorError:
    if answer.is_json and _NAMES_THE_THING.fullmatch(_message(answer)):
        return answer.error(NotFound, message("no_such_thing"))
    if answer.content_type == "text/plain" and answer.text.startswith("Unknown repository"):
        return answer.error(NotFound, message("no_such_repository"))
    if answer.content.strip():
        return answer.error(
            Invalid, message("address_unknown", shape=answer.shape), advice=_ADVICE_ADDRESS
        )
    if flavour == GRAPHDB:
        return answer.error(NotFound, message("no_such_thing"))
    return answer.error(
        Denied,
        message("hides_it"),
        advice=_ADVICE_RIGHTS,
    )


def _bad_request(answer: Answer) -> ConnectorError:
    said = _message(answer) or ("" if is_page(answer) else answer.text)
    if "already exists" in said:
        return answer.error(
            Conflict,
            message("account_exists"),
            advice=message("person_decides"),
        )
    if "UNIQUE constraint" in said:
        return answer.error(
            Conflict,
            message("created_twice"),
            advice=message("remove_second_row"),
        )
    if "Unable to log in" in said:
        return answer.error(Denied, message("refused_name_and_password"), advice=_ADVICE_RIGHTS)
    advice = message("check_allowed_hosts") if is_page(answer) else None
    return answer.error(Invalid, message("call_not_understood", shape=answer.shape), advice=advice)


def _message(answer: Answer) -> str:
    """Return the sentence inside a JSON error body, to tell rows of the table apart; it is never
    shown.
    """
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
