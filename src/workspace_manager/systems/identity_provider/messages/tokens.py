"""Messages of the checks about clients, scopes and mappers, by member."""

from workspace_manager.contract.message import English

TOKENS: dict[str, English] = {
    # members/clients.py, checks_clients.py, checks_tokens.py
    "client_is_bearer_only": (
        "the client only accepts tokens (bearer-only), so nobody can sign in with it"
    ),
    "client_proves_otherwise": (
        "the client has to authenticate with something else than its secret, so every sign-in "
        "fails after the password"
    ),
    "client_wants_request_object": (
        "the client requires a request object, which no system sends, so nobody can sign in with it"
    ),
    "client_wants_par": (
        "the client requires pushed authorization requests (PAR), which no system sends, so nobody "
        "can sign in with it"
    ),
    "client_binds_tokens": (
        "the client's tokens are bound to a key or a certificate that it does not show, so its "
        "tokens and every sign-in are refused"
    ),
    "client_encrypts_id_tokens": (
        "the client's ID tokens are encrypted, and its system has no key for them, so every "
        "sign-in fails after the password"
    ),
    "client_signs_userinfo": (
        "userinfo is signed or encrypted, but the system of this client reads plain JSON, so every "
        "sign-in fails after the password"
    ),
    "client_signs_with_secret": (
        "the client's tokens are signed with a key that the realm does not publish, so systems "
        "cannot verify them and refuse them"
    ),
    "client_gets_no_refresh_token": (
        "the client gets no refresh token: when the first token of a person expires, the person "
        "has to sign in again"
    ),
    "client_takes_no_form": (
        "the client's secret is only accepted in a header, but the manager sends it in a form, so "
        "every sign-in fails after the password"
    ),
    "set_at_client": "Under Clients, {client_id}, {tab}, set {setting} to {value}.",
    "secret_has_ended": (
        "the client's secret has expired by secret rotation, so every sign-in fails after the "
        "password"
    ),
    "make_secret_again": (
        "Create a new secret under Clients, {client_id}, Credentials, and copy it into the "
        "settings."
    ),
    "check_own_client_scopes": "own client: scopes",
    "check_own_client_tokens": "own client: access tokens",
    "check_own_client_claims": "own client: claims",
    "check_subject": "subject: {name}",
    "scopes_missing": (
        "each sign-in asks for {scopes}, which the client does not have: the identity "
        "provider answers invalid_scope, and nobody can sign in"
    ),
    "add_scopes": "Add {scopes} to the default client scopes of {client_id}.",
    "tokens_are_lightweight": (
        "access tokens are lightweight: they name neither the person nor the audience, so every "
        "system refuses them with 401"
    ),
    "switch_lightweight_off": (
        "Switch off Always use lightweight access token under Clients, {client_id}, Advanced."
    ),
    "no_sub_mapper": (
        "the scope basic writes no sub into access tokens, so the drive cannot tell whose they are"
    ),
    "add_sub_mapper": (
        "Give the client scope basic a mapper of the type Subject (sub), with Add to access "
        "token on."
    ),
    "claim_missing": "no mapper of {client_id} or its scopes writes {claim}: nobody can sign in",
    "claim_from_elsewhere": (
        "the mapper {mapper} writes something else into {claim}, which the manager relies on"
    ),
    "map_claim": (
        "Let {claim} come only from the user attribute {attribute}, as in the realm's own scopes."
    ),
    "another_subject": (
        "the mapper {mapper} gives this client another sub, so the manager does not find people's "
        "accounts there by their id"
    ),
    "remove_mapper": (
        "Remove the mapper {mapper} from the client or its scopes. People who have signed in since "
        "then have an account under the other id."
    ),
    # client/authorization.py
    "walk_add_scopes": (
        "Add the scopes that it asks for to the default client scopes of {client_id}."
    ),
    "walk_enable_realm": "Switch on Realm settings, Enabled.",
    "walk_use_https": (
        "Give the settings an address that begins with https, or set Realm settings, Require SSL "
        "to External requests."
    ),
    "walk_look_at_client": (
        "Look at Clients, {client_id} for what it asks of a sign-in, and at Events for what was "
        "refused."
    ),
}
