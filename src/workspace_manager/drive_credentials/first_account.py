"""The account that a person's first token makes at the drive: made before their browser may get
there.

Two first requests of one new account race in the drive, and one of them ends in an internal error
(docs/systems/drive.md#two-first-requests-at-once). One of the two would be ours, so the person's
own is not let on before ours is over.

See docs/explanation/drive-connection.md#before-anybody-goes-there.
"""

import logging
from typing import Final

from workspace_manager.contract.deadline import time_limit
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.drive_credentials.context import context_of, exclusive, refuse_inactive
from workspace_manager.records.models import DriveConnection, Person

log = logging.getLogger(__name__)

LONGEST_S: Final = 10.0
"""Seconds that somebody who comes in waits for the drive, which takes one or two."""


def make(person: Person, systems: ConnectedSystems, token: Secret | None) -> None:
    """Show the drive the token of a first sign-in, and wait until the account is made. A drive that
    cannot, or is silent, keeps nobody out: the visit after the sign-in says why.
    """
    try:
        context = context_of(person, systems)
        if token is None or not context.settings.use_bearer_token:
            return
        with time_limit(LONGEST_S), exclusive(context):
            refuse_inactive(context)
            context.drive.account_of(token)
    except (ConnectorError, Refused) as error:
        log.warning("the first account at the drive was not made beforehand: %s", error)


def wait_for_visit(person: Person, systems: ConnectedSystems) -> None:
    """Of somebody whom a visit to the drive waits for, which would be a first request too."""
    row = DriveConnection.objects.filter(person=person).exclude(sync_until=None).first()
    if row is not None:
        make(person, systems, row.token)
