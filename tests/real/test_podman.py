"""Our connectors against a real podman: its Docker API directly, and through Portainer's stand-in
in front of it.
"""

import contextlib
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.systems.container_manager.documents import undecided
from tests.systems.container_manager.odd_entries import OddEntries
from tests.systems.whole_inventory import everything
from workspace_manager.contract.connector import ALREADY, CHANGED, Severity, Target
from workspace_manager.contract.errors import Invalid, NotFound, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.connector import ContainerManager, connect
from workspace_manager.systems.container_manager.settings import Settings
from workspace_manager.systems.notebook_hub import SYSTEM as HUB
from workspace_manager.systems.notebook_hub import connector as notebook_hub
from workspace_manager.systems.notebook_hub.names import container_target
from workspace_manager.systems.notebook_hub.settings import Settings as HubSettings
from workspace_sandbox.patience import eventually
from workspace_sandbox.real import podman
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

pytestmark = pytest.mark.real

KEY = "ptr_canary-1d4e"
KIND = "container_manager.container"
STUBBORN = ["/bin/sh", "-c", "trap '' TERM; while :; do sleep 1; done"]
COMPOSE = """
services:
  web:
    image: sandbox/notebook
    environment:
      A: "${A:-none}"
    volumes:
      - data:/d
volumes:
  data: {}
"""


@pytest.fixture(scope="module")
def docker_url(real_podman: podman.Podman) -> str:
    assert real_podman.url
    return real_podman.url


@pytest.fixture(scope="module", params=["direct", "through Portainer's stand-in"])
def system(request: pytest.FixtureRequest, docker_url: str) -> Iterator[ContainerManager]:
    with contextlib.ExitStack() as stack:
        settings = Settings(url=docker_url, api_key=None, snapshot_image=podman.IMAGE)
        if request.param != "direct":
            stand_in = ContainerManagerStandIn(api_key=KEY, docker_url=docker_url)
            stack.enter_context(running(stand_in))
            settings = Settings(url=stand_in.url, api_key=Secret(KEY), snapshot_image=podman.IMAGE)
        yield connect(settings, lambda reference: Secret(reference))


@pytest.fixture
def make(docker_url: str) -> Iterator[Callable[..., str]]:
    """Create and start a container; everything is removed afterwards."""
    base = docker_url.replace("docker://", "http://") + "/v1.41/containers"
    made: list[str] = []

    def make_one(name: str, *, start: bool = True, **body: Any) -> str:
        answer = httpx.post(
            f"{base}/create", params={"name": name}, json={"Image": podman.IMAGE, **body}
        )
        number = str(answer.raise_for_status().json()["Id"])
        made.append(number)
        if start:
            httpx.post(f"{base}/{number}/start").raise_for_status()
        return number

    yield make_one
    for number in made:
        httpx.delete(f"{base}/{number}", params={"force": "1"})


def test_stop_and_remove(system: ContainerManager, make: Callable[..., str]) -> None:
    number = make("jupyter-alice")
    make("jupyter-alice2")
    connector = system.connectors[KIND]
    target: Target = {"container": "jupyter-alice"}
    stopping, removing = connector.plan(target, {"running": False}), connector.plan(target, None)
    assert isinstance(stopping.before, dict)
    assert stopping.before["running"] is True
    assert connector.verify(stopping) is None
    assert connector.apply(stopping) == CHANGED
    assert connector.apply(stopping) == ALREADY
    assert connector.verify(stopping) is not None
    assert connector.remove(removing) == CHANGED
    assert connector.remove(removing) == ALREADY
    assert connector.verify(removing) is not None
    assert system.containers.inspect("jupyter-alice2").status == "running"
    with pytest.raises(NotFound):
        system.containers.inspect(number)


def test_a_container_is_found_by_its_whole_name_alone(
    system: ContainerManager, make: Callable[..., str]
) -> None:
    number = make("stranger")
    with pytest.raises(NotFound):
        system.containers.inspect(number[:10])
    with pytest.raises(NotFound):
        system.containers.inspect("strange")
    with pytest.raises(Invalid):
        system.containers.stop(number[:10])
    assert system.containers.list_names("strang") == ["stranger"]


