"""What is said about settings and the set-up of the realm."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "operations",
    __file__,
    {
        "nothing_to_do": "The realm has it already: nothing is to do.",
        "under_way": "A set-up of the realm is under way: plan {id}.",
        "user_profile": "user profile",
        "needed": "is needed: it can be replaced, not forgotten",
    },
)
