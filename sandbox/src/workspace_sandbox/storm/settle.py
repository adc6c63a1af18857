"""Before the storm: let people in through the very stories of the product, and give them something
in every system.

`python -m workspace_sandbox.storm.settle FILE READY COUNT` writes who came in. Runs with the
manager's environment.
"""

import json
import secrets
import sys
import time
from pathlib import Path
from typing import Any

import httpx

# isort: skip  sets Django up before tables are imported
import workspace_manager.bootstrap  # noqa: F401
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.people import admit, approve, register
from workspace_manager.people.admit import Claims
from workspace_manager.people.register import RegistrationInput
from workspace_manager.records.models import Account, Person, Plan
from workspace_manager.wiring import connected_systems
from workspace_manager.work import components
from workspace_sandbox.__main__ import tell
from workspace_sandbox.patience import PATIENCE_S

ACTOR = "storm"
LIMIT_S = 1800


def main() -> int:
    """Let them in, and wait until everything of theirs is made."""
    file, reached, count = Path(sys.argv[1]), json.loads(sys.argv[2]), int(sys.argv[3])
    systems = connected_systems()
    people = [_enter(f"storm{n:03}", n, systems, reached) for n in range(count)]
    end = time.monotonic() + LIMIT_S
    while Plan.objects.filter(state__in=Plan.OPEN).exists():
        if time.monotonic() > end:
            raise SystemExit("What people asked for was not made in time, before any fault.")
        time.sleep(0.2)
    for person in people:
        person["accounts"] = [
            [account.kind, account.name]
            for account in Account.objects.filter(username=person["username"], gone_at=None)
        ]
    tell(json.dumps(people), file)
    return 0


def _enter(
    username: str, n: int, systems: ConnectedSystems, reached: dict[str, Any]
) -> dict[str, Any]:
    application = RegistrationInput(
        username, f"{username}@example.org", "Storm", f"Person {n}", secrets.token_urlsafe(24),
        "en", "UTC"
    )  # fmt: skip
    registration = register.register(application)
    sub = approve.approve(registration.id, actor=ACTOR, systems=systems).sub
    admit.enter(
        Claims(sub, username, application.email, "Storm", f"Person {n}", "en", "UTC"), systems
    )
    person = Person.objects.get(username=username)
    for kind, every in (("sql_database", 2), ("triplestore_repository", 3)):
        if n % every == 0:
            _, _plan = components.create(
                person, kind=kind, label="Storm", project=None, systems=systems
            )
    _account_in_the_drive(sub, reached["drive"])
    if n % 4 == 0:
        _notebook(username, reached["container_manager"])
    return {"username": username, "sub": sub}


def _account_in_the_drive(sub: str, drive: dict[str, Any]) -> None:
    """As the drive makes one for somebody who comes with a token."""
    answer = httpx.post(
        f"{drive['url']}/ocs/v2.php/apps/user_oidc/api/v1/user",
        params={"format": "json"},
        data={"providerId": "1", "userId": sub},
        headers={"OCS-APIRequest": "true"},
        timeout=PATIENCE_S,
        auth=(drive["admin_username"], drive["admin_password"]),
        trust_env=False,
    )
    answer.raise_for_status()


def _notebook(username: str, manager: dict[str, Any]) -> None:
    """Start a notebook as the hub does."""
    docker = f"{manager['url']}/api/endpoints/{manager['environment_id']}/docker/containers"
    key = {"X-API-Key": manager["api_key"]}
    with httpx.Client(headers=key, timeout=PATIENCE_S, trust_env=False) as http:
        body = {"Image": "sandbox/notebook"}
        made = http.post(f"{docker}/create", params={"name": f"jupyter-{username}"}, json=body)
        made.raise_for_status()
        http.post(f"{docker}/{made.json()['Id']}/start").raise_for_status()


if __name__ == "__main__":
    sys.exit(main())