def test_a_container_that_was_never_started_is_stopped(
    system: ContainerManager, make: Callable[..., str]
) -> None:
    make("created", start=False)
    connector = system.connectors[KIND]
    change = connector.plan({"container": "created"}, {"running": False})
    assert connector.apply(change) == ALREADY
    assert connector.verify(change) is not None
    starting = connector.plan({"container": "created"}, {"running": True})
    assert connector.apply(starting) == CHANGED
    assert connector.verify(starting) is not None


def test_a_process_that_ignores_the_signal_is_killed(
    system: ContainerManager, make: Callable[..., str]
) -> None:
    number = make("stubborn", Cmd=STUBBORN)
    assert system.containers.stop(number, grace_s=1) is True
    assert system.containers.inspect("stubborn").pid == 0


def test_a_container_that_removes_itself(
    system: ContainerManager, make: Callable[..., str]
) -> None:
    make("auto", HostConfig={"AutoRemove": True})
    connector = system.connectors[KIND]
    change = connector.plan({"container": "auto"}, {"running": False})

    def stopped() -> bool:
        # While podman removes it every look answers 500: not now, and soon gone.
        with contextlib.suppress(Unavailable):
            connector.apply(change)
            return connector.verify(change) is not None
        return False

    eventually("it is shown that it does not run", stopped)
    eventually("it is gone", lambda: "auto" not in system.containers.list_names())


def test_commands(system: ContainerManager, make: Callable[..., str]) -> None:
    number = make("tool")
    script = "echo out $A; echo err >&2; id -u; exit 3"
    done = system.containers.execute(
        number, ["/bin/sh", "-c", script], user="www-data", environment={"A": "b c"}
    )
    assert (done.exit_code, done.stdout, done.stderr) == (3, "out b c\n33\n", "err\n")
    assert system.containers.execute(number, ["/bin/nosuch"]).exit_code in {126, 127}
    assert system.containers.execute(number, ["/bin/true"], user="nosuch").exit_code == 125
    system.containers.stop(number)
    with pytest.raises(Unavailable):
        system.containers.execute(number, ["/bin/true"])


def test_rights_and_checks(system: ContainerManager, make: Callable[..., str]) -> None:
    make("one")
    assert "containers" in system.prove_rights().text
    assert {finding.severity for finding in system.check()} == {Severity.OK}
    assert not {name: left for name, left in undecided(system).items() if left}


def test_a_notebook_is_stopped_by_the_spawners_name(
    system: ContainerManager, make: Callable[..., str]
) -> None:
    make("jupyter-john-2edoe")
    make("jupyter-john.doe")
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


def test_notebooks_and_volumes_are_listed(
    system: ContainerManager, make: Callable[..., str], docker_url: str
) -> None:
    make("jupyter-john-2edoe", Env=["JUPYTERHUB_USER=john.doe"])
    make("jupyter-ada", start=False)
    volumes = docker_url.replace("docker://", "http://") + "/v1.41/volumes"
    httpx.post(f"{volumes}/create", json={"Name": "jupyterhub-user-ada"}).raise_for_status()

    def hub_at(manager: ContainerManager) -> notebook_hub.NotebookHub:
        return notebook_hub.connect(
            HubSettings(url="http://127.0.0.1:9", api_url="", api_token=None),
            lambda reference: Secret(reference),
            manager.containers,
        )

    hub = hub_at(system)
    found = everything(HUB, hub)
    door = OddEntries(docker_url.replace("docker:", "http:"))
    with running(door):
        settings = Settings(url=door.url.replace("http:", "docker:"), api_key=None)
        behind = everything(HUB, hub_at(connect(settings, lambda reference: Secret(reference))))
    assert {key: one for key, one in behind.items() if not one.unread} == found
    assert len(behind) == len(found) + 4, "two odd containers, two odd volumes"
    httpx.delete(f"{volumes}/jupyterhub-user-ada").raise_for_status()
    john, ada = (found["notebook_hub.container", f"jupyter-{who}"] for who in ("john-2edoe", "ada"))
    assert (john.username, john.open) == ("john.doe", True)
    assert (ada.username, ada.target["hub_user"], ada.open) == ("", "ada", False)
    assert found["notebook_hub.volume", "jupyterhub-user-ada"].holders == ("jupyter-ada",)
    assert ("notebook_hub.volume", "jupyterhub-user-ada") not in everything(HUB, hub)


