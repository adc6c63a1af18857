"""Every error as a problem document (RFC 9457): one place says which trouble has which status.

Nothing of a request's body, of a system's answer or of a traceback is ever in a document.
"""

import json
import logging
import math
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.core.signals import got_request_exception
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import BaseModel

from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.core.connected_systems import LABELS
from workspace_manager.core.refusal import BadInput, Forbidden, Refused, WrongAccount

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
ASK_AGAIN_S = 30
"""What Retry-After says when a system that does not answer named no time itself."""
DATABASE_BUSY_S = 5

NOBODY = "Sign in, or send an API token: Authorization: Bearer <token>."
NOT_JSON = "The body is not JSON that can be read (UTF-8, no NaN, not too deep)."
NOT_HERE = "There is nothing here, or nothing that is shown to you."
OURS = "The manager made a mistake. It is written in the server's log; nothing more is known here."
FORGED = (
    "This request came with a session but without its proof. Send the header X-CSRFToken with the value of the cookie csrftoken, "
    "or use an API token instead of a session."
)


class FieldError(BaseModel):
    """One field that cannot be used, and why."""

    field: str
    message: str


class Problem(BaseModel):
    """What went wrong (RFC 9457). `errors`: with 422; `reason`: with 409; `plan`: the plan in the way; `advice`: what to do."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError] | None = None
    reason: str | None = None
    plan: str | None = None
    system: str | None = None
    advice: str | None = None


def problem(
    status: int, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any
) -> HttpResponse:
    """Answer with a problem document; empty members are left out."""
    document = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **{name: value for name, value in members.items() if value},
    }
    return HttpResponse(
        json.dumps(document), status=status, content_type=MEDIA_TYPE, headers=headers
    )


def handle_all(api: NinjaAPI) -> None:
    """Teach the API every kind of trouble. A class that is not named here is handled as its nearest base class."""
    for kind, handler in HANDLERS.items():
        api.add_exception_handler(kind, handler)


def nobody(_request: HttpRequest, _error: Exception) -> HttpResponse:
    """401."""
    return problem(401, NOBODY, headers={"WWW-Authenticate": 'Bearer realm="workspace"'})


def not_here(_request: HttpRequest, _error: Exception) -> HttpResponse:
    """404: gone, never there, or not for this person; which of them is not told."""
    return problem(404, NOT_HERE)


def _framework(_request: HttpRequest, error: Exception) -> HttpResponse:
    """What the framework itself refuses: only a body it cannot parse is left to it."""
    assert isinstance(error, HttpError)
    return problem(error.status_code, NOT_JSON if error.status_code == 400 else error.message)


def _unreadable(_request: HttpRequest, _error: Exception) -> HttpResponse:
    return problem(400, "The body broke off before its end. Send the request again.")


def _invalid(request: HttpRequest, error: Exception) -> HttpResponse:
    """422 with every field, or 404 for an id that cannot be one."""
    assert isinstance(error, ValidationError)
    if any(one["loc"][0] == "path" for one in error.errors):
        return not_here(request, error)
    errors = [
        {
            "field": _field(one["loc"]),
            "message": str(one["msg"]).removeprefix("Value error, "),
        }
        for one in error.errors
    ]
    return _fields(errors)


def _field(place: tuple[object, ...]) -> str:
    # ("body", <name of our parameter>, "label", …) or ("query", "limit").
    inner = place[2:] if place[0] == "body" else place[1:]
    return ".".join(str(part)[:100] for part in inner) or "body"


def _bad_input(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, BadInput)
    return _fields([{"field": name, "message": text} for name, text in error.errors.items()])


def _fields(errors: list[dict[str, str]]) -> HttpResponse:
    names = ", ".join(dict.fromkeys(one["field"] for one in errors))
    return problem(422, f"This cannot be used: {names}.", errors=errors)


def _refused(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, Refused)
    return problem(409, error.reason, reason=error.reason, plan=error.plan)


def _forbidden(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, Forbidden)
    return problem(403, error.reason)


def _wrong_account(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, WrongAccount)
    return problem(400, error.reason)


def _unavailable(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, Unavailable)
    wait = math.ceil(ASK_AGAIN_S if error.retry_after is None else error.retry_after)
    return _of_a_system(503, error, headers={"Retry-After": str(max(1, wait))})


def _not_understood(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, ConnectorError)
    return _of_a_system(502, error)


def _of_a_system(
    status: int, error: ConnectorError, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    label = LABELS.get(error.system, error.system)
    detail = f"{label[:1].upper()}{label[1:]}, {error.doing}: {error.detail}"
    return problem(status, detail, headers=headers, system=error.system, advice=error.advice)


def _database(_request: HttpRequest, error: Exception) -> HttpResponse:
    log.error("the database could not be used", exc_info=error)
    text = "The manager's database is busy or does not answer. Try again in a few seconds."
    return problem(503, text, headers={"Retry-After": str(DATABASE_BUSY_S)})


def _mistake(request: HttpRequest, error: Exception) -> HttpResponse:
    """500: our fault, told as a document too; the log has the traceback, and Django's signal tells whoever listens."""
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    got_request_exception.send(sender=None, request=request)
    return problem(500, OURS)


HANDLERS: dict[type[Exception], Callable[..., HttpResponse]] = {
    AuthenticationError: nobody,
    HttpError: _framework,
    ValidationError: _invalid,
    UnreadablePostError: _unreadable,
    Http404: not_here,
    ObjectDoesNotExist: not_here,
    Refused: _refused,
    BadInput: _bad_input,
    Forbidden: _forbidden,
    WrongAccount: _wrong_account,
    Unavailable: _unavailable,
    ConnectorError: _not_understood,
    OperationalError: _database,
    Exception: _mistake,
}
