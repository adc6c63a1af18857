"""Later sign-ins: update the profile and the time of the last sign-in."""

from django.db import transaction
from django.utils import timezone

from workspace_manager.audit.note import note
from workspace_manager.people import announcements
from workspace_manager.people.admit import Claims
from workspace_manager.records.models import Account, Person


def note_sign_in(person: Person, claims: Claims) -> None:
    """Record a sign-in, and update e-mail address and name from the identity provider.

    An address that is not confirmed there does not count here. The user name never changes:
    accounts elsewhere were made with it.
    """
    person.last_sign_in = timezone.now()
    person.email = claims.address.email or person.email
    person.email_confirmed = claims.address.confirmed
    person.first_name = claims.first_name[:255] or person.first_name
    person.last_name = claims.last_name[:255] or person.last_name
    # An update, not a save, which would restore the row after a removal.
    Person.objects.filter(id=person.id).update(
        last_sign_in=person.last_sign_in,
        email=person.email,
        email_confirmed=person.email_confirmed,
        first_name=person.first_name,
        last_name=person.last_name,
    )
    Account.objects.filter(person=person, kind="identity_provider.user").update(
        seen_at=timezone.now()
    )
    if announcements.proof(claims.coming):
        # The address was not confirmed yet at the first sign-in.
        with transaction.atomic():
            current = Person.objects.select_for_update().filter(id=person.id).first()
            if current and current.state == Person.State.ACTIVE:
                announcements.redeem_announcement(current, claims.coming)
    note("person:signed_in", person.username, actor=person.username)
