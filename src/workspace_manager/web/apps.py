"""Tell Django about templates, static files and translations."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in

from workspace_manager.web.sign_in import fresh, lifetime


class WebConfig(AppConfig):
    name = "workspace_manager.web"
    label = "web"

    def ready(self) -> None:
        user_logged_in.connect(fresh.note)
        user_logged_in.connect(lifetime.ends_from_now)
