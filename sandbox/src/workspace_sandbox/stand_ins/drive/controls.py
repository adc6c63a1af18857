"""Changes of the drive from outside: its switches, its providers, its clock, a password."""

import copy
from typing import Any

from workspace_sandbox.stand_ins.drive.options import OPTIONS
from workspace_sandbox.stand_ins.drive.world import World

State = dict[str, Any]


def change(world: World, state: State, wanted: State, address: str) -> list[str]:
    """Switch options; gives the names that nobody knows.

    `provider`: settings of the first provider; `providers`: how many there are; `rotate`: the
    account whose password and app passwords are no longer good, `give_back`: good again;
    `advance_seconds`: put the clock forward; `attempts`: `{action: n}` failures of `address`.
    """
    provider = wanted.pop("provider", {})
    world.shift += float(wanted.pop("advance_seconds", 0))
    for action, count in wanted.pop("attempts", {}).items():
        for _ in range(int(count)):
            world.throttle.note(address, action)
    _provide(state, int(wanted.pop("providers", 0)))
    _rotate(state, wanted.pop("rotate", ""))
    _give_back(state, wanted.pop("give_back", ""))
    first = state["providers"][0] if state["providers"] else None
    unknown = [key for key in wanted if key not in OPTIONS]
    for key, value in provider.items():
        if first is not None and key in first["settings"]:
            first["settings"][key] = value
        elif first is not None and key in first:
            first[key] = value
        else:
            unknown.append(f"provider.{key}")
    if not unknown:
        state["options"] |= wanted
    return unknown


def _provide(state: State, wanted: int) -> None:
    """Have so many providers: further ones are like the first; 0 leaves them as they are."""
    providers = state["providers"]
    while wanted and len(providers) < wanted:
        state["next_provider"] += 1
        number = state["next_provider"]
        more = {"id": number, "identifier": f"another-{number}"}
        providers.append(copy.deepcopy(providers[0]) | more)
    if wanted:
        del providers[wanted:]


def _rotate(state: State, uid: str) -> None:
    if uid:
        account, tokens = state["accounts"][uid], state["tokens"]
        mine = [token for token in tokens if token["uid"] == uid]
        state.setdefault("rotated", {})[uid] = {"password": account["password"], "tokens": mine}
        account["password"] = ""
        state["tokens"] = [token for token in tokens if token["uid"] != uid]


def _give_back(state: State, uid: str) -> None:
    if uid:
        kept = state["rotated"].pop(uid)
        state["accounts"][uid]["password"] = kept["password"]
        state["tokens"] += kept["tokens"]
