"""Accounts that several things share: each goes with the last thing that needs it."""

from tests.life.person import Workspace
from tests.people_in_motion.scenarios.actions import database, deleted, inside, repository
from tests.people_in_motion.subject import Moved


def deletes_one_of_two_repositories(workspace: Workspace) -> Moved:
    moved = inside(workspace)
    repository(moved)
    repository(moved)
    deleted(moved, "triplestore_repository")
    return moved


def deletes_everything_made(workspace: Workspace) -> Moved:
    """The triplestore user goes with the last repository, the SQL user with the person only."""
    moved = inside(workspace)
    database(moved)
    repository(moved)
    deleted(moved, "triplestore_repository")
    deleted(moved, "sql_database")
    return moved
