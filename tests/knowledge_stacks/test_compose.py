"""The parts of a compose file: each is one we carry out or is refused by name, and a value
changes nothing but the text it is put into.
"""

import re
import string
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from workspace_manager.core.refusal import BadInput
from workspace_manager.knowledge_stacks import compose_features as features
from workspace_manager.knowledge_stacks.compose import (
    Limits,
    PublishedService,
    check_compose,
    render_compose,
    used_variables,
)
from workspace_manager.knowledge_stacks.compose_text import read, write
from workspace_manager.systems.container_manager.names import MARK_LABEL

SAMPLE = """
services:
  web:
    image: example/web:1
    environment:
      TITLE: "${TITLE}"
      SECRET: ${SQL_PASSWORD}
      PRICE: 5$$
      DEBUG: yes
      AT: 12:30
    volumes: ["files:/data:ro", {type: volume, source: files, target: /more}]
    networks: [inside]
    depends_on: {db: {condition: service_started}}
  db:
    image: example/db:1
    environment: ["A=b=c", "EMPTY="]
volumes:
  files:
networks:
  inside: {internal: true}
"""
LIMITS = Limits(variables={"TITLE", "SQL_PASSWORD", "WORKSPACE_STACK_URL"})
WEB = PublishedService(service="web", port=8080, at=20001, bind="127.0.0.1")
HIDDEN = (
    "files:/x:O,upperdir=/etc,workdir=/tmp",
    "files:/x:U",
    "files:/x:rw,O",
    "files:/x:ro:O",
    "files:/x,y",
    "files:x",
    "files:",
    ":/x",
    "f:/x",
    "f-:/x:nocopy",
)
"""Volumes whose options or path say more than they seem to."""


def features_of_others() -> tuple[str, ...]:
    """Of a compose file, and none of ours."""
    return (
        *("group_add", "dns", "dns_search", "domainname", "platform", "isolation", "logging"),
        *(
            "annotations",
            "attach",
            "blkio_config",
            "cpu_rt_runtime",
            "mac_address",
            "oom_score_adj",
        ),
        *("post_start", "privileged_mode", "pull_policy", "stdin_open", "storage_opt", "tty"),
    )


HOSTILE = (
    "a \"quoted\" 'value'",
    "x\n    privileged: true",
    "${SQL_PASSWORD}",
    "$SQL_PASSWORD",
    "$$",
    "&anchor *alias",
    "!!python/object/apply:os.system [id]",
    "<<: *x",
    "yes",
    "null",
    "~",
    "12:30",
    "0x1F",
    "- a\n- b",
    "# no comment",
    "'; rm -rf / #",
    "snow ☃ and \U0001f600 and e\u0301",
    "\ttab",
    " leading and trailing ",
    "\\n \\u0041",
    "x" * 20_000,
    "",
)


def render_document(text: str = SAMPLE, title: str = "T") -> Any:
    document = check_compose(text, web_service="web", limits=LIMITS)
    return yaml.safe_load(render_compose(document, {"TITLE": title}, mark="id-1", published=WEB))


def refusal(text: str, *, web: str = "web", limits: Limits = LIMITS) -> str:
    with pytest.raises(BadInput) as found:
        check_compose(text, web_service=web, limits=limits)
    assert set(found.value.errors) == {"compose"}
    return found.value.errors["compose"]


def service(line: str, rest: str = "") -> str:
    return f"services:\n  web:\n    image: a\n    {line}\n{rest}"


def test_values_go_in_everything_is_marked_and_one_port_is_published() -> None:
    found = render_document()
    web, db = found["services"]["web"], found["services"]["db"]
    assert web["environment"] == {
        "TITLE": "T",
        "SECRET": "${SQL_PASSWORD}",
        "PRICE": "5$$",
        "DEBUG": "yes",
        "AT": "12:30",
    }
    assert db["environment"] == {"A": "b=c", "EMPTY": ""}
    assert web["ports"] == ["127.0.0.1:20001:8080"]
    assert "ports" not in db
    marked = [*found["services"].values(), *found["volumes"].values(), *found["networks"].values()]
    assert [one["labels"] for one in marked] == [{MARK_LABEL: "id-1"}] * 5
    assert found["networks"]["inside"]["internal"] is True
    assert set(found["networks"]) == {"inside", "default"}


def test_what_is_used_is_known() -> None:
    assert used_variables(check_compose(SAMPLE, web_service="web", limits=LIMITS)) == {
        "TITLE",
        "SQL_PASSWORD",
    }


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_a_value_changes_nothing_but_the_text_it_is_put_into(value: str) -> None:
    plain, hostile = render_document(title="T"), render_document(title=value)
    # What a compose program makes of it: `$$` is a dollar sign, and nothing is a variable.
    assert hostile["services"]["web"]["environment"].pop("TITLE").replace("$$", "$") == value
    plain["services"]["web"]["environment"].pop("TITLE")
    assert hostile == plain


