"""Run by `test_eighth_system.py` in a process where the kiln's distribution is installed: it is
known everywhere.
"""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest
from allauth.socialaccount.models import SocialAccount
from click.testing import CliRunner
from django.test import Client
from workspace_kiln.stand_in import KilnStandIn

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.world import World
from tests.people_in_motion.people import register
from tests.visitors import Visitor
from workspace_manager.cli.check import check
from workspace_manager.cli.health import health as show_health
from workspace_manager.cli.settings import settings
from workspace_manager.cli.systems import systems
from workspace_manager.contract.message import Message, in_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput
from workspace_manager.engine import run as engine
from workspace_manager.operations import health
from workspace_manager.operations import settings as system_settings
from workspace_manager.people import approve, names_free
from workspace_manager.people.suspend import resume, suspend
from workspace_manager.people.withdraw import withdraw
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.records.models import Account, Person, Plan, StoredSetting, SystemStatus
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.systems import registry
from workspace_manager.wiring import connected_systems
from workspace_sandbox.secrets_file import read_or_make
from workspace_sandbox.server import running
from workspace_sandbox.world import World as Sandbox

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "canary-key"


@pytest.fixture
def kiln() -> Iterator[KilnStandIn]:
    stand_in = KilnStandIn(keys={KEY: ("warden", "warden")})
    with running(stand_in):
        yield stand_in


@pytest.fixture
def configured_kiln(kiln: KilnStandIn) -> KilnStandIn:
    system_settings.save("kiln", {"url": kiln.url, "key": KEY}, actor="ada")
    return kiln


@pytest.fixture
def everything(configured_kiln: KilnStandIn, world: World) -> ConnectedSystems:
    """Ours in memory, and the kiln as wiring connects it."""
    real, ours = connected_systems(), world.systems()
    return ConnectedSystems(
        by_name={**ours.by_name, "kiln": real.by_name["kiln"]}, settings=real.settings
    )


@pytest.fixture
def potter(alice: Person, configured_kiln: KilnStandIn) -> Person:
    """Somebody with an account of the kiln, who signed in."""
    SocialAccount.objects.create(user=alice, provider="identity_provider", uid="sub-of-alice")
    Account.objects.create(
        system="kiln", kind="kiln.account", name="alice7", username="alice", person=alice
    )
    configured_kiln.state["accounts"] |= {"alice": False, "alice7": False, "alicia": False}
    return alice


def worked(plan: Plan, systems: ConnectedSystems) -> Plan:
    while engine.run(plan.id, systems, kinds=PLAN_KINDS):
        pass
    plan.refresh_from_db()
    return plan


def test_it_is_in_the_list_after_ours_and_wired(configured_kiln: KilnStandIn) -> None:
    assert registry().names()[7:] == ["kiln"]
    assert registry().wrong == ()
    assert connected_systems().by_name["kiln"].name == "kiln"


def test_check_shows_what_is_wrong_with_it(configured_kiln: KilnStandIn) -> None:
    found = CliRunner().invoke(check, ["kiln"])
    assert found.exit_code == 0, found.output
    assert "the key is that of the warden warden" in found.output
    system_settings.save("kiln", {"key": "wrong"}, actor="ada")
    assert CliRunner().invoke(check, ["kiln"]).exit_code == 1


def test_its_health_is_seen_by_its_key_alone(
    configured_kiln: KilnStandIn, as_administrator: Visitor
) -> None:
    assert not registry().specs["kiln"].look
    assert health.look("kiln", connected_systems()) is not None
    shown = as_administrator.ask("GET", "/systems/kiln/health").json()
    assert (shown["state"], shown["reason"]) == ("up", None)
    assert "kiln" in CliRunner().invoke(show_health, ["kiln"]).output


def test_the_command_line_sets_it_and_tests_it(kiln: KilnStandIn) -> None:
    set_ = CliRunner().invoke(settings, ["set", "kiln", "url", kiln.url])
    assert set_.exit_code == 0, set_.output
    typed = CliRunner().invoke(settings, ["set", "kiln", "key"], input=f"{KEY}\n")
    assert typed.exit_code == 0, typed.output
    assert kiln.url in CliRunner().invoke(settings, ["get", "kiln", "url"]).output
    assert "kiln" in CliRunner().invoke(settings, ["list"]).output
    assert CliRunner().invoke(settings, ["test", "kiln"]).exit_code == 0
    assert CliRunner().invoke(systems, ["pause", "kiln"]).exit_code == 0
    assert SystemStatus.objects.get(system="kiln").paused
    assert CliRunner().invoke(systems, ["resume", "kiln"]).exit_code == 0
    assert "kiln" in CliRunner().invoke(systems, ["list"]).output


def test_rest_shows_sets_tests_and_pauses_it(as_administrator: Visitor, kiln: KilnStandIn) -> None:
    where = "/systems/kiln"
    assert as_administrator.ask("GET", where).json()["missing"] == ["url", "key"]
    values = {"settings": {"url": kiln.url, "key": KEY}}
    tested = as_administrator.ask("POST", f"{where}/test", values).json()
    assert (tested["failing"], StoredSetting.objects.exists()) == (0, False)
    shown = as_administrator.ask("PATCH", where, values)
    assert shown.status_code == 200
    assert KEY not in shown.content.decode()
    assert shown.json()["configured"]
    checked = as_administrator.ask("POST", f"{where}/check").json()
    assert [one["severity"] for one in checked["findings"]] == ["ok"]
    assert as_administrator.ask("POST", f"{where}/pause").json()["paused"]
    assert not as_administrator.ask("POST", f"{where}/resume").json()["paused"]


