"""Volumes of stacks are kept and brought back on a real podman, directly and through a real
Portainer.
"""

from collections.abc import Iterator

import httpx
import pytest

from tests.systems.container_manager.cases_in_place import (
    kill_switch,
    load,
    require_no_mixture,
    require_whole,
    switch,
    test_other_volumes_are_refused_before_anything_stops,
    test_what_is_not_wanted_any_more_is_discarded,
    test_what_was_loaded_beside_takes_the_place,
)
from tests.systems.container_manager.cases_snapshots import (
    test_a_restore_that_breaks_is_begun_anew,
    test_a_store_that_breaks_leaves_nothing_stopped,
    test_nothing_is_filled_that_is_in_use,
    test_nothing_runs_from_the_first_part_of_a_stack_to_its_last,
    test_what_ran_runs_again_and_what_was_stopped_stays_so,
    test_what_was_cut_off_is_released,
    test_what_was_written_comes_back,
)
from tests.systems.container_manager.volumes import Volumes
from tests.systems.sql_server.chest import Chest
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.connector import connect
from workspace_manager.systems.container_manager.settings import Settings
from workspace_sandbox.real import podman, tar_image

__all__ = [
    "test_a_restore_that_breaks_is_begun_anew",
    "test_a_store_that_breaks_leaves_nothing_stopped",
    "test_nothing_is_filled_that_is_in_use",
    "test_nothing_runs_from_the_first_part_of_a_stack_to_its_last",
    "test_other_volumes_are_refused_before_anything_stops",
    "test_what_is_not_wanted_any_more_is_discarded",
    "test_what_ran_runs_again_and_what_was_stopped_stays_so",
    "test_what_was_cut_off_is_released",
    "test_what_was_loaded_beside_takes_the_place",
    "test_what_was_written_comes_back",
]

pytestmark = pytest.mark.real

CONTENT = (
    "cd /v && printf rows > pages && chown 999:998 pages && chmod 600 pages && ln pages again && "
    "mkdir sub && chown 1234:1235 sub && chmod 2750 sub && ln -s ../pages sub/there && "
    "dd if=/dev/zero of=hole bs=1 count=1 seek=300000000 2>/dev/null && chown 999:999 . && "
    "chmod 700 ."
)
SPOIL = "cd /v && rm pages sub/there && printf spoiled > .stray && mkdir -p sub/more && chown 7:7 ."
LOOK = "cd /v && stat -c '%n %u:%g %a %h %s %b' pages again sub hole . && ls -l sub"


def no_secrets(reference: str) -> Secret:
    raise AssertionError(f"asked for {reference}")


@pytest.fixture(
    scope="module",
    params=["direct", pytest.param("through Portainer", marks=pytest.mark.real("Portainer"))],
)
def engine_under_test(
    request: pytest.FixtureRequest, real_podman: podman.Podman
) -> Iterator[Volumes]:
    assert real_podman.url
    image = tar_image.make(real_podman.url)
    settings = Settings(url=real_podman.url, api_key=None, snapshot_image=image)
    if request.param != "direct":
        address = request.getfixturevalue("real_portainer").address
        settings = Settings(
            url=address.url,
            api_key=address.api_key,
            environment_id=address.environment_id,
            snapshot_image=image,
        )

    def run(volume: str, script: str) -> str:
        where = f"{volume}:/v"
        words = ("--rm", "--network", "none", "-v", where, image, "/bin/sh", "-c", script)
        return real_podman.command("run", *words)

    base = real_podman.url.replace("docker:", "http:") + "/v1.41"
    with httpx.Client(base_url=base) as engine:
        system = connect(settings, no_secrets)
        yield Volumes(
            system,
            engine,
            lambda name: run(name, CONTENT),
            lambda name: run(name, SPOIL),
            image,
            look=run,
        )
    real_podman.command("rm", "--all", "--force", "--time", "0", limit_s=120)


def test_owners_modes_links_and_holes_are_what_they_were(engine_under_test: Volumes) -> None:
    stack, other = engine_under_test.make_stack(), engine_under_test.name_stack()
    chest = Chest()
    engine_under_test.source.capture(stack.address, chest)
    assert len(chest.parts["data.tar"]) < 100_000, "a hole is no content"
    engine_under_test.source.restore(other.address, chest)
    before, after = (engine_under_test.look(one.volume("data"), LOOK) for one in (stack, other))
    assert before == after
    assert "pages 999:998 600 2 4" in after
    assert ". 999:999 700" in after


def test_a_restore_in_place_brings_back_owners_modes_links_and_holes(
    engine_under_test: Volumes,
) -> None:
    stack, chest = engine_under_test.make_stack(), Chest()
    before = engine_under_test.look(stack.volume("data"), LOOK)
    engine_under_test.source.capture(stack.address, chest)
    engine_under_test.spoil(stack.volume("data"))
    engine_under_test.source.make_beside(stack.address)
    engine_under_test.source.restore(engine_under_test.source.address_beside(stack.address), chest)
    switch(engine_under_test, stack)
    after = engine_under_test.look(stack.volume("data"), LOOK)
    assert after == before
    assert "pages 999:998 600 2 4" in after
    assert engine_under_test.look(stack.volume("data"), "ls -A /v/.stray || true").strip() == ""
    assert set(engine_under_test.states(stack).values()) == {"running"}


@pytest.mark.parametrize("number", [12, 20, 28, 36, 44, 52, 60])
def test_a_switch_that_is_killed_ends_whole(engine_under_test: Volumes, number: int) -> None:
    """In the stand-in's test it is killed at each call."""
    stack, wanted, present = load(engine_under_test)
    kill_switch(engine_under_test, stack, number, after=bool(number % 8))
    require_no_mixture(engine_under_test, stack, wanted, present)
    switch(engine_under_test, stack)
    require_whole(engine_under_test, stack, wanted)


def test_an_image_that_is_not_there_is_named(engine_under_test: Volumes) -> None:
    stack = engine_under_test.make_stack()
    source = type(engine_under_test.source)(engine_under_test.system)
    source._image = "localhost/none:latest"
    with pytest.raises(Invalid, match="localhost/none"):
        source.capture(stack.address, Chest())
    assert set(engine_under_test.states(stack).values()) == {"running"}
