"""Pages follow what was seen: by a plan's own looks, by who is there, by how the systems
stand.
"""

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.utils import timezone

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.people_in_motion.people import (
    ROOT,
    administrator,
    approve_registration,
    remove,
    settle_person,
)
from tests.visitors import BACKEND, Visitor
from tests.web.pages import scenes
from tests.web.pages.healthy import healthy
from workspace_manager.access import provider_state
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.messages import message as of_contract
from workspace_manager.engine import pause
from workspace_manager.operations.health_state import read_health as stands
from workspace_manager.people import suspend
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import (
    Account,
    Component,
    Health,
    Person,
    Plan,
    ProviderState,
    Stack,
)
from workspace_manager.web.pages.answers import error_notice

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


def test_who_was_just_shut_out_is_not_called_able_to_sign_in(world: WorldWithIdentities) -> None:
    alice = settle_person("alice", world)
    sub = SocialAccount.objects.get(user=alice).uid
    provider_state.note(sub, ProviderState.State.ENABLED)
    suspend.suspend("alice", actor=ROOT, systems=world.systems())
    work(world)
    said = provider_state.last_known_state(alice)
    assert said is not None
    assert said.state == ProviderState.State.DISABLED
    suspend.resume("alice", actor=ROOT, systems=world.systems())
    work(world)
    said = provider_state.last_known_state(alice)
    assert said is not None
    assert said.state == ProviderState.State.ENABLED


def test_an_account_that_never_existed_is_none_and_not_unknown(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    plan = suspend.suspend("alice", actor=ROOT, systems=world.systems())
    work(world)
    plan.refresh_from_db()
    view = view_plan(plan)
    states = {one.credential: one.state for one in view.end_of_access}
    assert states["sql_password"] == states["triplestore_password"] == "nothing"
    assert "not_shown" not in states.values()
    assert view.headline.state == "done"


def test_no_list_is_green_where_something_known_is_open(world: WorldWithIdentities) -> None:
    """Somebody who was taken over and never signed in: the account there is enabled."""
    sub = approve_registration("edsger", world).sub
    person = make_person("edsger")
    Account.objects.filter(kind="identity_provider.user", name=sub).update(person=person)
    plan = remove("edsger", world)
    work(world)
    settle_person("alice", world)
    green = remove("alice", world)
    work(world, late_looks=True)
    assert {one.state for one in Plan.objects.all()} == {Plan.State.DONE}
    root = Person.objects.get(username=ROOT)
    browser = Visitor(root)
    browser.force_login(root, backend=BACKEND)
    for address in ("/manage/plans?state=done", "/manage/people/edsger"):
        page = browser.get(address).content.decode()
        listed = page.partition('<ul class="lines">')[2]
        shown_as = listed.partition(f"/manage/plans/{plan.id}")[2].partition("</li>")[0]
        state = shown_as.partition('class="line-state"')[2]
        assert "state-stuck" in state, address
        assert "<span>open</span>" in state
        assert "state-done" not in state
    page = browser.get("/manage/plans?state=done").content.decode()
    shown_as = page.partition(f"/manage/plans/{green.id}")[2].partition("</li>")[0]
    assert "state-done" in shown_as.partition('class="line-state"')[2]


def test_a_system_that_was_resumed_is_not_paused_any_more() -> None:
    now = timezone.now()
    pause.pause("drive", actor="ada", reason="An upgrade")
    Health.objects.update_or_create(
        system="drive",
        defaults={
            "state": Health.State.PAUSED, "told_by": Health.Teller.PAUSE, "since": now,
            "looked_at": now,
        },
    )  # fmt: skip
    assert stands("drive", now).state == Health.State.PAUSED
    pause.resume("drive", actor="ada")
    assert stands("drive", now).state == Health.State.NOT_ASKED


def test_nothing_is_called_ready_in_a_system_that_is_down(as_ada: Client, ada: Person) -> None:
    scenes.database(ada, "Herbarium")
    address = "/components"
    assert "<span>ready</span>" in as_ada.get(address).content.decode()
    now = timezone.now()
    Health.objects.update_or_create(
        system="sql_server",
        defaults={"state": Health.State.DOWN, "since": now, "looked_at": now},
    )
    page = as_ada.get(address).content.decode()
    assert "not available" in page
    assert "<span>ready</span>" not in page


def test_its_own_page_says_it_too_and_so_does_that_of_its_stack(
    as_ada: Client, ada: Person
) -> None:
    made = scenes.database(ada, "Herbarium")
    stack = Stack.objects.create(owner=ada, label="Ferns", state="ready")
    Component.objects.filter(id=made.id).update(stack=stack)
    addresses = f"/components/{made.id}", f"/stacks/{stack.id}"
    for address in addresses:
        assert "<span>ready</span>" in as_ada.get(address).content.decode()
    healthy("sql_server", "down")
    page = as_ada.get(addresses[0]).content.decode()
    assert "<span>ready</span>" not in page
    assert "not available" in page.partition('id="component-state"')[2].partition("</div>")[0]
    assert "Its system, SQL server, is not available at the moment" in page
    parts = as_ada.get(addresses[1]).content.decode().partition('id="parts"')[2]
    assert "not available" in parts.partition("</ul>")[0]


def test_what_somebody_asked_for_is_not_said_to_be_asked_again() -> None:
    away = Unavailable(
        quote_words("HTTP 503"),
        kind="identity_provider.user",
        doing=quote_words("creating"),
        advice=of_contract("overloaded"),
    )
    said = error_notice(away)
    assert said.advice is not None
    assert "This is not retried automatically." in said.advice.english
