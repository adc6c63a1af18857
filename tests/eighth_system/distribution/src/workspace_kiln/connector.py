"""Make, lock and delete accounts of the kiln."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from workspace_kiln.checks import check
from workspace_kiln.client import CALLS, Client
from workspace_kiln.messages import message
from workspace_kiln.names import KIND
from workspace_kiln.settings import Settings
from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Connector,
    Evidence,
    Facts,
    Finding,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import Denied, NotFound
from workspace_manager.contract.secret import SecretResolver

LOCKED: Facts = {"locked": True}


class AccountConnector:
    """`kiln.account`."""

    kind: ClassVar[str] = KIND

    def __init__(self, client: Client, calls: CallPolicy, prove: Callable[[], Evidence]) -> None:
        self._client, self.calls, self._prove = client, calls, prove

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Locking is fulfilled where there is nothing to lock."""
        before = self._look(target["account"])
        if before is None and want == LOCKED:
            before = {"exists": False, "locked": True}
        return Change(kind=KIND, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        name, wanted = change.target["account"], bool((change.after or {}).get("locked"))
        before = self._look(name)
        if before is None and change.after == LOCKED:
            self._prove()
            return ALREADY
        if before is not None and before["locked"] is wanted:
            return ALREADY
        self._client.put(name, locked=wanted)
        return CHANGED

    def remove(self, change: Change) -> Outcome:
        """Looks first: a kiln that is slow to answer is not told to delete."""
        if self._look(change.target["account"]) is None:
            return ALREADY
        try:
            self._client.delete(change.target["account"])
        except NotFound:
            return ALREADY
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        name = change.target["account"]
        have = self._look(name)
        if have is None:
            if change.after is not None and change.after != LOCKED:
                return None
            self._prove()
            return Evidence.now("kiln", f"GET {name}", message("gone", name=name))
        if change.after is None or have["locked"] is not bool(change.after.get("locked")):
            return None
        state = "locked" if have["locked"] else "open"
        return Evidence.now("kiln", f"GET {name}", message(state, name=name))

    def _look(self, name: str) -> Facts | None:
        try:
            return {"exists": True, "locked": self._client.account(name)}
        except NotFound:
            return None


class Kiln:
    """The kiln, ready to work."""

    name = "kiln"

    def __init__(self, settings: Settings, calls: CallPolicy) -> None:
        self._client = Client(settings.url, settings.key, policy=calls)
        account: Connector = AccountConnector(self._client, calls, self.prove_rights)
        self.connectors: Mapping[str, Connector] = {KIND: account}

    @property
    def client(self) -> Client:
        return self._client

    def try_again(self) -> None:
        """Nothing is remembered of a refusal here."""

    def check(self) -> Sequence[Finding]:
        return check(self._client)

    def prove_credential(self) -> None:
        """Ask whose key it is: the kiln tells that to anybody who has one."""
        self._client.me()

    def prove_rights(self) -> Evidence:
        """Show that the key is a warden's, to whom every account is shown. Raises Denied if not."""
        name, role = self._client.me()
        if role != "warden":
            raise Denied(
                message("no_warden", name=name),
                kind=KIND,
                doing=message("asking"),
                advice=message("no_warden_advice"),
            )
        return Evidence.now("kiln", "GET /me", message("warden", name=name))


def connect(settings: Settings, _secrets: SecretResolver, *, calls: CallPolicy = CALLS) -> Kiln:
    """Make it ready to work; no call is made. `calls`: other times, for tests."""
    return Kiln(settings, calls)
