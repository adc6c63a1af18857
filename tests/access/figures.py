"""The number of questions of the access checks, counted where they run and said at the end of the
run.
"""

PROPERTY = "access"
WORDS = (
    ("answers", "answers that are as the table says, and carry the headers of every answer"),
    ("scopes", "answers to API tokens of each scope that are as the table says"),
    (
        "permissions",
        "answers to holders of permissions and members of each role that follow from it",
    ),
    ("methods", "methods that no row names, refused"),
    ("forged", "unsafe routes that refuse a session without its proof"),
)
