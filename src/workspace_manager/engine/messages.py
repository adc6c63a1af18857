"""What the engine says to people, in English; in German beside it (`messages.de.po`)."""

from collections.abc import Sequence

from workspace_manager.contract.message import Catalogue, Message
from workspace_manager.core.connected_systems import label_of

message = Catalogue(
    "engine",
    __file__,
    {
        "wanted_otherwise": "what is wanted changed just now",
        "person_gone": "the person is gone; nothing of that name is theirs any more",
        "person_gone.advice": "Nothing is to do: the removal took care of what was there.",
        "person_leaving": "the person is leaving or gone; nothing is given any more",
        "person_leaving.advice": "Nothing is to do: the removal takes care of what exists.",
        "person_suspended": "{person} is suspended; nothing is given until the suspension ends",
        "person_suspended.advice": "It goes on by itself when the person is let back in.",
        "disabled_there": (
            "{person} is disabled at the identity provider; nothing is given to somebody who may "
            "not sign in"
        ),
        "disabled_there.advice": (
            "It goes on by itself once the person is enabled there. Whoever left is removed here."
        ),
        "gone_there": "{person} does not exist at the identity provider any more",
        "gone_there.advice": (
            "Remove the person here: the removal takes care of what exists. Or relink them, if "
            "they were made there anew."
        ),
        "not_asked": (
            "whether the person may still sign in cannot be asked: the identity provider is paused "
            "({reason})"
        ),
        "not_asked.advice": "Resume the identity provider under Systems.",
        "another_writer": "another plan is writing to this user",
        "not_ours": "something of this name is there already, and it is not ours",
        "not_ours.advice": ("Look whose it is. Rename or remove it there, then try again here."),
        "earlier_try": "an earlier try may still be under way there",
        "decided_otherwise": (
            "a setting of the {system} has changed since this plan was shown, so that it would do "
            "something else: {names}"
        ),
        "decided_otherwise.advice": (
            "Set it back under Systems ({system}) and try again, or finish this by hand."
        ),
        "effect_not_seen": ("the call was answered, but a fresh look does not show its effect yet"),
        "effect_not_seen.advice": "It is looked at again; if this stays, look at that system.",
        "paused": "the {system} is paused ({reason})",
        "paused.advice": (
            "Correct the settings of the {system}, or resume it under Systems; "
            "what waits then goes on."
        ),
        "doing.looking": "looking",
        "doing.waiting": "waiting",
        "doing.making": "making it",
        "doing.verifying": "verifying",
        "doing.changing_access": "changing access",
        "doing.giving_access": "giving access",
        "under_way": ("A call that was sent to the {system} before may still be under way there."),
        "under_way.both": (
            "A call that was sent to the {system} and the {other} before may still be "
            "under way there."
        ),
        "under_way.advice": "It goes on by itself.",
        "not_as_approved": "what would run is not what was approved",
        "not_as_approved.advice": (
            "Nothing of it was done. Somebody or something changed the stored plan: "
            "end each step by hand, and make a new plan."
        ),
        "plan_is": "This plan is {state}; its steps cannot be changed.",
        "no_step": "This plan has no step {n}.",
        "step_is": "Step {n} is {state}; this is not possible now.",
        "write_a_text": "Write 1 to {most} characters: it stays with the plan.",
        "decided": "{text} ({person})",
        "headline.draft": (
            "Nothing has happened yet. This is exactly what will be done once you confirm it below."
        ),
        "headline.stale": (
            "This preview is out of date: something changed since it was made. Nothing was done."
        ),
        "headline.superseded": "This plan was stopped because another one took its place.",
        "headline.stuck": ("{ended} of {total} steps have ended. Stuck, and needs you: {systems}."),
        "headline.waiting": (
            "{ended} of {total} steps have ended. Waits for: {systems}. It goes on by itself; you "
            "can leave this page."
        ),
        "headline.running": (
            "{ended} of {total} steps have ended. You can leave this page; it goes on."
        ),
        "headline.closing": "All {total} steps have ended; the plan is being closed.",
        "headline.done": "All {total} steps have ended.",
        "headline.left": (
            "All {total} steps have ended, some of them not by the manager: look at what is left "
            "below."
        ),
        "again.not_by_itself": ("It is not tried again by itself: somebody has to decide."),
        "again.when_resumed": "It goes on as soon as the system is called again.",
        "again.when_back": "It goes on as soon as the person is let back in.",
        "waits_for": "Waits for step {steps}.",
        "of_another": "it is recorded for somebody else by now",
        "of_another.advice": "Nothing was shut there. Look whose it is.",
        "door_restored": "{name} was open again and was shut again.",
        "step": "{n} ({system})",
    },
)


def under_way_at(systems: Sequence[str]) -> Message:
    """What a new plan waits for whose predecessor had calls under way there. A step concerns two
    systems at most.
    """
    first, other = systems[0], systems[-1]
    if first == other:
        return message("under_way", system=label_of(first))
    return message("under_way.both", system=label_of(first), other=label_of(other))
