"""The labels and explanations of the systems' settings, listed so that they are collected for translation.

The systems know no web framework, so they cannot mark them themselves; a test says which one is missing here.
"""

from django.utils.translation import gettext_noop as known

TEXTS: tuple[str, ...] = (
    known("Address"),
    known("Keycloak's address without /realms, for example https://id.example.org"),
    known("Realm"),
    known("The realm people sign in to"),
    known("Administrator's user name"),
    known(
        "A user allowed to manage the realm's users, or service-account-<client id> to use that client's service account"
    ),
    known("Administrator's password"),
    known("The user's password, or the secret of the service account's client"),
    known("Token address"),
    known(
        "Where the administrator's token comes from. Empty: {url}/realms/master/protocol/openid-connect/token. For a service account whose client lives in another realm, that realm's token endpoint"
    ),
    known("Users path"),
    known("Below the address; {realm} stands for the realm"),
    known("Create path"),
    known("Below the users path; POST creates a user. Empty or /"),
    known("Delete path"),
    known("Below the users path; DELETE removes the user. {userId} stands for the user's id"),
    known("Client id"),
    known("The manager's own client in the realm, usually the manager's address"),
    known("Client secret"),
    known("The secret of that client"),
    known("Admit unregistered people"),
    known(
        "Let people sign in who were not approved here but made in the identity provider by somebody else"
    ),
    known("Lock people out first"),
    known(
        "A removal begins by disabling the person and ending all sessions. Off: a token that is still valid may bring the drive account back while the removal runs"
    ),
    known("Base URL"),
    known(
        "Address of the drive as browsers use it, for example https://drive.example.org. Login links of another host are refused."
    ),
    known("Prefix before the person's id"),
    known(
        "Placed before the subject to form the account id; must match how the drive's OpenID Connect app names accounts. Write {empty} for no prefix (unique uid off)."
    ),
    known("Legacy prefix"),
    known(
        "Prefix of accounts made by an older installation, usually the provider identifier and a dash (keycloak-). Empty: none."
    ),
    known("Administrator"),
    known(
        "Account in the drive's group admin. Without it, drive accounts stay until somebody deletes them by hand."
    ),
    known(
        "An app password of the administrator is best: it is checked ten times faster and works with two-factor sign-in."
    ),
    known("Attribute for the login name"),
    known("Name of the identity provider's user attribute that keeps the drive login name."),
    known("Attribute for the app password"),
    known("Name of the identity provider's user attribute that keeps the drive app password."),
    known("Use the OpenID Connect token"),
    known(
        "Make the app password with the person's own token. The drive must check bearer tokens, and the token's audience must name it."
    ),
    known("Application container"),
    known(
        "Name of the drive's application container. When the drive refuses to make an app password for a token, its command-line tool is run there through the container manager. Empty: no fallback."
    ),
    known("Host"),
    known(
        "Name or address of the MariaDB server (10.4 or newer), without mysql:// and without the port."
    ),
    known("Port"),
    known(
        "An account that may create users, read mysql.user, mysql.db and mysql.global_priv, end sessions, and hand on every privilege on databases that begin with ws_. The check says what is missing and how to give it."
    ),
    known("Attribute for the SQL password"),
    known(
        "Name of the identity provider's user attribute from which the SQL web tool takes a person's password."
    ),
    known("SQL web tool"),
    known(
        "Address of phpMyAdmin or Adminer, shown to people who own a database. Empty: there is none."
    ),
    known(
        "Base address of OpenGDB or GraphDB, as the manager and the knowledge stacks reach it, without /repositories."
    ),
    known("Product"),
    known("auto asks the server; set it when a proxy hides /rest/security."),
    known(
        "OpenGDB: a Django superuser; the role ROLE_ADMIN is not enough there. GraphDB: a user with ROLE_ADMIN."
    ),
    known("Public address of the editor, as people open it in the browser."),
    known("API base URL"),
    known("Internal address for our calls; the part before /data/projects. Empty: the host."),
    known("API key"),
    known(
        "Key of a service account with the role ProjectCreator (permission CREATE_EMPTY_PROJECT)."
    ),
    known("Perspective"),
    known("Id of the perspective that links to a project open. Empty: the editor's own choice."),
    known("The hub's public address, where people sign in."),
    known("API address"),
    known(
        "JupyterHub's API as this machine reaches it, like http://hub:8081/hub/api. Without it the public address with /hub/api is used, if there is an API token."
    ),
    known("API token"),
    known(
        "Token of a JupyterHub service with the scopes read:users:name, read:servers and delete:servers. With it the hub is asked to stop a server too; without it the container alone is stopped."
    ),
    known("Container name prefix"),
    known("What stands before the escaped user name: DockerSpawner's prefix and a dash."),
    known("Container name escape"),
    known(
        "How user names become container names: dockerspawner (its default since version 12), legacy (c.DockerSpawner.escape = 'legacy'), or none. A wrong rule leaves notebooks of removed people running."
    ),
    known(
        "Portainer's address without /api, like https://portainer.example.org. docker://host:port and unix:///path.sock speak to a Docker or podman engine directly; then neither key nor environment is used."
    ),
    known(
        "Access token of a Portainer administrator (My account, Access tokens). A regular user's token sees its own containers only, so that nothing could be proven with it."
    ),
    known("Environment number"),
    known(
        "The number in Portainer's address bar after choosing the environment: …/#!/1/docker/dashboard is number 1."
    ),
)