def test_a_stack_through_the_stand_in(docker_url: str) -> None:
    stand_in = ContainerManagerStandIn(api_key=KEY, docker_url=docker_url)
    with running(stand_in):
        settings = Settings(url=stand_in.url, api_key=Secret(KEY))
        client = connect(settings, lambda reference: Secret(reference)).client
        stack = client.create_stack("ws-alice", COMPOSE, {"A": Secret("one")})
        assert [s.name for s in client.list_stacks()] == ["ws-alice"]
        state = client.inspect("ws-alice-web-1")
        assert state.status == "running"
        client.delete_stack(stack.id)
        with pytest.raises(NotFound):
            client.delete_stack(stack.id)
        with pytest.raises(NotFound):
            client.inspect("ws-alice-web-1")
        assert client.project_volumes("ws-alice") == ["ws-alice_data"]
        client.remove_volume("ws-alice_data")
        assert client.project_volumes("ws-alice") == []


def test_the_drives_container_is_beside_the_real_ones(
    docker_url: str, make: Callable[..., str]
) -> None:
    make("jupyter-alice")
    stand_in = ContainerManagerStandIn(
        api_key=KEY, docker_url=docker_url, occ=lambda argv: (3, " ".join(argv))
    )
    with running(stand_in):
        settings = Settings(url=stand_in.url, api_key=Secret(KEY))
        engine = connect(settings, lambda reference: Secret(reference)).containers
        assert {"drive", "jupyter-alice"} <= set(engine.list_names())
        done = engine.execute(engine.inspect("drive").id, ["php", "occ", "x"], user="www-data")
        assert (done.exit_code, done.stderr) == (3, "php occ x")


def test_a_dead_engine_is_never_an_absence(docker_url: str) -> None:
    dead = connect(
        Settings(url="docker://127.0.0.1:9", api_key=None), lambda reference: Secret(reference)
    )
    with pytest.raises(Unavailable):
        dead.containers.inspect("jupyter-alice")
    assert dead.check()[0].severity is Severity.FAILING


def test_what_a_killed_run_left_is_cleared(docker_url: str) -> None:
    """The containers of a killed run go on running; the next start ends them and removes their
    folder.
    """
    script = (
        "import httpx, sys, time\n"
        "from workspace_sandbox.real.podman import IMAGE, Podman\n"
        "part = Podman()\n"
        "base = part.start().replace('docker:', 'http:') + '/v1.41/containers'\n"
        "engine = httpx.Client(base_url=base, timeout=None, trust_env=False)\n"
        "body = {'Image': IMAGE}\n"
        "made = engine.post('/create', params={'name': 'left'}, json=body).json()['Id']\n"
        "engine.post(f'/{made}/start').raise_for_status()\n"
        "pid = engine.get(f'/{made}/json').json()['State']['Pid']\n"
        "print(part._home, pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    run = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    home, pid = run.stdout.readline().split()
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stdout.close()
    assert Path(f"/proc/{pid}").exists()
    podman.remove_leftovers()
    # A start beside ours may have begun to clear it away first.
    eventually("its container is gone", lambda: not Path(f"/proc/{pid}").exists())
    eventually("its folder is gone", lambda: not Path(home).exists())
    alive = httpx.get(docker_url.replace("docker:", "http:") + "/_ping")
    assert alive.status_code == 200, "ours is not ended with it"
