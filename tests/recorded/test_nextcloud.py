"""Recorded exchanges with Nextcloud and its OpenID Connect app, and runs of its
command-line tool.
"""

from collections.abc import Callable

import pytest

from tests.recorded.client_nextcloud import classify, classify_run
from tests.recorded.expected_meaning_nextcloud import TABLE, meaning_of_run
from tests.recorded.prior_state import Stage
from tests.recorded.prior_state_nextcloud import NextcloudStage
from tests.recorded.reading import Run
from tests.recorded.suite import Recorded


class TestNextcloud(Recorded):
    system = "nextcloud"
    table = TABLE
    classify = staticmethod(classify)
    make_stage = NextcloudStage

    def feed_run(self, run: Run, note: Callable[[str, object], None]) -> None:
        """Only one command is the manager's own; the others are left out."""
        meant = meaning_of_run(run)
        if meant is None:
            super().feed_run(run, note)
            return
        note("recorded exchange", (self.system, "fed", ""))
        understood = classify_run(run)
        if understood != meant:
            pytest.fail(f"{run}: means {meant}; the client makes {understood} of it", pytrace=False)

    def replay_run(self, run: Run, stage: Stage, note: Callable[[str, object], None]) -> None:
        assert isinstance(stage, NextcloudStage)
        served = stage.serves_run(run)
        note("recorded exchange", (self.system, "replayed" if served else "not served", ""))
        if served:
            stage.replay_run(run)
