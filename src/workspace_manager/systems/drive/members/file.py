"""Members of the drive's configuration file as its command-line tool lists it, with the options of
the OpenID Connect app.
"""

from workspace_manager.contract.connector import Severity
from workspace_manager.contract.members import (
    CombinedMember,
    IgnoredMember,
    MemberTable,
    RequiredMember,
    Row,
    combine_members,
    ignore_members,
)
from workspace_manager.systems.drive.messages import message

NAME = message("check_configuration")
HERE = (NAME.code,)
WAY = ("drive.check_sign_in_way",)
_PLACE = "Where the drive lies and what it runs on; that it answers shows that it fits."
_PLACES = (
    *("datadirectory", "dbhost", "dbtype", "dbname", "dbport", "dbtableprefix", "dbuser"),
    *("dbpassword", "mysql.utf8mb4", "apps_paths", "instanceid", "passwordsalt", "secret"),
    *("installed", "version", "htaccess.IgnoreFrontController", "updater.release.channel"),
)
_COSTS = ("hashingCost", "hashingTimeCost", "hashingMemoryCost", "hashingThreads")


def _address(path: str) -> CombinedMember:
    return CombinedMember(
        path=path,
        because="What the drive calls itself: a sign-in comes back there, or is refused.",
        findings=WAY,
    )


FILE = MemberTable(
    "The drive's configuration file: occ config:list system",
    (
        RequiredMember(
            path="/debug",
            because="Sign-ins go over plain http, and error pages show what is inside.",
            values=(False, None),
            name=NAME,
            found=message("debug_is_on"),
            remedy=message("switch_debug_off"),
            severity=Severity.WARNING,
        ),
        RequiredMember(
            path="/auth.bruteforce.protection.enabled",
            because="Anybody can guess the administrator's password without end.",
            values=(True, None),
            name=NAME,
            found=message("guessing_is_free"),
            remedy=message("switch_protection_on"),
            severity=Severity.WARNING,
        ),
        CombinedMember(
            path="/auth.bruteforce.max-attempts",
            because="People behind one proxy shut each other out by a few mistakes.",
            findings=HERE,
        ),
        CombinedMember(
            path="/user_oidc",
            because="What it says of the OpenID Connect app: a table of its own.",
            findings=HERE,
        ),
        CombinedMember(
            path="/trusted_domains",
            because="By another name the drive answers nobody.",
            findings=("drive.check_reachable",),
        ),
        *map(_address, ("/overwritehost", "/overwriteprotocol", "/overwritewebroot")),
        CombinedMember(
            path="/trusted_proxies",
            because="Everybody behind a proxy that is none of these is one address.",
            findings=(*WAY, "drive.check_failed_sign_ins"),
        ),
        CombinedMember(
            path="/allow_local_remote_servers",
            because="An identity provider in the drive's own network is not asked.",
            findings=("drive.check_single_logout",),
        ),
        CombinedMember(
            path="/hide_login_form",
            because="People type their password of the identity provider there, in vain.",
            findings=("drive.check_login_form",),
        ),
        CombinedMember(
            path="/lost_password_link",
            because="People ask for a new password that the drive cannot give.",
            findings=("drive.check_login_form",),
        ),
        CombinedMember(
            path="/maintenance",
            because="As in the drive's status.",
            findings=("drive.check_reachable",),
        ),
        IgnoredMember(
            path="/overwrite.cli.url", because="The address in letters of the drive alone."
        ),
        IgnoredMember(path="/appstoreenabled", because="Whether more apps can be fetched."),
        IgnoredMember(path="/has_internet_connection", because="The identity provider shows it."),
        *ignore_members(_PLACE, *_PLACES),
        *ignore_members("How costly local passwords are to try.", *_COSTS),
    ),
)


def _switch(
    path: str,
    good: bool,
    because: str,
    found: str,
    remedy: str,
    severity: Severity = Severity.FAILING,
) -> RequiredMember:
    return RequiredMember(
        path=path, because=because, values=(good, None), name=NAME, found=message(found),
        remedy=message(remedy), severity=severity,
    )  # fmt: skip


AUDIENCE = "/selfencoded_bearer_validation_audience_check"
_SWITCHES: tuple[Row, ...] = (
    _switch(
        "/auto_provision", True,
        "Whoever comes for the first time is refused.",
        "accounts_are_not_made", "switch_auto_provision_on",
    ),
    _switch(
        "/disable_account_creation", False,
        "Whoever comes for the first time is refused.",
        "accounts_are_not_made", "switch_auto_provision_on",
    ),
    _switch(
        AUDIENCE, True,
        "Whoever receives a person's token for something else uses the drive as that person.",
        "tokens_of_any_client", "switch_audience_check_on",
    ),
    _switch(
        "/login_validation_audience_check", True,
        "A sign-in is believed that was made for another client.",
        "sign_ins_of_any_client", "switch_login_audience_check_on", Severity.WARNING,
    ),
    _switch(
        "/httpclient.allowselfsigned", False,
        "Whoever stands between the drive and the identity provider signs in as anybody.",
        "any_certificate", "switch_self_signed_off", Severity.WARNING,
    ),
)  # fmt: skip
_OTHERS = {
    "login_validation_azp_check": "The audience names the drive, and that is looked at.",
    "selfencoded_bearer_validation_azp_check": "Only versions that are refused by number read it.",
    "bearer_validation_azp_check": "No version reads it.",
    "oidc_provider_bearer_validation": "Another app's tokens, where the drive signs people in.",
    "soft_auto_provision": "Whether somebody signs in to a local account called like their id.",
    "use_pkce": "The drive's client has a secret.",
    "validate_jwk_strength": "How long the realm's keys are.",
    "send_userinfo_claims": "Asks for claims that come by the scope anyway.",
    "enable_default_claims": "Asks for claims that come by the scope anyway.",
    "enrich_login_id_token_with_userinfo": "Where the same claims are read once more.",
    "user_search_match_emails": "Whom people find when they share.",
    "login_label": "What stands on a button that nobody sees.",
}
OF_THE_APP = MemberTable(
    "The OpenID Connect app in the configuration file: user_oidc in occ config:list system, each "
    "switch as the app reads it",
    (
        *_SWITCHES,
        *combine_members(
            "With both off every token of a person is refused.",
            HERE,
            *("selfencoded_bearer_validation", "userinfo_bearer_validation"),
        ),
        CombinedMember(
            path="/single_logout",
            because="A person who signs out stays signed in at the identity provider.",
            findings=("drive.check_single_logout",),
        ),
        CombinedMember(
            path="/prompt",
            because="With `none` nobody is asked who they are, and nobody gets in.",
            findings=WAY,
        ),
        CombinedMember(
            path="/default_token_endpoint_auth_method",
            because="The identity provider refuses the drive's secret shown in another way.",
            findings=WAY,
        ),
        *(IgnoredMember(path=f"/{one}", because=why) for one, why in _OTHERS.items()),
    ),
)
