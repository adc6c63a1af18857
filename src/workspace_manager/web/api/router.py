"""The REST API under `/api/v1`."""

from ninja import NinjaAPI

api = NinjaAPI(title="Workspace manager", version="1")
