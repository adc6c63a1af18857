"""Messages about an audit that does not verify."""

from workspace_manager.audit.messages.timeline import TIMELINE
from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "audit",
    __file__,
    {
        "changed": "Entry {entry} was changed after it was written.",
        "missing": "Entry {entry} is missing, although it was written and sealed.",
        "added": "Entry {entry} was added later, after its seal was made.",
        "not_sealed_so": "Entry {entry} names a seal that does not exist.",
        "not_noted": (
            "The manager did not write entry {entry} like this: somebody wrote it into the "
            "database, or changed it there before it was sealed."
        ),
        "seal_missing": "Seal {seal} is missing.",
        "seal_not_signed": "The signature of seal {seal} is not the manager's.",
        "seal_differs": (
            "Seal {seal} does not match the seal before it and its entries, {first} to {last}."
        ),
        "key_unknown": (
            "Seal {seal} was signed with a key that is not in WORKSPACE_SECRET_KEYS. Add the key "
            "that was used then, after the others, and verify again."
        ),
        "expected_not_there": (
            "Seal {seal} does not have the digest that you wrote down: the end of the audit log "
            "was cut off, or this is another audit log."
        ),
        "plan_differs": "Plan {plan} was changed after it ended. Changed: {what}.",
        "plan_note_differs": (
            "Plan {plan} was changed after it ended. The record of its end was changed or deleted "
            "too, so what else changed is unknown."
        ),
        "plan_not_noted": (
            "The manager did not record the end of plan {plan}: somebody wrote the plan into the "
            "database, or deleted the record, or an earlier version was still running."
        ),
        "plan_missing": (
            "Plan {plan} is missing: its end was recorded, and the manager did not delete it."
        ),
        "plan_in_later_form": (
            "A later version of the manager recorded plan {plan}, so this version cannot compare "
            "it."
        ),
        "plan_advice": (
            "The manager never makes such changes. Do not rely on this page: compare the plan with "
            "a backup, verify the audit log, and find out who can write to the database."
        ),
        "member.about": "subject",
        "member.document": "the approved preview",
        "member.made": "creator and time",
        "member.approved": "approver and time",
        "member.ended": "result and time",
        "member.found": "findings on the way",
        "member.late_look": "result of the follow-up check",
        "member.step_about": "subject of step {n}",
        "member.step_ended": "result of step {n}",
        "member.step_evidence": "evidence of step {n}",
        "member.change_about": "subject of change {position} in step {n}",
        "member.change_ended": "result of change {position} in step {n}",
        "member.change_evidence": "evidence of change {position} in step {n}",
        "member.more": "{n} more",
        **TIMELINE,
    },
    codes={key: f"timeline.{key}" for key in TIMELINE},
)
