"""People: applicants, present people, their accounts, and what remains of former members."""

import secrets
import uuid
from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Q
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from workspace_manager.records.choices import without_labels
from workspace_manager.records.fields import MessageField, SecretField


def new_mark() -> str:
    """Return a random id that marks an account that we make, to recognise it later."""
    return secrets.token_hex(16)


class PeopleFound(models.QuerySet["Person"]):
    """Locks a person's row without its key, so that rows that refer to it can still be written.

    Otherwise two functions, each about one of two people and writing a row for the other, would
    deadlock. Only PostgreSQL distinguishes these locks, and needs it.
    """

    def select_for_update(
        self,
        nowait: bool = False,
        skip_locked: bool = False,
        of: Sequence[str] = (),
        no_key: bool = True,
    ) -> "PeopleFound":
        return super().select_for_update(nowait, skip_locked, of, no_key)


class PersonQuery(BaseUserManager["Person"]):
    """Finds and makes people; they have no local passwords, but sign in at the provider."""

    _queryset_class = PeopleFound

    def create_user(self, username: str, **values: Any) -> "Person":
        person = self.model(username=username, **values)
        person.set_unusable_password()
        person.save(using=self._db)
        return person

    def active_administrators(self) -> models.QuerySet["Person"]:
        return self.filter(
            role=Person.Role.ADMINISTRATOR, state=Person.State.ACTIVE, is_active=True
        )


class Person(AbstractBaseUser):
    """Somebody who signed in at least once. allauth's `SocialAccount` links the account."""

    class Role(models.TextChoices):
        USER = "user", _("user")
        ADMINISTRATOR = "administrator", _("administrator")

    class State(models.TextChoices):
        ACTIVE = "active", _("active")
        SUSPENDED = "suspended", _("suspended")
        LEAVING = "leaving", _("being removed")

    class Theme(models.TextChoices):
        LIGHT = "light"
        DARK = "dark"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(max_length=255, unique=True)
    email = models.CharField(max_length=254, blank=True)
    email_confirmed = models.BooleanField(default=False)
    """The identity provider confirmed it at the last sign-in; an unconfirmed address counts as
    nobody's.
    """
    first_name = models.CharField(max_length=255, blank=True)
    last_name = models.CharField(max_length=255, blank=True)
    role = models.CharField(max_length=20, choices=without_labels(Role), default=Role.USER)
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.ACTIVE)
    locale = models.CharField(max_length=20, blank=True)
    timezone = models.CharField(max_length=60, blank=True)
    theme = models.CharField(max_length=10, choices=Theme.choices, blank=True)
    """The look of pages; "": as the device is set."""
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=now)
    last_sign_in = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateField(null=True, blank=True, db_index=True)
    """The last day on which the person may sign in; None for no end."""
    end_set_by = models.CharField(max_length=255, blank=True)
    end_reminded_at = models.DateTimeField(null=True, blank=True)
    end_done_at = models.DateTimeField(null=True, blank=True)
    """When the person was suspended after that day, which happens once."""

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    limited_to: Collection[str] | None = None
    """The permissions that limit this request, which then has no role; None for no limit. Never
    stored.
    """

    objects = PersonQuery()

    class Meta:
        ordering = ["username"]

    def __str__(self) -> str:
        return self.username

    @property
    def is_administrator(self) -> bool:
        has_role = self.role == self.Role.ADMINISTRATOR and self.is_active
        return has_role and self.limited_to is None

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip() or self.username


class Registration(models.Model):
    """A request to join. It makes no account anywhere.

    See docs/explanation/registration.md#what-is-kept.
    """

    class Status(models.TextChoices):
        PENDING = "pending", _("not yet")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")
        EXPIRED = "expired", _("expired")
        WITHDRAWN = "withdrawn", _("withdrawn")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(max_length=255, db_index=True)
    email = models.CharField(max_length=254, blank=True)
    first_name = models.CharField(max_length=255, blank=True)
    last_name = models.CharField(max_length=255, blank=True)
    locale = models.CharField(max_length=20, blank=True)
    timezone = models.CharField(max_length=60, blank=True)
    password_hash = SecretField()
    """A hash that the identity provider imports; erased at approval, rejection or expiry."""
    status = models.CharField(max_length=20, choices=without_labels(Status), default=Status.PENDING)
    email_confirmed = models.BooleanField(default=False)
    duplicate_of = models.CharField(max_length=255, blank=True)
    """Which name or e-mail address was taken when this arrived, in words."""
    created_at = models.DateTimeField(default=now)
    mark = models.CharField(max_length=64, default=new_mark, unique=True)
    sub = models.CharField(max_length=255, blank=True, db_index=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    claim = models.PositiveIntegerField(default=0)
    """Fencing number: the holder of an earlier claim cannot save a result."""
    confirmation = models.CharField(max_length=64, blank=True, db_index=True)
    """The hash of the link that confirms the e-mail address; "" if it was used or none is valid."""
    confirmation_until = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=255, blank=True)
    reason = models.TextField(blank=True)
    """The reason of the rejection, in the decider's words."""
    last_failure = MessageField()
    """Why the last approval or withdrawal failed."""

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.username} ({self.status})"


