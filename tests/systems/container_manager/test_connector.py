"""Containers through Portainer's stand-in: look, start, stop, remove, run a command."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.systems.container_manager.documents import undecided
from workspace_manager.contract.connector import ALREADY, CHANGED, Change, Severity
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, NotFound, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.client import Client
from workspace_manager.systems.container_manager.connector import ContainerManager
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

KIND = "container_manager.container"
STUBBORN = ["/bin/sh", "-c", "trap '' TERM; while :; do sleep 1; done"]


def fault(stand_in: ContainerManagerStandIn, **document: Any) -> None:
    httpx.post(stand_in.control_url + "/faults", json=document).raise_for_status()


def status_of(stand_in: ContainerManagerStandIn, name: str) -> str | None:
    found = [c for c in stand_in.what_exists()["containers"] if c["name"] == name]
    return found[0]["status"] if found else None


def plan_change(system: ContainerManager, name: str, want: dict[str, Any] | None) -> Change:
    return system.connectors[KIND].plan({"container": name}, want)


def test_stops_a_running_container_once(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    stand_in.run_container("jupyter-alice")
    connector = system.connectors[KIND]
    change = plan_change(system, "jupyter-alice", {"running": False})
    assert change.before == {
        "running": True,
        "status": "running",
        "image": "localhost/sandbox/notebook:latest",
    }
    assert connector.verify(change) is None
    assert connector.apply(change) == CHANGED
    assert connector.apply(change) == ALREADY
    evidence = connector.verify(change)
    assert evidence is not None
    assert "exited" in evidence.text
    assert status_of(stand_in, "jupyter-alice") == "exited"


def test_start_and_remove(system: ContainerManager, stand_in: ContainerManagerStandIn) -> None:
    stand_in.run_container("tool")
    connector = system.connectors[KIND]
    gone = plan_change(system, "tool", None)
    assert connector.apply(plan_change(system, "tool", {"running": True})) == ALREADY
    assert connector.remove(gone) == CHANGED
    assert connector.remove(gone) == ALREADY
    assert connector.verify(gone) is not None
    with pytest.raises(NotFound):
        connector.apply(plan_change(system, "tool", {"running": True}))


def test_an_absent_container_does_not_run(system: ContainerManager) -> None:
    connector = system.connectors[KIND]
    change = plan_change(system, "jupyter-nobody", {"running": False})
    assert change.before is None
    assert connector.apply(change) == ALREADY
    assert connector.verify(change) is not None
    assert connector.verify(plan_change(system, "jupyter-nobody", {"running": True})) is None


def test_a_container_found_by_the_beginning_of_its_id_is_somebody_elses(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    number = stand_in.run_container("stranger")
    with pytest.raises(NotFound):
        system.containers.inspect(number[:12])
    assert system.containers.inspect(number).name == "stranger"
    with pytest.raises(Invalid):
        system.containers.stop(number[:12])
    assert status_of(stand_in, "stranger") == "running"


def test_look_alike_names_are_left_alone(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    for name in ("jupyter-al", "jupyter-alice", "jupyter-albert"):
        stand_in.run_container(name)
    system.connectors[KIND].apply(plan_change(system, "jupyter-al", {"running": False}))
    assert status_of(stand_in, "jupyter-alice") == "running"
    assert system.containers.list_names("jupyter-al") == [
        "jupyter-al",
        "jupyter-albert",
        "jupyter-alice",
    ]


@pytest.mark.parametrize("name", ["../info", "a/b", "", "ü", "-x", "a b", "."])
def test_names_no_container_can_have_are_never_sent(
    system: ContainerManager, stand_in: ContainerManagerStandIn, name: str
) -> None:
    with pytest.raises(Invalid):
        system.containers.inspect(name)
    assert stand_in.ledger.items == []


def test_a_stubborn_container_is_killed_after_its_grace(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    number = stand_in.run_container("stubborn", Cmd=STUBBORN)
    assert system.containers.stop(number, grace_s=1) is True
    assert system.containers.stop(number, grace_s=1) is False
    assert system.containers.inspect("stubborn").stopped


def test_a_container_that_removes_itself_is_stopped(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    stand_in.run_container("auto", HostConfig={"AutoRemove": True})
    connector = system.connectors[KIND]
    change = plan_change(system, "auto", {"running": False})
    assert connector.apply(change) == CHANGED
    assert connector.verify(change) is not None


def test_a_flapping_container_is_not_called_stopped(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    number = stand_in.run_container(
        "flap", Cmd=["/bin/sh", "-c", "exit 1"], HostConfig={"RestartPolicy": {"Name": "always"}}
    )
    with pytest.raises(Unavailable):
        system.containers.stop(number)


def test_runs_commands_and_tells_outputs_apart(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    number = stand_in.run_container("tool")
    script = "echo out $A; echo err >&2; exit 3"
    done = system.containers.execute(
        number, ["/bin/sh", "-c", script], environment={"A": "b"}, user="www-data"
    )
    assert (done.exit_code, done.stdout, done.stderr) == (3, "out b\n", "err\n")
    assert system.containers.execute(number, ["/bin/nosuch"]).exit_code == 127
    assert system.containers.execute(number, ["/bin/true"], user="nosuch").exit_code == 125


def test_commands_need_a_running_container(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    number = stand_in.run_container("tool")
    system.containers.stop(number)
    with pytest.raises(Unavailable):
        system.containers.execute(number, ["/bin/true"])


def test_the_drives_commands_reach_its_stand_in(
    key: str, connected: Callable[..., ContainerManager]
) -> None:
    asked: list[list[str]] = []

    def occ(argv: Any) -> tuple[int, str]:
        asked.append(list(argv))
        return 0, "done\n"

    stand_in = ContainerManagerStandIn(api_key=key, occ=occ)
    with running(stand_in):
        engine = connected(stand_in).containers
        done = engine.execute(engine.inspect("drive").id, ["php", "occ", "status"], user="www-data")
    assert (done.exit_code, done.stdout) == (0, "done\n")
    assert asked == [["php", "occ", "status"]]


# --- what can go wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "error"),
    [
        ({"fault": "status", "status": 500}, Unavailable),
        ({"fault": "status", "status": 502}, Unavailable),
        ({"fault": "status", "status": 401}, Denied),
        ({"fault": "status", "status": 403}, Denied),
        ({"fault": "status", "status": 400}, Invalid),
        ({"fault": "status", "status": 404}, Invalid),
        ({"fault": "html"}, Invalid),
        ({"fault": "redirect"}, Invalid),
        ({"fault": "garbage"}, Invalid),
        ({"fault": "truncated"}, Unavailable),
        ({"fault": "reset"}, Unavailable),
    ],
)
def test_no_bad_answer_is_a_success(
    system: ContainerManager,
    stand_in: ContainerManagerStandIn,
    key: str,
    document: dict[str, Any],
    error: type[ConnectorError],
) -> None:
    number = stand_in.run_container("jupyter-alice")
    connector = system.connectors[KIND]
    calls: list[Callable[[], object]] = [
        lambda: plan_change(system, "jupyter-alice", None),
        lambda: connector.verify(
            Change(kind=KIND, subject="", target={"container": "jupyter-alice"})
        ),
        lambda: system.containers.stop(number),
        lambda: system.containers.prove_rights(),
        lambda: system.containers.list_names(),
    ]
    for call in calls:
        fault(stand_in, **document)
        with pytest.raises(error) as caught:
            call()
        assert key not in str(caught.value) + caught.value.advice
    assert status_of(stand_in, "jupyter-alice") == "running"


def test_too_many_requests_say_when(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    fault(stand_in, fault="status", status=429, retry_after="7")
    with pytest.raises(Unavailable) as caught:
        system.containers.inspect("x1")
    assert caught.value.retry_after == 7


def test_a_stop_that_timed_out_after_its_effect_ends_well(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    stand_in.run_container("jupyter-alice")
    connector = system.connectors[KIND]
    change = plan_change(system, "jupyter-alice", {"running": False})
    fault(stand_in, fault="timeout_after_effect", method="POST", path="/stop", seconds=0.05)
    with pytest.raises(Unavailable):
        connector.apply(change)
    assert connector.apply(change) == ALREADY
    assert connector.verify(change) is not None


@pytest.mark.parametrize(
    ("changes", "error"),
    [({"api_key": Secret("wrong")}, Denied), ({"environment_id": 99}, Invalid)],
)
def test_a_wrong_key_or_environment_never_proves_absence(
    stand_in: ContainerManagerStandIn,
    connected: Callable[..., ContainerManager],
    changes: dict[str, Any],
    error: type[ConnectorError],
) -> None:
    system = connected(stand_in, **changes)
    with pytest.raises(error):
        plan_change(system, "jupyter-nobody", {"running": False})
    with pytest.raises(error):
        system.prove_rights()
    assert any(
        finding.severity is Severity.FAILING and finding.remedy for finding in system.check()
    )


def test_a_dead_engine_is_not_absence(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    httpx.post(stand_in.control_url + "/settings", json={"engine": "down"}).raise_for_status()
    with pytest.raises(Unavailable):
        plan_change(system, "jupyter-nobody", None)


def test_check_finds_nothing_wrong(system: ContainerManager) -> None:
    findings = system.check()
    assert {finding.severity for finding in findings} == {Severity.OK}
    assert {"reachable", "key", "role", "environment", "engine", "API version"} <= {
        f.name for f in findings
    }


def test_each_member_that_is_shown_is_decided_about(
    system: ContainerManager, stand_in: Any
) -> None:
    stand_in.run_container("jupyter-decided", Env=["JUPYTERHUB_USER=decided"])
    assert not {name: left for name, left in undecided(system).items() if left}


@pytest.mark.parametrize(
    ("call", "changed", "name", "severity"),
    [
        ("me", {"forceChangePassword": True}, "owner of the key", Severity.WARNING),
        (
            "environment",
            {"TLSConfig": {"TLS": True, "TLSSkipVerify": True}},
            "certificate of the engine",
            Severity.WARNING,
        ),
        ("engine_version", {"Os": "windows"}, "operating system of the engine", Severity.FAILING),
        ("me", {"Role": 2}, "role", Severity.FAILING),
    ],
)
def test_a_member_that_is_not_as_needed_is_said(
    system: ContainerManager,
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    changed: dict[str, Any],
    name: str,
    severity: Severity,
) -> None:
    shown = getattr(system.client, call)()
    monkeypatch.setattr(type(system.client), call, lambda _client: {**shown, **changed})
    (found,) = [one for one in system.check() if one.name == name]
    assert found.severity is severity
    assert found.remedy


def test_check_raises_nothing_when_portainer_goes_away_meanwhile(
    system: ContainerManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([{"Username": "admin", "Role": 1}])

    def me(_client: object) -> dict[str, Any]:
        for answer in answers:
            return answer
        raise Unavailable(
            quote_words("it went away"),
            kind="container_manager",
            doing=quote_words("asking"),
            advice=quote_words("Wait."),
        )

    monkeypatch.setattr(Client, "me", me)
    last = system.check()[-1]
    assert (last.name, last.severity, last.text) == ("role", Severity.FAILING, "it went away")


def test_rights_are_proven_by_environment_and_list(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    stand_in.run_container("one")
    assert "1 containers" in system.prove_rights().text
    assert all(not call["effect"] for call in stand_in.ledger.items)
