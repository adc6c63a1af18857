"""What is said of a name that cannot be given."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "names",
    __file__,
    {
        "reserved": "This user name is reserved for one of the workspace's systems. "
        "Please choose another.",
        "own": "The name {name} is one that the {system} uses for itself. "
        "Nobody can have it: choose another name.",
        "here": "The user name {name} belongs to somebody who is here already.",
        "alike": "The name {name} counts as the same as {other}, and {other} is somebody’s. "
        "In some systems the two would be one account.",
        "approved": "Another registration for {name} is approved already. "
        "Withdraw that one first, or turn this one down.",
        "leaving": "{name} is being removed right now. "
        "The name is free again after its tombstone is released.",
        "tombstone": "Somebody called {name} left on {left}; the name is kept until {until} by a "
        "tombstone. Release it first if this is the same person or nobody could mix them up.",
        "rechecked": "What somebody called {name} left behind is looked at right now. "
        "Try again in a minute.",
        "left_behind": "Something of an earlier {name} is still there: {things}. Whoever gets the "
        "name now would have it. Delete it, then try again, or have another name chosen.",
    },
)
