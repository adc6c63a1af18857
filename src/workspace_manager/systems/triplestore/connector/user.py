"""The connector of accounts of the triplestore and their rights.

A person's rights are one list computed from everything the person may use
(docs/explanation/promises.md#promise-22); the list is a wanted state, not a difference.
"""

import contextlib
from typing import ClassVar

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
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret, SecretResolver
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.client.calls import CALLS, TriplestoreClient
from workspace_manager.systems.triplestore.connector.suspension import (
    SHUT,
    Suspension,
    is_suspension,
)
from workspace_manager.systems.triplestore.connector.user_change import (
    ending_repositories,
    note_new_password,
    refuse_elevated,
    renews_password,
    sort_as_wanted,
    sort_out_ending,
    wanted_authorities,
)
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.refusals import OPENGDB
from workspace_manager.systems.triplestore.shapes import Account

SYSTEM = "triplestore"


class UserConnector:
    """The connector of accounts. Target: {"user"}; state: {"authorities": [...]} or None; secrets:
    {"password": ref, "new_password": ref}.

    A suspension wants {"shut": true}, without any right; its end wants {"shut": false,
    "given_back": [...]}, with at least these rights (`suspension`).

    A password that replaces another one (`names.RENEWED`) leaves nothing of that one: the old one,
    as "old_password" in secrets, is tried if it is known.

    Rights on repositories that are being deleted ("ending" in the wanted state) are left alone:
    they end with the repository, and OpenGDB takes rights only by making the account anew.

    The new password is used only if rights cannot be taken without recreating the account, and the
    outcome says so.

    An account is ours if a story reserved its name; one with an elevated role, and the
    administrator we sign in as, are never touched.
    """

    kind: ClassVar[str] = "triplestore.user"
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, client: TriplestoreClient, secrets: SecretResolver) -> None:
        self._client = client
        self._secrets = secrets
        self._suspension = Suspension(client)

    def plan(self, target: Target, want: Facts | None) -> Change:
        found = self._look(target["user"])
        before: Facts | None = None
        if found is not None:
            compared, _ = sort_out_ending(found.authorities, want)
            before = {"authorities": [*sort_as_wanted(compared, wanted_authorities(want))]}
            before |= self._suspension.facts(found, want)
            if ending := ending_repositories(want):
                before[names.ENDING] = [*ending]
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Create the account, or set rights and password as wanted; a half-made account is
        completed.
        """
        name, wanted = change.target["user"], wanted_authorities(change.after)
        self._refuse_own_administrator(name, message("changing_account"))
        if is_suspension(change.after):
            return self._shut_or_open(name, change.after or {})
        password, spare = self._password(change), self._password(change, "new_password")
        found = self._look(name)
        if found is None:
            return note_new_password(self._create(name, password or spare, wanted), password, spare)
        refuse_elevated(found, wanted)
        compared, _ = sort_out_ending(found.authorities, change.after)
        surplus = {right for right in set(compared) - set(wanted) if names.repository_of(right)}
        opengdb = self._client.flavour() == OPENGDB
        if surplus and opengdb:
            made = self._recreate(name, password or spare, wanted, len(surplus))
            return note_new_password(made, password, spare)
        if renews_password(change) and opengdb and not self._signs_in(name, password):
            # Its token outlives a password (docs/systems/triplestore.md#opengdb-signing-in).
            return self._recreate(name, password, wanted, 0)
        if set(compared) == set(wanted) and self._signs_in(name, password):
            # An earlier attempt may have recreated it and been killed before it could report that.
            tried = spare if spare and self._signs_in(name, spare) else None
            return note_new_password(ALREADY, password, tried)
        self._client.replace_account(name, password, wanted)
        return CHANGED

    def _shut_or_open(self, name: str, want: Facts) -> Outcome:
        found = self._look(name)
        if found is not None:
            refuse_elevated(found, [])
        if want[SHUT]:
            return self._suspension.shut(found, name)
        return self._suspension.open(found, name, want)

    def remove(self, change: Change) -> Outcome:
        name = change.target["user"]
        self._refuse_own_administrator(name, message("deleting_account"))
        found = self._look(name)
        if found is None:
            return ALREADY
        self._suspension.before_deletion(found, name)
        try:
            self._client.delete_account(name)
        except NotFound as gone:
            if self._look(name) is None:
                return ALREADY
            raise Conflict(
                message("listed_but_not_deletable"),
                kind=self.kind,
                doing=message("deleting_account"),
                advice=message("delete_account_by_hand"),
            ) from gone
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        name = change.target["user"]
        found = self._look(name)
        if change.after is None:
            if found is not None:
                return None
            return Evidence.now(SYSTEM, message("read_account"), message("no_account", name=name))
        if is_suspension(change.after):
            return self._suspension.evidence(found, name, change.after)
        wanted = wanted_authorities(change.after)
        compared, last = sort_out_ending(found.authorities if found else (), change.after)
        if found is None or set(compared) != set(wanted):
            return None
        if not self._signs_in(name, self._password(change)):
            return None
        text = message("exactly_these_rights", name=name, rights=", ".join(wanted))
        if last:
            text = message("rights_end_with_repository", found=text, rights=", ".join(last))
        if renews_password(change):
            old = self._old_password(change)
            if old and self._client.password_works(name, old):
                return None
            text = message("old_password_refused" if old else "password_is_the_only", found=text)
        return Evidence.now(SYSTEM, message("read_account"), text)

    # --- parts ------------------------------------------------------------------------------------

    def _look(self, name: str) -> Account | None:
        try:
            return self._client.account(name)
        except NotFound:
            return None

    def _password(self, change: Change, which: str = "password") -> Secret | None:
        ref = change.secrets.get(which)
        return self._secrets(ref) if ref is not None else None

    def _old_password(self, change: Change) -> Secret | None:
        """Return the previous password, if it is known and differs."""
        try:
            old = self._password(change, "old_password")
            return None if old == self._password(change) else old
        except NotFound:
            return None

    def _signs_in(self, name: str, password: Secret | None) -> bool:
        """Return whether the password needs no change; a name with a colon cannot be tried by Basic
        and counts as right.
        """
        return password is None or ":" in name or self._client.password_works(name, password)

    def _create(self, name: str, password: Secret | None, wanted: list[str]) -> Outcome:
        """Create the account with the plain role, then give the rights: with them at once, a
        failing right would leave an account without password.
        """
        self._need(password, name, message("creating_account"))
        assert password is not None
        try:
            self._client.create_account(name, password, [names.ROLE_USER])
        except Conflict:
            # Somebody was faster, perhaps our own call that timed out. The name is reserved for us,
            # so the account is completed.
            refuse_elevated(self._client.account(name), wanted)
            self._client.replace_account(name, password, wanted)
            return CHANGED
        if wanted != [names.ROLE_USER]:
            self._client.replace_account(name, password, wanted)
        return CHANGED

    def _recreate(
        self, name: str, password: Secret | None, wanted: list[str], surplus: int
    ) -> Outcome:
        """Take rights in OpenGDB's only reliable way: delete the account and create it again.

        See docs/systems/triplestore.md#opengdb-taking-rights-away.
        """
        if not password:
            raise Conflict(
                message("surplus_rights", surplus=surplus),
                kind=self.kind,
                doing=message("taking_rights"),
                advice=message("needs_new_password"),
            )
        # It was deleted after the look; it only has to start without rights.
        with contextlib.suppress(NotFound):
            self._client.delete_account(name)
        return self._create(name, password, wanted)

    def _need(self, password: Secret | None, name: str, doing: Message) -> None:
        """Raise Invalid for an empty password: OpenGDB accepts it, and then anybody signs in
        without one (docs/systems/triplestore.md#opengdb-accounts).
        """
        if not password:
            raise Invalid(
                message("no_password", name=name),
                kind=self.kind,
                doing=doing,
                advice=message("make_new_password"),
            )

    def _refuse_own_administrator(self, name: str, doing: Message) -> None:
        if name == self._client.username:
            raise Conflict(
                message("own_administrator", name=name),
                kind=self.kind,
                doing=doing,
                advice=message("nobody_may_have_name"),
            )
