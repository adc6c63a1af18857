"""Messages of the engine, in English; in German beside it (`messages.de.po`)."""

from collections.abc import Sequence

from workspace_manager.contract.message import Catalogue, Message
from workspace_manager.core.connected_systems import label_of

message = Catalogue(
    "engine",
    __file__,
    {
        "wanted_otherwise": "the desired state has just changed",
        "person_gone": "the person is gone; nothing with that name belongs to them any more",
        "person_gone.advice": "Nothing to do. The removal took care of what existed.",
        "person_leaving": "the person is being removed or gone and gets nothing new",
        "person_leaving.advice": "Nothing to do. The removal takes care of what exists.",
        "person_suspended": "{person} is suspended and gets nothing new until the suspension ends",
        "person_suspended.advice": "Continues automatically when the suspension ends.",
        "disabled_there": "{person} is disabled at the identity provider and gets nothing new",
        "disabled_there.advice": (
            "Continues automatically when the person is enabled there. If the person has left, "
            "remove them here."
        ),
        "gone_there": "{person} no longer exists at the identity provider",
        "gone_there.advice": (
            "Remove the person here. If they were created again there, link the new account "
            "instead."
        ),
        "not_asked": (
            "the person’s access cannot be checked because the identity provider is paused "
            "({reason})"
        ),
        "not_asked.advice": "Resume the identity provider under Systems.",
        "another_writer": "another plan is changing this user",
        "not_ours": "something with this name exists already and was not created by the manager",
        "not_ours.advice": "Check whose it is. Rename or remove it there, then retry here.",
        "earlier_try": "an earlier attempt may still be running there",
        "decided_otherwise": (
            "a setting of the {system} has changed since this plan was shown and would change "
            "its effect: {names}"
        ),
        "decided_otherwise.advice": (
            "Restore the setting under Systems ({system}) and retry, or finish this by hand."
        ),
        "effect_not_seen": "the call succeeded, but its effect is not visible yet",
        "effect_not_seen.advice": (
            "The check is repeated. If the problem persists, check that system."
        ),
        "paused": "the {system} is paused ({reason})",
        "paused.advice": (
            "Correct the settings of the {system}, or resume it under Systems. Waiting work then "
            "continues."
        ),
        "paused.advice_ours": (
            "The manager tries the {system} again every minute. Once it answers, waiting work "
            "continues. `workspace-manager check` says what is wrong."
        ),
        "doing.looking": "checking",
        "doing.waiting": "waiting",
        "doing.making": "creating",
        "doing.verifying": "verifying",
        "doing.changing_access": "changing access",
        "doing.giving_access": "granting access",
        "under_way": "An earlier call to the {system} may still be running there.",
        "under_way.both": (
            "An earlier call to the {system} and the {other} may still be running there."
        ),
        "under_way.advice": "Continues automatically.",
        "not_as_approved": "the plan that would run is not the plan that was approved",
        "not_as_approved.advice": (
            "Nothing was done. The stored plan was changed: end each step by hand and create a "
            "new plan."
        ),
        "plan_is": "This plan is {state}. Its steps cannot be changed.",
        "no_step": "This plan has no step {n}.",
        "step_is": "Step {n} is {state}. This is not possible now.",
        "write_a_text": "Write 1 to {most} characters. The text is stored with the plan.",
        "decided": "{text} ({person})",
        "headline.draft": "Nothing has happened yet. These steps run when you confirm below.",
        "headline.stale": (
            "This preview is out of date: something has changed, or another one replaced it. It "
            "was not carried out."
        ),
        "headline.superseded": "Another plan replaced this one.",
        "headline.stuck": (
            "{ended} of {total} steps have ended. The plan is stuck and needs attention: {systems}."
        ),
        "headline.waiting": (
            "{ended} of {total} steps have ended. Waiting for: {systems}. The plan continues "
            "automatically. You can leave this page."
        ),
        "headline.running": "{ended} of {total} steps have ended. You can leave this page.",
        "headline.closing": "All {total} steps have ended. The plan is being closed.",
        "headline.done": "All {total} steps have ended.",
        "headline.left": "All {total} steps have ended. Work remains to do by hand; see below.",
        "again.not_by_itself": "No automatic retry. An administrator has to decide.",
        "again.when_resumed": "Continues as soon as the system is resumed.",
        "again.when_back": "Continues as soon as the suspension ends.",
        "waits_for": "Waiting for step {steps}.",
        "of_another": "it is now recorded for somebody else",
        "of_another.advice": "Nothing was blocked there. Check whose it is.",
        "door_restored": "{name} was open again and was blocked again.",
        "step": "{n} ({system})",
    },
)


def under_way_at(systems: Sequence[str]) -> Message:
    """The reason why a new plan waits whose predecessor had calls under way there. A step concerns
    two systems at most.
    """
    first, other = systems[0], systems[-1]
    if first == other:
        return message("under_way", system=label_of(first))
    return message("under_way.both", system=label_of(first), other=label_of(other))
