"""Messages of a check as a person at the identity provider."""

from workspace_manager.contract.message import English

PERSON: dict[str, English] = {
    # client/person.py, connector/person.py
    "signing_in_as_person": "signing in as the person of a check",
    "trying_code": "exchanging the code of a sign-in",
    "reading_userinfo": "reading what userinfo says",
    "making_person": "making the person of a check",
    "person_name_taken": "the realm has a user {username} whom no check made",
    "person_name_taken.advice": (
        "Look who it is. Rename or delete that user: the name {username} is the manager's own."
    ),
    # checks_person.py
    "check_person_sign_in": "as a person: sign-in",
    "check_person_client": "as a person: client {client}",
    "person_signed_in": "a person signs in at {client} and comes back with tokens",
    "person_no_client": "the settings name no client that people sign in at",
    "person_set_client": "Set the client id and run: workspace-manager setup identity-provider",
    "person_nothing_said": "it says nothing that can be read",
    "person_sent_back": (
        "nobody can sign in at {client}: instead of a code the provider sends people back with the "
        "error: {said}"
    ),
    "person_sent_back.remedy": (
        "Look at the client {client}: the error names what it lacks. Scopes that it does not have "
        "are added under Client scopes: profile and email have to be default or optional ones."
    ),
    "person_no_code": "people come back to {client} without a code, or with another state: {said}",
    "person_no_code.remedy": "Look what lies between the browser and the provider.",
    "person_no_token": "the provider takes the code back and gives {client} no token: {said}",
    "person_no_token.remedy": (
        "Compare the secret and the settings of the client {client} with ours: the answer names "
        "what it refuses."
    ),
    "person_page_instead": (
        "nobody can sign in at {client}: the provider shows an error page: {said}"
    ),
    "person_page_instead.remedy": (
        "The page says what is wrong with the realm, the client {client} or its redirect "
        "addresses. Run workspace-manager setup identity-provider, which sets the addresses."
    ),
    "person_other_form": (
        "the sign-in page does not ask for name and password together; a check goes no further. It "
        "shows: {said}"
    ),
    "person_other_form.remedy": (
        "Nothing is to do if people shall sign in so. Otherwise look at the realm's browser flow."
    ),
    "person_refused": (
        "{client}: a user who was made with this password a moment ago is refused with the words: "
        "{said}"
    ),
    "person_refused.remedy": (
        "Look at the realm's browser flow and its events: what refuses a new user refuses "
        "everybody who was just approved."
    ),
    "person_action": (
        "whoever signs in for the first time has to get by the action {action} before they come "
        "here; a check goes no further. The page shows: {said}"
    ),
    "person_action.remedy": (
        "Nothing is to do if that is wanted. Otherwise switch it off as a default action under "
        "Authentication, Required actions; of VERIFY_PROFILE look which fields the user profile "
        "requires."
    ),
    "person_page_between": (
        "after the password one more page comes before people are back; a check goes no further. "
        "It shows: {said}"
    ),
    "person_page_between.remedy": (
        "Nothing is to do if that is wanted. A page that asks for consent is switched off in the "
        "client {client}, Consent required; another factor in the realm's browser flow."
    ),
    "person_no_jwt": "what the provider gave is not what a token looks like: {document}",
    "person_no_jwt.remedy": "Look what lies between the manager and the provider.",
    "person_client_fits": "a person signs in there, and userinfo says what it has to",
    "check_person_userinfo": "as a person: userinfo",
    "person_userinfo_refused": (
        "userinfo refuses the token that the provider gave a moment ago, and nobody gets in where "
        "it is read. It says: {said}"
    ),
    "person_userinfo_refused.remedy": (
        "What the check says of the access token is the cause. If it says nothing, look at the "
        "provider's events (USER_INFO_REQUEST_ERROR)."
    ),
    "person_userinfo_lacks": "userinfo says {claim} otherwise than it has to: {sees}",
    # checks_person_token.py
    "doc_access": "access token",
    "doc_identity": "ID token",
    "doc_told": "ID token and userinfo",
    "check_person_token": "as a person: tokens",
    "check_person_member": "as a person: {document}, {member}",
    "check_person_lightweight": "as a person: lightweight tokens",
    "person_token_fits": "the tokens of a person say what they have to: {n} members were compared",
    "person_member_missing": "{member} is missing: {sees}",
    "person_member_differs": "{member} is “{there}” and has to be “{wanted}”: {sees}",
    "person_algorithm": "signed with {there} and not with {wanted}: {sees}",
    "person_key_unknown": "signed with a key that the realm does not publish: {sees}",
    "person_lightweight": (
        "the client gets lightweight access tokens, which lack what the drive reads: {sees}"
    ),
    "person_token_long": "it is good for {seconds} seconds, and nobody can take it back meanwhile",
    "person_token_short": "it is good for {seconds} seconds: it ends before the drive was asked",
    "person_clock_ahead": (
        "the provider's clock is {seconds} seconds ahead of ours: sign-ins are refused as of the "
        "future"
    ),
    "person_private_there": (
        "{names} stands in it: what no other program may learn goes wherever the token goes"
    ),
    "person_administers": (
        "a new person has roles that administer the realm, and so has everybody: {roles}"
    ),
    # checks_person_members.py
    "sees_drive_refuses": (
        "the drive refuses the token with 401, and nobody's drive can be connected"
    ),
    "sees_other_address": (
        "a system that knows the realm by the address of the settings refuses the token"
    ),
    "sees_old_drive_refuses": "older drives refuse the token with 401",
    "sees_ids_at_drive": "people see each other's ids at the drive instead of names",
    "sees_nobody_in": "nobody gets in: the manager refuses such a sign-in",
    "sees_another_person": (
        "the systems take the same person for different ones, and a removal misses what they have"
    ),
    "sees_stays_signed_in": "whoever signs out elsewhere stays signed in here",
    "sees_asked_again": "whoever changes settings is told to sign in again each time",
    "sees_no_name": "nobody gets in: the manager does not learn who signs in",
    "sees_no_address": "the manager has no address for letters to whoever was not registered here",
    "sees_unconfirmed": (
        "addresses count as unconfirmed: who comes back is not recognized by one, and gets no "
        "letters"
    ),
    "sees_no_full_name": "people are shown without their names",
    "sees_english": "people read pages and letters in a language that they did not choose",
    "sees_some_refuse": "not every system takes such a token",
    "sees_nameless_at_client": "people get another account there, or none",
    "sees_no_drive_in_notebook": "notebooks do not find the drive",
    "add_basic": "Add the scope basic to the client's default scopes; it brings {member}.",
    "set_hostname_for_all": (
        "Give the provider one address for all (hostname; in the realm: Frontend URL), so that "
        "{member} is the same for everybody."
    ),
    "run_setup_for_mappers": "Run: workspace-manager setup identity-provider",
    "run_setup_for_member": "Run: workspace-manager setup identity-provider. It sets {member}.",
    "look_among_mappers": (
        "Look among the mappers of the client and of its scopes for one that sets {member}, or "
        "that is missing, and put back what a new realm has."
    ),
    "repair_profile": (
        "The client needs the scope profile as a default scope, and the scope its mapper for "
        "{member}, with this claim name, in tokens and userinfo."
    ),
    "repair_email": (
        "The client needs the scope email as a default scope, and the scope its mapper for "
        "{member}, with this claim name, in tokens and userinfo."
    ),
    "set_algorithm": (
        "Set RS256 as the signature algorithm, in the client under Advanced, and in the realm "
        "under Tokens."
    ),
    "look_at_keys": "Look at the realm's keys: the one that signs has to be enabled and published.",
    "set_header_type": (
        "Switch off “Use at+jwt as access token header type” in the client, under Advanced."
    ),
    "give_whole_tokens": (
        "Switch off “Always use lightweight access token” in the manager's client, under Advanced."
    ),
    "lengthen_token": (
        "Set the access token lifespan to five minutes, in the realm under Tokens and in the "
        "client under Advanced."
    ),
    "set_clocks": "Let both machines take their time from the same source (NTP).",
    "take_from_token": (
        "Find the mapper in the client or its scopes, and let it add the attribute to no token."
    ),
    "take_default_roles": (
        "Take the roles of realm-management out of the realm's default roles, and from the groups "
        "that everybody joins."
    ),
}
