"""The English sentences that stories write for people, listed so that they are collected for translation.

Stories know no language but English: what varies stands as `%(name)s`, and `sentences` recognises the sentence by its pattern. A test
says which sentence of the stories is missing here. What the systems themselves report stays English.
"""

from django.utils.translation import gettext_noop

from workspace_manager.web.pages.known_removals import REMOVING, RUNNING, SETTING_UP, SUSPENDING
from workspace_manager.web.pages.known_settings import TEXTS

REGISTERING = (
    gettext_noop("Enter a name."),
    gettext_noop("Use at most 100 characters."),
    gettext_noop("Use 1 to 100 characters."),
    gettext_noop("Use 1 to 255 characters, no slash, and not only dots."),
    gettext_noop("Try again in a minute."),
    gettext_noop("Write a reason of up to %(count)s characters: the applicant reads it."),
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
CONNECTING = (
    gettext_noop("The drive is not set up yet. An administrator can do that under Systems."),
    gettext_noop("Nobody has signed in as this person yet, so there is no account to connect."),
    gettext_noop(
        "Your access to this workspace has ended or is suspended; nothing is connected any more."
    ),
    gettext_noop(
        "This session has no token of the identity provider any more. Sign out and in again, or connect in the browser."
    ),
    gettext_noop("No sign-in at the drive is under way. Start one, then come back."),
    gettext_noop("The sign-in at the drive took too long and has ended. Start it again."),
    gettext_noop(
        "You signed in at the drive with another account than yours, so nothing was connected. Sign out of the drive in your browser, "
        "then start again."
    ),
    gettext_noop(
        "This is no API token of an active administrator. Make one on the server, then try again."
    ),
    gettext_noop(
        "Too many tries from your address. Wait an hour, or use the command line on the server."
    ),
    gettext_noop("somebody else is just writing to this account"),
    gettext_noop("Try again in a few seconds."),
    gettext_noop("the attributes were written, but a fresh look does not show them yet"),
    gettext_noop(
        "The drive rejected the token: current user is not logged in. Check that the token's audience names the drive's client id "
        "(audience mapper; sign out and in for a fresh token), that the drive's provider checks bearer tokens, and that automatic "
        "account creation is on."
    ),
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
    gettext_noop("This address is confirmed already."),
    gettext_noop("This registration is %(state)s; nothing is to be confirmed."),
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
    gettext_noop("This project has no ontology project."),
    gettext_noop("The ontology editor is not configured."),
    gettext_noop("You do not share this project any more."),
    gettext_noop("The owner of the component does not share this project."),
    gettext_noop("%(name)s is being removed, and this component goes with that."),
    gettext_noop("This project is not there any more."),
    gettext_noop("This component is not there any more."),
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
        "Your access to this workspace is suspended for now. Your things are kept. Ask an administrator of the workspace."
    ),
    gettext_noop(
        "Your approval is just being decided about again. Please try again in a few minutes, or ask an administrator of the workspace."
    ),
    gettext_noop(
        "Your e-mail address belongs to somebody who is in this workspace already, under another account. An administrator of the workspace has been told and can decide whose account this is; until then you cannot sign in with it."
    ),
    gettext_noop(
        "The identity provider did not say who you are: your account there has no usable user name. Ask an administrator of the workspace."
    ),
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
    gettext_noop(
        "The sign-in was stopped at the identity provider, by you or by its rules. Nothing was changed; "
        "you can sign in again at any time."
    ),
    gettext_noop(
        "This sign-in could not be finished: it was begun in another window or too long ago, or the identity provider's answer could not be used. "
        "Nothing is wrong with your account. Please sign in again; if that does not help, tell an administrator of the workspace."
    ),
    gettext_noop("Your account cannot sign in here. Ask an administrator of the workspace."),
    gettext_noop("There is no such identity provider here."),
)
CALLING = (
    gettext_noop("It is not tried again by itself: somebody has to decide."),
    gettext_noop("It goes on as soon as the system is called again."),
    gettext_noop("It goes on as soon as the person is let back in."),
    gettext_noop("The mail server cannot be reached."),
    gettext_noop("The mail server did not answer in time."),
    gettext_noop("The mail server refused our user name or password."),
    gettext_noop("The mail server refused the sender or the recipient."),
    gettext_noop("The mail server did not take the letter."),
    gettext_noop("This cannot be tested yet. Missing: %(names)s."),
    gettext_noop("Set by the environment (%(names)s), so it cannot be stored. Change it there."),
    gettext_noop("This is usually over by itself after a while; if it stays, look at that system."),
    gettext_noop(
        "Correct the credential in the settings, or give the account behind it the rights that the system's check names."
    ),
    gettext_noop(
        "Look in that system whether it is there. It may have been deleted, or our account may not be shown it."
    ),
    gettext_noop(
        "Look in that system whose it is; nothing is taken over by its name. Then try again, skip the step, or finish it by hand."
    ),
    gettext_noop(
        "Check the address in the settings, and that the system's version is one the manager knows; then try again."
    ),
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
    gettext_noop("is needed: it can be replaced, not forgotten"),
    gettext_noop("must be one of %(choices)s"),
    gettext_noop("is not set; write %(empty)s for deliberately empty"),
    gettext_noop("must be an address like https://host/path"),
    gettext_noop("must not contain a user name or password"),
    gettext_noop("must be true or false"),
    gettext_noop("must be a whole number"),
    gettext_noop("must be at most %(count)s"),
)

SENTENCES: tuple[str, ...] = (
    *REGISTERING,
    *CONNECTING,
    *NAMING,
    *DECIDING,
    *REMOVING,
    *RUNNING,
    *SETTING_UP,
    *SUSPENDING,
    *AT_THE_DOOR,
    *HAVING,
    *SIGNING_IN,
    *CALLING,
    *TEXTS,
)
