"""Components: databases and repositories, made and removed by plans (specification, sections 2.4 and 6).

Every name is reserved in our records before the first call: what a killed creation may have left is found and removed by it.
"""

import secrets
import uuid
from collections.abc import Callable

from django.db import IntegrityError, transaction

from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.secret import Secret
from workspace_manager.lifecycle import history
from workspace_manager.lifecycle.driven import LABELS, DrivenSystems
from workspace_manager.lifecycle.planning.journal import planned, store
from workspace_manager.lifecycle.planning.plan import PlanDocument, PlannedStep
from workspace_manager.lifecycle.refusal import BadInput, Refused
from workspace_manager.lifecycle.resources import repositories, sql_databases
from workspace_manager.records.models import (
    Account,
    Component,
    Person,
    Plan,
    Project,
    ServiceKey,
    VaultEntry,
)

CREATE, DELETE = "component.create", "component.delete"
KINDS = {
    Component.Kind.SQL_DATABASE: sql_databases,
    Component.Kind.TRIPLESTORE_REPOSITORY: repositories,
}


def create(
    owner: Person, *, kind: str, label: str, project: Project | None, driven: DrivenSystems
) -> tuple[Component, Plan]:
    """Reserve the names, keep a fresh secret, and store the plan that makes the thing.

    Raises BadInput for a kind or label that cannot be, Refused when the system is not configured or an account name belongs to
    somebody else.
    """
    made_by = KINDS.get(Component.Kind(kind)) if kind in Component.Kind.values else None
    if made_by is None:
        raise BadInput({"kind": f"Choose one of {', '.join(KINDS)}."})
    label = checked_label(label)
    if not driven.configured(made_by.SYSTEM):
        raise Refused(
            f"The {LABELS[made_by.SYSTEM]} is not configured. An administrator can set it up under Systems."
        )
    if owner.state != Person.State.ACTIVE:
        raise Refused("You are leaving this workspace; nothing new is made for you.")
    with transaction.atomic():
        component_id = uuid.uuid4()
        component = Component.objects.create(
            id=component_id,
            owner=owner,
            kind=kind,
            label=label,
            project=project,
            name=made_by.resource_name(owner.username, label, component_id.hex[:10]),
        )
        account, fresh = reserve(
            owner, made_by.SYSTEM, made_by.USER, _account_name(made_by.account_name, owner.username)
        )
        plan = store(
            _document(CREATE, component, made_by.creation(component, account, driven, new=fresh)),
            actor=owner.username,
            state=Plan.State.RUNNING,
        )
        _keep_secret(plan, owner, made_by.SYSTEM, account, fresh=fresh)
        history.note(
            "component:requested",
            owner.username,
            actor=owner.username,
            id=str(component.id),
            kind=kind,
        )
    return component, plan


def checked_label(label: str) -> str:
    """Raises BadInput for a label no page could show."""
    label = label.strip()
    if not label or len(label) > 100:
        raise BadInput({"label": "Use 1 to 100 characters."})
    if any(ord(c) < 32 or ord(c) == 127 or 0xD800 <= ord(c) <= 0xDFFF for c in label):
        raise BadInput({"label": "Leave out control characters."})
    return label


def _account_name(rule: Callable[[str], str], username: str) -> str:
    """Raises Refused when the system could not have an account of this name, before anything is written."""
    try:
        return rule(username)
    except ValueError as unfit:
        raise Refused(str(unfit)) from unfit
    except ConnectorError as unfit:
        raise Refused(f"{unfit.detail} {unfit.advice}".strip()) from unfit


def reserve(owner: Person, system: str, kind: str, name: str) -> tuple[str, bool]:
    """Write an account down as this person's before it is made; gives its name and whether it is new.

    Raises Refused when the name is somebody else's there: two people never map to one account.
    """
    standing = Account.objects.filter(kind=kind, person=owner, gone_at=None).first()
    if standing:
        return standing.name, False
    try:
        with transaction.atomic():
            Account.objects.create(
                system=system, kind=kind, name=name, username=owner.username, person=owner
            )
    except IntegrityError as taken:
        raise Refused(
            f"The account {name} of the {LABELS[system]} belongs to somebody else here."
        ) from taken
    return name, True


