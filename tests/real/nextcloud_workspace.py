"""A workspace whose drive and identity provider are real; what a person has and does there, asked
of the drive itself.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

import httpx

from tests.life.browser import Browser, document
from tests.life.person import PASSWORD, Life, Workspace
from tests.life.test_drive import attributes, drive
from workspace_sandbox.patience import eventually
from workspace_sandbox.real import nextcloud

LOOK = {"OCS-APIRequest": "true", "Accept": "application/json"}


def recover(place: Workspace, inside: nextcloud.Inside) -> None:
    inside.answer(port_of(place), on=True)
    inside.maintenance(on=False)
    inside.forget_attempts()
    settings(place, "drive", admin_password=place.system("drive")["admin_password"])


ILLNESSES: dict[str, Callable[[Workspace, nextcloud.Inside], None]] = {
    "stopped": lambda place, inside: inside.answer(port_of(place), on=False),
    "in maintenance": lambda _place, inside: inside.maintenance(on=True),
    "our address is blocked": lambda _place, inside: inside.block(),
    "another password": lambda place, _inside: settings(place, "drive", admin_password="wrong"),
}


def port_of(place: Workspace) -> int:
    return int(place.system("drive")["url"].rpartition(":")[2])


def settings(place: Workspace, system: str, **values: str) -> None:
    """Store settings of a system, as an administrator does."""
    answer = place.api.patch(f"/systems/{system}", json={"settings": values})
    assert answer.status_code == 200, answer.text


def connected(life: Life) -> dict[str, str]:
    """Wait for the connection that a first sign-in makes; gives the stored pair."""
    eventually("connected by the first sign-in", lambda: drive(life)["connected"])
    return attributes(life)


# --- at the drive itself --------------------------------------------------------------------------


def ocs(
    place: Workspace, method: str, path: str, *, form: Any = None, who: Any = None
) -> httpx.Response:
    """Ask the drive; without somebody else, as its administrator."""
    told = place.system("drive")
    return httpx.request(
        method, f"{told['url']}/ocs/v2.php{path}", params={"format": "json"}, data=form,
        auth=who or (told["admin_username"], told["admin_password"]), headers=LOOK,
        trust_env=False,
    )  # fmt: skip


def account(place: Workspace, name: str) -> dict[str, Any] | None:
    """An account as the drive's administrator sees it."""
    answer = ocs(place, "GET", f"/cloud/users/{name}")
    assert answer.status_code in {200, 404}, answer.text
    return dict(answer.json()["ocs"]["data"]) if answer.status_code == 200 else None


def grant(address: str, username: str) -> httpx.Response:
    """Open the address of a login flow, sign in through the identity provider, and allow what is
    asked.
    """
    browser = Browser()
    page = browser.get(address)
    asked = document(page.text).get_element_by_id("login-form").action
    page = browser.sign_in(asked, username, PASSWORD)
    form = next(f for f in document(page.text).forms if "/login/v2/grant" in str(f.action))
    done = browser.http.post(urljoin(str(page.url), form.action), data=dict(form.form_values()))
    browser.close()
    assert "Account connected" in done.text, done.text[-500:]
    return done


def state_of(life: Life, plan_id: str) -> str:
    return str(life.plan(plan_id)["state"])
