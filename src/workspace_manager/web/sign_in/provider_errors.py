"""Answers to failures of the identity provider during a sign-in."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from allauth.socialaccount.models import SocialApp
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from requests import RequestException

from workspace_manager.contract.errors import ConnectorError
from workspace_manager.web.messages import message
from workspace_manager.web.sign_in.adapter import render_refusal
from workspace_manager.web.sign_in.provider import NotConfigured

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
ASK_AGAIN_S: Final = 5


def provider_errors_on_page(view: View[P]) -> View[P]:
    """Answer 503 with a page that says that nobody can sign in now, and whether that passes."""

    @wraps(view)
    def answering(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except (NotConfigured, SocialApp.DoesNotExist):
            return render_refusal(request, message("not_configured"), status=503)
        except (ConnectorError, RequestException, ValueError, KeyError):
            return silent(request)

    return answering


def silent(request: HttpRequest, why: str = "silent") -> HttpResponse:
    """Answer that the identity provider is silent, and when to try again."""
    answer = render_refusal(request, message(why), status=503)
    answer.headers["Retry-After"] = str(ASK_AGAIN_S)
    return answer
