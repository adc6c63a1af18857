"""Names of containers and stacks, as engine and Portainer take them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.container_manager.names import (
    is_container_name,
    is_full_id,
    is_stack_name,
    ports,
    stack_name,
    stack_target,
    stack_url,
    stack_volumes_target,
)
from workspace_manager.systems.container_manager.settings import Settings


@pytest.mark.parametrize("name", ["jupyter-alice", "a.", "a..b", "jupyter-", "x" * 300, "A_b.c-d"])
def test_legal_container_names(name: str) -> None:
    assert is_container_name(name)


@pytest.mark.parametrize(
    "name", ["", "-x", ".a", "_a", "a b", "a/b", "/a", "@", "ü", "a\n", "a%2Fb"]
)
def test_illegal_container_names(name: str) -> None:
    assert not is_container_name(name)


@pytest.mark.parametrize("name", ["", "-zoe", "_x", "Zoe", "a.b", "a b"])
def test_stack_names_that_are_not_kept_as_they_are(name: str) -> None:
    assert not is_stack_name(name)


def test_ids() -> None:
    assert is_full_id("a" * 64)
    assert not is_full_id("a" * 63)
    assert not is_full_id("A" * 64)


def test_a_stack_goes_by_name_and_mark() -> None:
    assert (
        stack_target("ws-a", "m")
        == {"stack": "ws-a", "mark": "m"}
        == stack_volumes_target("ws-a", "m")
    )


@pytest.mark.parametrize(
    ("username", "label", "unique", "name"),
    [
        ("ada", "Herbarium of Göttingen", "ab12cd34", "ws-ada-herbarium-of-gottingen-ab12cd34"),
        ("Ada.B@x", "", "ab12", "ws-ada-b-x-ab12"),
        ("艾達", "標本", "ab12", "ws-ab12"),
        ("a" * 50, "b" * 50, "ab12cd34", "ws-aaaaaaaaaaaaaa-bbbbbbbbbbbbb-ab12cd34"),
        ("ada", "x", "3f2b8c1d-1111-2222-3333-444455556666", "ws-ada-x-3f2b8c1d1111"),
    ],
)
def test_the_name_of_a_stack(username: str, label: str, unique: str, name: str) -> None:
    assert stack_name(username, label, unique) == name


@given(st.text(max_size=60), st.text(max_size=60), st.from_regex(r"[a-z0-9]{4,32}", fullmatch=True))
def test_portainer_keeps_a_stacks_name_as_it_is(username: str, label: str, unique: str) -> None:
    name = stack_name(username, label, unique)
    assert is_stack_name(name)
    assert len(name) <= 40
    assert name.rpartition("-")[2] == unique


@pytest.mark.parametrize("unique", ["", "abc", "AB12", "a-b1", "a" * 33, "ab12\n"])
def test_a_unique_part_that_would_not_stay_unique(unique: str) -> None:
    with pytest.raises(NameImpossible):
        stack_name("ada", "x", unique)


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        ({"url": "https://portainer.example:9443"}, "http://portainer.example:20001"),
        ({"url": "docker://[::1]:2375"}, "http://[::1]:20001"),
        ({"url": "unix:///run/podman.sock"}, "http://127.0.0.1:20001"),
        (
            {"url": "https://p", "stack_address": "https://{name}.stacks.example/"},
            "https://ws-a.stacks.example",
        ),
        (
            {"url": "https://p", "stack_address": "http://stacks.example:{port}/x"},
            "http://stacks.example:20001/x",
        ),
    ],
)
def test_where_a_stack_is_reached(settings: dict[str, str], url: str) -> None:
    assert stack_url(Settings(**settings), "ws-a", 20001) == url  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "first", "count"),
    [
        ("20000-20999", 20000, 1000),
        (" 4000 - 4000 ", 4000, 1),
        *((bad, 0, 0) for bad in ("", "80-90", "5-4", "a-b", "60000-70000", "20999-20000", "4000")),
    ],
)
def test_ports_that_may_be_reserved(text: str, first: int, count: int) -> None:
    found = ports(Settings(url="https://p", api_key=None, stack_ports=text))
    assert (len(found), next(iter(found), 0)) == (count, first)
