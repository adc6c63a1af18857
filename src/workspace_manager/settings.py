"""Django's settings, made from the environment (`WORKSPACE_…`, or a `.env` file beside the
process). Each value may lie in a file instead, which `WORKSPACE_…_FILE` names: so secrets are
handed over without being in the environment.

Settings of the connected systems are not here: they are stored, edited on `/manage/systems`, and
pinned by `WORKSPACE_<SYSTEM>__<NAME>` (see `wiring.py`).
"""

import logging
import re
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_email_url
from django.core.exceptions import ImproperlyConfigured
from environs import FileAwareEnv, validate

from workspace_manager import database_settings, log_lines, private_files, snapshots_settings
from workspace_manager.contract import passwords, secret_keys
from workspace_manager.contract.loopback import is_loopback

private_files.from_now_on()

env = FileAwareEnv(strip_whitespace=True)
env.read_env(".env", recurse=False)

PACKAGE = Path(__file__).resolve().parent


def _not_usable(name: str, needed: str) -> ImproperlyConfigured:
    # The value is not repeated: an address may hold a password.
    return ImproperlyConfigured(f"{name} cannot be used: {needed}.")


BASE_URL = env.str("WORKSPACE_BASE_URL", "http://127.0.0.1:8000").rstrip("/")
if not re.match(r"https?://[^/]", BASE_URL):
    raise _not_usable("WORKSPACE_BASE_URL", "write an address like https://workspace.example.org")
SECRET_KEYS: list[str] = env.list("WORKSPACE_SECRET_KEYS", [])
if any(secret_keys.is_weak(key) for key in SECRET_KEYS):
    needed = f"a key in it can be guessed; make each with {secret_keys.MAKE_ONE}"
    raise _not_usable("WORKSPACE_SECRET_KEYS", needed)
SECRET_KEY, *SECRET_KEY_FALLBACKS = [secret_keys.signing(key) for key in SECRET_KEYS] or [
    "not-set-so-nothing-can-be-signed-or-stored"
]
DEBUG = False
HTTPS = BASE_URL.startswith("https://")
_host = urlsplit(BASE_URL).hostname or ""
ALLOWED_HOSTS = env.list("WORKSPACE_ALLOWED_HOSTS", [f"[{_host}]" if ":" in _host else _host])
CSRF_TRUSTED_ORIGINS = [BASE_URL]
TRUSTED_PROXIES: list[str] = env.list("WORKSPACE_TRUSTED_PROXIES", [])
try:
    for _proxy in TRUSTED_PROXIES:
        ip_network(_proxy, strict=False)
except ValueError:
    raise _not_usable(
        "WORKSPACE_TRUSTED_PROXIES", "write addresses or networks, as in 10.0.0.2,fd00::/8"
    ) from None

