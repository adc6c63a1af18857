"""The notebook in the life of a person: what it is told of the drive, and that it does not come
back once the identity is refused.
"""

from typing import Any

import pytest

from tests.life.browser import Browser
from tests.life.holdings import container_environment, know
from tests.life.person import PASSWORD, Life, Workspace
from tests.life.systems import running_containers
from tests.life.test_life import fresh
from workspace_sandbox.patience import eventually


def start_named(life: Life) -> None:
    """Start a second server, as the hub's page does."""
    hub, name = life.workspace.system("notebook_hub")["url"], life.username
    assert life.browser.get(f"{hub}/hub/spawn/{name}/analysis").status_code == 200
    container = f"jupyter-{name}--analysis"
    eventually("it runs", lambda: container in running_containers(life.workspace))


def order_and_wait(life: Life, order: str) -> dict[str, Any]:
    """Suspend or resume, and wait until that is done; gives the plan."""
    answer = life.workspace.api.post(f"/people/{life.username}/{order}")
    assert answer.status_code == 202, answer.text
    ended: dict[str, Any] = eventually(
        order, lambda: (plan := life.plan(answer.json()["id"]))["state"] == "done" and plan
    )
    return ended


def out_and_in_again(workspace: Workspace) -> Life:
    """Somebody suspended has a browser full of cookies and gets no notebook; let back in, one that
    knows the drive.
    """
    life = fresh(workspace)
    life.sign_in()
    life.start_notebook()
    container = f"jupyter-{life.username}"
    assert container in running_containers(workspace)
    hub = workspace.system("notebook_hub")["url"]
    if workspace.system("notebook_hub")["part"] == "real":
        start_named(life)

    plan = order_and_wait(life, "suspend")
    assert not [one for one in running_containers(workspace) if one.startswith(container)]
    if workspace.system("notebook_hub")["part"] == "real":
        assert "the server analysis of" in str(plan["steps"])
    page = life.browser.get(f"{hub}/hub/spawn")
    assert page.status_code == 403 or "kc-form-login" in page.text, page.text
    again = Browser().sign_in(hub, life.username, PASSWORD)
    assert "kc-form-login" in again.text, "a suspended person cannot sign in"
    assert container not in running_containers(workspace)

    order_and_wait(life, "resume")
    know(life, filesvc_login_name=life.sub, filesvc_app_password="canary-app-password")
    life.browser = Browser()
    life.start_notebook()
    assert container in running_containers(workspace)
    return life


@pytest.mark.thorough
def test_a_suspended_person_starts_no_notebook_on_stand_ins(stand_ins: Workspace) -> None:
    life = out_and_in_again(stand_ins)
    order_and_wait(life, "suspend")


@pytest.mark.real
def test_a_suspended_person_starts_no_notebook_on_real_parts(real_parts_demo: Workspace) -> None:
    life = out_and_in_again(real_parts_demo)
    told = {n: v for n, v in container_environment(life).items() if n.startswith("NC_")}
    assert told == {
        "NC_URL": real_parts_demo.system("drive")["url"],
        "NC_LOGIN_NAME": life.sub,
        "NC_TOKEN": "canary-app-password",
    }
    start_named(life)
    number = life.remove()
    plan = eventually("out", lambda: (p := life.plan(number))["state"] == "done" and p)
    running = running_containers(real_parts_demo)
    assert not [one for one in running if one.startswith(f"jupyter-{life.username}")]
    assert "the server analysis of" in str(plan["steps"][0])
