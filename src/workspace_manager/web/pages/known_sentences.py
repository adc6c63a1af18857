"""The English sentences that stories write for people, listed so that they are collected for translation.

Stories know no language but English: what varies stands as `%(name)s`, and `sentences` recognises the sentence by its pattern. A test
says which sentence of `lifecycle` is missing here. What the systems themselves report stays English.
"""

from django.utils.translation import gettext_noop

from workspace_manager.web.pages.known_settings import TEXTS

REGISTERING = (
    gettext_noop("Enter a name."),
    gettext_noop("Use at most 100 characters."),
    gettext_noop("Use 1 to 100 characters."),
    gettext_noop("Use at least %(count)s characters."),
    gettext_noop("Use at most %(count)s characters."),
    gettext_noop('Leave out special characters such as < > & " / ( ).'),
    gettext_noop("Leave out control characters."),
    gettext_noop("Enter an e-mail address like name@example.org."),
    gettext_noop("Choose a language, such as en or de."),
    gettext_noop("Choose a time zone, such as Europe/Berlin."),
    gettext_noop("Do not use your name or e-mail address as your password."),
    gettext_noop("This password is easy to guess. Add a few uncommon words or more characters."),
    gettext_noop("Choose one of %(kinds)s."),
    gettext_noop("Write 1 to %(count)s characters: it stays with the plan."),
)
NAMING = (
    gettext_noop("A user name has at least 3 characters."),
    gettext_noop("A user name has at most 32 characters."),
    gettext_noop("A user name begins and ends with a letter (a to z) or a digit."),
    gettext_noop(
        "A user name is made of the letters a to z, digits, dots, hyphens and underscores."
    ),
    gettext_noop(
        "This user name is reserved for one of the workspace's systems. Please choose another."
    ),
)
DECIDING = (
    gettext_noop(
        "What somebody called %(name)s left behind is looked at right now. Try again in a minute."
    ),
    gettext_noop("%(name)s is here already. Remove the person instead."),
    gettext_noop(
        "Something of an earlier %(name)s is still there: %(things)s. Whoever gets the name now would have it. Delete it, then approve again, or have the applicant choose another name."
    ),
    gettext_noop(
        "The user name %(name)s belongs to somebody who is here. Reject this registration."
    ),
    gettext_noop(
        "Another registration for %(name)s is approved already. Reject this one, or withdraw that one."
    ),
    gettext_noop(
        "%(name)s is being removed right now. The name is free again after its tombstone is released."
    ),
    gettext_noop(
        "Somebody called %(name)s left on %(left)s; the name is kept until %(until)s. Release its tombstone first if this is the same "
        "person or nobody could mix them up."
    ),
    gettext_noop("no user id was given"),
    gettext_noop("This registration is %(state)s, not approved."),
    gettext_noop("This registration is %(state)s, not pending."),
    gettext_noop("This person has signed in already. Remove the person instead."),
    gettext_noop(
        "Somebody else is deciding about this registration right now. Look again in a minute."
    ),
    gettext_noop("This took too long and somebody else has decided meanwhile."),
    gettext_noop("This registration is being approved right now. Look again in a minute."),
)
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
    gettext_noop("Nobody removes himself. Ask another administrator."),
    gettext_noop("Nobody takes the role from himself. Ask another administrator."),
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
    gettext_noop("stored drive credentials"),
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
)
SUSPENDING = (
    gettext_noop("%(name)s is %(state)s, not active."),
    gettext_noop("%(name)s is %(state)s, not suspended."),
    gettext_noop("There is no SQL user."),
    gettext_noop("The suspension changed nothing here."),
)
AT_THE_DOOR = (
    gettext_noop("This account is linked to %(name)s already."),
    gettext_noop(
        "Another account was approved as %(name)s. Withdraw that approval first, or refuse this account."
    ),
    gettext_noop(
        "This account belonged to somebody who was removed. Delete it at the identity provider."
    ),
    gettext_noop("This account is recorded as that of %(name)s."),
    gettext_noop("Nobody called %(name)s is here. Adopt this account instead, or refuse it."),
    gettext_noop("%(name)s is %(state)s; nothing is linked."),
    gettext_noop(
        "Somebody called %(name)s is here already. Relink that person, or refuse this account."
    ),
    gettext_noop("The name %(name)s is kept by a tombstone. Release it first."),
    gettext_noop("%(name)s is being removed right now."),
    gettext_noop("This was decided already: %(state)s by %(name)s."),
)
HAVING = (
    gettext_noop("You do not share this project any more."),
    gettext_noop("The owner of the component does not share this project."),
    gettext_noop("%(name)s is being removed, and this component goes with that."),
    gettext_noop("This project is not there any more."),
    gettext_noop("%(name)s is leaving this workspace; nothing new is made any more."),
    gettext_noop("The access of %(name)s is suspended; nothing new is made now."),
    gettext_noop("%(name)s is being removed, and this membership ends with that."),
    gettext_noop("You share this project already."),
    gettext_noop("%(name)s is leaving, and the project ends with that."),
    gettext_noop("This request was %(state)s already."),
    gettext_noop("%(name)s owns this project."),
    gettext_noop("%(name)s is being removed, and this project goes with that."),
    gettext_noop("This project is being deleted already."),
    gettext_noop("%(name)s is not active here; no token is made."),
    gettext_noop("%(name)s cannot have an account of the %(system)s: %(reason)s."),
    gettext_noop(
        "Your account of the %(system)s is just being removed with the last thing that used it. Try again in a minute."
    ),
    gettext_noop("%(id)s is not a project of %(name)s."),
    gettext_noop("%(name)s is not an active member of “%(label)s”."),
    gettext_noop("The %(system)s is not configured. An administrator can set it up under Systems."),
    gettext_noop("The %(system)s is not configured; what is there cannot be deleted."),
    gettext_noop("You are leaving this workspace; nothing new is made for you."),
    gettext_noop("This component is being deleted already."),
    gettext_noop("The account %(name)s of the %(system)s belongs to somebody else here."),
    gettext_noop("records are not made by plans"),
    gettext_noop("The %(kind)s “%(label)s” has no record any more."),
    gettext_noop("The manager reads its own tables."),
    gettext_noop(
        "This key was revealed before and is not kept here. Ask for a new one if it is lost."
    ),
    gettext_noop(
        "The account this key opens is still being made. Try again when its component is ready."
    ),
    gettext_noop(
        "No account link: there is no user at the identity provider to keep the SQL password with."
    ),
)
SIGNING_IN = (
    gettext_noop(
        "Your access to this workspace has ended. If you think this is a mistake, ask an administrator of the workspace."
    ),
    gettext_noop(
        "Your account at the identity provider is fine, but nobody has approved it for this workspace. Register here, or ask an "
        "administrator to approve you."
    ),
    gettext_noop(
        "Your user name is known here, but it belongs to another account of the identity provider. An administrator of the "
        "workspace has been told and can link the two; until then you cannot sign in."
    ),
    gettext_noop("The sign-in was not the one this browser started. Please sign in again."),
    gettext_noop(
        "The identity provider does not answer. Nothing is wrong with your account; please try again in a few minutes."
    ),
    gettext_noop(
        "Nobody can sign in yet: the identity provider is not configured. An administrator sets it up on the server."
    ),
    gettext_noop("Your account cannot sign in here. Ask an administrator of the workspace."),
    gettext_noop("There is no such identity provider here."),
)
CALLING = (
    gettext_noop("Check that the system runs and that its address in the settings is right."),
    gettext_noop("The system is overloaded or in trouble; it is asked again."),
    gettext_noop("no answer within %(seconds)s seconds"),
    gettext_noop("the connection failed (%(error)s)"),
    gettext_noop("the connection failed"),
    gettext_noop("the answer did not end in time"),
    gettext_noop("Check the address in the settings."),
    gettext_noop(
        "Check the address in the settings: a login page or a proxy may be answering instead."
    ),
    gettext_noop("there is no such setting"),
    gettext_noop("must be one of %(choices)s"),
    gettext_noop("is not set; write %(empty)s for deliberately empty"),
    gettext_noop("must be an address like https://host/path"),
    gettext_noop("must not contain a user name or password"),
    gettext_noop("must be true or false"),
    gettext_noop("must be a whole number"),
)

SENTENCES: tuple[str, ...] = (
    *REGISTERING,
    *NAMING,
    *DECIDING,
    *REMOVING,
    *RUNNING,
    *SUSPENDING,
    *AT_THE_DOOR,
    *HAVING,
    *SIGNING_IN,
    *CALLING,
    *TEXTS,
)
