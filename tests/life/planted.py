"""Twelve faults as they come about in a workspace: each is planted in a system from outside, as its
administrator or a bad day would, and mended the same way. The manager is told of none.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tests.life.person import Workspace, sql
from tests.life.systems import identity_provider
from workspace_manager.contract.realm import AUDIENCE_MAPPER

MANY: Final = 100_000
Does = Callable[[Workspace], Any]


@dataclass(frozen=True)
class Planted:
    """One fault. `refuses`: it refuses our credential, which is then not sent again before somebody
    says so. `person`: it is about somebody and not about a system.
    """

    name: str
    system: str
    plant: Does
    mend: Does
    refuses: bool = False
    person: str = ""


def _drive(**change: Any) -> Does:
    return lambda workspace: workspace.control("drive", "/settings", change)


def _fault(system: str, **fault: Any) -> Does:
    return lambda workspace: workspace.control(system, "/faults", {"times": MANY, **fault})


def _fair(system: str) -> Does:
    return lambda workspace: workspace.control(system, "/faults", method="DELETE")


def _containers(**change: Any) -> Does:
    return lambda workspace: workspace.control("container_manager", "/settings", change)


def _sql_password(*, right: bool) -> Does:
    def change(workspace: Workspace) -> None:
        server = workspace.system("sql_server")
        user, good, wrong = server["admin_username"], server["admin_password"], "of-another-day"
        now, then = (wrong, good) if right else (good, wrong)
        sql(workspace, user, now, f"ALTER USER '{user}'@'%' IDENTIFIED BY '{then}'")

    return change


class Mappers:
    """Protocol mappers of one client, taken out and put back."""

    def __init__(self, client: Callable[[Workspace], str], which: Callable[[Any], bool]) -> None:
        self._client, self._which = client, which
        self._taken: list[Any] = []

    def drop(self, workspace: Workspace) -> None:
        path, client = self._of(workspace)
        self._taken = [one for one in client["protocolMappers"] if self._which(one)]
        assert self._taken
        for one in self._taken:
            answer = identity_provider(workspace, f"{path}/{one['id']}", method="DELETE")
            assert answer.status_code == 204, answer.text

    def put_back(self, workspace: Workspace) -> None:
        path, _ = self._of(workspace)
        for one in self._taken:
            body = {name: value for name, value in one.items() if name != "id"}
            answer = identity_provider(workspace, path, body, method="POST")
            assert answer.status_code == 201, answer.text

    def _of(self, workspace: Workspace) -> tuple[str, Any]:
        wanted = self._client(workspace)
        clients = identity_provider(workspace, "/clients?max=500").json()
        client = next(one for one in clients if one["clientId"] == wanted)
        return f"/clients/{client['id']}/protocol-mappers/models", client


def _adds_audience(mapper: Any) -> bool:
    return bool(mapper["protocolMapper"] == AUDIENCE_MAPPER)


_audience = Mappers(lambda workspace: workspace.manager, _adds_audience)
_hub = Mappers(lambda workspace: str(workspace.system("notebook_hub")["url"]), lambda _mapper: True)


def deleted_there(username: str) -> Planted:
    """A person whose identity an administrator deletes at the identity provider. Mended by the
    removal that follows.
    """

    def delete(workspace: Workspace) -> None:
        path = f"/users?username={username}&exact=true"
        (user,) = identity_provider(workspace, path).json()
        answer = identity_provider(workspace, f"/users/{user['id']}", method="DELETE")
        assert answer.status_code == 204, answer.text

    def remove(workspace: Workspace) -> None:
        plan = workspace.api.post(f"/people/{username}/removal").json()
        answer = workspace.api.post(f"/plans/{plan['id']}/approve", json={"digest": plan["digest"]})
        assert answer.status_code == 202, answer.text

    name = "identity user deleted there"
    return Planted(name, "identity_provider", delete, remove, person=username)


ALL_CALLS: Final = {"method": "", "path": "."}
TOGETHER: Final[tuple[tuple[Planted, ...], ...]] = (
    (
        Planted("rotated drive password", "drive", _drive(rotate="admin"),
                _drive(give_back="admin"), refuses=True),
        Planted("wrong SQL password", "sql_server", _sql_password(right=False),
                _sql_password(right=True), refuses=True),
        Planted("dropped audience mapper", "identity_provider", _audience.drop,
                _audience.put_back),
        Planted("expired editor key", "ontology_editor",
                _fault("ontology_editor", **ALL_CALLS, fault="status", status=401),
                _fair("ontology_editor"), refuses=True),
        Planted("wrong environment id", "container_manager", _containers(renumber=[1, 9]),
                _containers(renumber=[9, 1])),
        Planted("triplestore slow by 20 s", "triplestore",
                _fault("triplestore", **ALL_CALLS, fault="delay", seconds=20),
                _fair("triplestore")),
    ),
    (
        Planted("wrong prefix", "drive", _drive(provider={"providerBasedId": True}),
                _drive(provider={"providerBasedId": False})),
        Planted("hub mapper gone", "identity_provider", _hub.drop, _hub.put_back),
        Planted("container engine gone", "container_manager", _containers(engine="down"),
                _containers(engine="up")),
    ),
    (Planted("second provider on the drive", "drive", _drive(providers=2), _drive(providers=1)),),
    (
        Planted("drive 503", "drive", _fault("drive", **ALL_CALLS, fault="status", status=503),
                _fair("drive")),
    ),
)  # fmt: skip
"""Those of one row are planted at once: each is of another system."""
