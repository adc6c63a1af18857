"""What is said of an audit that does not verify."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "audit",
    __file__,
    {
        "changed": "Entry {entry} was changed: it does not say what was noted.",
        "missing": "Entry {entry} is missing: it was noted and sealed.",
        "added": "Entry {entry} was added later: its seal was made without it.",
        "not_sealed_so": "Entry {entry} names a seal that there is not.",
        "not_noted": (
            "Entry {entry} was not noted by the manager so: somebody wrote it into the "
            "database or changed it there before it was sealed."
        ),
        "seal_missing": "Seal {seal} is missing.",
        "seal_not_signed": "Seal {seal} was not signed by the manager so.",
        "seal_differs": (
            "Seal {seal} does not fit the one before it and its entries, {first} to {last}."
        ),
        "key_unknown": (
            "Seal {seal} was signed with a key that is not in WORKSPACE_SECRET_KEYS. Put the "
            "key that was in use then there too, after the others, and verify again."
        ),
        "expected_not_there": (
            "Seal {seal} with the digest that you wrote down is not there: the end of the audit "
            "was cut off, or it is another."
        ),
    },
)