class Account(models.Model):
    """One account of a person in one system, stored when it is made or first seen.

    Unique per system and kind while it exists, so that two people never share one.
    """

    system = models.CharField(max_length=40)
    kind = models.CharField(max_length=60)
    name = models.CharField(max_length=255)
    person = models.ForeignKey(
        Person, null=True, blank=True, on_delete=models.CASCADE, related_name="accounts"
    )
    username = models.CharField(max_length=255, db_index=True)
    """The user name it belongs to, known before the first sign-in too."""
    machine = models.BooleanField(default=False)
    """The account of a machine key of this person."""
    created_at = models.DateTimeField(default=now)
    seen_at = models.DateTimeField(default=now)
    gone_at = models.DateTimeField(null=True, blank=True)
    made_by_us = models.BooleanField(default=False)
    """A plan sent the call that makes it: until then nothing with its name is ours. Reset when its
    removal is sent.
    """
    adopted = models.BooleanField(default=False)
    """It existed before the manager knew of it, and take-over gave it to this person: a removal
    shuts and keeps it, unless asked otherwise.
    """
    taken_over = models.ForeignKey(
        "TakeOver", null=True, blank=True, on_delete=models.SET_NULL, related_name="accounts"
    )
    """The confirmation that did, while it can be undone."""
    locked_by_us = models.BooleanField(default=False)
    """A plan shut it while it was open: an account that was shut before stays shut when the person
    is resumed.
    """
    taken = models.JSONField(default=dict)
    """The rights that shutting it took, from the check just before, to give back when the person is
    resumed.
    """

    class Meta:
        ordering = ["system", "kind", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["system", "kind", "name"],
                condition=Q(gone_at=None),
                name="one_account_one_person",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class Tombstone(models.Model):
    """The record of a former member: names that must not get a new holder."""

    username = models.CharField(max_length=255, db_index=True)
    sub = models.CharField(max_length=255, blank=True, db_index=True)
    accounts = models.JSONField(default=list)
    """`[{"system", "kind", "name"}]`."""
    plan = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField()
    released_at = models.DateTimeField(null=True, blank=True)
    released_by = models.CharField(max_length=255, blank=True)
    erased = models.BooleanField(default=False)
    """It has ended, and no audit entry contains the name any more."""
    pseudonym = models.CharField(max_length=40, blank=True)
    """The replacement of the name while audit entries are rewritten; a retry uses the same one."""

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.username


class UnapprovedSignIn(models.Model):
    """A sign-in with an account that is not approved, or with another `sub`, for an administrator
    to decide.
    """

    class State(models.TextChoices):
        OPEN = "open"
        RELINKED = "relinked", _("linked again")
        ADOPTED = "adopted", _("admitted")
        REFUSED = "refused", _("rejected")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    sub = models.CharField(max_length=255, unique=True)
    username = models.CharField(max_length=255)
    email = models.CharField(max_length=254, blank=True)
    email_confirmed = models.BooleanField(default=False)
    why = models.CharField(max_length=40)
    first_seen = models.DateTimeField(default=now)
    last_seen = models.DateTimeField(default=now)
    times = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=20, choices=without_labels(State), default=State.OPEN)
    decided_by = models.CharField(max_length=255, blank=True)

    class Meta:
        db_table = "records_stranger"
        ordering = ["-last_seen"]

    def __str__(self) -> str:
        return f"{self.username} ({self.why})"


class Announcement(models.Model):
    """An announced administrator who has not signed in. Without `sub` and `email` it is only a
    name, and takes effect once it is confirmed.
    """

    username = models.CharField(max_length=255, unique=True)
    sub = models.CharField(max_length=255, blank=True)
    email = models.CharField(max_length=254, blank=True)
    until = models.DateTimeField()
    created_at = models.DateTimeField(default=now)
    created_by = models.CharField(max_length=255, blank=True)

    class Meta:
        ordering = ["username"]

    def __str__(self) -> str:
        return self.username
