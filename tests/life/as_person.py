"""A check as a person, ordered at the manager's door; what it left, asked of the systems."""

from typing import Any

from tests.life.person import Workspace
from tests.life.systems import identity_provider
from workspace_manager.contract.person_trial import USERNAME

Shown = dict[str, Any]


def checked(place: Workspace) -> list[Shown]:
    """Everything that it found."""
    answer = place.api.post("/systems/check-as-person")
    assert answer.status_code == 200, answer.text
    found: list[Shown] = answer.json()["findings"]
    return found


def wrong(found: list[Shown]) -> list[Shown]:
    return [one for one in found if one["severity"] != "ok"]


def users(place: Workspace) -> list[str]:
    """Names of every user of the realm."""
    return [one["username"] for one in identity_provider(place, "/users?max=1000").json()]


def checked_and_gone(place: Workspace) -> list[Shown]:
    """What a check found that left nothing, by its own word and by the realm's."""
    found = checked(place)
    assert "as a person: removed" in [one["name"] for one in found if one["severity"] == "ok"]
    assert USERNAME not in users(place)
    return found
