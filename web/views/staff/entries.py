"""Pages of entries: the list, one entry, withdraw, re-admit, remove; and what is kept about one player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from base.reader import READER
from base.spelling import in_latin
from base.text import alphabetical, folded, isolated, lacks_comma, name_ways
from tournaments.actions import entries as actions
from tournaments.actions.entry_lists import keep_for_arbiter
from tournaments.actions.moved_entries import move_or_keep
from tournaments.actions.personal_data import erase_player
from tournaments.actions.roster import is_late_entry
from tournaments.declarations.entries import ADD_PARTICIPANT, MOVE_ENTRY_HERE, REMOVE_PARTICIPANT
from tournaments.entry_data import EntryData, ImportRow
from tournaments.errors import DomainError, Stale
from tournaments.files.personal_data import person_zip
from tournaments.hooks import fees_of
from tournaments.models import Event, Participant, Round, Section
from tournaments.models.rounds import round_in_play, rounds_paired
from tournaments.queries.entries import (
    EntryRow,
    entry_list,
    is_paired,
    other_sections,
    rating_limit,
)
from tournaments.queries.next_step_checks import NextStepCheck, late_mark, late_players
from tournaments.queries.rating_lists import (
    Hit,
    found_in_lists,
    lists_in_force,
    marked,
    month_of,
    new_differences,
    values_of_hit,
    values_of_pick,
)
from tournaments.questions import Answers
from tournaments.rights import Right
from tournaments.rules import own_sections
from web.context import section_context, section_url
from web.files import file_name, file_response
from web.forms.entries import AddRowForm, EntryForm, NewEntryForm
from web.forms.errors import add_refusal
from web.requests import PersonRequest
from web.views.public.lists import WHOLE, cut
from web.views.public.standings import rounds_of_player
from web.words.entries import entered_sentence, limit_sentence
from web.words.next_step_checks import NextStepWords, next_step_words
from web.words.rating_lists import list_title
from web.words.refusals import explain
from web.words.values import ENTRY_STATES

from .access import (
    ENTRIES,
    NOT_ASKED,
    actor_of,
    answers_of,
    ask_between_values,
    asks_for_part,
    may_not,
    posted,
    reason_of,
    section_page,
)

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise
from tournaments.errors import MOVE_WAITS, NOT_FOUND

# Pages of entries: the list, one entry, withdraw, re-admit, remove.

LONGEST_SEARCH = 80
ASKED = frozenset(
    {
        *("missed_byes_to_confirm", "numbers_to_confirm", "two_sections_to_confirm"),
        *("listed_otherwise", "name_order", "same_person"),
    }
)
"""Refusals that are questions: the page shows the form again, with a button that says yes."""
WITHOUT: dict[
    str, tuple[StrOrPromise, Callable[[EntryRow], bool]]
] = {  # the list can show only these players
    "fide_id": (gettext_lazy("Players without a FIDE ID"), lambda row: not row.fide_id),
    "official_rating": (
        gettext_lazy("Players with a rating that is not official"),
        lambda row: not row.official_rating and row.rating > 0,
    ),
    "latin_name": (
        gettext_lazy("Players whose Latin form nobody has typed"),
        lambda row: not row.latin_name and not in_latin(row.name),
    ),
    "rating": (gettext_lazy("Players without a rating"), lambda row: row.active and not row.rating),
}
SORTS: dict[str, Callable[[EntryRow], Any]] = {
    "number": lambda row: row.tpn or 0,
    "name": lambda row: alphabetical(row.name),
    "federation": lambda row: (row.federation, alphabetical(row.name)),
    "rating": lambda row: (-row.rating, row.tpn or 0),
    "club": lambda row: (alphabetical(row.club), alphabetical(row.name)),
    "team": lambda row: (alphabetical(row.team), alphabetical(row.name)),
}


@section_page("GET", "HEAD", permission=ENTRIES)
def entries(request: PersonRequest, section: Section) -> HttpResponse:
    """The list. An open page polls with its revision and gets 204 while nothing has changed."""
    if asks_for_part(request):
        shown = f"{section.revision}{late_mark(late_players(section))}"
        if request.GET.get("seen") == shown:
            return HttpResponse(status=204)
    return _list(request, section, AddRowForm(section=section))


def _list(
    request: PersonRequest, section: Section, form: AddRowForm, question: DomainError | None = None
) -> HttpResponse:
    """All entries, or those found, sorted; above them the row that adds one. question: about what stands in the row."""
    listed = entry_list(section)
    late = late_players(section)
    search = request.GET.get("q", "")[:LONGEST_SEARCH].strip()
    sort = request.GET.get("sort", "number")
    without = request.GET.get("without", "")
    state = request.GET.get("state", "")
    found = _found(listed.in_state(state) if state in ENTRY_STATES else listed.rows, search)
    shown, lacks = WITHOUT.get(without, ("", None))
    if lacks is not None:
        found = [row for row in found if lacks(row)]
    found.sort(key=SORTS.get(sort, SORTS["number"]))
    just_added = None if search or lacks else _just_added(request, section)
    found.sort(key=lambda row: row.participant_id != just_added)
    context = {
        **section_context(request, section, "entries"),
        "entries": listed,
        "takes_entries": not (section.is_closed or (section.fixed_rounds and listed.numbers_frozen)),
        "states": [
            (key, name, count)
            for key, name in ENTRY_STATES.items()
            if 0 < (count := len(listed.in_state(key))) < len(listed.rows)
        ],
        "state": state,
        "moves_to": moves_to(request, section),
        "fees": Right.REGISTRATIONS in request.rights and any(hook(section) for hook in fees_of),
        "chooses": not section.is_closed and not getattr(request, "only_looks", False),
        "part": cut(request, found, "sort", "without", "state", "q", long=len(listed.rows) > WHOLE),
        "new_ratings": new_differences(section),
        "waits": new_players_wait(request, section),
        "seen": f"{section.revision}{late_mark(late)}",
        "waiting": _waiting(request, section, late),
        "waiting_count": late.number if late else 0,
        "search": search,
        "without": shown,
        "sort": sort if sort in SORTS else "number",
        "just_added": just_added,
        **_row(form, question),
    }
    part = "live" if "seen" in request.GET else "list"
    template = f"staff/entries.html#{part}" if asks_for_part(request) else "staff/entries.html"
    return render(request, template, context, status=422 if form.errors or question else 200)


def _row(form: AddRowForm, question: DomainError | None) -> dict[str, Any]:
    """Return what the row that adds a player shows, and the question about its values."""
    return {
        "form": form,
        "asked": question,
        "question": explain(question) if question else "",
        "ways": name_ways(question.params["name"])[:-1] if question and question.code == "name_order" else (),
    }


def _just_added(request: PersonRequest, section: Section) -> int | None:
    """Return the entry that the person added, if nothing else has happened in the section since. One query."""
    last = section.log.filter(revision=section.revision, action=ADD_PARTICIPANT.name, user=request.user)
    return last.values_list("after__participant", flat=True).first()


def new_players_wait(request: PersonRequest, section: Section) -> bool:
    """Return whether new players of this person wait for an arbiter. No query for an arbiter."""
    return Right.RUN not in request.rights and is_late_entry(
        section, actor_of(request), rounds_paired(section)
    )


def _waiting(request: PersonRequest, section: Section, late: NextStepCheck | None) -> NextStepWords | None:
    """Say how many players wait for an arbiter, with the page that lists them; None if nobody waits."""
    if late is None or section.is_closed:
        return None
    return next_step_words(late, section, runs=Right.RUN in request.rights)


def _found(rows: Sequence[EntryRow], search: str) -> list[EntryRow]:
    words = folded(search).split()
    return [row for row in rows if all(word in _letters(row) for word in words)]


def _letters(row: EntryRow) -> str:
    words = (
        row.tpn or "",
        row.name,
        row.title,
        row.federation,
        *row.plain.values(),
        row.team,
        row.fide_id or "",
    )
    return folded(" ".join(map(str, words)))


@section_page("GET", "HEAD", "POST", permission=ENTRIES)
def add(request: PersonRequest, section: Section) -> HttpResponse:
    """Add one entry: from the row above the list, where the person stays, or from the page with all fields."""
    query = request.GET.get("q", "")[:LONGEST_SEARCH].strip()
    if asks_for_part(request) and request.method == "GET":
        template = "staff/entries_row.html#found" if "row" in request.GET else "staff/entry_hits.html"
        return render(request, template, _hits(section, query))
    data = _in_order(request)
    in_row = data is not None and "row" in data
    first_round = min(rounds_paired(section) + 1, section.rounds)
    form: NewEntryForm
    if data is not None and in_row:
        data = _whole_name(section, data)
        data["first_round"] = str(first_round)
        form = AddRowForm(data, section=section)
    else:
        values = values_of_pick(section, query, request.GET.get("pick", "")[:40])
        form = NewEntryForm(data, section=section, initial={"first_round": first_round, **values})
    question = None
    if data is not None and form.is_valid():
        answers = _answers(request, data)
        try:
            entered = actions.add_participant(
                actor=actor_of(request),
                section_id=section.pk,
                entry=marked(section, form.entry()),
                missed=form.cleaned_data.get("missed", ""),
                proceed=answers,
                both=answers,
                asked=answers,
                person=answers,
                order=answers,
                listed=answers,
                by_typed=True,
            )
        except DomainError as error:
            if error.code == "late_entry_by_arbiter" and _kept(request, section, form, answers):
                return _entered(request, section)
            if error.code in ASKED:
                question = error
            elif not form.errors:
                add_refusal(form, error)
        else:
            messages.info(request, entered_sentence(entered))
            _say_listed(request, form, entered)
            _say_latin(request, entered)
            _warn_of_namesakes(request, entered)
            _warn_of_limit(request, entered)
            _ask_for_an_estimate(request, entered)
            return _entered(request, section)
    if isinstance(form, AddRowForm):
        if asks_for_part(request):
            context = {"event": section.event, "section": section, **_row(form, question)}
            return render(request, "staff/entries_row.html", context, status=422)
        return _list(request, section, form, question)
    picked = "" if request.GET.get("pick") else query
    return _form(request, section, form, None, question=question, found=_hits(section, picked))


def _entered(request: PersonRequest, section: Section) -> HttpResponse:
    """Lead to the list; a script of the row gets the empty row, with what there is to say."""
    if not asks_for_part(request):
        return redirect(section_url("entries", section))
    form = AddRowForm(section=section)
    context = {"event": section.event, "section": section, "answers_script": True, **_row(form, None)}
    return render(request, "staff/entries_row.html", context)


def _whole_name(section: Section, data: QueryDict) -> QueryDict:
    """Return a copy of the row in which a FIDE ID typed as a name has the name and the values of the lists, as far as
    nobody typed others, and a name with a comma at its end the order that was offered.
    """
    data = data.copy()
    name = data.get("name", "").strip()
    if name.isdecimal() and (found := values_of_pick(section, name, f"0-{name}")):
        data["name"], data["fide_id"] = found["name"], str(found["fide_id"] or "")
        for column in ("national_rating", "national_id", "title", "federation", "sex", "birth_date"):
            data[column] = data.get(column) or str(found[column] or "")
    elif name.endswith(",") and lacks_comma(name[:-1]):
        data["name"] = name_ways(name[:-1])[0]
    return data


def _in_order(request: PersonRequest) -> QueryDict | None:
    """Return what was posted, with the name in the order that was chosen for it; None if nothing was posted."""
    data = posted(request)
    chosen = data.get("name_as", "") if data is not None else ""
    if data is None or not chosen:
        return data
    data = data.copy()
    del data["name_as"]
    if chosen in name_ways(data.get("name", "")):
        data["name"] = chosen
    return data


def _answers(request: PersonRequest, data: QueryDict) -> Answers:
    """Return what the person answered, which counts for the values with the name in the chosen order."""
    return answers_of(
        request,
        request.path,
        sorted((name, values) for name, values in data.lists() if name not in NOT_ASKED),
    )


def _say_listed(request: PersonRequest, form: EntryForm, entry: Participant) -> None:
    """Say what the rating list gave for a FIDE ID without a rating."""
    typed = form.cleaned_data
    if typed.get("rating") or not entry.rating_list or not typed.get("fide_id"):
        return
    of_entry = ("rating", "official_rating", "national_rating")
    values = {name: getattr(entry, name) for name in of_entry}
    values |= {name: getattr(entry.player, name) for name in ("title", "federation", "sex", "birth_date")}
    taken = [
        f"{form.base_fields[name].label} {value}"
        for name, value in values.items()
        if value and name in form.fields and not typed.get(name)
    ]
    about = {"list": entry.rating_list, "values": READER.listed(taken)}
    messages.info(request, _("Taken from the rating list %(list)s: %(values)s.") % about)


def _say_latin(request: PersonRequest, entry: Participant) -> None:
    """Say how the report to FIDE has a name in other letters, if nobody has typed a Latin form."""
    player = entry.player
    if not player.latin_name and not in_latin(player.name) and in_latin(player.report_name):
        about = {"name": isolated(player.name), "latin": player.report_name}
        sentence = _("The report to FIDE has %(name)s as: %(latin)s. Open the entry to type another form.")
        messages.info(request, sentence % about)


def _kept(request: PersonRequest, section: Section, form: EntryForm, answers: Answers) -> bool:
    """Let the new player wait for an arbiter, and say so. The form says why if that is not possible."""
    entry = actions.rated_by_typed(actions.from_list(section, marked(section, form.entry()), answers))
    row = ImportRow(entry=entry, missed=form.cleaned_data.get("missed", ""))
    try:
        waiting = keep_for_arbiter(section, actor_of(request), [row])
    except DomainError as error:
        add_refusal(form, error)
        return False
    if waiting:
        messages.info(request, waits_for_arbiter(waiting))
    return waiting > 0


def waits_for_arbiter(count: int) -> str:
    """Say that new players wait for an arbiter."""
    return ngettext(
        "Round 1 is paired, so %(count)s new player waits for an arbiter. The arbiter sees it in the cockpit.",
        "Round 1 is paired, so %(count)s new players wait for an arbiter. The arbiter sees them in the cockpit.",
        count,
    ) % {"count": count}


def _hits(section: Section, query: str) -> dict[str, Any]:
    """Return what the part of the page with the players of the rating lists shows, and what a name without a comma may
    be.
    """
    in_lists = found_in_lists(section, query) if query else []
    hits = [
        (hit, [(place, list_title(one.code), rating) for place, one, rating in hit.ratings])
        for hit in in_lists
    ]
    found: dict[str, Any] = {"q": query, "hits": hits, "looks_up": True}
    found["options"] = [_option(section, hit) for hit in in_lists]
    found["way"] = name_ways(query)[0] if lacks_comma(query) else ""
    if query and not hits:
        found["month"] = month_of(section)
        found["lists_count"] = any(one.listing is not None for one in lists_in_force(section))
    return found


def _option(section: Section, hit: Hit) -> dict[str, Any]:
    """Return the values with which a player of the lists fills the row. Only the main list gives a rating (Q127), so
    the rating of another list of FIDE stays out.
    """
    values = values_of_hit(section, hit)
    if not values.get("rating_list"):
        values["official_rating"] = None
    return {**values, "year": hit.player.year, "inactive": hit.player.inactive}


@section_page("GET", "HEAD", "POST", permission=ENTRIES, look=ENTRIES)  # birth date and note
def edit(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    entry = entry_of(section, participant)
    data = _in_order(request)
    form = EntryForm(data, section=section, initial=EntryForm.initial_of(entry))
    if data is not None and form.is_valid():
        answers = _answers(request, data)
        try:
            actions.edit_participant(
                actor=actor_of(request),
                participant_id=entry.pk,
                entry=_marked_again(section, form),
                seen=form.shown,
                asked=answers,
                person=answers,
                order=answers,
                listed=answers,
            )
        except Stale as error:
            entry = entry_of(section, participant)
            fresh = EntryForm(section=section, initial=EntryForm.initial_of(entry))
            rows = section.log.filter(after__participant=entry.pk)
            return _form(request, section, ask_between_values(form, error, fresh, rows), entry, refused=error)
        except DomainError as error:
            entry = entry_of(section, participant)
            if error.code in ASKED:
                return _form(request, section, form, entry, question=error)
            add_refusal(form, error)
        else:
            _say_listed(request, form, entry_of(section, participant))
            if "name" in form.changed_data:
                _warn_of_namesakes(request, entry_of(section, participant))
            if "rating" in form.changed_data:
                _warn_of_limit(request, entry_of(section, participant))
            _remind_of_official_rating(request, form, entry_of(section, participant))
            _ask_for_an_estimate(request, entry_of(section, participant))
            return redirect(section_url("entries", section))
    return _form(request, section, form, entry)


def _marked_again(section: Section, form: EntryForm) -> EntryData:
    """Return the entry of the form; a changed rating that its list does not have is one that was typed (Q134)."""
    entry = form.entry()
    changed = {"rating", "rating_source", "rating_list"} & set(form.changed_data)
    return marked(section, entry) if changed else entry


def _remind_of_official_rating(request: PersonRequest, form: EntryForm, entry: Participant) -> None:
    """Say that the report has another rating, if only the rating for pairing was changed."""
    changed = form.changed_data
    if (
        "rating" not in changed
        or "official_rating" in changed
        or entry.official_rating in (None, entry.rating)
    ):
        return
    about = {"name": isolated(entry.player.name), "rating": entry.rating, "official": entry.official_rating}
    sentence = _(
        "The rating of %(name)s is now %(rating)s. The official rating is still %(official)s, and the report for "
        "rating has the official rating. If it is wrong, edit the entry and change it too."
    )
    messages.warning(request, sentence % about)


def _ask_for_an_estimate(request: PersonRequest, entry: Participant) -> None:
    """Say that an unrated player counts as 0, if the rules of the section ask for an estimate."""
    if entry.section.wants_estimates and not entry.rating:
        sentence = _(
            "%(name)s has no rating and counts as 0. The rules ask for an estimate before the pairing: edit the entry "
            "and type one."
        )
        messages.warning(request, sentence % {"name": isolated(entry.player.name)})


def _warn_of_namesakes(request: PersonRequest, entry: Participant) -> None:
    """Warn of an entry with the same name: it is often one player, entered twice."""
    name = folded(entry.player.name)
    others = entry.section.participants.exclude(pk=entry.pk).select_related("player")
    same = [isolated(str(other)) for other in others if folded(other.player.name) == name]
    if same:
        about = {"name": isolated(entry.player.name), "others": READER.listed(same, "semicolon")}
        messages.warning(request, _("Another entry has the name %(name)s: %(others)s.") % about)


def _warn_of_limit(request: PersonRequest, entry: Participant) -> None:
    if sentence := limit_sentence(entry, *rating_limit(entry.section)):
        messages.warning(request, sentence)


def entry_of(section: Section, participant: int) -> Participant:
    """Return an entry with its player. Raises Http404, or NotFound if somebody has removed the entry."""
    entry = section.participants.select_related("player").filter(pk=participant).first()
    if entry is None:
        if section.log.filter(action=REMOVE_PARTICIPANT.name, before__participant=participant).exists():
            raise NOT_FOUND.error(kind="participant", id=participant)
        raise Http404
    return entry


def _form(
    request: PersonRequest,
    section: Section,
    form: EntryForm,
    entry: Participant | None,
    *,
    refused: DomainError | None = None,
    problem: str = "",
    question: DomainError | None = None,
    removal: DomainError | None = None,
    moving: DomainError | None = None,
    found: dict[str, Any] | None = None,
) -> HttpResponse:
    """question: shown before the form is written. removal, moving: before the entry is removed, or moved
    or brought back.
    """
    section.refresh_from_db(fields=["revision"])
    if section.is_closed:
        form.lock()
    paired = entry is not None and is_paired(entry)
    others = moves_to(request, section) if entry is not None and entry.is_active else []
    context = {
        **section_context(request, section, "entries"),
        "form": form,
        "entry": entry,
        "former_tpn": entry.former_tpn_in(round_in_play(section)) if entry and entry.former_tpn else None,
        "paired": paired,
        "rounds": rounds_of_player(section, entry) if entry is not None and paired else (),
        "elsewhere": other_sections(entry) if entry is not None else [],
        "problem": problem,
        "question": explain(question) if question else "",
        "asked": question or removal or moving,
        "ways": name_ways(question.params["name"])[:-1] if question and question.code == "name_order" else (),
        "removal": explain(removal) if removal else "",
        "moving": explain(moving) if moving else "",
        "moves_to": others,
        "waits_there": READER.listed([other.name for other in _late_there(request, section.event, others)]),
        "manages": request.user.has_perm("tournaments.manage_event", section),
        "waits": entry is None and new_players_wait(request, section),
        **(found or {}),
    }
    status = refused.status if refused else 422 if form.errors or context["asked"] else 200
    return render(request, "staff/entry_form.html", context, status=status)


def moves_to(request: PersonRequest, section: Section) -> list[Section]:
    """Return the other open sections of the event in which the person may enter players. Two queries."""
    own = own_sections(request.user, section.event, Right.ENTRIES)
    others = section.event.sections.filter(taken_away=False).exclude(pk=section.pk).order_by("name")
    return [other for other in others if not other.is_closed and (own is None or other.pk in own)]


def _late_there(request: PersonRequest, event: Event, sections: Sequence[Section]) -> list[Section]:
    """Return the sections in which a move by this person waits for an arbiter. Two queries."""
    own = own_sections(request.user, event, Right.RUN)
    late = [] if own is None else [other for other in sections if other.pk not in own]
    paired = set(Round.objects.filter(section__in=late).values_list("section", flat=True)) if late else ()
    return [other for other in late if other.pk in paired]


def _change(
    action: Callable[..., Any], done: StrOrPromise, *, asks: bool = False
) -> Callable[..., HttpResponse]:
    """A view that does one action on an entry. done: the message afterwards. asks: it may ask about two sections."""

    @section_page("POST", permission=ENTRIES)
    def view(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
        entry = entry_of(section, participant)
        answers = {"both": answers_of(request)} if asks else {}
        try:
            action(actor=actor_of(request), participant_id=entry.pk, reason=reason_of(request), **answers)
        except DomainError as error:
            entry = entry_of(section, participant)
            form = EntryForm(section=section, initial=EntryForm.initial_of(entry))
            if error.code in ASKED:
                return _form(request, section, form, entry, moving=error)
            return _form(request, section, form, entry, refused=error, problem=explain(error))
        messages.info(request, str(done) % {"name": isolated(entry.player.name)})
        return redirect(section_url("entries", section))

    return view


withdraw = _change(
    actions.withdraw_participant,
    gettext_lazy("%(name)s has withdrawn and is not paired from the next round on."),
)
readmit = _change(
    actions.readmit_participant,
    gettext_lazy("%(name)s plays again and is paired from the next round on."),
    asks=True,
)


@section_page("POST", permission=ENTRIES)
def move(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Move an entry that has not been paired to another section in which the person may enter players too."""
    entry = entry_of(section, participant)
    other = section.event.sections.filter(slug=request.POST.get("to", "")[:60], taken_away=False).first()
    if other is None:
        return redirect(section_url("edit-entry", section, participant=entry.pk))
    if not request.user.has_perm(ENTRIES, other):
        raise PermissionDenied(may_not(ENTRIES))
    try:
        moved = move_or_keep(
            actor=actor_of(request),
            participant_id=entry.pk,
            section_id=other.pk,
            asked=answers_of(request),
            both=answers_of(request),
        )
    except DomainError as error:
        entry = entry_of(section, participant)
        form = EntryForm(section=section, initial=EntryForm.initial_of(entry))
        if error.code in ASKED:
            return _form(request, section, form, entry, moving=error)
        return _form(request, section, form, entry, refused=error, problem=explain(error))
    say_moved(request, entry, moved, other)
    return redirect(section_url("entries", section))


