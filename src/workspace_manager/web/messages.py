"""Messages of pages and REST, such as reasons of a failed sign-in."""

from workspace_manager.contract.message import Catalogue

SIGNING_IN = {
    "signing_in": "signing somebody in",
    "silent": (
        "The identity provider is not available at the moment. Your account is fine. Please try "
        "again in a few minutes."
    ),
    "stopped": (
        "The sign-in was cancelled at the identity provider, by you or by its rules. Nothing was "
        "changed. You can sign in again at any time."
    ),
    "provider_refused": (
        "The identity provider refused this sign-in with “{said}”. Your account is fine. Please "
        "tell an administrator these words."
    ),
    "unfinished": (
        "The sign-in could not be completed. It was started in another window or too long ago, "
        "or the identity provider’s answer was invalid. Your account is fine. Please sign in "
        "again. If that fails, ask an administrator."
    ),
    "not_started_here": "This browser did not start the sign-in. Please sign in again.",
    "many_sign_ins": (
        "The identity provider is slow and several people are signing in. Please reload this "
        "page in a few seconds."
    ),
    "not_configured": (
        "Nobody can sign in yet because the identity provider is not configured. An "
        "administrator configures it on the server."
    ),
    "ask_again": "This is not retried automatically. Try again when the system answers.",
    "no_such_provider": "This identity provider does not exist here.",
    "cannot_sign_in": ("Your account cannot sign in here. Ask an administrator of the workspace."),
    "no_administrators_token": (
        "This is not an API token of an active administrator. Create one on the server and try "
        "again."
    ),
    "sign_in_again": (
        "You can change and test system settings only within {minutes} minutes of signing in. "
        "Sign in again."
    ),
    "sign_in_for_token": (
        "You can create an administration token only within {minutes} minutes of signing in. "
        "Sign in again."
    ),
    "session_ended": (
        "Your session at the identity provider has ended: you signed out there, it expired, or "
        "your account was disabled. Nothing was lost here. Please sign in again. If that fails, "
        "ask an administrator."
    ),
    "only_reading": (
        "The identity provider does not answer whether you still have access. Until it answers, "
        "you can read but not change anything. Please try again in a minute."
    ),
    "nothing_now": (
        "The identity provider has not confirmed your access for a while. Until it does, you "
        "cannot use these pages. Please try again in a minute."
    ),
    "identifying": "checking whether you have access",
    "shut_out": (
        "This token does not work now because its owner cannot sign in at the identity provider. "
        "Ask an administrator."
    ),
    "too_many_tries": (
        "Too many tries from your address. Wait an hour, or use the command line on the server."
    ),
}
ANSWERING = {
    "nobody": "Sign in, or send an API token: Authorization: Bearer <token>.",
    "not_json": (
        "The request body is not valid JSON (UTF-8, no NaN, no member twice, not nested too "
        "deeply)."
    ),
    "not_here": "This does not exist, or you do not have access to it.",
    "our_mistake": "An internal error occurred. The server’s log has the details.",
    "forged": (
        "The request has a session but no CSRF token. Send the header X-CSRFToken with the value "
        "of the cookie csrftoken, or use an API token instead of a session."
    ),
    "broke_off": "The request body is incomplete. Send the request again.",
    "fields": "These values are invalid: {names}.",
    "parameters": "Unknown parameter. Known parameters: {names}.",
    "no_parameters": "This path takes no parameters.",
    "no_body": "This path takes no request body. Leave it out or send {{}}.",
    "no_such_member": "Unknown member.",
    "text_too_long": "Use at most {most} characters.",
    "database_busy": (
        "The manager's database is busy or does not answer. Try again in a few seconds."
    ),
    "database_away": "The manager's database does not answer. Try again in a few seconds.",
    "no_space": (
        "The manager cannot store data because its disk or its database’s disk is full. Tell an "
        "administrator, and try again when there is space."
    ),
    "not_readable": (
        "The request is malformed or names a host that does not belong to this workspace."
    ),
    "not_allowed": "This is not allowed.",
    "too_large": "The request body is larger than {count} kB.",
    "file_missing": "Send a file as the member content.",
    "file_not_last": "Send the file as the last member of the form.",
    "not_a_form": "The request body is not a complete form (multipart/form-data, UTF-8).",
    "no_length": "Give the length of the body (Content-Length).",
    "send_json": "Send JSON with Content-Type: {type}.",
    "method": "{method} is not allowed here. Allowed: {allowed}.",
    "administrators_only": "Only administrators may do this.",
    "no_token_may": "An API token cannot do this. Sign in with a browser.",
    "scope_too_small": (
        "This API token has the scope “{scope}”. This request needs one of: {needed}. Create a "
        "token with that scope."
    ),
    "owner_only": "Only the owner may do this.",
    "owner_or_manager_only": (
        "Only the owner of a project and members who manage it can change its members."
    ),
    "unread": "The answer is given only once, and HEAD would discard it. Use GET.",
    "foreign_site": "Another site sent this request in your name. Use the workspace’s own pages.",
    "not_offered": (
        "This version of the manager does not support this: {what}. Nothing was changed."
    ),
    "making_snapshot": "Creating a snapshot",
    "range_outside": "This range lies outside the content of {count} bytes.",
    "no_such_component": "This component does not exist, or you do not have access to it.",
    "too_many_registrations": (
        "Too many registrations from this address. Try again in {count} minutes."
    ),
    "too_many_changes": "You or this token made too many changes. Try again in {count} seconds.",
    "change_it_by_itself": "Change this in a request of its own, because it starts a plan.",
    "own_or_shared": "Choose one of your projects or one that is shared with you.",
    "paused_by_hand": "paused by hand",
    "registration_gone": "This registration no longer exists.",
    "type_the_name": "Nothing was started. To confirm, type the user name {name} exactly.",
    "nobody_of_this_name": "Nobody here has this user name.",
    "choose_a_day": "Choose the day on which the item comes back.",
}

message = Catalogue("web", __file__, {**SIGNING_IN, **ANSWERING})
