"""Problem documents (RFC 9457) for all errors: one table maps each exception to its status.

No document contains anything of a request's body, of a system's answer or of a traceback.
"""

import json
import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Annotated, Any

from django.core.exceptions import ObjectDoesNotExist, SuspiciousMultipartForm
from django.core.signals import got_request_exception
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import BaseModel

from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.member_description import SystemName, Uuid, describe
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.settings import SettingsInvalid
from workspace_manager.core.messages import encode_message
from workspace_manager.core.refusal import BadInput, Forbidden, Refused, WrongAccount
from workspace_manager.snapshots.upload import TooLarge
from workspace_manager.web.failures import Failure, failure_of
from workspace_manager.web.messages import message
from workspace_manager.web.pages.translate import CodedMessage, as_text, message_members
from workspace_manager.web.rate import TooOften
from workspace_manager.web.sign_in.marks import ENDED

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"


class ShutOut(AuthenticationError):
    """A valid token of somebody who may not sign in at the identity provider any more."""


class FieldError(BaseModel):
    """An unusable field and the reason. `code` and `params`: the reason as data, if it is a message
    of the manager.
    """

    field: Annotated[str, describe("The member or parameter.", "label")]
    message: Annotated[str, describe("Why it cannot be used.", "Unknown member.")]
    code: Annotated[
        str | None,
        describe("The same as a code, where it is a message of the manager.", "web.no_such_member"),
    ] = None
    params: Annotated[dict[str, Any] | None, describe("What the message is about.", {})] = None


class Problem(BaseModel):
    """A problem (RFC 9457). `errors`: with 422; `reason`: with 409; `plan`: the plan in the way;
    `advice`: what to do. `detail_message`, `reason_message`, `advice_message`: the texts as code
    and parameters, in no language.
    """

    type: Annotated[
        str,
        describe(
            "Always `about:blank`: the status says what kind of problem it is.", "about:blank"
        ),
    ]
    title: Annotated[str, describe("The words of the status.", "Unprocessable Entity")]
    status: Annotated[int, describe("The status of the answer.", 422)]
    detail: Annotated[
        str, describe("What went wrong, in a sentence.", "This cannot be used: label.")
    ]
    detail_message: CodedMessage | None = None
    errors: Annotated[list[FieldError] | None, describe("With 422: each field, and why.")] = None
    reason: Annotated[
        str | None, describe("With 409: why the state does not allow it.", "anna is being removed.")
    ] = None
    reason_message: CodedMessage | None = None
    plan: Annotated[Uuid | None, describe("With 409: the plan that is in the way.")] = None
    system: Annotated[SystemName | None, describe("With 502 and 503: which system it was.")] = None
    advice: Annotated[
        str | None, describe("What can be done about it.", "Check the settings of the drive.")
    ] = None
    advice_message: CodedMessage | None = None


def problem(
    status: int, why: Message, *, headers: Mapping[str, str] | None = None, **members: Any
) -> HttpResponse:
    """Answer with a problem document; empty members are left out."""
    document = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        **message_members("detail", why),
        **{name: value for name, value in members.items() if value},
    }
    return HttpResponse(
        json.dumps(document), status=status, content_type=MEDIA_TYPE, headers=headers
    )


def handle_all(api: NinjaAPI) -> None:
    """Register a handler for every exception. Another class is handled like its nearest base
    class.
    """
    for kind, handler in HANDLERS.items():
        api.add_exception_handler(kind, handler)


