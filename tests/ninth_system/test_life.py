"""A system whose accounts come by themselves and are known by `sub`, from the preview of a removal
to the proof that stays when the system is uninstalled.
"""

import asyncio
import html
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from click.testing import CliRunner
from django.test import Client
from workspace_forge.names import ACCOUNT, target
from workspace_forge.stand_in import ForgeStandIn

from tests.fake_world.identities import WorldWithIdentities
from tests.ninth_system.conftest import SUB, TOKEN, Install
from tests.people_in_motion.people import administrator, approve_registration, register
from workspace_manager import wiring
from workspace_manager.cli.__main__ import main
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.realm import ClientWants
from workspace_manager.contract.system import DesiredState, Holder
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.engine import actions
from workspace_manager.engine import run as engine
from workspace_manager.operations import checks, health
from workspace_manager.operations import settings as system_settings
from workspace_manager.operations.realm_requirements import wanted_realm
from workspace_manager.operations.system_configuration import every_configured
from workspace_manager.people import approve, names_free
from workspace_manager.people.suspension_view import suspension_view
from workspace_manager.people.withdraw import withdraw
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.reconcile import walk
from workspace_manager.records.models import Account, Health, Person, Plan, ReconcileItem
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.web.pages.manage.progress import count_losses
from workspace_sandbox.realm import client_of
from workspace_sandbox.secrets_file import read_or_make
from workspace_sandbox.world import World as Sandbox

pytestmark = pytest.mark.django_db(transaction=True)
Connected = Callable[[], ConnectedSystems]
STEP = "remove_forge_accounts"


@pytest.fixture
def world() -> WorldWithIdentities:
    return WorldWithIdentities()


@pytest.fixture
def systems(install: Install, connected: Connected, ada: Person) -> ConnectedSystems:
    install()
    return connected()


def worked(plan: Plan, systems: ConnectedSystems) -> Plan:
    while engine.run(plan.id, systems, kinds=PLAN_KINDS):
        pass
    plan.refresh_from_db()
    return plan


def drafted(systems: ConnectedSystems) -> Plan:
    return worked(draft_removal("alice", actor="ada", systems=systems), systems)


def approve_plan(plan: Plan, systems: ConnectedSystems) -> Plan:
    approve_removal(plan.id, digest=plan.digest, actor="ada", systems=systems)
    return worked(plan, systems)


def read_credential_states(plan: Plan) -> dict[str, str]:
    return {one.credential: one.state for one in view_plan(plan).end_of_access}


def test_a_removal_says_before_and_after_what_becomes_of_what_is_there(
    systems: ConnectedSystems, smith: Person, forge: ForgeStandIn
) -> None:
    plan = drafted(systems)
    assert "Repositories at the forge stay, and belong to “ghost” then." in view_plan(plan).remarks
    assert (1, "account of the forge") in count_losses(view_plan(plan).steps)
    assert (1, "token of the forge") in count_losses(view_plan(plan).steps)
    plan = approve_plan(plan, systems)
    assert plan.state == Plan.State.DONE
    assert forge.state["users"].keys() == {"sub-of-bob"}
    assert "3 repositories of the forge belong to “ghost” now." in view_plan(plan).findings
    assert (
        read_credential_states(plan)["forge_token"],
        read_credential_states(plan)["forge_session"],
    ) == ("ended", "ended")


def test_its_step_is_called_as_it_says_in_german_too(
    systems: ConnectedSystems, smith: Person, ada: Person, client: Client
) -> None:
    plan = drafted(systems)
    (step,) = (one for one in view_plan(plan).steps if one.name == STEP)
    assert step.label == "Delete the account of the forge and its tokens"
    Person.objects.filter(id=ada.id).update(locale="de")
    client.force_login(Person.objects.get(id=ada.id))
    client.cookies["django_language"] = "de"
    page = client.get(f"/manage/plans/{plan.id}").content.decode()
    assert "Konto der Schmiede und seine Schlüssel löschen" in page
    assert "Remove forge accounts" not in page
    assert "<span>Konto der Schmiede</span>" in page
    suspension = client.get("/manage/people/alice/suspension").content.decode()
    assert "Konto der Schmiede sperren" in suspension
    assert ">Sperren<" in suspension


def test_a_step_that_looked_at_nothing_is_skipped_and_shows_nothing(
    systems: ConnectedSystems, alice: Person, forge: ForgeStandIn
) -> None:
    """Whoever never signed in has no id: a token that lives there is not said to be ended."""
    forge.comes(SUB, "alice", tokens=2)
    plan = approve_plan(drafted(systems), systems)
    step = plan.steps.get(name=STEP)
    assert step.state == "skipped"
    assert "names nothing that belongs to alice" in str(step.reason)
    assert (
        read_credential_states(plan)["forge_token"],
        read_credential_states(plan)["forge_session"],
    ) == ("not_shown", "not_shown")
    assert forge.state["users"][SUB]["tokens"] == 2


