"""Pictures of what people see when things go wrong: steps that wait and are stuck for each reason,
and a sign-in that was not finished.
"""

from collections.abc import Callable
from typing import Any

from tests.fake_world.world import World
from tests.web.pages import scenes
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.engine import pause as pausing
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS

FAILURES: dict[str, tuple[type[ConnectorError], str, str]] = {
    "drive": (
        Unavailable,
        "it is in maintenance mode",
        "There is nothing to do now. The manager asks again after the maintenance.",
    ),
    "sql_server": (
        Denied,
        "it refused the administrator's name or password",
        "Correct the administrator's password in the settings of the SQL server.",
    ),
    "triplestore": (
        Invalid,
        "it answered with a page (HTTP 200, text/html, 5120 bytes)",
        "Check the address in the settings. A sign-in page or a proxy may be answering instead.",
    ),
    "ontology_editor": (Conflict, "the project is linked to somebody else", ""),
}
"""By system: what it does meanwhile, in which words."""


def scenarios() -> list[Callable[[Any], None]]:
    return [failing_systems]


def failing_systems(studio: Any) -> None:
    """A removal that meets every kind of failure at once, in the engine itself."""
    scenes.set_up_systems()
    ada = scenes.person("ada", "Ada Kraft", administrator=True)
    anna = scenes.person("anna", "Anna Beispiel")
    scenes.set_up_work(anna, scenes.person("bela", "Béla Horváth"))
    plan = scenes.started(scenes.removal(anna, ada), ada)
    world = World(broken={system: _broken(system) for system in FAILURES})
    pausing.pause("notebook_hub", actor="ada", reason="the hub moves to another host today")
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    studio.everywhere("trouble-plan", f"/manage/plans/{plan.id}", "ada")
    studio.everywhere("trouble-systems", "/manage/systems", "ada")
    studio.everywhere("trouble-sign-in", "/accounts/closed")
    for name, height, look in (("trouble", 1500, {}), ("trouble-phone", 1700, {"wide": False})):
        path = f"/manage/plans/{plan.id}"
        studio.everywhere(f"docs-{name}", path, "ada", height=height, looks=[look])


def _broken(system: str) -> Callable[[str], ConnectorError]:
    kind, detail, advice = FAILURES[system]
    return lambda verb: kind(
        quote_words(detail),
        kind=f"{system}.user",
        doing=quote_words(verb),
        advice=quote_words(advice),
    )
