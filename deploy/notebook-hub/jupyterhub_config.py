"""JupyterHub for a shared workspace: one container per person, and none for an identity that is
refused.

docs/howto/notebook-hub.md says what each part is for. The tests run a real JupyterHub with this
very file.
"""

import os
from pathlib import Path

from jupyterhub.handlers.base import BaseHandler

c = get_config()  # noqa: F821  JupyterHub defines it


def secret(name):
    """A secret, from the file that NAME_FILE names, or else from NAME itself."""
    file = os.environ.get(f"{name}_FILE")
    return Path(file).read_text().strip() if file else os.environ[name]


hub = os.environ["HUB_URL"].rstrip("/")
endpoints = os.environ["OIDC_ISSUER"].rstrip("/") + "/protocol/openid-connect"

# --- Who signs in: the identity provider says, and nobody else -----------------------------------

c.JupyterHub.authenticator_class = "generic-oauth"
c.GenericOAuthenticator.client_id = os.environ.get("OIDC_CLIENT_ID", hub)
c.GenericOAuthenticator.client_secret = secret("OIDC_CLIENT_SECRET")
c.GenericOAuthenticator.oauth_callback_url = f"{hub}/hub/oauth_callback"
c.GenericOAuthenticator.authorize_url = f"{endpoints}/auth"
c.GenericOAuthenticator.token_url = f"{endpoints}/token"
c.GenericOAuthenticator.userdata_url = f"{endpoints}/userinfo"
c.GenericOAuthenticator.scope = ["openid", "profile", "email"]
c.GenericOAuthenticator.username_claim = "preferred_username"
c.GenericOAuthenticator.enable_pkce = True
c.GenericOAuthenticator.allow_all = True
c.GenericOAuthenticator.auto_login = True

# --- A refused identity starts no server ---------------------------------------------------------

asked_afresh = {
    "enable_auth_state": True,
    "refresh_pre_spawn": True,
    "auth_refresh_strict": True,
    "auth_refresh_age": 60,
    "userdata_from_id_token": False,
}
c.GenericOAuthenticator.update(asked_afresh)
c.CryptKeeper.keys = [secret("JUPYTERHUB_CRYPT_KEY")]
# JupyterHub 6.1 forgets this default: whoever has to sign in again would be shown an error 500
# instead of being told.
BaseHandler._token_authenticated = getattr(BaseHandler, "_token_authenticated", False)

# --- What the notebook may know of the drive -----------------------------------------------------


def drive_credentials(spawner, auth_state):
    """Hand over what the identity provider says at this very start, and nothing from an earlier
    one.
    """
    person = (auth_state or {}).get("oauth_user") or {}
    login_name, password = person.get("filesvc_login_name"), person.get("filesvc_app_password")
    known = {"NC_URL": os.environ.get("DRIVE_URL", "")}
    if login_name and password:
        known |= {"NC_LOGIN_NAME": login_name, "NC_TOKEN": password}
    kept = {name: value for name, value in spawner.environment.items() if name[:3] != "NC_"}
    spawner.environment = {**kept, **known}


c.Spawner.auth_state_hook = drive_credentials

# --- One container per person, by a name that others can tell ------------------------------------

c.JupyterHub.hub_ip = os.environ.get("HUB_IP", "127.0.0.1")
c.JupyterHub.spawner_class = "docker"
c.JupyterHub.allow_named_servers = False
c.DockerSpawner.prefix = "jupyter"
c.DockerSpawner.remove = True
c.DockerSpawner.image = os.environ["NOTEBOOK_IMAGE"]
c.DockerSpawner.network_name = os.environ.get("DOCKER_NETWORK_NAME", "bridge")
c.DockerSpawner.use_internal_ip = True
c.DockerSpawner.notebook_dir = os.environ.get("NOTEBOOK_DIR", "/notebooks")
c.DockerSpawner.volumes = {"jupyterhub-user-{username}": c.DockerSpawner.notebook_dir}

# --- What the manager may ask of the hub ---------------------------------------------------------

c.JupyterHub.services = [
    {
        "name": "workspace-manager",
        "api_token": secret("WORKSPACE_MANAGER_TOKEN"),
        "info": {"asked_afresh": asked_afresh},
    },
]
c.JupyterHub.load_roles = [
    {
        "name": "workspace-manager",
        "services": ["workspace-manager"],
        "scopes": [
            "list:users",
            "read:servers",
            "delete:servers",
            "admin:server_state",
            "read:hub",
            "read:services!service=workspace-manager",
        ],
    },
]
