"""Tell Django about templates, static files and translations."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "workspace_manager.web"
    label = "web"
