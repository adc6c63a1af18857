"""A real Nextcloud as a part of the sandbox: how it starts, comes back and ends, and what can be
done to it from within.
"""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.real.leftovers import check_it_ends_with_its_run
from tests.systems.whole_inventory import everything
from workspace_manager.contract.connector import Result
from workspace_manager.contract.errors import Conflict
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.reconcile import walk
from workspace_manager.records.models import ReconcileItem
from workspace_manager.systems import registry
from workspace_manager.systems.drive import SYSTEM, inventory, names
from workspace_manager.systems.drive.connector import Drive, connect
from workspace_manager.systems.drive.settings import Settings
from workspace_sandbox.real import nextcloud

pytestmark = pytest.mark.real


def ask(address: nextcloud.Address, path: str, *, method: str = "GET") -> httpx.Response:
    return httpx.request(
        method, f"{address.url}/ocs/v2.php{path}", params={"format": "json"},
        auth=(address.admin_username, address.admin_password.reveal()),
        headers={"OCS-APIRequest": "true"}, trust_env=False,
    )  # fmt: skip


def address_of(server: nextcloud.Nextcloud) -> nextcloud.Address:
    assert server.address
    return server.address


@pytest.mark.everything  # as MariaDB and RDF4J, whose starts cost less
def test_it_comes_back_as_it_was(tmp_path: Path, real_nextcloud: nextcloud.Nextcloud) -> None:
    """Also from deeper than a socket's path may be long."""
    home = tmp_path / ("deep" * 20) / "kept"
    home.parent.mkdir()
    password = Secret("an administrator's, kept")
    for expected in (404, 200):
        server = nextcloud.Nextcloud(directory=home, admin_password=password)
        address = server.start()
        try:
            assert ask(address, "/cloud/users/kept").status_code == expected
            environment = {"OC_PASS": "of somebody"}
            server.inside.occ("user:add", "--password-from-env", "kept", environment=environment)
        finally:
            server.stop()
    assert address_of(real_nextcloud).url != address.url
    nextcloud.Nextcloud(directory=tmp_path).stop()


@pytest.mark.everything  # as MariaDB and RDF4J, whose starts cost less
def test_it_ends_with_the_run_that_started_it(real_nextcloud: nextcloud.Nextcloud) -> None:
    check_it_ends_with_its_run(nextcloud, "Nextcloud")
    assert ask(address_of(real_nextcloud), "/cloud/user").status_code == 200


def test_what_is_done_from_within(real_nextcloud: nextcloud.Nextcloud) -> None:
    address, inside = address_of(real_nextcloud), real_nextcloud.inside
    inside.block()
    assert ask(address, "/cloud/user").status_code == 429
    inside.forget_attempts()
    inside.maintenance(on=True)
    assert ask(address, "/cloud/user").status_code == 503
    inside.maintenance(on=False)
    inside.answer(address.port, on=False)
    with pytest.raises(httpx.ConnectError):
        ask(address, "/cloud/user")
    inside.answer(address.port, on=True)
    for version in (nextcloud.HEAD, nextcloud.RELEASED):
        inside.use_user_oidc(version)
        told = ask(address, "/cloud/apps/user_oidc").json()["ocs"]["data"]["version"]
        assert (told == nextcloud.RELEASED) is (version == nextcloud.RELEASED)
    with pytest.raises(nextcloud.NextcloudFailed, match="ended with 1"):
        inside.told("user:info", "nobody")


def test_it_listens_on_loopback_alone(real_nextcloud: nextcloud.Nextcloud) -> None:
    wanted = f":{address_of(real_nextcloud).port:04X}"
    lines = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
    local = [line.split()[1] for line in lines.splitlines() if line.split()[3] == "0A"]
    assert {at.rpartition(":")[0] for at in local if at.endswith(wanted)} == {"0100007F"}


