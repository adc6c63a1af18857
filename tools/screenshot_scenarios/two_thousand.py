"""A workspace that two thousand people live in: its first page and lists, what waits, and what a
comparison with the systems found, to be taken over or not.
"""

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests.reconcile.found_accounts import add_unknown_account, ended_run, user
from tests.web.pages import scenes
from tests.web.pages.healthy import healthy
from tools.screenshot_scenarios.shared import DAY, ada
from workspace_manager.access import tokens
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.account_link import sub_of
from workspace_manager.engine import pause as pausing
from workspace_manager.operations.health_state import State
from workspace_manager.people import roles
from workspace_manager.reconcile import repairs
from workspace_manager.reconcile.messages import message
from workspace_manager.records.models import (
    HealthSpan,
    Person,
    Plan,
    ProviderState,
    ReconcileItem,
    TakeOver,
    Tombstone,
    UnapprovedSignIn,
)
from workspace_manager.systems import registry
from workspace_manager.systems.drive.messages import message as of_drive
from workspace_manager.systems.identity_provider.messages import message as of_realm
from workspace_manager.systems.sql_server.messages import message as of_sql
from workspace_manager.systems.triplestore.messages import message as of_triplestore
from workspace_manager.wiring import connected_systems

MANY = 2000
FIRST = (
    *("Ada", "Anna", "Béla", "Carla", "Daniel", "Dora", "Emil", "Fay", "Gina", "Henrik", "Ilse"),
    *("Jan", "Katja", "Leon", "Mira", "Nora", "Otto", "Pia", "Quirin", "Rosa", "Sven", "Tilda"),
    *("Uwe", "Vera", "Wim"),
)
LAST = (
    *("Abel", "Brandt", "Castelli", "Dietz", "Eklund", "Faber", "Grün", "Horváth", "Ibsen"),
    *("Jansen", "Keller", "Lindqvist", "Moreau", "Nowak", "Okafor", "Petrov", "Quast", "Rossi"),
    *("Sand", "Tanaka", "Ullmann", "Vogel", "Weiß", "Young"),
)
PLAIN = str.maketrans({"é": "e", "ü": "u", "á": "a", "ß": "s"})
LOOKS = [{}, {"wide": False}]


def scenarios() -> list[Callable[[Any], None]]:
    return [many_people, taking_over, found_differences]