def test_what_was_shown_stays_when_the_system_is_uninstalled(
    systems: ConnectedSystems,
    smith: Person,
    uninstall: Callable[[], None],
    ada: Person,
    client: Client,
) -> None:
    plan = approve_plan(drafted(systems), systems)
    before = [one.model_dump() for one in view_plan(plan).end_of_access], view_plan(plan).steps
    uninstall()
    plan = Plan.objects.get(id=plan.id)
    assert [one.model_dump() for one in view_plan(plan).end_of_access] == before[0]
    assert view_plan(plan).steps == before[1]
    client.force_login(ada)
    page = client.get(f"/manage/plans/{plan.id}").content.decode()
    assert "Session of the forge" in page


def test_the_policy_stands_in_the_plan_and_its_digest(
    systems: ConnectedSystems, smith: Person, connected: Connected
) -> None:
    plan = drafted(systems)
    (step,) = (one for one in json.loads(plan.document_text)["steps"] if one["name"] == STEP)
    assert step["policy"]["decided"] == {"purge": False}
    assert step["policy"]["calls"][ACCOUNT]["answer_s"] == 30
    other = drafted_with_purge(connected)
    assert other.digest != plan.digest


def drafted_with_purge(connected: Connected) -> Plan:
    connected()
    system_settings.save("forge", {"purge": "true"}, actor="ada")
    return drafted(connected())


def test_a_setting_that_decides_changed_after_the_preview_refuses_the_approval(
    systems: ConnectedSystems, smith: Person, connected: Connected
) -> None:
    plan = drafted(systems)
    system_settings.save("forge", {"purge": "true"}, actor="ada")
    with pytest.raises(Refused, match="settings have changed"):
        approve_removal(plan.id, digest=plan.digest, actor="ada", systems=connected())


def test_a_setting_that_decides_changed_after_the_approval_is_not_followed(
    systems: ConnectedSystems, smith: Person, connected: Connected, forge: ForgeStandIn
) -> None:
    plan = drafted(systems)
    approve_removal(plan.id, digest=plan.digest, actor="ada", systems=systems)
    system_settings.save("forge", {"purge": "true"}, actor="ada")
    plan = worked(plan, connected())
    step = plan.steps.get(name=STEP)
    assert (step.state, step.cause) == ("stuck", "invalid")
    assert "purge" in str(step.reason)
    assert SUB in forge.state["users"]
    system_settings.save("forge", {"purge": "false"}, actor="ada")
    actions.retry(plan, step.n, actor="ada")
    assert worked(plan, connected()).state == Plan.State.DONE


def test_an_account_that_came_by_itself_is_recorded_by_the_comparison_and_deleted_at_the_end(
    systems: ConnectedSystems, smith: Person, forge: ForgeStandIn
) -> None:
    run = walk.begin(by="ada")
    walk.go_on(run, systems)
    account = Account.objects.get(kind=ACCOUNT)
    assert (account.name, account.person, account.adopted) == (SUB, smith, False)
    found = ReconcileItem.objects.filter(system="forge").values_list("name", flat=True)
    assert [*found] == ["sub-of-bob"], "nobody here signs in as bob"
    SocialAccount.objects.all().delete()
    assert approve_plan(drafted(systems), systems).steps.get(name=STEP).state == "done"
    assert forge.state["users"].keys() == {"sub-of-bob"}


def test_withdrawing_an_approval_asks_it_too(
    systems: ConnectedSystems, forge: ForgeStandIn, world: WorldWithIdentities
) -> None:
    """Somebody was approved, signed in there, and never came here."""
    administrator()
    registration = approve.approve(register("carol").id, actor="root", systems=systems)
    forge.comes(registration.sub, "carol", tokens=1)
    plan = worked(withdraw(registration.id, actor="root", systems=systems), systems)
    assert plan.state == Plan.State.DONE
    assert registration.sub not in forge.state["users"]
    assert not world.users("carol")


def test_names_that_it_can_give_to_nobody_are_given_to_nobody(systems: ConnectedSystems) -> None:
    for name in ("poems.git", "a.keys", "robot"):
        with pytest.raises(NameImpossible):
            names_free.applicant_name(name)
    assert names_free.applicant_name("git") == "git"


def test_what_an_approval_makes_is_made_by_a_plan(
    install: Install, connected: Connected, ada: Person, world: WorldWithIdentities
) -> None:
    install(
        made_at_approval=lambda _settings, holder: (
            DesiredState(ACCOUNT, target(holder.sub), {"blocked": False}),
        )
    )
    systems = connected()
    administrator()
    registration = approve.approve(register("carol").id, actor="root", systems=systems)
    plan = Plan.objects.get(kind="approval.accounts")
    (change,) = plan.steps.get().changes.all()
    assert change.change["target"] == {"sub": registration.sub}
    assert change.change["new"]
    (step,) = view_plan(plan).steps
    assert step.label == "Create accounts: forge"


