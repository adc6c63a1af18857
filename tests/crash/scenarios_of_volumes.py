"""Snapshots of knowledge stacks and of whole stacks that are killed: see `scenarios`."""

import dataclasses
from typing import Any

from tests.crash.fake_systems import FakeSystems
from tests.crash.scenario import ACTOR, SUB, Scenario
from tests.fake_world.people import make_person
from tests.fake_world.templates import draft, make_stack_request
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.knowledge_stacks import templates
from workspace_manager.records.models import Component, Person, Plan, Snapshot, Stack
from workspace_manager.snapshots import (
    creation,
    deletion,
    in_place_restoration,
    restoration,
)
from workspace_manager.snapshots.stack_restoration import restore_as_new_stack
from workspace_manager.work import components, stacks
from workspace_manager.work.content_address import address_of

VOLUMES = {"files": ["sage", "thyme"]}


class VolumesComeAndGo(Scenario):
    """Programs are stopped while their volumes are kept, and run again whoever was killed."""

    name = "a knowledge stack is kept, brought back and its snapshot deleted"
    needs: tuple[str, ...] = ()
    slow = True
    plans: tuple[str, ...] = (
        *(components.CREATION.name, creation.CREATION.name),
        *(restoration.RESTORATION.name, deletion.DELETION.name),
    )

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        make_person("alice", sub=SUB)
        fakes.things[f"identity_provider.user:{SUB}"] = {"enabled": True, "sessions": 1}
        template = templates.add(
            draft("sample", needs=self.needs), actor=ACTOR, systems=self._systems()
        )
        templates.offer(template, actor=ACTOR, systems=self._systems())

    def _systems(self) -> ConnectedSystems:
        """With two ports: which of many is reserved, is chance."""
        systems = self.fakes.systems()
        settings: Any = systems.settings["container_manager"]
        two = dataclasses.replace(settings, stack_ports="20000-20001")
        return dataclasses.replace(systems, settings={**systems.settings, "container_manager": two})

    def ask(self) -> None:
        """What comes next, once what was asked before is done."""
        if Plan.objects.filter(state__in=Plan.OPEN).exists():
            return
        systems, alice = self._systems(), Person.objects.get(username="alice")
        if not self.plan(components.CREATION.name):
            components.create(
                alice, kind="knowledge_stack", label="Ferns", project=None,
                wanted=make_stack_request(), systems=systems,
            )  # fmt: skip
        elif not self.plan(creation.CREATION.name):
            stack = Component.objects.get(label="Ferns")
            self.fakes.databases[address_of(stack)] = {**VOLUMES}
            creation.create(stack, actor=ACTOR, systems=systems)
        elif not self.plan(restoration.RESTORATION.name):
            restoration.restore_as_new(
                Snapshot.objects.get(), label="Again", project=None, actor=ACTOR, systems=systems
            )
        elif not self.plan(deletion.DELETION.name):
            deletion.delete(Snapshot.objects.get(), actor=ACTOR, systems=systems)

    def done(self) -> bool:
        again = Component.objects.filter(label="Again", state=Component.State.READY).first()
        return (
            super().done()
            and again is not None
            and self.fakes.databases.get(address_of(again)) == VOLUMES
            and not [one for one in self.fakes.databases if one.startswith(("helper", "stopped"))]
            and not self.fakes.kept
            and not Snapshot.objects.exists()
        )


class WholeStackComesAndGoes(VolumesComeAndGo):
    """A knowledge stack with its database: kept as one, brought back as one."""

    name = "a whole stack is kept, brought back and its snapshot deleted"
    plans = (
        *(stacks.CREATION.name, creation.CREATION.name),
        *(restoration.RESTORATION.name, deletion.DELETION.name),
    )
    needs = ("sql_database",)

    def ask(self) -> None:
        if Plan.objects.filter(state__in=Plan.OPEN).exists():
            return
        systems, alice = self._systems(), Person.objects.get(username="alice")
        if not self.plan(stacks.CREATION.name):
            stacks.create(
                alice, label="Ferns", project=None, wanted=make_stack_request(), systems=systems
            )
        elif not self.plan(creation.CREATION.name):
            stack = Stack.objects.get(label="Ferns")
            for part in stack.parts.all():
                self.fakes.databases[address_of(part)] = {**VOLUMES}
            creation.create(stack, actor=ACTOR, systems=systems)
        elif not self.plan(restoration.RESTORATION.name):
            restore_as_new_stack(
                Snapshot.objects.get(), label="Again", project=None, actor=ACTOR, systems=systems
            )
        elif not self.plan(deletion.DELETION.name):
            deletion.delete(Snapshot.objects.get(), actor=ACTOR, systems=systems)

    def done(self) -> bool:
        again = Stack.objects.filter(label="Again", state=Stack.State.READY).first()
        parts = list(again.parts.all()) if again else []
        return (
            Scenario.done(self)
            and len(parts) == 2
            and all(self.fakes.databases.get(address_of(one)) == VOLUMES for one in parts)
            and not [one for one in self.fakes.databases if one.startswith(("helper", "stopped"))]
            and not self.fakes.kept
            and not Snapshot.objects.exists()
        )


class VolumesReplaced(VolumesComeAndGo):
    """A snapshot is made, the content changes, and the snapshot is restored in place."""

    name = "a snapshot of a knowledge stack is restored in place"
    plans = (
        *(components.CREATION.name, creation.CREATION.name),
        in_place_restoration.IN_PLACE_RESTORATION.name,
    )

    def ask(self) -> None:
        if Plan.objects.filter(state__in=Plan.OPEN).exists():
            return
        if not self.plan(components.CREATION.name) or not self.plan(creation.CREATION.name):
            super().ask()
        elif not self.plan(in_place_restoration.IN_PLACE_RESTORATION.name):
            stack = Component.objects.get(label="Ferns")
            self.fakes.databases[address_of(stack)] = {"files": ["basil"]}
            first = Snapshot.objects.earliest("created_at")
            in_place_restoration.restore_in_place(first, actor=ACTOR, systems=self._systems())

    def done(self) -> bool:
        stack = Component.objects.filter(label="Ferns").first()
        return (
            Scenario.done(self)
            and stack is not None
            and self.fakes.databases == {address_of(stack): VOLUMES}
            and Snapshot.objects.filter(state=Snapshot.State.READY).count() == 2
        )


OF_VOLUMES = (VolumesComeAndGo, WholeStackComesAndGoes, VolumesReplaced)
