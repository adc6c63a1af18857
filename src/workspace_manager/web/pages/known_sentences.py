"""The English sentences that stories write for people, listed so that they are collected for translation.

Stories know no language but English: what varies stands as `%(name)s`, and `sentences` recognises the sentence by its pattern. A test
says which sentence of `lifecycle` is missing here. What the systems themselves report stays English.
"""

from django.utils.translation import gettext_noop as known

from workspace_manager.web.pages.known_settings import TEXTS

REGISTERING = (
    known("Enter a name."),
    known("Use at most 100 characters."),
    known("Use 1 to 100 characters."),
    known("Use at least %(count)s characters."),
    known("Use at most %(count)s characters."),
    known('Leave out special characters such as < > & " / ( ).'),
    known("Leave out control characters."),
    known("Enter an e-mail address like name@example.org."),
    known("Choose a language, such as en or de."),
    known("Choose a time zone, such as Europe/Berlin."),
    known("Do not use your name or e-mail address as your password."),
    known("This password is easy to guess. Add a few uncommon words or more characters."),
    known("Choose one of %(kinds)s."),
    known("Write 1 to %(count)s characters: it stays with the plan."),
)
NAMING = (
    known("A user name has at least 3 characters."),
    known("A user name has at most 32 characters."),
    known("A user name begins and ends with a letter (a to z) or a digit."),
    known("A user name is made of the letters a to z, digits, dots, hyphens and underscores."),
    known("This user name is reserved for one of the workspace's systems. Please choose another."),
)
DECIDING = (
    known("The user name %(name)s belongs to somebody who is here. Reject this registration."),
    known(
        "Another registration for %(name)s is approved already. Reject this one, or withdraw that one."
    ),
    known(
        "%(name)s is being removed right now. The name is free again after its tombstone is released."
    ),
    known(
        "Somebody called %(name)s left on %(left)s; the name is kept until %(until)s. Release its tombstone first if this is the same "
        "person or nobody could mix them up."
    ),
    known("no user id was given"),
    known("This registration is %(state)s, not approved."),
    known("This registration is %(state)s, not pending."),
    known("This person has signed in already. Remove the person instead."),
    known("Somebody else is deciding about this registration right now. Look again in a minute."),
    known("This took too long and somebody else has decided meanwhile."),
    known("This registration is being approved right now. Look again in a minute."),
)
REMOVING = (
    known(
        "The identity provider's account %(sub)s is known but not linked: delete it there by hand if it belongs to %(name)s."
    ),
    known("The notebook volumes of %(name)s stay until somebody deletes them."),
    known("“%(label)s” of %(name)s stays, but leaves project “%(project)s”."),
    known("Project “%(label)s” ends for its members: %(names)s."),
    known(
        "No account link: %(name)s never signed in through the identity provider, so there is no user id to act on."
    ),
    known("The %(system)s is not configured, and no account of %(name)s is recorded there."),
    known("No fence was needed: no token of this person could be out."),
    known("Left by hand: “%(label)s” (%(name)s) in its system."),
    known("Left by hand: the ontology project %(id)s (“%(label)s”)."),
    known("This plan runs already, and it is not the one you were shown."),
    known("This plan is %(state)s. Make a new one."),
    known("This is not the plan you were shown. Look at it again before you approve it."),
    known("Something was added since this plan was shown. Make a new one and look at it again."),
    known("This plan was started or replaced just now. Look again."),
    known("Nobody removes himself. Ask another administrator."),
    known("Nobody takes the role from himself. Ask another administrator."),
    known("%(name)s is not an administrator."),
    known("%(name)s is the last active administrator. Make somebody else one first."),
    known("%(name)s is being removed already."),
    known("The account link gives the user id %(sub)s. The fence is switched off in the settings."),
    known("The account was enabled or signed in again while it was leaving; it was fenced again."),
    known("%(kind)s is not configured any more; nobody could look."),
    known("the system is paused"),
    known("a fresh look still shows it"),
    known("Waiting: %(reason)s. Looked again at %(time)s."),
    known("stored drive credentials"),
)
RUNNING = (
    known("the identity provider is not configured"),
    known("Set its address and administrator under Systems."),
    known("the %(system)s is not configured, but accounts are recorded there"),
    known("Configure the %(system)s under Systems, or finish this by hand and say so here."),
    known("the person is leaving or gone; nothing is given any more"),
    known("Nothing is to do: the removal takes care of what exists."),
    known("an earlier try may still be under way there"),
    known("the call was answered, but a fresh look does not show its effect yet"),
    known("It is looked at again; if this stays, look at that system."),
    known("something of this name is there already, and it is not ours"),
    known("Look whose it is. Rename or remove it there, then try again here."),
    known("another plan is writing to this user"),
    known("the %(system)s is paused (%(reason)s)"),
    known(
        "Correct the settings of the %(system)s, or resume it under Systems; what waits then goes on."
    ),
    known("This plan is %(state)s; its steps cannot be changed."),
    known("This plan has no step %(n)s."),
    known("Step %(n)s is %(state)s; this is not possible now."),
    known("Step %(n)s was skipped, so this was left as it is: %(names)s."),
    known("Waits for step %(steps)s."),
)
SUSPENDING = (
    known("%(name)s is %(state)s, not active."),
    known("%(name)s is %(state)s, not suspended."),
    known("There is no SQL user."),
    known("The suspension changed nothing here."),
)
HAVING = (
    known("The %(system)s is not configured. An administrator can set it up under Systems."),
    known("The %(system)s is not configured; what is there cannot be deleted."),
    known("You are leaving this workspace; nothing new is made for you."),
    known("This component is being deleted already."),
    known("The account %(name)s of the %(system)s belongs to somebody else here."),
    known("records are not made by plans"),
    known("The %(kind)s “%(label)s” has no record any more."),
    known("The manager reads its own tables."),
    known("This key was revealed before and is not kept here. Ask for a new one if it is lost."),
    known("The account this key opens is still being made. Try again when its component is ready."),
    known(
        "No account link: there is no user at the identity provider to keep the SQL password with."
    ),
)
SIGNING_IN = (
    known(
        "Your access to this workspace has ended. If you think this is a mistake, ask an administrator of the workspace."
    ),
    known(
        "Your account at the identity provider is fine, but nobody has approved it for this workspace. Register here, or ask an "
        "administrator to approve you."
    ),
    known(
        "Your user name is known here, but it belongs to another account of the identity provider. An administrator of the "
        "workspace has been told and can link the two; until then you cannot sign in."
    ),
    known("The sign-in was not the one this browser started. Please sign in again."),
    known(
        "The identity provider does not answer. Nothing is wrong with your account; please try again in a few minutes."
    ),
    known(
        "Nobody can sign in yet: the identity provider is not configured. An administrator sets it up on the server."
    ),
    known("Your account cannot sign in here. Ask an administrator of the workspace."),
    known("There is no such identity provider here."),
)
CALLING = (
    known("Check that the system runs and that its address in the settings is right."),
    known("The system is overloaded or in trouble; it is asked again."),
    known("no answer within %(seconds)s seconds"),
    known("the connection failed (%(error)s)"),
    known("the connection failed"),
    known("the answer did not end in time"),
    known("Check the address in the settings."),
    known("Check the address in the settings: a login page or a proxy may be answering instead."),
    known("there is no such setting"),
    known("must be one of %(choices)s"),
    known("is not set; write %(empty)s for deliberately empty"),
    known("must be an address like https://host/path"),
    known("must not contain a user name or password"),
    known("must be true or false"),
    known("must be a whole number"),
)

SENTENCES: tuple[str, ...] = (
    *REGISTERING,
    *NAMING,
    *DECIDING,
    *REMOVING,
    *RUNNING,
    *SUSPENDING,
    *HAVING,
    *SIGNING_IN,
    *CALLING,
    *TEXTS,
)
