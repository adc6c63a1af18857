"""What people call the triplestore and its things: nouns without article, known before anything is
called.
"""

from workspace_manager.contract.message import Catalogue

label = Catalogue(
    "triplestore_labels",
    __file__,
    {
        "system": "triplestore",
        "user": "triplestore user",
        "repository": "triplestore repository",
        "password": "Triplestore password",
        "not_shut": "An account of the triplestore cannot be locked: it has its password and its "
        "rights, or it is gone.",
    },
)
