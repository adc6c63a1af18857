"""Session checks: a refresh of its tokens shows whether a sign-in goes on at the identity provider.
Each session is checked every few minutes, and by one process at a time.

A refresh token is good for one refresh where the realm says so, and the next comes with the answer:
two windows that refreshed at once would end the session of both. So whoever comes second waits for
the first, and takes what it was given.

See docs/explanation/signing-in.md#who-is-still-there.
"""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from workspace_manager.access import provider_state
from workspace_manager.access.provider_state import Access
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract import wait_hooks
from workspace_manager.contract.errors import Denied, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.core import hold
from workspace_manager.core.clock import LEAP, database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.records.models import Person, SignIn

ASKING_S: Final = 30
"""How long somebody's asking holds the others off: longer than it can take."""
WAIT_S: Final = provider_state.PATIENCE_S + 1
LOOK_S: Final = 0.05
TOKENS: Final = ("access_token", "refresh_token", "id_token")


class Verdict(Enum):
    """The access that a session still has."""

    ALL = "all"
    READING = "reading"
    NOTHING = "nothing"
    ENDED = "ended"


@dataclass(frozen=True)
class Tokens:
    """The tokens of a sign-in. `until`: when the access token ends; `refresh`: None where the realm
    gives none.
    """

    access: Secret
    until: datetime
    refresh: Secret | None
    id: Secret | None


def begin(person: Person, *, sub: str, sid: str, tokens: Tokens) -> str:
    """Keep a sign-in, and give what the session names it by. It shows that the person may come
    in.
    """
    row = SignIn.objects.create(
        person=person, sub=sub, sid=sid, begun_at=database_now(), **_columns(tokens)
    )
    provider_state.note(sub, provider_state.State.ENABLED)
    return str(row.id)


def end(name: str) -> None:
    """Forget a sign-in and its tokens."""
    SignIn.objects.filter(id=_id(name)).delete()


def tokens_of(name: str, person_id: str | uuid.UUID) -> Tokens | None:
    """The tokens of a sign-in as they are now; None when it has ended, or is somebody else's."""
    row = SignIn.objects.filter(id=_id(name), person=_id(str(person_id))).first()
    return _tokens(row) if row else None


def verdict(name: str, person: Person, systems: Callable[[], ConnectedSystems]) -> Verdict:
    """The access that a session has now, in one statement while the last answer is good."""
    row = _young().defer(*TOKENS).filter(id=_id(name), person=person).first()
    if row is None:
        return Verdict.ENDED
    if provider_state.is_good(row.answered_at):
        return Verdict.ALL
    try:
        found = refresh_tokens(name, person, systems())
    except Unavailable:
        return Verdict(provider_state.access_since(row.answered_at).value)
    return Verdict.ENDED if found is None else Verdict.ALL


def by_sub(person: Person, systems: Callable[[], ConnectedSystems]) -> Verdict:
    """The access where no token can tell: by the state of the person there."""
    state, access = provider_state.current_state(person, systems)
    return Verdict.ENDED if state != provider_state.State.ENABLED else Verdict(access.value)


def refresh_tokens(
    name: str, person: Person, systems: ConnectedSystems, *, stale: datetime | None = None
) -> Tokens | None:
    """The tokens after they were refreshed, by us or by whoever was faster; None when the sign-in
    has ended there, and then it has here.

    `stale`: end of the access token that is no longer good enough, where one is needed whatever the
    age of the last answer. Raises Unavailable when that cannot be said now.
    """
    until = time.monotonic() + WAIT_S
    while True:
        mine = timezone.now() + timedelta(seconds=ASKING_S)
        row = SignIn.objects.filter(id=_id(name), person=person).first()
        if row is None:
            return None
        kept = _tokens(row)
        if (stale is None and provider_state.is_good(row.answered_at)) or (
            stale is not None and kept.until > stale
        ):
            return kept
        if kept.refresh is None:
            return _without_refresh(row, kept, person, systems)
        if _claimed(row, mine):
            return _ask(row, kept, kept.refresh, mine, systems)
        if time.monotonic() > until:
            raise provider_state.busy()
        wait_hooks.pause(LOOK_S)


def _claimed(row: SignIn, mine: datetime) -> bool:
    """Return whether it is ours to ask. Nobody claims for longer than a whole claim: a clock was
    turned back.
    """
    now = timezone.now()
    free = (
        Q(asking_until=None)
        | Q(asking_until__lte=now)
        | Q(asking_until__gt=now + timedelta(seconds=ASKING_S + 1))
    )
    # As it was read: whoever was faster left another refresh token.
    mine_now = SignIn.objects.filter(free, id=row.id, answered_at=row.answered_at)
    return bool(mine_now.update(asking_until=mine))


def _ask(
    row: SignIn, kept: Tokens, refresh_token: Secret, mine: datetime, systems: ConnectedSystems
) -> Tokens | None:
    claimed = SignIn.objects.filter(id=row.id, asking_until=mine)
    try:
        with provider_state.patience():
            fresh = systems.identity_provider().refresh(refresh_token)
        now = timezone.now()
        until = now + timedelta(seconds=fresh.seconds)
        renewed = replace(kept, access=fresh.access, refresh=fresh.refresh, until=until)
        claimed.update(**_columns(renewed), answered_at=now)
    except Denied:
        _ended_there(row)
        return None
    finally:
        # Whatever came of it: others would be held off by somebody who asks no more.
        claimed.update(asking_until=None)
    return renewed


def _without_refresh(
    row: SignIn, kept: Tokens, person: Person, systems: ConnectedSystems
) -> Tokens | None:
    """A realm that gives no refresh tokens: the person is asked for instead."""
    state, access = provider_state.current_state(person, lambda: systems)
    if state != provider_state.State.ENABLED:
        _ended_there(row)
        return None
    if access is not Access.ALL:
        raise provider_state.busy()
    SignIn.objects.filter(id=row.id).update(answered_at=timezone.now())
    return kept


def _ended_there(row: SignIn) -> None:
    """The session there has ended, for whatever reason: the next who asks for the person finds
    out.
    """
    if SignIn.objects.filter(id=row.id).delete()[0]:
        note("sign_in:ended", row.person.username, actor=MANAGER)
        provider_state.mark_stale(row.sub)


def end_told(*, sub: str, sid: str) -> int:
    """End what the identity provider said has ended: one session there, or all of a person. Gives
    how many there were here.
    """
    rows = SignIn.objects.filter(**({"sid": sid} if sid else {}), **({"sub": sub} if sub else {}))
    found = list(rows.select_related("person").defer(*TOKENS))
    for row in found:
        _ended_there(row)
    if sub:
        provider_state.mark_stale(sub)
    return len(found)


def _young() -> QuerySet[SignIn]:
    """Those whose session has not ended by its age; one of the future began before the clock was
    turned back.
    """
    oldest = hold.ends_by() - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    return SignIn.objects.filter(begun_at__gte=oldest, begun_at__lte=Now() + LEAP)


def _id(name: str) -> uuid.UUID:
    return uuid.UUID(name)


def _columns(tokens: Tokens) -> dict[str, Any]:
    return {
        "access_token": tokens.access,
        "access_until": tokens.until,
        "refresh_token": tokens.refresh,
        "id_token": tokens.id,
    }


def _tokens(row: SignIn) -> Tokens:
    return Tokens(row.access_token, row.access_until, row.refresh_token, row.id_token)