def _names() -> Iterator[tuple[str, str, str]]:
    """User name, first name and last name of so many people."""
    for n in range(MANY):
        first, last = FIRST[n % len(FIRST)], LAST[n // len(FIRST) % len(LAST)]
        again = n // (len(FIRST) * len(LAST))
        name = f"{first}.{last}{again or ''}".lower().translate(PLAIN)
        yield name, first, last


def _both(studio: Any, name: str, path: str, *, height: int) -> None:
    """The picture of the documentation, and what it is like on a phone and in German."""
    studio.everywhere(f"docs-{name}", path, "ada", height=height, looks=[{}])
    studio.everywhere(f"many-{name}", path, "ada", looks=[{"wide": False}])
    studio.everywhere(f"many-{name}-german", path, "adele", looks=LOOKS)


def _administrators() -> None:
    scenes.set_up_systems()
    ada()
    scenes.person("adele", "Adele Kraft", administrator=True, locale="de")


def many_people(studio: Any) -> None:
    """Two thousand who came over twelve weeks; a few left, a few plans are open."""
    _administrators()
    now = timezone.now()
    Person.objects.bulk_create(
        Person(
            username=name,
            email=f"{name}@example.org",
            first_name=first,
            last_name=last,
            created_at=now - timedelta(days=3 + n * 7 % 160),
            last_sign_in=None if n % 9 == 0 else now - timedelta(hours=1 + n * 5 % 2000),
            state="suspended" if n % 97 == 5 else "active",
            ends_at=(now + timedelta(days=n % 60)).date() if n % 83 == 7 else None,
        )
        for n, (name, first, last) in enumerate(_names())
    )
    for n in range(60):
        left = now - timedelta(days=n * 5 % 81)
        # The moment is set by the database otherwise.
        Tombstone.objects.create(
            username=f"former{n}", created_at=left, expires_at=now + timedelta(days=90)
        )
    for n in range(40):
        begun = now - timedelta(days=n * 7 % 29)
        Plan.objects.create(
            kind="removal",
            person=f"former{n}",
            state="done" if n > 4 else "waiting" if n else "stuck",
            approved_at=begun,
            finished_at=min(now, begun + timedelta(days=n % 4)) if n > 4 else None,
        )
    _stood()
    _both(studio, "overview", "/manage", height=1060)
    _both(studio, "people", "/manage/people", height=1100)


def _stood() -> None:
    """Return how the systems stood in the last ninety days, and stand."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    for at, system in enumerate(registry().names()):
        healthy(
            system, State.DOWN if at == 2 else State.UP, "it does not answer" if at == 2 else ""
        )
        for day in range(1, 90):
            down = 3600.0 * (at + 1) if (day + at * 11) % 37 == 5 else 0.0
            slow = 900.0 if (day + at * 5) % 23 == 3 else 0.0
            HealthSpan.objects.create(
                system=system,
                unit="day",
                begins=midnight - day * DAY,
                up=86400 - down - slow,
                down=down,
                degraded=slow,
            )


def taking_over(studio: Any) -> None:
    """Two thousand users and their accounts, with everything that is proposed to nobody."""
    _administrators()
    run = ended_run()
    _bulk()
    _refused()
    TakeOver.objects.create(
        run=uuid.uuid4(),
        key="x" * 64,
        items=[[n, f"u{n}"] for n in range(128)],
        done=128,
        refused=[],
        confirmed_by="ada",
        confirmed_at=run.started_at - 3 * DAY,
        finished_at=run.started_at - 3 * DAY,
        undone_at=run.started_at - 2 * DAY,
    )
    _both(studio, "take-over", "/manage/take-over?system=identity_provider", height=900)
    _both(studio, "take-over-refused", "/manage/take-over?proposed=0", height=1140)
    studio.everywhere(
        "many-take-over-asked",
        "/manage/take-over",
        "adele",
        looks=LOOKS,
        before="#chosen-form button[value=all]",
    )


def _item(kind: str, name: str, seen: Message, **more: Any) -> ReconcileItem:
    now = timezone.now()
    values = {
        "difference": "unknown_account",
        "reason": message("of_nobody"),
        "first_seen": now - 2 * DAY,
        **more,
    }
    system = kind.partition(".")[0]
    return ReconcileItem(
        system=system,
        kind=kind,
        name=name,
        evidence=seen,
        last_seen=now,
        target={"user": name},
        **values,
    )


def _bulk() -> None:
    rows = []
    for name, first, last in _names():
        sub = str(uuid.uuid5(uuid.NAMESPACE_DNS, name))
        who = {"email": f"{name}@example.org", "full_name": f"{first} {last}"}
        seen = of_realm("seen_user", username=name)
        rows += [
            _item("identity_provider.user", sub, seen, sub=sub, login_name=name,
                  email_confirmed=True, **who),
            _item("drive.account", sub,
                  of_drive("seen_account", account_id=sub, backend="user_oidc"), sub=sub, **who),
            _item("sql_server.user", name, of_sql("seen_account", name=name)),
            _item("triplestore.user", name, of_triplestore("seen_account", name=name, n=2)),
        ]  # fmt: skip
    ReconcileItem.objects.bulk_create(rows, batch_size=500)


def _refused() -> None:
    """One of each reason why nobody is proposed."""
    scenes.person("hugo", "Hugo Sand")
    scenes.person("olga", "Olga Ullmann", state="suspended")
    user("hugo.sand", email="hugo@example.org")
    user("paul", email="one@example.org")
    user("paula", email="one@example.org")
    user("Kim-Lee", email="kim1@example.org")
    user("kim.lee", email="kim2@example.org")
    user("root", email="root@example.org")
    user("rita", email="rita@example.org", confirmed=False)
    user("gone", sub="sub-gone")
    Tombstone.objects.create(
        username="gone.before", sub="sub-gone", expires_at=timezone.now() + 9 * DAY
    )
    UnapprovedSignIn.objects.create(
        sub="sub-kurt", username="kurt", why="tombstone", state="refused", decided_by="ada"
    )
    user("kurt")
    for name, more in (
        ("HUGO", {}),
        ("rita", {}),
        ("olga", {"login_name": "olga"}),
        ("backup_job", {}),
        ("hugo", {"email": "h.sand@elsewhere.example"}),
        ("old_hand", {"last_seen": timezone.now() - 3 * DAY}),
    ):
        add_unknown_account("sql_server.user", name, **more)
    add_unknown_account("drive.account", "sub-unknown", sub="sub-unknown")


def found_differences(studio: Any) -> None:
    """A comparison that found something of nearly every kind; and what waits besides."""
    _administrators()
    run = ended_run()
    run.parts.bulk_create(
        type(run.parts.model())(run=run, system=system, state="done", seen=412 * (n + 1))
        for n, system in enumerate(registry().names())
    )
    anna, bela = scenes.person("anna", "Anna Beispiel"), scenes.person("bela", "Béla Horváth")
    scenes.person("otto", "Otto Ruhland", state="suspended")
    scenes.set_up_work(anna, bela)
    left = timezone.now() - 40 * DAY
    lists = of_sql("seen_account", name="otto")
    rows = [
        _item("sql_server.user", "gina_g", of_sql("seen_account", name="gina_g")),
        _item("sql_server.user", "carla", of_sql("seen_locked_account", name="carla"),
              reason=message("left", at=left)),
        _item("sql_server.user", "otto", lists, difference="open_while_suspended", username="otto",
              reason=message("open_while_suspended", person=Named(person="otto"))),
        _item("sql_server.database", "ws_letters", of_sql("seen_database", name="ws_letters", n=3),
              difference="holder_not_shared", holder="ws_bela", username="bela",
              reason=message("not_shared", account="ws_bela", person=Named(person="bela"))),
        _item("sql_server.database", "ws_old", of_sql("seen_database", name="ws_old", n=0),
              difference="unknown_thing", reason=message("thing_of_nobody")),
        _item("drive.account", "5c1f", of_drive("seen_account", account_id="5c1f",
              backend="user_oidc"), sub="5c1f", difference="wrong_sub", username="anna",
              reason=message("other_sub", person=Named(person="anna"))),
        _item("identity_provider.user", "8d20", of_realm("seen_user", username="bela"),
              sub="8d20", login_name="bela", email="bela@example.org", full_name="Béla Horváth",
              difference="identity_recreated", username="bela",
              reason=message("made_again", person=Named(person="bela"))),
    ]  # fmt: skip
    ReconcileItem.objects.bulk_create(rows)
    _both(studio, "reconcile", "/manage/reconcile", height=1240)
    _both(studio, "repair", f"/manage/plans/{_shown('gina_g')}", height=0)
    _waiting(anna)
    _both(studio, "inbox", "/inbox", height=1240)


def _shown(name: str) -> uuid.UUID:
    """The plan that removes it, as it stands when the systems were looked at; gives its id."""
    n = ReconcileItem.objects.get(name=name).n
    plan = repairs.draft(n, "remove", actor="ada", systems=connected_systems())
    scenes.looked_at(plan)
    return plan.id


def _waiting(anna: Person) -> None:
    """Make items that wait for an administrator, of nearly every kind."""
    ada_ = Person.objects.get(username="ada")
    plan = scenes.started(scenes.removal(anna, ada_), ada_)
    scenes.stuck(plan)
    pausing.pause("drive", actor="ada", reason="Moves to the new host until noon")
    healthy("triplestore", State.DOWN, "it does not answer")
    healthy("notebook_hub", State.DEGRADED, "it answers slowly: 4 seconds")
    scenes.registration("carla.rossi", "Carla Rossi", age=timedelta(minutes=12))
    scenes.registration("emil", "Emil Sørensen", age=26 * DAY)
    UnapprovedSignIn.objects.create(sub="new-anna", username="anna", why="another sub")
    roles.make_administrator("nina", actor="ada")
    gone = scenes.person("dora", "Dora Nowak")
    ProviderState.objects.filter(sub=sub_of(gone)).update(state="gone")
    token, _ = tokens.create(ada_, name="Night import", actor="ada")
    type(token).objects.filter(id=token.id).update(expires_at=timezone.now() + 5 * DAY)
