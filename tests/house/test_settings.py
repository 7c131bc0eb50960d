"""Settings from the environment, each read in a separate process."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.db import connection
from django.test import Client

SETTINGS = str(Path(__file__).resolve().parents[2] / "config/settings.py")
SECURE = (
    "SESSION_COOKIE_SECURE",
    "CSRF_COOKIE_SECURE",
    "SECURE_SSL_REDIRECT",
    "SECURE_HSTS_INCLUDE_SUBDOMAINS",
)


def read_settings(root: Path, names: tuple[str, ...], **environment: str) -> dict[str, object]:
    code = (
        "import json; from config import settings; "
        f"print(json.dumps({{name: getattr(settings, name) for name in {names!r}}}, default=str))"
    )
    inherited = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def test_settings_are_for_http_on_this_machine_by_default(root: Path) -> None:
    assert read_settings(root, ("DEBUG", "ALLOWED_HOSTS", *SECURE)) == {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
        **dict.fromkeys(SECURE, False),
    }


def test_settings_have_sqlite_in_var_with_immediate_and_durable_transactions_by_default(root: Path) -> None:
    database = read_settings(root, ("DATABASES",))["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.sqlite3"
    assert Path(database["NAME"]) == root / "var" / "evenboard.sqlite3"
    assert database["OPTIONS"] == {
        "transaction_mode": "IMMEDIATE",
        "timeout": 10,
        "cached_statements": 500,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; "
        "PRAGMA secure_delete=ON",
    }


def test_the_directory_of_data_may_have_any_letters(root: Path, tmp_path: Path) -> None:
    var = tmp_path / "Schach (C++) #1 100%25 Säle"
    database = read_settings(root, ("DATABASES",), VAR_DIR=str(var))["DATABASES"]["default"]
    assert Path(database["NAME"]) == var / "evenboard.sqlite3"


def test_settings_take_postgresql_from_the_environment(root: Path) -> None:
    url = "postgres://chess:p%40ss@db.example:5433/open"
    database = read_settings(root, ("DATABASES",), DATABASE_URL=url)["DATABASES"]["default"]
    wanted = ("ENGINE", "USER", "PASSWORD", "HOST", "PORT", "NAME", "CONN_HEALTH_CHECKS", "CONN_MAX_AGE")
    assert [database[name] for name in wanted] == [
        "base.postgresql",
        "chess",
        "p@ss",
        "db.example",
        5433,
        "open",
        True,
        60,
    ]


def test_settings_with_https_turn_all_protections_on(root: Path) -> None:
    assert read_settings(root, SECURE, HTTPS="on") == dict.fromkeys(SECURE, True)


def test_settings_send_no_mail_by_default(root: Path) -> None:
    names = ("MAIL_IS_SET_UP", "DEFAULT_FROM_EMAIL", "EMAIL_TIMEOUT")
    assert list(read_settings(root, names).values()) == [False, "evenboard@localhost", 20]


def test_settings_take_the_mail_server_from_the_environment(root: Path) -> None:
    environment = {"EMAIL_URL": "smtp+tls://chess:p%40ss@mail.example:587", "EMAIL_FROM": "chess@example.org"}
    names = ("MAIL_IS_SET_UP", "EMAIL_HOST", "EMAIL_PORT", "EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD",
             "EMAIL_USE_TLS", "EMAIL_BACKEND", "DEFAULT_FROM_EMAIL")  # fmt: skip
    assert list(read_settings(root, names, **environment).values()) == [
        True,
        "mail.example",
        587,
        "chess",
        "p@ss",
        True,
        "django.core.mail.backends.smtp.EmailBackend",
        "chess@example.org",
    ]


def test_settings_take_names_and_key_from_the_environment(root: Path) -> None:
    environment = {"SECRET_KEY": "k" * 60, "ALLOWED_HOSTS": "a.example,b.example", "DEBUG": "on"}
    assert read_settings(root, tuple(environment), **environment) == {
        "SECRET_KEY": "k" * 60,
        "ALLOWED_HOSTS": ["a.example", "b.example"],
        "DEBUG": True,
    }


def test_settings_keep_the_key_for_notices_in_the_file_of_the_environment(root: Path, tmp_path: Path) -> None:
    environment = {"VAR_DIR": str(tmp_path / "var"), "PUSH_KEY_FILE": str(tmp_path / "volume" / "push-key")}
    first = read_settings(root, ("PUSH_KEY",), **environment)
    assert read_settings(root, ("PUSH_KEY",), **environment) == first
    assert (tmp_path / "volume" / "push-key").read_text().strip() == first["PUSH_KEY"]
    assert not (tmp_path / "var" / "push-key").exists()


@pytest.mark.parametrize(
    ("environment", "zone"),
    [
        ({"TZ": "Europe/Vienna"}, "Europe/Vienna"),
        ({"TZ": "Europe/Vienna", "TIME_ZONE": ""}, "Europe/Vienna"),
        ({"TZ": "Europe/Vienna", "TIME_ZONE": "Asia/Tokyo"}, "Asia/Tokyo"),
    ],
)
def test_time_zone_is_that_of_this_computer_unless_set(
    root: Path, environment: dict[str, str], zone: str
) -> None:
    assert read_settings(root, ("TIME_ZONE",), **environment) == {"TIME_ZONE": zone}


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="only for SQLite")
def test_sqlite_uses_a_write_ahead_log_and_checks_foreign_keys() -> None:
    def pragma(name: str) -> object:
        with connection.cursor() as cursor:
            return cursor.execute(f"PRAGMA {name}").fetchone()[0]

    assert [pragma(name) for name in ("journal_mode", "foreign_keys", "busy_timeout")] == ["wal", 1, 10_000]


@pytest.mark.django_db
def test_every_response_has_a_strict_content_security_policy(client: Client) -> None:
    answer = client.get("/healthz")
    assert sorted(answer["Content-Security-Policy"].split("; ")) == [
        "base-uri 'none'",
        "default-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    ]
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_an_unknown_host_name_is_refused(client: Client) -> None:
    assert client.get("/healthz", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        *[
            ({"DATABASE_URL": f"postgres://chess:{password}@db.example:5433/open"}, "/ is %2F")
            for password in ("p/ss", "1/2", "a@b/c:d", "p?ss", "x:/@")
        ],
        ({"EMAIL_URL": "smtp+tls://chess:p/ss@mail.example:587"}, "/ is %2F"),
        ({"EMAIL_URL": "smtpx://chess:pass@mail.example:587"}, "smtp+tls://user:password@"),
        ({"DATABASE_URL": "mysql://chess@db.example/open"}, "must begin with postgres://"),
        ({"DATABASE_URL": "postgres://db.example"}, "must look like postgres://"),
        ({"BACKUP_KEEP": "5 copies"}, "BACKUP_KEEP=5 copies is not a whole number"),
        ({"TIME_ZONE": "Europe/Wien"}, "Europe/Wien is not a time zone"),
    ],
)
def test_a_setting_that_cannot_be_read_gives_a_sentence_without_the_password(
    environment: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as stopped:
        runpy.run_path(SETTINGS)
    sentence = str(stopped.value)
    assert next(iter(environment)) in sentence
    assert words in sentence
    assert "\n" not in sentence
    assert not re.search(r"p[/?]ss|1/2|c:d|x:", sentence)


@pytest.mark.parametrize("password", ["p@ss", "p:ss", "p@s:s", "p%40ss", "p%2Fss%3A"])
def test_a_password_that_can_be_read_in_one_way_only_is_read(
    password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgres://chess:{password}@db.example:5433/open")
    database = runpy.run_path(SETTINGS)["DATABASES"]["default"]
    assert (database["PASSWORD"], database["HOST"], database["NAME"]) == (
        unquote(password),
        "db.example",
        "open",
    )
