"""What the engine says to people, in English; in German beside it (`messages.de.po`)."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "engine",
    __file__,
    {
        "again.not_by_itself": "It is not tried again by itself: somebody has to decide.",
        "again.when_resumed": "It goes on as soon as the system is called again.",
        "again.when_back": "It goes on as soon as the person is let back in.",
        "waits_for": "Waits for step {steps}.",
    },
)
