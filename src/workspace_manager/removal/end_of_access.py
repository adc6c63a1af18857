"""What a removed person may have kept, one by one, and what shows that it opens nothing any more.

Steps are about systems; whoever asks for a proof asks about credentials: the password, a cookie, a
token, a code. Each is tied here to the journal rows whose fresh look ended it. What no look has
shown is said to be not shown, never left out.

See docs/explanation/removal.md#the-end-of-every-access.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from workspace_manager.contract.message import Message, Words
from workspace_manager.core.timestamps import in_utc
from workspace_manager.engine.extras import CredentialView, Extras, LateLookView, english, said
from workspace_manager.engine.view import evidence_view
from workspace_manager.records.models import Person, Plan, PlanChange, PlanStep
from workspace_manager.removal import door_states, step4_remove_identity
from workspace_manager.removal.door_states import DoorState
from workspace_manager.removal.messages import message
from workspace_manager.removal.other_systems import ended_by
from workspace_manager.removal.sign_in_block import END, RAISED_BY
from workspace_manager.work import machine_accounts

ENDED, OPEN, BY_HAND, NOTHING, NOT_SHOWN, PENDING = (
    "ended", "open", "by_hand", "nothing", "not_shown", "pending",
)  # fmt: skip

IDENTITY = ((END, "identity_provider.user"), (RAISED_BY, "identity_provider.user"))
"""Disabled and without a session since the block, gone since its deletion: the later look says
more.
"""
DRIVE, NOTEBOOK = "remove_drive_account", "notebook_hub.container"
OWN_APP_PASSWORDS = "own_app_passwords"
"""Those that the person made at the drive: nobody sees them there, and they end with the account.
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
"""Each credential, and the (step, kind) pairs that end it, the strongest first."""


MACHINES_ENDED_BY = (
    ("drop_sql_users", "sql_server.user"),
    ("remove_triplestore_user", "triplestore.user"),
)
"""Accounts of machine keys go with the person's own."""
MACHINE_KEY = "machine_key"


def extras(plan: Plan, steps: Sequence[PlanStep]) -> Extras:
    """What a removal shows besides its steps."""
    text = joined(plan.recheck_found)
    late_look = LateLookView(
        due_at=in_utc(plan.recheck_due_at),
        state=plan.recheck_state or "pending",
        text=english(text),
        text_message=said(text),
    )
    return Extras(
        late_look=late_look,
        end_of_access=tuple(end_of_access(plan, steps)),
        by_hand=(*step4_remove_identity.foreseen(steps), *_left(steps)),
    )


def _left(steps: Sequence[PlanStep]) -> Iterator[Message]:
    """What a skipped step left as it is has to be dealt with by hand."""
    for step in steps:
        left = [row.name for row in step.changes.all() if row.state not in PlanChange.ENDED]
        if step.state == PlanStep.State.SKIPPED and left:
            yield message("left_by_skip", n=step.n, names=", ".join(left))


def joined(found: Sequence[Message]) -> Message | None:
    """Several messages as one, each nested in the one before."""
    if not found:
        return None
    first, then = found[0], joined(found[1:])
    if then is None:
        return first
    # Another system says a clause; the next sentence does not run on from it.
    ends = english(first).rstrip().endswith((".", "!", "?", "…", ":"))
    return message("proof.both" if ends else "proof.clauses", first=first, then=then)


