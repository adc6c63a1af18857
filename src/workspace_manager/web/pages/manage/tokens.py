"""`/manage/people/{username}/tokens`: a person's API tokens. Administrators see them without their
text, and end them.
"""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from workspace_manager.access import tokens
from workspace_manager.records.models import ApiToken
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.manage.people import get_person


def overview(request: HttpRequest, username: str) -> HttpResponse:
    """Show all API tokens of a person."""
    person = get_person(username)
    rows = ApiToken.objects.filter(person=person).order_by("created_at", "id")
    context = {"person": person, "tokens": rows, "now": timezone.now()}
    return render(request, "manage/tokens.html", context)


def end(request: HttpRequest, username: str, token_id: uuid.UUID) -> HttpResponse:
    """End a token at once."""
    token = get_object_or_404(ApiToken, id=token_id, person=get_person(username))
    tokens.revoke(token, actor=person_of(request).username)
    messages.success(request, _("The token “%(name)s” is revoked.") % {"name": token.name})
    return HttpResponseRedirect(reverse("tokens_of_person", args=[username]))
