"""The races: who does what at once, and what must be true whoever wins."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import let_time_pass, work
from tests.people_in_motion import people
from tests.people_in_motion.interleaving import Actor, Baton
from tests.people_in_motion.people import (
    ROOT,
    administrator,
    approve_registration,
    claims,
    come_in,
    register,
)
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.engine.run import run
from workspace_manager.people import admit as first_login
from workspace_manager.people import approve
from workspace_manager.people import register as registering
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.people.withdraw import withdraw
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.records.models import AuditEntry, Person, Plan, Registration, Tombstone
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

OTHER = "other-admin"
EXPECTED = (Refused, Forbidden, ConnectorError, Person.DoesNotExist)
"""What somebody who comes second may be told (of somebody who is gone by then, that there is
nobody). Anything else is a fault.
"""


@dataclass
class Race:
    """One race: `set_up` the scene, `actors` at once, and `check` what came of it after everything
    has settled.
    """

    name: str
    actors: Callable[[WorldWithIdentities], list[Actor]]
    check: Callable[[WorldWithIdentities, list[Any]], None]

    def run(self, seed: int) -> tuple[int, ...]:
        """Give the interleaving that was played. Raises AssertionError with the seed, so that it
        can be run again.
        """
        world, baton = WorldWithIdentities(), Baton(seed)
        actors = self.actors(world)
        world.call = lambda system, verb: baton.point()  # type: ignore[method-assign]
        world.tick = baton.point  # type: ignore[method-assign]
        outcomes = baton.run(actors)
        for outcome in outcomes:
            if isinstance(outcome, Exception) and not isinstance(outcome, EXPECTED):
                raise AssertionError(f"{self.name}, seed {seed}: {outcome!r}") from outcome
        try:
            work(world, late_looks=True)
            self.check(world, outcomes)
        except AssertionError as wrong:
            raise AssertionError(
                f"{self.name}, seed {seed}: {wrong}\n{outcomes}\n{world.writes}"
            ) from wrong
        return tuple(baton.path)


def worker(world: WorldWithIdentities) -> Actor:
    """Run what is due, until nothing has been for a few rounds; who waits is not slept for."""

    def go() -> None:
        for _ in range(12):
            let_time_pass(state__in=[*Plan.OPEN])
            for plan in Plan.objects.exclude(due_at=None).order_by("created_at"):
                run(plan.id, world.systems(), kinds=PLAN_KINDS)

    return go


def removing(name: str, world: WorldWithIdentities, *, actor: str = ROOT) -> Actor:
    """Draft and approve, as an administrator does."""

    def go() -> Plan:
        plan = draft_removal(name, actor=actor, systems=world.systems())
        return approve_removal(plan.id, digest=plan.digest, actor=actor, systems=world.systems())

    return go


# --- approve against approve, and whatever else is decided about one registration -----------------


def _deciding(*verbs: str) -> Callable[[WorldWithIdentities], list[Actor]]:
    def actors(world: WorldWithIdentities) -> list[Actor]:
        administrator()
        administrator(OTHER)
        row = register("alice")
        rows = {"approve": row, "reject": row, "another": row}
        if "another" in verbs:
            rows["another"] = register("alice")
        return [_decide(verb, rows.get(verb, row), world) for verb in verbs]

    return actors


def _decide(verb: str, row: Registration, world: WorldWithIdentities) -> Actor:
    systems = world.systems()
    if verb == "reject":
        return lambda: approve.reject(row.id, actor=OTHER, reason="no")
    if verb == "expire":
        Registration.objects.filter(id=row.id).update(
            created_at=timezone.now() - timedelta(days=100), reminded_at=timezone.now()
        )
        return registering.expire_old
    return lambda: approve.approve(row.id, actor=OTHER, systems=systems)


def one_user(world: WorldWithIdentities, _outcomes: list[Any]) -> None:
    """An approved registration has its user, by its mark; nobody else has one."""
    users = world.users("alice")
    rows = list(Registration.objects.filter(username="alice"))
    good = [row for row in rows if row.status == Registration.Status.APPROVED]
    assert len(users) == len(good) <= 1
    for row in good:
        assert users[row.sub]["mark"] == row.mark
        assert row.password_hash is None
    assert AuditEntry.objects.filter(event="registration:approved").count() == len(good)
    for row in rows:
        assert row.status != Registration.Status.PENDING or row.password_hash is not None


def exactly_one_approved(world: WorldWithIdentities, outcomes: list[Any]) -> None:
    one_user(world, outcomes)
    assert len(world.users("alice")) == 1
    assert len([o for o in outcomes if isinstance(o, Registration)]) == 1


# --- remove against remove ------------------------------------------------------------------------


def _each_other(world: WorldWithIdentities) -> list[Actor]:
    for name in (ROOT, OTHER):
        administrator(name)
    return [removing(OTHER, world), removing(ROOT, world, actor=OTHER), worker(world)]


def one_administrator(_town: WorldWithIdentities, _outcomes: list[Any]) -> None:
    assert Person.objects.active_administrators().count() == 1
    assert Person.objects.count() == 1
    assert Plan.objects.filter(kind="removal", state=Plan.State.DONE).count() == 1


def _the_same(world: WorldWithIdentities) -> list[Actor]:
    administrator()
    administrator(OTHER)
    people.settle_person("alice", world)
    world.things["notebook_hub.container:jupyter-alice"] = {"running": True}
    return [removing("alice", world), removing("alice", world, actor=OTHER), worker(world)]


def gone_once(world: WorldWithIdentities, _outcomes: list[Any]) -> None:
    done = Plan.objects.filter(kind="removal", state=Plan.State.DONE)
    if not done:
        # Each made the other's draft stale: nothing was begun, and nothing was taken.
        assert Person.objects.get(username="alice").state == Person.State.ACTIVE
        assert not Plan.objects.filter(kind="removal", state__in=Plan.OPEN).exists()
        return
    assert done.count() == 1
    assert not Person.objects.filter(username="alice").exists()
    assert Tombstone.objects.count() == 1
    assert not world.users("alice")
    deletions = [write for write in world.writes if write.startswith("delete alice")]
    assert len(deletions) == 1


# --- remove (or withdraw) against the first sign-in -----------------------------------------------


def _imported(world: WorldWithIdentities) -> list[Actor]:
    """Somebody known here without link, whose account one of our approvals recorded."""
    administrator()
    row = approve_registration("alice", world)
    Person.objects.create_user("alice", email="alice@example.org")
    return [removing("alice", world), _signing_in(row.sub, world), worker(world)]


def _signing_in(sub: str, world: WorldWithIdentities) -> Actor:
    return lambda: come_in("alice", sub, world)


def in_or_out(world: WorldWithIdentities, outcomes: list[Any]) -> None:
    entered = any(isinstance(outcome, Person) for outcome in outcomes)
    person = Person.objects.filter(username="alice").first()
    links = SocialAccount.objects.count()
    removal = Plan.objects.filter(kind="removal", state=Plan.State.DONE).first()
    if removal is None:
        assert person is not None
        assert person.state == Person.State.ACTIVE
        assert links == (1 if entered else 0)
        assert world.users("alice")
        return
    assert person is None
    assert links == 0
    assert Tombstone.objects.count() == 1
    if entered:
        # The link was known to the removal that ended, so the user is gone; else somebody does it
        # by hand, and is told.
        assert not world.users("alice")
    elif world.users("alice"):
        assert any(
            ("nobody has signed in here with it") in text for text in view_plan(removal).by_hand
        )


def _withdrawing(world: WorldWithIdentities) -> list[Actor]:
    administrator()
    row = approve_registration("alice", world)
    systems = world.systems()
    return [
        lambda: withdraw(row.id, actor=ROOT, systems=systems),
        _signing_in(row.sub, world),
    ]


def withdrawn_or_in(world: WorldWithIdentities, _outcomes: list[Any]) -> None:
    """Whoever came first is removed all the same: nobody is in, and nothing is left there."""
    row = Registration.objects.filter(status=Registration.Status.WITHDRAWN).get()
    assert row.status == Registration.Status.WITHDRAWN
    assert not Person.objects.filter(state=Person.State.ACTIVE, username="alice").exists()
    work(world)
    assert not world.users("alice")
    assert not SocialAccount.objects.exists()


def _twice(world: WorldWithIdentities) -> list[Actor]:
    administrator()
    sub = approve_registration("alice", world).sub
    return [_signing_in(sub, world), _signing_in(sub, world)]


def in_once(_town: WorldWithIdentities, outcomes: list[Any]) -> None:
    assert all(isinstance(outcome, Person) for outcome in outcomes)
    person = Person.objects.get(username="alice")
    assert SocialAccount.objects.count() == 1
    assert person.projects.count() == 1
    assert AuditEntry.objects.filter(event="person:entered").count() == 1


# --- remove against approve of the same name ------------------------------------------------------


def _coming_back(world: WorldWithIdentities) -> list[Actor]:
    administrator()
    administrator(OTHER)
    alice = people.settle_person("alice", world)
    old = next(iter(world.users("alice")))
    world.things[f"drive.account:{old}"] = {"exists": True}
    world.old = old  # type: ignore[attr-defined]
    row = register("alice")
    return [removing("alice", world), worker(world), _returning(row, str(alice.id), world)]


def _returning(row: Registration, old: str, world: WorldWithIdentities) -> Actor:
    """Approve again and again, releasing the name as soon as it is kept; then sign in and start a
    notebook.
    """

    def go() -> str:
        for _ in range(40):
            standing_tombstones().filter(username="alice").update(
                released_at=timezone.now(), released_by=OTHER
            )
            with contextlib.suppress(Refused, ConnectorError):
                done = approve.approve(row.id, actor=OTHER, systems=world.systems())
                assert not Person.objects.filter(id=old).exists(), (
                    "approved while the old one is here"
                )
                with contextlib.suppress(Forbidden):
                    person = first_login.admit(claims("alice", done.sub), admit_unregistered=False)
                    if person is None:
                        first_login.enter(claims("alice", done.sub), world.systems())
                world.things["notebook_hub.container:jupyter-alice"] = {"running": True}
                return done.sub
        return ""

    return go


def newcomer_untouched(world: WorldWithIdentities, outcomes: list[Any]) -> None:
    new, old = outcomes[2], world.old  # type: ignore[attr-defined]
    users = world.users("alice")
    assert old not in users or not new
    if not new:
        return
    assert list(users) == [new]
    assert users[new]["enabled"] is True
    assert Plan.objects.filter(kind="removal", state=Plan.State.DONE).count() == 1
    assert f"drive.account:{old}" not in world.things
    assert world.things["notebook_hub.container:jupyter-alice"] == {"running": True}
    person = Person.objects.get(username="alice")
    assert person.state == Person.State.ACTIVE
    assert [link.uid for link in SocialAccount.objects.all()] == [new]
    stopped = [w for w in world.writes if w.startswith("apply notebook")]
    assert not stopped


RACES = [
    Race("approve against approve", _deciding("approve", "again"), exactly_one_approved),
    Race(
        "approve against approve of another of that name", _deciding("approve", "another"), one_user
    ),
    Race("approve against reject", _deciding("approve", "reject"), one_user),
    Race("approve against expiry", _deciding("approve", "expire"), one_user),
    Race("remove against remove: each other", _each_other, one_administrator),
    Race("remove against remove: the same person", _the_same, gone_once),
    Race("remove against first sign-in", _imported, in_or_out),
    Race("withdraw against first sign-in", _withdrawing, withdrawn_or_in),
    Race("first sign-in twice", _twice, in_once),
    Race("remove against approve of the same name", _coming_back, newcomer_untouched),
]
