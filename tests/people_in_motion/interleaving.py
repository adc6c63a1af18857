"""Two people at once, one statement at a time: who goes on is chosen by a seed, so that every
interleaving can be had again.

Each actor is a thread that waits for the baton. It is handed over, or kept, before every statement
to the database and at every call to a system, before and after its effect. On SQLite it is kept
inside a transaction: transactions are IMMEDIATE here, so that nothing could come in between. On
PostgreSQL it is handed over there too; who then waits for a row that another has locked loses it,
and gets it back when it is his turn again.
"""

import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection

from workspace_sandbox.patience import PATIENCE_S

WAITS_FOR_A_ROW_S = 0.05
"""A statement that takes longer waits for somebody's lock."""
LOOK_EVERY_S = 0.005
Actor = Callable[[], Any]


class Stuck(AssertionError):
    """An actor waits for something that never comes: a deadlock between the actors."""


class Baton:
    """Runs actors, one at a time. `switches`: how often the baton is handed over, chosen by the
    seed: now rarely, now at every turn.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._eagerness = self._random.choice([0.03, 0.1, 0.3, 0.7])
        self._turn = threading.RLock()
        self._mine: list[threading.Condition] = []
        self._ended = threading.Condition(self._turn)
        self._holder = -1
        self._alive: list[int] = []
        self._waiting_for_rows: set[int] = set()
        self._asked_at: dict[int, float] = {}
        self._numbers: dict[int, int] = {}
        self.points = 0
        self.path: list[int] = []
        """Who came to each point: two seeds with the same path played the same interleaving."""
        self.outcomes: list[Any] = []

    def run(self, actors: Sequence[Actor]) -> list[Any]:
        """Let them all go to their ends; gives what each returned, or the exception it
        ended with.
        """
        self.outcomes = [None] * len(actors)
        self._alive = list(range(len(actors)))
        self._mine = [threading.Condition(self._turn) for _ in actors]
        threads = [
            threading.Thread(target=self._act, args=(number, actor), daemon=True)
            for number, actor in enumerate(actors)
        ]
        for thread in threads:
            thread.start()
        with self._turn:
            self._give_to(self._random.choice(self._alive))
        deadline = time.monotonic() + PATIENCE_S * len(actors)
        with self._turn:
            while self._alive:
                if time.monotonic() > deadline:
                    raise Stuck(f"after {self.points} points an actor does not go on")
                self._ended.wait(LOOK_EVERY_S if self._rows_are_locked() else 1.0)
                self._pass_over_who_waits_for_a_row()
        for thread in threads:
            thread.join(PATIENCE_S)
        return self.outcomes

    def point(self) -> None:
        """Here somebody else may go on. Of no effect for whoever is no actor."""
        me = self._numbers.get(threading.get_ident())
        if me is None:
            return
        with self._turn:
            others = self._able(me)
            if len(self._alive) < 2:
                return
            self.points += 1
            self.path.append(me)
            if self._random.random() < self._eagerness and others:
                self._give_to(self._random.choice(others))
                self._await(me)

    def _act(self, number: int, actor: Actor) -> None:
        self._numbers[threading.get_ident()] = number
        with self._turn:
            self._await(number)
        try:
            with connection.execute_wrapper(self._statement):
                self.outcomes[number] = actor()
        except Exception as error:  # noqa: BLE001  what an actor ends with is looked at by the test
            self.outcomes[number] = error
        finally:
            connection.close()
            with self._turn:
                self._alive.remove(number)
                if self._alive:
                    self._give_to(self._random.choice(self._able(number) or self._alive))
                self._ended.notify()

    def _able(self, me: int) -> list[int]:
        return [one for one in self._alive if one != me and one not in self._waiting_for_rows]

    def _give_to(self, number: int) -> None:
        self._holder = number
        self._mine[number].notify()

    def _await(self, number: int) -> None:
        if not self._mine[number].wait_for(lambda: self._holder == number, PATIENCE_S):
            raise Stuck(f"actor {number} is never given the baton")

    def _rows_are_locked(self) -> bool:
        return connection.vendor != "sqlite"

    def _statement(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if connection.in_atomic_block and not self._rows_are_locked():
            return execute(sql, params, many, context)
        self.point()
        me = self._numbers[threading.get_ident()]
        with self._turn:
            self._asked_at[me] = time.monotonic()
        try:
            return execute(sql, params, many, context)
        finally:
            with self._turn:
                del self._asked_at[me]
                if me in self._waiting_for_rows:
                    self._waiting_for_rows.remove(me)
                    self._await(me)

    def _pass_over_who_waits_for_a_row(self) -> None:
        asked = self._asked_at.get(self._holder)
        if asked is None or time.monotonic() - asked < WAITS_FOR_A_ROW_S:
            return
        others = self._able(self._holder)
        if others and self._rows_are_locked():
            self._waiting_for_rows.add(self._holder)
            self._give_to(self._random.choice(others))
