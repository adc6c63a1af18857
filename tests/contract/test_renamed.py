"""A system of another distribution that imports the names of before goes on, and is warned."""

import pytest

from workspace_manager.contract import system


@pytest.mark.parametrize(("name", "now"), system.RENAMED.items())
def test_an_earlier_name_is_what_it_was_and_warns(name: str, now: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"is called {now} now"):
        assert getattr(system, name) is getattr(system, now)


def test_a_name_that_never_was_is_none() -> None:
    assert not hasattr(system, "Wishes")
