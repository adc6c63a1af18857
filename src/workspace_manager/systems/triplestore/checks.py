"""What can be seen to be wrong with the triplestore from here. Looks only, and raises nothing."""

from collections import Counter
from urllib.parse import urlsplit

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.errors import ConnectorError, Denied
from workspace_manager.contract.findings import Findings
from workspace_manager.systems.triplestore.client import TriplestoreClient
from workspace_manager.systems.triplestore.refusals import OPENGDB
from workspace_manager.systems.triplestore.settings import Settings
from workspace_manager.systems.triplestore.shapes import Repository

SAY = Findings("triplestore")
LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def check(settings: Settings, client: TriplestoreClient) -> list[Finding]:
    """Look at everything; stops early when the server does not answer, since nothing else could be seen."""
    try:
        found = client.detect()
    except ConnectorError as error:
        return [
            SAY.failing(
                "reachable", f"The triplestore cannot be used: {error.detail}.", error.advice
            )
        ]
    findings = [SAY.ok("reachable", f"The triplestore answers as {found}."), _encrypted(client)]
    if settings.flavour not in {"auto", found}:
        findings.append(
            SAY.failing(
                "flavour",
                f"The settings say {settings.flavour}, but the server answers as {found}.",
                "Set the product to auto, or to what it is.",
            )
        )
    findings.append(_rights(client))
    findings += _repositories(client)
    if found == OPENGDB:
        findings += [_open_list(client), _load()]
    return findings


def _encrypted(client: TriplestoreClient) -> Finding:
    parts = urlsplit(client.url)
    if parts.scheme == "https" or parts.hostname in LOOPBACK:
        return SAY.ok(
            "encrypted", "Passwords reach the triplestore encrypted or stay on this machine."
        )
    return SAY.warning(
        "encrypted",
        f"Passwords travel to {parts.hostname} unencrypted.",
        "Use an https address, or make sure that only the container network can see this connection.",
    )


def _rights(client: TriplestoreClient) -> Finding:
    try:
        count = len(client.accounts())
    except Denied as error:
        return SAY.failing(
            "rights", f"{client.username!r} may not manage accounts: {error.detail}.", error.advice
        )
    except ConnectorError as error:
        return SAY.failing(
            "rights", f"The accounts could not be listed: {error.detail}.", error.advice
        )
    return SAY.ok("rights", f"{client.username!r} may manage accounts; {count} are listed.")


def _repositories(client: TriplestoreClient) -> list[Finding]:
    try:
        listed = client.repositories()
    except ConnectorError as error:
        return [
            SAY.failing(
                "repositories",
                f"The repositories could not be listed: {error.detail}.",
                error.advice,
            )
        ]
    findings = [_public(listed), _listed_once(listed)]
    try:
        stored = client.stored()
    except ConnectorError as error:
        advice = "Check that RDF4J runs and that the triplestore can reach it. Accounts still work, data does not."
        return [
            *findings,
            SAY.failing("store", f"The data layer does not answer: {error.detail}.", advice),
        ]
    return [*findings, _both_sides({one.id for one in listed}, stored)]


def _public(listed: list[Repository]) -> Finding:
    writable = sorted(one.id for one in listed if one.public_write)
    readable = sorted(one.id for one in listed if one.public_read and not one.public_write)
    if not writable and not readable:
        return SAY.ok("public_repositories", "No repository is open to people without an account.")
    parts = [f"may be changed by anybody: {', '.join(writable)}"] * bool(writable)
    parts += [f"may be read by anybody: {', '.join(readable)}"] * bool(readable)
    return SAY.warning(
        "public_repositories",
        f"Some repositories {' and some '.join(parts)}.",
        "Set publicRead and publicWrite to false if that is not intended.",
    )


def _listed_once(listed: list[Repository]) -> Finding:
    twice = sorted(name for name, count in Counter(one.id for one in listed).items() if count > 1)
    if not twice:
        return SAY.ok("listed_once", "Every repository is listed once.")
    return SAY.failing(
        "listed_once",
        f"These ids are listed more than once and cannot be used or deleted: {', '.join(twice)}.",
        "Only the administrator of the triplestore can repair this: remove the additional rows from its database.",
    )


def _both_sides(listed: set[str], stored: set[str]) -> Finding:
    halves, orphans = sorted(listed - stored), sorted(stored - listed - {"SYSTEM"})
    if not halves and not orphans:
        return SAY.ok("store", "Every listed repository is stored, and nothing else is.")
    parts = [f"listed but without data: {', '.join(halves)}"] * bool(halves)
    parts += [f"stored but not listed, reachable for nobody: {', '.join(orphans)}"] * bool(orphans)
    return SAY.warning(
        "store",
        f"The list of repositories and what RDF4J stores differ: {'; '.join(parts)}.",
        "They part when RDF4J is down during a deletion. Do not create such an id: OpenGDB would delete the stored data.",
    )


def _open_list(client: TriplestoreClient) -> Finding:
    try:
        client.repositories(anonymous=True)
    except ConnectorError:
        return SAY.ok("open_repositories", "Repositories cannot be managed without credentials.")
    return SAY.warning(
        "open_repositories",
        "Anybody who reaches the triplestore may create, open, rename and delete repositories: OpenGDB asks for no credentials there.",
        "Let only the container network reach /rest/repositories and PUT and DELETE of /repositories/{id}, or let a proxy in front "
        "ask for credentials.",
    )


def _load() -> Finding:
    return SAY.warning(
        "load_from_files",
        "Anybody who may write to a repository can make RDF4J read files of its own host with SPARQL LOAD.",
        "Run RDF4J as a user that can read nothing but its own data, without secrets in its container.",
    )
