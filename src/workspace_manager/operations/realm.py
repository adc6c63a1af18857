"""Set up the realm: the needed changes are computed from its current state and made by a plan.

The engine provides journal, evidence, waits and continuation after a crash. Declarations of others
stay, and parts that are right are not in the plan (docs/explanation/realm.md).
"""

import time
from collections.abc import Callable, Sequence
from typing import Final, Protocol, cast

from django.db import transaction
from pydantic import JsonValue

from workspace_manager.audit.note import note
from workspace_manager.contract import wait_hooks
from workspace_manager.contract.connector import Change
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.core.system_protocols import IdentityProvider
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change, store
from workspace_manager.operations import learnt_settings
from workspace_manager.operations.messages import message
from workspace_manager.operations.realm_requirements import wanted_realm
from workspace_manager.records.models import Plan, SystemStatus
from workspace_manager.systems.identity_provider.names import split_part
from workspace_manager.systems.identity_provider.realm.clients import secret_to_copy
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_manager.systems.identity_provider.settings import Settings

SET_UP: Final = PlanKind("realm.setup", message("plan.realm.setup"), names_person=False)
STEPS = (
    (declare_step("declare_attributes", message), "profile"),
    (declare_step("set_up_clients", message), "client"),
    (declare_step("set_up_mappers", message), "mapper"),
    (declare_step("give_service_roles", message), "roles"),
    (declare_step("close_realm", message), "settings"),
)
"""Steps and their parts of the realm: a client is made before what belongs to it."""
MANAGER_SECRET = "settings/identity_provider/client_secret"  # noqa: S105  a reference, not a secret
PATIENCE_S = 60.0


class Realm(IdentityProvider, Protocol):
    """The identity provider, as the set-up uses it."""

    def realm_changes(self, wants: RealmWants | None = None) -> list[Change]: ...


def needed_changes(
    systems: ConnectedSystems, *, base_url: str, service_account: str = ""
) -> list[Change]:
    """Return the changes that bring the realm to its wanted state; empty if it is. Raises the five
    errors.

    `service_account`: client id of an administrator with few rights, if one is wanted.
    """
    realm = cast(Realm, systems.identity_provider())
    learnt_settings.learn(systems)
    wants = wanted_realm(
        learnt_settings.complete_settings(systems.settings),
        base_url=base_url,
        secrets={"manager": MANAGER_SECRET},
        service_account=service_account,
    )
    return realm.realm_changes(wants)


def start(systems: ConnectedSystems, changes: Sequence[Change], *, actor: str) -> Plan:
    """Store and start the plan with these changes. Raises Refused while another one runs."""
    document = _document(changes, systems.settings_of(Settings))
    with transaction.atomic():
        # Serialises two calls: the second one finds the plan of the first.
        SystemStatus.objects.select_for_update().get_or_create(system="identity_provider")
        running = Plan.objects.filter(kind=SET_UP.name, state__in=Plan.OPEN).first()
        if running:
            raise Refused(message("under_way", id=str(running.id)), plan=str(running.id))
        plan = store(document, actor=actor, state=Plan.State.RUNNING)
        parts: list[JsonValue] = [change.target["part"] for change in changes]
        note("realm:set_up", document.person, actor=actor, plan=str(plan.id), parts=parts)
    return plan


def see_through(plan: Plan, work: Callable[[], bool], *, patience: float = PATIENCE_S) -> Plan:
    """Work on the plan until it ends or waits for somebody else; workers may help.

    `work`: one run of the engine. After `patience` seconds the rest is left to a worker.
    """
    deadline = time.monotonic() + patience
    while plan.state == Plan.State.RUNNING and time.monotonic() < deadline:
        if not work():
            wait_hooks.pause(0.1)
        plan.refresh_from_db()
    return plan


def _document(changes: Sequence[Change], settings: Settings) -> PlanDocument:
    steps = []
    for n, (name, part) in enumerate(STEPS, start=1):
        mine = [c for c in changes if c.target["part"].partition(":")[0] == part]
        steps.append(
            PlannedStep(
                n=n,
                name=name,
                system="identity_provider",
                needs=(2,) if n > 2 else (),
                skip="" if mine else message("nothing_to_do"),
                changes=tuple(plan_change(c, name=_name(c)) for c in mine),
            )
        )
    # Reported from the start: after a crash nobody would report that the client was made.
    by_hand = [
        secret_to_copy(split_part(c.target["part"])[1], c.after or {}, settings)
        for c in changes
        if c.target["part"].startswith("client:") and c.before is None and not c.secrets
    ]
    return PlanDocument(
        kind=SET_UP.name,
        person=settings.realm,
        subject="",
        steps=tuple(steps),
        by_hand=tuple(by_hand),
    )


def _name(change: Change) -> str:
    part, _, name = change.target["part"].partition(":")
    return name or {"profile": "user profile"}.get(part, part)
