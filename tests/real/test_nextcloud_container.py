"""The drive's command-line tool in a container: the manager's fallback runs the real `occ` through
a real engine.
"""

from collections.abc import Iterator

import httpx
import pytest

from workspace_manager.contract.errors import Invalid, NotFound
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.connector import connect
from workspace_manager.systems.container_manager.settings import Settings
from workspace_manager.systems.drive.command_line import add_app_password
from workspace_sandbox.real import nextcloud, nextcloud_container, podman

pytestmark = pytest.mark.real

NAME = "drive-of-tests"


@pytest.fixture(scope="module")
def container(
    real_podman: podman.Podman, real_nextcloud: nextcloud.Nextcloud
) -> Iterator[podman.Podman]:
    assert real_podman.url
    nextcloud_container.start(real_podman.url, NAME, real_nextcloud.inside)
    yield real_podman
    url = real_podman.url.replace("docker:", "http:")
    httpx.delete(f"{url}/v1.41/containers/{NAME}", params={"force": "1"})


def test_the_real_occ_makes_an_app_password(
    container: podman.Podman, real_nextcloud: nextcloud.Nextcloud
) -> None:
    engine = connect(
        Settings(url=str(container.url), api_key=None), lambda _ref: Secret("")
    ).containers
    account = "-11111111-2222-4333-8444-555555555555"
    inside, address = real_nextcloud.inside, real_nextcloud.address
    assert address
    with pytest.raises(NotFound):
        add_app_password(engine, NAME, account)
    environment = {"OC_PASS": "of somebody"}
    inside.told("user:add", "--password-from-env", "--", account, environment=environment)
    made = add_app_password(engine, NAME, account)
    answer = httpx.get(
        f"{address.url}/ocs/v2.php/cloud/user", params={"format": "json"},
        headers={"Authorization": f"Bearer {made.reveal()}", "OCS-APIRequest": "true"},
    )  # fmt: skip
    assert answer.json()["ocs"]["data"]["id"] == account
    assert inside.tokens(account) == ["cli"]
    with pytest.raises(Invalid):
        add_app_password(engine, "nobody's", account)