@settings(max_examples=60, deadline=None)
@given(
    st.text(
        alphabet=st.one_of(
            st.sampled_from(string.printable[:95] + "\n\t${}"),
            st.characters(exclude_categories=["Cs", "Cc"]),
        ),
        max_size=200,
    )
)
def test_whatever_the_value(value: str) -> None:
    plain, hostile = render_document(title="T"), render_document(title=value)
    assert hostile["services"]["web"]["environment"].pop("TITLE").replace("$$", "$") == value
    plain["services"]["web"]["environment"].pop("TITLE")
    assert hostile == plain


def test_what_is_written_is_read_the_same_by_us() -> None:
    document = check_compose(SAMPLE, web_service="web", limits=LIMITS)
    assert read(write(document)) == document


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("build: .", "build"),
        ("extends: {service: x}", "extends"),
        ("secrets: [x]", "secrets"),
        ("configs: [x]", "configs"),
        ("env_file: .env", "env_file"),
        ("deploy: {replicas: 2}", "deploy"),
        ("profiles: [x]", "profiles"),
        ("links: [x]", "links"),
        ("volumes_from: [x]", "volumes_from"),
        ("x-anything: 1", "x-anything"),
        ("no_such_feature: 1", "no_such_feature"),
        ("container_name: other", "container_name"),
        ('ports: ["80:80"]', "ports"),
        ("volumes: [data:/data]", "data"),
        ("volumes: [/data]", "/data"),
        *((f"volumes: ['{one}']", one) for one in HIDDEN),
        ("volumes: [{source: files, target: /x}]", "volumes"),
        ("volumes: [{type: volume, source: files}]", "volumes"),
        ("volumes: [{type: volume, source: files, target: x}]", "target"),
        ("volumes: [{type: tmpfs, target: /x, tmpfs: {mode: 1}}]", "tmpfs"),
        ("volumes: [{type: volume, source: files, target: /x, bind: {}}]", "bind"),
        ("volumes: [5]", "volumes"),
        ("tmpfs: ['/x:suid,dev']", "tmpfs"),
        ("tmpfs: x", "tmpfs"),
        ("image: 'dir:etc'", "image"),
        ("image: 'docker-archive:/etc/x.tar'", "image"),
        ("image: 'a b'", "image"),
        ("image: [a]", "image"),
        ("command: {a: b}", "command"),
        ("healthcheck: 5", "healthcheck"),
        ("healthcheck: {test: [1]}", "healthcheck"),
        ("init: /sbin/init", "init"),
        ("restart: sometimes", "restart"),
        ("extra_hosts: ['a:b/c']", "extra_hosts"),
        ("ulimits: {nofile: x}", "ulimits"),
        ("networks: {default: {aliases: 5}}", "aliases"),
        ("labels: {a: '${SQL_PASSWORD}'}", "${SQL_PASSWORD}"),
        ("labels: {io.portainer.accesscontrol.public: ''}", "io.portainer"),
        *((f"{one}: x", one) for one in features_of_others()),
        ("volumes: [{type: npipe, source: x, target: /x}]", "npipe"),
        ("volumes: [{type: volume, source: x, target: /x, volume: {subpath: a}}]", "volume"),
        ("networks: [other]", "other"),
        ("networks: {default: {ipv4_address: 10.0.0.1}}", "ipv4_address"),
        ("depends_on: [other]", "other"),
        ("environment: [HOME]", "HOME"),
        ("environment: {HOME: }", "HOME"),
        ("environment: {A: $B}", "$"),
        ("environment: {A: '${B:-c}'}", "$"),
        ("environment: {A: '${OTHER}'}", "${OTHER}"),
        ("environment: {'${TITLE}': a}", "${TITLE}"),
        ("labels: {workspace.manager.component: other}", "workspace.manager.component"),
        ("labels: {com.docker.compose.project: other}", "com.docker.compose.project"),
        ("command: [sh, -c, 'echo ${TITLE}']", "${TITLE}"),
        ("user: ${TITLE}", "${TITLE}"),
        ("healthcheck: {test: 'curl $HOST'}", "$"),
    ],
)
def test_what_is_not_carried_out_is_refused_by_name(line: str, said: str) -> None:
    assert said in refusal(service(line))


