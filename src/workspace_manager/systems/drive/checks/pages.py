"""What the drive's public pages show: where sign-in and sign-out lead."""

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import Finding
from workspace_manager.contract.message import Message
from workspace_manager.systems.drive.checks.addresses import parts, query
from workspace_manager.systems.drive.checks.finding import FAILING, OCC, OK, WARNING, finding
from workspace_manager.systems.drive.checks.login_form import buttons, told
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.settings import Settings

PASSED_ON = frozenset(
    f"drive.{key}"
    for key in ("sign_out_passed_on", "sign_out_passed_on_somewhere", "sign_out_other_host")
)
"""What is said of a sign-out that leads to the identity provider: the drive has reached it."""
_NO_PROVIDER = "There is no such OpenID Connect provider."


def login(answer: Answer) -> Finding:
    """Judge the sign-in page."""
    name = message("check_sign_in")
    location = answer.headers.get("location", "")
    if answer.status in {302, 303} and "/apps/user_oidc/login/" in location:
        return finding(name, OK, message("sign_in_leads_straight"))
    if answer.status in {302, 303}:
        return finding(
            name,
            WARNING,
            message("sign_in_leads_elsewhere"),
            message("check_what_answers_before"),
        )
    if answer.status == 429:
        return _throttled(name)
    if answer.status != 200:
        return finding(
            name,
            FAILING,
            message("sign_in_answered", shape=answer.shape),
            message("check_base_url"),
        )
    ways = len(buttons(told(answer)))
    if ways > 1:
        return finding(
            name,
            WARNING,
            message("sign_in_buttons", buttons=ways),
            message("leave_one_provider"),
        )
    return finding(
        name,
        WARNING,
        message("sign_in_asks_password"),
        message("switch_backends_off"),
    )


def _throttled(name: Message) -> Finding:
    return finding(
        name,
        WARNING,
        message("our_address_is_blocked"),
        message("reset_counters"),
    )


def single_logout(client: DriveClient, settings: Settings) -> Finding:
    name = message("check_single_logout")
    answer = client.page("/apps/user_oidc/sls")
    location = answer.headers.get("location", "")
    asked = query(location)
    if answer.status == 429:
        return _throttled(name)
    if answer.status == 303 and "post_logout_redirect_uri" in asked:
        back = asked["post_logout_redirect_uri"]
        if parts(back).hostname != parts(settings.base_url).hostname:
            return finding(
                name,
                WARNING,
                message("sign_out_other_host"),
                message("set_post_logout", occ=OCC),
            )
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
