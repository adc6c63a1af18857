"""The example program waits seconds for a system; its tests wait as long as a machine needs."""

import pytest

from workspace_sandbox.patience import PATIENCE_S
from workspace_sandbox.sample_stack.inside import calls, rows


@pytest.fixture(autouse=True)
def it_waits_as_long_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (calls, rows):
        monkeypatch.setattr(module, "TIMEOUT_S", float(PATIENCE_S))
