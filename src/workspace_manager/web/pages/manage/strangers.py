"""`/manage/strangers`: people the identity provider vouches for and whom nobody here knows. Nobody
is let in on a name alone.
"""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.core.account_link import sub_of
from workspace_manager.core.refusal import Refused
from workspace_manager.people import announced, unlinked_sign_ins
from workspace_manager.records.models import Stranger
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import error_notice
from workspace_manager.web.pages.manage.registrations import tabs
from workspace_manager.wiring import connected_systems

DECIDED = 50
"""How many of the decided ones are still shown."""


def overview(request: HttpRequest) -> HttpResponse:
    """Who stood at the door, and what was decided."""
    waiting = Stranger.objects.filter(state=Stranger.State.OPEN)
    context = {
        "tabs": tabs(person_of(request)),
        "status": "strangers",
        "entries": [_entry(stranger) for stranger in waiting],
        "decided": Stranger.objects.exclude(state=Stranger.State.OPEN)[:DECIDED],
    }
    return render(request, "manage/strangers.html", context)


def _entry(stranger: Stranger) -> dict[str, Any]:
    """One stranger, the person it may be, and what can be done."""
    known = unlinked_sign_ins.person_for(stranger)
    found = announced.of(stranger.username)
    return {
        "stranger": stranger,
        "known": known,
        "known_sub": sub_of(known) if known else "",
        "announced": announced.told(stranger, found) if found else None,
        "repairs": unlinked_sign_ins.repairs(stranger, known),
    }


def relink(request: HttpRequest, stranger_id: uuid.UUID) -> HttpResponse:
    """It is the same person: their account at the identity provider was made again. Who that is was
    shown: another knock since, under another name, links nobody else.
    """
    done = _("%(name)s is linked to the new account and can sign in.")
    meant = request.POST.get("username", "")
    story = partial(unlinked_sign_ins.relink, systems=connected_systems(), meant=meant)
    return _decided(request, stranger_id, story, done)


def adopt(request: HttpRequest, stranger_id: uuid.UUID) -> HttpResponse:
    """Let somebody in whose account was made at the identity provider, not here."""
    done = _("%(name)s is approved and can sign in.")
    return _decided(
        request,
        stranger_id,
        partial(unlinked_sign_ins.approve_existing, systems=connected_systems()),
        done,
    )


def refuse(request: HttpRequest, stranger_id: uuid.UUID) -> HttpResponse:
    """This account does not belong here."""
    return _decided(request, stranger_id, unlinked_sign_ins.refuse, _("%(name)s stays outside."))


def _decided(
    request: HttpRequest, stranger_id: uuid.UUID, decide: Callable[..., object], done: str
) -> HttpResponse:
    stranger = Stranger.objects.filter(id=stranger_id).first()
    if stranger is None:
        raise Http404
    try:
        decide(stranger_id, actor=person_of(request).username)
    except Refused as refusal:
        messages.error(request, error_notice(refusal).spoken())
    else:
        messages.success(request, done % {"name": stranger.username})
    return HttpResponseRedirect(reverse("strangers"))
