"""Personal API tokens: shown once, kept as a hash."""

import hashlib
import secrets

from django.db import transaction
from django.utils import timezone

from workspace_manager.core import audit
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.people.messages import message
from workspace_manager.records.models import ApiToken, Person

PREFIX = "wsm_"


def create(person: Person, *, name: str, actor: str) -> tuple[ApiToken, str]:
    """Make a token; the clear text is given once. Raises BadInput for an unusable name, Refused for
    who is not active.
    """
    name = " ".join(name.split())
    if not name or len(name) > 100 or not name.isprintable():
        raise BadInput({"name": message("label_length")})
    clear = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        current = Person.objects.select_for_update().filter(id=person.id).first()
        if current is None or current.state != Person.State.ACTIVE:
            raise Refused(message("no_token", name=person.username))
        token = ApiToken.objects.create(person=current, name=name, digest=_digest(clear))
        audit.note("token:created", person.username, actor=actor, name=name)
    return token, clear


def person_of(clear: str) -> Person | None:
    """Whose token this is, if that person is active."""
    token = ApiToken.objects.filter(digest=_digest(clear)).select_related("person").first()
    if token is None or not token.person.is_active or token.person.state != Person.State.ACTIVE:
        return None
    ApiToken.objects.filter(id=token.id).update(last_used_at=timezone.now())
    return token.person


def revoke(token: ApiToken, *, actor: str) -> None:
    """End a token at once."""
    with transaction.atomic():
        audit.note("token:revoked", token.person.username, actor=actor, name=token.name)
        token.delete()


def end_all(person: Person) -> int:
    """End every token of somebody for good; gives how many there were. In the caller's
    transaction, which says why.
    """
    return ApiToken.objects.filter(person=person).delete()[0]


def _digest(clear: str) -> str:
    # The token is 256 bits of randomness: a plain hash is enough, and lets it be found.
    return hashlib.sha256(clear.encode()).hexdigest()
