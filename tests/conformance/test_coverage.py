"""No connector without a case: what wiring connects is compared with what is checked here."""

import pytest

from tests.conformance.parts import PLACES, kinds
from tests.real_parts import KNOWN
from workspace_manager.operations.pinned_settings import pin_name
from workspace_manager.systems import registry
from workspace_manager.wiring import connected_systems
from workspace_sandbox.conformance.checks import FAULTS, OTHER_SHAPES
from workspace_sandbox.conformance.plugin import ON_REAL_PARTS, rare

VALUES = {"url": "http://127.0.0.1:9", "number": "1", "boolean": "true"}


@pytest.mark.django_db
def test_every_connector_has_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new system or a new kind of thing fails here until it has a case; a case of what is no more
    does, too.
    """
    for system, of in registry().specs.items():
        for spec in of.settings.specs():
            if spec.required:
                monkeypatch.setenv(pin_name(system, spec.name), VALUES.get(spec.kind, "some"))
    ready = connected_systems().by_name
    assert set(ready) == {*registry().specs, "records", "snapshots"}
    # The store of snapshots is no system with a stand-in: tests/snapshots has its faults.
    store = ready["snapshots"].connectors
    connected = {kind for one in ready.values() for kind in one.connectors} - set(store)
    assert connected == kinds()
    assert set(store) == {"snapshots.content", "snapshots.restored", "snapshots.in_place"}


def test_every_stand_in_is_a_place() -> None:
    """Each kind is checked without a real part, so that the everyday run knows of all of them."""
    everyday = {case.kind for place, cases in PLACES.items() for case in cases if not place.real}
    assert everyday == kinds()
    assert {place.system for place in PLACES} == {*registry().specs, "records"}


def test_every_real_part_is_a_place() -> None:
    """Tools and stores are no systems; a JupyterHub's notebooks are stopped in podman, and by
    itself in tests/real. OpenLDAP is behind Keycloak.
    """
    tools = {"age", "Chromium", "compose", "Jena", "phpMyAdmin", "S3Proxy"}
    assert {place.real for place in PLACES} - {""} == KNOWN.keys() - tools - {
        "JupyterHub",
        "OpenLDAP",
    }


def test_every_check_runs_for_some_trial() -> None:
    """Every case says what of it is taken, and of what it can be half made."""
    for cases in PLACES.values():
        for case in cases:
            assert set(case.taking) <= set(case.wishes)
            assert set(case.halves) <= set(case.wishes)


def test_a_kind_meets_each_of_a_few_faults_on_a_real_part_and_all_of_them_on_its_stand_in() -> None:
    """The checks of the other faults and wishes on real parts are for `make everything`."""
    every = [*dict.fromkeys(fault for fault, _ in FAULTS), "timeout_after_effect", *OTHER_SHAPES]
    for place, cases in PLACES.items():
        for case in cases:
            often = [
                (fault, wish)
                for fault in every
                for wish in case.wishes
                if not rare(place, case, wish, fault)
            ]
            met = [fault for fault, _ in often]
            if place.real:
                assert sorted(met) == sorted(ON_REAL_PARTS)
                assert len({wish for _, wish in often}) == min(len(ON_REAL_PARTS), len(case.wishes))
            else:
                assert len(often) == len(every) * len(case.wishes)
