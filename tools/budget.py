"""The minutes that each part of `make test` may take on two quiet cores.

Whoever adds a part writes here what it costs, and takes it from another one: the total stays. A run
prints both beside each other and says what took longer; it fails for nothing of it, as how fast a
machine is says nothing about a change.
"""

TOTAL = 20.0
BESIDE_OTHER_WORK = 45.0
"""What a run may take while four other processes keep the cores busy."""

SUITES = {
    "static+bare-wheel": 0.5,
    "unit": 5.0,
    "thorough+real": 14.5,
}

REAL_PARTS = {
    "Keycloak": 1.9,
    "OpenLDAP": 0.2,
    "MariaDB": 0.7,
    "PostgreSQL": 1.5,
    "podman": 0.9,
    "JupyterHub": 0.5,
    "RDF4J": 0.3,
    "OpenGDB": 0.9,
    "Nextcloud": 1.3,
    "Portainer": 0.9,
    "WebProtégé": 0.5,
    "phpMyAdmin": 0.1,
    "Chromium": 1.2,
    "compose": 0.1,
    "S3Proxy": 0.3,
    "age": 0.1,
    "Jena": 0.1,
    "several parts": 0.5,
}
"""Of what runs on real parts, by whose the minutes of a check are (tests/real_table.py)."""
