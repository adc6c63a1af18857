"""Messages about webhooks: addresses that cannot be told, and deliveries that failed."""

from workspace_manager.contract.message import Catalogue

WEBHOOKS = {
    "address": "Write an address like https://tools.example.org/hook, without a password in it.",
    "https_only": (
        "Use https. http is taken for this machine alone, and only where "
        "WORKSPACE_WEBHOOKS_TO_PRIVATE_ADDRESSES is 1."
    ),
    "not_public": (
        "This address is on this machine or in a private network. An operator can allow that with "
        "WORKSPACE_WEBHOOKS_TO_PRIVATE_ADDRESSES=1."
    ),
    "label": "Give it a name of 1 to 100 characters.",
    "events": "Name up to {most} events, such as registration.approved, registration.* or *.",
    "no_event": "There is no event {event}. There are: {known}.",
    "too_many": "There are {most} webhooks already. Delete one that is not needed.",
    "disabled": "This webhook is switched off. Switch it on, then send again.",
    "waits_already": "This delivery waits to be sent already.",
    "telling": "telling a webhook",
    "answered": "it answered {status}",
    "too_many_wait": "Too many deliveries wait for this webhook. See why none is taken.",
}
LETTERS = {
    "no_kind": "Nothing of this kind ever waits for you. GET /api/v1/me/notices names what may.",
    "how": "Choose at_once, daily or never.",
}
message = Catalogue("notices", __file__, {**WEBHOOKS, **LETTERS})
