"""A person's state at the identity provider: asked by `sub`, and the answer shared by all
processes for a few minutes.

It tells nobody when a user is disabled or deleted there, so it is asked. An answer is good for
`WORKSPACE_IDENTITY_RECHECK_SECONDS`; while it gives none, reading goes on for
`WORKSPACE_IDENTITY_OUTAGE_SECONDS` after the last one, and nothing is changed or given.

See docs/explanation/signing-in.md#who-is-still-there.
"""

import contextlib
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core.cache import cache
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from workspace_manager.contract.connector import Change
from workspace_manager.contract.deadline import act_until, moment
from workspace_manager.contract.errors import ConnectorError, Denied, NotFound, Unavailable
from workspace_manager.contract.slots import Busy
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.core.clock import LEAP
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.messages import message
from workspace_manager.records.models import Person, ProviderState

State = ProviderState.State
USER: Final = "identity_provider.user"
PATIENCE_S: Final = 5.0
"""How long somebody who waits for a page waits for this."""
SILENT_S: Final = 10
"""How long one that gave no answer is not asked again on behalf of somebody who waits."""
REFUSAL_GOOD_S: Final = 60.0
"""How long "no" is good: whoever is let in again there does not wait for minutes here."""
CLOCKS_APART_S: Final = 60.0
"""How far the clocks of two hosts may be apart."""
_SILENT_KEY = "identity_provider:silent"


class Access(Enum):
    """A person's access here, by the age of the last answer."""

    ALL = "all"
    READING = "reading"
    NOTHING = "nothing"


def access_since(answered_at: datetime | None) -> Access:
    """The access while the identity provider gives no answer, the last being of then."""
    if is_good(answered_at):
        return Access.ALL
    long = settings.IDENTITY_OUTAGE_SECONDS
    if answered_at and -LEAP.total_seconds() <= _age(answered_at) <= long:
        return Access.READING
    return Access.NOTHING


def is_good(answered_at: datetime | None) -> bool:
    """Return whether an answer need not be asked for again. One of the future is none: a clock was
    turned back.
    """
    return (
        answered_at is not None
        and -CLOCKS_APART_S <= _age(answered_at) < settings.IDENTITY_RECHECK_SECONDS
    )


def _age(answered_at: datetime) -> float:
    return (timezone.now() - answered_at).total_seconds()


def linked(person_id: object) -> tuple[str, ProviderState | None]:
    """The `sub` somebody signs in as, and what was last said of it, in one statement; "" without
    account link.
    """
    row = _links().filter(user=person_id).values_list(*_LINK).first()
    return _link(row) if row else ("", None)


def linked_all(people: Iterable[Person]) -> dict[uuid.UUID, tuple[str, ProviderState | None]]:
    """The `sub` and last answer of each of these people, in one statement; a person without account
    link is left out.
    """
    rows = _links().filter(user__in=list(people)).order_by("-pk")
    return {user: _link(row) for user, *row in rows.values_list("user_id", *_LINK)}


_LINK = ("uid", "said_state", "said_at", "said_since")


def _links() -> QuerySet[SocialAccount]:
    said = ProviderState.objects.filter(sub=OuterRef("uid"))
    rows: QuerySet[SocialAccount] = SocialAccount.objects.filter(provider=PROVIDER).annotate(
        said_state=Subquery(said.values("state")[:1]),
        said_at=Subquery(said.values("answered_at")[:1]),
        said_since=Subquery(said.values("since")[:1]),
    )
    return rows


def _link(row: Sequence[Any]) -> tuple[str, ProviderState | None]:
    sub, state, at, since = row
    return sub, ProviderState(sub=sub, state=state, answered_at=at, since=since) if state else None


def last_known_state(person: Person) -> ProviderState | None:
    """The last known state of a person, however long ago; None without an answer."""
    return linked(person.pk)[1]


