"""The connector of a user's attributes that other systems read.

There is no compare-and-set, and an attribute that the realm does not declare is dropped silently.
So it reads the whole user, changes it, writes it back, reads it again, and compares. The engine
holds a lock per `sub` meanwhile.

See docs/explanation/realm.md#attributes-of-a-user.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.secret import Secret, SecretResolver
from workspace_manager.systems.identity_provider.client.answers import OUR_FAULT, RUN_SETUP
from workspace_manager.systems.identity_provider.client.directory import (
    DirectoryClient,
    directory_of,
)
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.client.users import (
    ATTRIBUTES,
    UserClient,
    attribute,
)
from workspace_manager.systems.identity_provider.messages import message

SET = "set"
"""Stands for the value of an existing or wanted secret."""

DOING = message("writing_attributes")


class AttributesConnector:
    """The connector of some attributes of one user. State: `{name: text | None}`; `"set"` for one
    whose value is in the change's secrets.
    """

    kind: ClassVar[str] = ATTRIBUTES
    calls: ClassVar[CallPolicy] = CallPolicy()

    def __init__(
        self, client: UserClient, secrets: SecretResolver, prove_rights: Callable[[], Evidence]
    ) -> None:
        self._client = client
        self._secrets = secrets
        self._prove_rights = prove_rights

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the attributes. A value that is, or may be, secret shows as "set"; the others
        show their text.
        """
        user = self._look(target)
        before = _facts(user, want or {}) if user else None
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Write the attributes that differ, and read them back. Raises Invalid if one was dropped,
        Conflict if one was overwritten.
        """
        wishes = self._wanted_values(change)
        user = self._look(change.target)
        if user is None:
            return self._nobody(wishes, change)
        if absent := _without_value(user, change):
            raise Invalid(
                message("no_value_given", name=", ".join(absent)),
                kind=self.kind,
                doing=DOING,
                advice=OUR_FAULT,
            )
        if not _differing_attributes(user, wishes):
            return ALREADY
        self._put(user, wishes)
        after = self._client.get_user(change.target["sub"], kind=ATTRIBUTES)
        if wrong := _differing_attributes(after, wishes):
            raise _not_kept(after, wrong)
        return CHANGED

    def remove(self, change: Change) -> Outcome:
        """Clear every attribute that the change names, in its look or by its secrets. Raises
        Invalid if it names none.
        """
        names = _named_attributes(change)
        if not names:
            raise Invalid(
                message("no_attribute_named"),
                kind=self.kind,
                doing=message("clearing_attributes"),
                advice=OUR_FAULT,
            )
        return self.apply(change.model_copy(update={"after": dict.fromkeys(names), "secrets": {}}))

    def verify(self, change: Change) -> Evidence | None:
        """Look again and compare, with secret values."""
        any_value = _any_value(change)
        wishes = self._wanted_values(change)
        if not wishes and not any_value:
            wishes = dict.fromkeys(_named_attributes(change))
        if not wishes and not any_value:
            return None
        user = self._look(change.target)
        names = ", ".join([*wishes, *any_value])
        if user is None:
            if any_value or any(wish is not None for wish in wishes.values()):
                return None
            proof = self._prove_rights()
            return Evidence.now(
                SYSTEM,
                message("user_by_id"),
                message("no_user_no_attributes", names=names, proof=proof.message or proof.text),
            )
        if _differing_attributes(user, wishes) or _without_value(user, change):
            return None
        absent = not any_value and all(wish is None for wish in wishes.values())
        found = message("attributes_absent" if absent else "attributes_as_wished", names=names)
        return Evidence.now(SYSTEM, message("user_by_id_attributes"), found)

    def _put(self, user: dict[str, Any], wishes: dict[str, str | Secret | None]) -> None:
        """Write the attributes. Raises Invalid, with a reason of its own if the person's directory
        stores nothing.
        """
        try:
            self._client.put_attributes(user, wishes)
        except Invalid as refused:
            directories, directory = DirectoryClient(self._client), directory_of(user)
            if not directory or not directories.is_read_only(directory):
                raise
            name = directories.name_of(directory)
            raise Invalid(
                message("directory_is_read_only", directory=name, why=refused.message),
                kind=self.kind,
                doing=DOING,
                advice=message("set_unsynced"),
            ) from refused

    def _look(self, target: Target) -> dict[str, Any] | None:
        try:
            return self._client.get_user(target["sub"], kind=ATTRIBUTES)
        except NotFound:
            return None

    def _wanted_values(self, change: Change) -> dict[str, str | Secret | None]:
        wishes: dict[str, str | Secret | None] = {}
        for name, wish in (change.after or {}).items():
            if name in change.secrets:
                wishes[name] = self._secrets(change.secrets[name])
            elif wish is None or (isinstance(wish, str) and wish != SET):
                wishes[name] = wish or None
            elif wish != SET:
                raise Invalid(
                    message("no_value_given", name=name),
                    kind=self.kind,
                    doing=DOING,
                    advice=OUR_FAULT,
                )
        return wishes

    def _nobody(self, wishes: dict[str, str | Secret | None], change: Change) -> Outcome:
        """Return the outcome without a user: clearing is done once our rights were proven. Raises
        NotFound for other states.
        """
        if _any_value(change) or any(wish is not None for wish in wishes.values()):
            raise NotFound(
                message("no_user_of_id"),
                kind=self.kind,
                doing=DOING,
                advice=message("remove_here_as_well"),
            )
        self._prove_rights()
        return ALREADY


def _any_value(change: Change) -> list[str]:
    """Return attributes that must have any value: the wanted one is no longer known here."""
    wished = (change.after or {}).items()
    return [name for name, wish in wished if wish == SET and name not in change.secrets]


def _without_value(user: dict[str, Any], change: Change) -> list[str]:
    return [name for name in _any_value(change) if attribute(user, name) is None]


def _named_attributes(change: Change) -> list[str]:
    """Return the attributes of a change without a wanted state."""
    before = change.before if isinstance(change.before, dict) else {}
    return sorted({*before, *change.secrets})


def _facts(user: dict[str, Any], want: Facts) -> Facts:
    facts: Facts = {}
    for name, wish in want.items():
        have = attribute(user, name)
        facts[name] = SET if have is not None and wish in {None, SET} else have
    return facts


def _differing_attributes(
    user: dict[str, Any], wishes: dict[str, str | Secret | None]
) -> list[str]:
    """Return the names of attributes that differ from the wanted state."""
    different = []
    for name, wish in wishes.items():
        have = attribute(user, name)
        same = (
            wish == Secret(have) if have is not None and isinstance(wish, Secret) else wish == have
        )
        if not same:
            different.append(name)
    return different


def _not_kept(user: dict[str, Any], wrong: list[str]) -> Conflict | Invalid:
    names = ", ".join(wrong)
    if any(attribute(user, name) is not None for name in wrong):
        return Conflict(
            message("another_value", names=names),
            kind=ATTRIBUTES,
            doing=DOING,
            advice=message("somebody_else_writes"),
        )
    return Invalid(
        message("did_not_keep", names=names),
        kind=ATTRIBUTES,
        doing=DOING,
        advice=RUN_SETUP,
    )
