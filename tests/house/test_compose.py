"""The files of Compose and of the image fit together, as far as a test without Docker can tell."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from server.connections import Limits

Compose = dict[str, Any]


FILES = {
    "docker-compose.yml": ("Caddyfile", "web.conf"),
    "compose.hosts.yml": ("Caddyfile.hosts", "hosts.conf"),
}
"""Each Compose file, with what its proxy and its cache read."""


@pytest.fixture(params=FILES)
def file(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def compose(root: Path, file: str) -> Compose:
    """Return the content of a Compose file."""
    content: Compose = yaml.safe_load((root / file).read_text())
    return content


def webs(compose: Compose) -> list[Compose]:
    """Return the services that run Evenboard."""
    return [service for service in compose["services"].values() if "build" in service]


def test_compose_file_keeps_to_the_specification(compose: Compose) -> None:
    schema = json.loads((Path(__file__).parent / "compose_schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    assert [error.message for error in validator.iter_errors(compose)] == []


def test_compose_services_wait_only_for_services_with_a_health_check(compose: Compose, root: Path) -> None:
    services = compose["services"]
    assert "HEALTHCHECK" in (root / "Dockerfile").read_text()
    for service in services.values():
        for name, wait in service.get("depends_on", {}).items():
            assert wait["condition"] == "service_healthy"
            assert "healthcheck" in services[name] or services[name] in webs(compose)


def test_compose_names_only_networks_volumes_and_files_that_exist(compose: Compose, root: Path) -> None:
    for service in compose["services"].values():
        assert set(service["networks"]) <= set(compose["networks"])
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert (root / source).is_file() if source.startswith("./") else source in compose["volumes"]


def test_compose_services_can_do_only_what_they_need(compose: Compose) -> None:
    may = {"db": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}, "proxy": {"NET_BIND_SERVICE"}}
    for name, service in compose["services"].items():
        assert set(service.get("cap_add", ())) == may.get(name, set())
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert re.fullmatch(r"\d+m", service["mem_limit"])
        assert service["pids_limit"] <= 200
        assert any(mount.split(":")[0] == "/tmp" for mount in service["tmpfs"])


def test_compose_gives_the_program_room_for_copies_keys_and_rating_lists(
    compose: Compose, root: Path
) -> None:
    needed = {"backups", "keys", "rating-lists-in"}
    for web in webs(compose):
        writable = {mount.split(":")[1] for mount in web["volumes"]}
        assert {f"/app/var/{name}" for name in needed} <= writable
    made = re.findall(r"mkdir -p (.+?) &&", (root / "Dockerfile").read_text())[0]
    assert set(made.split()) == {f"var/{name}" for name in needed}, "a volume gets its owner from the image"
    assert 'Path(settings.VAR_DIR) / "rating-lists-in"' in (root / "ratings/actions/offering.py").read_text()


@pytest.mark.skipif(os.name == "nt", reason="Windows runs no shell scripts")
def test_image_has_no_key_and_makes_the_one_for_notices_in_a_volume(root: Path, tmp_path: Path) -> None:
    """A key in the image would be another one after each build, and phones would lose their subscription."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -c "from config import settings"\n')
    python.chmod(0o755)
    environment = {
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "VAR_DIR": str(tmp_path / "var"),
    }
    subprocess.run([root / "docker" / "steps", "static"], cwd=root, env=environment, check=True)
    assert [path.name for path in (tmp_path / "var").rglob("*") if path.is_file()] == []
    subprocess.run([root / "docker" / "steps", "start"], cwd=root, env=environment, check=True)
    assert (tmp_path / "var" / "push-key").is_file(), "without a volume, the key is in the directory of data"
    place = re.findall(r"PUSH_KEY_FILE=(\S+)", (root / "Dockerfile").read_text())[0]
    assert Path(place).parent.as_posix() == "/app/var/keys"


