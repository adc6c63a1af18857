"""Check of the hub's client: the redirect of its sign-in names it."""

from urllib.parse import parse_qs, urlsplit

from workspace_manager.contract.connector import CallPolicy, Finding
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings
from workspace_manager.systems.notebook_hub.client.calls import SYSTEM
from workspace_manager.systems.notebook_hub.client.sign_in import begin_sign_in
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.settings import Settings

NAME = message("check_sign_in")
SAY = Findings(SYSTEM)


def finding(settings: Settings, *, policy: CallPolicy) -> Finding:
    """Compare it with the client that the manager sets up."""
    try:
        answer = begin_sign_in(settings, policy=policy)
    except ConnectorError as error:
        text = message("sign_in_not_seen", url=settings.url, why=error.message)
        return SAY.warning(NAME, text, message("look_at_sign_in"), hides=(NAME.code,))
    given = parse_qs(urlsplit(answer.headers.get("location", "")).query).get("client_id", [""])[0]
    if not given:
        text = message("sign_in_leads_nowhere", url=settings.url, shape=answer.shape)
        return SAY.warning(NAME, text, message("look_at_sign_in"))
    if given != settings.url:
        text = message("signs_in_by_other_client", client=given, ours=settings.url)
        return SAY.warning(NAME, text, message("set_client_id", client=settings.url))
    return SAY.ok(NAME, message("signs_in_by_our_client", client=given))