def as_user_oidc_makes_it(address: nextcloud.Address, inside: nextcloud.Inside, sub: str) -> None:
    """Make an account of the OpenID Connect app's back-end."""
    uri = "--discoveryuri=http://127.0.0.1:9/.well-known/openid-configuration"
    inside.told("user_oidc:provider", "inventory", "-c", "x", "-s", "x", "--unique-uid=0", uri)
    number = next(
        one["id"]
        for one in ask(address, "/apps/user_oidc/api/v1/provider").json()["ocs"]["data"]
        if one["identifier"] == "inventory"
    )
    made = httpx.post(
        f"{address.url}/ocs/v2.php/apps/user_oidc/api/v1/user",
        params={"format": "json"},
        json={"providerId": number, "userId": sub, "email": f"{sub}@example.org"},
        auth=(address.admin_username, address.admin_password.reveal()),
        headers={"OCS-APIRequest": "true"}, trust_env=False,
    )  # fmt: skip
    assert made.status_code == 200, made.text


def drive_at(address: nextcloud.Address) -> Drive:
    return connect(
        Settings(
            base_url=address.url,
            admin_username=address.admin_username,
            admin_password=address.admin_password,
        ),
        lambda _ref: Secret(""),
    )


def test_an_account_that_its_back_end_keeps_opens_nothing(
    real_nextcloud: nextcloud.Nextcloud,
) -> None:
    """What a sync client signs in with goes on as long as nobody disables the account."""
    address, inside = address_of(real_nextcloud), real_nextcloud.inside
    as_user_oidc_makes_it(address, inside, "kept-there")
    files = f"{address.url}/remote.php/dav/files/kept-there/"
    own = ("kept-there", inside.app_password("kept-there"))

    def sync() -> int:
        return httpx.request("PROPFIND", files, auth=own, trust_env=False).status_code

    connector = drive_at(address).connectors["drive.account"]
    change = connector.plan(names.account_target("kept-there", "kept-there"), None)
    refusing = "FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'kept in its directory'"
    inside.ask(f"CREATE TRIGGER keeps BEFORE DELETE ON oc_user_oidc {refusing}")
    try:
        assert sync() == 207
        with pytest.raises(Conflict, match=r"code 101.*is disabled"):
            connector.remove(change)
        assert ask(address, "/cloud/users/kept-there").json()["ocs"]["data"]["enabled"] is False
        assert sync() != 207
        inside.forget_attempts()
        inside.ask("DROP TRIGGER keeps")
        assert connector.remove(change).result is Result.CHANGED
        assert connector.verify(change)
    finally:
        inside.ask("DROP TRIGGER IF EXISTS keeps")
        inside.occ("user:delete", "kept-there")
        inside.occ("user_oidc:provider:delete", "inventory", "-f")


def test_what_a_disabled_account_shares_goes_on_as_a_suspension_says(
    real_nextcloud: nextcloud.Nextcloud,
) -> None:
    """The page of a public link is shut, WebDAV by the same link is not, and a colleague keeps
    their share; a deletion ends all three.
    """
    address, inside = address_of(real_nextcloud), real_nextcloud.inside
    for name in ("sharing", "shown-to"):
        password = {"OC_PASS": "of somebody"}
        inside.told("user:add", "--password-from-env", name, environment=password)
    owner, colleague = (
        httpx.Client(
            base_url=address.url,
            auth=(name, inside.app_password(name)),
            headers={"OCS-APIRequest": "true", "Accept": "application/json"},
            trust_env=False,
        )
        for name in ("sharing", "shown-to")
    )
    owner.put("/remote.php/dav/files/sharing/a.txt", content=b"hello").raise_for_status()
    own = inside.app_password("sharing")

    def foretold() -> str:
        connector = connect(drive_at(address).settings, lambda _ref: Secret(own)).connectors[
            "drive.app_password"
        ]
        target = names.app_password_target("sharing", "sharing", "vault/own")
        said = connector.foretell(connector.plan(target, None))  # type: ignore[attr-defined]
        return str(said.english)

    shares = "/ocs/v2.php/apps/files_sharing/api/v1/shares"
    assert "shares no file and no folder, by name or by link." in foretold()
    owner.post(shares, data={"path": "/a.txt", "shareType": 0, "shareWith": "shown-to"})
    assert "with the account: 1 share with 1 person." in foretold()
    link = owner.post(shares, data={"path": "/a.txt", "shareType": 3}).json()["ocs"]["data"][
        "token"
    ]
    assert "with the account: 1 share with 1 person, 1 link." in foretold()

    def opened() -> tuple[bool, bool, bool]:
        page = httpx.get(f"{address.url}/s/{link}/download", trust_env=False)
        dav = httpx.get(
            f"{address.url}/public.php/webdav/",
            auth=(link, ""),
            headers={"X-Requested-With": "XMLHttpRequest"},
            trust_env=False,
        )
        shared = colleague.request("PROPFIND", "/remote.php/dav/files/shown-to/a.txt")
        inside.forget_attempts()
        return page.is_success, dav.is_success, shared.status_code == 207

    try:
        assert opened() == (True, True, True)
        ask(address, "/cloud/users/sharing/disable", method="PUT").raise_for_status()
        assert opened() == (False, True, True)
        ask(address, "/cloud/users/sharing", method="DELETE").raise_for_status()
        assert opened() == (False, False, False)
    finally:
        for name in ("sharing", "shown-to"):
            inside.occ("user:delete", name)


