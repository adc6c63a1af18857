"""The settings form of a system, made from the declaration of its settings.

A pinned setting is shown and cannot be changed. A blank secret keeps the stored one. Values that
the system could not read are not saved.

See docs/explanation/settings.md#settings-describe-themselves.
"""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from workspace_manager.contract.settings import EMPTY, OF_ALL, SettingSpec, parse
from workspace_manager.operations import settings as system_settings
from workspace_manager.operations.origins import refuse_another
from workspace_manager.operations.pinned_settings import pin_name
from workspace_manager.operations.system_configuration import SystemConfiguration, as_set
from workspace_manager.records.models import StoredSetting
from workspace_manager.systems import registry
from workspace_manager.web.pages.answers import ErrorNotice, attempt
from workspace_manager.web.pages.translate import translate

FORGET = "forget:"
"""Prefix of the box that deletes a secret; the secret's name follows."""


class SettingsForm(forms.Form):
    """A field for each setting. Fields are named `<system>-<name>`, because the page has a form for
    every system.
    """

    def __init__(self, system: str, state: SystemConfiguration, data: Any = None) -> None:
        super().__init__(data, prefix=system)
        self.system, self.state = system, state
        self.cls = registry().specs[system].settings
        self.specs = self.cls.specs()
        self.stored = {row.name: row for row in StoredSetting.objects.filter(system=system)}
        for spec in self.specs:
            field = _field(spec, initial=self._shown_value(spec), kept=self._has_secret(spec))
            field.disabled = spec.name in state.pinned
            self.fields[spec.name] = field
            if self._has_secret(spec) and not spec.required and not field.disabled:
                self.fields[FORGET + spec.name] = forms.BooleanField(
                    label=_("Remove the stored value"), required=False
                )

    def _has_secret(self, spec: SettingSpec) -> bool:
        row = self.stored.get(spec.name)
        return spec.secret and row is not None and row.secret is not None

    def _shown_value(self, spec: SettingSpec) -> Any:
        """Return the stored value, even an unusable one, but never a secret."""
        if spec.secret:
            return ""
        row = self.stored.get(spec.name)
        if row is not None and spec.name not in self.state.pinned:
            return _as_shown(spec, row.value)
        value = getattr(self.state.settings, spec.name)
        if spec.sentinel:
            return value or EMPTY
        return value

    def rows(self) -> Iterable[dict[str, Any]]:
        """Yield each setting for the page: its field, what pins it, and its box to delete a
        secret.
        """
        for spec in self.specs:
            forget = FORGET + spec.name
            yield {
                "spec": spec,
                "field": self[spec.name],
                "pinned_by": pin_name(self.system, spec.name)
                if spec.name in self.state.pinned
                else "",
                "problem": self.state.errors.get(spec.name, ""),
                "missing": spec.name in self.state.missing,
                "forget": self[forget] if forget in self.fields else None,
            }

    def clean(self) -> dict[str, Any]:
        """Parse the values as the system would, and put the errors beside their fields."""
        cleaned = super().clean() or {}
        self._complain(attempt(parse, self.cls, self._texts(cleaned), {}))
        for spec in self._open():
            if spec.secret and spec.required and cleaned.get(spec.name) == EMPTY:
                self.add_error(spec.name, translate(system_settings.NEEDED))
        if not self.errors:
            self._refuse_another_origin(cleaned)
        return cleaned

    def _refuse_another_origin(self, cleaned: dict[str, Any]) -> None:
        self.cleaned_data = cleaned
        typed, without = self.typed()
        stored = as_set(self.system)
        self._complain(attempt(refuse_another, self.system, stored, typed, without=without))

    def _complain(self, notice: ErrorNotice | None) -> None:
        for name, text in ((notice and notice.fields) or {}).items():
            self.add_error(name, translate(text))

    def _open(self) -> list[SettingSpec]:
        return [spec for spec in self.specs if spec.name not in self.state.pinned]

    def _texts(self, cleaned: dict[str, Any]) -> dict[str, str]:
        # Settings that all systems share may be missing in a form; they keep their values.
        return {
            spec.name: _as_text(cleaned.get(spec.name))
            for spec in self._open()
            if not spec.secret
            and (spec.name not in OF_ALL or self.add_prefix(spec.name) in self.data)
        }

    def typed(self) -> tuple[dict[str, str], list[str]]:
        """Return typed values by name, and the secrets to forget, for a test."""
        return {**self._texts(self.cleaned_data), **self._typed_secrets()}, self._forgotten()

    def save(self, *, actor: str) -> list[str]:
        """Save the changed values and return their names. Steps that waited for this system are
        retried.
        """
        changed = {
            **self._changed_texts(),
            **self._typed_secrets(),
            **dict.fromkeys(self._forgotten(), EMPTY),
        }
        if changed:
            system_settings.save(self.system, changed, actor=actor)
        return list(changed)

    def _changed_texts(self) -> dict[str, str]:
        specs = {spec.name: spec for spec in self.specs}
        return {
            name: text
            for name, text in self._texts(self.cleaned_data).items()
            if text != (self.stored[name].value if name in self.stored else _default(specs[name]))
        }

    def _typed_secrets(self) -> dict[str, str]:
        typed = {
            spec.name: self.cleaned_data.get(spec.name) for spec in self._open() if spec.secret
        }
        return {name: text for name, text in typed.items() if text}

    def _forgotten(self) -> list[str]:
        typed = self._typed_secrets()
        return [
            spec.name
            for spec in self._open()
            if spec.secret and spec.name not in typed and self.cleaned_data.get(FORGET + spec.name)
        ]


def _default(spec: SettingSpec) -> str:
    return spec.default or EMPTY if spec.sentinel else spec.default


def _as_shown(spec: SettingSpec, text: str) -> Any:
    return text.lower() in {"true", "1", "yes", "on"} if spec.kind == "boolean" else text


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value).strip()


def _field(spec: SettingSpec, *, initial: Any, kept: bool) -> forms.Field:
    shared: dict[str, Any] = {
        "label": translate(spec.label_message),
        "help_text": translate(spec.help_message),
        "required": False,
        "initial": initial,
    }
    match spec.kind:
        case "boolean":
            return forms.BooleanField(**shared)
        case "choice":
            return forms.ChoiceField(
                choices=[(choice, choice) for choice in spec.choices], **shared
            )
        case "secret":
            hint = _("Stored. Leave empty to keep it.") if kept else ""
            attributes = {"autocomplete": "new-password", "placeholder": hint}
            return forms.CharField(strip=False, widget=forms.PasswordInput(attributes), **shared)
        case "number":
            return forms.CharField(widget=forms.TextInput({"inputmode": "numeric"}), **shared)
        case "url":
            return forms.CharField(
                widget=forms.TextInput({"inputmode": "url", "spellcheck": "false"}), **shared
            )
    return forms.CharField(widget=forms.TextInput({"spellcheck": "false"}), **shared)
