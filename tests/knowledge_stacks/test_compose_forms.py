"""The forms of the parts of a compose file: every one that is carried out is let through, and
whatever else stands there is refused, never stumbled over.
"""

import contextlib
import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.knowledge_stacks.test_compose import LIMITS, WEB, refusal, service
from workspace_manager.core.refusal import BadInput
from workspace_manager.knowledge_stacks import compose_features as features
from workspace_manager.knowledge_stacks.compose import (
    Limits,
    check_compose,
    render_compose,
    used_variables,
)
from workspace_manager.knowledge_stacks.compose_schema import load_validator

PRIVILEGED_FORMS = {
    **dict.fromkeys(("cap_add", "device_cgroup_rules", "devices", "security_opt"), "[x]"),
    "cgroup": "host",
    "gpus": "all",
    "privileged": "true",
    "sysctls": "{net.core.somaxconn: 1024}",
}


@pytest.mark.parametrize("feature", features.PRIVILEGED)
def test_what_reaches_the_host_needs_the_setting(feature: str) -> None:
    text = service(f"{feature}: {PRIVILEGED_FORMS.get(feature, 'x')}")
    assert feature in refusal(text)
    allowed = Limits(variables=(), privileged=True)
    check_compose(text, web_service="web", limits=allowed)
    assert feature in refusal(service(f"{feature}: [[5]]"), limits=allowed)


FORMS = """
services:
  web:
    image: registry.example.org:5000/a/b-c_d:1.2@sha256:SUM
    cap_drop: [ALL]
    command: [sh, -c, "echo $$HOME"]
    cpus: 0.5
    depends_on: [db]
    entrypoint: /run
    expose: [8080, "9090/udp"]
    extra_hosts: {db.example.org: 10.0.0.1}
    healthcheck: {test: [CMD, "true"], interval: 1m30s, retries: 3, timeout: 2s}
    hostname: web-1
    init: true
    mem_limit: 512m
    mem_reservation: 1024
    networks: {inside: {aliases: [front]}}
    pids_limit: 100
    read_only: true
    restart: on-failure:3
    shm_size: 64mb
    stop_grace_period: 5s
    stop_signal: SIGINT
    tmpfs: [/tmp, "/run:size=10m,mode=1777,noexec"]
    ulimits: {nproc: 5, nofile: {soft: 1, hard: 2}}
    user: "1000:1000"
    volumes: ["files:/a:ro,Z", {type: volume, source: files, target: /b, read_only: true},
      {type: tmpfs, target: /c}]
    working_dir: /srv
  db: {image: db, user: 5, tmpfs: /tmp, extra_hosts: ["me:fe80::1"], labels: [a=b]}
volumes: {files: {driver: local, labels: {a: "${TITLE}"}}}
networks: {inside: {driver: bridge, internal: true}}
""".replace("SUM", "0" * 64)


def test_every_form_that_is_carried_out_is_let_through() -> None:
    document = check_compose(FORMS, web_service="web", limits=LIMITS)
    left_out = {"environment", "labels", *features.PRIVILEGED}
    assert set(features.SERVICE) - set(document["services"]["web"]) <= left_out
    assert used_variables(document) == {"TITLE"}


