"""The end of every access: each credential that a removed person may have kept, with the evidence
that it opens nothing any more.

Steps are about systems, and proof is about credentials: passwords, cookies, tokens, codes. This
module ties each credential to the journal rows whose check showed its end. A credential without
such a check is listed as not shown, never left out.

See docs/explanation/removal.md#the-end-of-every-access.
"""

from collections.abc import Iterator, Sequence

from workspace_manager.contract.message import Message
from workspace_manager.core.timestamps import in_utc
from workspace_manager.core.views import as_text
from workspace_manager.engine.extras import (
    CredentialView,
    LateLookView,
    PlanExtras,
    message_view,
)
from workspace_manager.records.models import Person, Plan, PlanChange, PlanStep
from workspace_manager.removal import door_states, step4_remove_identity
from workspace_manager.removal.credential_ends import (
    BY_HAND,
    ENDED,
    NOT_SHOWN,
    NOTHING,
    OPEN,
    PENDING,
    credential_view,
    entry,
    nest_messages,
    of_machines,
)
from workspace_manager.removal.door_states import DoorState
from workspace_manager.removal.messages import message
from workspace_manager.removal.other_systems import ended_by
from workspace_manager.removal.sign_in_block import END, RAISED_BY

IDENTITY = ((END, "identity_provider.user"), (RAISED_BY, "identity_provider.user"))
"""The deletion of the user proves more than the earlier block, which disables it and ends its
sessions.
"""
DRIVE, NOTEBOOK = "remove_drive_account", "notebook_hub.container"
OWN_APP_PASSWORDS = "own_app_passwords"
"""App passwords that the person made at the drive. No interface lists them; they end with the
account.
"""

ENDED_BY: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("password", IDENTITY),
    ("identity_session", IDENTITY),
    ("refresh_token", IDENTITY),
    ("authorization_code", IDENTITY),
    ("app_password", ((DRIVE, "drive.app_password"),)),
    (OWN_APP_PASSWORDS, ((DRIVE, "drive.account"),)),
    ("drive_session", ((DRIVE, "drive.account"),)),
    ("sql_password", (("drop_sql_users", "sql_server.user"),)),
    ("sql_session", (("drop_sql_users", "sql_server.user"),)),
    ("triplestore_password", (("remove_triplestore_user", "triplestore.user"),)),
    ("notebook", ((END, NOTEBOOK), ("stop_notebook", NOTEBOOK))),
    ("hub_session", IDENTITY),
    ("service_key", (("delete_records", "records.service_key"),)),
)
"""Each credential, and the (step, kind) pairs that end it, the strongest evidence first."""


MACHINES_ENDED_BY = (
    ("drop_sql_users", "sql_server.user"),
    ("remove_triplestore_user", "triplestore.user"),
)
"""Accounts of machine keys are deleted with the person's own."""


def extras(plan: Plan, steps: Sequence[PlanStep]) -> PlanExtras:
    """Return what a removal shows besides its steps."""
    text = nest_messages(plan.recheck_found)
    late_look = LateLookView(
        due_at=in_utc(plan.recheck_due_at),
        state=plan.recheck_state or Plan.RecheckState.PENDING.value,
        text=as_text(text),
        text_message=message_view(text),
    )
    return PlanExtras(
        late_look=late_look,
        end_of_access=tuple(end_of_access(plan, steps)),
        by_hand=(*step4_remove_identity.foreseen_remarks(steps), *_left(steps)),
    )


def _left(steps: Sequence[PlanStep]) -> Iterator[Message]:
    """Return the things that skipped steps left for manual work."""
    for step in steps:
        left = [row.name for row in step.changes.all() if row.state not in PlanChange.ENDED]
        if step.state == PlanStep.State.SKIPPED and left:
            yield message("left_by_skip", n=step.n, names=", ".join(left))


def end_of_access(plan: Plan, steps: Sequence[PlanStep]) -> list[CredentialView]:
    """Return the state of each credential: the finding, its moment, and until when it may still
    work. Empty before the approval.
    """
    if plan.state not in {*Plan.OPEN, Plan.State.DONE}:
        return []
    by_name = {step.name: step for step in steps}
    doors = door_states.of_removal(plan)
    found = [
        _unseen(credential_view(name, _by_steps(pairs, doors), by_name, doors), by_name)
        for name, pairs in ENDED_BY
    ]
    others = list(in_other_systems(plan, by_name, doors))
    here = plan.subject_is_here
    gone = not (Person.objects.filter(id=plan.subject).exists() if here is None else here)
    text = message("proof.account_gone" if gone else "proof.account_leaving")
    machines = of_machines(MACHINES_ENDED_BY, by_name, doors)
    first = [*ours(plan, text), *found[:4], _access_token(plan, found[0])]
    return [*first, *found[4:], *others, machines]


def _by_steps(
    pairs: tuple[tuple[str, str], ...], doors: Sequence[DoorState]
) -> tuple[tuple[str, str], ...]:
    """Return the steps that end a credential. Where doors shut it, the step that resolves the
    identity counts for its own check only.
    """
    return tuple(pair for pair in pairs if not doors or pair[0] != RAISED_BY)


def _unseen(found: CredentialView, steps: dict[str, PlanStep]) -> CredentialView:
    """Mark a credential that no interface shows as not shown, with the reason, while its account
    exists.
    """
    if found.credential != OWN_APP_PASSWORDS or found.state not in {BY_HAND, PENDING}:
        return found
    step = steps[DRIVE]
    if found.state == PENDING and step.state != PlanStep.State.STUCK:
        return found
    return entry(OWN_APP_PASSWORDS, NOT_SHOWN, step.reason)


def in_other_systems(
    plan: Plan, steps: dict[str, PlanStep], doors: Sequence[DoorState]
) -> Iterator[CredentialView]:
    """Return credentials in other systems, as the plan listed them; not shown where none was
    checked.
    """
    for credential, pairs in ended_by(plan):
        if not any(step in steps for step, _ in pairs):
            continue
        found = credential_view(credential.name, pairs, steps, doors)
        state = NOT_SHOWN if found.state == NOTHING else found.state
        label = {
            "label": as_text(credential.label),
            "label_message": message_view(credential.label),
        }
        yield found.model_copy(update={"state": state, **label})


def ours(plan: Plan, text: Message) -> Iterator[CredentialView]:
    """Return the manager's own sessions and tokens, which ended in the transaction of the
    approval.
    """
    for credential in ("manager_session", "api_token"):
        yield entry(credential, ENDED, text, plan.approved_at)


def _access_token(plan: Plan, identity: CredentialView) -> CredentialView:
    """Return the access token, which cannot be revoked: it works at the drive until it expires, and
    the follow-up check comes after that.
    """
    name, late, due = "access_token", plan.recheck_state, plan.recheck_due_at
    if plan.document["sub"] and identity.state in {NOT_SHOWN, OPEN}:
        # A person who can still sign in gets new tokens.
        return entry(name, identity.state, identity.text_message or identity.text)
    found = nest_messages(plan.recheck_found)
    if late in {Plan.RecheckState.STUCK, Plan.RecheckState.SKIPPED}:
        return entry(name, NOT_SHOWN, found)
    if late in {Plan.RecheckState.CLEAN, Plan.RecheckState.REMOVED}:
        return entry(name, ENDED, found, due or plan.finished_at)
    if due:
        return entry(name, OPEN, message("proof.token_open"), until=due)
    return entry(name, PENDING, "")
