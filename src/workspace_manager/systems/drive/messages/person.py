"""Messages of the drive in a check as a person."""

from workspace_manager.contract.message import English

PERSON: dict[str, English] = {
    # connector/person.py
    "check_person_token": "as a person: token",
    "check_person_app_password": "as a person: app password",
    "person_token_taken": "The drive accepts a person's token, which opens the account {account}.",
    "person_token_refused": (
        "The drive refuses a person's token (401, “Current user is not logged in”), so nobody can "
        "connect the drive."
    ),
    "person_token_refused.remedy": (
        "The check of the access token names the cause. If it names none: the provider in the "
        "drive has to check bearer tokens (--check-bearer=1) and use the realm of the settings. "
        "The drive's log shows what it refuses."
    ),
    "person_other_account": (
        "A person's token opens the account {there}, but their account is {wanted}: people cannot "
        "connect the drive, and a removal looks for the wrong account."
    ),
    "person_other_account.remedy": (
        "Set the prefix of account ids here as it is at the drive, and map the user id there to "
        "sub (--mapping-uid=sub, --unique-uid=0)."
    ),
    "person_no_app_password": (
        "The drive creates no app password for a person's token, so people cannot connect the "
        "drive with their sign-in."
    ),
    "person_no_app_password_fallback": (
        "The drive creates no app password for a person's token. The manager uses the drive's "
        "command-line tool instead."
    ),
    "person_app_password_works": (
        "The drive creates an app password for a person's token. It opens the account until it is "
        "revoked."
    ),
    "person_app_password_useless": (
        "The drive creates an app password for a person's token, but the app password does not "
        "open the account."
    ),
    "person_app_password_useless.remedy": "Look in the drive's log for the reason.",
    "person_app_password_lives": "An app password still opens the account after it was revoked.",
    "person_app_password_lives.remedy": (
        "Check what is between the manager and the drive: a cache there may return an old answer."
    ),
    "person_session_left": (
        "The session that the token opened in the drive could not be ended. It ends with the "
        "account."
    ),
    "person_session_left.remedy": (
        "Set the drive's application container, or update its OpenID Connect app. Sign-outs then "
        "end sessions."
    ),
}