def say_moved(request: PersonRequest, former: Participant, entry: Participant | None, other: Section) -> None:
    """Say that a move waits for an arbiter (no entry), or which byes the other section does not allow."""
    if entry is None:
        messages.info(request, explain(MOVE_WAITS.error(name=former.player.name, section=other.name)))
        return
    moves = entry.section.log.filter(action=MOVE_ENTRY_HERE.name, after__participant=entry.pk)
    if dropped := moves.latest("revision").after["dropped"]:
        sentence = _("%(section)s does not allow all byes of %(name)s. Not moved: round %(rounds)s.")
        rounds = READER.listed([number for number, _kind in dropped], "comma")
        about = {"section": entry.section.name, "name": isolated(entry.player.name), "rounds": rounds}
        messages.warning(request, sentence % about)


@section_page("POST", permission=ENTRIES)
def remove(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Remove an entry that has not been paired. In a running section the players below move up; the page asks first."""
    entry = entry_of(section, participant)
    try:
        actions.remove_participant(
            actor=actor_of(request),
            participant_id=entry.pk,
            asked=answers_of(request),
        )
    except DomainError as error:
        entry = entry_of(section, participant)
        form = EntryForm(section=section, initial=EntryForm.initial_of(entry))
        if error.code in ASKED:
            return _form(request, section, form, entry, removal=error)
        return _form(request, section, form, entry, refused=error, problem=explain(error))
    messages.info(request, _("The entry of %(name)s is removed.") % {"name": isolated(entry.player.name)})
    return redirect(section_url("entries", section))


# What is kept about one player: a file for the person, and erasing it. For organisers.

ORGANISERS = "tournaments.manage_event"
ZIP = "application/zip"


@section_page("GET", "HEAD", "POST", permission=ORGANISERS)
def personal_data(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Show what can be done with the data of a player. A POST with the name erases them."""
    entry = get_object_or_404(section.participants.select_related("player"), pk=participant)
    problem = None
    if request.method == "POST":
        try:
            new_name = erase_player(
                actor=actor_of(request),
                event=section.event,
                player_id=entry.player_id,
                typed=request.POST.get("name", ""),
            )
        except DomainError as error:
            problem = error
        else:
            messages.info(request, _("The data are erased. The player is now %(name)s.") % {"name": new_name})
            return redirect(section_url("entries", section))
    context = {
        **section_context(request, section, "entries", None),
        "entry": entry,
        "others": list(
            entry.player.entries.exclude(pk=entry.pk)
            .order_by("section_id")
            .values_list("section__name", flat=True)
        ),
        "wrong": explain(problem) if problem else "",
    }
    return render(request, "staff/personal_data.html", context, status=problem.status if problem else 200)


@section_page("GET", "HEAD", permission=ORGANISERS)
def personal_file(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Send everything that is kept about a player."""
    entry = get_object_or_404(section.participants.select_related("player__event"), pk=participant)
    return file_response(person_zip(entry.player), file_name(section, f"-person-{entry.pk}.zip"), ZIP)
