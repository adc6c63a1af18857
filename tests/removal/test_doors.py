"""A removal shuts every door by itself from the approval on: one that is refused holds up no other,
and no step that does without it.
"""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.fake_world.leaving import SUB, alice_with_everything, approved_removal
from tests.fake_world.people import make_person
from tests.fake_world.refusing import RULE, RefusingWorld
from tests.fake_world.world import Killed, World
from workspace_manager.contract.errors import Denied, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Refused
from workspace_manager.engine import doors
from workspace_manager.engine.plan import digest_of
from workspace_manager.engine.run import run
from workspace_manager.notices import letters
from workspace_manager.people import suspend
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.records.models import Account, Mail, Person, Plan, PlanStep
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

pytestmark = pytest.mark.django_db(transaction=True)

USER, ACCOUNT = f"identity_provider.user:{SUB}", f"drive.account:{SUB}"
NOTEBOOK = "notebook_hub.container:jupyter-alice"
KIND = "identity_provider.user"


def down(system: str, world: World) -> None:
    world.broken[system] = lambda verb: Unavailable(
        quote_words(f"{system} is silent"), kind=f"{system}.user", doing=quote_words(verb)
    )


def wake(plan: Plan, world: World) -> Plan:
    """Work on it as if its time had come."""
    now = timezone.now() - timedelta(seconds=1)
    PlanStep.objects.filter(plan=plan).exclude(next_try_at=None).update(next_try_at=now)
    Plan.objects.filter(id=plan.id).exclude(due_at=None).update(due_at=now)
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    return plan


def read_credentials(plan: Plan) -> dict[str, tuple[str, str]]:
    return {one.credential: (one.state, one.text) for one in view_plan(plan).end_of_access}


def removal(world: World) -> Plan:
    alice_with_everything(world)
    return approved_removal(world)


def test_a_user_that_may_not_be_changed_is_removed_all_the_same() -> None:
    world = RefusingWorld()
    plan = wake(removal(world), world)
    assert plan.state == Plan.State.DONE
    assert USER not in world.things
    assert ACCOUNT not in world.things
    assert world.things[NOTEBOOK] == {"running": False}
    clear = plan.steps.get(n=3).changes.get(kind="identity_provider.attributes")
    assert (clear.state, str(clear.reason.english)) == ("left_alone", RULE)
    assert read_credentials(plan)["password"][0] == "ended"


def test_a_refused_door_holds_up_no_other_while_a_step_waits() -> None:
    """The drive's deletion waits, so the user has to stay: all but its sign-in is shut."""
    world = RefusingWorld()
    plan = removal(world)
    down("drive", world)
    wake(plan, world)
    assert world.things[USER] == {"enabled": True, "sessions": 0}
    assert world.things[NOTEBOOK] == {"running": False}
    assert "sql_server.user:alice" not in world.things
    told = read_credentials(plan)
    assert told["password"] == ("open", f"{RULE}. compare it with the profile")
    assert told["access_token"][0] == "open"
    assert told["identity_session"][0] == told["refresh_token"][0] == "ended"
    assert told["notebook"][0] == told["sql_password"][0] == "ended"
    assert told["drive_session"] == ("pending", told["drive_session"][1])
    assert told["drive_session"][1].startswith("drive is silent.")
    assert plan.due_at is not None


def test_every_door_is_tried_while_the_identity_provider_is_silent() -> None:
    world = World()
    plan = removal(world)
    down("identity_provider", world)
    wake(plan, world)
    assert world.things[ACCOUNT]["enabled"] is False
    assert [one["state"] for one in plan.invariants if one["change"]["kind"] == "drive.account"]
    assert read_credentials(plan)["drive_session"][0] == "ended"
    assert read_credentials(plan)["password"][0] == "pending"
    assert plan.steps.get(n=3).state == "pending"


def test_an_open_door_is_tried_at_every_wake_and_by_itself() -> None:
    world = RefusingWorld()
    plan = removal(world)
    down("drive", world)
    wake(plan, world)
    [sign_in, _] = [one for one in plan.invariants if one["change"]["kind"] == KIND]
    assert sign_in["next_try_at"]
    assert plan.due_at
    assert plan.due_at.isoformat() <= sign_in["next_try_at"]
    world.things[USER]["sessions"] = 1  # signed in again
    world.things[NOTEBOOK] = {"running": True}
    wake(plan, world)
    assert world.things[USER]["sessions"] == 0
    assert world.things[NOTEBOOK] == {"running": False}
    assert any("sign-in block was restored" in text for text in view_plan(plan).findings)
    world.rule = ""
    wake(plan, world)
    assert world.things[USER]["enabled"] is False
    assert read_credentials(plan)["password"][0] == "ended"


def test_credentials_go_only_after_the_app_password_was_revoked() -> None:
    world = RefusingWorld()
    plan = removal(world)
    credentials = f"identity_provider.credentials:{SUB}"
    world.things[credentials] = {"credentials": 1}
    down("drive", world)
    wake(plan, world)
    assert credentials in world.things
    world.broken.clear()
    wake(plan, world)
    written = world.writes
    revoked = written.index(f"remove drive.app_password:{SUB}")
    assert revoked < written.index(f"remove {credentials}") < written.index(f"remove {USER}")
    assert revoked < next(n for n, one in enumerate(written) if one.startswith("apply drive.acc"))


def test_what_is_shut_is_noted_as_shut_by_us() -> None:
    world = World()
    plan = removal(world)
    down("identity_provider", world)
    wake(plan, world)
    rows = Account.objects.filter(locked_by_us=True).values_list("kind", flat=True)
    assert "drive.account" in rows


