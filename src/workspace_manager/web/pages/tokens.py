"""`/tokens`: one's personal tokens for the REST API, each shown once when it is made."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.people import tokens
from workspace_manager.records.models import ApiToken
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import ErrorNotice, error_notice


@sensitive_variables()
def overview(request: HttpRequest) -> HttpResponse:
    """All of one's own, or a new one."""
    if request.method != "POST":
        return _show(request)
    person, name = person_of(request), request.POST.get("name", "")[:200]
    try:
        token, clear = tokens.create(person, name=name, actor=person.username)
    except (Refused, BadInput) as no:
        return _show(request, error_notice(no), name)
    # On this one answer and nowhere else: a redirect would have to keep it somewhere.
    return render(request, "tokens/fresh.html", {"token": token, "clear": clear})


def _show(request: HttpRequest, why: ErrorNotice | None = None, typed: str = "") -> HttpResponse:
    context: dict[str, Any] = {
        "tokens": ApiToken.objects.filter(person=person_of(request)).order_by("created_at", "id"),
        "trouble": why,
        "typed": typed,
    }
    return render(request, "tokens/list.html", context, status=why.status if why else 200)


def end(request: HttpRequest, token_id: uuid.UUID) -> HttpResponse:
    """It is good for nothing from now on."""
    person = person_of(request)
    token = ApiToken.objects.filter(id=token_id, person=person).first()
    if token is None:
        raise Http404
    tokens.revoke(token, actor=person.username)
    messages.success(request, _("The token “%(name)s” has ended.") % {"name": token.name})
    return HttpResponseRedirect(reverse("tokens"))
