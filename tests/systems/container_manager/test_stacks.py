"""Stacks through Portainer's stand-in: made, looked after, never changed in place, removed."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.systems.container_manager.stacks import FILE, MARK, STACK, TARGET, wish
from workspace_manager.contract.connector import ALREADY, CHANGED, Change
from workspace_manager.contract.errors import Conflict, Invalid, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.client import Client
from workspace_manager.systems.container_manager.client import stacks as client_stacks
from workspace_manager.systems.container_manager.connector import ContainerManager, connect
from workspace_manager.systems.container_manager.connector.stacks import StackConnector
from workspace_manager.systems.container_manager.names import KEEP_VOLUMES
from workspace_manager.systems.container_manager.settings import Settings
from workspace_sandbox.children import free_port
from workspace_sandbox.patience import eventually
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

KEY = "ptr_canary-5f2a"
VAULT = {"vault/1": "s3cret-of.1~", "vault/2": "s3cret-of.2", "vault/bad": "two words $x"}


def resolve_secret(reference: str) -> Secret:
    return Secret(VAULT[reference], name=reference)


@pytest.fixture
def system(stand_in: ContainerManagerStandIn) -> ContainerManager:
    return connect(Settings(url=stand_in.url, api_key=Secret(KEY)), resolve_secret)


@pytest.fixture
def stacks(system: ContainerManager) -> StackConnector:
    found = system.connectors["container_manager.stack"]
    assert isinstance(found, StackConnector)
    return found


@pytest.fixture
def engine(stand_in: ContainerManagerStandIn) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{stand_in.url}/v1.41") as client:
        yield client


def faulty(stand_in: ContainerManagerStandIn, fault: dict[str, Any]) -> None:
    """The next creation meets this fault."""
    document = {**fault, "method": "POST", "path": "/api/stacks/create/"}
    httpx.post(stand_in.control_url + "/faults", json=document).raise_for_status()


def plan_change(stacks: StackConnector, want: dict[str, Any] | None, **secrets: str) -> Change:
    return stacks.plan(TARGET, want).model_copy(update={"secrets": secrets})


def test_it_is_made_answers_and_goes(
    stacks: StackConnector, system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    port = free_port()
    want = wish(port=port, health=f"http://127.0.0.1:{port}/health", text=STACK)
    change = plan_change(stacks, want, PASSWORD="vault/1")
    assert change.before is None
    assert stacks.verify(change) is None
    assert stacks.apply(change) == CHANGED
    seen = stand_in.what_exists()
    assert stacks.apply(change) == ALREADY
    assert stand_in.what_exists() == seen
    evidence = stacks.verify(change)
    assert evidence is not None
    assert f":{port}/health answers" in evidence.text
    assert stacks.plan(TARGET, want).before == want
    (web,) = (one for one in stand_in.state["engine"]["containers"].values())
    assert "PASSWORD=s3cret-of.1~" in web["env"]
    assert web["labels"]["workspace.manager.component"] == MARK
    assert all(
        MARK in one["labels"].values() for one in stand_in.state["engine"]["networks"].values()
    )

    gone = plan_change(stacks, None)
    assert gone.before == {"running": True, "there": [STACK, f"{STACK}-web-1", f"{STACK}_default"]}
    assert stacks.verify(gone) is None
    assert stacks.remove(gone) == CHANGED
    assert stacks.remove(gone) == ALREADY
    assert stacks.verify(gone)
    assert stand_in.what_exists()["stacks"] == stand_in.what_exists()["containers"] == []
    assert stand_in.state["engine"]["networks"] == {}

    volumes = system.connectors["container_manager.stack_volumes"]
    left = volumes.plan(TARGET, None)
    assert left.before == {"volumes": [f"{STACK}_data"]}
    assert volumes.verify(left) is None
    assert volumes.remove(left) == CHANGED
    assert volumes.remove(left) == ALREADY
    assert volumes.verify(left)


def test_a_volume_that_an_image_asked_for_goes_with_it(
    stacks: StackConnector, stand_in: ContainerManagerStandIn
) -> None:
    """Nothing says whose it is once its container is gone."""
    file = FILE.replace("sandbox/notebook", "sandbox/keeps")
    stacks.apply(plan_change(stacks, wish(file=file)))
    assert len(stand_in.what_exists()["volumes"]) == 2
    gone = plan_change(stacks, None)
    assert stacks.remove(gone) == CHANGED
    assert stacks.verify(gone)
    assert stand_in.what_exists()["volumes"] == [f"{STACK}_data"]
    assert stand_in.what_exists()["stacks"] == []


def test_and_stays_where_volumes_are_kept_or_it_is_made_anew(
    stacks: StackConnector, stand_in: ContainerManagerStandIn
) -> None:
    file = FILE.replace("sandbox/notebook", "sandbox/keeps")
    stacks.apply(plan_change(stacks, wish(file=file), PASSWORD="vault/1"))
    stacks.apply(plan_change(stacks, wish(file=file), PASSWORD="vault/2"))
    assert len(stand_in.what_exists()["volumes"]) == 3
    gone = plan_change(stacks, None).model_copy(update={"note": KEEP_VOLUMES})
    assert stacks.remove(gone) == CHANGED
    assert stand_in.what_exists()["containers"] == []
    assert len(stand_in.what_exists()["volumes"]) == 3


def test_another_file_or_secret_makes_it_anew_and_keeps_what_was_written(
    stacks: StackConnector, stand_in: ContainerManagerStandIn
) -> None:
    stacks.apply(plan_change(stacks, wish(), PASSWORD="vault/1"))
    first = stand_in.what_exists()["containers"][0]["id"]
    changed = plan_change(stacks, wish(), PASSWORD="vault/2")
    assert stacks.verify(changed) is None
    assert stacks.apply(changed) == CHANGED
    second = stand_in.what_exists()["containers"][0]["id"]
    assert (
        stacks.apply(plan_change(stacks, wish(file=FILE + "\n# other"), PASSWORD="vault/2"))
        == CHANGED
    )
    assert len({first, second, stand_in.what_exists()["containers"][0]["id"]}) == 3
    assert stand_in.what_exists()["volumes"] == [f"{STACK}_data"]


@pytest.mark.parametrize("state", ["stop", "pause", "gone"])
def test_what_somebody_broke_is_made_again(
    stacks: StackConnector, stand_in: ContainerManagerStandIn, engine: httpx.Client, state: str
) -> None:
    change = plan_change(stacks, wish())
    stacks.apply(change)
    box = f"/containers/{STACK}-web-1"
    if state == "gone":
        engine.delete(box, params={"force": "1"}).raise_for_status()
    else:
        engine.post(f"{box}/{state}").raise_for_status()
    assert stacks.verify(change) is None
    assert stacks.apply(change) == CHANGED
    assert stacks.verify(change)


def test_a_paused_stack_is_removed(
    stacks: StackConnector, stand_in: ContainerManagerStandIn, engine: httpx.Client
) -> None:
    """podman cannot stop what is paused, so Portainer could not take it down."""
    stacks.apply(plan_change(stacks, wish()))
    engine.post(f"/containers/{STACK}-web-1/pause").raise_for_status()
    assert stacks.remove(plan_change(stacks, None)) == CHANGED
    assert stand_in.what_exists()["containers"] == []


def test_it_is_not_well_before_it_answers(stacks: StackConnector) -> None:
    port, stacks.settles_s = free_port(), 0
    for text, url in (
        ("nobody says this", f"http://127.0.0.1:{port}/"),
        ("", "http://127.0.0.1:9/"),
    ):
        change = plan_change(stacks, wish(port=port, health=url, text=text))
        stacks.apply(change)
        with pytest.raises(Unavailable) as caught:
            stacks.verify(change)
        assert caught.value.retry_after == 5
        assert change.after is not None
        before = stacks.plan(TARGET, change.after).before
        assert isinstance(before, dict)
        assert (before["running"], before["health"]) == (True, "")


FOREIGN = {
    "a container of the project": ("/containers/create?name=theirs", "project"),
    "a container of the name": (f"/containers/create?name={STACK}-web-1", ""),
    "a container of the older name": (f"/containers/create?name={STACK}_web_1", ""),
    "a network of the project": ("/networks/create", "project"),
    "a network of the name": ("/networks/create", "name"),
    "a volume of the project": ("/volumes/create", "project"),
    "a volume of the name": ("/volumes/create", "name"),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_is_not_ours_is_a_conflict_and_left_alone(
    stacks: StackConnector, stand_in: ContainerManagerStandIn, engine: httpx.Client, what: str
) -> None:
    path, how = FOREIGN[what]
    labels = {"com.docker.compose.project": STACK} if how == "project" else {}
    own = "networks" if "networks" in path else "volumes"
    name = (
        {"networks": f"{STACK}_default", "volumes": f"{STACK}_data"}[own]
        if how == "name"
        else "x-1"
    )
    body = {"Image": "sandbox/notebook", "Name": name, "Labels": labels}
    engine.post(path, json=body).raise_for_status()
    seen = (stand_in.what_exists(), stand_in.state["engine"]["networks"].copy())
    with pytest.raises(Conflict):
        stacks.apply(plan_change(stacks, wish()))
    assert stacks.remove(plan_change(stacks, None)) == ALREADY
    assert (stand_in.what_exists(), stand_in.state["engine"]["networks"]) == seen


def test_a_stranger_among_ours_stops_everything(
    stacks: StackConnector, stand_in: ContainerManagerStandIn, engine: httpx.Client
) -> None:
    stacks.apply(plan_change(stacks, wish()))
    body = {"Image": "sandbox/notebook", "Labels": {"com.docker.compose.project": STACK}}
    engine.post("/containers/create", params={"name": "theirs"}, json=body).raise_for_status()
    seen = stand_in.what_exists()
    gone = Change(kind=stacks.kind, subject="", target=dict(TARGET))
    for act in (stacks.remove, stacks.verify):
        with pytest.raises(Conflict, match="theirs"):
            act(gone)
    assert stand_in.what_exists() == seen


def test_a_stack_of_that_name_that_is_not_ours(
    stacks: StackConnector, system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    system.client.create_stack(STACK, "services: {web: {image: sandbox/notebook}}", {})
    seen = stand_in.what_exists()
    with pytest.raises(Conflict):
        stacks.apply(plan_change(stacks, wish()))
    assert stacks.remove(plan_change(stacks, None)) == ALREADY
    assert stand_in.what_exists() == seen


def test_a_value_that_is_not_taken_literally_is_never_sent(
    stacks: StackConnector, stand_in: ContainerManagerStandIn
) -> None:
    start = len(stand_in.ledger.items)
    with pytest.raises(Invalid, match="PASSWORD"):
        stacks.apply(
            Change(
                kind=stacks.kind,
                subject="",
                target=dict(TARGET),
                after=wish(),
                secrets={"PASSWORD": "vault/bad"},
            )
        )
    assert len(stand_in.ledger.items) == start


@pytest.mark.parametrize(
    "file",
    [
        *("", "[", "services: {}", "services: {web: }", "services: {web: {container_name: x}}"),
        "services: {web: {image: x, labels: {workspace.manager.component: another}}}",
        "{services: {web: {image: x}}, volumes: {d: {name: theirs}}}",
        "{services: {web: {image: x}}, networks: {d: {external: true}}}",
        "{services: {web: {image: x}}, networks: [d]}",
    ],
)
def test_a_file_in_which_ours_cannot_be_told_is_refused(stacks: StackConnector, file: str) -> None:
    with pytest.raises(Invalid):
        stacks.plan(TARGET, wish(file=file))


def test_a_failed_creation_says_why_in_our_words_and_can_be_made_again(
    stacks: StackConnector, stand_in: ContainerManagerStandIn
) -> None:
    change = plan_change(stacks, wish(file=FILE.replace("sandbox/notebook", "nobody/has-it")))
    with pytest.raises(Unavailable, match="an image that the stack needs is not available"):
        stacks.apply(change)
    assert stacks.apply(plan_change(stacks, wish())) == CHANGED


def test_an_answer_that_came_too_late_is_taken_up(
    stacks: StackConnector, stand_in: ContainerManagerStandIn
) -> None:
    faulty(stand_in, {"fault": "timeout_after_effect", "seconds": 0.01})
    change = plan_change(stacks, wish(), PASSWORD="vault/1")
    with pytest.raises(Unavailable):
        stacks.apply(change)
    seen = stand_in.what_exists()["containers"]
    assert stacks.apply(change) == ALREADY
    assert stand_in.what_exists()["containers"] == seen


def test_a_creation_that_was_not_answered_in_time_goes_on(
    stand_in: ContainerManagerStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is made, as Portainer does it: whoever asks has to know that from the plan."""
    monkeypatch.setattr(client_stacks, "STACK_S", 1.5)
    system = connect(Settings(url=stand_in.url, api_key=Secret(KEY)), resolve_secret)
    found = system.connectors["container_manager.stack"]
    assert isinstance(found, StackConnector)
    faulty(stand_in, {"fault": "delay", "seconds": 5})
    change = plan_change(found, wish())
    with pytest.raises(Unavailable, match="still working on it") as caught:
        found.apply(change)
    assert type(caught.value) is Unavailable
    assert caught.value.goes_on
    assert found.verify(change) is None
    assert eventually("it is made", lambda: found.verify(change))