NOT_NEGATIVE = validate.Range(min=0)
POSITIVE = validate.Range(min=0, min_inclusive=False)
# Named by the account's id or by a confirmed address too, it is only that account.
FIRST_ADMINISTRATOR = env.str("WORKSPACE_FIRST_ADMINISTRATOR", "")
FIRST_ADMINISTRATOR_SUB = env.str("WORKSPACE_FIRST_ADMINISTRATOR_SUB", "")
FIRST_ADMINISTRATOR_EMAIL = env.str("WORKSPACE_FIRST_ADMINISTRATOR_EMAIL", "")
REGISTRATION_RATE = env.int("WORKSPACE_REGISTRATION_RATE", 10, validate=NOT_NEGATIVE)
# What changes something is counted per person and per API token and minute; what one person has in
# the making at once is bounded.
PERSON_RATE = env.int("WORKSPACE_PERSON_RATE", 600, validate=NOT_NEGATIVE)
TOKEN_RATE = env.int("WORKSPACE_TOKEN_RATE", 300, validate=NOT_NEGATIVE)
# How long an API token is good where nothing is said, and at most.
TOKEN_DAYS = env.int("WORKSPACE_TOKEN_DAYS", 90, validate=POSITIVE)
TOKEN_MOST_DAYS = env.int("WORKSPACE_TOKEN_MOST_DAYS", 366, validate=POSITIVE)
OPEN_CREATIONS = env.int("WORKSPACE_OPEN_CREATIONS", 20, validate=NOT_NEGATIVE)
REGISTRATION_EXPIRY_DAYS = env.int("WORKSPACE_REGISTRATION_EXPIRY_DAYS", 30, validate=NOT_NEGATIVE)
# Who was rejected, withdrawn or not decided about in time is forgotten then; 0: never.
REGISTRATION_RETENTION_DAYS = env.int(
    "WORKSPACE_REGISTRATION_RETENTION_DAYS", 90, validate=NOT_NEGATIVE
)
TOMBSTONE_DAYS = env.int("WORKSPACE_TOMBSTONE_DAYS", 90, validate=NOT_NEGATIVE)
# How long the draft of a removal can be approved: what it shows is older every hour.
DRAFT_HOURS = env.float("WORKSPACE_DRAFT_HOURS", 24, validate=POSITIVE)
# Plans are the proof that somebody's access ended: none is forgotten unless somebody decides so.
PASSWORD_LENGTH = env.int(
    "WORKSPACE_PASSWORD_LENGTH",
    passwords.LENGTH,
    validate=validate.Range(min=passwords.LEAST, max=passwords.MOST),
)
PLAN_RETENTION_DAYS = env.int("WORKSPACE_PLAN_RETENTION_DAYS", 0, validate=NOT_NEGATIVE)
# What a removed person's last token may have brought back is looked for once it has expired, and
# again so many hours after that.
RECHECK_AGAIN_HOURS: list[float] = env.list(
    "WORKSPACE_RECHECK_AGAIN_HOURS", [], subcast=float, validate=NOT_NEGATIVE
)
# How long an answer of the identity provider about somebody is good, and how long reading goes on
# while it gives none.
IDENTITY_RECHECK_SECONDS = env.float("WORKSPACE_IDENTITY_RECHECK_SECONDS", 300, validate=POSITIVE)
IDENTITY_OUTAGE_SECONDS = env.float("WORKSPACE_IDENTITY_OUTAGE_SECONDS", 900, validate=NOT_NEGATIVE)
# How often everybody who is in is looked for at the identity provider; 0: never.
IDENTITY_LOOK_MINUTES = env.float("WORKSPACE_IDENTITY_LOOK_MINUTES", 15, validate=NOT_NEGATIVE)
# How often each system is looked at without a credential (0: never), with ours, and by its whole
# check; how long an answer takes that is called slow; how many days are kept of what was seen.
HEALTH_LOOK_SECONDS = env.float("WORKSPACE_HEALTH_LOOK_SECONDS", 60, validate=NOT_NEGATIVE)
HEALTH_PROOF_MINUTES = env.float("WORKSPACE_HEALTH_PROOF_MINUTES", 15, validate=POSITIVE)
HEALTH_CHECK_MINUTES = env.float("WORKSPACE_HEALTH_CHECK_MINUTES", 15, validate=POSITIVE)
HEALTH_SLOW_SECONDS = env.float("WORKSPACE_HEALTH_SLOW_SECONDS", 3, validate=POSITIVE)
HEALTH_DAYS = env.int("WORKSPACE_HEALTH_DAYS", 90, validate=POSITIVE)
# How many days it is kept who was written what and when.
LETTERS_DAYS = env.int("WORKSPACE_LETTERS_DAYS", 180, validate=POSITIVE)
# How often everything the systems hold is compared with the records; 0: only when somebody asks.
RECONCILE_HOURS = env.float("WORKSPACE_RECONCILE_HOURS", 24, validate=NOT_NEGATIVE)
# Whether webhooks may lead to this machine (then by http too) and to private networks.
WEBHOOKS_TO_PRIVATE_ADDRESSES = env.bool("WORKSPACE_WEBHOOKS_TO_PRIVATE_ADDRESSES", False)
# How long after a sign-in settings of systems may be changed with it.
FRESH_SIGN_IN_MINUTES = env.int("WORKSPACE_FRESH_SIGN_IN_MINUTES", 10, validate=POSITIVE)
EMERGENCY_SIGN_IN = env.bool("WORKSPACE_EMERGENCY_SIGN_IN", False)
LONGEST_WAIT_SECONDS = env.float("WORKSPACE_LONGEST_WAIT_SECONDS", 900, validate=POSITIVE)
PREVIEW_WAIT_SECONDS = env.float("WORKSPACE_PREVIEW_WAIT_SECONDS", 2, validate=NOT_NEGATIVE)
# How long a worker's claim on a plan holds without being renewed. Longer than a call may take, and
# not so long that work waits for a dead worker.
LEASE_SECONDS = env.float("WORKSPACE_LEASE_SECONDS", 150, validate=POSITIVE)
QUEUE_URL = env.str("WORKSPACE_QUEUE_URL", "sqlite:///workspace-queue.sqlite3")
if urlsplit(QUEUE_URL).scheme not in {
    *("sqlite", "redis", "rediss"),
    *database_settings.POSTGRESQL,
}:
    raise _not_usable("WORKSPACE_QUEUE_URL", "write sqlite:///file, postgresql://… or redis://…")
if QUEUE_URL.startswith("sqlite:///"):
    private_files.close([QUEUE_URL.removeprefix("sqlite:///")])

INSTALLED_APPS = [
    "workspace_manager.records",
    "workspace_manager.web",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "ninja",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
]

MIDDLEWARE = [
    "workspace_manager.web.proxies.BelieveOurProxies",
    "workspace_manager.web.request_ids.RequestIds",
    "workspace_manager.web.headers.SecurityHeaders",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "workspace_manager.web.sign_in.middleware.PersonPreferences",
    "workspace_manager.web.still_signed_in.StillSignedIn",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "workspace_manager.web.errors.RefuseLargeBodies",
]

ROOT_URLCONF = "workspace_manager.urls"
WSGI_APPLICATION = "workspace_manager.web.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PACKAGE / "web" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "workspace_manager.web.pages.answers.in_templates",
            ],
        },
    }
]

