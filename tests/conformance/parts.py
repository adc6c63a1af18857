"""Every place where cases run, and the cases of each."""

from typing import TypeAlias

from tests.conformance import (
    containers,
    drive,
    identity_provider,
    identity_provider_realm,
    identity_provider_stacks,
    identity_provider_users,
    notebooks,
    ontology_editor,
    records,
    sql_server,
    sql_server_databases,
    sql_server_postgresql,
    stacks,
    triplestore,
    triplestore_public,
)
from workspace_sandbox.conformance.case import Case, Place

IDENTITY = (
    identity_provider_users.User,
    identity_provider_users.Attributes,
    identity_provider_users.Credentials,
    identity_provider_realm.Realm,
    identity_provider_stacks.Group,
    identity_provider_stacks.Client,
)
SQL = (sql_server.User, sql_server_databases.Database, sql_server_databases.Grant)
CASES: TypeAlias = tuple[type[Case], ...]

PLACES: dict[type[Place], CASES] = {
    identity_provider.StandInPlace: IDENTITY,
    identity_provider.KeycloakPlace: IDENTITY,
    drive.StandInPlace: drive.CASES,
    drive.NextcloudPlace: drive.CASES,
    sql_server.StandInPlace: SQL,
    sql_server.MariaDBPlace: SQL,
    sql_server_postgresql.PostgreSQLPlace: sql_server_postgresql.CASES,
    triplestore.OpenGdbPlace: triplestore_public.CASES,
    triplestore.RDF4JPlace: triplestore_public.CASES,
    triplestore.RealOpenGdbPlace: triplestore_public.CASES,
    triplestore.GraphDbPlace: triplestore.GRAPHDB_CASES,
    ontology_editor.OntologyEditorPlace: ontology_editor.CASES,
    ontology_editor.WebProtegePlace: ontology_editor.CASES,
    containers.PortainerPlace: (*containers.CONTAINER_CASES, *stacks.CASES),
    containers.EnginePlace: containers.CONTAINER_CASES,
    containers.PodmanPlace: containers.CONTAINER_CASES,
    containers.PortainerPodmanPlace: containers.CONTAINER_CASES,
    notebooks.HubAndApiPlace: notebooks.HUB_AND_API_CASES,
    notebooks.HubPlace: notebooks.HUB_CASES,
    notebooks.HubPodmanPlace: notebooks.HUB_CASES,
    containers.RealPortainerPlace: containers.CONTAINER_CASES,
    notebooks.HubRealPortainerPlace: notebooks.HUB_CASES,
    stacks.RealStacksPlace: stacks.CASES,
    stacks.ComposePlace: stacks.CASES,
    records.RecordsPlace: records.CASES,
}
"""A new connector needs a case here: `test_coverage.py` compares them with what wiring connects."""


def kinds() -> set[str]:
    """The kinds of things that have a case."""
    return {case.kind for cases in PLACES.values() for case in cases}
