"""Have somebody look at what was stored, as soon as its transaction is committed.

Whoever stores a plan, a letter or a visit asks here, and nobody who calls a story has to remember
it. Core knows no queue: `install` says where one is, which is loaded when it is first needed;
until then, nobody is woken. The sweep finds what nobody was woken for.
"""

import uuid
from collections.abc import Iterable
from typing import Final

from django.db import transaction
from django.utils.module_loading import import_string

_queue = ""

TROUBLE: Final = "call"
"""A call met no answer, or trouble."""
REFUSED: Final = "refusal"
SETTINGS: Final = "settings"
PAUSED: Final = "pause"
RESUMED: Final = "resume"


def install(queue: str) -> None:
    """Name the module whose `enqueue_plan`, `enqueue_letters` and `enqueue_drive_visits` wake
    somebody; "" for none.
    """
    global _queue
    _queue = queue


def notify_worker(plan_id: uuid.UUID, *, seconds: float = 0) -> None:
    """Have somebody look at a plan `seconds` after this transaction."""
    _after_commit("enqueue_plan", plan_id, seconds)


def wake_plans(plan_ids: Iterable[uuid.UUID]) -> None:
    """Have somebody look at each of these plans."""
    for plan_id in plan_ids:
        notify_worker(plan_id)


def wake_letters() -> None:
    """Have somebody send the letters that wait."""
    _after_commit("enqueue_letters")


def wake_drive_syncs() -> None:
    """Have somebody make the visits to the drive that follow a sign-in."""
    _after_commit("enqueue_drive_visits")


def wake_reconcile() -> None:
    """Have somebody compare what the systems hold with the records."""
    _after_commit("enqueue_reconcile")


def wake_take_overs() -> None:
    """Have somebody go on with what was confirmed and not taken over yet."""
    _after_commit("enqueue_take_overs")


def wake_webhooks() -> None:
    """Have somebody send what webhooks are to be told."""
    _after_commit("enqueue_webhooks")


def wake_look(system: str, *, why: str) -> None:
    """Have somebody look how a system stands, before its time."""
    _after_commit("enqueue_look", system, why)


def tell_of_trouble(system: str) -> None:
    """Wake the worker for a call in trouble, which is in no transaction and may be where there is
    no database.
    """
    if _queue:
        import_string(f"{_queue}.enqueue_look")(system, TROUBLE)


def _after_commit(ask: str, *what: object) -> None:
    if _queue:
        transaction.on_commit(lambda: import_string(f"{_queue}.{ask}")(*what))
