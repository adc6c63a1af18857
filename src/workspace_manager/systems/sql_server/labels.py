"""What people call the SQL server and its things: nouns without article, known before anything is
called.
"""

from workspace_manager.contract.message import Catalogue

label = Catalogue(
    "sql_server_labels",
    __file__,
    {
        "system": "SQL server",
        "user": "SQL user",
        "database": "SQL database",
        "grant": "right in an SQL database",
        "password": "SQL password",
        "session": "Open SQL sessions",
    },
)
