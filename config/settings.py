"""Django's settings. Values that differ between installations come from the environment: docs/install.md names them.

server/main.py reads HOST, PORT, THREADS, PUBLIC_THREADS and TRUSTED_PROXY.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from pythonjsonlogger.core import RESERVED_ATTRS
from tzlocal import get_localzone_name

from config.languages import ALL, KNOWN, finished, translated
from config.secret_key import secret_key
from evenboard_engine import PROGRAM


def computer_zone() -> str:
    """Return the name of the computer's time zone, such as Europe/Vienna; UTC if the zone is unknown."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about unusual configuration files do not matter here
            return ZoneInfo(get_localzone_name() or "UTC").key
    except (LookupError, ValueError, OSError):
        return "UTC"


BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()


def number(name: str, usual: int, least: int = 0) -> int:
    """Return the whole number of a setting, at least `least`. End with a sentence if it is none."""
    given = env.str(name, default="").strip() or str(usual)
    if not re.fullmatch(r"-?[0-9]+", given):
        raise SystemExit(f"{name}={given} is not a whole number. Write it like {name}={usual}.")
    return max(int(given), least)


def server_of(name: str, url: str, read: Callable[[str], dict[str, Any]], example: str) -> dict[str, Any]:
    """Return what an address of a server with a login means. End with a sentence if it cannot be read; the sentence does
    not repeat the address, because it has a password.
    """
    try:
        found = read(url)
    except (ValueError, ImproperlyConfigured):
        found = {}
    behind = found.get(
        "NAME", found.get("EMAIL_FILE_PATH")
    )  # an @ here means that a / of the password ended the host
    if not found or behind is None or "@" in str(behind) or found.get("NAME") == "":
        raise SystemExit(
            f"{name} cannot be read. It must look like {example}. If the password has one of these characters, write "
            "the code instead: @ is %40, / is %2F, : is %3A, ? is %3F, # is %23, % is %25."
        )
    return found


if (
    os.name == "posix"
):  # the database, its log and copies have personal data: only the owner reads what is written
    os.umask(os.umask(0o077) | 0o077)
VAR_DIR = Path(env.str("VAR_DIR", default="") or BASE_DIR / "var").resolve()
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
BACKUP_DIR = env.str("BACKUP_DIR", default="")
BACKUP_KEEP = number("BACKUP_KEEP", 50)
BACKUP_DAYS = number("BACKUP_DAYS", 90)
BACKUP_TO = env.str("BACKUP_TO", default="")
BACKUP_EVERY = number("BACKUP_EVERY", 10, 1)
BACKUP_TO_KEEP = number("BACKUP_TO_KEEP", 30, 1)

# Security ---------------------------------------------------------------------------------------------------

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or secret_key(VAR_DIR / "secret-key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
CONTACT = env.str("CONTACT", default="")
PUBLIC_URL = env.str("PUBLIC_URL", default="").rstrip("/")

# The laptop in the playing hall serves plain http, and browsers send no secure cookies over http: nobody could log in.
# Behind an https proxy, HTTPS=on turns all protections on.
HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

SESSION_ENGINE = "web.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True  # htmx takes the token from the page, not from the cookie
CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    },
}

# A larger request is refused before all of it is read (server/main.py). Forms that take files have smaller limits.
REQUEST_BODY_LIMIT = 10 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000
DATA_UPLOAD_MAX_NUMBER_FILES = 5
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# Public pages are made once a revision and kept in memory (web/page_cache.py).
PAGE_STORE_MB = number("PAGE_STORE_MB", 64)
# The phones of visitors keep the last pages that they have seen (static/js/worker).
OFFLINE_PAGES = env.bool("OFFLINE_PAGES", default=True)

# Notices on phones when a round is published (tournaments/push_messages.py). A name with a dot in front is every name below it.
PUSH_KEY = env.str("PUSH_KEY", default="") or secret_key(
    Path(env.str("PUSH_KEY_FILE", default="") or VAR_DIR / "push-key")
)
PUSH_CONTACT = env.str("PUSH_CONTACT", default="") or (
    PUBLIC_URL
    if PUBLIC_URL.startswith("https:")
    else f"mailto:{env.str('EMAIL_FROM', default='') or 'evenboard@localhost'}"
)
PUSH_SERVICES = env.list("PUSH_SERVICES", default=[]) or [
    "fcm.googleapis.com",  # Chrome, Edge on Android, Opera, Samsung
    "updates.push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
]

