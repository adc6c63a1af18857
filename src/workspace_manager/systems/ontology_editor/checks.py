"""What can be seen to be wrong with the ontology editor from here. Looks only, and raises nothing."""

from urllib.parse import urlsplit

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.errors import ConnectorError, Denied
from workspace_manager.contract.findings import Findings
from workspace_manager.systems.ontology_editor.client import UPSTREAM, OntologyEditorClient
from workspace_manager.systems.ontology_editor.refusals import ADVICE_UNPATCHED
from workspace_manager.systems.ontology_editor.settings import Settings
from workspace_manager.systems.ontology_editor.shapes import Listed

SAY = Findings("ontology_editor")
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
OUR_MARK = "[workspace-manager:"


def check(_settings: Settings, client: OntologyEditorClient) -> list[Finding]:
    """Look at everything; stops early when the server does not answer, since nothing else could be seen."""
    try:
        flavour = client.flavour()
    except ConnectorError as error:
        text = f"The ontology editor cannot be used: {error.detail}."
        return [SAY.failing("reachable", text, error.advice)]
    findings = [
        SAY.ok("reachable", "The ontology editor answers."),
        _encrypted(client),
        _build(flavour),
    ]
    try:
        listed = client.projects()
    except Denied as error:
        return [
            *findings,
            SAY.failing("key", f"The API key does not work: {error.detail}.", error.advice),
        ]
    except ConnectorError as error:
        text = f"The projects could not be listed: {error.detail}."
        return [*findings, SAY.failing("key", text, error.advice)]
    findings.append(SAY.ok("key", f"The API key works; {len(listed)} projects are listed."))
    return [*findings, _may_create(listed), _sign_in(client)]


def _encrypted(client: OntologyEditorClient) -> Finding:
    parts = urlsplit(client.url)
    if parts.scheme == "https" or parts.hostname in LOOPBACK:
        return SAY.ok(
            "encrypted", "The API key reaches the editor encrypted or stays on this machine."
        )
    return SAY.warning(
        "encrypted",
        f"The API key travels to {parts.hostname} unencrypted.",
        "Use an https address, or make sure that only the container network can see this connection.",
    )


def _build(flavour: str) -> Finding:
    if flavour == UPSTREAM:
        text = "Projects can be created, but not deleted, and members cannot be changed."
        return SAY.failing("build", text, ADVICE_UNPATCHED)
    return SAY.ok("build", "The editor has the project interface: deleting and sharing work.")


def _may_create(listed: list[Listed]) -> Finding:
    """The permission CREATE_EMPTY_PROJECT shows only in a creation, which cannot be taken back; an earlier one proves it."""
    if any(OUR_MARK in one.description for one in listed):
        return SAY.ok("may_create", "The manager has created projects here before.")
    return SAY.warning(
        "may_create",
        "Whether the key's account may create projects cannot be seen without creating one; none of ours is here yet.",
        "Make sure that the account has the role ProjectCreator (permission CREATE_EMPTY_PROJECT). SystemAdmin does not include it.",
    )


def _sign_in(client: OntologyEditorClient) -> Finding:
    try:
        offered = client.has_sign_in()
    except ConnectorError as error:
        text = f"Whether people can sign in could not be seen: {error.detail}."
        return SAY.warning("sign_in", text, error.advice)
    if offered:
        return SAY.ok("sign_in", "People sign in through the identity provider.")
    return SAY.warning(
        "sign_in",
        "The editor does not offer sign-in through the identity provider, so a grant may reach nobody or somebody else's account.",
        "Use the build with OpenID Connect, and enable it there.",
    )
