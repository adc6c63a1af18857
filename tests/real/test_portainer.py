"""A real Portainer before a real podman: what its stand-in is said to imitate, the connectors that
go through it, and starting and stopping it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox.tests.stand_ins.container_manager.test_stand_in import (
    test_a_body_of_another_shape_is_refused_in_gos_words,
    test_commands,
    test_finding_containers,
    test_names_and_images_are_checked,
    test_refused_keys,
    test_stop_start_remove,
    test_volumes,
)
from sandbox.tests.stand_ins.container_manager.test_stand_in_stacks import (
    carla,
    test_a_failed_creation_destroys_a_foreign_project,
    test_a_network_of_that_name_that_is_not_the_stacks,
    test_a_paused_stack_cannot_be_taken_down,
    test_a_user_without_access_to_the_environment,
    test_delete_keeps_volumes,
    test_env_is_not_literal,
    test_names_are_normalised_and_unique,
    test_refusals_by_tcp_say_nothing,
)
from tests.real.leftovers import check_leftovers_are_cleared
from tests.real_running import a_podman, a_portainer
from tests.systems.container_manager.test_client import (
    test_a_file_that_fails_leaves_nothing,
    test_a_stacks_life,
    test_a_strangers_project_is_never_endangered,
    test_a_volume_in_use_stays,
)
from tests.systems.container_manager.test_connector import (
    test_a_container_found_by_the_beginning_of_its_id_is_somebody_elses,
    test_a_stubborn_container_is_killed_after_its_grace,
    test_a_wrong_key_or_environment_never_proves_absence,
    test_check_finds_nothing_wrong,
    test_commands_need_a_running_container,
    test_each_member_that_is_shown_is_decided_about,
    test_look_alike_names_are_left_alone,
    test_runs_commands_and_tells_outputs_apart,
    test_start_and_remove,
    test_stops_a_running_container_once,
)
from tests.systems.container_manager.test_inventory import (
    test_a_stack_of_which_nothing_runs_is_listed,
    test_an_odd_entry_hides_no_other_one,
    test_what_was_made_is_listed_until_removed,
)
from workspace_manager.contract.connector import CHANGED
from workspace_manager.contract.errors import Denied, Invalid, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.connector import ContainerManager, connect
from workspace_manager.systems.container_manager.settings import Settings
from workspace_manager.systems.drive.command_line import add_app_password
from workspace_manager.systems.notebook_hub import connector as notebook_hub
from workspace_manager.systems.notebook_hub.names import container_target
from workspace_manager.systems.notebook_hub.settings import Settings as HubSettings
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.real import drive_container, podman, portainer
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn

__all__ = [
    "carla",
    "test_a_body_of_another_shape_is_refused_in_gos_words",
    "test_a_container_found_by_the_beginning_of_its_id_is_somebody_elses",
    "test_a_failed_creation_destroys_a_foreign_project",
    "test_a_file_that_fails_leaves_nothing",
    "test_a_network_of_that_name_that_is_not_the_stacks",
    "test_a_paused_stack_cannot_be_taken_down",
    "test_a_stack_of_which_nothing_runs_is_listed",
    "test_a_stacks_life",
    "test_a_strangers_project_is_never_endangered",
    "test_a_stubborn_container_is_killed_after_its_grace",
    "test_a_user_without_access_to_the_environment",
    "test_a_volume_in_use_stays",
    "test_a_wrong_key_or_environment_never_proves_absence",
    "test_an_odd_entry_hides_no_other_one",
    "test_check_finds_nothing_wrong",
    "test_commands",
    "test_commands_need_a_running_container",
    "test_delete_keeps_volumes",
    "test_each_member_that_is_shown_is_decided_about",
    "test_env_is_not_literal",
    "test_finding_containers",
    "test_look_alike_names_are_left_alone",
    "test_names_and_images_are_checked",
    "test_names_are_normalised_and_unique",
    "test_refusals_by_tcp_say_nothing",
    "test_refused_keys",
    "test_runs_commands_and_tells_outputs_apart",
    "test_start_and_remove",
    "test_stop_start_remove",
    "test_stops_a_running_container_once",
    "test_volumes",
    "test_what_was_made_is_listed_until_removed",
]

pytestmark = pytest.mark.real("Portainer", "podman")

real_podman = pytest.fixture(scope="module", name="real_podman")(a_podman)
real_portainer = pytest.fixture(scope="module", name="real_portainer")(a_portainer)
"""Their own: these tests look at everything there is."""


class PortainerProxy(FaultProxy):
    """The door to Portainer, with what the stand-in offers tests: containers made past it, and what
    there is.
    """

    def __init__(self, part: portainer.Portainer) -> None:
        assert part.address
        super().__init__(part.address.url)
        self.engine = httpx.Client(base_url=part.engine.replace("tcp:", "http:") + "/v1.41")

    def run_container(self, name: str, *, image: str = podman.IMAGE, **body: Any) -> str:
        document = {"Image": image, **body}
        made = self.engine.post("/containers/create", params={"name": name}, json=document)
        number = str(made.raise_for_status().json()["Id"])
        self.engine.post(f"/containers/{number}/start").raise_for_status()
        return number

    def what_exists(self) -> dict[str, Any]:
        rows = self.engine.get("/containers/json", params={"all": "1"}).json()
        volumes = self.engine.get("/volumes").json()["Volumes"] or []
        return {
            "containers": [
                {
                    "name": row["Names"][0].lstrip("/"),
                    "id": row["Id"],
                    "status": row["State"],
                    "running": row["State"] in {"running", "paused", "stopping"},
                }
                for row in rows
            ],
            "volumes": sorted(volume["Name"] for volume in volumes),
        }

    def empty(self) -> None:
        for row in self.what_exists()["containers"]:
            self.engine.delete(f"/containers/{row['id']}", params={"force": "1"})
        for volume in self.what_exists()["volumes"]:
            self.engine.delete(f"/volumes/{volume}")
        for network in self.engine.get("/networks").json():
            # The engine refuses to remove its own one.
            self.engine.delete(f"/networks/{network['Id']}")


@pytest.fixture(scope="module")
def administrator(real_portainer: portainer.Portainer) -> Iterator[httpx.Client]:
    """Signed in once: whoever signs in too often is shut out."""
    with real_portainer.administrator() as client:
        yield client


@pytest.fixture
def stand_in(
    real_portainer: portainer.Portainer, administrator: httpx.Client
) -> Iterator[PortainerProxy]:
    front = PortainerProxy(real_portainer)
    with running(front):
        yield front
    for stack in administrator.get("/stacks").json():
        administrator.delete(f"/stacks/{stack['Id']}", params={"endpointId": "1"})
    for user in administrator.get("/users").json():
        if user["Role"] != 1:
            administrator.delete(f"/users/{user['Id']}")
    front.empty()


@pytest.fixture
def key(real_portainer: portainer.Portainer) -> str:
    assert real_portainer.address
    return real_portainer.address.api_key.reveal()


@pytest.fixture
def ask(stand_in: PortainerProxy, key: str) -> Callable[..., httpx.Response]:
    """Send a request to /api, with the key unless told otherwise."""

    def send(
        method: str, path: str, *, by: str = key, headers: Any = None, **how: Any
    ) -> httpx.Response:
        used = {"X-API-Key": by} if headers is None else headers
        url = f"{stand_in.url}/api{path}"
        return httpx.request(method, url, headers=used, **how)

    return send


@pytest.fixture
def connected(key: str) -> Callable[..., ContainerManager]:
    def connect_to(front: FaultProxy, **changes: Any) -> ContainerManager:
        usual = {"url": front.url, "api_key": Secret(key), "snapshot_image": podman.IMAGE}
        settings = Settings(**{**usual, **changes})
        return connect(settings, lambda reference: Secret(reference))

    return connect_to


@pytest.fixture
def system(
    stand_in: PortainerProxy, connected: Callable[..., ContainerManager]
) -> ContainerManager:
    return connected(stand_in)


@pytest.fixture
def by_tcp(real_portainer: portainer.Portainer) -> int:
    """Its one environment."""
    assert real_portainer.address
    return real_portainer.address.environment_id


def test_a_notebook_is_stopped_and_its_image_is_told(
    system: ContainerManager, stand_in: PortainerProxy
) -> None:
    for name in ("jupyter-john-2edoe", "jupyter-john.doe"):
        stand_in.run_container(name, Env=["JUPYTERHUB_USER=john.doe"])
    hub = notebook_hub.connect(
        HubSettings(url="http://127.0.0.1:9", api_url="", api_token=None),
        lambda reference: Secret(reference),
        system.containers,
    )
    connector = hub.connectors["notebook_hub.container"]
    change = connector.plan(container_target("John.Doe"), {"running": False})
    assert connector.apply(change) == CHANGED
    assert connector.verify(change) is not None
    assert system.containers.inspect("jupyter-john.doe").status == "running"
    assert system.containers.inspect("jupyter-john-2edoe").image == podman.IMAGE_TAGS[1]


def test_the_drives_command_line_is_run_in_its_container(
    system: ContainerManager, stand_in: PortainerProxy, real_podman: podman.Podman, tmp_path: Path
) -> None:
    """The drive itself is a stand-in; the container is a real one."""
    drive = DriveStandIn(issuer_url="http://127.0.0.1:9", client_id="drive")
    assert real_podman.url
    with running(drive):
        number = drive_container.start(real_podman.url, "drive", drive.control_url, tmp_path)
        assert system.containers.inspect("drive").id == number
        assert len(add_app_password(system.containers, "drive", "admin").reveal()) == 72
        tokens = [one for one in drive.state["tokens"] if one["uid"] == "admin"]
        assert len(tokens) == 1
        refused = system.containers.execute(number, ["php", "occ", "status"], user="root")
        assert refused.exit_code == 1
        assert "Owner id of config.php: 33" in refused.stderr
    system.containers.stop(number, grace_s=1)
    with pytest.raises(Unavailable):
        add_app_password(system.containers, "drive", "admin")
    assert stand_in.engine.delete(f"/containers/{number}").status_code == 204
    with pytest.raises(Invalid):
        add_app_password(system.containers, "drive", "admin")


def test_a_key_that_was_taken_back_is_refused(
    stand_in: PortainerProxy,
    connected: Callable[..., ContainerManager],
    carla: str,
    administrator: httpx.Client,
) -> None:
    """A key of somebody who may do too little, then of nobody."""
    system = connected(stand_in, api_key=Secret(carla))
    with pytest.raises(Denied):
        system.prove_rights()
    number = next(u["Id"] for u in administrator.get("/users").json() if u["Role"] != 1)
    assert administrator.delete(f"/users/{number}").status_code == 204
    with pytest.raises(Denied):
        system.prove_rights()
    with pytest.raises(Denied):
        system.connectors["container_manager.container"].plan({"container": "one"}, None)


def test_it_comes_back_with_its_key_before_another_engine(
    real_podman: podman.Podman, tmp_path: Path
) -> None:
    """And an engine that does not answer is never an absence."""
    assert real_podman.url
    door = FaultProxy(real_podman.url.replace("docker:", "http:"))
    keys = []
    with running(door):
        for engine in (real_podman.url, door.url.replace("http:", "docker:")):
            part = portainer.Portainer(docker_url=engine, directory=tmp_path / "kept")
            address = part.start()
            keys.append(address.api_key.reveal())
            settings = Settings(url=address.url, api_key=address.api_key)
            system = connect(settings, lambda reference: Secret(reference))
            try:
                system.prove_rights()
                if engine != real_podman.url:
                    door.faults.add({"fault": "reset", "times": 100, "path": "", "method": ""})
                    with pytest.raises(Unavailable):
                        system.containers.inspect("nobody")
            finally:
                part.stop()
    assert keys[0] == keys[1]


@pytest.mark.everything  # as MariaDB and RDF4J, whose starts cost less
def test_what_a_killed_run_left_is_cleared(real_portainer: portainer.Portainer) -> None:
    check_leftovers_are_cleared(portainer, f"Portainer(docker_url={real_portainer.engine!r})")
    assert real_portainer.address
    assert httpx.get(f"{real_portainer.address.url}/api/status").status_code == 200
