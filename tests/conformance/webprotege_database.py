"""The content of a real WebProtégé, read from its database, as its interface shows no members."""

import contextlib
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from pymongo import MongoClient
from pymongo.database import Database as OfMongo

from workspace_sandbox.real.one_process import HOST
from workspace_sandbox.real.webprotege import Address

Database: TypeAlias = OfMongo[dict[str, Any]]


@contextlib.contextmanager
def open_database(address: Address) -> Iterator[Database]:
    with MongoClient[dict[str, Any]](HOST, address.database_port) as client:
        yield client["webprotege"]


def projects(database: Database) -> dict[str, dict[str, Any]]:
    """Every project by its id, those in the trash too, with its members and their roles as the
    stand-in names them. Whoever was removed has a row without a role there; what everybody may has
    one without a name.
    """
    found = {
        str(row["_id"]): {
            "owner": row["owner"],
            "displayName": row["displayName"],
            "description": row["description"],
            "inTrash": row["inTrash"],
            "roles": {},
        }
        for row in database["ProjectDetails"].find()
    }
    for row in database["RoleAssignments"].find({"userName": {"$exists": True}}):
        project = found.get(str(row.get("projectId")))
        if project and row.get("assignedRoles"):
            project["roles"][row["userName"]] = [_role(one) for one in row["assignedRoles"]]
    return found


def _role(name: str) -> str:
    """`CanEdit` is CAN_EDIT to the stand-in."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()
