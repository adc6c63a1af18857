"""Members of the realm: `GET /admin/realms/{realm}`."""

from typing import Final

from workspace_manager.contract.connector import Severity
from workspace_manager.contract.members import MemberTable, RequiredMember, ignore_members
from workspace_manager.systems.identity_provider.members.rows import judged_rows
from workspace_manager.systems.identity_provider.messages import message

PUBLIC_SIGNATURES: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)

_WEB_AUTHN = (
    *("RpEntityName", "SignatureAlgorithms", "RpId", "AttestationConveyancePreference"),
    *("AuthenticatorAttachment", "RequireResidentKey", "ResidentKey"),
    *("UserVerificationRequirement", "CreateTimeout", "AvoidSameAuthenticatorRegister"),
    *("AcceptableAaguids", "ExtraOrigins"),
)

_DOORS = (
    RequiredMember(
        path="/enabled",
        because="Nobody signs in, and no service gets a token.",
        values=(True,),
        name=message("check_enabled"),
        found=message("realm_is_disabled"),
        remedy=message("switch_realm_on"),
    ),
    RequiredMember(
        path="/registrationAllowed",
        because="Users come that nobody approved, and the drive makes an account for each.",
        values=(False, None),
        name=message("check_registration"),
        found=message("anybody_registers"),
        remedy=message("run_setup"),
    ),
    RequiredMember(
        path="/registrationEmailAsUsername",
        because="User names are addresses: other systems cannot take them, and they change.",
        values=(False, None),
        name=message("check_registration_names"),
        found=message("addresses_become_names"),
        remedy=message("run_setup"),
    ),
    RequiredMember(
        path="/editUsernameAllowed",
        because="Who takes a name that somebody gave up comes to what is there under it.",
        values=(False, None),
        name=message("check_user_names"),
        found=message("people_rename_themselves"),
        remedy=message("run_setup"),
    ),
    RequiredMember(
        path="/resetPasswordAllowed",
        because="Anybody who reads a person's mailbox has their account.",
        values=(False, None),
        name=message("check_forgotten_passwords"),
        found=message("mailbox_opens_account"),
        remedy=message("switch_forgot_password_off"),
        severity=Severity.WARNING,
    ),
    RequiredMember(
        path="/duplicateEmailsAllowed",
        because="An address means several people: what goes to one of them reaches another.",
        values=(False, None),
        name=message("check_addresses"),
        found=message("addresses_are_shared"),
        remedy=message("switch_duplicates_off"),
        severity=Severity.WARNING,
    ),
    RequiredMember(
        path="/internationalizationEnabled",
        because="The sign-in pages have one language, and a person's own is lost.",
        values=(True,),
        name=message("check_internationalisation"),
        found=message("one_language"),
        remedy=message("switch_localization_on"),
        severity=Severity.WARNING,
    ),
    RequiredMember(
        path="/bruteForceProtected",
        because="Passwords are tried until one is right.",
        values=(True,),
        name=message("check_brute_force"),
        found=message("tried_without_limit"),
        remedy=message("switch_brute_force_on"),
        severity=Severity.WARNING,
    ),
    RequiredMember(
        path="/sslRequired",
        because=(
            "With `none`, passwords cross networks in clear. With `all` over plain http the realm "
            "answers nothing, which is said as what is not reachable."
        ),
        values=("external", "all", None),
        name=message("check_https"),
        found=message("passwords_over_http"),
        remedy=message("require_ssl"),
        severity=Severity.WARNING,
    ),
    RequiredMember(
        path="/defaultSignatureAlgorithm",
        because="Nobody but the realm can verify a token: the manager takes no sign-in.",
        values=(*PUBLIC_SIGNATURES, None),
        name=message("check_signatures"),
        found=message("signatures_are_secret"),
        remedy=message("sign_with_public_key"),
    ),
)

_JUDGED = (
    *judged_rows(
        "Whose realm it is: another one is said before everything else.",
        ("check_settings_realm",),
        "realm",
    ),
    *judged_rows(
        "A token that is out is good for so long; shorter than half a minute, it ends on its way.",
        ("check_token_lifespan", "check_times"),
        *("accessTokenLifespan", "accessTokenLifespanForImplicitFlow"),
    ),
    *judged_rows(
        "A sign-in that lasts for weeks outlives who sits there; one of minutes ends at work.",
        ("check_session_lifespan", "check_times"),
        *("ssoSessionIdleTimeout", "ssoSessionMaxLifespan"),
        *("ssoSessionIdleTimeoutRememberMe", "ssoSessionMaxLifespanRememberMe", "rememberMe"),
    ),
    *judged_rows(
        "Too short, the manager's own session of a person ends long before the realm's.",
        ("check_times",),
        *("clientSessionIdleTimeout", "clientSessionMaxLifespan"),
    ),
    *judged_rows(
        "Too short, a sign-in ends before it is finished.",
        ("check_times",),
        *("accessCodeLifespan", "accessCodeLifespanUserAction", "accessCodeLifespanLogin"),
    ),
    *judged_rows(
        "A moment to come: every token is refused until then.", ("check_not_before",), "notBefore"
    ),
    *judged_rows(
        "Whoever knows a name locks that person out, for days or for good.",
        ("check_lockout",),
        *("permanentLockout", "maxTemporaryLockouts", "failureFactor"),
        *("maxFailureWaitSeconds", "minimumQuickLoginWaitSeconds"),
    ),
    *judged_rows(
        "Who has to confirm an address waits for a letter that nobody sends.",
        ("check_mail",),
        *("verifyEmail", "smtpServer"),
    ),
    *judged_rows(
        "A person who chose one of the manager's languages meets sign-in pages in another.",
        ("check_internationalisation",),
        "supportedLocales",
    ),
    *judged_rows(
        "Everybody is in a knowledge stack, whom its owner never took in.",
        ("check_default_groups",),
        "defaultGroups",
    ),
    *judged_rows(
        "Tokens name another issuer than the settings: the manager takes no sign-in.",
        ("check_reachable",),
        "attributes/frontendUrl",
    ),
)