def end_of_access(plan: Plan, steps: Sequence[PlanStep]) -> list[CredentialView]:
    """One entry per credential: what was found, when, and until when something is good a little
    longer. Empty before the approval.
    """
    if plan.state not in {*Plan.OPEN, Plan.State.DONE}:
        return []
    by_name = {step.name: step for step in steps}
    doors = door_states.of_removal(plan)
    found = [
        _unseen(ended(name, _by_steps(pairs, doors), by_name, doors), by_name)
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
    """The steps that end a credential. Where doors shut it, the step that resolves the identity
    shows no more than its own look.
    """
    return tuple(pair for pair in pairs if not doors or pair[0] != RAISED_BY)


def _unseen(entry: CredentialView, steps: dict[str, PlanStep]) -> CredentialView:
    """What nobody can look at is not shown as long as the account stays, with the reason why."""
    if entry.credential != OWN_APP_PASSWORDS or entry.state not in {BY_HAND, PENDING}:
        return entry
    step = steps[DRIVE]
    if entry.state == PENDING and step.state != PlanStep.State.STUCK:
        return entry
    return _entry(OWN_APP_PASSWORDS, NOT_SHOWN, step.reason)


def in_other_systems(
    plan: Plan, steps: dict[str, PlanStep], doors: Sequence[DoorState]
) -> Iterator[CredentialView]:
    """What people hold in other systems, as the plan was shown. Where nothing of the kind was
    looked at nothing is shown.
    """
    for credential, pairs in ended_by(plan):
        if not any(step in steps for step, _ in pairs):
            continue
        found = ended(credential.name, pairs, steps, doors)
        state = NOT_SHOWN if found.state == NOTHING else found.state
        label = {"label": english(credential.label), "label_message": said(credential.label)}
        yield found.model_copy(update={"state": state, **label})


def _entry(
    credential: str,
    state: str,
    text: Words | None,
    at: datetime | str | None = None,
    until: datetime | None = None,
) -> CredentialView:
    """`at`: ours, or as the look said it."""
    return CredentialView(
        credential=credential,
        state=state,
        text=english(text),
        text_message=said(text),
        at=at if isinstance(at, str) else in_utc(at),
        until=in_utc(until),
    )


def ours(plan: Plan, text: Message) -> Iterator[CredentialView]:
    """Sessions and tokens of the manager ended in the transaction of the approval; a look at our
    own table shows who is left.
    """
    for credential in ("manager_session", "api_token"):
        yield _entry(credential, ENDED, text, plan.approved_at)


def _access_token(plan: Plan, identity: CredentialView) -> CredentialView:
    """The one thing nobody can take back: it is good at the drive until it expires, and the recheck
    comes after that.
    """
    name, late, due = "access_token", plan.recheck_state, plan.recheck_due_at
    if plan.document["sub"] and identity.state in {NOT_SHOWN, OPEN}:
        # Who can still sign in is given new ones.
        return _entry(name, identity.state, identity.text_message or identity.text)
    found = joined(plan.recheck_found)
    if late in {"stuck", "skipped"}:
        return _entry(name, NOT_SHOWN, found)
    if late in {"clean", "removed"}:
        return _entry(name, ENDED, found, due or plan.finished_at)
    if due:
        return _entry(name, OPEN, message("proof.token_open"), until=due)
    return _entry(name, PENDING, "")


def ended(
    name: str,
    pairs: Iterable[tuple[str, str]],
    steps: dict[str, PlanStep],
    doors: Sequence[DoorState],
) -> CredentialView:
    """The strongest thing that can be said of a credential, by the steps and the doors: ended, then
    by hand, then open or pending, then nothing there, then not shown.
    """
    there = [(step, kind) for step, kind in pairs if step in steps]
    said = [_by(name, steps[step], kind) for step, kind in there]
    found = next(
        (one for state in (ENDED, BY_HAND, PENDING, NOTHING) for one in said if one.state == state),
        said[0] if said else _entry(name, NOT_SHOWN, message("proof.no_step")),
    )
    own = [one for one in doors if not _is_machines(one)]
    door = door_states.together(own, name, [kind for _, kind in there])
    kept = any(_keeps(steps[step], kind) for step, kind in there)
    return _with_door(found, door, kept=kept)


def _keeps(step: PlanStep, kind: str) -> bool:
    """Whether the step shuts what is there instead of deleting it."""
    return any(row.kind == kind and row.change["after"] for row in step.changes.all())


def _with_door(found: CredentialView, door: DoorState | None, *, kept: bool) -> CredentialView:
    """What a step deleted is gone, and needs no door; nor is a door tried that a person left."""
    if door is None or (found.state == ENDED and not kept):
        return found
    name = found.credential
    if door.state == door_states.SHUT:
        return _entry(name, ENDED, door.text, door.at or None)
    if found.state not in {ENDED, PENDING}:
        return found
    if door.state == door_states.BY_HAND:
        return _entry(name, BY_HAND, door.text)
    return _entry(name, OPEN if door.state == door_states.OPEN else PENDING, door.text)


def _is_machines(door: DoorState) -> bool:
    beginning = machine_accounts.BEGINNINGS.get(door.kind.partition(".")[0])
    return beginning is not None and door.name.startswith(beginning)


def of_machines(
    pairs: Iterable[tuple[str, str]], steps: dict[str, PlanStep], doors: Sequence[DoorState]
) -> CredentialView:
    """What the person's programs sign in with: shut where all of it is, in every system."""
    found = _machines_by_steps(pairs, steps)
    return _with_door(found, door_states.worst(list(filter(_is_machines, doors))), kept=False)


def _machines_by_steps(
    pairs: Iterable[tuple[str, str]], steps: dict[str, PlanStep]
) -> CredentialView:
    said = [
        _machines_in(steps[step], kind)
        for step, kind in pairs
        if step in steps and _machine_rows(steps[step], kind)
    ]
    for state in (NOT_SHOWN, BY_HAND, PENDING, ENDED):
        for entry in said:
            if entry.state == state:
                return entry
    return _entry(MACHINE_KEY, NOTHING, message("proof.nothing_recorded"))


def _machine_rows(step: PlanStep, kind: str) -> list[PlanChange]:
    beginning = machine_accounts.BEGINNINGS[kind.partition(".")[0]]
    rows = [row for row in step.changes.all() if row.kind == kind]
    return [row for row in rows if row.name.startswith(beginning)]


def _machines_in(step: PlanStep, kind: str) -> CredentialView:
    rows = _machine_rows(step, kind)
    states = {row.state for row in rows}
    if step.state == PlanStep.State.SKIPPED:
        return _entry(MACHINE_KEY, NOT_SHOWN, step.reason)
    if PlanChange.State.BY_HAND in states or step.state == PlanStep.State.BY_HAND:
        return _entry(MACHINE_KEY, BY_HAND, step.reason)
    if not states <= set(PlanChange.ENDED):
        return _entry(MACHINE_KEY, PENDING, "")
    looks = [look for row in rows for look in map(evidence_view, row.evidence) if look.kind == kind]
    text = joined([look.text_message for look in looks if look.text_message])
    return _entry(MACHINE_KEY, ENDED, text or "", looks[-1].at if looks else None)


def _by(name: str, step: PlanStep, kind: str) -> CredentialView:
    rows = [row for row in step.changes.all() if row.kind == kind]
    if step.state == PlanStep.State.SKIPPED:
        return _entry(name, NOTHING if _is_none(step) else NOT_SHOWN, step.reason)
    if not rows:
        return _entry(name, NOTHING, message("proof.nothing_recorded"))
    states = {row.state for row in rows}
    if PlanChange.State.BY_HAND in states or step.state == PlanStep.State.BY_HAND:
        return _entry(name, BY_HAND, step.reason)
    if not states <= set(PlanChange.ENDED):
        return _entry(name, PENDING, "")
    looks = [look for look in map(evidence_view, step.evidence) if look.kind == kind]
    if not looks:
        return _entry(name, ENDED, "")
    return _entry(name, ENDED, looks[-1].text_message or "", looks[-1].at)


NONE: Final = ("removal.not_configured", "people.no_account_there", "people.nothing_shared")
"""Why a plan left a step out: no account of the person is recorded there, so none can be open."""


def _is_none(step: PlanStep) -> bool:
    return step.reason is not None and step.reason.code in NONE
