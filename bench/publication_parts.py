"""The parts that bench/publication.py starts: the database, the shipped cache, and Caddy."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.arbiters import free_port
from bench.hall import empty
from bench.public_pages import processor_time

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def prepared(url: str, boards: int) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """Make the sections; on PostgreSQL the former ones are deleted first."""
    with tempfile.TemporaryDirectory() as var:
        environment = {
            **os.environ,
            "VAR_DIR": var,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "of-the-bench-" * 5,
            "PYTHONPATH": str(ROOT),
        }
        if url:
            empty(url)
        command = [sys.executable, "-m", "bench.publication_database", str(boards)]
        done = subprocess.run(command, env=environment, cwd=ROOT, check=True, stdout=subprocess.PIPE)
        yield environment, json.loads(done.stdout)


@contextmanager
def cached(ports: list[int]) -> Iterator[tuple[int, int]]:
    """Run the shipped cache before web processes on these ports; yield its own port and process.

    An nginx older than 1.27.3 cannot look up names again, and needs no resolver here.
    """
    program = shutil.which("nginx")
    if program is None:
        raise SystemExit("There is no nginx on this machine.")
    port = free_port()
    with tempfile.TemporaryDirectory() as home:
        servers = "".join(f"server 127.0.0.1:{each};" for each in ports)
        web = re.sub(r"server web:8000 resolve;", servers, (ROOT / "docker" / "web.conf").read_text())
        web = re.sub(r"^resolver .*$", "", web, flags=re.MULTILINE)
        content = (ROOT / "docker" / "nginx.conf").read_text()
        for former, here in (
            ("/tmp/", f"{home}/"),  # noqa: S108 (first: the directory of this run may be in it)
            ("/etc/nginx/", f"{home}/"),
            ("/var/cache/nginx", f"{home}/cache"),
            ("listen 8080", f"listen 127.0.0.1:{port}"),
            ("worker_processes auto", "daemon off;\nmaster_process on;\nuser root;\nworker_processes auto"),
            ("worker_rlimit_nofile 40000;", ""),
        ):
            content = content.replace(former, here)
        Path(home, "web.conf").write_text(web)
        Path(home, "nginx.conf").write_text(content)
        process = subprocess.Popen([program, "-c", f"{home}/nginx.conf", "-p", home])
        try:
            wait_for(port)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(timeout=20)


@contextmanager
def tls_proxy(cache: int) -> Iterator[tuple[int, int]]:
    """Run Caddy with the shipped Caddyfile before the cache, without TLS; yield its port and process."""
    port = free_port()
    with tempfile.TemporaryDirectory() as home:
        content = (ROOT / "docker" / "Caddyfile").read_text().replace("cache:8080", f"127.0.0.1:{cache}")
        Path(home, "Caddyfile").write_text(content.replace("{\n", "{\n\tadmin off\n", 1))
        environment = {**os.environ, "SITE_ADDRESS": f"http://:{port}", "HOME": home, "XDG_DATA_HOME": home}
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", f"{home}/Caddyfile"]
        process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(timeout=20)


def wait_for(port: int) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"nothing answers on port {port}")


def family_time(process: int) -> float:
    """Return the seconds of processor time of a process and its children so far."""
    total = processor_time(process)
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if fields[1] == str(process):
            total += processor_time(int(status.parent.name))
    return total
