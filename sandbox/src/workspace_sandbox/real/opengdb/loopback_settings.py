"""Run by OpenGDB's own Python and never imported here: its own settings, on loopback, before our
RDF4J.
"""

import os

from authproxy import settings as own  # type: ignore[import-not-found]

# Its code takes this one from its own settings, past those that Django was given.
own.RDF4J_URL = f"{os.environ['SANDBOX_RDF4J_URL']}/"
globals().update({name: value for name, value in vars(own).items() if name.isupper()})

DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
SECRET_KEY = os.environ["SANDBOX_SECRET_KEY"]
DATABASES = {
    "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["SANDBOX_DATABASE"]}
}
# Every call with Basic costs one hash, and the standard hasher takes half a second for it: half an
# hour of a full run. What it protects lives as long as a test does.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
