"""The connector of users: make, adopt, lock out, let in and delete them.

Making a user cannot be repeated, so a user gets a mark: an attribute with a random id of the
registration. After a crash or a timeout, the user with this very mark is adopted, never one with
only the name.

See docs/explanation/registration.md#approval and docs/explanation/removal.md#the-seven-steps.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from pydantic import JsonValue

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Result,
    Target,
)
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import SecretResolver
from workspace_manager.systems.identity_provider.client.answers import OUR_FAULT, RUN_SETUP
from workspace_manager.systems.identity_provider.client.directory import directory_of, entry_of
from workspace_manager.systems.identity_provider.client.realm import RealmClient
from workspace_manager.systems.identity_provider.client.sign_ins import SignInClient
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.client.users import USER, UserClient, attribute
from workspace_manager.systems.identity_provider.connector.directory import DirectoryPeople
from workspace_manager.systems.identity_provider.connector.user_body import (
    ATTRIBUTES_OF_A_PERSON,
    FLAGS,
    MEMBERS,
    altered_body,
    body_of,
)
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import LOCALE_ATTRIBUTE, MARK_ATTRIBUTE
from workspace_manager.systems.identity_provider.realm.profile import undeclared_attributes


class UserConnector:
    """The connector of one user. Its targets and states:

    `{"username", "mark"}` with all data of a person: made, or adopted by the mark. `{"sub",
    "username"}` with `{"enabled": false}` and `{"sessions": 0}`, together or separately: the fence;
    with `{"enabled": true}`: let in again; with an address in the target: only while it is the
    user's. None: deleted, or disabled if a directory would bring the user back; with a mark in the
    target, only if the user has it.
    """

    kind: ClassVar[str] = USER
    calls: ClassVar[CallPolicy] = CallPolicy()

    def __init__(
        self,
        client: UserClient,
        realm: RealmClient,
        secrets: SecretResolver,
        prove_rights: Callable[[], Evidence],
    ) -> None:
        self._client = client
        self._people = DirectoryPeople(client)
        self._sign_ins = SignInClient(client)
        self._realm = realm
        self._secrets = secrets
        self._prove_rights = prove_rights

    # --- the four verbs ---------------------------------------------------------------------------

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the user. Raises Conflict if one has to be made and its name belongs to a user
        without our mark.
        """
        user = self._look(target, making=want is not None)
        before: Facts | None = None
        if want is None:
            before = self._before(user, target)
        elif user:
            before = self._facts(user, want)
        # Stored with the change: if the directory brings the user back under another id, its own id
        # of the entry identifies the user.
        known = {**target, **(entry_of(user) if user and "sub" in target else {})}
        return Change(kind=self.kind, subject="", target=known, before=before, after=want)

    def _before(self, user: dict[str, Any] | None, target: Target) -> Facts | None:
        """Return the present state before a deletion."""
        if user is None:
            alike = self._people.find_same_name(target)
            return (
                {"same_name": alike["id"], "directory": self._people.name(alike)} if alike else None
            )
        facts: Facts = {"username": user["username"], "enabled": bool(user.get("enabled"))}
        if directory_of(user):
            facts["directory"] = self._people.name(user)
        return facts

    def apply(self, change: Change) -> Outcome:
        """Make, adopt or change the user. Facts: `sub`. A missing user counts as locked out, once
        our rights were proven.
        """
        after = change.after or {}
        user = self._look(change.target, making=True)
        if user:
            return self._alter(user, after)
        if "sub" not in change.target:
            return self._make(change, after)
        if _locks_out(after):
            self._prove_rights()
            return ALREADY
        raise NotFound(
            message("no_user_of_id"),
            kind=USER,
            doing=message("changing_user"),
            advice=message("remove_or_register_again"),
        )

    def remove(self, change: Change) -> Outcome:
        """Delete the user. With a mark in the target, a user without it is a Conflict and stays."""
        user = self._look(change.target)
        done = ALREADY
        if user:
            mark = change.target.get("mark")
            if mark and attribute(user, MARK_ATTRIBUTE) != mark:
                raise _not_ours(message("deleting_user"), message("not_our_mark"))
            if directory_of(user):
                return self._people.shut(user)
            done = self._delete(user, change.target)
        return done.model_copy(update={"by_hand": self._people.decisions_left(change.target)})

    def _delete(self, user: dict[str, Any], target: Target) -> Outcome:
        try:
            self._client.delete_user(str(user["id"]))
        except NotFound:
            if self._look(target) is None:
                return ALREADY
            raise _not_ours(message("deleting_user"), message("shown_and_not_there")) from None
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Look again: deleted, or as wanted. Locked out means disabled and without a session."""
        user = self._look(change.target)
        how = message("user_by_id" if "sub" in change.target else "user_by_name")
        if change.after is None:
            if user:
                return self._people.shut_evidence(user, how) if directory_of(user) else None
            return Evidence.now(SYSTEM, how, self._gone(message("no_such_user"), change.target))
        if user is None:
            if not _locks_out(change.after):
                return None
            proof = self._prove_rights()
            found = message("nobody_can_sign_in", proof=proof.message or proof.text)
            return Evidence.now(SYSTEM, how, self._gone(found, change.target))
        if self._facts(user, change.after) != change.after:
            return None
        if "sessions" in change.after:
            found = message("disabled_no_session" if "enabled" in change.after else "no_session")
            return Evidence.now(SYSTEM, message("and_sessions", how=how), found)
        found = message("there_enabled" if user.get("enabled") else "there_disabled")
        return Evidence.now(SYSTEM, how, found)

    def _gone(self, found: Message, target: Target) -> Message:
        """Return evidence that a user is gone, with the present holder of the name, if any."""
        alike = self._people.find_same_name(target)
        if alike is None:
            return found
        return message("gone_same_name", found=found, sub=str(alike["id"]))

    # --- looking ----------------------------------------------------------------------------------

    def _look(self, target: Target, *, making: bool = False) -> dict[str, Any] | None:
        """Return the user by id, or by name *and* mark. `making`: a name without our mark is a
        Conflict.
        """
        if "sub" in target:
            known = self._known(target)
            if known and making:
                _refuse_other_address(known, target)
            return known
        user = self._client.find_user(target["username"])
        mark = target.get("mark", "")
        if user is None or (mark and attribute(user, MARK_ATTRIBUTE) == mark):
            return user
        if making:
            raise _not_ours(message("creating_user"), message("named_without_mark"))
        return None

    def _known(self, target: Target) -> dict[str, Any] | None:
        """Return the user with this id, or the same entry of a directory under another id."""
        try:
            return self._client.get_user(target["sub"])
        except NotFound:
            return self._people.find_imported_again(target)

    def _facts(self, user: dict[str, Any], want: Facts) -> Facts:
        """Return the present values of wanted members. Rewritten values (case of an address, an
        empty text) are no difference.
        """
        facts: Facts = {}
        for name, wish in want.items():
            facts[name] = have = self._fact(user, name)
            alike = name == "email" and str(have).casefold() == str(wish).casefold()
            if alike or (have == "" and wish is None):
                facts[name] = wish
        return facts

    def _fact(self, user: dict[str, Any], name: str) -> JsonValue:
        if name == "sessions":
            return self._sign_ins.count(str(user["id"]))
        if name in FLAGS:
            return bool(user.get(MEMBERS.get(name, name)))
        if name in ATTRIBUTES_OF_A_PERSON:
            return attribute(user, ATTRIBUTES_OF_A_PERSON[name]) or ""
        if name in MEMBERS:
            return str(user.get(MEMBERS[name]) or "")
        raise Invalid(
            message("no_such_property", name=name),
            kind=USER,
            doing=message("looking_at_user"),
            advice=OUR_FAULT,
        )

    # --- acting -----------------------------------------------------------------------------------

    def _make(self, change: Change, after: Facts) -> Outcome:
        body = body_of(change.target["username"], after)
        body["attributes"][MARK_ATTRIBUTE] = [change.target["mark"]]
        body["enabled"] = bool(after.get("enabled", True))
        self._refuse_undeclared(body["attributes"])
        ref = change.secrets.get("password_hash")
        try:
            sub = self._client.create_user(body, self._secrets(ref) if ref else None)
        except Conflict:
            # An earlier attempt of ours may have made it between our look and this call; then it
            # has our mark.
            if (user := self._client.find_user(change.target["username"])) is None:
                raise
            if attribute(user, MARK_ATTRIBUTE) != change.target["mark"]:
                raise
            return Outcome(result=Result.ALREADY, facts={"sub": str(user["id"])})
        return Outcome(result=Result.CHANGED, facts={"sub": sub})

    def _refuse_undeclared(self, attributes: dict[str, Any]) -> None:
        """Raise Invalid before anything is made if an attribute would be dropped silently: without
        its mark, the next attempt could not tell the user from another.
        """
        lost = undeclared_attributes(self._realm.get_profile(), attributes)
        localized = lost == [LOCALE_ATTRIBUTE] and self._realm.get_realm()
        if lost and not (localized and localized.get("internationalizationEnabled")):
            raise Invalid(
                message("profile_lacks", names=", ".join(lost)),
                kind=USER,
                doing=message("creating_user"),
                advice=RUN_SETUP,
            )

    def _alter(self, user: dict[str, Any], after: Facts) -> Outcome:
        """Write what differs; never a password, which may have been changed since."""
        sub = str(user["id"])
        have = self._facts(user, after)
        different = {name for name, wish in after.items() if have[name] != wish}
        if not different:
            return Outcome(result=Result.ALREADY, facts={"sub": sub})
        try:
            if different - {"enabled", "sessions"}:
                self._client.put_user(sub, altered_body(user, after))
            elif "enabled" in different:
                self._client.put_user(sub, {"enabled": after["enabled"]})
        finally:
            # A user who may not be changed is still logged out.
            if after.get("sessions") == 0:
                self._sign_ins.end(sub)
        return Outcome(result=Result.CHANGED, facts={"sub": sub})


def _refuse_other_address(user: dict[str, Any], target: Target) -> None:
    """Raise Conflict if the change concerns another address than the user's present one."""
    address = target.get("email", "")
    if address and str(user.get("email") or "").casefold() != address.casefold():
        raise _not_ours(
            message("changing_user"), message("another_address"), message("another_address.advice")
        )


def _locks_out(after: Facts) -> bool:
    """Return whether a missing user fulfils the state."""
    return after.get("enabled") is False or after == {"sessions": 0}


def _not_ours(doing: Message, detail: Message, advice: Message | None = None) -> Conflict:
    return Conflict(detail, kind=USER, doing=doing, advice=advice or message("nobody_taken_over"))
