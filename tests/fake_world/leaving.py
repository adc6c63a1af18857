"""Alice, who has one of everything, an administrator, and her removal: what the tests of a removal
begin with.
"""

from tests.fake_world.people import make_person, settle_in
from tests.fake_world.world import World
from workspace_manager.records.models import Person, Plan
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

SUB = "6f2d9a4e-0000-4000-8000-00000000000a"


def alice_with_everything(world: World) -> Person:
    """Alice as she is here, and root-admin, who may remove her."""
    make_person("root-admin", sub="admin-sub", role="administrator")
    alice = make_person("alice", sub=SUB)
    settle_in(alice, SUB, world)
    return alice


def approved_removal(world: World) -> Plan:
    """The removal of alice, approved a moment ago; nobody has worked on it."""
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    return approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
