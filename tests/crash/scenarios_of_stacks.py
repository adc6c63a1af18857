"""Stacks, killed anywhere: made with everything that belongs to one, and deleted again."""

import dataclasses
from typing import Any

from tests.crash.fake_systems import FakeSystems
from tests.crash.scenario import ACTOR, SUB, Scenario
from tests.fake_world.people import make_person
from tests.fake_world.templates import draft, make_stack_request
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.knowledge_stacks import templates
from workspace_manager.records.models import Account, Component, Person, Plan, Stack
from workspace_manager.work import stacks


class StackComesAndGoes(Scenario):
    """A database, and a knowledge stack that people sign in to and that has an account there."""

    name = "a stack comes and goes"
    slow = True
    plans = (stacks.CREATION.name, stacks.DELETION.name)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        make_person("alice", sub=SUB)
        fakes.things[f"identity_provider.user:{SUB}"] = {"enabled": True, "sessions": 1}
        fakes.things[f"identity_provider.attributes:{SUB}"] = {}
        template = templates.add(
            draft("sample", needs=("sign_in", "sql_database")), actor=ACTOR, systems=self._systems()
        )
        templates.offer(template, actor=ACTOR, systems=self._systems())

    def _systems(self) -> ConnectedSystems:
        """With one port: which of many is reserved, is chance."""
        systems = self.fakes.systems()
        settings: Any = systems.settings["container_manager"]
        one = dataclasses.replace(settings, stack_ports="20000-20000")
        return dataclasses.replace(systems, settings={**systems.settings, "container_manager": one})

    def ask(self) -> None:
        made = self.plan(stacks.CREATION.name)
        alice = Person.objects.get(username="alice")
        if made is None:
            stacks.create(
                alice,
                label="Ferns",
                project=None,
                wanted=make_stack_request(),
                systems=self._systems(),
            )
        elif made.state == Plan.State.DONE and not self.plan(stacks.DELETION.name):
            stacks.delete(Stack.objects.get(), actor="alice", systems=self._systems())

    def done(self) -> bool:
        kinds = ("container_manager.", "identity_provider.group", "identity_provider.client")
        outside = [
            key for key in self.fakes.things if key.startswith((*kinds, "sql_server.user:wm_"))
        ]
        rows = (
            Stack.objects.all(),
            Component.objects.exclude(stack=None),
            Account.objects.filter(machine=True),
        )
        return super().done() and not outside and not any(one.exists() for one in rows)