def test_an_approval_does_not_wait_for_what_cannot_say_what_it_makes(
    install: Install, connected: Connected, ada: Person, world: WorldWithIdentities
) -> None:
    install(made_at_approval=lambda _settings, _holder: 1 / 0)
    systems = connected()
    administrator()
    assert approve_registration("carol", world).status == "approved"
    registration = approve.approve(register("dora").id, actor="root", systems=systems)
    assert registration.status == "approved"
    plan = worked(Plan.objects.get(kind="approval.accounts", person="dora"), systems)
    assert plan.state == Plan.State.STUCK


def test_another_client_that_takes_our_tokens_is_not_taken_for_the_drive_s(
    install: Install, connected: Connected
) -> None:
    install(
        order=0,
        realm_client=lambda settings, _names: ClientWants(
            settings.url, (f"{settings.url}/back",), takes_our_tokens=True
        ),
    )
    connected()
    system_settings.save("drive", {"base_url": "https://drive.example.org"}, actor="ada")
    settings = {name: one.settings for name, one in every_configured().items()}
    manager, *_ = wanted_realm(settings, base_url="https://m.example.org").clients
    named = {one.name: one.config["included.client.audience"] for one in manager.mappers}
    assert named["audience-drive"] == "https://drive.example.org"
    assert named["audience-forge"] == settings["forge"].url  # type: ignore[attr-defined]


def test_what_was_set_up_a_moment_ago_is_looked_at_again_soon(
    install: Install, forge: ForgeStandIn, settings: Any, world: WorldWithIdentities
) -> None:
    """Whoever connected before the settings were stored says nothing, and puts nothing off."""
    settings.HEALTH_LOOK_SECONDS = 60
    install()
    before = wiring.connected_systems()
    system_settings.save("forge", {"url": forge.url, "token": TOKEN}, actor="ada")
    assert str(checks.why_not("forge", before)) == "The forge was set up a moment ago. Try again."
    wait = health.look("forge", before)
    assert wait is not None
    assert wait < 60
    assert Health.objects.get(system="forge").check_at is None
    assert health.look("forge", wiring.connected_systems(), now=_later) is not None
    assert Health.objects.get(system="forge").state == "up"


def _later() -> datetime:
    return database_now() + timedelta(seconds=30)


def test_a_sandbox_gives_its_stand_in_a_client_of_the_realm(
    tmp_path: Path, systems: ConnectedSystems
) -> None:
    async def started() -> tuple[Sandbox, Any]:
        sandbox = Sandbox(tmp_path, "http://127.0.0.1:8000", values=read_or_make(tmp_path))
        sandbox.systems["identity_provider"] = {"url": "http://127.0.0.1:1", "realm": "workspace"}
        await sandbox._outside()
        (stand_in,) = sandbox.stand_ins
        await sandbox.stop()
        return sandbox, stand_in.sign_in_client

    sandbox, client = asyncio.run(started())
    told = sandbox.systems["forge"]
    assert client.issuer == "http://127.0.0.1:1/realms/workspace"
    assert client.client_id == told["url"]
    assert client.client_secret == sandbox.values["client.forge"]
    wanted = client_of("forge", told)
    assert wanted is not None
    assert wanted.redirect_uris == (f"{told['url']}/user/oauth2/callback",)


def test_it_is_told_the_names_that_its_person_had_before(
    install: Install, connected: Connected, smith: Person, ada: Person
) -> None:
    asked: list[tuple[str, ...]] = []

    def remarks(_settings: Any, holder: Holder) -> tuple[()]:
        asked.append(holder.former_names)
        return ()

    install(remarks=remarks)
    Account.objects.create(
        system="forge", kind=ACCOUNT, name="sub-before", username="alicia", person=smith
    )
    drafted(connected())
    assert ("alicia",) in asked


@pytest.mark.parametrize("labels", [True, False], ids=["said", "not said"])
def test_every_step_has_a_label_at_every_door(
    labels: bool,
    install: Install,
    connected: Connected,
    smith: Person,
    ada: Person,
    client: Client,
) -> None:
    """As the forge says it, or by its label; a step of ours is no exception."""
    if labels:
        install()
    else:
        install(step_labels={})
    worked(drafted(connected()), connected())
    called = {
        "shut_forge": "Block the account of the forge" if labels else "Disable accounts: forge",
        "fence_identity": "Disable the account at the identity provider",
    }
    preview = suspension_view("alice", connected(), actor="ada")
    assert {step.name: step.label for step in preview.steps if step.name in called} == called
    assert all(step.label for step in preview.steps)
    ordered = CliRunner().invoke(main, ["people", "suspend", "alice"], catch_exceptions=False)
    plan = Plan.objects.get(kind="suspension")
    shown = CliRunner().invoke(main, ["plans", "show", str(plan.id)], catch_exceptions=False)
    client.force_login(ada)
    page = html.unescape(client.get(f"/manage/plans/{plan.id}").content.decode())
    for label in called.values():
        assert label in ordered.output
        assert label in shown.output
        assert label in page
    assert all(step.label for step in view_plan(plan).steps)
