"""Every page with its role: the one table that decides who may open what."""

from workspace_manager.web.pages import (
    accounts,
    components,
    home,
    projects,
    registration,
    service_keys,
)
from workspace_manager.web.pages.access import Role, page
from workspace_manager.web.pages.manage import people, plans, registrations, strangers, systems

ANYONE, SIGNED_IN, ADMINISTRATOR = Role.ANYONE, Role.SIGNED_IN, Role.ADMINISTRATOR

urlpatterns = [
    page("", home.front, ANYONE, name="home"),
    page("language", home.language, ANYONE, "POST", name="language"),
    page("register", registration.register, ANYONE, "GET", "POST", name="register"),
    page("register/received", registration.received, ANYONE, name="registration_received"),
    page(
        "register/confirm/<str:token>",
        registration.confirm,
        ANYONE,
        "GET",
        "POST",
        name="confirm_email",
    ),
    page("register/strength", registration.strength, ANYONE, "POST", name="password_strength"),
    page("start", home.start, SIGNED_IN, name="start"),
    page("components", components.overview, SIGNED_IN, name="components"),
    page("components/new", components.new, SIGNED_IN, "GET", "POST", name="new_component"),
    page("components/<uuid:component_id>", components.detail, SIGNED_IN, name="component"),
    page(
        "components/<uuid:component_id>/progress",
        components.progress,
        SIGNED_IN,
        name="component_progress",
    ),
    page(
        "components/<uuid:component_id>/delete",
        components.delete,
        SIGNED_IN,
        "POST",
        name="delete_component",
    ),
    page("service-keys", service_keys.overview, SIGNED_IN, name="service_keys"),
    page(
        "service-keys/<uuid:key_id>/reveal",
        service_keys.show_once,
        SIGNED_IN,
        "POST",
        name="reveal_key",
    ),
    page("projects", projects.overview, SIGNED_IN, name="projects"),
    page("projects/new", projects.new, SIGNED_IN, "GET", "POST", name="new_project"),
    page("projects/<uuid:project_id>", projects.detail, SIGNED_IN, name="project"),
    page(
        "user/<uuid:person_id>/connected-accounts",
        accounts.connected,
        SIGNED_IN,
        name="connected_accounts",
    ),
    page("manage/registrations", registrations.overview, ADMINISTRATOR, name="registrations"),
    page(
        "manage/registrations/several",
        registrations.several,
        ADMINISTRATOR,
        "POST",
        name="decide_several",
    ),
    page(
        "manage/registrations/<uuid:registration_id>/approve",
        registrations.approve,
        ADMINISTRATOR,
        "POST",
        name="approve_registration",
    ),
    page(
        "manage/registrations/<uuid:registration_id>/reject",
        registrations.reject,
        ADMINISTRATOR,
        "POST",
        name="reject_registration",
    ),
    page(
        "manage/registrations/<uuid:registration_id>/withdraw",
        registrations.withdraw,
        ADMINISTRATOR,
        "POST",
        name="withdraw_registration",
    ),
    page("manage/strangers", strangers.overview, ADMINISTRATOR, name="strangers"),
    page(
        "manage/strangers/<uuid:stranger_id>/relink",
        strangers.relink,
        ADMINISTRATOR,
        "POST",
        name="relink_stranger",
    ),
    page(
        "manage/strangers/<uuid:stranger_id>/adopt",
        strangers.adopt,
        ADMINISTRATOR,
        "POST",
        name="adopt_stranger",
    ),
    page(
        "manage/strangers/<uuid:stranger_id>/refuse",
        strangers.refuse,
        ADMINISTRATOR,
        "POST",
        name="refuse_stranger",
    ),
    page("manage/people", people.overview, ADMINISTRATOR, name="people"),
    page("manage/people/<str:username>", people.detail, ADMINISTRATOR, name="person"),
    page(
        "manage/people/<str:username>/removal",
        people.removal,
        ADMINISTRATOR,
        "POST",
        name="draft_removal",
    ),
    page(
        "manage/people/<str:username>/suspend",
        people.suspend,
        ADMINISTRATOR,
        "POST",
        name="suspend_person",
    ),
    page(
        "manage/people/<str:username>/resume",
        people.resume,
        ADMINISTRATOR,
        "POST",
        name="resume_person",
    ),
    page(
        "manage/people/<str:username>/role", people.role, ADMINISTRATOR, "POST", name="change_role"
    ),
    page("manage/plans", plans.overview, ADMINISTRATOR, name="plans"),
    page("manage/plans/<uuid:plan_id>", plans.detail, ADMINISTRATOR, name="plan"),
    page(
        "manage/plans/<uuid:plan_id>/progress", plans.progress, ADMINISTRATOR, name="plan_progress"
    ),
    page(
        "manage/plans/<uuid:plan_id>/approve",
        plans.approve,
        ADMINISTRATOR,
        "POST",
        name="approve_plan",
    ),
    page(
        "manage/plans/<uuid:plan_id>/steps/<int:n>/retry",
        plans.retry,
        ADMINISTRATOR,
        "POST",
        name="retry_step",
    ),
    page(
        "manage/plans/<uuid:plan_id>/steps/<int:n>/skip",
        plans.skip,
        ADMINISTRATOR,
        "POST",
        name="skip_step",
    ),
    page(
        "manage/plans/<uuid:plan_id>/steps/<int:n>/by-hand",
        plans.by_hand,
        ADMINISTRATOR,
        "POST",
        name="step_by_hand",
    ),
    page("manage/systems", systems.overview, ADMINISTRATOR, name="systems"),
    page(
        "manage/systems/<str:name>/settings",
        systems.save,
        ADMINISTRATOR,
        "POST",
        name="save_settings",
    ),
    page(
        "manage/systems/<str:name>/check", systems.check, ADMINISTRATOR, "POST", name="check_system"
    ),
    page(
        "manage/systems/<str:name>/pause", systems.pause, ADMINISTRATOR, "POST", name="pause_system"
    ),
    page(
        "manage/systems/<str:name>/resume",
        systems.resume,
        ADMINISTRATOR,
        "POST",
        name="resume_system",
    ),
]
