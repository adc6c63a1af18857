"""Accounts that several things share: each goes with the last thing that needs it."""

from tests.life.person import Workspace
from tests.people_in_motion.scenarios.actions import database, deleted, inside, repository
from tests.people_in_motion.subject import Subject


def deletes_one_of_two_repositories(workspace: Workspace) -> Subject:
    subject = inside(workspace)
    repository(subject)
    repository(subject)
    deleted(subject, "triplestore_repository")
    return subject


def deletes_everything_made(workspace: Workspace) -> Subject:
    """The triplestore user goes with the last repository, the SQL user with the person only."""
    subject = inside(workspace)
    database(subject)
    repository(subject)
    deleted(subject, "triplestore_repository")
    deleted(subject, "sql_database")
    return subject