@pytest.mark.django_db
def test_who_moved_off_the_pages_is_still_there(
    real_nextcloud: nextcloud.Nextcloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drive counts its pages off: whatever is deleted meanwhile moves the rest up."""
    monkeypatch.setattr(inventory, "MOST", 1)
    address, inside = address_of(real_nextcloud), real_nextcloud.inside
    drive = drive_at(address)
    unset = {name: spec.settings() for name, spec in registry().specs.items()}
    systems = ConnectedSystems(
        by_name={"drive": drive}, settings={**unset, "drive": drive.settings}
    )

    def of_nobody() -> list[str]:
        run = walk.begin("ada")
        walk.go_on(run, systems)
        assert run.parts.get(system="drive").state == "done"
        rows = ReconcileItem.objects.filter(ended_at=None, name__startswith="moved-")
        return sorted(row.name for row in rows)

    subs = [f"moved-{n}" for n in range(3)]
    read = Drive.described_users

    def deleted_meanwhile(self: Drive, *, limit: int, offset: int) -> list[Any]:
        if offset:
            inside.occ("user:delete", subs[0])
        return read(self, limit=limit, offset=offset)

    try:
        for sub in subs:
            as_user_oidc_makes_it(address, inside, sub)
        assert of_nobody() == subs
        monkeypatch.setattr(Drive, "described_users", deleted_meanwhile)
        assert of_nobody() == subs
        assert of_nobody() == subs[1:]
    finally:
        for sub in subs:
            inside.occ("user:delete", sub)
        inside.occ("user_oidc:provider:delete", "inventory", "-f")


def test_each_back_end_gives_a_page_of_its_own(
    real_nextcloud: nextcloud.Nextcloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a page is the last one when it holds fewer than asked for, and not when it holds more."""
    monkeypatch.setattr(inventory, "MOST", 2)
    address, inside = address_of(real_nextcloud), real_nextcloud.inside
    drive = drive_at(address)
    subs, local = [f"inventory-{n}" for n in range(5)], [f"local-{n}" for n in range(2)]
    try:
        for name in local:
            password = {"OC_PASS": "of somebody"}
            inside.told("user:add", "--password-from-env", name, environment=password)
        for sub in subs:
            as_user_oidc_makes_it(address, inside, sub)
        inside.told("user:disable", subs[0])
        pages: list[int] = []
        found = everything(SYSTEM, drive, pages)
        assert len(pages) > 2
        listed = {name: one for (_, name), one in found.items()}
        assert {*subs, *local, address.admin_username} <= listed.keys()
        assert [listed[one].open for one in subs[:2]] == [False, True]
        assert [listed[one].sub for one in (subs[0], local[0])] == [subs[0], ""]
        assert listed[subs[1]].email == f"{subs[1]}@example.org"
        assert [bool(listed[one].kept) for one in (subs[0], local[0])] == [False, True]
    finally:
        for name in (*subs, *local):
            inside.occ("user:delete", name)
        inside.occ("user_oidc:provider:delete", "inventory", "-f")
