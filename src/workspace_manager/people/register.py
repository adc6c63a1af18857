"""Register: store a pending row, and nothing in any system.

Registration does not reveal whether a name is taken: checks, hash and row are the same either way,
and a duplicate is marked for administrators alone.

See docs/explanation/registration.md#asking-to-join.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.core.clock import database_now
from workspace_manager.core.housekeeping_failures import attempt, due_rows
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.text_safety import is_unshowable
from workspace_manager.letters import emails
from workspace_manager.people import confirm_email, names_free, passwords, undo_approval
from workspace_manager.people.messages import message
from workspace_manager.people.profile import is_language, is_time_zone
from workspace_manager.records.models import Person, Registration

NAME_PROHIBITED = re.compile(r'[<>&"$%!#?§;*~/\\|^=\[\]{}()\x00-\x1f\x7f]')
"""Characters that Keycloak refuses in a first or last name, and control characters."""
LONGEST_CLAIM = timedelta(minutes=10)
REMINDER_DAYS = 3
"""Days before an undecided registration expires, when its applicant is told."""


@dataclass(frozen=True)
class RegistrationInput:
    """The form. The password is taken exactly as typed."""

    username: str
    email: str
    first_name: str
    last_name: str
    password: str
    locale: str = "en"
    timezone: str = "UTC"

    def __repr__(self) -> str:
        return f"<RegistrationInput {self.username!r}>"


def register(application: RegistrationInput) -> Registration:
    """Store a registration for a decision. Raises BadInput naming every unusable field."""
    username = _check(application)
    # Hashed before the search for duplicates, so that both take equal time.
    password_hash = passwords.importable_hash(application.password)
    with transaction.atomic():
        registration = Registration.objects.create(
            username=username,
            email=application.email.strip(),
            first_name=_one_line(application.first_name),
            last_name=_one_line(application.last_name),
            locale=application.locale or "en",
            timezone=application.timezone or "UTC",
            password_hash=password_hash,
            duplicate_of=taken_by(username, application.email.strip()),
        )
        note("registration:received", username, actor=username, id=str(registration.id))
        confirm_email.send_link(registration)
    return registration


def _check(application: RegistrationInput) -> str:
    errors = complaints(application)
    if errors:
        raise BadInput(errors)
    return names_free.applicant_name(application.username)


def complaints(application: RegistrationInput) -> dict[str, Message]:
    """Return the unusable fields; a taken name is not among them."""
    errors: dict[str, Message] = {}
    try:
        names_free.applicant_name(application.username)
    except NameImpossible as wrong:
        errors["username"] = wrong.message
    try:
        validate_email(application.email.strip())
        if len(application.email) > 254 or not application.email.isprintable():
            raise ValidationError("long")
    except ValidationError:
        errors["email"] = message("email")
    for field in ("first_name", "last_name"):
        text = _one_line(getattr(application, field))
        if not text:
            errors[field] = message("name")
        elif len(text) > 100:
            errors[field] = message("name_length")
        elif NAME_PROHIBITED.search(text):
            errors[field] = message("name_characters")
        elif is_unshowable(text):
            errors[field] = of_core("control_characters")
    if application.locale and not is_language(application.locale):
        errors["locale"] = message("language")
    if application.timezone and not is_time_zone(application.timezone):
        errors["timezone"] = message("time_zone")
    about = [application.username, application.email, application.first_name, application.last_name]
    wrong_password = passwords.complaint(application.password, about=[a[:100] for a in about])
    if wrong_password:
        errors["password"] = wrong_password
    return errors


def _one_line(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip()


def taken_by(username: str, email: str) -> str:
    """Return the holder of this name or e-mail address for administrators; "" for none."""
    bearer = names_free.bearer(username)
    # Queried whatever was found before, so that the duration tells an applicant nothing. An
    # unconfirmed address is a mere hint for those who decide.
    people = Person.objects.filter(email__iexact=email).values_list("username", flat=True)
    open_states = [Registration.Status.PENDING, Registration.Status.APPROVED]
    asked = Registration.objects.filter(status__in=open_states, email__iexact=email)
    others = [people.first(), asked.values_list("username", flat=True).first()] if email else []
    return next((name for name in (bearer, *others) if name), "")


def expire_old(now: datetime | None = None) -> int:
    """Expire registrations that were not decided in time, erasing their hashes, and announce it
    before. Return the number of expired ones.
    """
    now = now or database_now()
    limit = now - timedelta(days=settings.REGISTRATION_EXPIRY_DAYS)
    pending = Registration.objects.filter(status=Registration.Status.PENDING)
    soon = limit + timedelta(days=REMINDER_DAYS)
    for registration in due_rows(
        "remind_of_registrations", pending.filter(created_at__lt=soon, reminded_at=None)
    ):
        with attempt("remind_of_registrations", registration.id), transaction.atomic():
            if pending.filter(id=registration.id, reminded_at=None).update(reminded_at=now):
                emails.expires_soon(registration)
    closed = 0
    for registration in due_rows("expire_registrations", pending.filter(created_at__lt=limit)):
        with attempt("expire_registrations", registration.id), transaction.atomic():
            current = pending.select_for_update().filter(id=registration.id).first()
            if current is None or is_claimed(current):
                continue  # somebody is deciding on it now
            undo_approval.of_tries(current)
            current.status = Registration.Status.EXPIRED
            current.password_hash, current.decided_at = None, now
            current.confirmation, current.claim = "", current.claim + 1
            current.save()
            closed += 1
            note("registration:expired", current.username, actor=MANAGER)
            emails.write_expiry(current)
    return closed


def refuse_claimed(registration: Registration) -> None:
    """Raise Refused while somebody else decides on it."""
    if is_claimed(registration):
        raise Refused(message("claimed"))


def is_claimed(registration: Registration) -> bool:
    """Return whether somebody is deciding on it now. A claim beyond `LONGEST_CLAIM` was made before
    the clock was turned back.
    """
    until, now = registration.claimed_until, database_now()
    return until is not None and now < until <= now + LONGEST_CLAIM
