"""`/settings`: the signed-in person's language, time zone, theme and notices."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override, pgettext_lazy

from workspace_manager.inbox.item_kinds import of_things
from workspace_manager.letters.letter import in_language
from workspace_manager.notices import choices
from workspace_manager.people import permissions, preferences
from workspace_manager.records.models import NoticeChoice, Person
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.time_zones import TimeZoneField
from workspace_manager.web.pages.translate import as_text

THEMES = (
    ("", gettext_lazy("Same as the device")),
    (Person.Theme.LIGHT.value, pgettext_lazy("theme", "Light")),
    (Person.Theme.DARK.value, pgettext_lazy("theme", "Dark")),
)


class OwnSettings(forms.Form):
    """The form of a person's own settings."""

    locale = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=settings.LANGUAGES,
        help_text=gettext_lazy("The language of these pages and of the e-mails you get."),
    )
    timezone = TimeZoneField()
    theme = forms.ChoiceField(
        label=gettext_lazy("Appearance"),
        choices=THEMES,
        required=False,
        widget=forms.RadioSelect,
    )


HOW = (
    (NoticeChoice.How.AT_ONCE.value, gettext_lazy("immediately")),
    (NoticeChoice.How.DAILY.value, gettext_lazy("once a day, at seven")),
    (NoticeChoice.How.NEVER.value, pgettext_lazy("a letter", "never")),
)


class Notices(forms.Form):
    """The form with the way of notice for each kind of inbox item."""

    def __init__(self, person: Person, typed: QueryDict | None = None) -> None:
        super().__init__(typed, prefix="notice")
        for kind, how in choices.read_choices(person).items():
            self.fields[kind] = forms.ChoiceField(
                label=as_text(of_things(kind)), choices=HOW, initial=how
            )


def choose_notices(request: HttpRequest) -> HttpResponse:
    """Save how a person wants to be told."""
    person = person_of(request)
    form = Notices(person, request.POST)
    if not form.is_valid():
        return _show(request, OwnSettings(initial=_initial(person)), notices=form, status=422)
    choices.choose(person, form.cleaned_data)
    messages.success(request, _("Saved."))
    return HttpResponseRedirect(f"{reverse('settings')}#letters")


def own(request: HttpRequest) -> HttpResponse:
    """Show or save a person's own settings."""
    person = person_of(request)
    if request.method != "POST":
        return _show(request, OwnSettings(initial=_initial(person)))
    form = OwnSettings(request.POST)
    if not form.is_valid():
        return _show(request, form, status=422)
    preferences.choose(person, **form.cleaned_data)
    with override(form.cleaned_data["locale"]):
        messages.success(request, _("Saved. The change applies wherever you sign in."))
    return HttpResponseRedirect(reverse("settings"))


def _initial(person: Person) -> dict[str, Any]:
    return {
        "locale": in_language(person.locale),
        "timezone": person.timezone or "UTC",
        "theme": person.theme,
    }


def _show(
    request: HttpRequest, form: OwnSettings, *, notices: Notices | None = None, status: int = 200
) -> HttpResponse:
    person = person_of(request)
    context = {
        "form": form,
        "notices": notices or Notices(person),
        "permissions": permissions.held_permissions(person),
    }
    return render(request, "people/settings.html", context, status=status)
