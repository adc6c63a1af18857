"""`/settings`: language, time zone and theme of whoever is signed in."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override, pgettext_lazy

from workspace_manager.core.letter import in_language
from workspace_manager.people import permissions, preferences
from workspace_manager.records.models import Person
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.time_zones import TimeZoneField

THEMES = (
    ("", gettext_lazy("As the device has it")),
    (Person.Theme.LIGHT.value, pgettext_lazy("theme", "Light")),
    (Person.Theme.DARK.value, pgettext_lazy("theme", "Dark")),
)


class OwnSettings(forms.Form):
    """What somebody may choose for themselves."""

    locale = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=settings.LANGUAGES,
        help_text=gettext_lazy("Of these pages, and of the letters you get."),
    )
    timezone = TimeZoneField()
    theme = forms.ChoiceField(
        label=gettext_lazy("Appearance"),
        choices=THEMES,
        required=False,
        widget=forms.RadioSelect,
    )


def own(request: HttpRequest) -> HttpResponse:
    """Show what is chosen, or keep something else."""
    person = person_of(request)
    if request.method != "POST":
        return _show(request, OwnSettings(initial=_initial(person)))
    form = OwnSettings(request.POST)
    if not form.is_valid():
        return _show(request, form, status=422)
    preferences.choose(person, **form.cleaned_data)
    with override(form.cleaned_data["locale"]):
        messages.success(request, _("Saved. It is in force from now on, wherever you sign in."))
    return HttpResponseRedirect(reverse("settings"))


def _initial(person: Person) -> dict[str, Any]:
    return {
        "locale": in_language(person.locale),
        "timezone": person.timezone or "UTC",
        "theme": person.theme,
    }


def _show(request: HttpRequest, form: OwnSettings, *, status: int = 200) -> HttpResponse:
    context = {"form": form, "permissions": permissions.held(person_of(request))}
    return render(request, "people/settings.html", context, status=status)