class Listening(World):
    """Remembers what its SQL server was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def call(self, system: str, verb: str) -> None:
        if system == "sql_server":
            self.asked.append(verb)


def test_a_credential_of_ours_that_is_refused_is_stuck_at_its_step_as_ever() -> None:
    world = Listening()
    plan = removal(world)
    world.broken["sql_server"] = lambda verb: Denied(
        quote_words("no"), kind="sql_server.user", doing=quote_words(verb)
    )
    wake(plan, world)
    assert plan.steps.get(name="drop_sql_users").state == "stuck"
    assert world.asked == ["plan", "prove_credential"], "the refused credential is not used twice"


def test_killed_at_any_write_every_door_is_shut_once() -> None:
    clean = World()
    wake(removal(clean), clean)
    for n in range(1, clean.ticks + 1):
        world, writes = World(), clean.writes
        Plan.objects.all().delete()
        Account.objects.all().delete()
        world.kill_at = n
        plan = repeat_removal(world)
        with pytest.raises(Killed):
            wake(plan, world)
        Plan.objects.filter(id=plan.id).update(lease_until=None, due_at=timezone.now())
        for _ in range(4):
            wake(plan, world)
        assert plan.state == Plan.State.DONE
        assert sorted(world.writes) == sorted(writes), f"killed at {n}"


def repeat_removal(world: World) -> Plan:
    Person.objects.all().delete()
    return removal(world)


def test_the_preview_says_what_is_shut_at_once(world: World) -> None:
    alice_with_everything(world)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    assert any("Blocked as soon as you confirm" in text for text in view_plan(plan).remarks)
    assert not world.writes


def test_a_door_that_nobody_approved_is_not_shut(world: World) -> None:
    plan = removal(world)
    [drive] = [one for one in plan.invariants if one["change"]["kind"] == "drive.account"]
    drive["change"]["target"]["account_id"] = "bob"
    Plan.objects.filter(id=plan.id).update(invariants=plan.invariants)
    wake(plan, world)
    assert plan.state == Plan.State.STUCK
    assert not world.writes


def test_a_draft_of_an_earlier_version_is_looked_at_again(world: World) -> None:
    alice_with_everything(world)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    earlier(plan)
    with pytest.raises(Refused, match="changed since"):
        approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())


def earlier(plan: Plan) -> None:
    """As the version before wrote it: no doors, and step 2 raises the block by itself."""
    document: dict[str, Any] = {**plan.document}
    del document["doors"]
    [block] = document["steps"][1]["changes"]
    block["change"]["after"] = {"enabled": False, "sessions": 0}
    row = plan.steps.get(n=2).changes.get()
    row.change = {**row.change, "after": block["change"]["after"]}
    row.save()
    plan.document_text = json.dumps(document)
    plan.digest, plan.invariants = digest_of(plan.document_text), []
    plan.save()


def test_a_removal_that_an_earlier_version_approved_goes_on_as_before(world: World) -> None:
    plan = removal(world)
    earlier(plan)
    plan = Plan.objects.get(id=plan.id)
    down("drive", world)
    wake(plan, world)
    assert world.things[USER] == {"enabled": False, "sessions": 0}
    [block] = plan.invariants
    assert (block["raised_by"], block["state"]) == ("resolve_identity", "stands")
    assert not doors.doors_of(plan)
    world.broken.clear()
    wake(plan, world)
    assert plan.state == Plan.State.DONE
    assert read_credentials(plan)["password"][0] == "ended"


def test_what_is_somebody_elses_by_now_is_not_shut(world: World) -> None:
    plan = removal(world)
    bob = make_person("bob", sub="bobs-sub")
    Account.objects.create(
        system="drive", kind="drive.account", name=SUB, username="bob", person=bob
    )
    down("identity_provider", world)
    wake(plan, world)
    assert world.things[ACCOUNT] == {"exists": True}
    assert read_credentials(plan)["sql_password"][0] == "ended"
    assert read_credentials(plan)["drive_session"][0] == "open"
    assert "somebody else" in read_credentials(plan)["drive_session"][1]


def test_a_kept_identity_keeps_what_it_signs_in_with(world: World) -> None:
    alice = alice_with_everything(world)
    Account.objects.update_or_create(
        system="identity_provider",
        kind=KIND,
        name=SUB,
        defaults={"adopted": True, "person": alice, "username": "alice"},
    )
    plan = approved_removal(world)
    kinds = [one["change"]["kind"] for one in doors.doors_of(plan)]
    assert "identity_provider.credentials" not in kinds
    assert kinds.count(KIND) == 2
    wake(plan, world)
    assert world.things[USER] == {"enabled": False, "sessions": 0}


@pytest.mark.parametrize(("language", "said"), [("en", "Still open"), ("de", "Noch offen")])
def test_the_letter_says_in_words_what_is_open(language: str, said: str) -> None:
    """Of a suspension that is refused, and of a removal that cannot delete the user yet."""
    world = RefusingWorld()
    alice_with_everything(world)
    root = Person.objects.filter(username="root-admin")
    root.update(email="root@example.org", email_confirmed=True, locale=language)
    plan = suspend.suspend("alice", actor="root-admin", systems=world.systems())
    assert wake(plan, world).state == Plan.State.STUCK
    assert f"{said}: " in _letter()
    assert ("identity provider" if language == "en" else "Anmeldedienst") in _letter()
    assert RULE in _letter()


def _letter() -> str:
    letters.tell_everybody()
    return Mail.objects.filter(kind="notice").latest("created_at").text
