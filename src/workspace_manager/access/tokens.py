"""Personal API tokens: shown once, kept as a hash, good for what their scope says until they end.

See docs/explanation/permissions.md#tokens.
"""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from workspace_manager.access import permissions
from workspace_manager.access.messages import message
from workspace_manager.audit.note import note
from workspace_manager.core import hold
from workspace_manager.core.clock import database_now
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.timestamps import in_utc, parse_moment
from workspace_manager.letters import change_notices
from workspace_manager.letters.messages import message as of_what_happened
from workspace_manager.records.models import ApiToken, Person

PREFIX = "wsm_"
Scope = ApiToken.Scope
FOR_THE_ROLE: Final = (Scope.ADMINISTRATION, Scope.OPERATION)
"""Scopes of whoever administers: the first also of whoever was given permissions, since it opens no
more than its person may; the second of administrators alone.
"""
WRITTEN_AGAIN_AFTER: Final = timedelta(minutes=1)
"""The last use is known as exactly as this: a program that asks often makes no write each time."""
KEPT: Final = timedelta(days=30)
"""How long a token that has ended stays in the list, to say so."""


def create(
    person: Person,
    *,
    name: str,
    actor: str,
    scope: str = Scope.OWN,
    until: datetime | None = None,
) -> tuple[ApiToken, str]:
    """Make a token; the clear text is given once. Raises BadInput for an unusable name, end or
    scope, Refused for who is not active.
    """
    name = " ".join(name.split())
    if not name or len(name) > 100 or not name.isprintable():
        raise BadInput({"label": message("label_length")})
    until = _end(until)
    clear = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        current = Person.objects.select_for_update().filter(id=person.id).first()
        if current is None or current.state != Person.State.ACTIVE:
            raise Refused(message("no_token", name=person.username))
        if scope in FOR_THE_ROLE and scope not in may_have(current):
            raise BadInput({"scope": message("scope_of_administrators")})
        token = ApiToken.objects.create(
            person=current,
            name=name,
            digest=_digest(clear),
            scope=Scope(scope),
            permissions=_at_most(current, scope),
            expires_at=until,
        )
        note("token:created", person.username, actor=actor, **_told(token))
    return token, clear


def _at_most(person: Person, scope: str) -> list[str] | None:
    """The permissions that a new token of this scope may use."""
    if scope == Scope.OWN:
        return []
    if person.is_administrator:
        return None
    return sorted(permissions.in_force(person).values_list("name", flat=True))


def _end(asked: datetime | None) -> datetime:
    """Return when a token that is made now ends. Raises BadInput."""
    now, most = database_now(), timedelta(days=settings.TOKEN_MOST_DAYS)
    if asked is None:
        return now + min(timedelta(days=settings.TOKEN_DAYS), most)
    if not now < asked <= now + most:
        raise _no_end()
    return asked


def read_end(text: str, zone: tzinfo) -> datetime:
    """The moment a text names (`core.timestamps.named`). Raises BadInput."""
    try:
        return parse_moment(text, zone).astimezone(UTC)
    except ValueError as wrong:
        raise _no_end() from wrong


def _no_end() -> BadInput:
    return BadInput({"expires_at": message("token_end", count=settings.TOKEN_MOST_DAYS)})


def may_have(person: Person) -> list[Scope]:
    """Return which scopes a token of this person may have, the widest last."""
    for_all = [Scope.READ, Scope.OWN]
    if person.is_administrator:
        return [*for_all, *FOR_THE_ROLE]
    return [*for_all, Scope.ADMINISTRATION] if permissions.in_force(person).exists() else for_all


def widest_scope(person: Person) -> Scope:
    """The widest scope of a token that is made on the server for this person."""
    return may_have(person)[-1]


def find_token(clear: str) -> ApiToken | None:
    """The token with this text, if it has not ended and its person is active."""
    known = ApiToken.objects.filter(digest=_digest(clear), expires_at__gt=hold.ends_by())
    token, now = known.select_related("person").first(), timezone.now()
    if token is None:
        return None
    if not token.person.is_active or token.person.state != Person.State.ACTIVE:
        return None
    if token.last_used_at is None or abs(now - token.last_used_at) >= WRITTEN_AGAIN_AFTER:
        ApiToken.objects.filter(id=token.id).update(last_used_at=now)
    return token


def revoke(token: ApiToken, *, actor: str) -> None:
    """End a token at once."""
    with transaction.atomic():
        note("token:revoked", token.person.username, actor=actor, **_told(token))
        ended = of_what_happened("token_ended", by=change_notices.by_whom(actor), name=token.name)
        change_notices.tell([token.person], ended, about=str(token.id), by=actor)
        token.delete()


def revoke_all(tokens: Iterable[ApiToken], *, actor: str) -> None:
    """End some tokens at once, each with its row in the audit."""
    with transaction.atomic():
        for token in tokens:
            revoke(token, actor=actor)


def valid_tokens(person: Person) -> QuerySet[ApiToken]:
    """Somebody's tokens that have not ended."""
    return ApiToken.objects.filter(person=person, expires_at__gt=hold.ends_by())


def end_of_role(person: Person) -> int:
    """End what a token may do by the role, when that is taken (it would be good again with the
    role) and when it is given: one for administering ends, one that reads sees from now on what
    everybody may. In the caller's transaction, which says why.
    """
    ApiToken.objects.filter(person=person, scope=Scope.READ).update(permissions=[])
    return ApiToken.objects.filter(person=person, scope__in=FOR_THE_ROLE).delete()[0]


def end_of_permission(person: Person, name: str) -> None:
    """End what tokens may by a permission that was taken or has ended, or is given anew: given
    again it is not theirs. In the transaction that holds the person's row.
    """
    for token in ApiToken.objects.filter(person=person, permissions__isnull=False):
        may = token.permissions or []
        if name in may:
            left = [one for one in may if one != name]
            ApiToken.objects.filter(id=token.id).update(permissions=left)


def end_all(person: Person) -> int:
    """End every token of somebody for good; gives how many there were. In the caller's
    transaction, which says why.
    """
    return ApiToken.objects.filter(person=person).delete()[0]


def forget_ended(now: datetime | None = None) -> None:
    """Forget those that ended long ago."""
    ApiToken.objects.filter(expires_at__lt=(now or database_now()) - KEPT).delete()


def _told(token: ApiToken) -> dict[str, str]:
    """The audit's facts about a token."""
    return {"name": token.name, "scope": token.scope, "until": str(in_utc(token.expires_at))}


def _digest(clear: str) -> str:
    # The token is 256 bits of randomness: a plain hash is enough, and lets it be found.
    return hashlib.sha256(clear.encode()).hexdigest()
