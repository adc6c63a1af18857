"""A new component whose content is an uploaded file. The form is read while it arrives: its members
stand before the file, the proof that the form is one of ours among them.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from ninja.utils import check_csrf

from workspace_manager.core.refusal import BadInput
from workspace_manager.records.models import Component, Person
from workspace_manager.snapshots.upload import UploadOrder, create_from_file
from workspace_manager.web.messages import message
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import complain, on_error, refuse_invalid
from workspace_manager.web.pages.components import NewComponent
from workspace_manager.web.uploads import is_upload, read_form
from workspace_manager.wiring import connected_systems


class NewComponentFromFile(NewComponent):
    """The form of a new component from a file. Nobody looks at the file here."""

    content = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy(
            "A dump of a database, or N-Quads; plain, or compressed with gzip or zstd. A "
            "downloaded snapshot fits. The file stays as a snapshot until you delete it."
        ),
    )


def _form_again(request: HttpRequest) -> HttpResponse:
    form = NewComponentFromFile(request.POST, owner=person_of(request))
    complain(request, form)
    return render(request, "components/from_file.html", {"form": form})


# The proof is in the form, which is read here: `_refuse_forged` compares it.
@csrf_exempt
@on_error(_form_again)
def new(request: HttpRequest) -> HttpResponse:
    """Order a component from a file. A plan makes it; its page shows the progress."""
    person = person_of(request)
    if request.method != "POST":
        form = NewComponentFromFile(owner=person, initial=request.GET.dict())
        return render(request, "components/from_file.html", {"form": form})
    if not is_upload(request):
        _refuse_forged(request)
        raise BadInput({"content": message("file_missing")})
    try:
        component = read_form(request, partial(_take, request, person))
    except MultiPartParserError as wrong:
        raise BadRequest from wrong
    return HttpResponseRedirect(reverse("component", args=[component.id]))


def _take(
    request: HttpRequest,
    person: Person,
    members: dict[str, str],
    name: str,
    content: Iterator[bytes],
) -> Component:
    request.POST = QueryDict(urlencode(members))
    _refuse_forged(request)
    form = NewComponentFromFile(request.POST, owner=person)
    refuse_invalid(form)
    asked: dict[str, Any] = form.cleaned_data
    order = UploadOrder(asked["kind"], asked["label"], asked["project"], name)
    component, _ = create_from_file(person, order, content, connected_systems())
    return component


def _refuse_forged(request: HttpRequest) -> None:
    """Raise PermissionDenied for a form that is none of our pages'."""
    if check_csrf(request):
        raise PermissionDenied
