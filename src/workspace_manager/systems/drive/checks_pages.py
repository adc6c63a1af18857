"""Checks of the drive's public pages: where sign-in and sign-out lead."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import Finding
from workspace_manager.contract.message import Message
from workspace_manager.contract.realm import RealmNeeds
from workspace_manager.systems.drive.checks_addresses import parts, query, same_realm, shorten
from workspace_manager.systems.drive.checks_finding import FAILING, OCC, OK, WARNING, finding
from workspace_manager.systems.drive.checks_login_form import buttons, initial_state
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.settings import Settings

PASSED_ON = frozenset(
    f"drive.{key}"
    for key in (
        *("sign_out_passed_on", "sign_out_passed_on_somewhere", "sign_out_other_host"),
        "sign_out_elsewhere",
    )
)
"""Codes of a sign-out that leads to the identity provider: the drive has reached it."""
WHY_NO_WAY = frozenset({"drive.sign_out_no_such_page", "drive.not_one_provider"})
"""Codes that explain a sign-in page without a provider."""
_NO_PROVIDER = "There is no such OpenID Connect provider."
_NAME = message("check_sign_in")


def login(answer: Answer, said: Collection[str] = ()) -> list[Finding]:
    """Check the sign-in page. `said`: codes of earlier findings, as one cause is reported once."""
    location = answer.headers.get("location", "")
    if answer.status in {302, 303} and "/apps/user_oidc/login/" in location:
        return [finding(_NAME, OK, message("sign_in_leads_straight"))]
    if answer.status in {302, 303}:
        text, remedy = message("sign_in_leads_elsewhere"), message("check_what_answers_before")
        return [finding(_NAME, WARNING, text, remedy)]
    if answer.status == 429:
        return [_throttling_finding(_NAME)]
    if answer.status != 200:
        text = message("sign_in_answered", shape=answer.shape)
        return [finding(_NAME, FAILING, text, message("check_base_url"))]
    return list(_provider_findings(initial_state(answer), said))


def _provider_findings(state: Mapping[str, Any], said: Collection[str]) -> Iterator[Finding]:
    """Yield findings about a page that does not lead straight to the identity provider. A hidden
    form exists only for scripts and asks nobody for a password.
    """
    ways = len(buttons(state))
    if ways > 1:
        text = message("sign_in_buttons", buttons=ways)
        yield finding(_NAME, WARNING, text, message("leave_one_provider"))
    elif state.get("hideLoginForm") is not True:
        text = message("sign_in_asks_password")
        yield finding(_NAME, WARNING, text, message("switch_backends_off"))
    elif ways:
        text = message("sign_in_by_button")
        yield finding(_NAME, WARNING, text, message("switch_backends_off"))
    elif not WHY_NO_WAY & set(said):
        text = message("sign_in_offers_nothing")
        yield finding(_NAME, FAILING, text, message("have_one_provider"))


def _throttling_finding(name: Message) -> Finding:
    return finding(
        name,
        WARNING,
        message("our_address_is_blocked"),
        message("reset_counters"),
    )


def single_logout(
    client: DriveClient, settings: Settings, realm: RealmNeeds | None = None
) -> Finding:
    """Check where a sign-out leads, from a browser without a session."""
    name = message("check_single_logout")
    answer = client.page("/apps/user_oidc/sls")
    location = answer.headers.get("location", "")
    asked = query(location)
    if answer.status == 429:
        return _throttling_finding(name)
    if answer.status == 303 and "post_logout_redirect_uri" in asked:
        back = asked["post_logout_redirect_uri"]
        if parts(back).hostname != parts(settings.base_url).hostname:
            return finding(
                name,
                WARNING,
                message("sign_out_other_host"),
                message("set_post_logout", occ=OCC),
            )
        if realm and realm.issuer and not same_realm(location, realm.issuer):
            text = message("sign_out_elsewhere", there=shorten(location.partition("?")[0]))
            return finding(name, WARNING, text, message("clear_end_session", occ=OCC))
        return finding(
            name,
            OK,
            message("sign_out_passed_on", host=host)
            if (host := parts(location).hostname)
            else message("sign_out_passed_on_somewhere"),
        )
    if answer.status in {302, 303}:
        return finding(
            name,
            WARNING,
            message("sign_out_stays"),
            message("configure_single_logout"),
        )
    return _single_logout_trouble(name, answer)


def _single_logout_trouble(name: Message, answer: Answer) -> Finding:
    if answer.status == 404 and _NO_PROVIDER in answer.text:
        return finding(
            name,
            FAILING,
            message("sign_out_provider_gone"),
            message("configure_provider_again"),
        )
    if answer.status == 404:
        drives_own = "requesttoken" in answer.text or "Nextcloud" in answer.text
        return finding(
            name,
            FAILING,
            message("sign_out_no_such_page" if drives_own else "sign_out_not_reached"),
            message("enable_oidc_app") if drives_own else message("let_apps_pass"),
        )
    if answer.status >= 500:
        return finding(
            name,
            FAILING,
            message("sign_out_answered_status", status=answer.status),
            message("check_discovery"),
        )
    return finding(
        name, FAILING, message("sign_out_answered", shape=answer.shape), message("check_base_url")
    )