# Networks such as 192.168.1.0/24 to which webhooks may send, and from which national rating lists are fetched, also by plain
# http: that of a hall. Otherwise only the internet.
WEBHOOK_NETWORKS = env.list("WEBHOOK_NETWORKS", default=[])

# Where FIDE publishes its list with all ratings. It has moved before.
FIDE_LIST_URL = env.str("FIDE_LIST_URL", default="") or "https://ratings.fide.com/download/players_list.zip"

# Application ------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "server",  # before auth: it has its own command changepassword
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_htmx",
    "template_partials",
    "rules.apps.AutodiscoverRulesConfig",
    "csp",
    "manual",
    "ratings",
    "tournaments",
    "web",
    "registrations",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "web.middleware.NotInSearchEngines",
    "web.languages.LanguageOfAddress",
    "web.page_cache.MadeOnce",  # after those whose headers every answer needs
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "web.sessions.LooksOnly",
    "web.languages.LanguageOfLogin",
    "web.recent_logins.RememberSessions",
    "web.middleware.NotesSessions",
    "web.middleware.CarriesTerm",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "web.middleware.TimesOfTheServer",
    "web.middleware.WordsForLargeRequests",
    "web.middleware.WordsForWrongMethods",
]

# Addresses of the API that applications above `tournaments` add.
API_OPERATIONS = ["registrations.api.urls.operations"]
API_PUBLIC_OPERATIONS = ["registrations.api.public.public_operations"]
ROOT_URLCONF = "server.urls"
WSGI_APPLICATION = "server.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            [
                                "config.template_files.Loader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        )
                    ],
                )
            ],
            "builtins": [
                *(f"django.templatetags.{name}" for name in ("i18n", "static", "tz")),
                *("template_partials.templatetags.partials", "rules.templatetags.rules"),
                *("manual.templatetags.manual", "registrations.templatetags.registrations"),
                *(
                    f"web.templatetags.{name}"
                    for name in ("buttons", "cells", "lists", "marks", "page", "parts")
                ),
                *(f"web.templatetags.{name}" for name in ("ties", "values", "builtins")),
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Database ---------------------------------------------------------------------------------------------------


def database() -> dict[str, object]:
    """Return the settings of the database in DATABASE_URL, adapted to its kind.

    SQLite: every transaction takes the write lock at its start, so that one of two arbiters waits and none fails in the
    middle. Readers are never blocked (WAL). A commit is on the disk before the arbiter sees it (synchronous=FULL), so
    that no result is lost if the laptop loses power.
    """
    url = env.str("DATABASE_URL", default="") or "sqlite:///evenboard.sqlite3"
    kind = url.partition(":")[0]
    if kind == "sqlite":
        config: dict[str, object] = dict(env.db_url_config(url))
        if not env.str(
            "DATABASE_URL", default=""
        ):  # the name of a directory may have characters that an address has not
            config["NAME"] = str(VAR_DIR / "evenboard.sqlite3")
        config["CONN_MAX_AGE"] = (
            None  # keep connections: closing the last one would write the log into the file each time
        )
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,  # seconds that a writer waits; the page for results waits 15 s for an answer
            "cached_statements": 500,  # that a connection keeps prepared; the pages of an event send some hundred kinds
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; "
            "PRAGMA secure_delete=ON",  # what is deleted is overwritten,
        }
    elif kind not in ("postgres", "postgresql"):
        raise SystemExit(f"DATABASE_URL begins with {kind}. It must begin with postgres:// or sqlite:///.")
    else:
        from base.postgresql.base import CONNECT_SECONDS, LOCK_SECONDS, STATEMENT_SECONDS

        config = server_of("DATABASE_URL", url, env.db_url_config, "postgres://user:password@host:5432/name")
        config.setdefault("CONN_MAX_AGE", 60)
        config["CONN_HEALTH_CHECKS"] = True
        config["ENGINE"] = "base.postgresql"
        limits = {"statement_timeout": STATEMENT_SECONDS, "lock_timeout": LOCK_SECONDS}
        own = cast("dict[str, Any]", config.get("OPTIONS") or {})  # from the query of the address
        server_options = " ".join(f"-c {name}={seconds}s" for name, seconds in limits.items())
        config["OPTIONS"] = {
            "connect_timeout": CONNECT_SECONDS,
            **own,
            "options": f"{server_options} {own.get('options', '')}".strip(),
        }
    return config


DATABASES = {"default": database()}