def test_its_inventory_is_read(configured_kiln: KilnStandIn) -> None:
    configured_kiln.state["accounts"] = {"alice": False, "bob": True, "warden": False}
    read = registry().specs["kiln"].lister()
    assert read
    page = read(connected_systems().by_name["kiln"], "")
    assert [(one.name, one.open, bool(one.kept)) for one in page.listed] == [
        *(("alice", True, False), ("bob", False, False), ("warden", True, True)),
    ]
    assert page.next == ""


def test_its_card_is_on_the_page_in_the_readers_language(client: Client, ada: Person) -> None:
    client.force_login(ada)
    page = client.get("/manage/systems").content.decode()
    assert 'id="kiln"' in page
    assert "Warden’s key" in page
    Person.objects.filter(id=ada.id).update(locale="de")
    client.cookies["django_language"] = "de"
    assert "Brennofen" in client.get("/manage/systems").content.decode()


def test_its_sentences_are_said_in_german(configured_kiln: KilnStandIn) -> None:
    (finding,) = connected_systems().by_name["kiln"].check()
    again = Message.model_validate(finding.model_dump(mode="json")["message"])
    assert in_words(again, "de") == "der Schlüssel gehört dem Ofenwart warden"


def test_a_removal_deletes_accounts_there_before_the_records(
    potter: Person, ada: Person, everything: ConnectedSystems, configured_kiln: KilnStandIn
) -> None:
    plan = draft_removal("alice", actor="ada", systems=everything)
    steps = {step.n: step for step in plan.steps.all()}
    assert [(n, steps[n].name) for n in sorted(steps)][5:] == [
        (6, "remove_triplestore_user"),
        (7, "remove_kiln_accounts"),
        (8, "delete_records"),
    ]
    assert steps[8].needs == [5, 6, 7]
    approve_removal(plan.id, digest=plan.digest, actor="ada", systems=everything)
    plan = worked(plan, everything)
    assert plan.state == "done", [(s.name, s.state, s.reason) for s in plan.steps.all()]
    assert configured_kiln.state["accounts"] == {"alicia": False}
    ended = {one.credential: one.state for one in view_plan(plan).end_of_access}
    assert ended["kiln_key"] == "ended"


def test_a_suspension_shuts_it_and_the_way_back_opens_what_was_open(
    potter: Person, ada: Person, everything: ConnectedSystems, configured_kiln: KilnStandIn
) -> None:
    worked(suspend("alice", actor="ada", systems=everything), everything)
    assert configured_kiln.state["accounts"] == {"alice": False, "alice7": True, "alicia": False}
    worked(resume("alice", actor="ada", systems=everything), everything)
    assert configured_kiln.state["accounts"]["alice7"] is False
    configured_kiln.state["accounts"]["alice7"] = True
    worked(suspend("alice", actor="ada", systems=everything), everything)
    worked(resume("alice", actor="ada", systems=everything), everything)
    assert configured_kiln.state["accounts"]["alice7"] is True, "what was shut before stays shut"


def test_an_approval_makes_an_account_and_a_withdrawal_deletes_it(
    configured_kiln: KilnStandIn, ada: Person
) -> None:
    world = WorldWithIdentities()
    real, ours = connected_systems(), world.systems()
    everything = ConnectedSystems(
        by_name={**ours.by_name, "kiln": real.by_name["kiln"]}, settings=real.settings
    )
    row = approve.approve(register("carol").id, actor="ada", systems=everything)
    made = worked(Plan.objects.get(kind="approval.accounts"), everything)
    assert made.state == "done", [(s.name, s.state, s.reason) for s in made.steps.all()]
    assert configured_kiln.state["accounts"] == {"carol": False}
    assert Account.objects.get(kind="kiln.account").made_by_us
    gone = worked(withdraw(row.id, actor="ada", systems=everything), everything)
    assert gone.state == "done", [(s.name, s.state, s.reason) for s in gone.steps.all()]
    assert configured_kiln.state["accounts"] == {}


def test_an_account_of_somebody_else_is_not_taken_for_the_approved(
    configured_kiln: KilnStandIn, ada: Person
) -> None:
    world = WorldWithIdentities()
    real, ours = connected_systems(), world.systems()
    everything = ConnectedSystems(
        by_name={**ours.by_name, "kiln": real.by_name["kiln"]}, settings=real.settings
    )
    configured_kiln.state["accounts"] = {"carol": False}
    approve.approve(register("carol").id, actor="ada", systems=everything)
    made = worked(Plan.objects.get(kind="approval.accounts"), everything)
    assert (made.state, made.steps.get().cause) == ("stuck", "conflict")
    assert not Account.objects.filter(kind="kiln.account").exists()


def test_nobody_gets_the_wardens_name(configured_kiln: KilnStandIn) -> None:
    system_settings.save("kiln", {"warden": "dora"}, actor="ada")
    for name in ("dora", "kiln-9"):
        with pytest.raises((BadInput, ValueError)):
            names_free.applicant_name(name)


def test_a_sandbox_starts_its_stand_in(tmp_path: Path) -> None:
    async def told() -> Mapping[str, str]:
        sandbox = Sandbox(tmp_path, "http://127.0.0.1:8000", values=read_or_make(tmp_path))
        await sandbox._outside()
        url = sandbox.systems["kiln"]["url"]
        answer = await asyncio.to_thread(httpx.get, url, trust_env=False)
        await sandbox.stop()
        assert answer.status_code == 200
        assert url.endswith(f":{sandbox.values['kiln.port']}")
        return sandbox.environment

    assert asyncio.run(told()).keys() == {"WORKSPACE_KILN__URL", "WORKSPACE_KILN__KEY"}
