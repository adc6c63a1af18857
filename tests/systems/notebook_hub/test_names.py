"""Container names equal DockerSpawner's, computed with its own code.

See docs/systems/usernames.md#nasty-names and
docs/systems/notebook-hub.md#container-and-volume-names.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.notebook_hub.names import (
    container_name,
    container_target,
    fits_rule,
    hub_user,
)

NASTY = [
    ("alice", "jupyter-alice"),
    ("Alice", "jupyter-alice"),
    ("john.doe", "jupyter-john-2edoe"),
    ("john_doe", "jupyter-john-5fdoe"),
    ("anna-maria", "jupyter-anna-2dmaria"),
    ("bob@example.org", "jupyter-bob-40example-2eorg"),
    ("müller", "jupyter-m-c3-bcller"),
    ("a+b", "jupyter-a-2bb"),
    ("a b", "jupyter-a-20b"),
    ("o'brien", "jupyter-o-27brien"),
    ("x/y", "jupyter-x-2fy"),
    ("../admin", "jupyter--2e-2e-2fadmin"),
    ("100%", "jupyter-100-25"),
    ("a%2Fb", "jupyter-a-252fb"),
    ("guest", "jupyter-guest"),
    ("est", "jupyter-est"),
    ("root", "jupyter-root"),
    ("u" * 130, "jupyter-" + "u" * 130),
    ("trail ", "jupyter-trail-20"),
    ("a😀b", "jupyter-a-f0-9f-98-80b"),
    ("İstanbul", "jupyter-i-cc-87stanbul"),
    ("日本人", "jupyter--e6-97-a5-e6-9c-ac-e4-ba-ba"),
    ("alice-2d", "jupyter-alice-2d2d"),
    ("x;id", "jupyter-x-3bid"),
    ("x$(id)", "jupyter-x-24-28id-29"),
    ("4e25a3ff-b955-4b1f", "jupyter-4e25a3ff-2db955-2d4b1f"),
    ("_x", "jupyter--5fx"),
    (".hidden", "jupyter--2ehidden"),
    ("-rf", "jupyter--2drf"),
]
LEGACY = [
    ("alice", "jupyter-alice"),
    ("john.doe", "jupyter-john_2Edoe"),
    ("user_name", "jupyter-user_5Fname"),
    ("anna-maria", "jupyter-anna-maria"),
    ("bob@example.org", "jupyter-bob_40example_2Eorg"),
    ("müller", "jupyter-m_C3_BCller"),
]
names = st.text(
    st.characters(min_codepoint=33, exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40
)


@pytest.mark.parametrize(("username", "container"), NASTY)
def test_nasty_names(username: str, container: str) -> None:
    assert container_target(username)["container"] == container
    assert fits_rule(container, prefix="jupyter-", escape="dockerspawner")


@pytest.mark.parametrize(("user", "container"), LEGACY)
def test_legacy_rule(user: str, container: str) -> None:
    assert container_name(user, escape="legacy") == container
    assert fits_rule(container, prefix="jupyter-", escape="legacy")


def test_the_hub_lower_cases_at_sign_in_only() -> None:
    assert hub_user("Alice") == "alice"
    assert container_name("Alice") == "jupyter--41lice"
    assert container_name("john.doe", prefix="nb-", escape="none") == "nb-john.doe"


@pytest.mark.parametrize("username", ["", "a\x01b", "a\nb", "\x7f"])
def test_names_the_hub_cannot_have_are_for_a_person(username: str) -> None:
    with pytest.raises(NameImpossible):
        container_target(username)


@given(names, names)
def test_two_people_never_share_a_container(one: str, other: str) -> None:
    same = hub_user(one) == hub_user(other)
    assert (container_target(one)["container"] == container_target(other)["container"]) is same


@given(names)
def test_every_name_is_a_legal_container_name(username: str) -> None:
    container = container_target(username)["container"]
    assert re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9_.-]+", container)
    assert fits_rule(container, prefix="jupyter-", escape="dockerspawner")