# --- database -------------------------------------------------------------------------------------


def _database(name: str, url: str) -> dict[str, Any]:
    try:
        return database_settings.parse_database_url(url)
    except ValueError:
        needed = "write sqlite:///file or postgresql://user:password@host/name"
        raise _not_usable(name, needed) from None


DATABASE_URL = env.str("WORKSPACE_DATABASE_URL", "sqlite:///workspace.sqlite3")
DATABASES = {"default": _database("WORKSPACE_DATABASE_URL", DATABASE_URL)}
if urlsplit(QUEUE_URL).scheme in database_settings.POSTGRESQL and QUEUE_URL != DATABASE_URL:
    DATABASES["queue"] = _database("WORKSPACE_QUEUE_URL", QUEUE_URL)
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    private_files.close([DATABASES["default"]["NAME"]])
# Of a process, with those of the queue; 0: as many as its kind needs.
DATABASE_CONNECTIONS = env.int("WORKSPACE_DATABASE_CONNECTIONS", 0, validate=NOT_NEGATIVE)
if 0 < DATABASE_CONNECTIONS < database_settings.FEWEST:
    needed = f"a process needs at least {database_settings.FEWEST}; 0 leaves it to the manager"
    raise _not_usable("WORKSPACE_DATABASE_CONNECTIONS", needed)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
SNAPSHOTS, SNAPSHOT_BOUNDS = snapshots_settings.read_settings(env, DATABASES)

CACHES = {
    "default": {
        "BACKEND": "workspace_manager.core.signed_cache.SignedCache",
        "LOCATION": "workspace_cache",
        # A refused password is remembered until it changed: none is to be pushed out by others.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

# --- people and sign-in ---------------------------------------------------------------------------

AUTH_USER_MODEL = "records.Person"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "/sign-in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
SESSION_ENGINE = "workspace_manager.access.session_store"
# From the sign-in on, whatever is done.
SESSION_COOKIE_AGE = 12 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "workspace_manager.web.errors.forged"
SOCIALACCOUNT_ONLY = True
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = "username"
ACCOUNT_ADAPTER = "workspace_manager.web.sign_in.adapter.AccountAdapter"
SOCIALACCOUNT_ADAPTER = "workspace_manager.web.sign_in.adapter.SocialAccountAdapter"
SOCIALACCOUNT_LOGIN_ON_GET = True
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True}}

# --- the rest -------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [PACKAGE / "web" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATICFILES_DIRS = [PACKAGE / "web" / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False

_email = dj_email_url.parse(
    re.sub(r"^(\w+)mail:", r"\1:", env.str("WORKSPACE_EMAIL_URL", "console:"))
)
if "EMAIL_BACKEND" not in _email:
    raise _not_usable("WORKSPACE_EMAIL_URL", "write submission://user:password@host, or console:")
# Django's own waits for each word of a mail server, however long there are more.
_SMTP = "django.core.mail.backends.smtp.EmailBackend"
BACKENDS = {_SMTP: "workspace_manager.letters.mail_server.EmailBackend"}
EMAIL_BACKEND = BACKENDS.get(_email["EMAIL_BACKEND"], _email["EMAIL_BACKEND"])
EMAIL_HOST, EMAIL_PORT = _email["EMAIL_HOST"], _email["EMAIL_PORT"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _email["EMAIL_HOST_USER"], _email["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS, EMAIL_USE_SSL = _email["EMAIL_USE_TLS"], _email["EMAIL_USE_SSL"]
if EMAIL_HOST_PASSWORD and not (EMAIL_USE_TLS or EMAIL_USE_SSL or is_loopback(EMAIL_HOST)):
    needed = "its password would be sent in clear; write submission://user:password@host"
    raise _not_usable("WORKSPACE_EMAIL_URL", needed)
EMAIL_FILE_PATH = "/" + _email["EMAIL_FILE_PATH"].lstrip("/")
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("WORKSPACE_EMAIL_FROM", "workspace@localhost")

# Only a proxy of ours can tell us what the client spoke.
SECURE_SSL_REDIRECT = HTTPS and bool(TRUSTED_PROXIES)
# Where no proxy is trusted we cannot know what the client spoke: the redirect is the proxy's then,
# and asking for it would be a loop.
SILENCED_SYSTEM_CHECKS = [] if SECURE_SSL_REDIRECT else ["security.W008"]
SECURE_SSL_HOST = urlsplit(BASE_URL).netloc
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
# As many people as are chosen at most (people/bulk_actions.py), and what is typed besides.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 300

LOG_LEVEL = env.str("WORKSPACE_LOG_LEVEL", "INFO").upper()
if LOG_LEVEL not in logging.getLevelNamesMapping():
    raise _not_usable("WORKSPACE_LOG_LEVEL", "write DEBUG, INFO, WARNING or ERROR")
LOG_FORMAT = env.str("WORKSPACE_LOG_FORMAT", "console", validate=validate.OneOf(log_lines.FORMATS))
LOGGING = log_lines.configuration(LOG_LEVEL, LOG_FORMAT)