_IGNORED = (
    *ignore_members("An id; the realm is known by its name.", "id"),
    *ignore_members(
        "A sign-in by name or by address leads to the same person.", "loginWithEmailAllowed"
    ),
    *ignore_members(
        "The manager reads whoever may sign in by the user alone.", "requiredCredentials"
    ),
    *ignore_members(
        "The manager keeps each refresh token that it is given; where an answer is lost the person "
        "signs in again.",
        *("revokeRefreshToken", "refreshTokenMaxReuse"),
    ),
    *ignore_members(
        "A removal ends offline sessions however long they would last.",
        *("offlineSessionIdleTimeout", "offlineSessionMaxLifespanEnabled"),
        *("offlineSessionMaxLifespan", "clientOfflineSessionIdleTimeout"),
        "clientOfflineSessionMaxLifespan",
    ),
    *ignore_members(
        "How long a link in a letter is good; an approval sends none.",
        *("actionTokenGeneratedByAdminLifespan", "actionTokenGeneratedByUserLifespan"),
        "attributes/actionTokenGeneratedByUserLifespan.verify-email",
    ),
    *ignore_members(
        "Nobody signs in to the workspace with a device code or behind the browser.",
        *("oauth2DeviceCodeLifespan", "oauth2DevicePollingInterval"),
        *("attributes/oauth2DeviceCodeLifespan", "attributes/oauth2DevicePollingInterval"),
        *("attributes/shortVerificationUri", "attributes/cibaBackchannelTokenDeliveryMode"),
        *("attributes/cibaExpiresIn", "attributes/cibaAuthRequestedUserHint"),
        *("attributes/cibaInterval", "attributes/parRequestUriLifespan"),
    ),
    *ignore_members(
        "How waits grow up to the longest, which is judged.",
        *("bruteForceStrategy", "waitIncrementSeconds", "quickLoginCheckMilliSeconds"),
        *("maxDeltaTimeSeconds", "maxSecondaryAuthFailures"),
    ),
    *ignore_members("Which roles it holds does not stand in this document.", "defaultRole"),
    *ignore_members(
        "It is not asked of the password of an approval, which comes as a hash.", "passwordPolicy"
    ),
    *ignore_members(
        "How a second factor is set up; whoever has one signs in with it.",
        *("otpPolicyType", "otpPolicyAlgorithm", "otpPolicyInitialCounter", "otpPolicyDigits"),
        *("otpPolicyLookAheadWindow", "otpPolicyPeriod", "otpPolicyCodeReusable"),
        *("otpSupportedApplications", "attributes/realmReusableOtpCode"),
        *(f"webAuthnPolicy{one}" for one in _WEB_AUTHN),
        *(f"webAuthnPolicyPasswordless{one}" for one in _WEB_AUTHN),
    ),
    *ignore_members(
        "No page of the workspace frames a page of the realm.", "browserSecurityHeaders"
    ),
    *ignore_members(
        "The manager reads no events; what it does is in its own audit.",
        *("eventsEnabled", "eventsListeners", "enabledEventTypes", "eventsExpiration"),
        *("adminEventsEnabled", "adminEventsDetailsEnabled", "attributes/adminEventsExpiration"),
    ),
    *ignore_members("The language of who chose none.", "defaultLocale"),
    *ignore_members(
        "A flow that somebody made can be as good as the one that the realm was born with, and its "
        "steps do not stand in this document.",
        *("browserFlow", "clientAuthenticationFlow", "attributes/acr.loa.map"),
    ),
    *ignore_members(
        "Nobody registers at the realm, sets a password by mail or signs in there without a "
        "browser: where somebody can, that is said.",
        *("registrationFlow", "resetCredentialsFlow", "directGrantFlow"),
    ),
    *ignore_members(
        "Each provider that is asked says its own; see brokered providers.", "firstBrokerLoginFlow"
    ),
    *ignore_members(
        "No system of the workspace is asked this way.",
        "dockerAuthenticationFlow",
        "attributes/saml.signature.algorithm",
    ),
    *ignore_members(
        "What each client says for itself goes first.", "attributes/client.session.idle.timeout"
    ),
    *ignore_members(
        "How the pages look.",
        *("displayName", "displayNameHtml"),
        *("loginTheme", "accountTheme", "adminTheme", "emailTheme"),
    ),
    *ignore_members(
        "A part of the product that the workspace does not use.",
        *("userManagedAccessAllowed", "organizationsEnabled", "verifiableCredentialsEnabled"),
        "scimApiEnabled",
    ),
    *ignore_members("What we may do is tried by itself.", "adminPermissionsEnabled"),
    *ignore_members(
        "What a policy asks of clients is refused where one is made, and seen in the clients.",
        *("clientProfiles", "clientPolicies"),
    ),
)

REALM_TABLE: Final = MemberTable(
    "the realm: GET /admin/realms/{realm}", (*_DOORS, *_JUDGED, *_IGNORED)
)
