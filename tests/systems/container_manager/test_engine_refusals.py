"""What the engine answers to what it does not understand or have, row by row as podman 4.3.1 was seen to answer it."""

import json
from typing import Any

import httpx
import pytest

from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

LIST, VOLUMES, NETWORKS = "/containers/json", "/volumes", "/networks"
GONE = 'no container with name or ID "nope" found: no such container'
NOT_READ = "failed to decode filter parameters for "


def by(**filters: Any) -> dict[str, str]:
    return {"all": "1", "filters": json.dumps(filters)}


@pytest.mark.parametrize(
    ("method", "path", "params", "status", "said"),
    [
        ("GET", LIST, {"all": "x"}, 500, 'converting value for "all"'),
        ("GET", LIST, {"limit": "x"}, 500, 'converting value for "limit"'),
        ("GET", LIST, {"filters": ""}, 500, NOT_READ),
        ("GET", LIST, {"filters": "[]"}, 500, "cannot unmarshal array into Go value"),
        ("GET", LIST, by(name="a"), 500, "cannot unmarshal string into Go value"),
        ("GET", LIST, by(nonsense=["x"]), 500, "nonsense is an invalid filter"),
        ("GET", LIST, by(status=["x"]), 500, "unknown container state: x: invalid argument"),
        ("GET", LIST, by(exited=["x"]), 500, "invalid syntax"),
        ("GET", LIST, by(before=["nope"]), 500, GONE),
        ("POST", "/containers/prune", by(x=["1"]), 500, "x is an invalid filter"),
        ("GET", "/containers/a/json", {"size": "x"}, 400, 'converting value for "size"'),
        ("GET", "/containers/a/logs", {}, 400, "you must choose at least one stream"),
        ("GET", "/containers/a/archive", {}, 400, "missing `path` parameter"),
        ("POST", "/containers/a/wait", {"condition": "x"}, 400, "not a valid docker condition"),
        ("POST", "/containers/a/kill", {"signal": "X"}, 500, "invalid signal: X"),
        ("POST", "/containers/a/kill", {"signal": "USR1"}, 204, ""),
        ("DELETE", "/containers/a", {"v": "x"}, 400, 'converting value for "v"'),
        ("POST", "/containers/nope/attach", {}, 404, GONE),
        ("POST", "/containers/nope/resize", {}, 404, GONE),
        ("GET", "/containers/nope/export", {}, 404, GONE),
        ("GET", "/containers/nope/top", {}, 404, ""),
        ("POST", "/exec/nope/resize", {}, 404, "no such exec session"),
        ("GET", "/images/nope/json", {}, 404, "No such image"),
        ("DELETE", "/images/nope", {}, 404, "image not known"),
        ("POST", "/images/nope/tag", {}, 404, "image not known"),
        ("GET", "/images/nope/history", {}, 404, "image not known"),
        ("POST", "/containers/a/kill", {"signal": "0"}, 500, "invalid signal: 0"),
        ("GET", VOLUMES, by(dangling=["x"]), 500, 'not a valid value for the "dangling" filter'),
        ("GET", VOLUMES, by(nonsense=["x"]), 500, '"nonsense" is an invalid volume filter'),
        ("DELETE", "/volumes/v", {"force": "x"}, 500, 'converting value for "force"'),
        ("GET", NETWORKS, by(nonsense=["x"]), 500, 'invalid filter "nonsense"'),
    ],
)
def test_each_row(
    stand_in: ContainerManagerStandIn,
    method: str,
    path: str,
    params: dict[str, str],
    status: int,
    said: str,
) -> None:
    stand_in.run_container("a")
    answer = httpx.request(method, f"{stand_in.url}/v1.41{path}", params=params, timeout=5)
    assert answer.status_code == status
    assert said in (answer.json()["message"] if answer.content else "")


@pytest.mark.parametrize(
    ("path", "document", "said"),
    [
        ("/volumes/create", {"Name": "v", "Driver": "nope"}, "required plugin missing"),
        ("/networks/create", {"Name": "n", "Driver": "nope"}, "unsupported driver nope"),
    ],
)
def test_an_unknown_driver_makes_nothing(
    stand_in: ContainerManagerStandIn, path: str, document: dict[str, str], said: str
) -> None:
    answer = httpx.post(f"{stand_in.url}/v1.41{path}", json=document)
    assert (answer.status_code, said in answer.text) == (500, True)
    assert not any(call["effect"] for call in stand_in.ledger.items)


def test_filters_by_volume_name_network_and_use(stand_in: ContainerManagerStandIn) -> None:
    base = f"{stand_in.url}/v1.41"
    for name in ("data", "spare"):
        httpx.post(f"{base}/volumes/create", json={"Name": name}).raise_for_status()
    stand_in.run_container("a", HostConfig={"Binds": ["data:/d"]})
    stand_in.run_container("b")

    def names(path: str, **filters: list[str]) -> list[str]:
        found = httpx.get(base + path, params=by(**filters)).json()
        items = found["Volumes"] if isinstance(found, dict) else found
        return sorted(str(item.get("Name") or item["Names"][0]) for item in items)

    assert names(LIST, volume=["data"]) == ["/a"]
    assert names(VOLUMES, name=["data"]) == ["data"]
    assert names(VOLUMES, dangling=["true"]) == ["spare"]
    assert names(NETWORKS, name=["none"]) == []
    pruned = httpx.post(f"{base}/volumes/prune").json()
    assert pruned["VolumesDeleted"] == ["spare"]
    httpx.post(f"{base}/networks/create", json={"Name": "n"}).raise_for_status()
    assert httpx.post(f"{base}/networks/prune").json() == {"NetworksDeleted": ["n"]}
