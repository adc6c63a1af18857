"""What the doors themselves say: answers of the interface, and why somebody could not sign in."""

from workspace_manager.contract.message import Catalogue

SIGNING_IN = {
    "signing_in": "signing somebody in",
    "silent": (
        "The identity provider is not available at the moment. Nothing is wrong with your "
        "account; please try again in a few minutes."
    ),
    "stopped": (
        "The sign-in was stopped at the identity provider, by you or by its rules. Nothing was "
        "changed; you can sign in again at any time."
    ),
    "provider_refused": (
        "The identity provider refused this sign-in and says “{said}”. Nothing is wrong with your "
        "account. Please tell an administrator of the workspace these words."
    ),
    "unfinished": (
        "This sign-in could not be finished: it was begun in another window or too long ago, or "
        "the identity provider's answer could not be used. Nothing is wrong with your account. "
        "Please sign in again; if that does not help, tell an administrator of the workspace."
    ),
    "not_started_here": ("The sign-in was not the one this browser started. Please sign in again."),
    "many_sign_ins": (
        "The identity provider is slow, and several people are being signed in. Please load this "
        "page again in a few seconds."
    ),
    "not_configured": (
        "Nobody can sign in yet: the identity provider is not configured. "
        "An administrator sets it up on the server."
    ),
    "ask_again": ("Nothing is asked again by itself. Try it once more when the system answers."),
    "no_such_provider": "There is no such identity provider here.",
    "cannot_sign_in": ("Your account cannot sign in here. Ask an administrator of the workspace."),
    "no_administrators_token": (
        "This is no API token of an active administrator. Make one on the server, then try again."
    ),
    "sign_in_again": (
        "Settings of systems are changed and tested within {minutes} minutes of signing in: sign "
        "in again."
    ),
    "sign_in_for_token": (
        "A token for administration is made within {minutes} minutes of signing in: sign in again."
    ),
    "session_ended": (
        "The identity provider says that your sign-in has ended: you signed out there, it became "
        "too old, or your account was shut. Nothing was lost here. Please sign in again; if that "
        "is refused, ask an administrator of the workspace."
    ),
    "only_reading": (
        "The identity provider does not say whether you may still come in. Until it does, you can "
        "look at what is here and change nothing. Please try again in a minute."
    ),
    "nothing_now": (
        "The identity provider has not said for a while whether you may still come in. Until it "
        "does, nothing is shown and nothing is changed. Please try again in a minute."
    ),
    "identifying": "asking whether you may come in",
    "shut_out": (
        "This token is good for nothing now: the identity provider does not let its owner in any "
        "more. Ask an administrator of the workspace."
    ),
    "too_many_tries": (
        "Too many tries from your address. Wait an hour, or use the command line on the server."
    ),
}
ANSWERING = {
    "nobody": "Sign in, or send an API token: Authorization: Bearer <token>.",
    "not_json": "The body is not JSON that can be read (UTF-8, no NaN, not too deep).",
    "not_here": "There is nothing here, or nothing that is shown to you.",
    "our_mistake": (
        "The manager made a mistake. It is written in the server's log; nothing more is known here."
    ),
    "forged": (
        "This request came with a session but without its proof. Send the header X-CSRFToken with "
        "the value of the cookie csrftoken, or use an API token instead of a session."
    ),
    "broke_off": "The body broke off before its end. Send the request again.",
    "fields": "This cannot be used: {names}.",
    "parameters": "There is no such parameter here. There are: {names}.",
    "no_parameters": "No parameters are taken here.",
    "no_body": "Nothing is taken from a body here. Leave it out, or send {{}}.",
    "no_such_member": "No member of this name is taken here.",
    "database_busy": (
        "The manager's database is busy or does not answer. Try again in a few seconds."
    ),
    "database_away": "The manager's database does not answer. Try again in a few seconds.",
    "no_space": (
        "The manager cannot write anything down: its disk or its database's is full. Tell an "
        "administrator of the workspace, and try again when there is room."
    ),
    "not_readable": (
        "The request cannot be read, or it asks for a host that is not this workspace's."
    ),
    "not_allowed": "This is not allowed.",
    "too_large": "The body is larger than {count} kB.",
    "no_length": "Say how long the body is (Content-Length).",
    "send_json": "Send JSON, and say so: Content-Type: {type}.",
    "method": "{method} is not possible here. Possible: {allowed}.",
    "administrators_only": "Only administrators of the workspace may do this.",
    "no_token_may": "No API token may do this: sign in with a browser.",
    "scope_too_small": (
        "This API token has the scope “{scope}”, and this needs one of: {needed}. Make another "
        "token for it."
    ),
    "owner_only": "Only the owner may do this.",
    "owner_or_manager_only": ("Only the owner of a project and its managers decide who is in it."),
    "unread": "The answer is given once, and a HEAD would use it up unread. Ask with GET.",
    "foreign_site": (
        "Another site asked for this in your name. Open it from the workspace's own pages."
    ),
    "not_offered": (
        "{what} is not offered yet by this version of the manager. Nothing was changed."
    ),
    "making_snapshot": "Making a snapshot",
    "changing_snapshot": "Changing a snapshot",
    "deleting_snapshot": "Deleting a snapshot",
    "no_such_component": "There is no such component for you.",
    "too_many_registrations": (
        "Too many registrations came from this address. Try again in {count} minutes."
    ),
    "too_many_changes": (
        "Too many changes were asked for by you or with this token. Try again in {count} seconds."
    ),
    "change_it_by_itself": "Change this by itself: a plan does it.",
    "own_or_shared": "Choose a project of yours, or one that is shared with you.",
    "paused_by_hand": "paused by hand",
    "registration_gone": "This registration does not exist any more.",
    "type_the_name": "Nothing was started: type the user name {name} exactly to confirm.",
    "nobody_of_this_name": "Nobody here has this user name.",
    "choose_a_day": "Choose a day until when it is put off.",
}

message = Catalogue("web", __file__, {**SIGNING_IN, **ANSWERING})
