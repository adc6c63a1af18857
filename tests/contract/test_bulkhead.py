"""A slow system holds up few calls; a fast one holds up none."""

import threading
from collections.abc import Callable

from workspace_manager.contract.bulkhead import Bulkhead
from workspace_sandbox.patience import PATIENCE_S, eventually


def start_threads(count: int, run: Callable[[], None]) -> list[threading.Thread]:
    threads = [threading.Thread(target=run) for _ in range(count)]
    for one in threads:
        one.start()
    return threads


def test_a_slow_one_holds_up_so_many_and_the_others_are_told() -> None:
    few, go = Bulkhead(3, slow_s=0.05), threading.Event()
    got: list[bool] = []

    def run() -> None:
        with few.slot() as mine:
            got.append(mine)
            if mine:
                go.wait(PATIENCE_S)

    threads = start_threads(40, run)
    eventually("each has a turn, or was told", lambda: len(got) == 40)
    assert (got.count(True), got.count(False)) == (3, 37)
    go.set()
    for one in threads:
        one.join(PATIENCE_S)
    with few.slot() as mine:
        assert mine


def test_nobody_is_refused_while_it_is_fast() -> None:
    few, inside = Bulkhead(3, slow_s=PATIENCE_S), [0]
    got: list[bool] = []
    most: list[int] = []
    count = threading.Lock()

    def run() -> None:
        with few.slot() as mine:
            with count:
                inside[0] += 1
                most.append(inside[0])
            got.append(mine)
            with count:
                inside[0] -= 1

    for one in start_threads(40, run):
        one.join(PATIENCE_S)
    assert got == [True] * 40
    assert max(most) <= 3


def test_who_does_not_wait_is_told_at_once() -> None:
    few = Bulkhead(1, slow_s=PATIENCE_S)
    with few.slot() as mine, few.slot(wait=False) as other:
        assert (mine, other) == (True, False)
