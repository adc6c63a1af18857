"""Compose stacks: look, make and remove; never change one in place.

A failed update of Portainer takes the running containers down, and a failed creation those of a
foreign project with that name (docs/systems/container-manager.md#stacks-what-bites). So everything
in our stacks carries a mark, foreign things with the name are looked for before each write, and a
stack that is not as wanted is removed and made again; its volumes stay.
"""

import contextlib
from collections.abc import Callable, Mapping
from typing import ClassVar, Final, TypeVar

from workspace_manager.contract import wait_hooks
from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.deadline import moment, time_limit
from workspace_manager.contract.errors import Invalid, NotFound, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret, SecretResolver
from workspace_manager.systems.container_manager.client import Client, compose, health
from workspace_manager.systems.container_manager.client.connection import SYSTEM
from workspace_manager.systems.container_manager.client.stacks import (
    STACK_CALLS,
    STACK_S,
    NotAnswered,
)
from workspace_manager.systems.container_manager.client.values import digest
from workspace_manager.systems.container_manager.connector import stack_file
from workspace_manager.systems.container_manager.connector.helper_container import remove_helpers
from workspace_manager.systems.container_manager.connector.stack_file import StackFile
from workspace_manager.systems.container_manager.connector.stack_state import (
    NOT_RUNNING,
    RUNNING,
    StackState,
    find_stack,
    refuse_strangers,
)
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import (
    KEEP_VOLUMES,
    STACK_KIND,
    is_stack_name,
)

SETTLES_S: Final = 20.0
"""Seconds to wait for a new stack to become healthy before the worker does other work."""
LOOK_S: Final = 0.5
AGAIN_S: Final = 5.0
"""Seconds until a stack that is not healthy yet is looked at again."""
T = TypeVar("T")
HEALTHY: Final = frozenset({"", "healthy"})


