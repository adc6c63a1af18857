"""Refusals of the engine for what it does not understand or have, row by row as podman 4.3.1 was
seen to answer it.
"""

import json
from typing import Any

import httpx
import pytest

from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

LIST, VOLUMES = "/containers/json", "/volumes"
GONE = 'no container with name or ID "nope" found: no such container'
NOT_READ = "failed to decode filter parameters for "


def make_query(**filters: Any) -> dict[str, str]:
    return {"all": "1", "filters": json.dumps(filters)}


@pytest.mark.parametrize(
    ("method", "path", "params", "status", "said"),
    [
        ("GET", LIST, {"all": "x"}, 500, 'converting value for "all"'),
        ("GET", LIST, {"limit": "x"}, 500, 'converting value for "limit"'),
        ("GET", LIST, {"filters": ""}, 500, NOT_READ),
        ("GET", LIST, {"filters": "[]"}, 500, "cannot unmarshal array into Go value"),
        ("GET", LIST, make_query(name="a"), 500, "cannot unmarshal string into Go value"),
        ("GET", LIST, make_query(nonsense=["x"]), 500, "nonsense is an invalid filter"),
        (
            "GET",
            LIST,
            make_query(status=["x"]),
            500,
            "unknown container state: x: invalid argument",
        ),
        ("GET", LIST, make_query(exited=["x"]), 500, "invalid syntax"),
        ("GET", LIST, make_query(before=["nope"]), 500, GONE),
        ("GET", "/containers/a/json", {"size": "x"}, 400, 'converting value for "size"'),
        ("DELETE", "/containers/a", {"v": "x"}, 400, 'converting value for "v"'),
        (
            "GET",
            VOLUMES,
            make_query(dangling=["x"]),
            500,
            'not a valid value for the "dangling" filter',
        ),
        ("GET", VOLUMES, make_query(nonsense=["x"]), 500, '"nonsense" is an invalid volume filter'),
        ("DELETE", "/volumes/v", {"force": "x"}, 500, 'converting value for "force"'),
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
    answer = httpx.request(method, f"{stand_in.url}/v1.41{path}", params=params)
    assert answer.status_code == status
    assert said in (answer.json()["message"] if answer.content else "")


@pytest.mark.parametrize(
    ("path", "document", "said"),
    [
        ("/volumes/create", {"Name": "v", "Driver": "nope"}, "required plugin missing"),
    ],
)
def test_an_unknown_driver_makes_nothing(
    stand_in: ContainerManagerStandIn, path: str, document: dict[str, str], said: str
) -> None:
    answer = httpx.post(f"{stand_in.url}/v1.41{path}", json=document)
    assert (answer.status_code, said in answer.text) == (500, True)
    assert not any(call["effect"] for call in stand_in.ledger.items)


def test_filters_by_volume_name_and_use(stand_in: ContainerManagerStandIn) -> None:
    base = f"{stand_in.url}/v1.41"
    for name in ("data", "spare"):
        httpx.post(f"{base}/volumes/create", json={"Name": name}).raise_for_status()
    stand_in.run_container("a", HostConfig={"Binds": ["data:/d"]})
    stand_in.run_container("b")

    def names(path: str, **filters: list[str]) -> list[str]:
        found = httpx.get(base + path, params=make_query(**filters)).json()
        items = found["Volumes"] if isinstance(found, dict) else found
        return sorted(str(item.get("Name") or item["Names"][0]) for item in items)

    assert names(LIST, volume=["data"]) == ["/a"]
    assert names(VOLUMES, name=["data"]) == ["data"]
    assert names(VOLUMES, dangling=["true"]) == ["spare"]