def nobody(request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer 401. If the session or token was valid until now, the answer says why it ended."""
    why = "session_ended" if getattr(request, ENDED, False) else "nobody"
    if isinstance(error, ShutOut):
        why = "shut_out"
    return problem(401, message(why), headers={"WWW-Authenticate": 'Bearer realm="workspace"'})


def not_here(_request: HttpRequest, _error: Exception) -> HttpResponse:
    """Answer 404: gone, never there, or not for this person. The answer does not say which."""
    return problem(404, message("not_here"))


def _framework(_request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer a refusal of the framework: only bodies that cannot be parsed are left to it."""
    assert isinstance(error, HttpError)
    return problem(
        error.status_code,
        message("not_json") if error.status_code == 400 else quote_words(error.message),
    )


def _unreadable(_request: HttpRequest, _error: Exception) -> HttpResponse:
    return problem(400, message("broke_off"))


def _no_form(_request: HttpRequest, _error: Exception) -> HttpResponse:
    return problem(400, message("not_a_form"))


def _too_large(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, TooLarge)
    return problem(413, error.message)


def _invalid(request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer 422 with every field, or 404 for an id that cannot exist."""
    assert isinstance(error, ValidationError)
    if any(one["loc"][0] == "path" for one in error.errors):
        return not_here(request, error)
    return _fields([_framework_error(one) for one in error.errors])


def _framework_error(one: dict[str, Any]) -> dict[str, Any]:
    """Describe the framework's error of one field; unknown errors get our words."""
    field = _field(one["loc"])
    unknown = message("no_such_member") if one["type"] == "extra_forbidden" else one.get("message")
    context = one.get("ctx", {})
    if one["type"] == "too_long" and context.get("field_type") == "Value":
        # A text that was checked before; the framework calls its characters items.
        unknown = message("text_too_long", most=context["max_length"])
    if unknown:
        return _field_error(field, unknown)
    return {"field": field, "message": str(one["msg"]).removeprefix("Value error, ")}


def _field(place: tuple[object, ...]) -> str:
    # A location is `("body", <name of our parameter>, "label", …)` or `("query", "limit")`.
    inner = place[2:] if place[0] == "body" else place[1:]
    return ".".join(str(part)[:100] for part in inner) or "body"


def _bad_input(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, BadInput | SettingsInvalid)
    return _fields([_field_error(name, text) for name, text in error.messages.items()])


def _field_error(name: str, wrong: Message) -> dict[str, Any]:
    return {"field": name, "message": as_text(wrong), **(encode_message(wrong) or {})}


def _fields(errors: list[dict[str, Any]]) -> HttpResponse:
    names = ", ".join(dict.fromkeys(one["field"] for one in errors))
    return problem(422, message("fields", names=names), errors=errors)


def _answer_refused(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, Refused)
    return problem(409, error.message, plan=error.plan, **message_members("reason", error.message))


def _forbidden(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, Forbidden)
    return problem(403, error.message)


def _wrong_account(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, WrongAccount)
    return problem(400, error.message)


def _too_often(_request: HttpRequest, error: Exception) -> HttpResponse:
    assert isinstance(error, TooOften)
    headers = {"Retry-After": str(error.seconds)}
    return problem(429, message("too_many_changes", count=error.seconds), headers=headers)


def failed(_request: HttpRequest, failure: Failure) -> HttpResponse:
    """Answer an external failure, by the table that pages share."""
    wait = {} if failure.retry_after is None else {"Retry-After": str(failure.retry_after)}
    text = as_text(failure.why)
    return problem(
        failure.status,
        failure.why,
        headers=wait,
        detail=text[:1].upper() + text[1:],
        system=failure.system,
        **message_members("advice", failure.advice),
    )


def _failed(request: HttpRequest, error: Exception) -> HttpResponse:
    failure = failure_of(error)
    if failure is None:
        return _mistake(request, error)
    if not failure.system:
        log.error("%s %s failed", request.method, request.path, exc_info=error)
    return failed(request, failure)


def _mistake(request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer 500 with a document; the log has the traceback, and Django's signal is sent."""
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    got_request_exception.send(sender=None, request=request)
    return problem(500, message("our_mistake"))


HANDLERS: dict[type[Exception], Callable[..., HttpResponse]] = {
    AuthenticationError: nobody,
    HttpError: _framework,
    ValidationError: _invalid,
    UnreadablePostError: _unreadable,
    MultiPartParserError: _no_form,
    SuspiciousMultipartForm: _no_form,
    TooLarge: _too_large,
    Http404: not_here,
    ObjectDoesNotExist: not_here,
    Refused: _answer_refused,
    BadInput: _bad_input,
    SettingsInvalid: _bad_input,
    Forbidden: _forbidden,
    TooOften: _too_often,
    WrongAccount: _wrong_account,
    ConnectorError: _failed,
    DatabaseError: _failed,
    InterfaceError: _failed,
    OSError: _failed,
    Exception: _mistake,
}
