"""Block and delete accounts of the forge, and revoke their tokens."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from workspace_forge.checks import check
from workspace_forge.client import CALLS, Client
from workspace_forge.messages import message
from workspace_forge.names import ACCOUNT, TOKENS
from workspace_forge.settings import Settings
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
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import SecretResolver

BLOCKED: Facts = {"blocked": True}


class _OfAPerson:
    """What both kinds share: they are looked up by `sub`."""

    kind: ClassVar[str]

    def __init__(self, client: Client, calls: CallPolicy, prove: Callable[[], Evidence]) -> None:
        self._client, self.calls, self._prove = client, calls, prove

    def plan(self, target: Target, want: Facts | None) -> Change:
        before = self._look(target["sub"])
        if before is None and want == BLOCKED:
            before = {"exists": False, "blocked": True}
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def _look(self, sub: str) -> Facts | None:
        try:
            return self._client.account(sub)
        except NotFound:
            return None

    def _seen(self, sub: str, found: Message) -> Evidence:
        return Evidence.now("forge", f"GET users/{sub}", found)


class AccountConnector(_OfAPerson):
    """`forge.account`. `purge`: whether repositories go with their owner."""

    kind = ACCOUNT

    def __init__(
        self, client: Client, calls: CallPolicy, prove: Callable[[], Evidence], *, purge: bool
    ) -> None:
        super().__init__(client, calls, prove)
        self._purge = purge

    def apply(self, change: Change) -> Outcome:
        """Block it or open it again. The forge alone makes accounts, so that nothing is to block
        where none is.
        """
        sub, blocked = change.target["sub"], bool((change.after or {}).get("blocked"))
        have = self._look(sub)
        if have is None and blocked:
            self._prove()
            return ALREADY
        if have is not None and have["blocked"] is blocked:
            return ALREADY
        self._client.block(sub, blocked=blocked)
        return CHANGED

    def remove(self, change: Change) -> Outcome:
        """Delete it, and say what went with it."""
        sub = change.target["sub"]
        have = self._look(sub)
        if have is None:
            return ALREADY
        try:
            self._client.delete(sub, purge=self._purge)
        except NotFound:
            return ALREADY
        count = have["repositories"]
        key = "repositories_gone" if self._purge else "repositories_kept"
        also = (message(key, n=count),) if isinstance(count, int) and count else ()
        return CHANGED.model_copy(update={"also": also})

    def verify(self, change: Change) -> Evidence | None:
        sub = change.target["sub"]
        have = self._look(sub)
        if have is None:
            if change.after not in (None, BLOCKED):
                return None
            self._prove()
            return self._seen(sub, message("gone", sub=sub))
        if change.after is None or have["blocked"] is not bool(change.after.get("blocked")):
            return None
        state = "blocked" if have["blocked"] else "open"
        return self._seen(sub, message(state, name=str(have["login"])))


class TokensConnector(_OfAPerson):
    """`forge.tokens`: all that a person made, gone or not."""

    kind = TOKENS

    def apply(self, _change: Change) -> Outcome:
        """Nobody but its person makes a token."""
        return ALREADY

    def remove(self, change: Change) -> Outcome:
        if self._look(change.target["sub"]) is None:
            return ALREADY
        try:
            self._client.revoke(change.target["sub"])
        except NotFound:
            return ALREADY
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        if self._look(change.target["sub"]) is not None:
            return None
        self._prove()
        sub = change.target["sub"]
        return self._seen(sub, message("no_tokens", sub=sub))

    def _look(self, sub: str) -> Facts | None:
        found = super()._look(sub)
        return {"exists": True, "tokens": found["tokens"]} if found and found["tokens"] else None


class Forge:
    """The forge, ready to work."""

    name = "forge"

    def __init__(self, settings: Settings, calls: CallPolicy) -> None:
        self.client = Client(settings.url, settings.token, policy=calls)
        of_both = (self.client, calls, self.prove_rights)
        account: Connector = AccountConnector(*of_both, purge=settings.purge)
        tokens: Connector = TokensConnector(*of_both)
        self.connectors: Mapping[str, Connector] = {ACCOUNT: account, TOKENS: tokens}

    def try_again(self) -> None:
        """Nothing is remembered of a refusal here."""

    def check(self) -> Sequence[Finding]:
        return check(self.client)

    def prove_credential(self) -> None:
        """Ask whose token it is: the forge tells that to anybody who has one."""
        self.client.me()

    def prove_rights(self) -> Evidence:
        """Show that the token is an administrator's, who sees every account. Raises Denied."""
        name, admin = self.client.me()
        if not admin:
            raise Denied(
                message("no_admin", name=name),
                kind=ACCOUNT,
                doing=message("asking"),
                advice=message("no_admin_advice"),
            )
        return Evidence.now("forge", "GET me", message("admin", name=name))


def connect(settings: Settings, _secrets: SecretResolver, *, calls: CallPolicy = CALLS) -> Forge:
    """Make it ready to work; no call is made. `calls`: other times, for tests."""
    return Forge(settings, calls)
