"""Pages' answers to errors of stories. A view raises; `on_error` names the page, or the part of a
page, that shows the reason and keeps the typed values.

See docs/explanation/when-something-is-wrong.md#errors-and-what-happens.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

from django import forms
from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.safestring import SafeString
from django_htmx.middleware import HtmxDetails

from workspace_manager.contract.errors import ConnectorError, Denied, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.contract.settings import SettingsInvalid
from workspace_manager.core.csv_table import BadFile
from workspace_manager.core.refusal import BadInput, Forbidden, Refused, WrongAccount
from workspace_manager.records.models import Person, Registration
from workspace_manager.systems import registry
from workspace_manager.web.failures import Failure, failure_of
from workspace_manager.web.messages import message
from workspace_manager.web.pages import errors, labels
from workspace_manager.web.pages.translate import as_text, translate
from workspace_manager.web.rate import TooOften

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
ErrorPage = Callable[..., HttpResponseBase]

RAISED: Final = (
    Refused,
    BadInput,
    SettingsInvalid,
    BadFile,
    Forbidden,
    WrongAccount,
    ConnectorError,
    ObjectDoesNotExist,
)
NOTICE: Final = "error_notice"
RETRIED_BY_PLANS: Final = frozenset({"contract.overloaded"})
"""Errors that a plan retries by itself. A call behind a button is made only once."""


@dataclass(frozen=True)
class ErrorNotice:
    """The reason of a refusal or failure; safe text is already in the reader's language. `status`:
    the status of the REST interface. `fields`: the reason for each field of the form.
    """

    text: Message | SafeString
    advice: Message | None = None
    system: str = ""
    plan: str = ""
    status: int = 409
    fields: Mapping[str, Message] | None = None
    lines: Sequence[tuple[int, Message]] = ()
    """The errors of a file, with their line numbers."""
    is_outage: bool = False
    """Whether the next call to the system would fail as well."""

    def spoken(self) -> str:
        """Text and advice as plain text in the reader's language, for a message."""
        return " ".join(as_text(part) for part in (self.text, self.advice) if part)


NOT_HERE: Final = ErrorNotice(message("not_here"), status=404)


def error_notice(error: Exception) -> ErrorNotice:
    """Return the notice for an exception of a story."""
    match error:
        case Refused():
            return ErrorNotice(error.message, plan=error.plan)
        case BadInput() | SettingsInvalid():
            return _input_notice(error.messages)
        case BadFile():
            return ErrorNotice(SafeString(""), status=422, lines=error.errors)
        case Forbidden():
            return ErrorNotice(error.message, status=403)
        case WrongAccount():
            return ErrorNotice(error.message, status=400)
        case Person.DoesNotExist():
            return ErrorNotice(message("nobody_of_this_name"), status=404)
        case Registration.DoesNotExist():
            return ErrorNotice(message("registration_gone"), status=404)
        case ConnectorError():
            return _system_notice(error)
    return NOT_HERE


def _input_notice(fields: Mapping[str, Message]) -> ErrorNotice:
    text = join_messages(fields.values(), by=" ") if fields else SafeString("")
    return ErrorNotice(text, status=422, fields=fields)


def _system_notice(error: ConnectorError) -> ErrorNotice:
    known = {*registry().specs, *labels.OTHER_SYSTEMS}
    advice = error.advice_message
    if isinstance(error, Unavailable) and advice.code in RETRIED_BY_PLANS:
        advice = message("ask_again")
    return ErrorNotice(
        error.message,
        advice=advice,
        system=labels.system(error.system) if error.system in known else "",
        status=503 if isinstance(error, Unavailable) else 502,
        is_outage=isinstance(error, Unavailable | Denied),
    )


def on_error(page: ErrorPage | None) -> Callable[[View[P]], View[P]]:
    """Answer exceptions of a view with `page`, which gets the arguments of the address that it
    names. Its templates read the reason as `trouble`, its code with `notice_of`.

    A missing thing is answered with 404, except a person: people are named in forms. Without
    `page`, the reason gets a page of its own.
    """
    takes = inspect.signature(page).parameters if page else {}
    takes_all = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in takes.values())

    def answering(view: View[P]) -> View[P]:
        @wraps(view)
        def within(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            try:
                return view(request, *args, **kwargs)
            except TooOften as many:
                return errors.too_often(request, many.seconds)
            except RAISED as error:
                if page is None:
                    return _page_of_its_own(request, error)
                if isinstance(error, ObjectDoesNotExist) and type(error) is not Person.DoesNotExist:
                    raise Http404 from error
                named = {name: kwargs[name] for name in kwargs if takes_all or name in takes}
                return _with_notice(request, error, page, named)

        return within

    return answering


def _with_notice(
    request: HttpRequest, error: Exception, page: ErrorPage, arguments: Mapping[str, Any]
) -> HttpResponseBase:
    notice = error_notice(error)
    setattr(request, NOTICE, notice)
    response = page(request, **arguments)
    # htmx swaps a part in only if the status is a success.
    if response.status_code == 200 and not HtmxDetails(request):
        response.status_code = notice.status
        failure = failure_of(error)
        if failure and failure.retry_after is not None:
            response.headers["Retry-After"] = str(failure.retry_after)
    return response


def _page_of_its_own(request: HttpRequest, error: Exception) -> HttpResponse:
    if isinstance(error, ObjectDoesNotExist):
        raise Http404 from error
    if isinstance(error, Forbidden):
        raise PermissionDenied(as_text(error.message)) from error
    notice = error_notice(error)
    if isinstance(error, ConnectorError) or not isinstance(notice.text, Message):
        raise error
    return errors.failed(request, Failure(notice.status, notice.text))


def message_on(name: str, *arguments: str, anchor: str = "") -> ErrorPage:
    """Return an answer that redirects to the page of this name, with the reason at its top.
    `arguments`: arguments of the address that this page takes, too.
    """

    def page(request: HttpRequest, **kwargs: object) -> HttpResponse:
        if notice := notice_of(request):
            messages.error(request, notice.spoken())
        address = reverse(name, args=[kwargs[argument] for argument in arguments])
        return HttpResponseRedirect(f"{address}#{anchor}" if anchor else address)

    return page


def notice_of(request: HttpRequest) -> ErrorNotice | None:
    """Return why the view of this request failed; None if it did not."""
    notice: ErrorNotice | None = getattr(request, NOTICE, None)
    return notice


def in_templates(request: HttpRequest) -> dict[str, ErrorNotice | None]:
    """Return the reason for templates (a context processor)."""
    return {"trouble": notice_of(request)}


def refuse_invalid(form: forms.BaseForm) -> None:
    """Raise BadInput without messages for an invalid form, which shows its errors beside its
    fields.
    """
    if not form.is_valid():
        raise BadInput({})


def complain(request: HttpRequest, form: forms.BaseForm) -> None:
    """Put a story's complaints beside the fields of this form, once each. Complaints about other
    fields stay above the form.
    """
    notice = notice_of(request)
    if notice is None or notice.fields is None or not form.is_bound:
        return
    others = {name: text for name, text in notice.fields.items() if name not in form.fields}
    for name in notice.fields.keys() - others.keys() - form.errors.keys():
        form.add_error(name, translate(notice.fields[name]))
    setattr(request, NOTICE, _input_notice(others) if others else None)


def attempt(story: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> ErrorNotice | None:
    """Do one of several things and return why it failed, if it did. The others are done anyway, and
    the page shows each reason.
    """
    try:
        story(*args, **kwargs)
    except RAISED as error:
        return error_notice(error)
    return None
