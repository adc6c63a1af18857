"""What is said of a system that is needed and cannot be asked at all."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "reachable",
    __file__,
    {
        "finding": "finding the system",
        "not_configured": "the {system} is not configured, but accounts are recorded there",
        "not_configured_advice": "Configure the {system} under Systems, or finish this by hand "
        "and say so here.",
        "unsaid": "what connects the {system} failed to say what this person has there",
        "unsaid_advice": "Run the check of the {system}: it names the fault. Then look there "
        "yourself, remove what is this person’s, and say so here.",
        "not_installed": "the {system} is not installed any more, but accounts are recorded there",
        "not_installed_advice": "Install what connected the {system} again and retry, or remove "
        "the account there by hand and say so here.",
    },
)
