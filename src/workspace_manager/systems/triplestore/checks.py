"""Checks of the triplestore. They change nothing and raise nothing."""

from collections import Counter

from workspace_manager.contract.connector import ALL, Finding
from workspace_manager.contract.errors import ConnectorError, Denied, Unavailable
from workspace_manager.contract.findings import Findings
from workspace_manager.systems.triplestore.client.calls import TriplestoreClient
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.refusals import OPENGDB
from workspace_manager.systems.triplestore.settings import Settings
from workspace_manager.systems.triplestore.shapes import Repository

SAY = Findings("triplestore")
_OF_THE_LIST = (
    message("check_public_repositories").code,
    message("check_listed_once").code,
    message("check_store").code,
)
"""Findings about the list of repositories."""


def check(settings: Settings, client: TriplestoreClient) -> list[Finding]:
    """Run all checks. A server that does not answer is the only finding then."""
    try:
        found = client.detect()
    except ConnectorError as error:
        return [
            SAY.failing(
                message("check_reachable"),
                message("cannot_be_used", why=error.message),
                error.advice_message,
                hides=ALL,
            )
        ]
    findings = [
        SAY.ok(message("check_reachable"), message("answers_as", product=found)),
    ]
    if settings.flavour not in {"auto", found}:
        findings.append(
            SAY.failing(
                message("check_flavour"),
                message("flavour_differs", flavour=settings.flavour, product=found),
                message("set_flavour"),
            )
        )
    findings.append(_rights(client))
    findings += _repositories(client)
    if found == OPENGDB:
        findings += [_open_list(client), _load()]
    return findings


def _rights(client: TriplestoreClient) -> Finding:
    try:
        count = len(client.accounts())
    except Denied as error:
        return SAY.failing(
            message("check_rights"),
            message("may_not_manage_accounts", username=client.username, why=error.message),
            error.advice_message,
        )
    except ConnectorError as error:
        return SAY.failing(
            message("check_rights"),
            message("accounts_not_listed", why=error.message),
            error.advice_message,
        )
    return SAY.ok(
        message("check_rights"),
        message("may_manage_accounts", username=client.username, count=count),
    )


def _repositories(client: TriplestoreClient) -> list[Finding]:
    try:
        listed = client.repositories()
    except ConnectorError as error:
        return [
            SAY.failing(
                message("check_repositories"),
                message("repositories_not_listed", why=error.message),
                error.advice_message,
                hides=_OF_THE_LIST,
            )
        ]
    findings = [_public(listed), _listed_once(listed)]
    try:
        stored = client.stored_ids()
    except ConnectorError as error:
        advice = message("check_rdf4j")
        return [
            *findings,
            SAY.failing(
                message("check_store"),
                message("store_does_not_answer", why=error.message),
                advice,
                hides=(message("check_store").code,),
            ),
        ]
    return [*findings, _both_sides({one.id for one in listed}, stored)]


def _public(listed: list[Repository]) -> Finding:
    writable = sorted(one.id for one in listed if one.public_write)
    readable = sorted(one.id for one in listed if one.public_read and not one.public_write)
    if not writable and not readable:
        return SAY.ok(message("check_public_repositories"), message("none_is_public"))
    changed, read = ", ".join(writable), ", ".join(readable)
    if writable and readable:
        text = message("some_are_writable_and_readable", writable=changed, readable=read)
    elif writable:
        text = message("some_are_writable", writable=changed)
    else:
        text = message("some_are_readable", readable=read)
    return SAY.warning(
        message("check_public_repositories"),
        text,
        message("set_public_false"),
    )


def _listed_once(listed: list[Repository]) -> Finding:
    twice = sorted(name for name, count in Counter(one.id for one in listed).items() if count > 1)
    if not twice:
        return SAY.ok(message("check_listed_once"), message("each_listed_once"))
    return SAY.failing(
        message("check_listed_once"),
        message("listed_twice", ids=", ".join(twice)),
        message("remove_additional_rows"),
    )


def _both_sides(listed: set[str], stored: set[str]) -> Finding:
    halves, orphans = sorted(listed - stored), sorted(stored - listed - {"SYSTEM"})
    if not halves and not orphans:
        return SAY.ok(message("check_store"), message("listed_are_stored"))
    listed_only, stored_only = ", ".join(halves), ", ".join(orphans)
    if halves and orphans:
        text = message("list_and_store_differ", halves=listed_only, orphans=stored_only)
    elif halves:
        text = message("listed_without_data", halves=listed_only)
    else:
        text = message("stored_not_listed", orphans=stored_only)
    return SAY.warning(
        message("check_store"),
        text,
        message("they_part"),
    )


def _open_list(client: TriplestoreClient) -> Finding:
    try:
        client.repositories(anonymous=True)
    except Unavailable as error:
        name = message("check_open_repositories")
        text = message("repositories_not_listed", why=error.message)
        return SAY.warning(name, text, error.advice_message, hides=(name.code,))
    except ConnectorError:
        return SAY.ok(message("check_open_repositories"), message("managed_with_credentials"))
    return SAY.warning(
        message("check_open_repositories"),
        message("managed_by_anybody"),
        message("let_proxy_ask"),
    )


def _load() -> Finding:
    return SAY.warning(
        message("check_load_from_files"),
        message("load_reads_files"),
        message("run_as_other_user"),
    )
