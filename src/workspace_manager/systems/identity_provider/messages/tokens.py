"""Messages of the checks about clients, scopes and mappers, by member."""

from workspace_manager.contract.message import English

TOKENS: dict[str, English] = {
    # members/clients.py, checks_clients.py, checks_tokens.py
    "client_is_bearer_only": "it takes tokens alone (bearer-only): nobody can sign in through it",
    "client_proves_otherwise": (
        "it has to prove itself with something else than its secret: each sign-in fails after"
        " the password"
    ),
    "client_wants_request_object": (
        "each sign-in has to be asked for by a request object, which no system here sends: "
        "nobody can sign in through it"
    ),
    "client_wants_par": (
        "each sign-in has to be announced before it begins (PAR), which no system here does: "
        "nobody can sign in through it"
    ),
    "client_binds_tokens": (
        "its tokens are bound to a key or a certificate that it does not show: they are "
        "refused, and so is each sign-in"
    ),
    "client_encrypts_id_tokens": (
        "its ID tokens are encrypted, and its system has no key that opens them: each sign-in"
        " fails after the password"
    ),
    "client_signs_userinfo": (
        "userinfo comes signed or encrypted, and its system reads plain JSON: each sign-in "
        "fails after the password"
    ),
    "client_signs_with_secret": (
        "its tokens are signed in a way that their readers cannot verify with the keys that "
        "the realm publishes: they are refused"
    ),
    "client_gets_no_refresh_token": (
        "it gets no refresh token: what needs a person's token ends with the first one, and "
        "the person has to sign in again"
    ),
    "client_takes_no_form": (
        "its secret is taken in a header alone, and the manager sends it in a form: each "
        "sign-in fails after the password"
    ),
    "set_at_client": "Under Clients, {client_id}, {tab}, set {setting} to {value}.",
    "secret_has_ended": (
        "the rotation of secrets has ended the client's secret: each sign-in fails after the "
        "password"
    ),
    "make_secret_again": (
        "Make a new secret under Clients, {client_id}, Credentials, and copy it into the settings."
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
        "access tokens are lightweight: they say neither whose they are nor for whom, and "
        "each system that is shown one refuses it with 401"
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
        "the mapper {mapper} writes something else into {claim}, which the manager believes"
    ),
    "map_claim": (
        "Let {claim} come from the user attribute {attribute} alone, as in the realm's own scopes."
    ),
    "another_subject": (
        "the mapper {mapper} makes another sub for this client: what people have there is not"
        " found by the id that the manager knows them by"
    ),
    "remove_mapper": (
        "Remove the mapper {mapper} from the client or its scopes. Whoever signed in since "
        "has an account under the other id."
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
