"""Addresses under `/manage`: for administrators; the queue of registrations also for holders of the
permission to decide.
"""

from django.urls import URLPattern

from workspace_manager.web.pages.access import Role, page
from workspace_manager.web.pages.answers import P, View
from workspace_manager.web.pages.manage import (
    administrators,
    audit,
    bulk_decision,
    hold,
    letters,
    overview,
    people,
    people_list,
    people_selection,
    permissions,
    plan_list,
    plans,
    reconcile,
    registrations,
    relink_list,
    sent,
    service_keys,
    strangers,
    systems,
    take_over,
    templates,
    tokens,
    tombstones,
    webhooks,
)


def managing(pattern: str, view: View[P], *methods: str, name: str) -> URLPattern:
    """Make a page for administrators. `pattern`: its address below `/manage`; `methods`: GET alone
    if none is named.
    """
    return page(f"manage/{pattern}", view, Role.ADMINISTRATOR, *methods, name=name)


def deciding(pattern: str, view: View[P], *methods: str, name: str) -> URLPattern:
    """Make a page that is also for people who decide on registrations."""
    return page(f"manage/{pattern}", view, Role.DECIDES_REGISTRATIONS, *methods, name=name)


urlpatterns = [
    page("manage", overview.overview, Role.ADMINISTRATOR, name="overview"),
    deciding("registrations", registrations.overview, name="registrations"),
    deciding(
        "registrations/several", bulk_decision.decide_registrations, "POST", name="decide_several"
    ),
    deciding(
        "registrations/<uuid:registration_id>/approve",
        registrations.approve,
        "POST",
        name="approve_registration",
    ),
    deciding(
        "registrations/<uuid:registration_id>/reject",
        registrations.reject,
        "POST",
        name="reject_registration",
    ),
    managing(
        "registrations/<uuid:registration_id>/withdraw",
        registrations.withdraw,
        "POST",
        name="withdraw_registration",
    ),
    managing(
        "registrations/<uuid:registration_id>/confirmation",
        registrations.send_link,
        "POST",
        name="send_confirmation",
    ),
    managing("strangers", strangers.overview, name="strangers"),
    managing("strangers/list", relink_list.relink_list, "GET", "POST", name="relink_list"),
    managing(
        "strangers/<uuid:stranger_id>/relink", strangers.relink, "POST", name="relink_stranger"
    ),
    managing(
        "strangers/<uuid:stranger_id>/adopt",
        strangers.adopt,
        "POST",
        name="adopt_stranger",
    ),
    managing(
        "strangers/<uuid:stranger_id>/refuse", strangers.refuse, "POST", name="refuse_stranger"
    ),
    managing("tombstones", tombstones.overview, name="tombstones"),
    managing(
        "tombstones/<str:username>/release", tombstones.release, "POST", name="release_tombstone"
    ),
    managing("administrators", administrators.overview, name="administrators"),
    managing("administrators/add", administrators.add, "POST", name="add_administrator"),
    managing(
        "administrators/<str:username>/confirm",
        administrators.confirm,
        "POST",
        name="confirm_administrator",
    ),
    managing(
        "administrators/<str:username>/remove",
        administrators.remove,
        "POST",
        name="remove_administrator",
    ),
    managing("audit", audit.overview, name="audit"),
    managing("audit.csv", audit.table, name="audit_table"),
    managing("letters", letters.overview, name="letters"),
    managing("letters/<str:letter>", letters.detail, name="letter"),
    managing("letters/<str:letter>/html", letters.html, name="letter_html"),
    managing("webhooks", webhooks.overview, "GET", "POST", name="webhooks"),
    managing("webhooks/<uuid:webhook_id>", webhooks.detail, "GET", "POST", name="webhook"),
    managing("webhooks/<uuid:webhook_id>/switch", webhooks.switch, "POST", name="switch_webhook"),
    managing("webhooks/<uuid:webhook_id>/delete", webhooks.delete, "POST", name="delete_webhook"),
    managing("webhooks/<uuid:webhook_id>/rotate", webhooks.rotate, "POST", name="rotate_webhook"),
    managing(
        "webhooks/<uuid:webhook_id>/reveal", webhooks.show_address, "POST", name="reveal_webhook"
    ),
    managing("webhooks/<uuid:webhook_id>/test", webhooks.test, "POST", name="test_webhook"),
    managing(
        "webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/redeliver",
        webhooks.redeliver,
        "POST",
        name="redeliver_webhook",
    ),
    managing("people", people_list.overview, name="people"),
    managing("people.csv", people_list.table, name="people_table"),
    managing("people-chosen", people_selection.change_people, "POST", name="people_chosen"),
    managing("people-chosen/<uuid:order>", people_selection.result, name="people_chosen_result"),
    managing("people/<str:username>", people.detail, name="person"),
    managing("people/<str:username>/removal", people.removal, "POST", name="draft_removal"),
    managing("people/<str:username>/suspension", people.suspension, name="suspension"),
    managing("people/<str:username>/suspend", people.suspend, "POST", name="suspend_person"),
    managing("people/<str:username>/resume", people.resume, "POST", name="resume_person"),
    managing("people/<str:username>/end-date", people.end_date, "POST", name="set_end_date"),
    managing("people/<str:username>/role", people.role, "POST", name="change_role"),
    managing(
        "people/<str:username>/permissions",
        permissions.overview,
        "GET",
        "POST",
        name="permissions_of_person",
    ),
    managing("people/<str:username>/tokens", tokens.overview, name="tokens_of_person"),
    managing(
        "people/<str:username>/tokens/<uuid:token_id>/end",
        tokens.end,
        "POST",
        name="end_token_of_person",
    ),
    managing("people/<str:username>/letters", sent.overview, name="letters_to_person"),
    managing("people/<str:username>/service-keys", service_keys.overview, name="keys_of_person"),
    managing(
        "people/<str:username>/service-keys/<uuid:key_id>/renew",
        service_keys.renew,
        "POST",
        name="renew_key_of_person",
    ),
    managing(
        "people/<str:username>/service-keys/<uuid:key_id>/delete",
        service_keys.delete,
        "POST",
        name="delete_key_of_person",
    ),
    managing("plans", plan_list.overview, name="plans"),
    managing("plans/<uuid:plan_id>", plans.detail, name="plan"),
    managing("plans/<uuid:plan_id>/progress", plans.progress, name="plan_progress"),
    managing("plans/<uuid:plan_id>/approve", plans.approve, "POST", name="approve_plan"),
    managing(
        "plans/<uuid:plan_id>/left-account",
        plans.draft_left_account,
        "POST",
        name="draft_left_account",
    ),
    managing("plans/<uuid:plan_id>/steps/<int:n>/retry", plans.retry, "POST", name="retry_step"),
    managing("plans/<uuid:plan_id>/steps/<int:n>/skip", plans.skip, "POST", name="skip_step"),
    managing(
        "plans/<uuid:plan_id>/steps/<int:n>/by-hand", plans.by_hand, "POST", name="step_by_hand"
    ),
    managing("take-over", take_over.overview, name="take_over"),
    managing("take-over/confirm", take_over.confirm, "POST", name="confirm_take_over"),
    managing("take-over/<uuid:take_over_id>/undo", take_over.undo, "POST", name="undo_take_over"),
    managing("reconcile", reconcile.overview, name="reconcile"),
    managing("reconcile/begin", reconcile.begin, "POST", name="begin_reconcile"),
    managing("reconcile/several", reconcile.decide_differences, "POST", name="reconcile_several"),
    managing("reconcile/items/<int:n>/adopt", reconcile.adopt, "POST", name="adopt_item"),
    managing("reconcile/items/<int:n>/connect", reconcile.connect, "POST", name="connect_item"),
    managing(
        "reconcile/items/<int:n>/disconnect", reconcile.disconnect, "POST", name="disconnect_item"
    ),
    managing("reconcile/items/<int:n>/ignore", reconcile.ignore, "POST", name="ignore_item"),
    managing(
        "reconcile/items/<int:n>/plan/<str:what>", reconcile.draft, "POST", name="draft_repair"
    ),
    managing(
        "reconcile/plans/<uuid:plan_id>/approve", reconcile.approve, "POST", name="approve_repair"
    ),
    managing("hold/confirm", hold.confirm, "POST", name="confirm_hold"),
    managing("systems", systems.overview, name="systems"),
    managing("systems/<str:name>/settings", systems.save, "POST", name="save_settings"),
    managing("systems/<str:name>/test", systems.test, "POST", name="test_settings"),
    managing("systems/check-as-person", systems.check_as_person, "POST", name="check_as_person"),
    managing("systems/<str:name>/check", systems.check, "POST", name="check_system"),
    managing("systems/<str:name>/pause", systems.pause, "POST", name="pause_system"),
    managing("systems/<str:name>/resume", systems.resume, "POST", name="resume_system"),
    managing("templates", templates.overview, name="templates"),
    managing("templates/new", templates.new, "GET", "POST", name="new_template"),
    managing("templates/<slug:name>", templates.detail, "GET", "POST", name="template"),
    managing("templates/<slug:name>/offer", templates.offer, "POST", name="offer_template"),
    managing(
        "templates/<slug:name>/withdraw", templates.withdraw, "POST", name="withdraw_template"
    ),
    managing("templates/<slug:name>/delete", templates.remove, "POST", name="remove_template"),
]