@pytest.mark.skipif(os.name == "nt", reason="Windows runs no shell scripts")
def test_images_can_be_pinned_by_their_digests(compose: Compose, root: Path, tmp_path: Path) -> None:
    """Compose and the Dockerfile name a digest for each image, and docker/pin writes newer ones for them."""
    (tmp_path / "docker").mkdir()
    shutil.copy(root / "docker" / "pin", tmp_path / "docker" / "pin")
    (tmp_path / "bin").mkdir()
    fake = tmp_path / "bin" / "docker"
    fake.write_text('#!/bin/sh\nprintf \'sha256:%s\\n\' "$(printf %s "$4" | wc -c)"\n')
    fake.chmod(0o755)
    env = tmp_path / ".env"
    env.write_text("SECRET_KEY=kept\nCADDY_IMAGE=old\n")
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [tmp_path / "docker" / "pin"], env={"PATH": path}, capture_output=True, text=True, check=True
    )
    pins = {
        "POSTGRES_IMAGE": "postgres:17-alpine@sha256:18",
        "CADDY_IMAGE": "caddy:2-alpine@sha256:14",
        "NGINX_IMAGE": "nginx:1.30-alpine@sha256:17",
        "PYTHON_IMAGE": "python:3.13-slim@sha256:16",
        "VALKEY_IMAGE": "valkey/valkey:8.1-alpine@sha256:24",
    }
    assert done.stdout.split() == [f"{name}={image}" for name, image in pins.items()]
    assert env.read_text().split() == ["SECRET_KEY=kept", *done.stdout.split()]
    assert env.stat().st_mode & 0o077 == 0
    services = compose["services"]
    asked = {
        "POSTGRES_IMAGE": services["db"]["image"],
        "CADDY_IMAGE": services["proxy"]["image"],
        "NGINX_IMAGE": services["cache"]["image"],
        **webs(compose)[0]["build"]["args"],
    }
    if "valkey" in services:
        asked["VALKEY_IMAGE"] = services["valkey"]["image"]
    versions = {
        "POSTGRES_IMAGE": r"postgres:17\.\d+-alpine\d\.\d+",
        "CADDY_IMAGE": r"caddy:2\.\d+\.\d+-alpine",
        "NGINX_IMAGE": r"nginx:1\.30\.\d+-alpine\d\.\d+",
        "PYTHON_IMAGE": r"python:3\.13\.\d+-slim-\w+",
        "VALKEY_IMAGE": r"valkey/valkey:8\.1\.\d+-alpine",
    }
    for name, image in asked.items():
        assert re.fullmatch(rf"\$\{{{name}:-{versions[name]}@sha256:[0-9a-f]{{64}}\}}", image)
    usual = asked["PYTHON_IMAGE"].removeprefix("${PYTHON_IMAGE:-").removesuffix("}")
    first = (root / "Dockerfile").read_text().splitlines()[:2]
    assert first == [f"ARG PYTHON_IMAGE={usual}", "FROM ${PYTHON_IMAGE}"]


def test_compose_keeps_no_secret_and_no_open_database(compose: Compose, root: Path, file: str) -> None:
    text = (root / file).read_text()
    for name in ("POSTGRES_PASSWORD", "SECRET_KEY"):
        uses = re.findall(rf"\$\{{{name}[^}}]*\}}", text)
        assert uses != []
        assert all(use.startswith(f"${{{name}:?") for use in uses)
    assert [name for name, service in compose["services"].items() if "ports" in service] == ["proxy"]
    assert compose["networks"]["inside"] == {"internal": True}
    assert all(
        compose["services"][name]["networks"] == ["inside"]
        for name in {"db", "valkey"} & {*compose["services"]}
    )


def test_compose_sets_only_variables_that_the_program_reads(compose: Compose, root: Path) -> None:
    read = "".join((root / name).read_text() for name in ("config/settings.py", "server/main.py"))
    dockerfile = (root / "Dockerfile").read_text()
    named = set(re.findall(r"\b(?!PYTHON|PIP)([A-Z_]+)=", re.findall(r"\nENV (HOST.*)", dockerfile)[0]))
    for web in webs(compose):
        unread = {name for name in named | {*web["environment"]} if f'"{name}"' not in read}
        assert unread == {"PGPASSWORD"}, "PostgreSQL's client reads it, whatever its characters"


def test_compose_variables_are_all_described_in_the_installation_guide(root: Path, file: str) -> None:
    used = set(re.findall(r"\$\{([A-Z_]+)", (root / file).read_text()))
    described = (root / "docs" / "install.md").read_text()
    assert {name for name in used if f"`{name}`" not in described} == set()


