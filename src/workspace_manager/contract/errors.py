"""Five errors, one reaction each (one class per reaction, not per cause).

    ConnectorError
    ├── Unavailable   no answer or "not now": wait and try again, for ever
    ├── Denied        it knows us and says no: stuck at once, the whole system is paused
    ├── NotFound      not there, or not shown to us: success for a removal only after our rights were proven
    ├── Conflict      there, but not the one we mean: a person decides
    └── Invalid       it or we did not understand: stuck; the shape is kept, never the body

Every error carries `advice`: what to look at and what to do next (specification, section 7). `str(error)` is safe to show:
it never holds a body, a header or a secret.
"""


class ConnectorError(Exception):
    """Say which call failed, why, and what a person can do about it.

    `detail`: what happened, one sentence without secrets. `kind`: the kind of thing, `"drive.account"`. `doing`: the verb that
    failed, `"removing the account"`. `advice`: what to do. `retry_after`: seconds the system asked us to wait, or None.
    """

    def __init__(
        self,
        detail: str,
        *,
        kind: str,
        doing: str,
        advice: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.kind = kind
        self.doing = doing
        self.advice = advice
        self.retry_after = retry_after

    @property
    def system(self) -> str:
        """The system's name: the part of `kind` before the dot."""
        return self.kind.partition(".")[0]

    def __str__(self) -> str:
        return f"{self.kind}: {self.doing}: {self.detail}"


class Unavailable(ConnectorError):
    """The system gave no answer or said "not now"; it is asked again later."""


class Denied(ConnectorError):
    """The system knows us and says no; hammering with a wrong password would lock everybody out."""


class NotFound(ConnectorError):
    """The thing is not there, or is not shown to us."""


class Conflict(ConnectorError):
    """Something is there, but it is not the thing we mean; a person decides."""


class Invalid(ConnectorError):
    """The system or we did not understand: an unknown code, HTML instead of JSON."""
