"""Values of settings as a program has them, numbers and booleans as such, made the text that is
stored.

A type is taken where the field is of it and nowhere else: a port that arrives as `true` was not
meant. Text stays what it is; whether it can be used is `settings.parse`'s to say.
"""

from collections.abc import Mapping
from typing import TypeAlias

from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message
from workspace_manager.contract.settings import SettingsInvalid, SettingSpec, SystemSettings

Value: TypeAlias = str | bool | int

WANTED = {"boolean": message("not_boolean"), "number": message("not_whole_number")}
"""What is said of a value of another type; all other kinds of settings are text."""


def as_texts(cls: type[SystemSettings], values: Mapping[str, Value]) -> dict[str, str]:
    """The values as text. Raises SettingsInvalid naming each that is not of its field's type; a
    name that nobody knows is left to `parse`.
    """
    specs = {spec.name: spec for spec in cls.specs()}
    wrong = {name: why for name, value in values.items() if (why := _wrong(specs.get(name), value))}
    if wrong:
        raise SettingsInvalid(wrong)
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in values.items()
    }


def _wrong(spec: SettingSpec | None, value: Value) -> Message | None:
    if spec is None or isinstance(value, str):
        return None
    fits = spec.kind == ("boolean" if isinstance(value, bool) else "number")
    return None if fits else WANTED.get(spec.kind, message("not_text"))