def ask(sub: str, systems: ConnectedSystems) -> str:
    """Ask now and keep the answer. Raises Unavailable for no answer, whatever kept it from us: that
    nothing is known of a person says nothing against our credential elsewhere.
    """
    provider = systems.identity_provider()
    try:
        state = State.ENABLED if provider.enabled(sub) else State.DISABLED
    except NotFound:
        state = State.GONE
    except ConnectorError as error:
        raise _no_answer(error) from error
    note(sub, state)
    return state


def note(sub: str, state: str) -> None:
    """Keep an answer of just now."""
    now = timezone.now()
    rows = ProviderState.objects.filter(sub=sub)
    if rows.filter(state=state).update(answered_at=now):
        return
    if not rows.update(state=state, since=now, answered_at=now):
        new = ProviderState(sub=sub, state=state, since=now, answered_at=now)
        ProviderState.objects.bulk_create([new], ignore_conflicts=True)


def note_shown(change: Change) -> None:
    """Keep what a plan's own fresh look showed of somebody who is linked, in the transaction that
    writes down that its change has ended: nobody is called "may sign in" who was just shut out.
    """
    sub = change.target.get("sub", "")
    if change.kind != USER or not sub:
        return
    if change.after is None:
        state = State.GONE
    elif "enabled" in change.after:
        state = State.ENABLED if change.after["enabled"] else State.DISABLED
    else:
        return
    if SocialAccount.objects.filter(provider=PROVIDER, uid=sub).exists():
        note(sub, state)


def mark_stale(sub: str) -> None:
    """Something happened there: the next who needs an answer asks. What was said still counts while
    none is given.
    """
    old = timezone.now() - timedelta(seconds=settings.IDENTITY_RECHECK_SECONDS + 1)
    ProviderState.objects.filter(sub=sub, answered_at__gt=old).update(answered_at=old)


def current_state(person: Person, systems: Callable[[], ConnectedSystems]) -> tuple[str, Access]:
    """Return how somebody stands, and what may be done meanwhile: asked only when the last answer
    is too old, and briefly, since somebody waits.
    """
    sub, said = linked(person.pk)
    if not sub:
        return State.ENABLED, Access.ALL
    if said and _is_good_still(said):
        return said.state, Access.ALL
    found = systems()
    if not found.has_identity_provider:
        return State.ENABLED, Access.ALL
    try:
        with patience():
            return ask(sub, found), Access.ALL
    except Unavailable:
        if said is None:
            return State.ENABLED, Access.NOTHING
        return said.state, access_since(said.answered_at)


def _is_good_still(said: ProviderState) -> bool:
    if said.state == State.ENABLED:
        return is_good(said.answered_at)
    return -CLOCKS_APART_S <= _age(said.answered_at) < REFUSAL_GOOD_S


@contextlib.contextmanager
def patience() -> Iterator[None]:
    """Ask on behalf of somebody who waits: for a few seconds, and not at all just after the
    provider gave no answer. Raises Unavailable whatever kept the answer from us, but for a "no";
    that we had no place to ask from (`Busy`) says nothing of the provider.
    """
    if _is_silent():
        raise Unavailable(message("gave_no_answer"), kind=PROVIDER, doing=message("asking"))
    try:
        with act_until(moment() + PATIENCE_S):
            yield
    except (Denied, NotFound, Busy):
        raise
    except ConnectorError as error:
        cache.set(_SILENT_KEY, timezone.now().timestamp(), timeout=SILENT_S)
        raise _no_answer(error) from error


def _is_silent() -> bool:
    """Return whether it gave no answer just now. That it gave none in the future was said by a host
    whose clock was turned.
    """
    at = cache.get(_SILENT_KEY)
    return isinstance(at, float) and abs(timezone.now().timestamp() - at) <= SILENT_S


def busy() -> Unavailable:
    """Somebody else asks just now, and takes long."""
    return Unavailable(
        message("being_asked"), kind=PROVIDER, doing=message("asking"), retry_after=1
    )


def _no_answer(error: ConnectorError) -> Unavailable:
    if isinstance(error, Unavailable):
        return error
    return Unavailable(
        error.message,
        kind=error.kind,
        doing=error.doing_message,
        advice=error.advice_message,
        retry_after=error.retry_after,
    )
