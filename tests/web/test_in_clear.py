"""The check of a system says that it is spoken to in clear over a network."""

import pytest

from tests.fake_world.world import World
from workspace_manager.contract.connector import Severity
from workspace_manager.operations import checks
from workspace_manager.systems import registry

pytestmark = pytest.mark.django_db

ADDRESSES = [
    (name, spec.name)
    for name, system in registry().specs.items()
    for spec in system.settings.specs()
    if spec.kind == "url" and spec.origin
]


def find_warnings(system: str) -> list[str]:
    return [
        one.text
        for one in checks.findings(system, World().systems())
        if one.name == "encryption" and one.severity is Severity.WARNING and one.remedy
    ]


@pytest.mark.parametrize(("system", "setting"), ADDRESSES)
def test_an_address_without_encryption_is_a_finding(
    system: str, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin = f"WORKSPACE_{system.upper()}__{setting.upper()}"
    for address in ("http://x.example:8080/path", "http://127.0.0.1.x.example", "http://x.example"):
        monkeypatch.setenv(pin, address)
        [said] = find_warnings(system)
        assert address in said
    for address in ("https://x.example", "http://127.0.0.1:8080", "http://localhost/path"):
        monkeypatch.setenv(pin, address)
        assert find_warnings(system) == []


def test_a_container_engine_that_anybody_may_use_is_one_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WORKSPACE_CONTAINER_MANAGER__URL", "docker://engine.example:2375")
    assert find_warnings("container_manager")
    monkeypatch.setenv("WORKSPACE_CONTAINER_MANAGER__URL", "unix:///run/podman.sock")
    assert find_warnings("container_manager") == []
