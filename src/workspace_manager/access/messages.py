"""Messages to a person who makes an API token."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "access",
    __file__,
    {
        "label_length": "Use 1 to 100 characters.",
        "no_token": "{name} is not active here and cannot get a token.",
        "scope_of_administrators": (
            "Only a token of an administrator, or of a person with permissions, can have this "
            "scope."
        ),
        "token_end": (
            "Write a date (2026-12-31) or a time (2026-12-31T08:00+01:00) in the future, at most "
            "{count} days from now."
        ),
    },
    codes={
        key: f"people.{key}"
        for key in ("label_length", "no_token", "scope_of_administrators", "token_end")
    },
)
