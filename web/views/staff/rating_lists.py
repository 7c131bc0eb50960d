"""The rating lists of the site, of one event and of a section: what is there, what is imported, what differs."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from base.reader import READER
from base.text import isolated
from ratings.actions import fetching, offering
from ratings.actions.importing import MOST_OF_EVENT as MOST_PLAYERS
from ratings.actions.offering import MOST_OF_EVENT
from ratings.models import FIDE, KnownOrigin, RatingList
from ratings.search import series_from_files
from ratings.storage.layout import INDEX
from tournaments.actions import rating_lists as actions
from tournaments.actions.rating_lists import set_list_use, set_rating_lists, take_new_ratings
from tournaments.errors import DomainError
from tournaments.files.cell_values import HIGHEST_RATING, LOWEST_RATING
from tournaments.files.rating_lists import Sample, sample_of
from tournaments.models import Event, Section
from tournaments.queries.rating_lists import (
    DEFAULTS,
    codes_to_choose,
    list_comparison,
    lists_in_force,
    month_of,
    outdated_lists,
    past_lists,
    sections_using,
    sequence_of,
)
from tournaments.rights import Right
from web.context import section_context, section_url
from web.forms.errors import add_refusal
from web.forms.rating_lists import EventListForm, ListColumnsForm, ListFileForm, OriginForm
from web.requests import PersonRequest
from web.words.rating_lists import (
    bad_lines_of,
    doubts_of,
    list_title,
    origin_of,
    origin_problem,
    refused_list,
    step_of,
)
from web.words.refusals import explain

from .access import SET_UP, actor_of, answers_of, asks_for_part, event_page, person_page, posted, section_page

# The rating lists of the site, and those of one event: what is there, what is imported, and new ones.
#
# `event` is none on the pages of the site.

MANAGERS = "tournaments.manage_lists"
PART_BYTES = 4 * 1024**2
"""Of a file that the script sends in parts, because a request has a limit."""
UNDER_WAY = (RatingList.State.WAITING, RatingList.State.LOADING)


@person_page("GET", "HEAD", permission=MANAGERS)
def rating_lists(request: PersonRequest) -> HttpResponse:
    """Show the lists. While one is imported, the page asks for the table again and again."""
    return _rating_lists_page(request, None)


@event_page("GET", "HEAD")
def event_lists(request: PersonRequest, event: Event) -> HttpResponse:
    """Show the lists of an event in the same way."""
    return _rating_lists_page(request, event)


def _rating_lists_page(
    request: PersonRequest,
    event: Event | None,
    form: ListFileForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    lists = list(RatingList.objects.filter(event=event))
    context: dict[str, Any] = {
        "event": event,
        "rows": [_row(listing, event) for listing in lists],
        "under_way": any(listing.state in UNDER_WAY for listing in lists),
        "page": _address_of("rating-lists", event),
        "problem": problem,
    }
    if event is None:
        template = "staff/rating_lists.html"
        context |= {"form": form or ListFileForm(), **_of_site()}
    else:
        template = "staff/event_lists.html"
        limits = {
            "lists": MOST_OF_EVENT,
            "players": number_format(MOST_PLAYERS, use_l10n=True, force_grouping=True),
            "days": actions.EVENT_LISTS_KEPT.days,
        }
        megabytes = settings.REQUEST_BODY_LIMIT // 1024**2
        context |= {"form": form or EventListForm(), "limits": {**limits, "megabytes": megabytes}}
    template = "staff/rating_lists_table.html" if asks_for_part(request) else template
    return render(request, template, context, status=status)


def _of_site() -> dict[str, Any]:
    origins = list(KnownOrigin.objects.all())
    return {
        "past": len(past_lists()),
        "origins": [
            (origin, *origin_problem(origin), OriginForm.of(origin.series, origin.address, origin.pk))
            for origin in origins
        ],
        "by_hand": [(series, OriginForm.of(series)) for series in series_from_files()],
        "keeps_fide": any(not origin.reading for origin in origins),
        "part_bytes": PART_BYTES,
    }


def _address_of(name: str, event: Event | None, *where: int) -> str:
    """Return the address of a page of the site, or of the same page of the event."""
    if event is None:
        return reverse(f"tournaments:{name}", args=where)
    return reverse(f"tournaments:event-{name}", args=[event.slug, *where])


def _row(listing: RatingList, event: Event | None) -> dict[str, Any]:
    return {
        "list": listing,
        "answer": _address_of("rating-list-answer", event, listing.pk),
        "origin": origin_of(listing),
        "players": number_format(listing.rows, use_l10n=True, force_grouping=True),
        "step": step_of(listing) if listing.state in UNDER_WAY else "",
        "doubts": doubts_of(listing) if listing.state == RatingList.State.ASKING else [],
        "bad": bad_lines_of(listing),
        "outdated": listing.is_ready and listing.index != INDEX,
        "problem": refused_list(listing.problem["code"], listing.problem["params"])
        if listing.problem
        else "",
    }


@person_page("POST", permission=MANAGERS)
def take_part(request: PersonRequest) -> HttpResponse:
    """Take one part of a file that the script sends. The first part has no token yet and gets one."""
    sent = request.FILES.get("part")
    start = request.POST.get("start", "")
    if not isinstance(sent, UploadedFile) or not start.isdecimal() or len(start) > 12:
        return JsonResponse({}, status=422)
    token = request.POST.get("sent") or offering.new_file()
    with actions.refusals():
        size = offering.add_part(token, int(start), sent.read(PART_BYTES))
    return JsonResponse({"sent": token, "size": size})


@person_page("POST", permission=MANAGERS)
def take_file(request: PersonRequest) -> HttpResponse:
    """Take a whole file. One that is no list of FIDE leads to the question what its columns are."""
    return _take_file(request, None, ListFileForm(request.POST, request.FILES))


@event_page("POST")
def take_event_file(request: PersonRequest, event: Event) -> HttpResponse:
    """Take a file for an event in the same way."""
    return _take_file(request, event, EventListForm(request.POST, request.FILES))


def _take_file(request: PersonRequest, event: Event | None, form: ListFileForm) -> HttpResponse:
    if not form.is_valid():
        return _rating_lists_page(request, event, form, status=422)
    file, given = form.cleaned_data["file"], form.cleaned_data
    token, name = given["sent"], given["sent_name"]
    try:
        if file is not None:
            with actions.refusals():
                token, name = offering.new_file_of(file.chunks(), of_event=event is not None), file.name
        named = {"series": given["series"]} if event is not None else {}
        listing = actions.take_list(
            actor=actor_of(request),
            file=token,
            file_name=name,
            event=event,
            kind=given["kind"],
            period=given["period"],
            **named,
        )
    except DomainError as error:
        if error.params.get("reason") != "not_a_list" or not _is_table(token):
            if file is not None and token:
                offering.forget_file(token)
            add_refusal(form, error)
            return _rating_lists_page(request, event, form, status=error.status)
        return _columns(request, event, token, name, given.get("series", ""))
    messages.info(request, _arrived(listing))
    return redirect(_address_of("rating-lists", event))


def _arrived(listing: RatingList) -> str:
    sentence = _("The file of %(list)s has arrived. The table shows when the list can be used.")
    return sentence % {"list": listing.label}


def _is_table(token: str) -> bool:
    try:
        _sample(token)
    except DomainError:
        return False
    return True


def _sample(token: str) -> Sample:
    with actions.refusals():
        return sample_of(offering.path_of(token))


@person_page("GET", "HEAD", "POST", permission=MANAGERS)
def columns(request: PersonRequest) -> HttpResponse:
    """Ask what the columns of a file that was sent are, and take the list."""
    return _ask_columns(request, None)


@event_page("GET", "HEAD", "POST")
def event_columns(request: PersonRequest, event: Event) -> HttpResponse:
    """Ask the same about a file for an event."""
    return _ask_columns(request, event)


def _ask_columns(request: PersonRequest, event: Event | None) -> HttpResponse:
    if request.method != "POST" or not request.POST.get("sent"):
        return redirect(_address_of("rating-lists", event))
    return _columns(request, event, request.POST["sent"], request.POST.get("sent_name", "")[:120])


def _columns(
    request: PersonRequest, event: Event | None, token: str, name: str, series: str = ""
) -> HttpResponse:
    try:
        sample = _sample(token)
    except DomainError as error:
        return _rating_lists_page(request, event, problem=explain(error), status=error.status)
    answered = posted(request) if "delimiter" in request.POST else None
    form = ListColumnsForm(
        answered, rows=sample.rows, guessed=sample.reading, series=series, of_event=event is not None
    )
    if answered is not None and form.is_valid():
        given, reading = form.cleaned_data, form.reading().stored()
        actor, series, there = actor_of(request), given["series"], given.get("address")
        try:
            if there:
                actions.keep_list(actor=actor, address=there, series=series, reading=reading)
            listing = actions.take_list(
                actor=actor,
                file=token,
                file_name=name,
                event=event,
                series=series,
                period=given["period"],
                reading=reading,
            )
        except DomainError as error:
            add_refusal(form, error)
        else:
            messages.info(request, _arrived(listing))
            return redirect(_address_of("rating-lists", event))
    numbers = range(2, len(sample.rows) + 1)
    context = {
        "layout": "staff/event_page.html" if event is not None else "base.html",
        "event": event,
        "form": form,
        "numbers": numbers,
        "sent": token,
        "sent_name": name,
        "columns": _address_of("rating-list-columns", event),
    }
    return render(request, "staff/rating_list_columns.html", context, status=422 if form.errors else 200)


@person_page("POST", permission=MANAGERS)
def answer(request: PersonRequest, listing: int) -> HttpResponse:
    """Use a doubtful or a replaced list, or delete a list."""
    return _answer(request, None, listing)


@event_page("POST")
def event_answer(request: PersonRequest, event: Event, event_list: int) -> HttpResponse:
    """Do the same with a list of an event. A list of the site or of another event does not exist here."""
    return _answer(request, event, event_list)


def _answer(request: PersonRequest, event: Event | None, listing: int) -> HttpResponse:
    actor = actor_of(request)
    try:
        if request.POST.get("do") == "use":
            done = actions.accept_list(actor=actor, list_id=listing, event=event)
            messages.info(request, _("%(list)s is used from now on.") % {"list": done.label})
        else:
            used_by = [
                name
                for found in RatingList.objects.filter(pk=listing, event=event)
                for name in sections_using(found)
            ]
            done = actions.remove_list(actor=actor, list_id=listing, event=event, used_by=used_by)
            messages.info(request, _("%(list)s is deleted.") % {"list": done.label})
    except DomainError as error:
        return _rating_lists_page(request, event, problem=explain(error), status=error.status)
    return redirect(_address_of("rating-lists", event))


def _address(request: PersonRequest) -> HttpResponse:
    """Keep the address at which the next lists of a federation are looked for."""
    form = OriginForm(request.POST)
    if not form.is_valid():
        return _rating_lists_page(
            request, None, problem=" ".join(map(str, form.errors.get("address", ()))), status=422
        )
    actor, address = actor_of(request), form.cleaned_data["address"]
    try:
        if key := form.cleaned_data["origin"]:
            actions.change_address(actor=actor, origin_id=key, address=address)
        else:
            actions.keep_series(actor=actor, series=form.cleaned_data["series"], address=address)
    except DomainError as error:
        return _rating_lists_page(request, None, problem=explain(error), status=error.status)
    messages.info(request, _("The server looks for new lists now."))
    return redirect("tournaments:rating-lists")


@person_page("POST", permission=MANAGERS)
def origin(request: PersonRequest) -> HttpResponse:
    """Keep a list up to date, look for new lists now, or stop; or delete the lists of earlier months."""
    do, actor = request.POST.get("do", ""), actor_of(request)
    if do == "past":
        for listing in past_lists():
            actions.remove_list(actor=actor, list_id=listing.pk)
        return redirect("tournaments:rating-lists")
    if do == "address":
        return _address(request)
    key = request.POST.get("origin", "")
    if do == "stop" and key.isdecimal() and len(key) < 19:
        actions.stop_keeping(actor=actor, origin_id=int(key))
    elif do == "look":
        fetching.look_now()
        messages.info(request, _("The server looks for new lists now."))
    elif do == "keep":
        actions.keep_list(actor=actor)
        messages.info(
            request, _("The server fetches the list of FIDE now, and looks every day for a new one.")
        )
    return redirect("tournaments:rating-lists")


# The rating lists of a section, and the comparison of its entries with them.

MOST_NAMES = 12


@section_page("GET", "HEAD", "POST", permission=SET_UP)
def section_rating_lists(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the lists and what differs. A POST changes the lists, or takes the chosen new ratings."""
    if request.method != "POST":
        return _section_page(request, section)
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
        return _section_page(request, section, error)
    return redirect(section_url("section-lists", section))


def _take(request: PersonRequest, section: Section, revision: int) -> None:
    chosen = {int(key) for key in request.POST.getlist("entry") if key.isdecimal() and len(key) < 19}
    if request.POST.get("all") == "yes":
        chosen |= {one.entry.pk for one in list_comparison(section).differences if not one.listed_name}
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


def _section_page(request: PersonRequest, section: Section, error: DomainError | None = None) -> HttpResponse:
    section.refresh_from_db(fields=["revision", "rating_lists", "lists_compared", "minimum_rating"])
    sequence = lists_in_force(section)
    old, found = outdated_lists(section, sequence), list_comparison(section)
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
        "takes": not section.is_closed and not getattr(request, "only_looks", False),
        "chosen": set(request.POST.getlist("entry")),
        "all_chosen": request.POST.get("all") == "yes",
        "problem": explain(error) if error and not asks else "",
        "question": explain(error) if error and asks else "",
        "answer": error.answer if error else "",
        "kinds": [("standard", _("Standard")), ("rapid", _("Rapid")), ("blitz", _("Blitz"))],
    }
    return render(request, "staff/section_lists.html", context, status=error.status if error else 200)
