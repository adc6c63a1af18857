"""Checks of the tokens of a person's sign-in, by the tables of their members."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message
from workspace_manager.systems.identity_provider.checks_person_members import (
    ADMINISTRATION,
    MEMBERS,
    Document,
    Member,
)
from workspace_manager.systems.identity_provider.client.person_token import ASYMMETRIC, ParsedToken
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.messages import message

SAY: Final = Findings(SYSTEM)
ALGORITHM: Final = "RS256"
"""The default algorithm of a realm, which every library verifies."""
LONG_S, SHORT_S, LEEWAY_S = 900, 30, 30
LONGEST: Final = 120
"""Characters of a value that a finding repeats."""
PRESENT: Final = object()
"""The expected value of a member that only has to exist."""


@dataclass(frozen=True)
class ExpectedTokens:
    """Expected content of tokens. `private`: attributes that no token may contain."""

    values: Mapping[Document, Mapping[str, Any]]
    private: Sequence[str]
    address: str
    """The realm's address in the settings, if its documents name another issuer."""
    now: float


@dataclass(frozen=True)
class TokenDocuments:
    """The three documents as received."""

    access: ParsedToken
    identity: ParsedToken
    told: Mapping[str, Any]


def token_findings(read: TokenDocuments, expected: ExpectedTokens) -> list[Finding]:
    """Return all faults, or one finding that there are none."""
    found = [*_headers(read), *_lightweight(read.access)]
    documents: dict[Document, Mapping[str, Any]] = {
        Document.ACCESS: read.access.claims,
        Document.IDENTITY: read.identity.claims,
        Document.TOLD: read.told,
    }
    if _is_lightweight(read.access):
        del documents[Document.ACCESS]
    for member in MEMBERS:
        if member.document in documents:
            said = documents[member.document]
            found += _member(member, said, expected.values[member.document])
    found += [*_address(read.access, expected), *_times(read, expected.now)]
    found += _too_much(read, expected)
    name = message("check_person_token")
    return found or [SAY.ok(name, message("person_token_fits", n=len(MEMBERS)))]


def finding_name(document: Document, member: str) -> Message:
    """Return the name of the finding about one member."""
    return message("check_person_member", document=message(document.value), member=member)


def _member(
    member: Member, said: Mapping[str, Any], expected: Mapping[str, Any]
) -> Iterator[Finding]:
    if member.name not in expected:
        return
    wanted, there = expected[member.name], said.get(member.name)
    if there not in (None, "") and (wanted is PRESENT or _fits(wanted, there)):
        return
    name, sees = finding_name(member.document, member.name), message(member.sees)
    remedy = message(member.remedy, member=member.name)
    if there in (None, ""):
        found = message("person_member_missing", member=member.name, sees=sees)
    else:
        shown, right = _short(there), _short(wanted)
        found = message(
            "person_member_differs", member=member.name, there=shown, wanted=right, sees=sees
        )
    yield SAY.of(member.severity, name, found, remedy)


def _fits(wanted: Any, there: Any) -> bool:
    """Return whether a value is as expected; several expected values must be among the present
    ones.
    """
    if isinstance(wanted, frozenset):
        values = there if isinstance(there, list) else [there]
        return all(one in values for one in wanted)
    if isinstance(wanted, str) and isinstance(there, str):
        return wanted.casefold() == there.casefold()
    return bool(wanted == there)


def _short(value: Any) -> str:
    many = sorted(value) if isinstance(value, frozenset) else value
    text = ", ".join(map(str, many)) if isinstance(many, list) else str(many)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


# --- header ---------------------------------------------------------------------------------------


