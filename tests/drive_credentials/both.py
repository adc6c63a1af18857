"""The drive and the identity provider's attributes, in memory."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from workspace_manager.contract.connector import CHANGED, CallPolicy, Change, Evidence, Outcome
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.connector.credentials import IssuedPassword
from workspace_manager.wiring import resolve

SUB = "sub-of-mira"
TOKEN = Secret("a token")
NAME, KEPT = "filesvc_login_name", "filesvc_app_password"


@dataclass
class Both:
    """The drive and the identity provider's attributes; `between` is called after an app password
    was made, `down` raises.
    """

    living: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    between: Callable[[], object] = lambda: None
    down: bool = False
    full: bool = False
    read_only: bool = False
    granted: dict[str, tuple[str, Secret]] = field(default_factory=dict)
    accounts: list[str] = field(default_factory=list)
    begun: int = 0
    ended: int = 0
    can_end: bool = True
    session_left: bool = False
    refuses: ConnectorError | None = None
    unrevocable: bool = False

    kind = "identity_provider.attributes"
    calls = CallPolicy()

    def _weather(self) -> None:
        if self.down:
            raise Unavailable(quote_words("no answer"), kind="drive", doing=quote_words("asking"))

    # The drive.
    def account_ids(self, sub: str) -> tuple[str, ...]:
        return (sub, f"keycloak-{sub}")

    def ensure_app_password(self, _bearer: Secret, sub: str) -> IssuedPassword:
        self._weather()
        if self.refuses is not None:
            raise self.refuses
        made = f"made-{len(self.living)}"
        self.living[made] = sub
        self.between()
        return IssuedPassword(sub, Secret(made), session_left=self.session_left)

    def account_of(self, bearer: Secret) -> str | None:
        self._weather()
        if self.refuses is not None:
            raise self.refuses
        self.between()
        self.accounts.append(bearer.reveal())
        return SUB

    def end_sessions(self, _sub: str) -> bool:
        self.ended += 1
        return self.can_end

    def start_login_flow(self) -> tuple[str, Secret]:
        self.begun += 1
        return "https://drive.example.org/flow", Secret(f"handle-{self.begun}")

    def grant(self, name: str, app_password: str, *, flow: int = 0) -> None:
        """Somebody allows what a sign-in asks for: the last one that was begun, or the n-th."""
        self.living[app_password] = name
        self.granted[f"handle-{flow or self.begun}"] = (name, Secret(app_password))

    def poll_login_flow(self, handle: Secret) -> tuple[str, Secret] | None:
        if not handle.reveal().startswith("handle"):
            raise NotFound(quote_words("gone"), kind="drive", doing=quote_words("polling"))
        return self.granted.pop(handle.reveal(), None)

    def credentials_work(self, login_name: str, app_password: Secret, _sub: str) -> bool:
        self._weather()
        owner = self.living.get(app_password.reveal())
        if owner not in {None, login_name}:
            raise Conflict(quote_words("somebody else"), kind="drive", doing=quote_words("asking"))
        return owner is not None

    def revoke_app_password(self, app_password: Secret) -> bool:
        if self.unrevocable:
            raise Unavailable(quote_words("no answer"), kind="drive", doing=quote_words("revoking"))
        return self.living.pop(app_password.reveal(), None) is not None

    # The attributes.
    def plan(self, target: Any, want: Any) -> Change:
        before = {
            n: ("set" if n == KEPT and n in self.attributes else self.attributes.get(n))
            for n in want
        }
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        if self.full:
            raise Unavailable(
                quote_words("no answer"), kind=self.kind, doing=quote_words("writing")
            )
        if self.read_only:
            advice = quote_words("set it to UNSYNCED")
            raise Invalid(
                quote_words("no"), kind=self.kind, doing=quote_words("writing"), advice=advice
            )
        for name, wish in (change.after or {}).items():
            if wish is None:
                self.attributes.pop(name, None)
            elif name in change.secrets:
                self.attributes[name] = resolve(change.secrets[name]).reveal()
            else:
                self.attributes[name] = str(wish)
        return CHANGED

    def verify(self, _change: Change) -> Evidence | None:
        return Evidence(system="identity_provider", method="", at="", text="as it shall be")

    def read_attribute(self, _sub: str, name: str) -> Secret:
        if name not in self.attributes:
            raise NotFound(quote_words("not set"), kind=self.kind, doing=quote_words("reading"))
        return Secret(self.attributes[name])

    @property
    def connectors(self) -> dict[str, Any]:
        return {self.kind: self}
