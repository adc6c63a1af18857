"""Messages of the drive in a check as a person."""

from workspace_manager.contract.message import English

PERSON: dict[str, English] = {
    # connector/person.py
    "check_person_token": "as a person: token",
    "check_person_app_password": "as a person: app password",
    "person_token_taken": "The drive takes a person's token, and it opens the account {account}.",
    "person_token_refused": (
        "The drive refuses a person's token (401, “Current user is not logged in”): nobody's drive "
        "can be connected."
    ),
    "person_token_refused.remedy": (
        "What the check says of the access token is the cause. If it says nothing: the provider at "
        "the drive has to check bearer tokens (--check-bearer=1) and to be the realm of the "
        "settings, and the drive's log names what it refuses."
    ),
    "person_other_account": (
        "A person's token opens the account {there}, and theirs is {wanted}: whoever connects the "
        "drive is refused, and a removal looks for the wrong account."
    ),
    "person_other_account.remedy": (
        "Set the prefix of account ids here as it is at the drive, and map the user id there to "
        "sub (--mapping-uid=sub, --unique-uid=0)."
    ),
    "person_no_app_password": (
        "The drive gives a person's token no app password: nobody's drive can be connected by it."
    ),
    "person_no_app_password_fallback": (
        "The drive gives a person's token no app password; the command-line tool makes each."
    ),
    "person_app_password_works": (
        "The drive gives a person's token an app password, which opens the account until it is "
        "revoked."
    ),
    "person_app_password_useless": (
        "The drive gives a person's token an app password that does not open the account."
    ),
    "person_app_password_useless.remedy": "Look what the drive's log says of the sign-in.",
    "person_app_password_lives": "An app password opens the account after it was revoked.",
    "person_app_password_lives.remedy": (
        "Look what lies between the manager and the drive: an answer that is kept there hides "
        "what the drive says."
    ),
    "person_session_left": (
        "The session that the token opened at the drive could not be ended; it goes with the "
        "account."
    ),
    "person_session_left.remedy": (
        "Name the drive's application container, or update its OpenID Connect app: sign-outs end "
        "sessions then."
    ),
}
