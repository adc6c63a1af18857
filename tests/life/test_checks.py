"""The demo is set up as its own checks want it: a finding there is something somebody broke."""

import pytest

from tests.life.person import Workspace

OF_OPENGDB = {"triplestore: load_from_files", "triplestore: open_repositories"}
"""What OpenGDB is like however well it is set up; its stand-in is no better."""


@pytest.mark.thorough
def test_the_checks_of_a_well_set_up_demo_find_nothing(stand_ins: Workspace) -> None:
    names = [one["name"] for one in stand_ins.api.get("/systems").json()["items"]]
    assert {"identity_provider", "drive"} <= set(names)
    wrong = {
        f"{name}: {one['name']}"
        for name in names
        for one in stand_ins.api.post(f"/systems/{name}/check").json()["findings"]
        if one["severity"] != "ok"
    }
    assert wrong == OF_OPENGDB
