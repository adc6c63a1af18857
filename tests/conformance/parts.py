"""Every place where cases run, and the cases of each."""

from tests.conformance import (
    containers,
    drive,
    identity_provider,
    ontology_editor,
    records,
    sql_server,
    triplestore,
)
from tests.conformance.case import Case, Place

PLACES: dict[type[Place], tuple[type[Case], ...]] = {
    identity_provider.StandInPlace: identity_provider.CASES,
    identity_provider.KeycloakPlace: identity_provider.CASES,
    drive.DrivePlace: drive.CASES,
    sql_server.StandInPlace: sql_server.CASES,
    sql_server.MariaDBPlace: sql_server.CASES,
    triplestore.OpenGdbPlace: triplestore.OPENGDB_CASES,
    triplestore.GraphDbPlace: triplestore.GRAPHDB_CASES,
    ontology_editor.OntologyEditorPlace: ontology_editor.CASES,
    containers.PortainerPlace: containers.CONTAINER_CASES,
    containers.EnginePlace: containers.CONTAINER_CASES,
    containers.PodmanPlace: containers.CONTAINER_CASES,
    containers.PortainerPodmanPlace: containers.CONTAINER_CASES,
    containers.HubAndApiPlace: containers.HUB_AND_API_CASES,
    containers.HubPlace: containers.HUB_CASES,
    containers.HubPodmanPlace: containers.HUB_CASES,
    records.RecordsPlace: records.CASES,
}
"""A new connector needs a case here: `test_coverage.py` compares them with what wiring connects."""


def kinds() -> set[str]:
    """The kinds of things that have a case."""
    return {case.kind for cases in PLACES.values() for case in cases}
