"""What the manager must know of the drive (specification, section 2.5)."""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Nextcloud with user_oidc. Only the address is needed; without an administrator accounts must be deleted by hand."""

    base_url: str = setting(
        "Base URL",
        kind="url",
        required=True,
        help="Address of the drive as browsers use it, for example https://drive.example.org. Login links of another host are refused.",
    )
    oidc_username_prefix: str = setting(
        "Prefix before the person's id",
        sentinel=True,
        default="",
        help="Placed before the subject to form the account id; must match how the drive's OpenID Connect app names accounts. "
        "Write {empty} for no prefix (unique uid off).",
    )
    legacy_prefix: str = setting(
        "Legacy prefix",
        default="",
        help="Prefix of accounts made by an older installation, usually the provider identifier and a dash (keycloak-). Empty: none.",
    )
    admin_username: str = setting(
        "Administrator",
        default="",
        help="Account in the drive's group admin. Without it, drive accounts stay until somebody deletes them by hand.",
    )
    admin_password: Secret | None = setting(  # noqa: RUF009
        "Administrator's password",
        kind="secret",
        default=None,
        help="An app password of the administrator is best: it is checked ten times faster and works with two-factor sign-in.",
    )
    login_name_attribute: str = setting(
        "Attribute for the login name",
        default="filesvc_login_name",
        named=True,
        help="Name of the identity provider's user attribute that keeps the drive login name.",
    )
    app_password_attribute: str = setting(
        "Attribute for the app password",
        default="filesvc_app_password",
        named=True,
        help="Name of the identity provider's user attribute that keeps the drive app password.",
    )
    use_bearer_token: bool = setting(
        "Use the OpenID Connect token",
        kind="boolean",
        default=True,
        help="Make the app password with the person's own token. The drive must check bearer tokens, and the token's audience must name it.",
    )
    container_name: str = setting(
        "Application container",
        default="",
        help="Name of the drive's application container. When the drive refuses to make an app password for a token, its "
        "command-line tool is run there through the container manager. Empty: no fallback.",
    )