class StackConnector:
    """The connector of stacks, each identified by its name and by the mark on everything in it."""

    kind: ClassVar[str] = STACK_KIND
    calls: ClassVar[CallPolicy] = STACK_CALLS

    def __init__(
        self, engine: ContainerEngine, client: Client, url: str, secrets: SecretResolver
    ) -> None:
        self._engine = engine
        self._client = client
        self._url = url
        self._secrets = secrets
        self.settles_s = SETTLES_S

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the stack. `before`: `running`, and the wanted `file`, `health` and `health_text`
        if they are in force.
        """
        file = None if want is None else _file(target, want)
        found = find_stack(self._client, target)
        before: Facts | None = None
        if found.is_there and file is None:
            before = {"running": bool(found.containers) and found.is_up, "there": [*found.names]}
        elif found.is_there and file is not None and want is not None:
            before = self._state_facts(found, file, want)
        return Change(kind=STACK_KIND, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Make the stack, unless it is as wanted; a different one is removed first. Raises
        Conflict, without any change, if a part of it is not ours.
        """
        file = _file(change.target, change.after or {})
        values = {name: self._secrets(ref) for name, ref in change.secrets.items()}
        of_values = digest(values, change.target["mark"])
        with time_limit(STACK_S):
            found = find_stack(self._client, change.target)
            if found.made_of(file) and found.made_with(of_values) and found.is_up:
                return ALREADY
            refuse_strangers(self._client, change.target, file, found)
            if found.is_there:
                self._take_down(change.target, found)
            self._make(change.target, file.with_marks(change.target["mark"], of_values), values)
            self._settle(change.target, change.after or {})
        return CHANGED

    def remove(self, change: Change) -> Outcome:
        """Stop the stack and remove its containers and networks, and their anonymous volumes unless
        the change keeps them; named volumes stay. Raises Conflict, without any change, if a part of
        it is not ours.
        """
        with time_limit(STACK_S):
            remove_helpers(self._client, change.target)
            found = find_stack(self._client, change.target)
            if not found.is_there:
                return ALREADY
            if change.note != KEEP_VOLUMES:
                # Before Portainer takes the stack down: it leaves these volumes, and no label
                # assigns them.
                self._stop(found)
                for one in found.containers:
                    _remove_if_there(self._client.remove_with_unnamed_volumes, one.id)
                found = find_stack(self._client, change.target)
            self._take_down(change.target, found)
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Look again. Raises Unavailable while the stack exists and is not healthy. The check asks
        the stack itself, not only its port.
        """
        name = change.target["stack"]
        asked = message("looked_at_project", name=name)
        if change.after is None:
            gone = not find_stack(self._client, change.target).is_there
            found_gone = message("nothing_of_stack", name=name)
            return Evidence.now(SYSTEM, asked, found_gone) if gone else None
        file = _file(change.target, change.after)
        found = find_stack(self._client, change.target)
        if not found.made_of(file) or not found.is_up:
            return None
        values = {name: self._secrets(ref) for name, ref in change.secrets.items()}
        if not found.made_with(digest(values, change.target["mark"])):
            return None
        trouble = self._health_trouble(found, change.after)
        if trouble is not None:
            raise _not_yet(trouble, message("looking_at_stack"))
        url, count = _text(change.after, "health"), len(found.containers)
        said = message("stack_runs", name=name, n=count)
        if url:
            said = message("stack_runs_and_answers", name=name, n=count, url=url)
        return Evidence.now(SYSTEM, asked, said)

    # --- state -----------------------------------------------------------------------------------

    def _state_facts(self, found: StackState, file: StackFile, want: Facts) -> Facts:
        as_wished = found.made_of(file)
        running = as_wished and found.is_up and self._container_trouble(found) is None
        url, text = _text(want, "health"), _text(want, "health_text")
        answers = running and (not url or health.health_trouble(url, text) is None)
        return {
            "running": running,
            "file": _text(want, "file") if as_wished else "",
            "health": url if answers else "",
            "health_text": text if answers else "",
        }

    def _health_trouble(self, found: StackState, want: Facts) -> Message | None:
        """Return what is not healthy yet: a container by its own health check, or the page that
        people open.
        """
        ill, url = self._container_trouble(found), _text(want, "health")
        if ill is not None or not url:
            return ill
        why = health.health_trouble(url, _text(want, "health_text"))
        return None if why is None else message("not_answering_yet", url=url, why=why)

    def _container_trouble(self, found: StackState) -> Message | None:
        for one in found.containers:
            status = one.state
            if status in RUNNING:
                status = self._client.health(one.id)
                if status in HEALTHY:
                    continue
            return message("container_not_well", name=one.name, status=status)
        return None

    # --- making and removing ----------------------------------------------------------------------

    def _make(self, target: Target, text: str, values: Mapping[str, Secret]) -> None:
        if self._client.connection.direct:
            compose.start_project(self._url, target["stack"], text, values, most_s=STACK_S)
            return
        try:
            self._client.create_stack(target["stack"], text, values)
        except NotAnswered as late:
            raise Unavailable(
                message("stack_goes_on"),
                kind=STACK_KIND,
                doing=message("making_stack"),
                advice=message("stack_goes_on_advice"),
                retry_after=AGAIN_S,
                goes_on=True,
            ) from late

    def _settle(self, target: Target, want: Facts) -> None:
        """Wait a little for a new stack: most are healthy within seconds, and the plan's next look
        is a minute away.
        """
        end = moment() + self.settles_s
        while (
            self._health_trouble(find_stack(self._client, target), want) is not None
            and moment() < end
        ):
            wait_hooks.pause(LOOK_S)

    def _stop(self, found: StackState) -> None:
        for one in found.containers:
            if one.state not in NOT_RUNNING:
                with contextlib.suppress(NotFound):
                    self._engine.stop(one.id)

    def _take_down(self, target: Target, found: StackState) -> None:
        """Take down what is ours through Portainer if it knows the stack, then the rest one by
        one.
        """
        self._stop(found)
        if found.row is not None:
            _remove_if_there(self._client.delete_stack, found.row.id)
            found = find_stack(self._client, target)
        for one in found.containers:
            _remove_if_there(self._client.remove, one.id)
        for one in found.networks:
            _remove_if_there(self._client.remove_network, one.id)
        left = find_stack(self._client, target)
        if left.is_there:
            trouble = message("stack_left_over", names=", ".join(left.names[:5]))
            raise _not_yet(trouble, message("removing_stack"))


def _remove_if_there(remove: Callable[[T], None], which: T) -> None:
    """Remove it, unless somebody else has already done so."""
    with contextlib.suppress(NotFound):
        remove(which)


def _file(target: Target, want: Facts) -> StackFile:
    if not is_stack_name(target["stack"]):
        raise Invalid(
            message("impossible_stack_name"), kind=STACK_KIND, doing=message("looking_at_stack")
        )
    return stack_file.read(_text(want, "file"), target["mark"])


def _text(want: Facts, name: str) -> str:
    return str(want.get(name) or "")


def _not_yet(trouble: Message, doing: Message) -> Unavailable:
    return Unavailable(
        trouble,
        kind=STACK_KIND,
        doing=doing,
        advice=message("looked_at_again_stack"),
        retry_after=AGAIN_S,
    )
