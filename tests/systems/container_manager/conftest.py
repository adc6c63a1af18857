"""A stand-in with a few containers, and the system connected to it."""

import base64
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.systems.container_manager.content import CONTENT, OTHER
from tests.systems.container_manager.volumes import Volumes
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.connector import ContainerManager, connect
from workspace_manager.systems.container_manager.settings import Settings
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn, archives

KEY = "ptr_canary-5f2a"


def no_secrets(reference: str) -> Secret:
    raise AssertionError(f"asked for {reference}")


@pytest.fixture
def key() -> str:
    return KEY


@pytest.fixture
def stand_in() -> Iterator[ContainerManagerStandIn]:
    made = ContainerManagerStandIn(api_key=KEY)
    with running(made):
        yield made


@pytest.fixture
def connected() -> Callable[..., ContainerManager]:
    """Connect to a stand-in; other settings by keyword."""

    def connect_to(stand_in: ContainerManagerStandIn, **changes: Any) -> ContainerManager:
        settings = {"url": stand_in.url, "api_key": Secret(KEY), **changes}
        return connect(Settings(**settings), no_secrets)

    return connect_to


@pytest.fixture
def system(
    stand_in: ContainerManagerStandIn, connected: Callable[..., ContainerManager]
) -> ContainerManager:
    return connected(stand_in)


@pytest.fixture(params=["direct", "through Portainer"])
def engine_under_test(
    request: pytest.FixtureRequest, stand_in: ContainerManagerStandIn
) -> Iterator[Volumes]:
    settings = Settings(url=stand_in.url, api_key=Secret(KEY))
    if request.param == "direct":
        settings = Settings(url=stand_in.url.replace("http:", "docker:"), api_key=None)

    def write(name: str, entries: list[archives.Entry]) -> None:
        volume = stand_in.state["engine"]["volumes"][name]
        volume["content"] = base64.b64encode(archives.write(entries)).decode()

    with httpx.Client(base_url=f"{stand_in.url}/v1.41") as engine:
        yield Volumes(
            connect(settings, no_secrets),
            engine,
            lambda name: write(name, CONTENT),
            lambda name: write(name, OTHER),
            "sandbox/notebook",
        )
