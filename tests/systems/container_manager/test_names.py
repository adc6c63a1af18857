"""Names of containers and stacks, as engine and Portainer take them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_manager.systems.container_manager.names import (
    container_target,
    is_container_name,
    is_full_id,
    is_stack_name,
    normalised_stack_name,
)


def test_a_container_goes_by_its_name() -> None:
    assert container_target("jupyter-alice") == {"container": "jupyter-alice"}


@pytest.mark.parametrize("name", ["jupyter-alice", "a.", "a..b", "jupyter-", "x" * 300, "A_b.c-d"])
def test_legal_container_names(name: str) -> None:
    assert is_container_name(name)


@pytest.mark.parametrize(
    "name", ["", "-x", ".a", "_a", "a b", "a/b", "/a", "@", "ü", "a\n", "a%2Fb"]
)
def test_illegal_container_names(name: str) -> None:
    assert not is_container_name(name)


@pytest.mark.parametrize(
    ("given_name", "stored"),
    [
        ("Jo.hn", "john"),
        ("Ws.Bob Smith", "wsbobsmith"),
        ("@@@", ""),
        ("a-b_c", "a-b_c"),
        ("-zoe", "-zoe"),
    ],
)
def test_stack_names_are_normalised(given_name: str, stored: str) -> None:
    assert normalised_stack_name(given_name) == stored


@pytest.mark.parametrize("name", ["", "-zoe", "_x", "Zoe", "a.b", "a b"])
def test_stack_names_that_are_not_kept_as_they_are(name: str) -> None:
    assert not is_stack_name(name)


@given(st.text(max_size=30))
def test_a_normalised_name_stays(name: str) -> None:
    once = normalised_stack_name(name)
    assert normalised_stack_name(once) == once


def test_ids() -> None:
    assert is_full_id("a" * 64)
    assert not is_full_id("a" * 63)
    assert not is_full_id("A" * 64)
