"""A real JupyterHub that spawns on a real podman: container names, stops, the drive's credentials,
and identities that are refused.

The identity provider is its stand-in, set up by our own set-up; the whole life on a real Keycloak
is in tests/life.
"""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.life.browser import Browser
from tests.real.jupyterhub_people import DRIVE, HUB_SECRET, PASSWORD, HubDeployment, Person, set_up
from tests.real.jupyterhub_walked import *  # noqa: F403
from tests.real.leftovers import alive
from tests.real_parts import Part
from tests.systems.notebook_hub.documents import undecided
from tests.systems.whole_inventory import everything
from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    Change,
    Connector,
    Outcome,
    Severity,
)
from workspace_manager.contract.errors import NotFound, Unavailable
from workspace_manager.contract.known_people import KnownPerson
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.notebook_hub import SYSTEM
from workspace_manager.systems.notebook_hub.client.calls import Client
from workspace_manager.systems.notebook_hub.client.users import all_users
from workspace_manager.systems.notebook_hub.names import (
    KIND,
    VOLUME_KIND,
    container_target,
    hub_user,
)
from workspace_sandbox import children
from workspace_sandbox.patience import eventually
from workspace_sandbox.real import jupyterhub, podman
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

pytestmark = pytest.mark.real

NAMES = {
    "john.doe": "jupyter-john-2edoe",
    "ümlaut": "jupyter--c3-bcmlaut",
    "a+b": "jupyter-a-2bb",
    "a@b.example": "jupyter-a-40b-2eexample",
    "Mixed_Case-2d": "jupyter-mixed-5fcase-2d2d",
}


@pytest.fixture(scope="module")
def deployment(real_part: Callable[..., Part]) -> Iterator[HubDeployment]:
    real_part("podman", version=podman.version(), why_not=podman.why_not())
    real_part("JupyterHub", version=jupyterhub.version(), why_not=jupyterhub.why_not())
    engine, provider = podman.Podman(), IdentityProviderStandIn()
    try:
        docker_url = engine.start()
        with running(provider):
            hub = jupyterhub.JupyterHub(
                docker_url=docker_url,
                client=jupyterhub.Client(
                    f"{provider.url}/realms/{provider.realm}", Secret(HUB_SECRET)
                ),
                drive_url=DRIVE,
            )
            try:
                set_up(provider, hub.start().url)
                yield HubDeployment(docker_url, provider, hub)
            finally:
                hub.stop()
    finally:
        engine.stop()


@pytest.fixture(scope="module")
def bystander(deployment: HubDeployment) -> Person:
    """Somebody whose notebook goes on running whatever is stopped."""
    person = Person(deployment, "john").exist()
    person.start()
    return person


@pytest.mark.parametrize(
    ("name", "with_api"),
    [*((name, True) for name in NAMES), ("john.doe", False), ("a@b.example", False)],
)
def test_exactly_the_spawners_container_is_stopped(
    deployment: HubDeployment, bystander: Person, name: str, with_api: bool
) -> None:
    person = Person(deployment, name).exist()
    assert person.container == NAMES[name]
    connector = deployment.connected(with_api=with_api).connectors[KIND]
    person.start()
    before = deployment.running()
    assert {person.container, bystander.container} <= before
    hub = deployment.connected(with_api=with_api)
    listed = everything(SYSTEM, hub)[KIND, person.container]
    assert (listed.username, listed.open) == (hub_user(name), True)
    change = connector.plan(container_target(name), {"running": False})
    assert change.before == {"running": True}
    assert connector.verify(change) is None
    assert stopped(connector, change) in [CHANGED, None]
    eventually("it is gone", lambda: seen_gone(connector, change))
    eventually("nothing is left to do", lambda: stopped(connector, change) == ALREADY)
    assert deployment.running() == before - {person.container}
    assert bystander.answered()
    # A container that ended is listed until podman has removed it: a moment later, by itself.
    eventually("not listed", lambda: (KIND, person.container) not in everything(SYSTEM, hub))
    left = everything(SYSTEM, hub)
    assert (KIND, bystander.container) in left
    assert (VOLUME_KIND, volume_of(person.container)) in left
    deployment.admin("DELETE", f"/users/{person.sub}")


def volume_of(container: str) -> str:
    """Both names have the same escape."""
    return f"jupyterhub-user-{container.removeprefix('jupyter-')}"


def stopped(connector: Connector, change: Change) -> Outcome | None:
    """What stopping it achieved; None when podman answered 500, as it was removing it already."""
    try:
        return connector.apply(change)
    except Unavailable:
        return None


def seen_gone(connector: Connector, change: Change) -> bool:
    """Whether a look shows it. While podman removes a container it answers 500 about it: that is no
    answer yet.
    """
    try:
        return connector.verify(change) is not None
    except Unavailable:
        return False


