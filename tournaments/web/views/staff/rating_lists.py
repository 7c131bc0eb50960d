"""The rating lists of the site: what is there, what is imported, and new ones."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from ratings.actions import fetching, offering
from ratings.models import KnownOrigin, RatingList
from ratings.queries.lists import series_from_files
from ratings.storage.layout import INDEX
from tournaments.actions import rating_lists as actions
from tournaments.errors import DomainError
from tournaments.imports.rating_columns import Sample, sample_of
from tournaments.queries.rating_lists import past_lists, sections_using
from tournaments.web.forms.errors import add_refusal
from tournaments.web.forms.rating_lists import AddressForm, ListColumnsForm, ListFileForm
from tournaments.web.requests import PersonRequest
from tournaments.web.words.rating_lists import (
    bad_lines_of,
    doubts_of,
    origin_problem,
    refused_list,
    step_of,
)
from tournaments.web.words.refusals import explain

from .access import actor_of, asks_for_part, person_page, posted

MANAGERS = "tournaments.manage_lists"
PART_BYTES = 4 * 1024**2
"""Of a file that the script sends in parts, because a request has a limit."""
UNDER_WAY = (RatingList.State.WAITING, RatingList.State.LOADING)


@person_page("GET", "HEAD", permission=MANAGERS)
def rating_lists(request: PersonRequest) -> HttpResponse:
    """Show the lists. While one is imported, the page asks for the table again and again."""
    return _page(request)


def _page(
    request: PersonRequest, form: ListFileForm | None = None, problem: str = "", status: int = 200
) -> HttpResponse:
    lists, origins = list(RatingList.objects.all()), list(KnownOrigin.objects.all())
    context = {
        "rows": [_row(listing) for listing in lists],
        "past": len(past_lists()),
        "under_way": any(listing.state in UNDER_WAY for listing in lists),
        "origins": [
            (origin, *origin_problem(origin), AddressForm.of(origin.series, origin.address, origin.pk))
            for origin in origins
        ],
        "by_hand": [(series, AddressForm.of(series)) for series in series_from_files()],
        "keeps_fide": any(not origin.reading for origin in origins),
        "form": form or ListFileForm(),
        "problem": problem,
        "part_bytes": PART_BYTES,
    }
    template = "staff/rating_lists.html#lists" if asks_for_part(request) else "staff/rating_lists.html"
    return render(request, template, context, status=status)


def _row(listing: RatingList) -> dict[str, Any]:
    return {
        "list": listing,
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
    form = ListFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, form, status=422)
    file, given = form.cleaned_data["file"], form.cleaned_data
    token, name = given["sent"], given["sent_name"]
    try:
        if file is not None:
            with actions.refusals():
                token, name = offering.new_file_of(file.chunks()), file.name
        listing = actions.take_list(
            actor=actor_of(request), file=token, file_name=name, kind=given["kind"], period=given["period"]
        )
    except DomainError as error:
        if error.params.get("reason") != "not_a_list" or not _is_table(token):
            add_refusal(form, error)
            return _page(request, form, status=error.status)
        return _columns(request, token, name)
    messages.info(request, _arrived(listing))
    return redirect("tournaments:rating-lists")


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
    if request.method != "POST" or not request.POST.get("sent"):
        return redirect("tournaments:rating-lists")
    return _columns(request, request.POST["sent"], request.POST.get("sent_name", "")[:120])


def _columns(request: PersonRequest, token: str, name: str) -> HttpResponse:
    try:
        sample = _sample(token)
    except DomainError as error:
        return _page(request, problem=explain(error), status=error.status)
    answered = posted(request) if "delimiter" in request.POST else None
    form = ListColumnsForm(answered, rows=sample.rows, guessed=sample.reading)
    if answered is not None and form.is_valid():
        given, reading = form.cleaned_data, form.reading().stored()
        actor, series, there = actor_of(request), given["series"], given["address"]
        try:
            if there:
                actions.keep_list(actor=actor, address=there, series=series, reading=reading)
            listing = actions.take_list(
                actor=actor,
                file=token,
                file_name=name,
                series=series,
                period=given["period"],
                reading=reading,
            )
        except DomainError as error:
            add_refusal(form, error)
        else:
            messages.info(request, _arrived(listing))
            return redirect("tournaments:rating-lists")
    numbers = range(2, len(sample.rows) + 1)
    context = {"form": form, "numbers": numbers, "sent": token, "sent_name": name}
    return render(request, "staff/rating_list_columns.html", context, status=422 if form.errors else 200)


@person_page("POST", permission=MANAGERS)
def answer(request: PersonRequest, listing: int) -> HttpResponse:
    """Use a doubtful or a replaced list, or delete a list."""
    actor = actor_of(request)
    try:
        if request.POST.get("do") == "use":
            done = actions.accept_list(actor=actor, list_id=listing)
            messages.info(request, _("%(list)s is used from now on.") % {"list": done.label})
        else:
            used_by = [
                name for found in RatingList.objects.filter(pk=listing) for name in sections_using(found)
            ]
            done = actions.remove_list(actor=actor, list_id=listing, used_by=used_by)
            messages.info(request, _("%(list)s is deleted.") % {"list": done.label})
    except DomainError as error:
        return _page(request, problem=explain(error), status=error.status)
    return redirect("tournaments:rating-lists")


def _address(request: PersonRequest) -> HttpResponse:
    """Keep the address at which the next lists of a federation are looked for."""
    form = AddressForm(request.POST)
    if not form.is_valid():
        return _page(request, problem=" ".join(map(str, form.errors.get("address", ()))), status=422)
    actor, address = actor_of(request), form.cleaned_data["address"]
    try:
        if key := form.cleaned_data["origin"]:
            actions.change_address(actor=actor, origin_id=key, address=address)
        else:
            actions.keep_series(actor=actor, series=form.cleaned_data["series"], address=address)
    except DomainError as error:
        return _page(request, problem=explain(error), status=error.status)
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
