"""The tables of members are held against the documents of a realm, at a real provider and at its
stand-in: a member without a row is found.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.systems.identity_provider.provider_under_test import MANAGER, ProviderUnderTest, wants
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.members import IgnoredMember, MemberTable
from workspace_manager.systems.identity_provider.members.clients import client_table
from workspace_manager.systems.identity_provider.members.mappers import MAPPERS
from workspace_manager.systems.identity_provider.members.scopes import SCOPES


def tables(provider: ProviderUnderTest) -> Iterator[tuple[MemberTable, Mapping[str, Any]]]:
    """Each document of clients, scopes and mappers, with its table."""
    wanted = {one.client_id: one for one in wants(provider.settings.realm).clients}
    with provider.admin() as admin:
        clients = [one for one in admin.get("/clients").json() if one["clientId"] in wanted]
        scopes = admin.get("/client-scopes").json()
    assert len(clients) == len(wanted)
    for client in clients:
        yield client_table(wanted[client["clientId"]], MANAGER), client
    for scope in scopes:
        yield SCOPES, scope
    for holder in (*clients, *scopes):
        for mapper in holder.get("protocolMappers") or []:
            yield MAPPERS, mapper


def filled(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document without the maps and lists that hold nothing."""
    return {
        name: filled(value) if isinstance(value, Mapping) else value
        for name, value in document.items()
        if value not in ({}, [])
    }


class MemberLife:
    """`provider`: a realm that was set up."""

    def test_each_member_of_clients_scopes_and_mappers_has_a_row(
        self, provider: ProviderUnderTest
    ) -> None:
        left = {
            (table.document, path)
            for table, document in tables(provider)
            for path in table.undecided(filled(document))
        }
        assert left == set()

    def test_what_is_set_up_is_as_every_table_needs_it(self, provider: ProviderUnderTest) -> None:
        for table, document in tables(provider):
            assert list(table.findings(document, Findings("identity_provider"))) == []
            assert not all(isinstance(row, IgnoredMember) for row in table.rows)
