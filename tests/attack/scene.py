"""Where attacks happen: a running workspace, and what its people and administrators do there again
and again.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx

from tests.life.person import PASSWORD, Life, Workspace
from tests.life.systems import running_containers
from workspace_sandbox.patience import eventually

ENDED = {"done"}


def before_any_ends(what: str, do: Callable[[], object], ended: Callable[[], int]) -> None:
    """Fail unless something is done before any of the calls that are held ends; `ended`: how many
    have. Whoever waits for one of them never comes first. Tried again, as calls end by themselves
    too.
    """

    def comes_first() -> bool:
        before = ended()
        do()
        return ended() == before

    eventually(f"{what} before a held call ends", comes_first)


def before_all_end(what: str, do: Callable[[], object], standing: Callable[[], set[int]]) -> None:
    """Fail unless something is done before all of the calls that are held when it begins have
    ended; `standing`: those that are held. On a slow machine something that takes many requests
    never comes before the first of them.
    """

    def comes_before_the_last() -> bool:
        before = standing()
        do()
        return bool(before & standing())

    eventually(f"{what} before all held calls end", comes_before_the_last)


@dataclass
class Scene:
    """One workspace under attack."""

    workspace: Workspace

    def somebody(self) -> Life:
        """A newcomer who has signed in."""
        life = Life(self.workspace, f"p{uuid.uuid4().hex[:8]}")
        life.register()
        life.approve()
        assert life.sign_in().status_code == 200
        return life

    def register(self, name: str) -> httpx.Response:
        body = {
            "username": name, "email": f"{uuid.uuid4().hex}@example.org", "first_name": "Test",
            "last_name": "Person", "password": PASSWORD, "locale": "en", "timezone": "Europe/Rome",
        }  # fmt: skip
        url = f"{self.workspace.manager}/api/v1/registrations"
        return httpx.post(url, json=body, trust_env=False)

    # --- what an administrator does, to its end --------------------------------------------------

    def suspended(self, life: Life) -> dict[str, Any]:
        return self._ordered(life, "suspend")

    def resumed(self, life: Life) -> dict[str, Any]:
        return self._ordered(life, "resume")

    def removed(self, life: Life) -> dict[str, Any]:
        """Remove somebody, to the end."""
        plan = self.ended(life.remove())
        assert self.workspace.api.get(f"/people/{life.username}").status_code == 404
        return plan

    def _ordered(self, life: Life, order: str) -> dict[str, Any]:
        answer = self.workspace.api.post(f"/people/{life.username}/{order}")
        assert answer.status_code == 202, answer.text
        plan = self.ended(answer.json()["id"])
        assert not plan["by_hand"], plan["by_hand"]
        return plan

    def ended(self, plan_id: str, *, by: Life | None = None) -> dict[str, Any]:
        """A plan when it is done. A stuck one fails with what it says."""

        def look() -> Any:
            path = f"/plans/{plan_id}"
            plan = by.call("GET", path).json() if by else self.workspace.api.get(path).json()
            assert plan["state"] != "stuck", [
                step["reason"] for step in plan["steps"] if step["state"] == "stuck"
            ]
            return plan if plan["state"] in ENDED else None

        found: dict[str, Any] = eventually(f"plan {plan_id} done", look)
        return found

    def given(self, life: Life, *names: str) -> None:
        """Let somebody have exactly these permissions."""
        body = {"permissions": list(names)}
        answer = self.workspace.api.put(f"/people/{life.username}/permissions", json=body)
        assert answer.status_code == 200, answer.text

    # --- what somebody with a secret or at a system does -----------------------------------------

    def api(self, token: str) -> httpx.Client:
        """What a script of a person has: a token."""
        return httpx.Client(
            base_url=f"{self.workspace.manager}/api/v1",
            headers={"Authorization": f"Bearer {token}"},
            trust_env=False,
        )

    def taken(self, token: str) -> bool:
        with self.api(token) as script:
            return script.get("/me").status_code == 200

    def start_container(self, name: str) -> None:
        """Start a container that is nobody's notebook, from an image that is there."""
        manager = self.workspace.system("container_manager")
        base = f"{manager['url']}/api/endpoints/{manager['environment_id']}/docker"
        with httpx.Client(
            base_url=base, headers={"X-API-Key": manager["api_key"]}, trust_env=False
        ) as docker:
            running = docker.get("/containers/json").json()
            image = next(one["Image"] for one in running if "notebook" not in one["Image"])
            made = docker.post(f"/containers/create?name={name}", json={"Image": image})
            assert made.status_code in {200, 201}, made.text
            started = docker.post(f"/containers/{name}/start")
            assert started.status_code in {200, 204}, started.text
        assert name in running_containers(self.workspace)
