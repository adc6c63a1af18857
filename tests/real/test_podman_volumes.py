"""Volumes that an image asks for itself, on a real podman: they go with a stack, or are kept."""

import shutil
import uuid

import httpx
import pytest

from workspace_manager.contract.connector import CHANGED, Facts
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.connector import connect
from workspace_manager.systems.container_manager.names import KEEP_VOLUMES, stack_target
from workspace_manager.systems.container_manager.settings import Settings
from workspace_sandbox.real import podman

pytestmark = pytest.mark.real


def asking(url: str) -> str:
    """An image like the sandbox's, with `VOLUME /kept`."""
    with httpx.Client(base_url=url.replace("docker:", "http:") + "/v1.41") as engine:
        made = engine.post("/containers/create", json={"Image": podman.IMAGE}).json()["Id"]
        tree = engine.get(f"/containers/{made}/export").raise_for_status().content
        changes = ["VOLUME /kept", "ENV PATH=/bin", 'CMD ["/bin/sh", "-c", "sleep 60"]']
        query = {"fromSrc": "-", "repo": "localhost/sandbox/keeps", "tag": "latest"}
        engine.post(
            "/images/create", params={**query, "changes": changes}, content=tree
        ).raise_for_status()
        engine.delete(f"/containers/{made}").raise_for_status()
    return "localhost/sandbox/keeps:latest"


@pytest.mark.parametrize(("note", "left"), [("", 0), (KEEP_VOLUMES, 1)])
def test_it_goes_with_the_stack_unless_volumes_are_kept(
    real_podman: podman.Podman, note: str, left: int
) -> None:
    if shutil.which("docker-compose") is None:
        pytest.skip("docker-compose is not installed")
    assert real_podman.url
    mark = str(uuid.uuid4())
    system = connect(Settings(url=real_podman.url, api_key=None), Secret)
    stacks = system.connectors["container_manager.stack"]
    file = f"services: {{web: {{image: {asking(real_podman.url)}, volumes: ['data:/d']}}}}\n"
    want: Facts = {
        "running": True,
        "file": file + "volumes: {data: {}}",
        "health": "",
        "health_text": "",
    }
    target = stack_target(f"ws-volumes-{mark[:8]}", mark)
    before = set(system.client.volumes_beginning(""))
    stacks.apply(stacks.plan(target, want))
    named = f"{target['stack']}_data"
    made = set(system.client.volumes_beginning("")) - before
    assert named in made
    assert len(made) == 2
    gone = stacks.plan(target, None).model_copy(update={"note": note})
    assert stacks.remove(gone) == CHANGED
    assert stacks.verify(gone)
    after = set(system.client.volumes_beginning("")) - before
    assert named in after
    assert len(after) == left + 1
    for one in after:
        system.client.remove_volume(one)
