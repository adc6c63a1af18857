"""The labels and explanations of the systems' settings, listed so that they are collected for translation.

The systems know no web framework, so they cannot mark them themselves; a test says which one is missing here.
"""

from django.utils.translation import gettext_noop

TEXTS: tuple[str, ...] = (
    gettext_noop("Address"),
    gettext_noop("Keycloak's address without /realms, for example https://id.example.org"),
    gettext_noop("Realm"),
    gettext_noop("The realm people sign in to"),
    gettext_noop("Administrator's user name"),
    gettext_noop(
        "A user allowed to manage the realm's users, or service-account-<client id> to use that client's service account"
    ),
    gettext_noop("Administrator's password"),
    gettext_noop("The user's password, or the secret of the service account's client"),
    gettext_noop("Token address"),
    gettext_noop(
        "Where the administrator's token comes from. Empty: {url}/realms/master/protocol/openid-connect/token. For a service account whose client lives in another realm, that realm's token endpoint"
    ),
    gettext_noop("Users path"),
    gettext_noop("Below the address; {realm} stands for the realm"),
    gettext_noop("Create path"),
    gettext_noop("Below the users path; POST creates a user. Empty or /"),
    gettext_noop("Delete path"),
    gettext_noop(
        "Below the users path; DELETE removes the user. {userId} stands for the user's id"
    ),
    gettext_noop("Client id"),
    gettext_noop("The manager's own client in the realm, usually the manager's address"),
    gettext_noop("Client secret"),
    gettext_noop("The secret of that client"),
    gettext_noop("Admit unregistered people"),
    gettext_noop(
        "Let people sign in who were not approved here but made in the identity provider by somebody else"
    ),
    gettext_noop("Lock people out first"),
    gettext_noop(
        "A removal begins by disabling the person and ending all sessions. Off: a token that is still valid may bring the drive account back while the removal runs"
    ),
    gettext_noop("Base URL"),
    gettext_noop(
        "Address of the drive as browsers use it, for example https://drive.example.org. Login links of another host are refused."
    ),
    gettext_noop("Prefix before the person's id"),
    gettext_noop(
        "Placed before the subject to form the account id; must match how the drive's OpenID Connect app names accounts. Write {empty} for no prefix (unique uid off)."
    ),
    gettext_noop("Legacy prefix"),
    gettext_noop(
        "Prefix of accounts made by an older installation, usually the provider identifier and a dash (keycloak-). Empty: none."
    ),
    gettext_noop("Administrator"),
    gettext_noop(
        "Account in the drive's group admin. Without it, drive accounts stay until somebody deletes them by hand."
    ),
    gettext_noop(
        "An app password of the administrator is best: it is checked ten times faster and works with two-factor sign-in."
    ),
    gettext_noop("Attribute for the login name"),
    gettext_noop("Name of the identity provider's user attribute that keeps the drive login name."),
    gettext_noop("Attribute for the app password"),
    gettext_noop(
        "Name of the identity provider's user attribute that keeps the drive app password."
    ),
    gettext_noop("Use the OpenID Connect token"),
    gettext_noop(
        "Make the app password with the person's own token. The drive must check bearer tokens, and the token's audience must name it."
    ),
    gettext_noop("Application container"),
    gettext_noop(
        "Name of the drive's application container. When the drive refuses to make an app password for a token, its command-line tool is run there through the container manager. Empty: no fallback."
    ),
    gettext_noop("Product"),
    gettext_noop(
        "Which SQL server it is. Changing it moves nothing: what was made on the other one has to be removed there."
    ),
    gettext_noop("Host"),
    gettext_noop(
        "Name or address of the SQL server (MariaDB 10.4 or newer, or PostgreSQL 15 or newer), without mysql:// and without the port."
    ),
    gettext_noop("Port"),
    gettext_noop("MariaDB usually listens on 3306, PostgreSQL on 5432."),
    gettext_noop(
        "MariaDB: an account that may create users, read mysql.user, mysql.db and mysql.global_priv, end sessions, and hand on every privilege on databases that begin with ws_. PostgreSQL: a role with CREATEROLE and CREATEDB, member of pg_signal_backend. The check says what is missing and how to give it."
    ),
    gettext_noop("Attribute for the SQL password"),
    gettext_noop(
        "Name of the identity provider's user attribute from which the SQL web tool takes a person's password."
    ),
    gettext_noop("SQL web tool"),
    gettext_noop(
        "Address of phpMyAdmin or Adminer, shown to people who own a database. Empty: there is none."
    ),
    gettext_noop(
        "Base address of OpenGDB or GraphDB, as the manager and the knowledge stacks reach it, without /repositories."
    ),
    gettext_noop("auto asks the server; set it when a proxy hides /rest/security."),
    gettext_noop(
        "OpenGDB: a Django superuser; the role ROLE_ADMIN is not enough there. GraphDB: a user with ROLE_ADMIN."
    ),
    gettext_noop("Public address of the editor, as people open it in the browser."),
    gettext_noop("API base URL"),
    gettext_noop(
        "Internal address for our calls; the part before /data/projects. Empty: the host."
    ),
    gettext_noop("API key"),
    gettext_noop(
        "Key of a service account with the role ProjectCreator (permission CREATE_EMPTY_PROJECT)."
    ),
    gettext_noop("Perspective"),
    gettext_noop(
        "Id of the perspective that links to a project open. Empty: the editor's own choice."
    ),
    gettext_noop("The hub's public address, where people sign in."),
    gettext_noop("API address"),
    gettext_noop(
        "JupyterHub's API as this machine reaches it, like http://hub:8081/hub/api. Without it the public address with /hub/api is used, if there is an API token."
    ),
    gettext_noop("API token"),
    gettext_noop(
        "Token of a JupyterHub service with the scopes read:users:name, read:servers and delete:servers. With it the hub is asked to stop a server too; without it the container alone is stopped."
    ),
    gettext_noop("Container name prefix"),
    gettext_noop("What stands before the escaped user name: DockerSpawner's prefix and a dash."),
    gettext_noop("Container name escape"),
    gettext_noop(
        "How user names become container names: dockerspawner (its default since version 12), legacy (c.DockerSpawner.escape = 'legacy'), or none. A wrong rule leaves notebooks of removed people running."
    ),
    gettext_noop("Volume name prefix"),
    gettext_noop(
        "What stands before the escaped user name in the names of notebook volumes. Volumes stay when somebody leaves; a name whose volume is there is not given to anybody else."
    ),
    gettext_noop(
        "Portainer's address without /api, like https://portainer.example.org. docker://host:port and unix:///path.sock speak to a Docker or podman engine directly; then neither key nor environment is used."
    ),
    gettext_noop(
        "Access token of a Portainer administrator (My account, Access tokens). A regular user's token sees its own containers only, so that nothing could be proven with it."
    ),
    gettext_noop("Environment number"),
    gettext_noop(
        "The number in Portainer's address bar after choosing the environment: …/#!/1/docker/dashboard is number 1."
    ),
)
