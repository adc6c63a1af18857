"""In which files faults are planted, and the tests of each such room: on stand-ins, the cheapest
first, and on its real part.
"""

from dataclasses import dataclass

PACKAGE = "src/workspace_manager"
Tests = tuple[str, ...]
"""What pytest is told: files or folders, and which of theirs."""


@dataclass(frozen=True)
class Room:
    """`files`: how their paths in the package begin. `draws`: its share of forty. `rest`: of its
    files those that no other room has.
    """

    name: str
    files: tuple[str, ...]
    tests: tuple[Tests, ...]
    real: tuple[Tests, ...] = ()
    on_postgresql: tuple[Tests, ...] = ()
    draws: int = 1
    without: tuple[str, ...] = ()


RECORDED = {
    "container_manager": ("test_container_manager.py",),
    "drive": ("test_nextcloud.py",),
    "identity_provider": ("test_keycloak.py",),
    "ontology_editor": ("test_ontology_editor.py",),
    "triplestore": ("test_triplestore.py",),
}
REAL = {
    "container_manager": ("test_podman.py", "test_portainer.py", "test_podman_volumes.py"),
    "drive": ("test_nextcloud_connection.py", "test_nextcloud.py", "test_nextcloud_alike.py"),
    "identity_provider": ("test_keycloak.py",),
    "notebook_hub": ("test_jupyterhub.py",),
    "ontology_editor": (),
    "sql_server": ("test_mariadb.py", "test_postgresql.py", "test_sql_encryption.py"),
    "triplestore": ("test_rdf4j.py", "test_opengdb.py"),
}
TWICE = {"sql_server connector", "ontology_editor connector", "triplestore connector"}


def _of_a_system(system: str) -> list[Room]:
    home = f"systems/{system}"
    conformance = ("tests/conformance", "-k", f"{system}.")
    recorded = [(f"tests/recorded/{file}",) for file in RECORDED.get(system, ())]
    tests = ((f"tests/systems/{system}",), *recorded, conformance)
    real = (*((f"tests/real/{file}",) for file in REAL[system]), conformance)
    parts = {"client": f"{home}/client", "connector": f"{home}/connector", "other files": home}
    return [
        Room(
            f"{system} {part}",
            (files,),
            tests,
            real,
            draws=2 if f"{system} {part}" in TWICE else 1,
            without=tuple(one for one in parts.values() if one != files and files in one),
        )
        for part, files in parts.items()
    ]


def _of_ours(name: str, draws: int, *tests: str) -> Room:
    """A room of the manager's own; most of its tests are run on PostgreSQL too."""
    alike = tuple((one,) for one in tests)
    of_both = tuple(one for one in alike if one != ("tests/crash",))
    return Room(name, (f"{name}/",), alike, on_postgresql=of_both, draws=draws)


ROOMS = (
    *(room for system in REAL for room in _of_a_system(system)),
    _of_ours("engine", 3, "tests/engine", "tests/removal", "tests/crash"),
    _of_ours("core", 2, "tests/core", "tests/records"),
    _of_ours("work", 2, "tests/work"),
    _of_ours("accounts", 1, "tests/accounts", "tests/work"),
    _of_ours("removal", 2, "tests/removal", "tests/people_in_motion"),
    _of_ours("people", 2, "tests/people", "tests/people_in_motion"),
    _of_ours("operations", 1, "tests/operations", "tests/inbox"),
    _of_ours("reconcile", 1, "tests/reconcile"),
    Room("web/api", ("web/api/",), (("tests/web/api",), ("tests/access",))),
    Room("web/pages", ("web/pages/",), (("tests/web/pages",), ("tests/access",))),
)
