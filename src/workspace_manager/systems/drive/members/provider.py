"""The identity provider as the drive's OpenID Connect app knows it: one entry of
`GET /ocs/v2.php/apps/user_oidc/api/v1/provider`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from workspace_manager.contract.connector import Severity
from workspace_manager.contract.members import (
    CombinedMember,
    IgnoredMember,
    MemberTable,
    RequiredMember,
    Row,
    ignore_members,
)
from workspace_manager.systems.drive.messages import message

OCC = "occ user_oidc:provider"
"""The command that configures the provider, for remedies."""
NAME = message("check_oidc_provider")
HERE = (NAME.code,)
DISPLAY_NAME = "preferred_username"
"""The claim with the name that people see of each other at the drive."""
LONGEST = 200
"""Characters of a claim's name that a finding repeats."""
ON: tuple[JsonValue, ...] = (True,)
OFF: tuple[JsonValue, ...] = (False, None)
FOR_TOKENS = frozenset({"/settings/checkBearer", "/settings/bearerProvisioning"})
"""Settings that are needed if the manager calls the drive with a person's token."""
_PROFILE = (
    *("Quota", "Groups", "Language", "Locale", "Address", "Streetaddress", "Postalcode"),
    *("Locality", "Region", "Country", "Website", "Avatar", "Twitter", "Fediverse"),
    *("Organisation", "Role", "Headline", "Biography", "Phonenumber", "Gender", "Pronouns"),
    "Birthdate",
)


def table_of(provider: Mapping[str, Any], *, tokens: bool = True) -> MemberTable:
    """Return the table, with this provider's own words in its messages. `tokens`: whether the
    manager calls the drive with a person's token.
    """
    found = provider.get("settings")
    settings = found if isinstance(found, dict) else {}
    identifier = str(provider.get("identifier") or "NAME")
    rows = (*(one.row(identifier, settings) for one in _OPTIONS), *_JUDGED, *_IGNORED)
    if not tokens:
        rows = tuple(row for row in rows if row.path not in FOR_TOKENS)
    return MemberTable(
        "The identity provider as the drive knows it: one entry of "
        "GET /ocs/v2.php/apps/user_oidc/api/v1/provider",
        rows,
    )


@dataclass(frozen=True)
class _Option:
    """A setting with some allowed values. `said`: the key of the finding, which names the
    configured claim, or the app's default (`claim`), and the `wanted` one.
    """

    setting: str
    values: tuple[JsonValue, ...]
    because: str
    said: str
    option: str
    claim: str = ""
    wanted: str = ""
    severity: Severity = Severity.FAILING

    def row(self, identifier: str, settings: Mapping[str, Any]) -> Row:
        named = {"claim": str(settings.get(self.setting) or self.claim)[:LONGEST]}
        named |= {"wanted": self.wanted} if self.wanted else {}
        return RequiredMember(
            path=f"/settings/{self.setting}",
            because=self.because,
            values=self.values,
            name=NAME,
            found=message(self.said, **(named if self.claim else {})),
            remedy=message("set_option", option=self.option, occ=OCC, identifier=identifier),
            severity=self.severity,
        )


_OPTIONS = (
    _Option(
        "uniqueUid",
        OFF,
        "People's accounts are named by hashes that nobody can name: a removal finds none.",
        "provider_hashes_ids",
        "--unique-uid=0",
    ),
    _Option(
        "mappingUid",
        ("", None, "sub"),
        "People's accounts are named by something else than their id: a removal finds none, and "
        "whoever gets the name gets the files.",
        "ids_of_another_claim",
        "--mapping-uid=sub",
        claim="sub",
    ),
    _Option(
        "checkBearer",
        ON,
        "The tokens with which the manager connects a person are refused.",
        "provider_checks_no_tokens",
        "--check-bearer=1",
    ),
    _Option(
        "bearerProvisioning",
        ON,
        "An account that a token makes has no name and no address.",
        "provider_takes_no_names",
        "--bearer-provisioning=1",
    ),
    _Option(
        "sendIdTokenHint",
        ON,
        "The identity provider asks whoever signs out whether they mean it.",
        "provider_sends_no_hint",
        "--send-id-token-hint=1",
    ),
    _Option(
        "mappingDisplayName",
        (DISPLAY_NAME,),
        "People are called otherwise than everywhere else.",
        "display_name_is_another",
        f"--mapping-display-name={DISPLAY_NAME}",
        claim="name",
        wanted=DISPLAY_NAME,
        severity=Severity.WARNING,
    ),
    _Option(
        "mappingEmail",
        ("", None, "email"),
        "The drive writes its letters to another address, or to none.",
        "email_is_another",
        "--mapping-email=email",
        claim="email",
        severity=Severity.WARNING,
    ),
    _Option(
        "restrictLoginToGroups",
        OFF,
        "Approved people are refused at the drive, since the manager puts nobody into a group.",
        "sign_in_of_groups_alone",
        "--restrict-login-to-groups=0",
        severity=Severity.WARNING,
    ),
)
_JUDGED: tuple[Row, ...] = (
    CombinedMember(
        path="/identifier",
        because="A sign-out elsewhere calls the drive by it, and does not reach it by another.",
        findings=HERE,
    ),
    CombinedMember(
        path="/clientId",
        because="As another client, sign-ins or the tokens of the manager are refused.",
        findings=(*HERE, "drive.check_sign_in_way"),
    ),
    CombinedMember(
        path="/discoveryEndpoint",
        because="In another realm nobody is who they are here.",
        findings=(*HERE, "drive.check_sign_in_way", "drive.check_single_logout"),
    ),
    CombinedMember(
        path="/endSessionEndpoint",
        because="A person who signs out comes somewhere else, and stays signed in.",
        findings=("drive.check_single_logout",),
    ),
    CombinedMember(
        path="/postLogoutUri",
        because="A person who signs out is not brought back, or to somebody else's page.",
        findings=(*HERE, "drive.check_single_logout"),
    ),
    CombinedMember(
        path="/scope",
        because="Without openid the identity provider says nothing of who signs in.",
        findings=HERE,
    ),
    CombinedMember(
        path="/settings/providerBasedId",
        because="The accounts' prefix: with another one in our settings a removal finds none.",
        findings=HERE,
    ),
)
_IGNORED: tuple[Row, ...] = (
    IgnoredMember(path="/id", because="A number of the drive's own."),
    *ignore_members(
        "What else of a person the drive takes over: nothing of ours depends on it.",
        *(f"mapping{one}" for one in _PROFILE),
        below="/settings",
    ),
    IgnoredMember(
        path="/settings/groupProvisioning",
        because=(
            "Whether groups come from the identity provider: who administers the realm can be "
            "anybody at the drive anyway."
        ),
    ),
    IgnoredMember(
        path="/settings/groupWhitelistRegex",
        because="Which groups these are, and who is refused: said with restrictLoginToGroups.",
    ),
    IgnoredMember(
        path="/settings/azureGroupNames", because="How another maker's groups are named."
    ),
    IgnoredMember(path="/settings/extraClaims", because="Asks for more than is needed."),
    IgnoredMember(
        path="/settings/nestedAndFallbackClaims",
        because="How the names of claims are read; those that we need are plain.",
    ),
    IgnoredMember(
        path="/settings/enrichLoginIdTokenWithUserinfo",
        because="Where the same claims are read once more.",
    ),
)
PROVIDER = table_of({})
