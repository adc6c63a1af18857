"""One person and the two systems that are asked about their way to the drive; one writer at a
time.
"""

import contextlib
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from workspace_manager.contract import wait_hooks
from workspace_manager.contract.connector import Connector
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.core.account_link import sub_of
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.locks import lock
from workspace_manager.core.refusal import Refused
from workspace_manager.core.system_protocols import Drive
from workspace_manager.drive_credentials.messages import message
from workspace_manager.engine import pause as pausing
from workspace_manager.records.models import Account, Person
from workspace_manager.systems.drive.settings import Settings

ATTRIBUTES: Final = "identity_provider.attributes"
ACCOUNT: Final = "drive.account"

LONGEST_WAIT_S = 15.0
"""Seconds somebody waits for their turn: connecting takes a few calls, each of which is short."""
LOOK_AGAIN_S = 0.1


@dataclass(frozen=True)
class DriveContext:
    """One person, and the two systems that are asked about them."""

    person: Person
    sub: str
    drive: Drive
    attributes: Connector
    systems: ConnectedSystems
    settings: Settings

    @property
    def target(self) -> dict[str, str]:
        return {"sub": self.sub, "username": self.person.username}

    def app_password(self) -> Secret:
        """The stored one. Raises NotFound when there is none."""
        provider = self.systems.identity_provider()
        return provider.read_attribute(self.sub, self.settings.app_password_attribute)


def is_shut(person: Person) -> bool:
    """Return whether a suspension shut the drive account and nothing has opened it yet: it is
    answered like a wrong password, which says nothing of any credential then.
    """
    rows = Account.objects.filter(kind=ACCOUNT, person=person, locked_by_us=True, gone_at=None)
    return rows.exists()


def context_of(person: Person, systems: ConnectedSystems) -> DriveContext:
    """Raises Refused when the drive or the identity provider is not set up or the person has no
    link, Unavailable for a paused one.
    """
    sub = sub_of(person)
    if not sub:
        raise Refused(message("no_link"))
    attributes = systems.connector(ATTRIBUTES)
    drive = systems.drive
    if attributes is None or drive is None:
        raise Refused(message("not_set_up"))
    for kind in (ACCOUNT, ATTRIBUTES):
        pausing.refuse_paused(kind)
    settings = systems.settings_of(Settings)
    return DriveContext(person, sub, drive, attributes, systems, settings)


@contextlib.contextmanager
def exclusive(context: DriveContext) -> Iterator[None]:
    """One writer at a time for one user of the identity provider: the lock that plans take too.

    The visit after a sign-in, a second window and the person's own click come together: each waits
    for its turn. Raises Unavailable when it does not come.
    """
    token = secrets.token_hex(16)
    until = time.monotonic() + LONGEST_WAIT_S
    while True:
        with lock(f"identity_provider:{context.sub}", token=token) as mine:
            if mine:
                yield
                return
        if time.monotonic() >= until:
            raise Unavailable(
                message("busy"),
                kind=ACCOUNT,
                doing=message("connecting"),
                advice=message("soon"),
                retry_after=2,
            )
        wait_hooks.pause(LOOK_AGAIN_S)


def refuse_inactive(context: DriveContext) -> None:
    """Nothing is made for somebody who is leaving or suspended, or who was relinked meanwhile.
    Raises Refused.
    """
    active = Person.objects.filter(id=context.person.id, state=Person.State.ACTIVE, is_active=True)
    if not active.exists() or sub_of(context.person) != context.sub:
        raise Refused(message("not_active"))
