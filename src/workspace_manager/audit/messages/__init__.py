"""Messages about an audit that does not verify."""

from workspace_manager.audit.messages.timeline import TIMELINE
from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "audit",
    __file__,
    {
        "changed": "Entry {entry} was changed: it does not say what was noted.",
        "missing": "Entry {entry} is missing: it was noted and sealed.",
        "added": "Entry {entry} was added later: its seal was made without it.",
        "not_sealed_so": "Entry {entry} names a seal that there is not.",
        "not_noted": (
            "Entry {entry} was not noted by the manager so: somebody wrote it into the "
            "database or changed it there before it was sealed."
        ),
        "seal_missing": "Seal {seal} is missing.",
        "seal_not_signed": "Seal {seal} was not signed by the manager so.",
        "seal_differs": (
            "Seal {seal} does not fit the one before it and its entries, {first} to {last}."
        ),
        "key_unknown": (
            "Seal {seal} was signed with a key that is not in WORKSPACE_SECRET_KEYS. Put the "
            "key that was in use then there too, after the others, and verify again."
        ),
        "expected_not_there": (
            "Seal {seal} with the digest that you wrote down is not there: the end of the audit "
            "was cut off, or it is another."
        ),
        "plan_differs": "Plan {plan} is not as it was noted when it ended. Changed since: {what}.",
        "plan_note_differs": (
            "Plan {plan} is not as it was noted when it ended: what it was held to was changed or "
            "deleted too, so that nobody can say what else."
        ),
        "plan_not_noted": (
            "Plan {plan} has ended, and the manager did not note it: somebody wrote it into the "
            "database, or deleted what was noted, or an earlier version still ran."
        ),
        "plan_missing": "Plan {plan} is missing: it was noted when it ended, and not forgotten.",
        "plan_in_later_form": (
            "Plan {plan} was noted by a later version of the manager, and this one cannot compare "
            "it."
        ),
        "plan_advice": (
            "The manager itself writes nothing of this. Do not rely on what stands here: compare "
            "it with a backup, verify the audit, and find out who can write into the database."
        ),
        "member.about": "what it is about",
        "member.document": "what was shown and approved",
        "member.made": "who made it and when",
        "member.approved": "who approved it and when",
        "member.ended": "how and when it ended",
        "member.found": "what was found on the way",
        "member.late_look": "what the follow-up check found",
        "member.step_about": "what step {n} is about",
        "member.step_ended": "how step {n} ended",
        "member.step_evidence": "the evidence of step {n}",
        "member.change_about": "what change {position} of step {n} is about",
        "member.change_ended": "how change {position} of step {n} ended",
        "member.change_evidence": "the evidence of change {position} of step {n}",
        "member.more": "{n} more",
        **TIMELINE,
    },
    codes={key: f"timeline.{key}" for key in TIMELINE},
)
