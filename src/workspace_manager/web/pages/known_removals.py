"""The English sentences of plans and removals that are not codes yet, listed so that they are collected for translation."""

from django.utils.translation import gettext_noop

REMOVING = (
    gettext_noop("“%(label)s” is deleted; it is shared in project “%(project)s”."),
    gettext_noop("%(name)s leaves project “%(label)s” of %(owner)s."),
    gettext_noop(
        "%(name)s was linked to other accounts of the identity provider before (%(subs)s): delete what is left of them there by hand."
    ),
    gettext_noop(
        "The notebook container and volumes of %(name)s stay until somebody deletes them; until then nobody else can have the name."
    ),
    gettext_noop(
        "The ontology editor keeps deleted projects in its trash, under the account %(names)s: whoever has that name later finds them there, unless somebody deletes them for good."
    ),
    gettext_noop("the name is just being given to somebody"),
    gettext_noop("%(name)s is not here any more."),
    gettext_noop("%(name)s is leaving and becomes nothing any more."),
    gettext_noop("%(name)s is not an administrator any more. Nothing was changed."),
    gettext_noop(
        "The identity provider's account %(sub)s is known but not linked: delete it there by hand if it belongs to %(name)s."
    ),
    gettext_noop("The notebook volumes of %(name)s stay until somebody deletes them."),
    gettext_noop("“%(label)s” of %(name)s stays, but leaves project “%(project)s”."),
    gettext_noop("Project “%(label)s” ends for its members: %(names)s."),
    gettext_noop(
        "No account link: %(name)s never signed in through the identity provider, so there is no user id to act on."
    ),
    gettext_noop("The %(system)s is not configured, and no account of %(name)s is recorded there."),
    gettext_noop("No fence was needed: no token of this person could be out."),
    gettext_noop("Left by hand: “%(label)s” (%(name)s) in its system."),
    gettext_noop("Left by hand: the ontology project %(id)s (“%(label)s”)."),
    gettext_noop("This plan runs already, and it is not the one you were shown."),
    gettext_noop("This plan is %(state)s. Make a new one."),
    gettext_noop("This is not the plan you were shown. Look at it again before you approve it."),
    gettext_noop(
        "Something was added since this plan was shown. Make a new one and look at it again."
    ),
    gettext_noop("This plan was started or replaced just now. Look again."),
    gettext_noop("%(name)s is not an administrator."),
    gettext_noop("%(name)s is the last active administrator. Make somebody else one first."),
    gettext_noop("%(name)s is being removed already."),
    gettext_noop(
        "The account link gives the user id %(sub)s. The fence is switched off in the settings."
    ),
    gettext_noop(
        "The account was enabled or signed in again while it was leaving; it was fenced again."
    ),
    gettext_noop("%(kind)s is not configured any more; nobody could look."),
    gettext_noop("the system is paused"),
    gettext_noop("a fresh look still shows it"),
    gettext_noop("Waiting: %(reason)s. Looked again at %(time)s."),
    gettext_noop("The account %(name)s came back after the removal and is removed again."),
    gettext_noop("The notebook %(name)s was running again after the removal and is stopped again."),
    gettext_noop("Nothing was looked at: the steps that this look is about were skipped by hand."),
    gettext_noop("Nothing could come back: neither a drive account nor a notebook is recorded."),
    gettext_noop("stored drive credentials"),
    gettext_noop(
        "It ended when the removal was confirmed, and the account it belonged to is gone."
    ),
    gettext_noop(
        "It ended when the removal was confirmed; nobody signs in to an account that is leaving."
    ),
    gettext_noop(
        "It is good for nothing but the drive, there for its own remaining seconds alone; what it brings back is removed."
    ),
    gettext_noop("Nothing of this kind is recorded of this person."),
)
RUNNING = (
    gettext_noop("Nothing is to do: the removal took care of what was there."),
    gettext_noop("what is wanted changed just now"),
    gettext_noop("the person is gone; nothing of that name is theirs any more"),
    gettext_noop("the identity provider is not configured"),
    gettext_noop("Set its address and administrator under Systems."),
    gettext_noop("the %(system)s is not configured, but accounts are recorded there"),
    gettext_noop("Configure the %(system)s under Systems, or finish this by hand and say so here."),
    gettext_noop("the person is leaving or gone; nothing is given any more"),
    gettext_noop("Nothing is to do: the removal takes care of what exists."),
    gettext_noop("an earlier try may still be under way there"),
    gettext_noop("the call was answered, but a fresh look does not show its effect yet"),
    gettext_noop("It is looked at again; if this stays, look at that system."),
    gettext_noop("something of this name is there already, and it is not ours"),
    gettext_noop("Look whose it is. Rename or remove it there, then try again here."),
    gettext_noop("another plan is writing to this user"),
    gettext_noop("the %(system)s is paused (%(reason)s)"),
    gettext_noop(
        "Correct the settings of the %(system)s, or resume it under Systems; what waits then goes on."
    ),
    gettext_noop("This plan is %(state)s; its steps cannot be changed."),
    gettext_noop("This plan has no step %(n)s."),
    gettext_noop("Step %(n)s is %(state)s; this is not possible now."),
    gettext_noop("Step %(n)s was skipped, so this was left as it is: %(names)s."),
    gettext_noop("Waits for step %(steps)s."),
    gettext_noop("It is not tried again by itself: somebody has to decide."),
    gettext_noop("It goes on as soon as the system is called again."),
    gettext_noop("It goes on as soon as the person is let back in."),
    gettext_noop("Write 1 to %(count)s characters: it stays with the plan."),
)

SENTENCES: tuple[str, ...] = (*REMOVING, *RUNNING)
