"""Messages about systems that cannot be used as they are."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "systems",
    __file__,
    {
        "spec": "spec",
        "unloadable": (
            "{distribution} says that it has a system {name}, which cannot be loaded: {why}"
        ),
        "unloadable_advice": (
            "Install a version of {distribution} that fits this manager, or remove it."
        ),
        "twice": "{distribution} has a system {name} too; that one is not used",
        "twice_advice": "Remove {distribution}, or ask its author for another name.",
        "twice_outside": "Several distributions have a system {name}; none of them is used",
        "twice_outside_advice": "Keep one of them: {distributions}.",
        "reserved": (
            "{distribution} has a system named {name}, a name that the manager needs itself"
        ),
        "reserved_advice": "Ask the author of {distribution} for another name.",
        "malformed": "{distribution} has a system that does not fit the contract: {why}",
    },
)
