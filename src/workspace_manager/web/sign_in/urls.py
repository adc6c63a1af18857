"""Routes of signing in and out. allauth's other pages (sign-up, passwords, connections) do not
exist here.
"""

from django.urls import path

from workspace_manager.systems.identity_provider.realm.services import BACKCHANNEL_LOGOUT_PATH
from workspace_manager.web.sign_in import emergency, logout_token, views

urlpatterns = [
    path("sign-in", views.sign_in, name="account_login"),
    path("sign-out", views.sign_out, name="account_logout"),
    path("emergency/", emergency.sign_in, name="emergency"),
    path(
        "accounts/oidc/<str:provider_id>/login/callback/",
        views.callback,
        name="openid_connect_callback",
    ),
    path(BACKCHANNEL_LOGOUT_PATH.lstrip("/"), logout_token.receive, name="logout_token"),
    path("accounts/inactive", views.not_here, name="account_inactive"),
    path("accounts/closed", views.not_here, name="socialaccount_signup"),
]
