"""Checks of the ontology editor. They change nothing and raise nothing."""

from workspace_manager.contract.connector import ALL, Finding
from workspace_manager.contract.errors import ConnectorError, Denied
from workspace_manager.contract.findings import Findings
from workspace_manager.systems.ontology_editor.client.calls import UPSTREAM, OntologyEditorClient
from workspace_manager.systems.ontology_editor.messages import message
from workspace_manager.systems.ontology_editor.refusals import ADVICE_UNPATCHED
from workspace_manager.systems.ontology_editor.settings import Settings
from workspace_manager.systems.ontology_editor.shapes import ProjectEntry

SAY = Findings("ontology_editor")
OUR_MARK = "[workspace-manager:"


def check(settings: Settings, client: OntologyEditorClient) -> list[Finding]:
    """Run all checks. A server that does not answer is the only finding then."""
    try:
        flavour = client.flavour()
    except ConnectorError as error:
        text = message("cannot_be_used", why=error.message)
        name = message("check_reachable")
        return [SAY.failing(name, text, error.advice_message, hides=ALL)]
    findings = [
        SAY.ok(message("check_reachable"), message("answers")),
        _build(flavour),
    ]
    try:
        listed = client.projects()
    except Denied as error:
        return [
            *findings,
            SAY.failing(
                message("check_key"),
                message("key_does_not_work", why=error.message),
                error.advice_message,
                hides=ALL,
            ),
        ]
    except ConnectorError as error:
        text = message("projects_not_listed", why=error.message)
        name = message("check_key")
        return [*findings, SAY.failing(name, text, error.advice_message, hides=ALL)]
    findings.append(SAY.ok(message("check_key"), message("key_works", n=len(listed))))
    return [*findings, _may_create(listed), _own_account(settings), _sign_in(client)]


def _build(flavour: str) -> Finding:
    if flavour == UPSTREAM:
        text = message("only_created")
        return SAY.failing(message("check_build"), text, ADVICE_UNPATCHED)
    return SAY.ok(message("check_build"), message("has_project_interface"))


def _may_create(listed: list[ProjectEntry]) -> Finding:
    """Check CREATE_EMPTY_PROJECT. Only a creation, which cannot be undone, shows it; an earlier one
    proves it.
    """
    if any(OUR_MARK in one.description for one in listed):
        return SAY.ok(message("check_may_create"), message("created_before"))
    return SAY.warning(
        message("check_may_create"),
        message("may_create_unseen"),
        message("give_project_creator"),
    )


def _own_account(settings: Settings) -> Finding:
    """Remind the administrator to name the account: the editor does not tell the owner of a key."""
    name = settings.service_account
    if name:
        return SAY.ok(message("check_own_account"), message("own_account_named", account=name))
    return SAY.warning(
        message("check_own_account"), message("own_account_unnamed"), message("name_own_account")
    )


def _sign_in(client: OntologyEditorClient) -> Finding:
    try:
        offered = client.has_sign_in()
    except ConnectorError as error:
        text = message("sign_in_unseen", why=error.message)
        name = message("check_sign_in")
        return SAY.warning(name, text, error.advice_message, hides=(name.code,))
    if offered:
        return SAY.ok(message("check_sign_in"), message("sign_in_through_provider"))
    return SAY.warning(
        message("check_sign_in"),
        message("sign_in_elsewhere"),
        message("use_oidc_build"),
    )
