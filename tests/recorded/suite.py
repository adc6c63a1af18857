"""The two checks of every recorded exchange; each system's test file names its table, its client
and its stage.

Every recording is fed to the client. Those of routes that the stand-in serves are replayed; for the
others it must say that it does not serve them, and they are counted.
"""

from collections.abc import Callable
from typing import ClassVar

import pytest

from tests.recorded.expected_meaning import Meaning, Table
from tests.recorded.left_out import Part, why_no_run, why_not
from tests.recorded.prior_state import Stage, replay, say_it_is_not_served
from tests.recorded.reading import Exchange, Run


class Recorded:
    """Feed every answer to the client, and play every request on the stand-in."""

    pytestmark: ClassVar = [pytest.mark.thorough]
    system: ClassVar[str]
    table: ClassVar[Table]
    make_stage: ClassVar[Callable[[], Stage]]

    @staticmethod
    def classify(exchange: Exchange) -> Meaning:
        """What the system's client makes of the recorded answer."""
        raise NotImplementedError

    def test_the_client_classifies_the_answer(
        self, recording: Exchange | Run, record_property: Callable[[str, object], None]
    ) -> None:
        if isinstance(recording, Run):
            self.feed_run(recording, record_property)
            return
        if _left_out(recording, "feed", self.table, record_property):
            return
        record_property("recorded exchange", (self.system, "fed", ""))
        meant = self.table.meaning(recording)
        understood = self.classify(recording)
        if understood != meant:
            pytest.fail(
                f"{recording}: {recording.method} {recording.target} -> {recording.status}"
                f" {self.table.code(recording)!r} means {meant}; the client makes "
                f"{understood} of it",
                pytrace=False,
            )

    def test_the_stand_in_answers_alike(
        self,
        recording: Exchange | Run,
        stage: Stage,
        record_property: Callable[[str, object], None],
    ) -> None:
        if isinstance(recording, Run):
            self.replay_run(recording, stage, record_property)
            return
        if _left_out(recording, "replay", self.table, record_property):
            return
        self.table.meaning(recording)
        if not stage.server.serves(recording.method, recording.target):
            record_property("recorded exchange", (self.system, "not served", ""))
            say_it_is_not_served(stage, recording)
            return
        record_property("recorded exchange", (self.system, "replayed", ""))
        replay(stage, recording)

    def feed_run(self, run: Run, note: Callable[[str, object], None]) -> None:
        """A run of a command: only systems whose tool the manager uses can make something of it."""
        assert _run_left_out(run, "feed", note), f"{run}: no client reads runs of {run.command}"

    def replay_run(self, run: Run, stage: Stage, note: Callable[[str, object], None]) -> None:
        assert _run_left_out(run, "replay", note), f"{run}: no stand-in runs {run.command}"


def _left_out(
    exchange: Exchange, part: Part, table: Table, note: Callable[[str, object], None]
) -> bool:
    reason = why_not(exchange, part, table)
    if reason:
        note("recorded exchange", (exchange.system, "left out", reason))
    return bool(reason)


def _run_left_out(run: Run, part: Part, note: Callable[[str, object], None]) -> bool:
    reason = why_no_run(run, part)
    if reason:
        note("recorded exchange", (run.system, "left out", reason))
    return bool(reason)
