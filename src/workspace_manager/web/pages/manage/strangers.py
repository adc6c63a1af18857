"""`/manage/strangers`: accounts that the identity provider vouches for and that belong to nobody
here. A name alone lets nobody in.
"""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.core.account_link import sub_of
from workspace_manager.people import announcements, linking_proof, unlinked_sign_ins
from workspace_manager.records.models import UnapprovedSignIn
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import message_on, on_error
from workspace_manager.web.pages.manage.registrations import tabs
from workspace_manager.web.sign_in.fresh import confirmation_url, is_fresh, proves
from workspace_manager.wiring import connected_systems

DECIDED = 50
"""The most decided ones shown."""


def overview(request: HttpRequest) -> HttpResponse:
    """Show refused sign-ins and decisions."""
    waiting = UnapprovedSignIn.objects.filter(state=UnapprovedSignIn.State.OPEN)
    context = {
        "tabs": tabs(person_of(request)),
        "status": "strangers",
        "entries": [_entry(stranger) for stranger in waiting],
        "stale": not is_fresh(request),
        "way": confirmation_url(request),
        "decided": UnapprovedSignIn.objects.exclude(state=UnapprovedSignIn.State.OPEN)[:DECIDED],
    }
    return render(request, "manage/strangers.html", context)


def _entry(stranger: UnapprovedSignIn) -> dict[str, Any]:
    """Return a refused sign-in, its possible person, and the actions."""
    known = unlinked_sign_ins.person_for(stranger)
    found = announcements.find_announcement(stranger.username)
    return {
        "stranger": stranger,
        "known": known,
        "known_sub": sub_of(known) if known else "",
        "announced": announcements.announcement_message(stranger, found) if found else None,
        "repairs": unlinked_sign_ins.repairs(stranger, known),
        "needs_proof": known is not None and linking_proof.is_needed(known),
    }


@on_error(message_on("strangers"))
def relink(request: HttpRequest, stranger_id: uuid.UUID) -> HttpResponse:
    """Link a person to their new account at the identity provider. The form names the person, so
    that a later sign-in under another name links nobody else. The name must be typed for
    administrators and people with permissions.
    """
    done = _("%(name)s is linked to the new account and can sign in.")
    story = partial(
        unlinked_sign_ins.relink,
        systems=connected_systems(),
        meant=request.POST.get("username", "").strip(),
        proved=proves(request),
    )
    return _decide(request, stranger_id, story, done)


@on_error(message_on("strangers"))
def adopt(request: HttpRequest, stranger_id: uuid.UUID) -> HttpResponse:
    """Approve an account that was made at the identity provider."""
    done = _("%(name)s is approved and can sign in.")
    return _decide(
        request,
        stranger_id,
        partial(unlinked_sign_ins.approve_existing, systems=connected_systems()),
        done,
    )


@on_error(message_on("strangers"))
def refuse(request: HttpRequest, stranger_id: uuid.UUID) -> HttpResponse:
    """Reject an account."""
    return _decide(request, stranger_id, unlinked_sign_ins.refuse, _("%(name)s was rejected."))


def _decide(
    request: HttpRequest, stranger_id: uuid.UUID, decide: Callable[..., object], done: str
) -> HttpResponse:
    stranger = get_object_or_404(UnapprovedSignIn, id=stranger_id)
    decide(stranger_id, actor=person_of(request).username)
    messages.success(request, done % {"name": stranger.username})
    return HttpResponseRedirect(reverse("strangers"))
