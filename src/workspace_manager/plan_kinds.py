"""What each kind of plan adds to the engine, by kind: the one list the worker hands to it."""

from collections.abc import Mapping
from typing import Final

from workspace_manager.engine.plan_run import Customs
from workspace_manager.removal import build, close
from workspace_manager.work import components, projects, sharing

FOLLOWERS: Final[Mapping[str, Customs]] = {
    build.KIND: Customs(close.follow),
    components.CREATE: Customs(components.follow, sharing.wish_now),
    components.DELETE: Customs(components.follow_deletion, sharing.wish_now),
    projects.LINK: Customs(projects.follow_link),
    projects.DELETE: Customs(),
    sharing.SETTLE: Customs(sharing.follow, sharing.wish_now),
}
