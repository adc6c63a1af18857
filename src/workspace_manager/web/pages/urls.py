"""Every page with its role: the one table that decides who may open what. The part of
administrators stands in `manage.urls`.
"""

from workspace_manager.web.pages import (
    accounts,
    components,
    home,
    my_drive,
    own_settings,
    project_people,
    projects,
    registration,
    service_keys,
    tokens,
)
from workspace_manager.web.pages.access import Role, page
from workspace_manager.web.pages.manage import urls as manage

ANYONE, SIGNED_IN = Role.ANYONE, Role.SIGNED_IN

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
    page("help", home.help_, ANYONE, name="help"),
    page("settings", own_settings.own, SIGNED_IN, "GET", "POST", name="settings"),
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
    page("tokens", tokens.overview, SIGNED_IN, "GET", "POST", name="tokens"),
    page("tokens/<uuid:token_id>/end", tokens.end, SIGNED_IN, "POST", name="end_token"),
    page("projects", projects.overview, SIGNED_IN, name="projects"),
    page("projects/new", projects.new, SIGNED_IN, "GET", "POST", name="new_project"),
    page("projects/<uuid:project_id>", projects.detail, SIGNED_IN, name="project"),
    page("projects/join", project_people.join, SIGNED_IN, "POST", name="join_project"),
    page(
        "projects/<uuid:project_id>/members",
        project_people.add,
        SIGNED_IN,
        "POST",
        name="add_member",
    ),
    page(
        "projects/<uuid:project_id>/members/<str:username>/end",
        project_people.end,
        SIGNED_IN,
        "POST",
        name="end_membership",
    ),
    page(
        "projects/<uuid:project_id>/requests/<uuid:request_id>/approve",
        project_people.approve,
        SIGNED_IN,
        "POST",
        name="approve_request",
    ),
    page(
        "projects/<uuid:project_id>/requests/<uuid:request_id>/reject",
        project_people.reject,
        SIGNED_IN,
        "POST",
        name="reject_request",
    ),
    page(
        "projects/<uuid:project_id>/delete",
        projects.delete,
        SIGNED_IN,
        "POST",
        name="delete_project",
    ),
    page(
        "user/<uuid:person_id>/connected-accounts",
        accounts.connected,
        SIGNED_IN,
        name="connected_accounts",
    ),
    page("drive", my_drive.show, SIGNED_IN, name="drive"),
    page("drive/connect", my_drive.connect, SIGNED_IN, "POST", name="connect_drive"),
    page("drive/browser", my_drive.browser, SIGNED_IN, "POST", name="connect_drive_in_browser"),
    page("drive/poll", my_drive.poll, SIGNED_IN, "POST", name="poll_drive"),
    page("drive/disconnect", my_drive.disconnect, SIGNED_IN, "POST", name="disconnect_drive"),
    *manage.urlpatterns,
]
