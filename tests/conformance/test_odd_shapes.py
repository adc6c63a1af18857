"""An answer of an unknown shape is one of the five errors, wherever a connector looks: never a
crash, and never a reason to act.

Whatever a system answers to a look is given with one of its members of another kind, or gone. What
a look then says may be wrong, as the answer was; but it says something, or raises what the worker
knows. A few places of each look, drawn anew by each trial's name.
"""

import contextlib
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.conformance.parts import PLACES
from tests.fuzz.answers import CANARY, documents_like
from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import Conflict, ConnectorError
from workspace_manager.contract.http import HttpClient
from workspace_sandbox.conformance.case import needs
from workspace_sandbox.conformance.trial import Trial

__all__ = ["PLACES"]
EACH = 6
"""How many changed answers each look gets; the shapes of clients' own answers are tried one by one
in tests/fuzz.
"""


class Wire:
    """Between a client and its system: keeps what is answered, and changes the nth answer when told
    to.
    """

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.at, self.instead = -1, b""

    def passed(self, answer: Answer) -> Answer:
        document = answer.json_or_none()
        self.kept.append(document)
        if len(self.kept) - 1 == self.at:
            return replace(answer, content=self.instead)
        return answer


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    made, send = Wire(), HttpClient.send

    def listened(self: HttpClient, *args: Any, **more: Any) -> Answer:
        return made.passed(send(self, *args, **more))

    monkeypatch.setattr(HttpClient, "send", listened)
    return made


@needs("http")
@pytest.mark.one_in(6)
def test_a_look_at_an_odd_answer_ends_in_words(trial: Trial, wire: Wire) -> None:
    trial.prepare()
    seen = trial.seen
    change = trial.plan()
    looks: list[tuple[str, Callable[[], object]]] = [
        ("plan", trial.plan),
        ("verify", lambda: trial.verify(change)),
        ("prove rights", lambda: trial.connector().prove_rights(trial.system)),
        ("check", lambda: trial.connector().check(trial.system)),
    ]
    draw = random.Random(f"{trial.case.kind} {trial.wish} {trial.place.part}")
    for name, look in looks:
        for at, where, document in _changes(wire, look, draw):
            wire.kept, wire.at, wire.instead = [], at, json.dumps(document).encode()
            with _only_our_errors(f"{name}, answer {at}, {where}"):
                look()
    wire.at = -1
    assert trial.seen == seen
    assert trial.run()
    assert trial.done


def _changes(
    wire: Wire, look: Callable[[], object], draw: random.Random
) -> list[tuple[int, str, Any]]:
    wire.kept, wire.at = [], -1
    with contextlib.suppress(ConnectorError):
        look()
    found = [
        (at, where, changed)
        for at, document in enumerate(wire.kept)
        if document
        for where, changed in documents_like(document)
    ]
    return draw.sample(found, min(EACH, len(found)))


@contextlib.contextmanager
def _only_our_errors(where: str) -> Iterator[None]:
    try:
        yield
    except Conflict:
        # Whose a thing is that we took for ours is said: a person has to decide about it.
        return
    except ConnectorError as error:
        if CANARY in f"{error} {error.advice}":
            pytest.fail(f"{where}: {error} carries the answer along")
    except Exception as error:  # noqa: BLE001  whatever it is, it is the finding
        pytest.fail(f"{where}: {error!r}")
