"""Whom the manager knows, for a check that compares names by rule with names that are there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from workspace_manager.contract.earlier_names import keep_earlier_names


@dataclass(frozen=True)
class KnownPerson:
    """The names that another system may have for a person. An unknown one is ""."""

    username: str
    email: str = ""
    full_name: str = ""
    sub: str = ""
    """The id at the identity provider; "" for somebody who never signed in here."""
    is_leaving: bool = False
    """Their accounts go."""
    recorded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The names of their accounts that we wrote down, by kind."""


KnownPeople: TypeAlias = Callable[[], Sequence[KnownPerson]]
"""Reads them when a check asks: they come and go while a system stays connected."""


def no_people() -> Sequence[KnownPerson]:
    """The people that are known where nobody keeps people: none."""
    return ()


keep_earlier_names(__name__, nobody="no_people")
