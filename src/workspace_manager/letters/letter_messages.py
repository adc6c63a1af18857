"""What a letter was about, by its kind: of letters whose subject is not kept."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "letter_kind",
    __file__,
    {
        "confirm_email": "the link that confirms the address",
        "approved": "the registration was approved",
        "rejected": "the registration was turned down",
        "expires_soon": "the registration ends soon",
        "expired": "the registration ended",
        "removal_finished": "the removal of somebody is finished",
        "suspension_ends": "a suspension ends soon",
        "access_ends": "the end date of somebody comes",
        "by_administrator": "what an administrator wrote",
        "opened": "somebody else gave access to what is yours",
        "happened": "what somebody else did to what one had",
        "notice": "what waits",
        "notice_over": "what is over",
        "notice_digest": "what waits, once a day",
    },
)