def test_a_user_by_number_is_a_text_to_the_engine() -> None:
    document = check_compose(service("user: 1000"), web_service="web", limits=LIMITS)
    made = yaml.safe_load(render_compose(document, {}, mark="id-1", published=WEB))
    assert made["services"]["web"]["user"] == "1000"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("cgroup: own", "“cgroup” does not have the form"),
        ("ulimits: {nofile: {soft: 1}}", "“ulimits.nofile” does not have the form"),
        ("depends_on: {web: }", "“depends_on” does not have the form"),
        ("depends_on: {web: {restart: true}}", "“depends_on” does not have the form"),
        ("labels: ['=a']", "“labels” does not have the form"),
        ("cap_drop: [ALL, ALL]", "“cap_drop” has the same entry twice"),
        ("expose: [80, 81, 80]", "“expose” has the same entry twice"),
        ("tmpfs: [/a, /a]", "“tmpfs” has the same entry twice"),
        (
            "volumes: [{type: tmpfs, target: /a}, {target: /a, type: tmpfs}]",
            "has the same entry twice",
        ),
        ("networks: {default: {aliases: [a, a]}}", "“networks.default.aliases” has the same"),
    ],
)
def test_what_every_compose_program_refuses_is_refused(line: str, said: str) -> None:
    """By the published schema, which they check before they start anything."""
    limits = Limits(variables=(), privileged=True)
    assert said in refusal(service(line), limits=limits)


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("healthcheck: {test: [CMD, 5]}", "web: “healthcheck.test[1]”"),
        ("healthcheck: {start_interval: 5s}", "web: “healthcheck.start_interval”"),
        ("ulimits: {nofile: {soft: 1, hard: x}}", "web: “ulimits.nofile.hard”"),
        ("volumes: [{type: tmpfs, target: /a}, {type: tmpfs}]", "web: “volumes[1].target”"),
        ("volumes: [{type: npipe, target: /a}]", "web: “volumes[0].type: npipe”"),
        ("depends_on: {web: {condition: sometimes}}", "web: “depends_on.web.condition”"),
        ("environment: [B=1, Z, A, Q, E, C, D]", "web: “Z” in “environment”"),
        (
            "labels: {b: c, com.docker.z: a, io.podman.a: a}",
            "web: the manager sets “labels.com.docker.z”",
        ),
        ("networks: {default: {b: 1, a: 1}}", "web: “networks.default.b”"),
        ("cap_add: [x, x]", "web: “cap_add” gives access to the host"),
        ("cap_drop: ['${TITLE}', '${TITLE}']", "web: ${TITLE}"),
    ],
)
def test_a_refusal_says_where_and_of_many_the_first(line: str, where: str) -> None:
    assert refusal(service(line)).startswith(where)


@pytest.mark.parametrize("feature", features.SERVICE)
def test_whatever_stands_there_is_refused_or_accepted(feature: str) -> None:
    for value in ("", "x", "5", "-1.5", "true", "[]", "[[a]]", "[{a: b}]", "{}", "{a: {b: [c]}}"):
        with contextlib.suppress(BadInput):
            check_compose(service(f"{feature}: {value}"), web_service="web", limits=LIMITS)


NAMES = (*features.SERVICE, *features.VOLUME, *features.NETWORK, *features.LONG_VOLUME)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(NAMES),
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=5)), inner, max_size=3),
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from((*features.SERVICE, *features.PRIVILEGED)), ANYTHING, max_size=3
    ),
    st.dictionaries(st.sampled_from(("files", "default", "d")), ANYTHING, max_size=2),
    st.dictionaries(st.sampled_from(("inside", "default", "")), ANYTHING, max_size=2),
    st.booleans(),
)
def test_whatever_the_file(web: Any, volumes: Any, networks: Any, privileged: bool) -> None:
    """It is refused or accepted; what is accepted can be written, and is a compose file."""
    text = json.dumps(
        {"services": {"web": {"image": "a", **web}}, "volumes": volumes, "networks": networks}
    )
    limits = Limits(variables={"TITLE"}, privileged=privileged)
    with contextlib.suppress(BadInput):
        document = check_compose(text, web_service="web", limits=limits)
        made = render_compose(document, {"TITLE": "T"}, mark="id-1", published=WEB).encode()
        load_validator().validate(yaml.safe_load(made))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80))
def test_whatever_the_text(text: str) -> None:
    for whole in (text, f"services: {text}", service(f'command: "{text}"')):
        with contextlib.suppress(BadInput):
            check_compose(whole, web_service="web", limits=LIMITS)
