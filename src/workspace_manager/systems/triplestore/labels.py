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
        "public": "reading for everybody",
        "password": "Triplestore password",
        "goes_on": (
            "Triplestore: the person's rights are taken and written down. Repositories stay, and "
            "whoever shares them goes on using them with their own accounts."
        ),
    },
)