@pytest.mark.parametrize("with_api", [True, False])
def test_every_server_of_a_person_is_stopped_and_shown(
    deployment: HubDeployment, bystander: Person, with_api: bool
) -> None:
    """DockerSpawner names the containers, and the hub lists the servers, also the stopped ones."""
    name = "nora.k" if with_api else "nora.l"
    person = Person(deployment, name).exist()
    person.start()
    person.start_named("analysis")
    named = f"{person.container}--analysis"
    assert {person.container, named} <= deployment.running()
    hub = deployment.connected(with_api=with_api)
    listed = everything(SYSTEM, hub)
    assert (listed[KIND, named].username, listed[KIND, named].open) == (name, True)
    connector = hub.connectors[KIND]
    change = connector.plan(container_target(name), {"running": False})
    assert change.before == {"running": True}
    if with_api:
        servers = hub.client().servers(name)
        assert [(one.name, one.container) for one in servers] == [
            ("", person.container),
            ("analysis", named),
        ]
        deployment.engine.stop(deployment.engine.inspect(person.container).id)
        eventually("the plain one is gone", lambda: person.container not in deployment.running())
    assert not seen_gone(connector, change)
    outcome = stopped(connector, change)
    assert outcome is None or any("nalysis" in one.english for one in outcome.also)
    eventually("it is gone", lambda: seen_gone(connector, change))
    assert not {person.container, named} & deployment.running()
    assert bystander.answered()
    found = connector.verify(change)
    assert found
    assert not with_api or "the server analysis of nora.k as stopped" in found.text
    deployment.admin("DELETE", f"/users/{person.sub}")


def test_a_stop_is_repeated_while_a_server_starts(deployment: HubDeployment) -> None:
    """It has no container yet, or one that the hub does not reach yet."""
    person = Person(deployment, "otto").exist()
    person.start()
    person.ask_for_named("slow")
    connector = deployment.connected(with_api=True).connectors[KIND]
    change = connector.plan(container_target("otto"), {"running": False})
    assert change.before == {"running": True}
    stopped(connector, change)
    eventually("all are gone", lambda: stopped_and_seen(connector, change))
    assert not [one for one in deployment.running() if one.startswith(person.container)]


def stopped_and_seen(connector: Connector, change: Change) -> bool:
    stopped(connector, change)
    return seen_gone(connector, change)


def test_a_kept_token_opens_what_the_next_of_the_name_starts(deployment: HubDeployment) -> None:
    """The hub's user outlives the person, so that the name is not free while it is there."""
    first = Person(deployment, "twice").exist()
    first.start()
    token = own_token(deployment, first)
    delete(deployment, first)
    first.stop()
    second = Person(deployment, "twice").exist()
    second.start()
    assert _whoami(deployment, token).json()["name"] == "twice"
    assert "the hub’s user twice" in str(deployment.connected(with_api=True).left_of("twice")[-1])
    second.stop()