def _headers(read: TokenDocuments) -> Iterator[Finding]:
    for document, token in ((Document.ACCESS, read.access), (Document.IDENTITY, read.identity)):
        algorithm, kind = str(token.header.get("alg")), token.header.get("typ")
        identity = document is Document.IDENTITY
        sees = message("sees_nobody_in" if identity else "sees_drive_refuses")
        if algorithm != ALGORITHM:
            severity = Severity.WARNING if algorithm in ASYMMETRIC else Severity.FAILING
            found = message("person_algorithm", there=algorithm[:20], wanted=ALGORITHM, sees=(
                message("sees_some_refuse") if algorithm in ASYMMETRIC else sees
            ))  # fmt: skip
            yield SAY.of(severity, finding_name(document, "alg"), found, message("set_algorithm"))
        if not token.verified and algorithm in ASYMMETRIC:
            found = message("person_key_unknown", sees=sees)
            yield SAY.failing(finding_name(document, "kid"), found, message("look_at_keys"))
        if kind != "JWT" and not (kind is None and identity):
            severity = Severity.FAILING if identity else Severity.WARNING
            found = message(
                "person_member_differs", member="typ", there=_short(kind), wanted="JWT",
                sees=sees if identity else message("sees_some_refuse"),
            )  # fmt: skip
            yield SAY.of(severity, finding_name(document, "typ"), found, message("set_header_type"))


def _is_lightweight(token: ParsedToken) -> bool:
    """Return whether the provider marks the token as lightweight, in the third and fourth character
    of `jti`.
    """
    return str(token.claims.get("jti", ""))[2:4] == "lt"


def _lightweight(token: ParsedToken) -> Iterator[Finding]:
    if _is_lightweight(token):
        yield SAY.failing(
            message("check_person_lightweight"),
            message("person_lightweight", sees=message("sees_drive_refuses")),
            message("give_whole_tokens"),
        )


def _address(token: ParsedToken, expected: ExpectedTokens) -> Iterator[Finding]:
    """Check the issuer against the realm's documents and the settings."""
    issuer, right = token.claims.get("iss"), expected.values[Document.ACCESS]["iss"]
    if issuer == right != expected.address:
        found = message(
            "person_member_differs", member="iss", there=_short(issuer), wanted=expected.address,
            sees=message("sees_other_address"),
        )  # fmt: skip
        remedy = message("set_hostname_for_all", member="iss")
        yield SAY.warning(finding_name(Document.ACCESS, "iss"), found, remedy)


# --- times ----------------------------------------------------------------------------------------


def _times(read: TokenDocuments, now: float) -> Iterator[Finding]:
    begins, ends = read.access.claims.get("iat"), read.access.claims.get("exp")
    if not isinstance(begins, int | float) or not isinstance(ends, int | float):
        found = message(
            "person_member_missing", member="exp, iat", sees=message("sees_drive_refuses")
        )
        yield SAY.failing(
            finding_name(Document.ACCESS, "exp"), found, message("look_among_mappers", member="exp")
        )
        return
    seconds = int(ends - begins)
    if seconds > LONG_S:
        found = message("person_token_long", seconds=seconds)
        yield SAY.warning(finding_name(Document.ACCESS, "exp"), found, message("shorten_token"))
    if seconds < SHORT_S:
        found = message("person_token_short", seconds=seconds)
        yield SAY.failing(finding_name(Document.ACCESS, "exp"), found, message("lengthen_token"))
    if begins > now + LEEWAY_S:
        found = message("person_clock_ahead", seconds=int(begins - now))
        yield SAY.failing(finding_name(Document.IDENTITY, "iat"), found, message("set_clocks"))


# --- content that does not belong there --------------------------------------------------------


def _too_much(read: TokenDocuments, expected: ExpectedTokens) -> Iterator[Finding]:
    for document, token in ((Document.ACCESS, read.access), (Document.IDENTITY, read.identity)):
        if there := [name for name in expected.private if name in token.claims]:
            found = message("person_private_there", names=", ".join(there))
            yield SAY.failing(finding_name(document, there[0]), found, message("take_from_token"))
    roles = read.access.claims.get("resource_access")
    ours = roles.get(ADMINISTRATION) if isinstance(roles, Mapping) else None
    given = ours.get("roles") if isinstance(ours, Mapping) else None
    if isinstance(given, list) and given:
        names = ", ".join(map(str, given))[:LONGEST]
        name = finding_name(Document.ACCESS, "resource_access")
        found = message("person_administers", roles=names)
        yield SAY.failing(name, found, message("take_default_roles"))
