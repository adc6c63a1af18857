"""The connector: plan, apply, remove, verify; and the values that travel between the engine and a
system.

All values are frozen and survive JSON and back: a plan is one document that is previewed, signed,
run, resumed and audited. No secret, object or code can be in it.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, Literal, Protocol, TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue

from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.message import Message, Words, quote_words
from workspace_manager.contract.messages import message
from workspace_manager.contract.secret import SecretRef

Target: TypeAlias = Mapping[str, str]
"""Every identifier of one thing; made only by `systems/*/names.py` and captured when the thing is
made.
"""

Facts: TypeAlias = dict[str, JsonValue]
"""What a look shows; never a secret."""

Unknown: TypeAlias = Literal["unknown"]
UNKNOWN: Final[Unknown] = "unknown"
"""The look could not be made (the system is down); not the same as None, which is "not there"."""


class FrozenModel(BaseModel):
    """A value: compared by content, never changed, nothing unknown in it."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CallPolicy(FrozenModel):
    """The policy of calls: how long one may take, and when it is made again. Data: shown to people,
    obeyed by the worker; clients never loop.

    Seconds throughout. Waits double from `first_wait_s` to `longest_wait_s`, are jittered, and
    honour Retry-After. There is no last attempt.
    """

    connect_s: float = 5
    answer_s: float = 30
    first_wait_s: float = 2
    longest_wait_s: float = 900
    local: bool = False
    """It is a record of ours: looked at, changed and written down in one transaction, without a
    call.
    """
    renewed: bool = False
    """It may take hours: the right to act is renewed while it goes on, and `answer_s` is how long
    one call of it takes. It tells of its progress (`contract.progress`), and ends where that says.
    """
    goes_on_s: float = 0
    """How long something may go on being made by a call that nobody answered
    (`Unavailable.goes_on`) or whose worker died. Until then it is not sent again, only looked for
    (`verify` alone tells whether it is made, secrets included); nor is it believed to be gone.
    """


class Change(FrozenModel):
    """One difference between what is and what shall be. Data only: no secret, no object,
    no code.
    """

    kind: str
    subject: str
    """Whose access this gives or takes: the person's own id."""
    target: dict[str, str]
    before: Facts | None | Unknown = UNKNOWN
    """None: it is not there. UNKNOWN: the look could not be made."""
    after: Facts | None = None
    """None: it shall be gone."""
    secrets: dict[str, SecretRef] = {}
    new: bool = False
    """It must not be there before we first send this: what is there by that name is somebody
    else's.
    """
    note: str = ""
    """A word of whoever planned it to whoever carries it out."""

    @property
    def system(self) -> str:
        return self.kind.partition(".")[0]


class Result(StrEnum):
    CHANGED = "changed"
    """This call did it."""
    ALREADY = "already"
    """An earlier call, or someone else, did."""


class Outcome(FrozenModel):
    """The result of an `apply` or `remove`."""

    result: Result
    facts: dict[str, str] = {}
    """What the system assigned: an id, a location."""
    by_hand: tuple[Message, ...] = ()
    """What a person still has to do."""
    also: tuple[Message, ...] = ()
    """What else was done with it, as whoever reads the plan has to know."""


CHANGED: Final = Outcome(result=Result.CHANGED)
ALREADY: Final = Outcome(result=Result.ALREADY)


class Evidence(FrozenModel):
    """The result of a fresh look: which system, how it was asked, when (UTC, ISO 8601), and the
    answer in words.
    """

    system: str
    method: str
    at: str
    text: str
    """In English, as it was found."""
    message: Message | None = None
    method_message: Message | None = None

    @classmethod
    def now(cls, system: str, method: Words, found: Message) -> "Evidence":
        """Make the evidence of a look made just now, in whole seconds: a person reads it. `method`:
        a message, or the request itself, which is quoted.
        """
        at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        asked = quote_words(method)
        return cls(
            system=system,
            method=asked.english,
            at=at,
            text=found.english,
            message=found,
            method_message=asked,
        )


class Severity(StrEnum):
    OK = "ok"
    WARNING = "warning"
    FAILING = "failing"

    @property
    def label(self) -> Message:
        return message(f"severity.{self}")


ALL: Final = ("*",)
"""Whatever else the check would have looked at."""


class Finding(FrozenModel):
    """One line of a `check`: what was looked at, how it stands, and what to do if it is
    not well.
    """

    system: str
    name: str
    severity: Severity
    text: str
    """In English; `message` says it in every language."""
    remedy: str = ""
    message: Message | None = None
    remedy_message: Message | None = None
    name_message: Message | None = None
    hides: tuple[str, ...] = ()
    """Codes of the names of what could not be looked at because of it, or `ALL`: whether that is
    still as it was, nobody knows.
    """


class Connector(Protocol):
    """Drive one kind of thing in one system.

    `plan` and `verify` only look. `apply` and `remove` may be called again with the same Change at
    any time and then answer ALREADY. All four raise only the five errors of `contract.errors`.
    """

    @property
    def kind(self) -> str:
        """The folder, then the thing: "drive.account"."""
        ...

    @property
    def calls(self) -> CallPolicy:
        """Return how long a call may take and when it is made again."""
        ...

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look, and say what is (`before`) and what shall be (`after`). `want` None: it shall be
        gone. `subject` stays empty.
        """
        ...

    def apply(self, change: Change) -> Outcome:
        """Create or alter the thing so that it is as `change.after` says."""
        ...

    def remove(self, change: Change) -> Outcome:
        """Make the thing absent."""
        ...

    def verify(self, change: Change) -> Evidence | None:
        """Look afresh: evidence in words when the thing is as `change.after` says, else None."""
        ...


class System(Protocol):
    """One connected system, ready to work: what `systems/<name>/connector.py:
    connect()` answers.
    """

    @property
    def name(self) -> str: ...

    @property
    def connectors(self) -> Mapping[str, Connector]:
        """By kind."""
        ...

    def try_again(self) -> None:
        """Forget that a credential of ours was refused: a person resumed the system. Makes
        no call.
        """
        ...

    def check(self) -> Sequence[Finding]:
        """Find every misconfiguration that can be seen from here. Changes nothing and raises
        nothing: a dead system is a finding.
        """
        ...

    def prove_credential(self) -> None:
        """Make a call that needs nothing but our credential: no right, and no thing that is there.

        Raises Denied when the credential itself is refused; then the whole system is paused.
        Without a credential there is nothing to prove.
        """
        ...

    def prove_rights(self) -> Evidence:
        """Show that we may see what we look for, so that "not found" proves absence. Raises Denied
        or Unavailable if not.
        """
        ...


keep_earlier_names(__name__, Frozen="FrozenModel")
