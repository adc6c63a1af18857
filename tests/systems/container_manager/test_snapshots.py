"""Volumes of stacks are kept and brought back, on the stand-in directly and through Portainer's."""

import io
import tarfile
from typing import Any

import pytest

from tests.systems.container_manager.cases_snapshots import (
    test_a_restore_that_breaks_is_begun_anew,
    test_a_store_that_breaks_leaves_nothing_stopped,
    test_nothing_is_filled_that_is_in_use,
    test_nothing_runs_from_the_first_part_of_a_stack_to_its_last,
    test_what_ran_runs_again_and_what_was_stopped_stays_so,
    test_what_was_cut_off_is_released,
    test_what_was_written_comes_back,
)
from tests.systems.container_manager.content import CONTENT
from tests.systems.container_manager.volumes import Volumes
from tests.systems.sql_server.chest import Chest
from workspace_manager.contract.connector import Severity
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.systems.container_manager.names import HELPER_LABEL, helper_name
from workspace_manager.systems.container_manager.settings import SNAPSHOT_IMAGE
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn, archives

__all__ = [
    "test_a_restore_that_breaks_is_begun_anew",
    "test_a_store_that_breaks_leaves_nothing_stopped",
    "test_nothing_is_filled_that_is_in_use",
    "test_nothing_runs_from_the_first_part_of_a_stack_to_its_last",
    "test_what_ran_runs_again_and_what_was_stopped_stays_so",
    "test_what_was_cut_off_is_released",
    "test_what_was_written_comes_back",
]


FAULTS = [
    ("POST", "/containers/create", {"fault": "status", "status": 403}, Denied),
    ("POST", "/containers/create", {"fault": "status", "status": 500}, Unavailable),
    ("POST", "/stop", {"fault": "reset"}, Unavailable),
    ("POST", "/start", {"fault": "reset"}, Unavailable),
    ("POST", "/exec", {"fault": "garbage"}, Invalid),
    ("POST", "/exec/", {"fault": "truncated"}, Unavailable),
    ("POST", "/exec/", {"fault": "reset"}, Unavailable),
    ("GET", "/exec/", {"fault": "status", "status": 503}, Unavailable),
]


@pytest.mark.parametrize(("method", "path", "fault", "expected"), FAULTS)
def test_a_fault_stops_nothing_for_good(
    engine_under_test: Volumes,
    stand_in: ContainerManagerStandIn,
    method: str,
    path: str,
    fault: dict[str, Any],
    expected: type[ConnectorError],
) -> None:
    stack = engine_under_test.make_stack()
    stand_in.faults.add({"method": method, "path": path, **fault})
    chest = Chest()
    with pytest.raises(expected):
        engine_under_test.source.capture(stack.address, chest)
    assert stand_in.faults.waiting == []
    assert set(engine_under_test.states(stack).values()) == {"running"}
    assert engine_under_test.helpers() == []
    facts = engine_under_test.source.capture(stack.address, chest)
    assert [table.name for table in facts.tables] == ["data", "more"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("PUT", "/archive"), ("POST", "/volumes/create"), ("POST", "/exec/"), ("DELETE", "/")],
)
def test_a_restore_that_met_a_fault_is_begun_anew(
    engine_under_test: Volumes, stand_in: ContainerManagerStandIn, method: str, path: str
) -> None:
    stack, other = engine_under_test.make_stack(), engine_under_test.name_stack()
    chest = Chest()
    facts = engine_under_test.source.capture(stack.address, chest)
    stand_in.faults.add({"method": method, "path": path, "fault": "reset"})
    with pytest.raises(Unavailable):
        engine_under_test.source.restore(other.address, chest)
    engine_under_test.source.restore(other.address, chest)
    assert engine_under_test.source.facts(other.address) == facts


def test_an_engine_that_went_in_the_middle_is_gone_back_to(
    engine_under_test: Volumes, stand_in: ContainerManagerStandIn
) -> None:
    stack = engine_under_test.make_stack()

    class Down(Chest):
        def open_part(self, name: str) -> Any:
            stand_in.state["portainer"]["settings"]["engine"] = "down"
            return super().open_part(name)

    with pytest.raises(ConnectorError):
        engine_under_test.source.capture(stack.address, Down())
    stand_in.state["portainer"]["settings"]["engine"] = "up"
    assert set(engine_under_test.states(stack).values()) == {"exited"}
    engine_under_test.source.capture(stack.address, Chest())
    assert set(engine_under_test.states(stack).values()) == {"running"}


def test_a_helper_that_somebody_removed_strands_nothing(engine_under_test: Volumes) -> None:
    stack = engine_under_test.make_stack()

    class Removing(Chest):
        def open_part(self, name: str) -> Any:
            path = f"/containers/{helper_name(stack.name)}"
            engine_under_test.engine.delete(path, params={"force": "1"}).raise_for_status()
            return super().open_part(name)

    with pytest.raises(ConnectorError):
        engine_under_test.source.capture(stack.address, Removing())
    assert set(engine_under_test.states(stack).values()) == {"running"}


def test_a_strangers_container_of_that_name_is_left_alone(engine_under_test: Volumes) -> None:
    stack = engine_under_test.make_stack()
    name = helper_name(stack.name)
    made = engine_under_test.engine.post(
        "/containers/create", params={"name": name}, json={"Image": engine_under_test.image}
    )
    assert made.status_code == 201
    with pytest.raises(Conflict):
        engine_under_test.source.capture(stack.address, Chest())
    assert set(engine_under_test.states(stack).values()) == {"running"}
    assert engine_under_test.engine.get(f"/containers/{name}/json").status_code == 200


def test_the_helper_has_no_network_and_reads_alone(engine_under_test: Volumes) -> None:
    stack = engine_under_test.make_stack()
    seen: list[dict[str, Any]] = []

    class Looking(Chest):
        def open_part(self, name: str) -> Any:
            path = f"/containers/{helper_name(stack.name)}/json"
            seen.append(engine_under_test.engine.get(path).raise_for_status().json())
            return super().open_part(name)

    engine_under_test.source.capture(stack.address, Looking())
    found = seen[0]
    assert found["HostConfig"]["NetworkMode"] == "none"
    assert found["Config"]["Labels"][HELPER_LABEL] == stack.mark
    assert not found["HostConfig"]["AutoRemove"], "an engine that restarts would lose the record"


def test_check_names_an_image_that_is_missing(
    engine_under_test: Volumes, stand_in: ContainerManagerStandIn
) -> None:
    said = {one.name: one for one in engine_under_test.system.check()}
    assert said["snapshots of knowledge stacks"].severity is Severity.OK
    stand_in.state["engine"]["images"].remove(SNAPSHOT_IMAGE)
    [found] = [
        one
        for one in engine_under_test.system.check()
        if one.name == "snapshots of knowledge stacks"
    ]
    assert found.severity is Severity.WARNING
    assert found.message
    assert found.message.code == "container_manager.helper_image_missing"
    with pytest.raises(Invalid, match="not on the engine"):
        engine_under_test.source.capture(engine_under_test.make_stack().address, Chest())


def test_an_archive_says_what_tar_reads() -> None:
    made = archives.write(CONTENT)
    with tarfile.open(fileobj=io.BytesIO(made)) as opened:
        assert opened.getnames() == [".", "./pages", "./again", "./sub", "./sub/there"]
