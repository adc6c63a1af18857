"""A check that signs in as a person: somebody made for it alone, who is removed afterwards.

It shows what no document does: what a token says in the end, and whether the systems take it. The
person's name is reserved, the user marked as ours, and no list of people knows them
(docs/decisions/0052-a-person-of-its-own.md).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from workspace_manager.contract.connector import Finding, System
from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.secret import Secret

USERNAME: Final = "workspace-check"
"""The name is reserved: nobody can register it, and comparisons leave it alone."""


@dataclass(frozen=True)
class Trial:
    """A person who is made for a check."""

    username: str = USERNAME
    mark: str = USERNAME
    """By which the user is known as ours, in an attribute that administrators alone may write. The
    same each time: one that a lost database or a late answer left is known too.
    """
    email: str = f"{USERNAME}@example.invalid"
    """An address that nobody can have (RFC 2606): no letter arrives."""
    first_name: str = "Workspace"
    last_name: str = "Check of the workspace manager"
    locale: str = "en"


@dataclass(frozen=True)
class Visitor:
    """That person, signed in, as a system meets them."""

    username: str
    sub: str
    token: Secret


@dataclass(frozen=True)
class TrialResult:
    """The result of giving a system the person's token."""

    findings: tuple[Finding, ...] = ()
    accounts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Accounts that were not there before, by kind, where their names follow from nothing else.
    They are removed with the person.
    """


PersonTrial: TypeAlias = Callable[[System, Visitor], TrialResult]
"""Gives a system the person's token. It takes back what it made itself, and raises the five
errors.
"""


@dataclass(frozen=True)
class Walk:
    """The course of a sign-in at the identity provider. `token` None: it came to no token."""

    findings: tuple[Finding, ...]
    token: Secret | None = None
    claims: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """What the manager would know of the person."""


keep_earlier_names(__name__, Tried="TrialResult")
