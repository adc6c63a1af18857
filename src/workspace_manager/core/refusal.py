"""What a story answers when it cannot do what was asked: the state does not allow it, or the input cannot be used."""

from collections.abc import Mapping


class Refused(Exception):
    """The state does not allow this now. `reason` is for people and says what to do; `plan`: the plan that is in the way."""

    def __init__(self, reason: str, *, plan: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.plan = plan


class BadInput(ValueError):
    """Some fields cannot be used; `errors` says which and why (`{field: sentence}`)."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{field}: {text}" for field, text in errors.items()))
        self.errors = dict(errors)


class Forbidden(Exception):
    """The person may not do this. `reason` is for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class WrongAccount(Exception):
    """What somebody signed in with elsewhere is not theirs here (specification, section 7: HTTP 400). `reason` is for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
