"""The registration form: its fields, its trap for robots, and the least time that a person
needs.
"""

import time
from collections.abc import Iterable
from typing import Self

from django import forms
from django.conf import settings
from django.core import signing
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from workspace_manager.people.passwords import LONGEST
from workspace_manager.people.register import RegistrationInput
from workspace_manager.web.pages.time_zones import TimeZoneField, TimeZoneInput

SALT = "registration form"
LEAST_S = 2
"""Seconds. Nobody fills this form faster; with JavaScript the page itself waits, so that people
never see a refusal.
"""
LONGEST_S = 24 * 3600
ASKED = ("username", "email", "first_name", "last_name", "password", "locale", "timezone")


def stamp() -> str:
    """Return the signed moment when the form was shown."""
    return signing.dumps(int(time.time()), salt=SALT)


def _languages() -> Iterable[tuple[str, str]]:
    return settings.LANGUAGES


class RegisterForm(forms.Form):
    """The registration form, with fields that a person never sees."""

    first_name = forms.CharField(
        label=gettext_lazy("First name"),
        max_length=100,
        widget=forms.TextInput({"autocomplete": "given-name"}),
    )
    last_name = forms.CharField(
        label=gettext_lazy("Last name"),
        max_length=100,
        widget=forms.TextInput({"autocomplete": "family-name"}),
    )
    email = forms.CharField(
        label=gettext_lazy("E-mail"),
        max_length=254,
        widget=forms.EmailInput({"autocomplete": "email", "inputmode": "email"}),
        help_text=gettext_lazy("We send the answer to this address."),
    )
    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=255,
        widget=forms.TextInput(
            {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        ),
        help_text=gettext_lazy(
            "3 to 32 lowercase letters, digits, dots, dashes and underscores. You cannot change "
            "it later."
        ),
    )
    # A password is taken exactly as typed, with blanks at its ends.
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        max_length=LONGEST,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=gettext_lazy(
            "Nobody here ever sees your password. Only a hash is stored until the decision."
        ),
    )
    locale = forms.ChoiceField(label=gettext_lazy("Language"), choices=_languages)
    timezone = TimeZoneField(initial="Europe/Berlin", widget=TimeZoneInput({"data-guess": ""}))
    website = forms.CharField(
        label=gettext_lazy("Leave this empty"),
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "tabindex": "-1"}),
    )
    stamp = forms.CharField(required=False, widget=forms.HiddenInput)

    def is_trap_sprung(self) -> bool:
        """Return whether a hidden field was filled in."""
        return bool(self.data.get("website"))

    def clean(self) -> dict[str, object]:
        """Refuse a form that was sent faster than anybody types, or that is older than a day."""
        cleaned = super().clean() or {}
        try:
            shown = float(signing.loads(str(cleaned.get("stamp", "")), salt=SALT))
        except (signing.BadSignature, TypeError, ValueError):
            shown = 0.0
        if not LEAST_S <= time.time() - shown <= LONGEST_S:
            raise forms.ValidationError(
                _(
                    "The form was sent too quickly for a person, or the page was open for more "
                    "than a day. Please check your entries, type the password again and resend "
                    "the form."
                )
            )
        return cleaned

    def application(self) -> RegistrationInput:
        """Return the input for the story."""
        return RegistrationInput(**{name: self.cleaned_data[name] for name in ASKED})

    def as_typed(self) -> RegistrationInput:
        """Return the input of an invalid form: values that cannot be cleaned stay as typed."""
        typed = {name: str(self.data.get(name, ""))[:LONGEST] for name in ASKED}
        cleaned = {name: text for name, text in self.cleaned_data.items() if name in ASKED}
        return RegistrationInput(**{**typed, **cleaned})

    def fresh(self) -> Self:
        """Return the form for another attempt, with a new moment."""
        data = {name: self.data.get(name, "") for name in self.fields}
        data["stamp"] = stamp()
        self.data = data
        return self
