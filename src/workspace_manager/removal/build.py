"""Build the removal of a person: seven steps in order, from records and derived names alone."""

from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.engine.policy import with_policies
from workspace_manager.records.models import Person, Project
from workspace_manager.removal import (
    doors,
    kept_accounts,
    left_account,
    other_systems,
    step1_stop_notebook,
    step2_resolve_identity,
    step3_remove_drive_account,
    step4_remove_identity,
    step5_drop_sql_users,
    step6_remove_triplestore_user,
    step7_delete_records,
)
from workspace_manager.removal.capture import CapturedPerson, capture
from workspace_manager.removal.losses import LOSSES, dump_losses, find_losses, remarks
from workspace_manager.removal.messages import message
from workspace_manager.snapshots.snapshot_remarks import deletion_remarks
from workspace_manager.work.sharing import EDITOR_USER

KIND = "removal"
NEVER_CAME = "never_came"
"""The document's key for the withdrawal of an approval that was never used."""
STEPS = (
    step1_stop_notebook.step,
    step2_resolve_identity.step,
    step3_remove_drive_account.step,
    step4_remove_identity.step,
    step5_drop_sql_users.step,
    step6_remove_triplestore_user.step,
    step7_delete_records.step,
)


def build(
    person: Person,
    systems: ConnectedSystems,
    *,
    remove_adopted: bool = False,
    never_came: bool = False,
) -> PlanDocument:
    """Build the plan as it would run now, without asking a system.

    `remove_adopted` deletes accounts that existed before, which otherwise are only shut.
    `never_came` is for a person who was approved and never signed in here.
    """
    captured = capture(person, systems)
    steps = other_systems.with_other_systems(tuple(step(captured) for step in STEPS), captured)
    if not remove_adopted:
        steps = kept_accounts.left_standing(steps, captured)
    steps = doors.going_later(steps)
    planned = doors.plan_doors(steps, captured)
    return PlanDocument(
        kind=KIND,
        person=person.username,
        subject=captured.subject,
        sub=captured.sub,
        steps=with_policies(steps, systems),
        doors=planned,
        by_hand=(*_by_hand(captured), *(() if remove_adopted else kept_accounts.by_hand(captured))),
        remarks=(
            *doors.remark(planned),
            *kept_accounts.remarks(captured, removed=remove_adopted),
            *other_systems.remarks(captured),
            *remarks(captured.person),
            *deletion_remarks(captured.snapshots),
        ),
        captured={
            "email": person.email,
            "full_name": person.full_name,
            **({kept_accounts.REMOVE_ADOPTED: "yes"} if remove_adopted else {}),
            **({NEVER_CAME: "yes"} if never_came else {}),
            **left_account.of_records(captured),
            LOSSES: dump_losses(find_losses(person)),
        },
    )


def _by_hand(captured: CapturedPerson) -> tuple[Message, ...]:
    person = Named(person=captured.username)
    texts: list[Message] = []
    if captured.former_subs:
        subs = ", ".join(captured.former_subs)
        texts.append(message("by_hand.former_accounts", person=person, subs=subs))
    texts += left_account.in_words(captured)
    if not captured.not_configured("notebook_hub", step1_stop_notebook.KIND):
        texts.append(message("by_hand.notebook", person=person))
    editor = captured.recorded(EDITOR_USER)
    if editor and Project.objects.filter(owner=captured.person).exists():
        texts.append(message("by_hand.trash", accounts=", ".join(editor)))
    return tuple(texts)
