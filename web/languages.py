"""The language of an answer: that of the address (/de/...), else that of the login, else that of the browser.

An address with a language is the address of the same page without it, below another script prefix. So `reverse`, forms
and redirects keep the language by themselves. See docs/decisions/0064-languages-in-addresses.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import get_script_prefix, set_script_prefix
from django.utils.cache import patch_vary_headers
from django.utils.translation import activate, get_language, get_supported_language_variant, override
from django.utils.translation.trans_real import parse_accept_lang_header

from base.cache import Cache
from tournaments.queries.events import slugs_in_use
from web.requests import Middleware

NOTED = "evenboard.language"  # in the environment of a request: the language of its address
MONITORS = (
    "/healthz",
    "/readyz",
    "/metrics",
)  # they must answer without the database, so they do not ask who it is


occupied: Cache[str, frozenset[str]] = Cache(1)
"""Under CODES, the languages whose code is the slug of an event. Such an event keeps its address, and the language has
none. The program gives no new event such a slug, so this is read once in a process.
"""
CODES = "codes"


def is_occupied(code: str) -> bool:
    """Return whether an event has the address of this language, as far as this was read. No query."""
    return code in (occupied.get(CODES) or ())


def divided(path: str) -> tuple[str, str]:
    """Return the language of an address and the rest: "de" and "/open/" for /de/open/, "" if it has no language."""
    code, slash, _rest = path[1:].partition("/")
    if slash and any(code == known for known, _name in settings.LANGUAGES) and not is_occupied(code):
        return code, path[len(code) + 1 :]
    return "", path


def language_asked(header: str) -> str:
    """Return the language of ours that a browser prefers. header: its Accept-Language."""
    for wanted, _weight in parse_accept_lang_header(header):
        if wanted == "*":
            break
        try:
            return get_supported_language_variant(wanted)
        except LookupError:
            continue
    return settings.LANGUAGE_CODE


def language_of(environ: Mapping[str, Any]) -> str:
    """Return the language for a request that has not come to `LanguageOfAddress`."""
    return divided(environ["PATH_INFO"])[0] or language_asked(environ.get("HTTP_ACCEPT_LANGUAGE", ""))


def for_any_reader(path: str) -> str:
    """Return the path of a page of ours without the language, so that the browser of its reader decides."""
    return divided(path)[1]


def in_language(path: str, language: str) -> str:
    """Return the path of a page of ours in this language, the path as it is for ""."""
    return f"/{language}{for_any_reader(path)}" if language else path


class LanguageOfAddress(Middleware):
    """Moves the language from the path of a request to its script prefix, and answers in this language."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        language = divided(request.path_info)[0]
        if language and CODES not in occupied:
            occupied.make(CODES, lambda: slugs_in_use(dict(settings.LANGUAGES)))
            language = divided(request.path_info)[0]
        if not language:
            with override(language_asked(request.META.get("HTTP_ACCEPT_LANGUAGE", ""))):
                answer = self._in_words(request)
            patch_vary_headers(answer, ["Accept-Language"])
            return answer
        length, former = len(language) + 1, get_script_prefix()
        request.path_info = request.path_info[length:]
        request.META |= {
            "SCRIPT_NAME": f"/{language}",
            "PATH_INFO": request.META["PATH_INFO"][length:],
            NOTED: language,
        }
        set_script_prefix(f"/{language}")
        try:
            with override(language):
                return self._in_words(request)
        finally:
            set_script_prefix(former)

    def _in_words(self, request: HttpRequest) -> HttpResponseBase:
        answer = self.get_response(request)
        answer.headers.setdefault("Content-Language", get_language())
        return answer


_FOR_VISITORS = (
    "web.views.public",
    "web.views.events",
    "web.views.logins",
    "web.views.logins",
    "api.v1.public",
    "registrations.api.public",
    "registrations.web.public",
    "manual",
)
"""Modules of views whose texts each finished language has (`locale/complete.toml`)."""


def for_logins(language: str) -> str:
    """Return the language in which people with a login read: English if this one has the public texts only."""
    return settings.LANGUAGE_CODE if language in settings.PARTLY_ENGLISH else language


class LanguageOfLogin(Middleware):
    """Answers in the language that a person who is logged in has chosen, at addresses without a language. Pages that
    only people with a login see are in English where their language has the public texts only: half of a page in each
    language would be harder to read.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        free = NOTED not in request.META and request.path_info not in MONITORS
        if free and settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
            chosen = request.user.language
            if chosen in dict(settings.LANGUAGES):
                with override(chosen):
                    answer = self.get_response(request)
                    answer.headers["Content-Language"] = get_language()
                return answer
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], *_given: object
    ) -> None:
        language = for_logins(get_language())
        if (
            language != get_language()
            and not view.__module__.startswith(_FOR_VISITORS)
            and _has_login(request)
        ):
            activate(language)  # until the language of the address or of the login ends


def _has_login(request: HttpRequest) -> bool:
    """Return whether a person who is logged in sent the request, or a program with a token."""
    return request.user.is_authenticated or "Authorization" in request.headers


# The choice ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LanguageChoice:
    """A language that a page offers. name: in this language itself. current: the page is in it."""

    code: str
    name: str
    url: str
    current: bool


def choices(request: HttpRequest) -> list[LanguageChoice]:
    """Return the page of this request in each language; nothing if there is only one."""
    query = request.GET.urlencode()
    rest = f"{request.path_info}?{query}" if query else request.path_info
    return [LanguageChoice(code, name, f"/{code}{rest}", code == get_language()) for code, name in offered()]


def offered() -> list[tuple[str, str]]:
    """Return codes and names of the languages that have addresses; nothing if there is only one."""
    found = [(code, str(name)) for code, name in settings.LANGUAGES if not is_occupied(code)]
    return found if len(found) > 1 else []


@dataclass(frozen=True, slots=True)
class PaperLanguage:
    """The language in which an arbiter wants paper: `?in=fr`. code: "" for that of the page."""

    code: str
    choices: list[LanguageChoice]

    def url(self, path: str) -> str:
        """Return a path of ours in this language."""
        return in_language(path, self.code)


def paper_language(request: HttpRequest) -> PaperLanguage:
    """Return the language that an arbiter has chosen for paper, with links that choose another one."""
    asked = request.GET.get("in", "")
    code = asked if asked in dict(offered()) else ""
    shown = code or get_language()
    links = [
        LanguageChoice(each, name, f"{request.path}?in={each}", each == shown) for each, name in offered()
    ]
    return PaperLanguage(code, links)