def test_proxy_compresses_and_serves_the_web_services_through_the_cache(
    compose: Compose, root: Path, file: str
) -> None:
    proxy, cache = ((root / "docker" / name).read_text() for name in FILES[file])
    first = (root / "docker" / "Caddyfile").read_text()
    assert "encode zstd gzip" in first
    service, port = re.findall(r"reverse_proxy (\w+):(\d+)", first)[0]
    assert service in compose["services"]
    assert f"listen {port};" in (root / "docker" / "nginx.conf").read_text()
    service, port = re.findall(r"server (\w+):(\d+) resolve", cache)[0]
    assert service in compose["services"]
    if service == "proxy":
        assert "import Caddyfile\n" in proxy
        assert f"\n:{port} {{" in proxy
        (hosts,) = set(re.findall(r"\{\$WEB_HOSTS:(.+?)\}", proxy))
        assert compose["services"]["proxy"]["environment"]["WEB_HOSTS"] == f"${{WEB_HOSTS:-{hosts}}}"
        services, ports = zip(*(one.split(":") for one in hosts.split()), strict=True)
        assert [compose["services"][name] for name in services] == webs(compose)
        (port,) = set(ports)
    assert f"PORT={port}" in (root / "Dockerfile").read_text()


def test_cache_writes_only_where_it_may_and_reads_only_what_it_is_given(compose: Compose, root: Path) -> None:
    cache = compose["services"]["cache"]
    content = (root / "docker" / "nginx.conf").read_text()
    writable = [mount.split(":")[0] for mount in cache["tmpfs"]]
    written = re.findall(r"^ *(?:pid|\w+_temp_path|proxy_cache_path) (/[^ ;]+)", content, re.MULTILINE)
    assert len(written) == 4
    assert [path for path in written if not path.startswith(tuple(writable))] == []
    given = {mount.split(":")[1] for mount in cache["volumes"]}
    assert set(re.findall(r"include (\S+);", content)) == given - {"/etc/nginx/nginx.conf"}
    assert all(f"uid={cache['user'].split(':')[0]}" in mount for mount in cache["tmpfs"])


@pytest.mark.parametrize(
    ("asks", "closes", "answers", "waits"),
    [
        ("web.conf", r"keepalive_timeout (\d+)s", "", ""),
        ("Caddyfile.hosts", r"keepalive (\d+)s", "", ""),
        ("Caddyfile", r"keepalive (\d+)s", "nginx.conf", r"keepalive_timeout (\d+)s"),
        ("hosts.conf", r"keepalive_timeout (\d+)s", "Caddyfile", r"idle (\d+)m"),
    ],
)
def test_a_proxy_closes_a_silent_connection_before_the_other_side_does(
    root: Path, asks: str, closes: str, answers: str, waits: str
) -> None:
    """Else it sends a save on a connection that is just being closed, and must not send it again."""

    def seconds(name: str, pattern: str) -> set[int]:
        found = re.findall(pattern, (root / "docker" / name).read_text())
        return {int(number) * (60 if pattern.endswith("m") else 1) for number in found}

    other = min(seconds(answers, waits)) if answers else Limits().idle
    assert max(seconds(asks, closes)) + 5 < other


def test_image_context_has_all_that_is_copied_and_no_other_files(root: Path) -> None:
    copied = re.findall(r"^COPY (\S+) \S+$", (root / "Dockerfile").read_text(), re.MULTILINE)
    ignored = (root / ".dockerignore").read_text().splitlines()
    assert ignored[0] == "*"
    assert {name for name in copied if f"!{name}" not in ignored} == set()
    assert {name for name in copied if not (root / name).exists()} == set()
    assert ("locale" in copied) == (root / "locale").is_dir()


def test_image_runs_the_same_steps_as_the_test_without_docker(root: Path) -> None:
    dockerfile = (root / "Dockerfile").read_text()
    steps = re.findall(r"^(\w+)\)", (root / "docker" / "steps").read_text(), re.MULTILINE)
    assert steps == ["install", "static", "start"]
    assert [step for step in steps if not re.search(rf'docker/steps"?,? "?{step}', dockerfile)] == []
    assert dockerfile.index("USER evenboard") < dockerfile.index('CMD ["docker/steps"')


@pytest.mark.skipif(os.name == "nt", reason="Windows has no executable bit")
@pytest.mark.parametrize("script", ["docker/steps", "docker/pin", ".ci/run", "manage.py", "run.py"])
def test_scripts_can_be_executed(root: Path, script: str) -> None:
    assert os.access(root / script, os.X_OK)
