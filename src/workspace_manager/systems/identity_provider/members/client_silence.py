"""Members of a client that no check uses, with the reason."""

from collections.abc import Mapping
from typing import Final

from workspace_manager.contract.members import IgnoredMember, ignore_members

SHOWN = "How it is shown to administrators and to people."
NOT_SENT = "No system here sends what it is about."
ANOTHER_GRANT = "A grant that no system here uses, and that needs the client's secret."
SESSIONS = "How long people stay signed in is decided by the realm's administrators."
PROOFS = "Which proofs people are asked for is decided by the realm's administrators."
BY_KEY = "It is about proving the client with a key, and the client proves itself by its secret."
BY_THE_SERVER = "Set by the server when a secret is made or replaced."
NOBODY_READS = "Nobody here reads it."
SAML = "It is about SAML, and the client speaks OpenID Connect."

_MEMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "The server's own id of it.": ("id",),
    SHOWN: (
        *("name", "description", "type", "alwaysDisplayInConsole"),
        *("consentRequired", "baseUrl"),
    ),
    "Set-up writes OpenID Connect for new ones, and the walk of a sign-in meets another.": (
        "protocol",
    ),
    "Relative addresses begin there; the set-up writes whole ones.": ("rootUrl",),
    "Keycloak's own adapters are told there, and no system here uses one.": (
        *("adminUrl", "nodeReRegistrationTimeout", "registeredNodes"),
    ),
    "No page of ours calls the identity provider from a script.": ("webOrigins",),
    "Tokens made before are refused, so that people sign in anew.": ("notBefore",),
    "A leftover of older versions without effect.": (
        *("surrogateAuthRequired", "clientTemplate", "useTemplateConfig", "useTemplateScope"),
        *("useTemplateMappers", "directGrantsOnly", "defaultRoles"),
    ),
    "Its service account may do what somebody gave it, which is nothing by itself.": (
        *("serviceAccountsEnabled", "authorizationServicesEnabled", "authorizationSettings"),
    ),
    "It decides which roles are in tokens, and no system here reads roles.": ("fullScopeAllowed",),
    "For changing the client without an administrator; given out once.": (
        *("registrationAccessToken", "origin"),
    ),
    "For sign-ins without a browser, which no system here makes.": (
        "authenticationFlowBindingOverrides/direct_grant",
    ),
}
_ATTRIBUTES: Final[Mapping[str, tuple[str, ...]]] = {
    SHOWN: (
        *("display.on.consent.screen", "consent.screen.text", "login_theme"),
        *("logoUri", "policyUri", "tosUri"),
    ),
    "Whether the server made it by itself.": ("realm_client", "security.admin.console"),
    BY_THE_SERVER: (
        *("client.secret.creation.time", "client.secret.expiration.time"),
        *("client.secret.remaining.expiration.time", "client.secret.rotation.enabled"),
        *("client.secret.rotated", "client.secret.rotated.creation.time"),
        "client.secret.rotated.expiration.time",
    ),
    "A sign-out names the person as well, and both sides end what that person has.": (
        "backchannel.logout.session.required",
    ),
    "Offline access is revoked by a removal itself.": ("backchannel.logout.revoke.offline.tokens",),
    "Used while front channel logout is on, which is said.": (
        *("frontchannel.logout.url", "frontchannel.logout.session.required"),
    ),
    "It asks a person to confirm a sign-out.": ("logout.confirmation.enabled",),
    SESSIONS: (
        *("client.session.idle.timeout", "client.session.max.lifespan"),
        *("client.offline.session.idle.timeout", "client.offline.session.max.lifespan"),
    ),
    PROOFS: ("acr.loa.map", "acr.uri.map", "default.acr.values", "minimum.acr.value"),
    NOT_SENT: (
        *("request.object.signature.alg", "request.object.encryption.alg", "request.uris"),
        *("request.object.encryption.enc", "authorization.signed.response.alg"),
        *("authorization.encrypted.response.alg", "authorization.encrypted.response.enc"),
        *("id.token.as.detached.signature", "allow.oidc.params.in.redirect.uris"),
    ),
    "Used only with the algorithm beside it, which is said.": (
        *("id.token.encrypted.response.enc", "user.info.encrypted.response.enc"),
    ),
    BY_KEY: (
        *("use.jwks.url", "jwks.url", "use.jwks.string", "jwks.string"),
        *("jwt.credential.certificate", "jwt.credential.public.key", "jwt.credential.kid"),
        *("token.endpoint.auth.signing.alg", "token.endpoint.auth.signing.max.exp"),
        *("x509.subjectdn", "x509.casubjectdn", "x509.allow.regex.pattern.comparison"),
        "tls_client_auth_subject_dn",
    ),
    ANOTHER_GRANT: (
        *("oauth2.device.authorization.grant.enabled", "oauth2.device.code.lifespan"),
        *("oauth2.device.polling.interval", "oidc.ciba.grant.enabled"),
        *("ciba.backchannel.token.delivery.mode", "ciba.backchannel.auth.request.signing.alg"),
        *("ciba.backchannel.client.notification.endpoint", "standard.token.exchange.enabled"),
        "standard.token.exchange.enableRefreshRequestedTokenType",
        *("oauth2.jwt.authorization.grant.enabled", "oauth2.jwt.authorization.grant.idp"),
        "oauth2.jwt.authorization.grant.audience",
        *("external.token.enabled", "external.token.idp", "client_credentials.use_refresh_token"),
    ),
    NOBODY_READS: (
        *("exclude.session.state.from.auth.response", "exclude.issuer.from.auth.response"),
        *("token.response.type.bearer.lower-case", "access.token.header.type.rfc9068"),
        "client.introspection.response.allow.jwt.claim.enabled",
        "allow.token.introspection.without.audience.check",
        "allow.userinfo.with.lightweight.access.token",
    ),
    "It decides ids of a mapper of pairwise subjects, which is said where there is one.": (
        *("sectorIdentifierUri", "sector_identifier_uri"),
    ),
    SAML: (
        *("saml.assertion.signature", "saml.server.signature", "saml.client.signature"),
        *("saml.authnstatement", "saml.encrypt", "saml.onetimeuse.condition"),
        *("saml.force.post.binding", "saml.multivalued.roles", "saml.signature.algorithm"),
        *("saml_force_name_id_format", "saml_name_id_format", "saml.artifact.binding"),
        *("saml.server.signature.keyinfo.ext", "saml.allow.ecp.flow"),
    ),
}


SILENT: Final[tuple[IgnoredMember, ...]] = tuple(
    row
    for below, reasons in (("/attributes", _ATTRIBUTES), ("", _MEMBERS))
    for because, names in reasons.items()
    for row in ignore_members(because, *names, below=below)
)
