"""Messages of a check as a person at the identity provider."""

from workspace_manager.contract.message import English

PERSON: dict[str, English] = {
    # client/person.py, connector/person.py
    "signing_in_as_person": "signing in as the person of a check",
    "trying_code": "exchanging the code of a sign-in",
    "reading_userinfo": "reading what userinfo says",
    "making_person": "making the person of a check",
    "person_name_taken": "the realm has a user {username} that no check created",
    "person_name_taken.advice": (
        "Find out who it is. Rename or delete that user, because the manager needs the name "
        "{username} itself."
    ),
    # checks_person.py
    "check_person_sign_in": "as a person: sign-in",
    "check_person_client": "as a person: client {client}",
    "person_signed_in": "a person can sign in with {client} and gets tokens",
    "person_no_client": "the settings name no client for people to sign in with",
    "person_set_client": "Set the client id and run: workspace-manager setup identity-provider",
    "person_nothing_said": "nothing readable",
    "person_sent_back": (
        "nobody can sign in with {client}: the identity provider returns an error instead of a "
        "code: {said}"
    ),
    "person_sent_back.remedy": (
        "Look at the client {client}: the error names what is missing. Add missing scopes under "
        "Client scopes: profile and email have to be default or optional scopes."
    ),
    "person_no_code": "people come back to {client} without a code, or with another state: {said}",
    "person_no_code.remedy": "Check what is between the browser and the identity provider.",
    "person_no_token": "the identity provider accepts the code but gives {client} no token: {said}",
    "person_no_token.remedy": (
        "Compare the secret and the settings of the client {client} with ours: the answer names "
        "what it refuses."
    ),
    "person_page_instead": (
        "nobody can sign in with {client}: the identity provider shows an error page: {said}"
    ),
    "person_page_instead.remedy": (
        "The page names what is wrong with the realm, the client {client} or its redirect "
        "addresses. Run workspace-manager setup identity-provider, which sets the addresses."
    ),
    "person_other_form": (
        "the sign-in page does not ask for user name and password on one page, so the check stops "
        "here. It shows: {said}"
    ),
    "person_other_form.remedy": (
        "If people are meant to sign in this way, there is nothing to do. Otherwise look at the "
        "realm's browser flow."
    ),
    "person_refused": (
        "{client}: a new user with a correct password is refused with the words: {said}"
    ),
    "person_refused.remedy": (
        "Look at the realm's browser flow and its events: what refuses this new user also refuses "
        "everybody who was just approved."
    ),
    "person_action": (
        "at the first sign-in, people have to complete the action {action}, so the check stops "
        "here. The page shows: {said}"
    ),
    "person_action.remedy": (
        "If you want this, there is nothing to do. Otherwise switch it off as a default action "
        "under Authentication, Required actions. For VERIFY_PROFILE, check which fields the user "
        "profile requires."
    ),
    "person_page_between": (
        "after the password, the identity provider shows one more page, so the check stops here. "
        "It shows: {said}"
    ),
    "person_page_between.remedy": (
        "If you want this, there is nothing to do. Otherwise switch off a consent page in the "
        "client {client} (Consent required), and a second factor in the realm's browser flow."
    ),
    "person_no_jwt": "the identity provider returned something that is not a token: {document}",
    "person_no_jwt.remedy": "Check what is between the manager and the identity provider.",
    "person_client_fits": "a person can sign in there, and userinfo is complete",
    "check_person_userinfo": "as a person: userinfo",
    "person_userinfo_refused": (
        "userinfo refuses a new token, so people cannot use systems that read userinfo. It says: "
        "{said}"
    ),
    "person_userinfo_refused.remedy": (
        "The check of the access token names the cause. If it names none, look at the identity "
        "provider's events (USER_INFO_REQUEST_ERROR)."
    ),
    "person_userinfo_lacks": "userinfo has the wrong {claim}: {sees}",
    # checks_person_token.py
    "doc_access": "access token",
    "doc_identity": "ID token",
    "doc_told": "ID token and userinfo",
    "check_person_token": "as a person: tokens",
    "check_person_member": "as a person: {document}, {member}",
    "check_person_lightweight": "as a person: lightweight tokens",
    "person_token_fits": "the tokens of a person are complete: {n} members were compared",
    "person_member_missing": "{member} is missing: {sees}",
    "person_member_differs": "{member} is “{there}”, but “{wanted}” is needed: {sees}",
    "person_algorithm": "signed with {there} and not with {wanted}: {sees}",
    "person_key_unknown": "signed with a key that the realm does not publish: {sees}",
    "person_lightweight": (
        "the client gets lightweight access tokens, which lack what the drive reads: {sees}"
    ),
    "person_token_long": (
        "the token is valid for {seconds} seconds, and nobody can revoke it in that time"
    ),
    "person_token_short": (
        "the token is valid for {seconds} seconds: it expires before the drive is asked"
    ),
    "person_clock_ahead": (
        "the identity provider's clock is {seconds} seconds ahead of ours, so sign-ins are refused "
        "because they lie in the future"
    ),
    "person_private_there": (
        "the token contains {names}, which every program that receives the token can read"
    ),
    "person_administers": (
        "a new person, and so everybody, has roles that administer the realm: {roles}"
    ),
    # checks_person_members.py
    "sees_drive_refuses": "the drive refuses the token with 401, so nobody can connect the drive",
    "sees_other_address": (
        "a system that uses the realm's address from the settings refuses the token"
    ),
    "sees_old_drive_refuses": "older drives refuse the token with 401",
    "sees_ids_at_drive": "in the drive, people see ids instead of each other's names",
    "sees_nobody_in": "nobody can sign in: the manager refuses such a sign-in",
    "sees_another_person": (
        "systems treat one person as several, and a removal misses some of their accounts"
    ),
    "sees_stays_signed_in": "people who sign out elsewhere stay signed in here",
    "sees_asked_again": "people who change settings have to sign in again each time",
    "sees_no_name": "nobody can sign in: the manager does not learn the user name",
    "sees_no_address": "the manager has no e-mail address of people who did not register here",
    "sees_unconfirmed": (
        "addresses count as unconfirmed: the manager does not recognize returning people by their "
        "address, and sends them no e-mails"
    ),
    "sees_no_full_name": "people are shown without their names",
    "sees_english": "people get pages and e-mails in a language that they did not choose",
    "sees_some_refuse": "some systems do not accept such a token",
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
        "Search the mappers of the client and of its scopes for one that sets {member}, or that is "
        "missing, and restore the mappers of a new realm."
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
    "set_clocks": "Let both machines use the same time source (NTP).",
    "take_from_token": (
        "Find the mapper in the client or its scopes, and add the attribute to no token."
    ),
    "take_default_roles": (
        "Remove the roles of realm-management from the realm's default roles and from the groups "
        "that everybody joins."
    ),
}
