"""Names that follow from rules are compared with those that hub and engine list."""

from typing import Any

import pytest

from tests.systems.notebook_hub.test_checks import find_finding
from workspace_manager.contract.connector import Severity
from workspace_manager.contract.known_people import KnownPerson
from workspace_manager.contract.message import Message

JOHN = KnownPerson("john.doe", "john@example.org", "John Doe", "3f0c")
PEOPLE = (KnownPerson("ada", "ada@example.org", "Ada L", "77"), JOHN)


def code(said: Message | None) -> str:
    return said.code if said else ""


def ran(world: Any, user: str, *, container: str = "", said: bool = True) -> None:
    """A server of the hub that runs in its container."""
    world.hub.add_user(user)
    world.hub.users()[user]["running"] = True
    name = container or world.hub.container(user)
    environment = [f"JUPYTERHUB_USER={user}"] if said else []
    world.manager.run_container(name, image="sandbox/notebook", Env=environment)


@pytest.mark.parametrize(
    ("user", "claim"),
    [("john@example.org", "e-mail"), ("3f0c", "the id"), ("john doe", "full name")],
)
@pytest.mark.parametrize("seen", [{}, {"with_api": False}])
def test_a_hub_that_calls_people_otherwise_is_seen(
    world: Any, user: str, claim: str, seen: dict[str, Any]
) -> None:
    ran(world, "ada")
    ran(world, user)
    finding = find_finding(world, "names of people", people=PEOPLE, **seen)
    assert finding.severity is Severity.FAILING
    assert user in finding.text
    assert "of john.doe" in finding.text
    assert claim in finding.text
    assert code(finding.message) == "notebook_hub.called_otherwise"
    assert "username_claim" in finding.remedy


def test_users_of_the_hub_who_are_nobody_here_are_no_misconfiguration(world: Any) -> None:
    ran(world, "ada")
    ran(world, "somebody.else")
    ran(world, "otto")
    people = (*PEOPLE, KnownPerson("otto.k", full_name="Otto"))
    assert find_finding(world, "names of people", people=people).severity is Severity.OK


def test_that_nobody_at_work_is_ours_is_said(world: Any) -> None:
    world.hub.add_user("admin")
    assert find_finding(world, "names of people", people=PEOPLE).severity is Severity.OK
    ran(world, "emp-4711")
    finding = find_finding(world, "names of people", people=PEOPLE)
    assert finding.severity is Severity.WARNING
    assert "emp-4711" in finding.text
    assert code(finding.message) == "notebook_hub.nobody_of_ours"
    assert find_finding(world, "names of people").severity is Severity.OK, "nobody is known yet"


@pytest.mark.parametrize("user", ["john.doe", "adam", "ümlaut"])
@pytest.mark.parametrize("with_api", [True, False])
def test_a_prefix_without_its_dash_is_said_as_the_prefix(
    world: Any, user: str, with_api: bool
) -> None:
    """`jupyter-adam` also fits the prefix `jupyter` and the escape, by chance."""
    ran(world, user)
    finding = find_finding(
        world, "container names", container_name_prefix="jupyter", with_api=with_api
    )
    assert finding.severity is Severity.FAILING
    assert finding.remedy.startswith("Set container_name_prefix to jupyter-.")
    assert f"{user}" in finding.text
    assert code(finding.remedy_message) == "notebook_hub.set_prefix"


def test_without_a_word_whose_they_are_the_dash_is_seen_too(world: Any) -> None:
    world.manager.run_container("jupyter-john-2edoe", image="sandbox/notebook")
    finding = find_finding(
        world, "container names", container_name_prefix="jupyter", with_api=False
    )
    assert finding.remedy.startswith("Set container_name_prefix to jupyter-.")


@pytest.mark.parametrize("people", [PEOPLE, ()])
def test_containers_of_quite_another_prefix_are_seen(world: Any, people: Any) -> None:
    world.hub.prefix = "nb-"
    ran(world, "john.doe")
    finding = find_finding(world, "container names", people=people)
    assert finding.severity is Severity.FAILING
    assert "nb-john-2edoe" in finding.text
    assert finding.remedy.startswith("Set container_name_prefix to nb-.")
    if people:
        alone = find_finding(world, "container names", people=people, with_api=False)
        assert (alone.text, alone.remedy) == (finding.text, finding.remedy)


@pytest.mark.parametrize(
    ("ours", "theirs"), [("dockerspawner", "legacy"), ("legacy", "none"), ("none", "dockerspawner")]
)
def test_another_escape_is_named(world: Any, ours: str, theirs: str) -> None:
    world.hub.escape = theirs
    ran(world, "ada")
    ran(world, "john.doe")
    finding = find_finding(world, "container names", container_name_escape=ours)
    assert finding.severity is Severity.FAILING
    assert finding.remedy.startswith(f"Set container_name_escape to {theirs}.")
    assert code(finding.remedy_message) == "notebook_hub.set_escape_to"


def test_another_template_is_told_from_a_rule(world: Any) -> None:
    ran(world, "john.doe", container="jupyter-john-2edoe-lab")
    finding = find_finding(world, "container names", with_api=False)
    assert finding.severity is Severity.FAILING
    assert code(finding.remedy_message) == "notebook_hub.leave_name_template"


def test_one_that_an_earlier_prefix_made_changes_no_setting(world: Any) -> None:
    ran(world, "john.doe")
    ran(world, "ada", container="nb-ada")
    finding = find_finding(world, "container names", people=PEOPLE, with_api=False)
    assert finding.severity is Severity.WARNING
    assert "nb-ada" in finding.text
    assert finding.remedy.startswith("Other containers match")


def test_named_servers_fit(world: Any) -> None:
    ran(world, "john.doe")
    container = world.hub.add_server("john.doe", "lab")
    world.manager.run_container(
        container, image="sandbox/notebook", Env=["JUPYTERHUB_USER=john.doe"]
    )
    for with_api in (True, False):
        assert find_finding(world, "container names", with_api=with_api).severity is Severity.OK


def test_the_client_of_another_address_is_said(world: Any) -> None:
    assert find_finding(world, "client").severity is Severity.OK
    world.hub._sign_in._client = world.hub._sign_in._client._replace(id="another")
    finding = find_finding(world, "client")
    assert finding.severity is Severity.WARNING
    assert "with the client another" in finding.text
    assert code(finding.message) == "notebook_hub.signs_in_by_other_client"
    assert world.hub.url in finding.remedy


@pytest.mark.parametrize("fault", [{"fault": "status", "status": 404}, {"fault": "reset"}])
def test_a_sign_in_that_cannot_be_begun_is_not_called_well(
    world: Any, fault: dict[str, Any]
) -> None:
    world.hub.faults.add({"path": "/hub/oauth_login", "times": 9, **fault})
    finding = find_finding(world, "client")
    assert finding.severity is Severity.WARNING
    assert finding.remedy
