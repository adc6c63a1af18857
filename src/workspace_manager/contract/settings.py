"""The settings of a system: one frozen dataclass per system, each field described by
`setting(...)`.

The pages, the REST API and the command line are generated from these descriptions
(docs/explanation/settings.md#settings-describe-themselves). Values are stored as text and parsed
here; a secret is a `Secret` and never text.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform
from urllib.parse import urlsplit

from workspace_manager.contract.error_boundary import defect
from workspace_manager.contract.message import Message, Words, quote_words
from workspace_manager.contract.messages import message
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.slots import AT_ONCE

EMPTY = "{empty}"
"""The sentinel for "deliberately empty"; a bare empty string means "not set".

See docs/explanation/settings.md#set-blank-empty.
"""


@dataclass(frozen=True)
class SettingSpec:
    """One setting as people see it. `kind`: text, url, number, boolean, choice or secret. `named`:
    blank is its default.
    """

    name: str
    label_message: Message
    help_message: Message
    kind: str
    required: bool
    default: str
    choices: tuple[str, ...] = ()
    sentinel: bool = False
    most: int = 999_999_999
    least: int = 0
    named: bool = False
    origin: bool = False
    """Whether it says where the secrets of its system go."""
    credential: bool = False
    """Whether it is part of what we prove ourselves with."""

    @property
    def label(self) -> str:
        """In English; `label_message` says it in every language."""
        return self.label_message.english

    @property
    def help(self) -> str:
        """In English; blank where the label says enough."""
        return self.help_message.english

    @property
    def secret(self) -> bool:
        return self.kind == "secret"


class _Unusable(ValueError):
    """A value that cannot be used, and why."""

    def __init__(self, message: Message) -> None:
        self.message = message
        super().__init__(message.english)


class SettingsInvalid(ValueError):
    """Some values cannot be used; `errors` says which (`{name: sentence}`)."""

    def __init__(self, errors: Mapping[str, Words]) -> None:
        self.messages = {name: quote_words(text) for name, text in errors.items()}
        super().__init__("; ".join(f"{name}: {text}" for name, text in self.errors.items()))

    @property
    def errors(self) -> dict[str, str]:
        """In English, for logs."""
        return {name: text.english for name, text in self.messages.items()}


def setting(
    label: Words,
    *,
    kind: str = "text",
    help: Words = "",  # noqa: A002
    default: Any = dataclasses.MISSING,
    required: bool = False,
    choices: Sequence[str] = (),
    sentinel: bool = False,
    most: int = 999_999_999,
    least: int = 0,
    named: bool = False,
    origin: bool | None = None,
    credential: bool | None = None,
) -> Any:
    """Describe one field. Without `default` it is "" for text, None for a secret. `sentinel`: the
    text `{empty}` stands for "".

    `most`, `least`: the largest and the smallest number that can be meant. `named`: it names
    something, so a blank text is not set and means the default. `origin`: it says where secrets go;
    of addresses not given, yes. `credential`: we prove ourselves with it; of secrets, yes.
    """
    if default is dataclasses.MISSING:
        default = None if kind == "secret" else ""
    spec = {
        "label_message": quote_words(label),
        "kind": kind,
        "help_message": quote_words(help),
        "required": required,
        "choices": tuple(choices),
        "sentinel": sentinel,
        "most": most,
        "least": least,
        "named": named,
        "origin": kind == "url" if origin is None else origin,
        "credential": kind == "secret" if credential is None else credential,
    }
    return dataclasses.field(default=default, metadata=spec)


@dataclass_transform(frozen_default=True, field_specifiers=(setting,))
@dataclass(frozen=True, kw_only=True)
class SystemSettings:
    """Base of every `systems/*/settings.py`. Subclasses are decorated with
    `@dataclass(frozen=True)`.
    """

    calls_at_once: int = setting(
        message("calls_at_once"),
        kind="number",
        help=message("calls_at_once_help"),
        default=AT_ONCE,
        least=1,
        most=50,
    )

    @classmethod
    def specs(cls) -> list[SettingSpec]:
        """Every setting in the order of the file, and what all systems have at the end."""
        return [
            SettingSpec(
                name=f.name, default="" if f.default is None else _as_text(f.default), **f.metadata
            )
            for f in sorted(dataclasses.fields(cls), key=lambda f: f.name in OF_ALL)
        ]

    @property
    def missing(self) -> list[str]:
        """Names of the required settings that are not set; the system is configured when there are
        none.
        """
        return [
            spec.name
            for spec in self.specs()
            if spec.required and getattr(self, spec.name) in {None, ""}
        ]


OF_ALL = frozenset(SystemSettings.__annotations__)
"""The names of those that every system has."""

S = TypeVar("S", bound=SystemSettings)


def parse(cls: type[S], values: Mapping[str, str], secrets: Mapping[str, Secret]) -> S:
    """Build the settings from stored text and secrets. Raises SettingsInvalid naming every unusable
    value; unknown names too.
    """
    specs = {spec.name: spec for spec in cls.specs()}
    errors = {name: message("no_such_setting") for name in [*values, *secrets] if name not in specs}
    given: dict[str, Any] = dict(secrets)
    for name, text in values.items():
        if name in errors or specs[name].secret:
            continue
        try:
            given[name] = _from_text(specs[name], text)
        except _Unusable as wrong:
            errors[name] = wrong.message
    if errors:
        raise SettingsInvalid(errors)
    try:
        return cls(**given)
    except Exception as error:  # noqa: BLE001 - a class of somebody else's may raise anything
        why = defect(f"{cls.__module__}.{cls.__qualname__}", error).message
        raise SettingsInvalid(dict.fromkeys(given or list(specs)[:1], why)) from None


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def as_text(spec: SettingSpec, value: object) -> str:
    """A value as it is typed: what is deliberately empty as `{empty}`."""
    return EMPTY if spec.sentinel and value == "" else _as_text(value)


def _from_text(spec: SettingSpec, text: str) -> Any:
    text = text.strip()
    if spec.sentinel:
        return _sentinel(text)
    if spec.named and not text:
        return spec.default
    if spec.kind == "boolean":
        if text.lower() not in {"true", "false", "1", "0", "yes", "no", "on", "off"}:
            raise _Unusable(message("not_boolean"))
        return text.lower() in {"true", "1", "yes", "on"}
    if spec.kind == "number":
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            raise _Unusable(message("not_whole_number"))
        if int(text) > spec.most:
            raise _Unusable(message("number_too_large", most=spec.most))
        if int(text) < spec.least:
            raise _Unusable(message("number_too_small", least=spec.least))
        return int(text)
    if spec.kind == "choice" and text not in spec.choices:
        raise _Unusable(message("not_a_choice", choices=", ".join(spec.choices)))
    if spec.kind == "url" and text:
        _check_url(text)
        return text.rstrip("/")
    return text


def _sentinel(text: str) -> str:
    if not text:
        raise _Unusable(message("not_set", empty=EMPTY))
    return "" if text == EMPTY else text


def _check_url(text: str) -> None:
    parts = urlsplit(text)
    if parts.scheme in {"unix", "docker"}:
        return
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise _Unusable(message("not_an_address"))
    if parts.username or parts.password:
        raise _Unusable(message("user_in_address"))
