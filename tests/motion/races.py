"""The races: who does what at once, and what must be true whoever wins."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from tests.fake_world.work import let_time_pass, work
from tests.motion import people
from tests.motion.interleaving import Actor, Baton
from tests.motion.people import ROOT, administrator, approved, claims, come_in, register
from tests.motion.town import Town
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.engine.run import run
from workspace_manager.people import admit as first_login
from workspace_manager.people import approve
from workspace_manager.people import register as registering
from workspace_manager.people.register import standing_tombstones
from workspace_manager.plan_kinds import FOLLOWERS, shown
from workspace_manager.records.models import AuditEntry, Person, Plan, Registration, Tombstone
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

OTHER = "other-admin"
EXPECTED = (Refused, Forbidden, ConnectorError, Person.DoesNotExist)
"""What somebody who comes second may be told (of somebody who is gone by then, that there is nobody). Anything else is a fault."""


@dataclass
class Race:
    """One race: `set_up` the scene, `actors` at once, and `check` what came of it after everything has settled."""

    name: str
    actors: Callable[[Town], list[Actor]]
    check: Callable[[Town, list[Any]], None]

    def run(self, seed: int) -> tuple[int, ...]:
        """Give the interleaving that was played. Raises AssertionError with the seed, so that it can be run again."""
        town, baton = Town(), Baton(seed)
        actors = self.actors(town)
        town.call = lambda _system, _verb: baton.point()  # type: ignore[method-assign]
        town.tick = baton.point  # type: ignore[method-assign]
        outcomes = baton.run(actors)
        for outcome in outcomes:
            if isinstance(outcome, Exception) and not isinstance(outcome, EXPECTED):
                raise AssertionError(f"{self.name}, seed {seed}: {outcome!r}") from outcome
        try:
            work(town, late_looks=True)
            self.check(town, outcomes)
        except AssertionError as wrong:
            raise AssertionError(
                f"{self.name}, seed {seed}: {wrong}\n{outcomes}\n{town.writes}"
            ) from wrong
        return tuple(baton.path)


def worker(town: Town) -> Actor:
    """Run what is due, until nothing has been for a few rounds; who waits is not slept for."""

    def go() -> None:
        for _ in range(12):
            let_time_pass(state__in=[*Plan.OPEN])
            for plan in Plan.objects.exclude(due_at=None).order_by("created_at"):
                run(plan.id, town.systems(), followers=FOLLOWERS)

    return go


def removing(name: str, town: Town, *, actor: str = ROOT) -> Actor:
    """Draft and approve, as an administrator does."""

    def go() -> Plan:
        plan = draft_removal(name, actor=actor, systems=town.systems())
        return approve_removal(plan.id, digest=plan.digest, actor=actor, systems=town.systems())

    return go


# --- approve against approve, and whatever else is decided about one registration ----------------------------------------


def _deciding(*verbs: str) -> Callable[[Town], list[Actor]]:
    def actors(town: Town) -> list[Actor]:
        administrator()
        administrator(OTHER)
        row = register("alice")
        rows = {"approve": row, "reject": row, "another": row}
        if "another" in verbs:
            rows["another"] = register("alice")
        return [_decide(verb, rows.get(verb, row), town) for verb in verbs]

    return actors


def _decide(verb: str, row: Registration, town: Town) -> Actor:
    systems = town.systems()
    if verb == "reject":
        return lambda: approve.reject(row.id, actor=OTHER, reason="no")
    if verb == "expire":
        Registration.objects.filter(id=row.id).update(
            created_at=timezone.now() - timedelta(days=100), reminded_at=timezone.now()
        )
        return registering.expire_old
    return lambda: approve.approve(row.id, actor=OTHER, systems=systems)


def one_user(town: Town, _outcomes: list[Any]) -> None:
    """An approved registration has its user, by its mark; nobody else has one."""
    users = town.users("alice")
    rows = list(Registration.objects.filter(username="alice"))
    good = [row for row in rows if row.status == Registration.Status.APPROVED]
    assert len(users) == len(good) <= 1
    for row in good:
        assert users[row.sub]["mark"] == row.mark
        assert row.password_hash is None
    assert AuditEntry.objects.filter(event="registration:approved").count() == len(good)
    for row in rows:
        assert row.status != Registration.Status.PENDING or row.password_hash is not None


def exactly_one_approved(town: Town, outcomes: list[Any]) -> None:
    one_user(town, outcomes)
    assert len(town.users("alice")) == 1
    assert len([o for o in outcomes if isinstance(o, Registration)]) == 1


# --- remove against remove ------------------------------------------------------------------------------------------------


def _each_other(town: Town) -> list[Actor]:
    for name in (ROOT, OTHER):
        administrator(name)
    return [removing(OTHER, town), removing(ROOT, town, actor=OTHER), worker(town)]


def one_administrator(_town: Town, _outcomes: list[Any]) -> None:
    assert Person.objects.active_administrators().count() == 1
    assert Person.objects.count() == 1
    assert Plan.objects.filter(kind="removal", state=Plan.State.DONE).count() == 1


def _the_same(town: Town) -> list[Actor]:
    administrator()
    administrator(OTHER)
    people.settled("alice", town)
    town.things["notebook_hub.container:jupyter-alice"] = {"running": True}
    return [removing("alice", town), removing("alice", town, actor=OTHER), worker(town)]


def gone_once(town: Town, _outcomes: list[Any]) -> None:
    done = Plan.objects.filter(kind="removal", state=Plan.State.DONE)
    if not done:
        # Each made the other's draft stale: nothing was begun, and nothing was taken.
        assert Person.objects.get(username="alice").state == Person.State.ACTIVE
        assert not Plan.objects.filter(kind="removal", state__in=Plan.OPEN).exists()
        return
    assert done.count() == 1
    assert not Person.objects.filter(username="alice").exists()
    assert Tombstone.objects.count() == 1
    assert not town.users("alice")
    deletions = [write for write in town.writes if write.startswith("delete alice")]
    assert len(deletions) == 1


# --- remove (or withdraw) against the first sign-in -----------------------------------------------------------------------


def _imported(town: Town) -> list[Actor]:
    """Somebody known here without link, whose account one of our approvals recorded."""
    administrator()
    row = approved("alice", town)
    Person.objects.create_user("alice", email="alice@example.org")
    return [removing("alice", town), _signing_in(row.sub, town), worker(town)]


def _signing_in(sub: str, town: Town) -> Actor:
    return lambda: come_in("alice", sub, town)


def in_or_out(town: Town, outcomes: list[Any]) -> None:
    entered = any(isinstance(outcome, Person) for outcome in outcomes)
    person = Person.objects.filter(username="alice").first()
    links = SocialAccount.objects.count()
    removal = Plan.objects.filter(kind="removal", state=Plan.State.DONE).first()
    if removal is None:
        assert person is not None
        assert person.state == Person.State.ACTIVE
        assert links == (1 if entered else 0)
        assert town.users("alice")
        return
    assert person is None
    assert links == 0
    assert Tombstone.objects.count() == 1
    if entered:
        # The link was known to the removal that ended, so the user is gone; else somebody does it by hand, and is told.
        assert not town.users("alice")
    elif town.users("alice"):
        assert any("known but not linked" in text for text in shown(removal).by_hand)


def _withdrawing(town: Town) -> list[Actor]:
    administrator()
    row = approved("alice", town)
    systems = town.systems()
    return [
        lambda: approve.withdraw(row.id, actor=ROOT, systems=systems),
        _signing_in(row.sub, town),
    ]


def withdrawn_or_in(town: Town, _outcomes: list[Any]) -> None:
    row = Registration.objects.get()
    here = Person.objects.filter(username="alice").exists()
    withdrawn = row.status == Registration.Status.WITHDRAWN
    assert here is not withdrawn
    assert bool(town.users("alice")) is here
    assert SocialAccount.objects.exists() is here


def _twice(town: Town) -> list[Actor]:
    administrator()
    sub = approved("alice", town).sub
    return [_signing_in(sub, town), _signing_in(sub, town)]


def in_once(_town: Town, outcomes: list[Any]) -> None:
    assert all(isinstance(outcome, Person) for outcome in outcomes)
    person = Person.objects.get(username="alice")
    assert SocialAccount.objects.count() == 1
    assert person.projects.count() == 1
    assert AuditEntry.objects.filter(event="person:entered").count() == 1


# --- remove against approve of the same name ------------------------------------------------------------------------------


def _coming_back(town: Town) -> list[Actor]:
    administrator()
    administrator(OTHER)
    alice = people.settled("alice", town)
    old = next(iter(town.users("alice")))
    town.things[f"drive.account:{old}"] = {"exists": True}
    town.old = old  # type: ignore[attr-defined]
    row = register("alice")
    return [removing("alice", town), worker(town), _returning(row, str(alice.id), town)]


def _returning(row: Registration, old: str, town: Town) -> Actor:
    """Approve again and again, releasing the name as soon as it is kept; then sign in and start a notebook."""

    def go() -> str:
        for _ in range(40):
            standing_tombstones().filter(username="alice").update(
                released_at=timezone.now(), released_by=OTHER
            )
            with contextlib.suppress(Refused, ConnectorError):
                done = approve.approve(row.id, actor=OTHER, systems=town.systems())
                assert not Person.objects.filter(id=old).exists(), (
                    "approved while the old one is here"
                )
                with contextlib.suppress(Forbidden):
                    person = first_login.admit(claims("alice", done.sub), admit_unregistered=False)
                    if person is None:
                        first_login.enter(claims("alice", done.sub), town.systems())
                town.things["notebook_hub.container:jupyter-alice"] = {"running": True}
                return done.sub
        return ""

    return go


def newcomer_untouched(town: Town, outcomes: list[Any]) -> None:
    new, old = outcomes[2], town.old  # type: ignore[attr-defined]
    users = town.users("alice")
    assert old not in users or not new
    if not new:
        return
    assert list(users) == [new]
    assert users[new]["enabled"] is True
    assert Plan.objects.filter(kind="removal", state=Plan.State.DONE).count() == 1
    assert f"drive.account:{old}" not in town.things
    assert town.things["notebook_hub.container:jupyter-alice"] == {"running": True}
    person = Person.objects.get(username="alice")
    assert person.state == Person.State.ACTIVE
    assert [link.uid for link in SocialAccount.objects.all()] == [new]
    stopped = [w for w in town.writes if w.startswith("apply notebook")]
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