@pytest.mark.parametrize(
    "volume",
    [
        "/etc:/etc",
        "C:/etc:/x",
        "./x:/x",
        "~/x:/x",
        "../x:/x",
        "{type: bind, source: /, target: /x}",
    ],
)
def test_a_path_of_the_host_needs_the_setting(volume: str) -> None:
    quoted = volume if volume.startswith("{") else f'"{volume}"'
    text = service(f"volumes: [{quoted}]")
    assert "path of the host" in refusal(text)
    check_compose(text, web_service="web", limits=Limits(variables=(), privileged=True))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "services"),
        ("a", "services"),
        ("services: {}", "no services"),
        ("services: [web]", "no services"),
        ("services: {web: {image: a}}\nname: other", "name"),
        ("services: {web: {image: a}}\ninclude: [x]", "include"),
        ("services: {web: {image: a}}\nsecrets: {}", "secrets"),
        ("services: {web: {image: a}}\nvolumes: {dd: {external: true}}", "external"),
        ("services: {web: {image: a}}\nvolumes: {dd: {name: other}}", "name"),
        ("services: {web: {image: a}}\nvolumes: {dd: {driver: nfs}}", "nfs"),
        ("services: {web: {image: a}}\nvolumes: {dd: {driver: [local]}}", "driver"),
        ("services: {web: {image: a}}\nvolumes: {dd: {driver: bridge}}", "bridge"),
        ("services: {web: {image: a}}\nvolumes: {d: {}}", "cannot be a name"),
        (
            "services: {web: {image: a}}\nvolumes: {dd: {labels: {a: '${SQL_PASSWORD}'}}}",
            "Use secrets",
        ),
        ("services: {web: {image: a}}\nnetworks: {n: {driver: local}}", "local"),
        ("services: {web: {image: a}}\nnetworks: {n: {driver: {a: b}}}", "driver"),
        ("services: {web: {image: a}}\nnetworks: {n: {internal: nope}}", "internal"),
        ('services: {web: {image: a, command: "\\ud800"}}', "character"),
        ('services: {web: {image: a, command: "\\0"}}', "character"),
        ('services: {"\\ud800": {image: a}}', "character"),
        ('services: "\\UFFFFFFFF"', "YAML"),
        ("services: {web: {image: a}}\nvolumes: {dd: {driver_opts: {o: bind}}}", "driver_opts"),
        ("services: {web: {image: a}}\nnetworks: {n: {external: true}}", "external"),
        ("services: {web: {image: a}}\nnetworks: {n: {driver: host}}", "host"),
        ("services: {web: {build: .}}", "build"),
        ("services: {web: {}}", "image"),
        ("services: {web: null}", "web"),
        ("services: {'a b': {image: a}}", "a b"),
        ("services: {other: {image: a}}", "web"),
        ("services: {web: {image: a, image: b}}", "twice"),
        ("services: {web: &a {image: a}}", "anchors"),
        ("services: {web: {image: a, <<: {image: b}}}", "Merge keys"),
        ("services: {web: !!python/object:os.system {}}", "tags"),
        ("services: {web: !reset {image: a}}", "tags"),
        ("services: [", "Line 1"),
        ("services: {web: {image: a}}\n---\nservices: {}", "Line"),
        ("? [a, b]\n: c", "name"),
        ("a: " + "[" * 200 + "]" * 200, "nested"),
        ("a: " + "[" * 20 + "]" * 20, "deep"),
        ("a: " + "x" * 70_000, "longer"),
        ("services: {web: {image: a}}\nservices2: \x00", "YAML"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(text: str, said: str) -> None:
    assert said in refusal(text)


def test_on_the_hosts_network_the_service_listens_on_the_port_itself() -> None:
    text = service("network_mode: host")
    document = check_compose(text, web_service="web", limits=Limits(variables=(), privileged=True))
    found = yaml.safe_load(render_compose(document, {}, mark="id-1", published=WEB))
    assert "ports" not in found["services"]["web"]
    assert "networks" not in found


def test_secrets_are_of_what_the_needs_bring() -> None:
    every = features.provided_variables(features.NEEDS)
    assert every > features.SECRET
    assert features.provided_variables(()) == set(features.PROVIDED[""])


def test_the_reference_says_all_of_it() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/compose-features.md").read_text()
    said = set(re.findall(r"`([^`]+)`", page))
    parts = (features.KINDS, ("version",), features.SERVICE, features.PRIVILEGED, features.MANAGED)
    things = (features.VOLUME, features.NETWORK, features.LONG_VOLUME, features.LONG_TMPFS)
    known = {one for group in (*parts, *things) for one in group}
    known |= {one for names in features.PROVIDED.values() for one in names}
    assert known <= said
    assert set(features.NEEDS) <= said
