"""Remains that the engine keeps under a name: the next person with the name would find them."""

from typing import Any

import httpx
import pytest

from tests.systems.notebook_hub.conftest import KEY
from tests.systems.notebook_hub.test_connector import CONTAINER, fault, sign_in
from workspace_manager.contract.errors import Unavailable

VOLUME = "jupyterhub-user-john-2edoe"


def make_volume(world: Any, name: str) -> None:
    where = f"{world.manager.url}/api/endpoints/1/docker/volumes/create"
    answer = httpx.post(where, json={"Name": name}, headers={"X-API-Key": KEY})
    assert answer.status_code in {200, 201}, answer.text


def test_nothing_is_left_of_a_name_that_nobody_had(world: Any) -> None:
    for other in ("jupyter-john.doe", "jupyter-john-2edoe2", "jupyter-john"):
        world.manager.run_container(other)
    for other in ("jupyterhub-user-john", "jupyterhub-user-john-2edoe2"):
        make_volume(world, other)
    assert world.connected().left_of("john.doe") == ()


def test_a_container_and_a_volume_are_left_also_when_they_are_at_rest(world: Any) -> None:
    sign_in(world)
    make_volume(world, VOLUME)
    said = tuple(map(str, world.connected().left_of("john.doe")))
    user = "the hub’s user john.doe, with that user's tokens"
    assert said == (f"the notebook container {CONTAINER}", f"the notebook volume {VOLUME}", user)


def test_the_names_follow_the_settings(world: Any) -> None:
    make_volume(world, "home-john_2Edoe")
    system = world.connected(volume_name_prefix="home-", container_name_escape="legacy")
    assert tuple(map(str, system.left_of("john.doe"))) == ("the notebook volume home-john_2Edoe",)


def test_a_name_no_notebook_can_have_leaves_none(world: Any) -> None:
    assert world.connected().left_of("a\nb") == ()


def test_without_an_engine_nobody_can_tell(world: Any) -> None:
    assert world.connected(with_engine=False).left_of("john.doe") == ()


def test_an_engine_that_is_down_has_not_said_no(world: Any) -> None:
    fault(world.manager, fault="status", status=503, path="", times=5)
    with pytest.raises(Unavailable):
        world.connected().left_of("john.doe")
