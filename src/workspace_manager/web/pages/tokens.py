"""`/tokens`: a person's API tokens. The text of each is shown once, when it is made."""

import uuid
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from workspace_manager.access import tokens
from workspace_manager.access.messages import message
from workspace_manager.core.refusal import BadInput
from workspace_manager.records.models import ApiToken, Person
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import notice_of, on_error
from workspace_manager.web.sign_in.fresh import confirmation_url, refuse_stale_for_token


def _show(request: HttpRequest) -> HttpResponse:
    person, today, notice = person_of(request), timezone.localdate(), notice_of(request)
    usual = today + timedelta(days=min(settings.TOKEN_DAYS, settings.TOKEN_MOST_DAYS))
    form = request.POST
    context: dict[str, Any] = {
        "tokens": ApiToken.objects.filter(person=person).order_by("created_at", "id"),
        "now": timezone.now(),
        "way": confirmation_url(request, reverse("tokens"))
        if notice and notice.status == 403
        else "",
        "typed": form.get("name", "")[:200],
        "scopes": _scopes(person),
        "scope": form.get("scope", tokens.Scope.OWN),
        "until": form.get("until") or usual.isoformat(),
        "first": (today + timedelta(days=1)).isoformat(),
        "last": (today + timedelta(days=settings.TOKEN_MOST_DAYS)).isoformat(),
        "most_days": settings.TOKEN_MOST_DAYS,
    }
    return render(request, "tokens/list.html", context)


@on_error(_show)
@sensitive_variables()
def overview(request: HttpRequest) -> HttpResponse:
    """Show the person's tokens, or make a new one."""
    if request.method != "POST":
        return _show(request)
    person = person_of(request)
    if request.POST.get("scope") in tokens.FOR_THE_ROLE:
        refuse_stale_for_token(request)
    token, clear = _make(person, request.POST)
    # Only in this answer: a redirect would have to store the token somewhere.
    return render(request, "tokens/fresh.html", {"token": token, "clear": clear})


def _make(person: Person, form: QueryDict) -> tuple[ApiToken, str]:
    scope, until = form.get("scope", tokens.Scope.OWN), form.get("until", "")
    if scope not in _scopes(person):
        raise BadInput({"scope": message("scope_of_administrators")})
    return tokens.create(
        person,
        name=form.get("name", "")[:200],
        actor=person.username,
        scope=scope,
        until=tokens.read_end(until, timezone.get_current_timezone()) if until else None,
    )


def _scopes(person: Person) -> list[str]:
    """Return the scopes of tokens made on this page."""
    return [scope for scope in tokens.may_have(person) if scope is not tokens.Scope.OPERATION]


def end(request: HttpRequest, token_id: uuid.UUID) -> HttpResponse:
    """End a token at once."""
    person = person_of(request)
    token = get_object_or_404(ApiToken, id=token_id, person=person)
    tokens.revoke(token, actor=person.username)
    messages.success(request, _("The token “%(name)s” is revoked.") % {"name": token.name})
    return HttpResponseRedirect(reverse("tokens"))
