"""The pages of the manual: the same for everybody, whoever is logged in, and without a query to the database.

An arbiter reads them where there is no network any more, so the browser may keep them (static/js/manual.js).
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from manual import search
from manual.book import Book, Chapter, book, html_of


@require_safe
def contents(request: HttpRequest) -> HttpResponseBase:
    """Show the chapters with their headings, and the search: what a browser without scripts has asked for (`?q=`)."""
    if "q" in request.GET:
        asked = request.GET["q"][: search.LONGEST]
        *_, files = place(request)
        found = {"asked": asked, "hits": search.search(here().language, asked) if asked.strip() else []}
        return HttpResponse(render_to_string("manual/contents.html", context_of(files) | found))
    return answer(request, made("contents", *place(request)))


@require_safe
def chapter(request: HttpRequest, chapter: str) -> HttpResponseBase:
    if all(chapter != each.slug for each in book().chapters):
        raise Http404
    return answer(request, made("chapter", *place(request), chapter))


@require_safe
def whole(request: HttpRequest) -> HttpResponseBase:
    """Show all chapters on one page, to print them or to save them."""
    return answer(request, made("whole", *place(request)))


@require_safe
def index(request: HttpRequest) -> HttpResponseBase:
    """Send the text of the manual for the search in the browser, and where each word stands."""
    return tagged(request, JsonResponse(search.index(here().language)), here().version)


def here() -> Book:
    """Return the manual in the language of the address."""
    return book(str(get_language()))


def answer(request: HttpRequest, page: str) -> HttpResponseBase:
    return tagged(request, HttpResponse(page), hashlib.sha256(page.encode()).hexdigest()[:24])


def tagged(request: HttpRequest, response: HttpResponse, version: str) -> HttpResponseBase:
    """Let the browser keep the answer and ask each time whether it is still the same."""
    response.headers["ETag"] = tag = f'W/"{version}"'
    return get_conditional_response(request, etag=tag, response=response) or response


def place(request: HttpRequest) -> tuple[str, str, str]:
    """Return what a page depends on besides its chapter: its address, its language and the version of static files."""
    return request.path, str(get_language()), str(getattr(staticfiles_storage, "manifest_hash", ""))


@lru_cache(maxsize=200)
def made(name: str, _path: str, _language: str, files: str, slug: str = "") -> str:
    """Return a page in the frame of a language."""
    chapters = here().chapters
    address = reverse("manual")
    at = next((at for at, each in enumerate(chapters) if each.slug == slug), -1)
    context = context_of(files)
    if name == "chapter":
        context |= {
            "chapter": chapters[at],
            "html": written(chapters[at], address),
            "before": chapters[at - 1] if at else None,
            "after": chapters[at + 1] if at + 1 < len(chapters) else None,
        }
    elif name == "whole":
        context["written"] = [(each, written(each, None)) for each in chapters]
    return render_to_string(f"manual/{name}.html", context)


def context_of(files: str) -> dict[str, Any]:
    """Return what all pages have."""
    whole = here()
    return {
        "parts": [
            (part, [each for each in whole.chapters if each.part == part])
            for part in dict.fromkeys(each.part for each in whole.chapters)
        ],
        "book_language": whole.language,
        "translated": whole.language == get_language(),
        "keeps": " ".join(kept(reverse("manual"))),
        "worker": settings.OFFLINE_PAGES,
        "version": f"{whole.version}-{files}",
    }


def written(chapter: Chapter, address: str | None) -> str:
    return mark_safe(html_of(chapter, here(), address))  # noqa: S308  # our own chapters, and the parser takes no HTML


def kept(address: str) -> list[str]:
    """Return the addresses of all that a device needs to read the manual without a network, but scripts and styles."""
    chapters = book().chapters
    pages = [address, reverse("manual-whole"), reverse("manual-index")]
    pictures = {name for each in chapters for name in each.pictures}
    return [
        *pages,
        *(reverse("manual-chapter", args=[each.slug]) for each in chapters),
        *(static(f"manual/{name}") for name in sorted(pictures)),
    ]