def test_the_hubs_list_of_users_is_read_to_its_end(
    deployment: HubDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two at a time, as far as the hub goes."""
    monkeypatch.setattr("workspace_manager.systems.notebook_hub.client.calls.PAGE", 2)
    monkeypatch.setattr("workspace_manager.systems.notebook_hub.client.users.PAGE", 2)
    for name in ("u-one", "u-two", "u-three"):
        Person(deployment, name).exist().browser.sign_in(deployment.url, name, PASSWORD)
    users, odd = all_users(deployment.connected(with_api=True).client())
    assert {"u-one", "u-two", "u-three"} <= {one.name for one in users}
    assert not odd
    connector = deployment.connected(with_api=True).connectors[KIND]
    for name in ("u-one", "u-two", "u-three"):
        target = dict(container_target(name))
        change = Change(kind=KIND, subject="", target=target, after={"running": False})
        eventually("it is stopped", partial(stopped_and_seen, connector, change))


def test_a_hub_that_is_asked_knows_at_once(deployment: HubDeployment) -> None:
    """Stopped past the hub, a server is alive to it for up to half a minute; asked, it knows, and
    its tokens are dead.

    Nothing is kept but the volume: the container's settings held the drive's password, and a
    newcomer of that name would get them.
    """
    person = Person(deployment, "grace").exist()
    person.start()
    token = deployment.environment(person.container)["JUPYTERHUB_API_TOKEN"]
    assert deployment.hub.address
    client = Client(deployment.hub.address.api_url, deployment.hub.address.api_token)
    (server,) = client.servers("grace")
    assert (server.name, server.active, server.pending) == ("", True, "")
    assert _whoami(deployment, token).status_code == 200
    person.stop()
    assert [(one.name, one.active) for one in client.servers("grace")] == [("", False)]
    assert _whoami(deployment, token).status_code == 403
    with pytest.raises(NotFound):
        deployment.engine.inspect(person.container)
    volumes = {volume["Name"] for volume in deployment.docker("/volumes")["Volumes"]}
    assert "jupyterhub-user-grace" in volumes
    with pytest.raises(NotFound):
        client.servers("nobody.here")


def _whoami(deployment: HubDeployment, token: str) -> httpx.Response:
    headers = {"Authorization": f"token {token}"}
    return httpx.get(f"{deployment.url}/hub/api/user", headers=headers)


def drive_environment(deployment: HubDeployment, person: Person) -> dict[str, str]:
    found = deployment.environment(person.container)
    return {name: value for name, value in found.items() if name.startswith("NC_")}


def test_the_notebook_has_the_drives_credentials_of_this_very_start(
    deployment: HubDeployment,
) -> None:
    """Written at the identity provider after the person signed in to the hub, they arrive with the
    next start all the same.
    """
    person = Person(deployment, "ada").exist()
    person.start()
    assert drive_environment(deployment, person) == {"NC_URL": DRIVE}
    for known in ({"filesvc_login_name": person.sub, "filesvc_app_password": "canary-app"}, {}):
        person.stop()
        person.know(**known)
        person.spawn()
        eventually("the notebook answers", person.answered)
        given = {"NC_LOGIN_NAME": person.sub, "NC_TOKEN": "canary-app"} if known else {}
        assert drive_environment(deployment, person) == {"NC_URL": DRIVE, **given}
    assert "canary-app" not in deployment.hub.log()


def fence(deployment: HubDeployment, person: Person) -> None:
    """As a removal begins: disabled and signed out everywhere."""
    document = deployment.admin("GET", f"/users/{person.sub}").json()
    deployment.admin("PUT", f"/users/{person.sub}", document | {"enabled": False})
    deployment.admin("POST", f"/users/{person.sub}/logout")


def delete(deployment: HubDeployment, person: Person) -> None:
    deployment.admin("DELETE", f"/users/{person.sub}")


def sign_out(deployment: HubDeployment, person: Person) -> None:
    deployment.admin("POST", f"/users/{person.sub}/logout")


@pytest.mark.parametrize("refuse", [fence, delete, sign_out])
def test_a_refused_identity_starts_no_server(
    deployment: HubDeployment, refuse: Callable[[HubDeployment, Person], None]
) -> None:
    person = Person(deployment, f"refused.{refuse.__name__}").exist()
    person.start()
    token = own_token(deployment, person)
    refuse(deployment, person)
    person.stop()
    page = person.spawn()
    assert page.status_code == 403
    assert "login again" in page.text
    for path in ("server", "servers/other"):
        answer = httpx.post(
            f"{deployment.url}/hub/api/users/{person.name}/{path}",
            headers={"Authorization": f"token {token}"},
        )
        assert answer.status_code in {400, 403}, answer.text
    if refuse is not sign_out:
        again = Browser().sign_in(deployment.url, person.name, PASSWORD)
        assert "kc-form-login" in again.text
    assert not [
        name for name in deployment.engine.list_names() if name.startswith(person.container)
    ]


def own_token(deployment: HubDeployment, person: Person) -> str:
    """A token of the hub's API, made by the person for later."""
    person.browser.get(f"{deployment.url}/hub/token")
    xsrf = next(
        c.value for c in person.browser.http.cookies.jar if c.name == "_xsrf" and c.path == "/hub/"
    )
    answer = person.browser.http.post(
        f"{deployment.url}/hub/api/users/{person.name}/tokens",
        json={"note": "kept"},
        headers={"X-XSRFToken": str(xsrf), "Referer": f"{deployment.url}/hub/token"},
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


def test_no_server_while_nobody_can_vouch(deployment: HubDeployment) -> None:
    person = Person(deployment, "alan").exist()
    person.start()
    person.stop()
    deployment.provider.faults.add(
        {"path": "/protocol/openid-connect/userinfo", "fault": "status", "status": 503, "times": 99}
    )
    try:
        assert person.spawn().status_code >= 500
        assert person.container not in deployment.running()
    finally:
        deployment.provider.faults.waiting.clear()


def test_our_checks_are_content(deployment: HubDeployment, bystander: Person) -> None:
    people = (KnownPerson(bystander.name, bystander.email), KnownPerson("never.there"))
    system = deployment.connected(with_api=True, people=people)
    found = {finding.name: finding for finding in system.check()}
    assert {finding.severity for finding in found.values()} == {Severity.OK}, found
    assert "6." in found["reachable"].text
    assert "asks the identity provider" in found["refused identities"].text
    assert not any(undecided(system).values())


def test_what_a_killed_run_left_is_cleared(deployment: HubDeployment) -> None:
    script = (
        "import sys\n"
        "from workspace_manager.contract.secret import Secret\n"
        "from workspace_sandbox.real.jupyterhub import Client, JupyterHub\n"
        "hub = JupyterHub(docker_url=sys.argv[1], client=Client('http://127.0.0.1:9', "
        "Secret('x')))\n"
        "hub.start()\n"
        "print(hub._home, *(process.pid for process in hub._processes.values()), flush=True)\n"
        "input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, deployment.docker_url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout is not None
        home, *pids = run.stdout.readline().split()
        assert len(pids) == 2
        run.send_signal(signal.SIGKILL)
        run.wait()
    for name in (jupyterhub.NAME, jupyterhub.PROXY_NAME):
        children.remove_leftovers(name)
    assert not Path(home).exists()
    eventually("its processes are gone", lambda: not any(map(alive, pids)))
    assert httpx.get(f"{deployment.url}/hub/api/").status_code == 200, "ours is not ended with it"
