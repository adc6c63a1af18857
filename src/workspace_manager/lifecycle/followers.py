"""What each kind of plan does when its state is written, by kind: the one list the worker hands to the engine."""

from collections.abc import Mapping
from typing import Final

from workspace_manager.lifecycle.deprovision import build, close
from workspace_manager.lifecycle.planning.turn import Follower
from workspace_manager.lifecycle.resources import components, projects

FOLLOWERS: Final[Mapping[str, Follower]] = {
    build.KIND: close.follow,
    components.CREATE: components.follow,
    components.DELETE: components.follow_deletion,
    projects.LINK: projects.follow_link,
}
