"""Members of protocol mappers, on a client and in a client scope."""

from typing import Final

from workspace_manager.contract.members import CombinedMember, IgnoredMember, MemberTable

OF_ROLES = "Which roles it writes; no system here reads roles of a token."
ADDRESS = "The address of a person, which no system here reads."
WHERE = "Where the claim goes: a password must not be in tokens, `sub` and audience must."
_PLACES: Final = (
    *("access.token.claim", "id.token.claim", "userinfo.token.claim"),
    *("introspection.token.claim", "lightweight.claim"),
)
_JUDGED: Final = (
    CombinedMember(
        path="/protocolMapper",
        because="What it does; one that makes another `sub` for each client parts people from "
        "what they have.",
        findings=(
            "identity_provider.check_client",
            "identity_provider.check_audience",
            "identity_provider.check_subject",
            "identity_provider.check_password_in_tokens",
        ),
    ),
    CombinedMember(
        path="/name",
        because="It is named in what is found.",
        findings=("identity_provider.check_client", "identity_provider.check_password_in_tokens"),
    ),
    *(
        CombinedMember(
            path=f"/config/{name}",
            because=WHERE,
            findings=(
                *(
                    "identity_provider.check_client",
                    "identity_provider.check_audience",
                    "identity_provider.check_password_in_tokens",
                ),
                *(
                    "identity_provider.check_own_client_sub",
                    "identity_provider.check_own_client_claims",
                    "identity_provider.check_own_client_tokens",
                ),
            ),
        )
        for name in _PLACES
    ),
    *(
        CombinedMember(
            path=f"/config/{name}",
            because="Which attribute of a person becomes which claim.",
            findings=(
                "identity_provider.check_client",
                "identity_provider.check_password_in_tokens",
                "identity_provider.check_own_client_claims",
            ),
        )
        for name in ("user.attribute", "claim.name", "jsonType.label")
    ),
    *(
        CombinedMember(
            path=f"/config/{name}",
            because="Who is told to take the token.",
            findings=("identity_provider.check_client", "identity_provider.check_audience"),
        )
        for name in ("included.client.audience", "included.custom.audience")
    ),
)
_SILENT: Final = {
    "The server's own id of it.": ("/id",),
    "A mapper of SAML has no effect at a client of OpenID Connect.": (
        *("/protocol", "/config/single", "/config/attribute.name", "/config/attribute.nameformat"),
        "/config/friendly.name",
    ),
    "A leftover of older versions without effect.": ("/consentRequired", "/consentText"),
    "More than one value of an attribute; what is read here has one.": (
        *("/config/multivalued", "/config/aggregate.attrs"),
    ),
    "The token endpoint's answer besides the tokens, of which nobody here reads more.": (
        "/config/access.tokenResponse.claim",
    ),
    "A note of the session, such as the moment of the sign-in: the walk and a sign-in show it.": (
        "/config/user.session.note",
    ),
    "Whether groups are written with their path; knowledge stacks are compared by their own "
    "connector.": ("/config/full.path",),
    ADDRESS: tuple(
        f"/config/user.attribute.{name}"
        for name in ("formatted", "country", "postal_code", "street", "region", "locality")
    ),
    OF_ROLES: (
        *("/config/usermodel.clientRoleMapping.clientId", "/config/role", "/config/new.role.name"),
        *("/config/usermodel.clientRoleMapping.rolePrefix",),
        "/config/usermodel.realmRoleMapping.rolePrefix",
    ),
    "A fixed text: it is said where it stands in a claim that is read.": ("/config/claim.value",),
    "Organisations of the realm, which no system here reads.": (
        *("/config/addOrganizationAttributes", "/config/addOrganizationId"),
    ),
    "It decides the ids of pairwise subjects, which are said.": (
        *("/config/sectorIdentifierUri", "/config/pairwiseSubAlgorithmSalt"),
    ),
}

MAPPERS: Final = MemberTable(
    "A protocol mapper: GET /admin/realms/{realm}/clients and /client-scopes, protocolMappers",
    (
        *_JUDGED,
        *(
            IgnoredMember(path=path, because=because)
            for because, paths in _SILENT.items()
            for path in paths
        ),
    ),
)
