"""The settings and the user profile of a fresh realm, in the shape a read of the realm
shows them.
"""

from workspace_sandbox.stand_ins.identity_provider.answers import Doc

_HEADERS = {
    "contentSecurityPolicyReportOnly": "",
    "xContentTypeOptions": "nosniff",
    "referrerPolicy": "no-referrer",
    "xRobotsTag": "none",
    "xFrameOptions": "SAMEORIGIN",
    "contentSecurityPolicy": "frame-src 'self'; frame-ancestors 'self'; object-src 'none';",
    "strictTransportSecurity": "max-age=31536000; includeSubDomains",
}
_ATTRIBUTES = {
    "cibaBackchannelTokenDeliveryMode": "poll",
    "cibaExpiresIn": "120",
    "cibaAuthRequestedUserHint": "login_hint",
    "oauth2DeviceCodeLifespan": "600",
    "oauth2DevicePollingInterval": "5",
    "parRequestUriLifespan": "60",
    "cibaInterval": "5",
    "realmReusableOtpCode": "false",
}


def settings(name: str, realm_id: str) -> Doc:
    """The members of a realm that a read shows, in their defaults. Lifespans are seconds."""
    return {
        "id": realm_id,
        "realm": name,
        "notBefore": 0,
        "defaultSignatureAlgorithm": "RS256",
        "revokeRefreshToken": False,
        "refreshTokenMaxReuse": 0,
        **_lifespans(),
        "enabled": False,
        "sslRequired": "external",
        **dict.fromkeys(
            ("registrationAllowed", "registrationEmailAsUsername", "rememberMe", "verifyEmail"),
            False
        ),
        "loginWithEmailAllowed": True,
        **dict.fromkeys(("duplicateEmailsAllowed", "resetPasswordAllowed", "editUsernameAllowed"),
        False),
        **_brute_force(),
        "requiredCredentials": ["password"],
        **_one_time_passwords(),
        **_web_authn("webAuthnPolicy"),
        **_web_authn("webAuthnPolicyPasswordless"),
        "browserSecurityHeaders": dict(_HEADERS),
        "smtpServer": {},
        "eventsEnabled": False,
        "eventsListeners": ["jboss-logging"],
        "enabledEventTypes": [],
        "adminEventsEnabled": False,
        "adminEventsDetailsEnabled": False,
        "internationalizationEnabled": False,
        "supportedLocales": [],
        **_flows(),
        "attributes": dict(_ATTRIBUTES),
        **dict.fromkeys(
            (
                "userManagedAccessAllowed", "organizationsEnabled", "verifiableCredentialsEnabled",
                "adminPermissionsEnabled", "scimApiEnabled",
            ),
            False,
        ),
        "clientProfiles": {"profiles": []},
        "clientPolicies": {"policies": []},
    }  # fmt: skip


def _lifespans() -> Doc:
    return {
        "accessTokenLifespan": 300,
        "accessTokenLifespanForImplicitFlow": 900,
        "ssoSessionIdleTimeout": 1800,
        "ssoSessionMaxLifespan": 36000,
        "ssoSessionIdleTimeoutRememberMe": 0,
        "ssoSessionMaxLifespanRememberMe": 0,
        "offlineSessionIdleTimeout": 2592000,
        "offlineSessionMaxLifespanEnabled": False,
        "offlineSessionMaxLifespan": 5184000,
        "clientSessionIdleTimeout": 0,
        "clientSessionMaxLifespan": 0,
        "clientOfflineSessionIdleTimeout": 0,
        "clientOfflineSessionMaxLifespan": 0,
        "accessCodeLifespan": 60,
        "accessCodeLifespanUserAction": 300,
        "accessCodeLifespanLogin": 1800,
        "actionTokenGeneratedByAdminLifespan": 43200,
        "actionTokenGeneratedByUserLifespan": 300,
        "oauth2DeviceCodeLifespan": 600,
        "oauth2DevicePollingInterval": 5,
    }


def _brute_force() -> Doc:
    return {
        "bruteForceProtected": False,
        "permanentLockout": False,
        "maxTemporaryLockouts": 0,
        "bruteForceStrategy": "MULTIPLE",
        "maxFailureWaitSeconds": 900,
        "minimumQuickLoginWaitSeconds": 60,
        "waitIncrementSeconds": 60,
        "quickLoginCheckMilliSeconds": 1000,
        "maxDeltaTimeSeconds": 43200,
        "failureFactor": 30,
        "maxSecondaryAuthFailures": 0,
    }


def _one_time_passwords() -> Doc:
    return {
        "otpPolicyType": "totp",
        "otpPolicyAlgorithm": "HmacSHA1",
        "otpPolicyInitialCounter": 0,
        "otpPolicyDigits": 6,
        "otpPolicyLookAheadWindow": 1,
        "otpPolicyPeriod": 30,
        "otpPolicyCodeReusable": False,
        "otpSupportedApplications": [
            "totpAppFreeOTPName", "totpAppGoogleName", "totpAppMicrosoftAuthenticatorName",
        ],
    }  # fmt: skip


def _web_authn(prefix: str) -> Doc:
    wanted = "required" if prefix.endswith("Passwordless") else "not specified"
    return {
        f"{prefix}{name}": value
        for name, value in {
            "RpEntityName": "keycloak",
            "SignatureAlgorithms": ["ES256", "RS256"],
            "RpId": "",
            "AttestationConveyancePreference": "not specified",
            "AuthenticatorAttachment": "not specified",
            "RequireResidentKey": "not specified",
            "ResidentKey": wanted,
            "UserVerificationRequirement": wanted,
            "CreateTimeout": 0,
            "AvoidSameAuthenticatorRegister": False,
            "AcceptableAaguids": [],
            "ExtraOrigins": [],
        }.items()
    }


def _flows() -> Doc:
    return {
        "browserFlow": "browser",
        "registrationFlow": "registration",
        "directGrantFlow": "direct grant",
        "resetCredentialsFlow": "reset credentials",
        "clientAuthenticationFlow": "clients",
        "dockerAuthenticationFlow": "docker auth",
        "firstBrokerLoginFlow": "first broker login",
    }


def default_profile() -> Doc:
    """The user profile of a fresh realm: four attributes and nothing else, so every other attribute
    is dropped.
    """
    both = ["admin", "user"]

    def attribute(name: str, validations: Doc, *, required: bool) -> Doc:
        document: Doc = {"name": name, "displayName": f"${{{name}}}", "validations": validations}
        if required:
            document["required"] = {"roles": ["user"]}
        permissions = {"view": list(both), "edit": list(both)}
        return document | {"permissions": permissions, "multivalued": False}

    person = {"length": {"max": 255}, "person-name-prohibited-characters": {}}
    username = {
        "length": {"min": 3, "max": 255},
        "username-prohibited-characters": {},
        "up-username-not-idn-homograph": {},
    }
    return {
        "attributes": [
            attribute("username", username, required=False),
            attribute("email", {"email": {}, "length": {"max": 255}}, required=True),
            attribute("firstName", dict(person), required=True),
            attribute("lastName", dict(person), required=True),
        ],
        "groups": [
            {
                "name": "user-metadata",
                "displayHeader": "User metadata",
                "displayDescription": "Attributes, which refer to user metadata",
            }
        ],
    }


def admin_only(name: str) -> Doc:
    """The declaration of one attribute that neither the person nor the account console sees or
    edits.
    """
    return {
        "name": name,
        "displayName": name,
        "validations": {"length": {"max": "255"}},
        "permissions": {"view": ["admin"], "edit": ["admin"]},
        "multivalued": False,
    }
