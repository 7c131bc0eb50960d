"""The rating lists of a section, and the comparison of its entries with them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from base.reader import READER
from base.text import isolated
from ratings.models import FIDE
from tournaments.actions.section_lists import set_list_use, set_rating_lists, take_new_ratings
from tournaments.errors import DomainError
from tournaments.imports.cells import HIGHEST_RATING, LOWEST_RATING
from tournaments.models import Section
from tournaments.queries.list_comparison import comparison, outdated
from tournaments.queries.rating_lists import (
    DEFAULTS,
    codes_to_choose,
    lists_in_force,
    month_of,
    sequence_of,
)
from tournaments.rights import Right
from web.context import section_context, section_url
from web.requests import PersonRequest
from web.words.rating_lists import list_title, origin_of
from web.words.refusals import explain

from .access import SET_UP, actor_of, answers_of, section_page

MOST_NAMES = 12


@section_page("GET", "HEAD", "POST", permission=SET_UP)
def section_lists(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the lists and what differs. A POST changes the lists, or takes the chosen new ratings."""
    if request.method != "POST":
        return _page(request, section)
    seen = request.POST.get("seen", "")
    revision = int(seen) if seen.isdecimal() and len(seen) < 10 else -1
    do, _sign, what = request.POST.get("do", "").partition(" ")
    try:
        if do == "take":
            _take(request, section, revision)
        elif do == "use":
            _use(request, section, revision)
        else:
            codes = _changed(sequence_of(section), do, what)
            set_rating_lists(
                actor=actor_of(request), section_id=section.pk, codes=codes, seen_revision=revision
            )
    except DomainError as error:
        return _page(request, section, error)
    return redirect(section_url("section-lists", section))


def _take(request: PersonRequest, section: Section, revision: int) -> None:
    chosen = {int(key) for key in request.POST.getlist("entry") if key.isdecimal() and len(key) < 19}
    if request.POST.get("all") == "yes":
        chosen |= {one.entry.pk for one in comparison(section).differences if not one.listed_name}
    done = take_new_ratings(
        actor=actor_of(request),
        section=section,
        chosen=chosen,
        seen_revision=revision,
        seen_lists=request.POST.get("lists"),
        asked=answers_of(request),
    )
    sentence = ngettext("%(count)s entry has a new rating.", "%(count)s entries have new ratings.", done)
    messages.info(request, sentence % {"count": done})


def _use(request: PersonRequest, section: Section, revision: int) -> None:
    typed = request.POST.get("minimum_rating", "").strip()
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else 0 if not typed else -1
    set_list_use(
        actor=actor_of(request),
        section_id=section.pk,
        lists_compared=request.POST.get("lists_compared") == "on",
        minimum_rating=number,
        seen_revision=revision,
    )


def _changed(codes: tuple[str, ...], do: str, what: str) -> list[str]:
    """Return the sequence after one press: a default, one list up, away or at the end."""
    if do == "default":
        return list(DEFAULTS.get(what, codes))
    changed = list(codes)
    if do == "add":
        return [*changed, what]
    if what in changed:
        place = changed.index(what)
        changed.remove(what)
        if do == "up":
            changed.insert(max(place - 1, 0), what)
    return changed


def _page(request: PersonRequest, section: Section, error: DomainError | None = None) -> HttpResponse:
    section.refresh_from_db(fields=["revision", "rating_lists", "lists_compared", "minimum_rating"])
    sequence = lists_in_force(section)
    old, found = outdated(section, sequence), comparison(section)
    gone = [isolated(entry.player.name) for entry in found.not_rated]
    asks = error is not None and error.code == "numbers_to_confirm"
    context = {
        **section_context(request, section, "entries"),
        "sequence": [(one, list_title(one.code), one in old, origin_of(one.listing)) for one in sequence],
        "outdated": bool(old),
        "some_later": any(one.later is not None for one in sequence),
        "choices": [(code, list_title(code)) for code in codes_to_choose(section)],
        "differences": [(one, list_title(one.source.code)) for one in found.differences],
        "not_rated": READER.listed(gone, longest=MOST_NAMES),
        "not_rated_count": len(gone),
        "has_national": any(one.series != FIDE for one in sequence),
        "month": month_of(section),
        "imports_lists": Right.MANAGE in request.rights,
        "period": found.period if found.period > 1 else None,
        "lowest": LOWEST_RATING,
        "highest": HIGHEST_RATING,
        "lists": found.lists,
        "chosen": set(request.POST.getlist("entry")),
        "all_chosen": request.POST.get("all") == "yes",
        "problem": explain(error) if error and not asks else "",
        "question": explain(error) if error and asks else "",
        "answer": error.answer if error else "",
        "kinds": [("standard", _("Standard")), ("rapid", _("Rapid")), ("blitz", _("Blitz"))],
    }
    return render(request, "staff/section_lists.html", context, status=error.status if error else 200)