@pytest.mark.parametrize(("status", "goes_on"), [(504, True), (502, True), (500, False)])
def test_a_proxy_that_gave_up_does_not_know_how_it_ends(
    stacks: StackConnector, stand_in: ContainerManagerStandIn, status: int, goes_on: bool
) -> None:
    faulty(stand_in, {"fault": "status", "status": status})
    with pytest.raises(Unavailable) as caught:
        stacks.apply(plan_change(stacks, wish()))
    assert caught.value.goes_on is goes_on


def test_what_was_never_sent_does_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(Settings(url="http://127.0.0.1:9", api_key=Secret(KEY)))
    monkeypatch.setattr(client, "project_containers", lambda _name: [])
    with pytest.raises(Unavailable) as caught:
        client.create_stack(STACK, FILE, {})
    assert type(caught.value) is Unavailable


def test_half_of_a_stack_without_its_row_is_removed(
    stacks: StackConnector, stand_in: ContainerManagerStandIn
) -> None:
    """As a failed creation may leave it behind: Portainer knows nothing of it."""
    stacks.apply(plan_change(stacks, wish()))
    stand_in.state["portainer"]["stacks"].clear()
    gone = plan_change(stacks, None)
    assert stacks.remove(gone) == CHANGED
    assert stacks.verify(gone)
    assert stand_in.state["engine"]["networks"] == {}


def test_a_row_without_containers_is_removed(
    stacks: StackConnector, system: ContainerManager, engine: httpx.Client
) -> None:
    stacks.apply(plan_change(stacks, wish()))
    engine.delete(f"/containers/{STACK}-web-1", params={"force": "1"}).raise_for_status()
    assert stacks.remove(plan_change(stacks, None)) == CHANGED
    assert system.client.list_stacks() == []