def _keep_secret(plan: Plan, owner: Person, system: str, account: str, *, fresh: bool) -> None:
    """Keep the account's secret encrypted before the first call, and point the plan's changes at it.

    A secret that was not revealed yet is sent again: an earlier creation may not have come that far. A revealed one is not known here
    any more, and the account stands with it.
    """
    key = ServiceKey.objects.filter(owner=owner, system=system).first()
    if fresh or key is None:
        # Letters and digits only: some systems substitute in values (facts, container manager 0.2).
        secret = Secret(secrets.token_hex(20), name=f"{system} password")
        label = f"{LABELS[system]} of {owner.username}"
        key, _ = ServiceKey.objects.update_or_create(
            owner=owner,
            system=system,
            defaults={"account": account, "label": label, "secret": secret, "revealed_at": None},
        )
    reference = ""
    if key.secret is not None:
        reference = f"vault/{VaultEntry.objects.create(plan=plan, secret=key.secret).id}"
    for step in plan.steps.all():
        for row in step.changes.all():
            change = Change.model_validate(row.change)
            if change.secrets:
                pointed = dict.fromkeys(change.secrets, reference) if reference else {}
                row.change = change.model_copy(update={"secrets": pointed}).model_dump(mode="json")
                row.save(update_fields=["change"])


def delete(component: Component, *, actor: str, driven: DrivenSystems) -> Plan:
    """Store the plan that removes a component and what it owns. Raises Refused while one does already."""
    if component.state == Component.State.DELETING:
        raise Refused("This component is being deleted already.")
    made_by = KINDS[Component.Kind(component.kind)]
    if not driven.configured(made_by.SYSTEM):
        raise Refused(
            f"The {LABELS[made_by.SYSTEM]} is not configured; what is there cannot be deleted."
        )
    with transaction.atomic():
        Plan.objects.filter(about=str(component.id), kind=CREATE, state__in=Plan.OPEN).update(
            state=Plan.State.SUPERSEDED, due_at=None
        )
        Component.objects.filter(id=component.id).update(state=Component.State.DELETING)
        steps = made_by.deletion(component)
        record = Change(
            kind="records.component",
            subject=str(component.owner_id),
            target={"id": str(component.id), "label": component.label},
        )
        last = PlannedStep(
            n=len(steps) + 1,
            name="delete_record",
            system="records",
            needs=tuple(s.n for s in steps),
            changes=(planned(record, name=component.label),),
        )
        plan = store(
            _document(DELETE, component, (*steps, last)), actor=actor, state=Plan.State.RUNNING
        )
        history.note(
            "component:deletion_requested",
            component.owner.username,
            actor=actor,
            id=str(component.id),
        )
    return plan


def downstream(component: Component) -> list[Change]:
    """What a component owns in other systems, as removals: its database or repository, not its owner's account."""
    made_by = KINDS.get(Component.Kind(component.kind))
    return made_by.downstream(component) if made_by else []


def _document(kind: str, component: Component, steps: tuple[PlannedStep, ...]) -> PlanDocument:
    return PlanDocument(
        kind=kind,
        person=component.owner.username,
        subject=str(component.owner_id),
        about=str(component.id),
        steps=steps,
    )


def follow(plan: Plan) -> None:
    """Keep the state of a component in step with the plan that makes it, in the same transaction."""
    component = Component.objects.filter(id=plan.about).first()
    if component is None:
        return
    states = {
        Plan.State.DONE: Component.State.READY,
        Plan.State.WAITING: Component.State.WAITING,
        Plan.State.STUCK: Component.State.FAILED,
    }
    component.state = states.get(Plan.State(plan.state), Component.State.CREATING)
    component.save(update_fields=["state"])


def follow_deletion(plan: Plan) -> None:
    """After a deletion, forget the account that went with the last component that used it."""
    if plan.state != Plan.State.DONE:
        return
    gone = [
        row.change
        for step in plan.steps.all()
        for row in step.changes.filter(kind="triplestore.user")
    ]
    for change in gone:
        if change["after"] is None:
            Account.objects.filter(
                kind="triplestore.user", name=change["target"]["user"], gone_at=None
            ).delete()
            ServiceKey.objects.filter(owner__id=plan.subject, system="triplestore").delete()