# People -----------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "tournaments.User"
AUTHENTICATION_BACKENDS = [
    "rules.permissions.ObjectPermissionBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "tournaments.actions.logins.password_hashing.PatientArgon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

# Mail: links to a new password, only if EMAIL_URL is set, and mails about registrations, else on the console
MAIL_IS_SET_UP = bool(env.str("EMAIL_URL", default=""))
if MAIL_IS_SET_UP:
    vars().update(
        server_of(
            "EMAIL_URL",
            env.str("EMAIL_URL"),
            env.email_url_config,
            "smtp+tls://user:password@mail.example:587",
        )
    )
else:
    EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="") or "evenboard@localhost"

CACHE_KINDS = {"valkey": "redis", "valkeys": "rediss", "redis": "redis", "rediss": "rediss"}


def common_cache(url: str) -> dict[str, Any]:
    """Return where is counted how often a network asked: in the memory of the process, or in the Valkey of CACHE_URL."""
    # With Django's usual 300 entries, 300 networks that ask push out the counts of all others.
    values: dict[str, Any] = {"OPTIONS": {"MAX_ENTRIES": 20_000}}
    if not url:
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", **values}
    kind, _sep, place = url.partition("://")

    def read(_url: str) -> dict[str, Any]:
        parts = urlsplit(f"{CACHE_KINDS[kind]}://{place}")
        number = parts.path.removeprefix("/") or "0"
        _ = parts.port  # raises ValueError
        good = parts.hostname and number.isdecimal() and not parts.fragment
        return {"NAME": number, "LOCATION": [parts.geturl()]} if good else {}

    usual = "valkey://:password@host:6379/0"
    found = server_of("CACHE_URL", url, read, usual) if kind in CACHE_KINDS else {}
    if not found:
        raise SystemExit(f"CACHE_URL begins with {kind}. It must look like {usual}.")
    return {"BACKEND": "base.common_cache.CommonCache", "LOCATION": found["LOCATION"], **values}


CACHES = {"default": common_cache(env.str("CACHE_URL", default=""))}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

# Only the description of the API reads this (api/v1/schema.py).
SPECTACULAR_SETTINGS = {
    "TITLE": "Evenboard",
    "VERSION": "1",
    "DESCRIPTION": "Run a tournament from another program: docs/api.md.",
    "OAS_VERSION": "3.1.0",
    "EXTENSIONS_INFO": {"x-program": PROGRAM},
    "POSTPROCESSING_HOOKS": [],
    "SCHEMA_PATH_PREFIX": "/api/v1",
}

# Language and time ------------------------------------------------------------------------------------------

USE_I18N = True
LANGUAGE_CODE = "en"
KNOWN_LANGUAGES = KNOWN
LANGUAGES = KNOWN if env.bool("UNFINISHED_LANGUAGES", default=False) else finished(BASE_DIR / "locale")
PARTLY_ENGLISH = [
    code for code, part in translated(BASE_DIR / "locale").items() if part != ALL
]  # for arbiters
LOCALE_PATHS = [VAR_DIR / "locale"]  # compiled from locale/ by server/catalogues.py
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="") or computer_zone()
try:
    ZoneInfo(TIME_ZONE)
except (LookupError, ValueError, OSError):
    raise SystemExit(f"TIME_ZONE={TIME_ZONE} is not a time zone. Write it like Europe/Vienna.") from None

# Static files -----------------------------------------------------------------------------------------------

STATIC_URL = "/static/"  # one address in all languages
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_files.HashedFiles"},
}

# Log: to the console, which the terminal, systemd and Docker show ------------------------------------------

LOG_FORMAT = env.str("LOG_FORMAT", default="") or "text"
if LOG_FORMAT not in ("text", "json"):
    raise SystemExit(f"LOG_FORMAT is {LOG_FORMAT}. It must be text or json.")
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name}: {message}{of_request}", "style": "{"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "format": "{asctime}{levelname}{name}{request_id}{message}",
            "style": "{",
            "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
            "static_fields": {"program": PROGRAM},
            "reserved_attrs": [*RESERVED_ATTRS, "of_request"],
        },
    },
    "filters": {
        "calm": {"()": "server.console.RefusalsOnceAnHour"},
        "outages": {"()": "server.console.OutagesInOneLine"},
        "discreet": {"()": "server.console.WithoutSecrets"},
        "request": {"()": "server.console.NamesRequest"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["calm", "outages", "discreet", "request"],
        }
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.request": {"level": "ERROR"},  # a page explains a refused request; the console need not
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "waitress.queue": {"level": "ERROR"},  # in a full hall requests often wait for a thread
    },
}
