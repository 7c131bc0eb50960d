"""The queue: one screen on which organisers decide about registrations, one by one or many at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from registrations.actions.edits import label_many
from registrations.actions.event_lock import RegistrationActor
from registrations.actions.list_news import leave_listed, take_listed
from registrations.actions.mails import send_failed_again, send_first
from registrations.actions.queue import check_again, enter_again, price_again, put_in_order
from registrations.actions.sections import decide_move, move_many_to
from registrations.actions.transitions import ABOUT_PEOPLE, ManyMoved, decide_late, if_agreed, move_many
from registrations.actions.undo import undo_many
from registrations.models import EventRegistration, Label, Registration
from registrations.queries.conflict_check import (
    changed_rows,
    pack_shown,
    unpack_shown,
)
from registrations.queries.list_news import effect_of
from registrations.queries.places import (
    late_refusals,
    late_registrations,
    limits_of,
    moves_for_arbiter,
    moves_left,
)
from registrations.queries.problems import LIMITS, others_of
from registrations.queries.queue import QueueFilter, found_by, is_key, queue, registration_of
from registrations.refusals import DECISION_TO_CONFIRM
from registrations.states import Hand, RegistrationState
from registrations.web.public.register import last_turned_away
from registrations.web.staff.access import (
    DECISION_WORDS,
    DECISIONS,
    by_of,
    forget_keys,
    keep_chosen,
    keep_keys,
    last_keys,
    registrations_page,
    take_chosen,
    two_sections_page,
)
from registrations.web.staff.conflict_check import (
    CHANGED,
    SENT,
    ask_again,
    open_elsewhere_news,
    without_changed,
)
from registrations.web.words.mails import deletion_sentence
from registrations.web.words.problems import problems_of_rows, problems_text
from registrations.web.words.queue import (
    DONE,
    PILES,
    PRESS,
    SORTS,
    condition_choices,
    condition_fields,
    effect_words,
    queue_buttons,
    to_telephone,
    undone_sentences,
)
from registrations.web.words.states import STANDS_STILL
from tournaments.errors import NOT_FOUND, REFUSALS, DomainError, NotFound
from tournaments.models import Event, Section
from tournaments.questions import Answers
from tournaments.rights import Right
from web.context import section_context
from web.requests import PersonRequest
from web.views.privacy import clock_doubt
from web.views.staff.access import (
    ENTRIES,
    REGISTRATIONS,
    RUN,
    answers_of,
    asks_for_part,
    event_page,
    section_page,
)
from web.words.refusals import explain
from web.words.refusals.registrations import limits_text

MOST = 500
"""Registrations that one press decides about."""
MOST_WAITING = 10_000
LATE = ("accept", "refuse")
"""Buttons about a player who waits for an arbiter."""
MOVED = {
    "accept": gettext_lazy("%(name)s is moved from %(former)s to %(section)s."),
    "refuse": gettext_lazy("%(name)s stays in %(former)s."),
}
"""Said after a press about a move that waited."""
AGAIN = {"price": price_again, "listed": take_listed, "enter": enter_again}
"""Buttons that do something again. They ask about a whole list."""
AT_ONCE = {"check": check_again, "leave": leave_listed}
"""Buttons that ask nothing before."""
ADMITS = ("accept", "offer", "reopen", "move")
"""Decisions before which the person reads what to look at in the chosen registrations."""
SHOWN = 5
"""Reasons that one message has."""
LISTED = 50
"""Reasons that the page before a decision about a whole list has."""


NOTHING = {
    "order": gettext_lazy("Nothing was done. Type the number in the waiting list."),
    "move": gettext_lazy("Nothing was done. Choose the section to move to."),
    "label": gettext_lazy("Nothing was done. Type a label."),
    "unlabel": gettext_lazy("Nothing was done. Type a label."),
}
"""Said to a press without what it needs, by its button."""


def _notices(form: EventRegistration, *, offered: bool) -> list[str]:
    """Return what the clock will do to the registrations, or why it waits. At most one query."""
    doubt = clock_doubt() if offered or form.contacts_end_at else ""
    return [sentence for sentence in (deletion_sentence(form), doubt) if sentence]


@event_page("GET", "HEAD", permission=REGISTRATIONS)
def registrations(request: PersonRequest, event: Event) -> HttpResponse:
    """Show a list of registrations with everything that a decision needs.

    An open page asks who else has which registration open, and says on which row its own person works.
    """
    typed = request.GET.get("row", "")
    request.open_registration = int(typed) if is_key(typed) else None
    if asks_for_part(request):
        return open_elsewhere_news(request, event)
    limits = limits_of(event)
    form = registration_of(event, limits)
    if form is None:
        return redirect("registrations:registration-settings", event=event.slug)
    wanted = QueueFilter.read(request.GET)
    found = queue(event, wanted, limits)
    now = timezone.now()
    sections = [each.section for each in limits.values()]
    context = {
        "event": event,
        "registration": form,
        "wanted": wanted,
        "queue": found,
        "pile": PILES[wanted.pile],
        "piles": [
            (key, PILES[key], found.piles[key], wanted.address(pile=key))
            for key in PILES
            if found.piles[key] or key in (wanted.pile, "check", "all")
        ],
        **queue_buttons(wanted.pile),
        "sorts": list(SORTS.items()),
        "places": [
            (each, STANDS_STILL.get(each.stands_still(form, now), "")) for each in found.places.values()
        ],
        "news": {
            row.one.pk: effect_words(effect, form.currency)
            for row in found.rows
            if row.one.section_id in limits and (effect := effect_of(row.one, limits[row.one.section_id]))
        },
        "to_news": QueueFilter(pile="listed").address(),
        "labels": found.labels,
        "colours": Label.Colour.choices,
        "choices": condition_choices(sections, found.labels),
        "lines": condition_fields(wanted.conditions),
        "here": wanted.address(),
        "chosen": take_chosen(request, form),
        "problems": problems_of_rows([row.one for row in found.rows], limits),
        "others": others_of(row.one for row in found.rows),
        "seen": pack_shown(found.rows, event.start),
        "most": MOST,
        "notices": _notices(form, offered=any(each.offered for each in found.places.values())),
        "turned_away": last_turned_away(event),
        "sends_mail": settings.MAIL_IS_SET_UP,
        "next": wanted.address(page=wanted.page + 1) if wanted.page < found.pages else "",
        "before": wanted.address(page=wanted.page - 1) if wanted.page > 1 else "",
        "manages": Right.MANAGE in request.rights,
        "undoes": bool(last_keys(request, form)),
    }
    return render(request, "registrations/staff/queue.html", context)


@section_page("GET", "HEAD", "POST", permission=RUN, look=ENTRIES)
def late_players(request: PersonRequest, section: Section) -> HttpResponse:
    """Show who waits for an arbiter because round 1 is paired. Any arbiter of the section accepts or refuses them."""
    rows = late_registrations(section).prefetch_related("steps", "byes")
    moves = moves_for_arbiter(section)
    press, kind = request.POST.get("do", ""), "entry" if "entry" in request.POST else "registration"
    number = request.POST.get(kind, "")
    asked: dict[tuple[str, int], tuple[DomainError, str]] = {}
    problem, status = "", 200
    if request.method == "POST":
        try:
            done = _decide_late(request, section, press, kind, int(number) if is_key(number) else 0)
        except DomainError as error:
            status = error.status
            if error.code in ABOUT_PEOPLE:
                asked[kind, int(number)] = error, explain(error)
            elif isinstance(error, NotFound):
                problem, status = _("This player no longer waits. Nothing was done."), 409
            else:
                problem = explain(error)
        else:
            messages.info(request, done)
            return redirect("registrations:late-players", event=section.event.slug, section=section.slug)
    shown = list(rows[:MOST])
    problems = problems_of_rows(shown, limits_of(section.event, [section.pk]))
    context = {
        **section_context(request, section, "entries"),
        "rows": [
            (one, _who_entered(one), problems.get(one.pk, ""), asked.get(("registration", one.pk)))
            for one in shown
        ],
        "moves": [(move, asked.get(("entry", move.participant_id))) for move in moves[:MOST]],
        "refusals": late_refusals(section)[:LISTED],
        "left": moves_left(section)[:LISTED],
        "problem": problem,
    }
    return render(request, "registrations/staff/queue_late.html", context, status=status)


def _decide_late(request: PersonRequest, section: Section, press: str, kind: str, key: int) -> str:
    """Do what a button of the page of late players says, and say so in words.

    Raises NotFound if the player no longer waits; DomainError.
    """
    if press not in LATE:
        raise NOT_FOUND.error(kind=kind, id=key)
    by = RegistrationActor(Hand.ORGANISER, request.user, both=answers_of(request))
    if kind == "entry":
        entry = decide_move(section=section, participant_id=key, accept=press == "accept", by=by).participant
        return MOVED[press] % {
            "name": entry.player.name,
            "former": entry.section.name,
            "section": section.name,
        }
    seen = request.POST.get("revision", "")
    decide_late(
        section=section,
        registration_id=key,
        accept=press == "accept",
        by=by,
        seen_revision=int(seen) if is_key(seen) else None,
        reason=request.POST.get("reason", ""),
    )
    return DONE[press] % {"count": 1}


def _who_entered(one: Registration) -> str:
    """Return who made the registration, "" for the player. Its steps were read with it."""
    steps = one.steps.all()
    return steps[0].who if steps else ""


@registrations_page("POST")
def decide(request: PersonRequest, form: EventRegistration) -> HttpResponse:
    """Do what a button says with the chosen registrations, or with all that the filter finds."""
    wanted = QueueFilter.read(request.POST)
    chosen = _chosen(request, form, wanted)
    asked = request.POST.get("do", "")
    stale: list[int] = []
    if asked == "undo" and not chosen:  # the rows may be in another list by now
        chosen = [(key, 0) for key in last_keys(request, form)]
    answers = answers_of(request, *_about(request, form, chosen))
    by, twice = RegistrationActor(Hand.ORGANISER, request.user, both=answers), ManyMoved()
    if not chosen:
        messages.warning(request, _("Choose registrations first."))
    elif (do := _work(request, form, asked, chosen, by)) is not None:
        whole = bool(request.POST.get("all"))
        asks = whole or asked == "move"
        outcome = if_agreed(form.event_id, do, partial(_question, whole=whole), answers) if asks else do()
        if outcome.question is not None:
            answer = answers.to(outcome.question)
            return _dry_run(request, form, wanted, outcome, chosen, answer)
        outcome, stale = without_changed(outcome)
        outcome, twice = _without_twice(outcome)
        keep_keys(request, form, [one.pk for one in outcome.moved])
        _report(request, asked, outcome)
    elif asked == "undo":
        outcome = undo_many(event_id=form.event_id, keys=[key for key, _revision in chosen], by=by)
        outcome, twice = _without_twice(outcome)
        forget_keys(request, form)
        for sentence in undone_sentences(outcome.undone.values()):
            messages.info(request, sentence)
        _stay(request, outcome)
    elif asked == "write" or asked in AT_ONCE:
        stale = _again(request, form, asked, chosen)
    else:
        try:
            _other(request, form, asked, [key for key, _revision in chosen])
        except DomainError as error:
            keep_chosen(request, form)
            messages.warning(request, explain(error))
    if twice.left:
        return _ask_about_twice(request, form, wanted, twice, stale)
    if stale:
        return ask_again(request, form, wanted, stale, dict(chosen))
    return redirect(_back(form, wanted))


def _back(form: EventRegistration, wanted: QueueFilter) -> str:
    return reverse("registrations:registrations", args=[form.event.slug]) + wanted.address()


def _about(
    request: PersonRequest, form: EventRegistration, chosen: Sequence[tuple[int, int]]
) -> tuple[object, ...]:
    """Return what a press asks for: the decision, and the registrations."""
    sent = [request.POST.get(name, "") for name in SENT]
    return form.event_id, sent, sorted(key for key, _revision in chosen)


def _question(outcome: ManyMoved, *, whole: bool) -> DomainError | None:
    """Return what is asked about a decision, and about the offers that follow from it. None asks nothing.

    A whole list is asked about, and a move of people who do not meet the limits there. Registrations that have changed
    since the question are left out later, without another one.
    """
    unfit = {one.pk: sorted(one.problem_codes) for one in _unfit(outcome)} if outcome.moved else {}
    if not whole and not unfit:
        return None
    changed = [one for one, error in outcome.left if error.code == CHANGED]
    return DECISION_TO_CONFIRM.error(
        registrations=sorted(one.pk for one in [*outcome.moved, *changed]),
        unfit=sorted(unfit.items()),
        offered=sorted(one.pk for one in outcome.offered),
    )


def _without_twice(outcome: ManyMoved) -> tuple[ManyMoved, ManyMoved]:
    """Return the outcome without players who are entered already, about whom it is asked, and these."""
    left = [each for each in outcome.left if each[1].code not in ABOUT_PEOPLE]
    asked = [each for each in outcome.left if each[1].code in ABOUT_PEOPLE]
    return ManyMoved(outcome.moved, left, outcome.undone), ManyMoved(left=asked)


def _ask_about_twice(
    request: PersonRequest, form: EventRegistration, wanted: QueueFilter, twice: ManyMoved, stale: list[int]
) -> HttpResponse:
    """Ask about players of another section after the others were decided. stale: have changed since they were seen."""
    changed = Registration.objects.filter(pk__in=stale)
    _stay(request, ManyMoved(left=[(one, REFUSALS[CHANGED].error(name=one.name)) for one in changed]))
    rows = changed_rows(form.event, [one.pk for one, _error in twice.left])
    answers = Answers(_about(request, form, [(one.pk, one.revision) for one, _error in twice.left]))
    questions = list({id(error): error for _one, error in twice.left}.values())
    asked = request.POST["do"]
    press = PRESS[asked] % {"count": len(twice.left)} if asked in PRESS else DECISION_WORDS[asked]
    return two_sections_page(
        request,
        form.event,
        questions,
        decision=str(press),
        sent=[
            *((name, request.POST.get(name, "")) for name in SENT),
            *(("answer", answers.to(question)) for question in questions),
            ("seen", pack_shown(rows, form.event.start)),
            *wanted.pairs(),
        ],
        back=_back(form, wanted),
    )


def _unfit(outcome: ManyMoved) -> list[Registration]:
    return [one for one in outcome.moved if LIMITS & set(one.problem_codes)]


def _work(
    request: PersonRequest,
    form: EventRegistration,
    asked: str,
    chosen: Sequence[tuple[int, int]],
    by: RegistrationActor,
) -> Callable[[], ManyMoved] | None:
    """Return what does a decision or a move. None if a button asks for something else."""
    what: Any = {"event_id": form.event_id, "wanted": chosen, "by": by}
    section = request.POST.get("to", "")
    if asked in DECISIONS:
        return partial(move_many, to=DECISIONS[asked], reason=request.POST.get("reason", ""), **what)
    if asked == "move" and is_key(section):
        return partial(move_many_to, section_id=int(section), sure=True, **what)  # `_question` asks
    return partial(AGAIN[asked], **what) if asked in AGAIN else None


def _dry_run(
    request: PersonRequest,
    form: EventRegistration,
    wanted: QueueFilter,
    outcome: ManyMoved,
    chosen: Sequence[tuple[int, int]],
    answer: str,
) -> HttpResponse:
    """Say what a decision about a whole list would do, before anything is done.

    The page keeps what these registrations are now: one that changes until the second press is left out.
    """
    asked = request.POST["do"]
    moves = asked == "move"
    problems = Counter(code for one in outcome.moved for code in one.problem_codes)
    there = outcome.moved[0].section.name if moves and outcome.moved else ""
    unfit = _unfit(outcome) if moves else []
    limits = limits_of(form.event, [one.section_id for one in unfit[:1]])
    context = {
        "event": form.event,
        "decision": DECISION_WORDS[asked],
        "press": PRESS[asked] % {"count": len(outcome.moved)},
        "problems": [(count, limits_text([code])) for code, count in problems.most_common()]
        if asked in ADMITS
        else [],
        "offered": [(one, one.section.name) for one in outcome.offered[:LISTED]],
        "offers": len(outcome.offered),
        "more_offers": max(0, len(outcome.offered) - LISTED),
        "sent": [
            *((name, request.POST.get(name, "")) for name in ("all", *SENT)),
            *(("answer", each) for each in [*request.POST.getlist("answer"), answer]),
            (
                "seen",
                pack_shown(changed_rows(form.event, [key for key, _revision in chosen]), form.event.start),
            ),
            *wanted.pairs(),
        ],
        "moved": len(outcome.moved),
        "there": there,
        "waiting": sum(one.state == RegistrationState.WAITING for one in outcome.moved) if moves else 0,
        "unfit": [
            (one, problems_text(one, limits.get(one.section_id), only=LIMITS)) for one in unfit[:LISTED]
        ],
        "unfit_count": len(unfit),
        "more_unfit": max(0, len(unfit) - LISTED),
        "mails": outcome.mails if settings.MAIL_IS_SET_UP else 0,
        "left": [(one, explain(error)) for one, error in outcome.left[:LISTED]],
        "stay": len(outcome.left),
        "more": max(0, len(outcome.left) - LISTED),
        "back": wanted.address(),
    }
    return render(request, "registrations/staff/queue_dry_run.html", context)


def _chosen(request: PersonRequest, form: EventRegistration, wanted: QueueFilter) -> list[tuple[int, int]]:
    """Return keys with the revisions that the page showed. For all that match, the count must be as it was shown."""
    if "answer" in request.POST and (seen := unpack_shown(request.POST.get("seen", ""))):
        return [(key, revision) for key, (revision, _values) in seen.items()]
    if request.POST.get("all"):
        rows = list(found_by(form.event, wanted).values_list("pk", "revision")[: MOST + 1])
        return rows if str(len(rows)) == request.POST["all"] else []
    pairs = (each.split(":") for each in request.POST.getlist("chosen")[:MOST])
    return [(int(pair[0]), int(pair[1])) for pair in pairs if len(pair) == 2 and all(map(is_key, pair))]


def _again(
    request: PersonRequest, form: EventRegistration, asked: str, chosen: Sequence[tuple[int, int]]
) -> list[int]:
    """Write to players for the first time, or do what AT_ONCE says.

    Return which registrations were left out, because they have changed since they were seen.
    """
    if asked == "write":
        sent, stale = send_first(event=form.event, wanted=chosen)
        _report_mails(request, sent)
        return stale
    outcome, stale = without_changed(AT_ONCE[asked](event_id=form.event_id, wanted=chosen, by=by_of(request)))
    if asked == "check":
        messages.info(request, DONE[asked] % {"count": len(outcome.moved)})
    else:
        keep_keys(request, form, [one.pk for one in outcome.moved])
        _report(request, asked, outcome)
    return stale


def _report_mails(request: PersonRequest, sent: int) -> None:
    done = ngettext("%(count)s mail is on its way.", "%(count)s mails are on their way.", sent)
    messages.info(request, done % {"count": sent})


def _other(request: PersonRequest, form: EventRegistration, asked: str, keys: Sequence[int]) -> None:
    """Do what moves nobody to another state. Anything else is said to have done nothing.

    Raises DomainError.
    """
    name = request.POST.get("name", "").strip()
    if asked in ("label", "unlabel") and name:
        _label(request, form, asked, keys, name)
    elif asked == "mail":
        _report_mails(request, send_failed_again(event=form.event, keys=keys))
    elif asked == "order" and request.POST.get("number", "").isdecimal():
        number = min(int(request.POST["number"][:5]), MOST_WAITING)
        put = put_in_order(event=form.event, keys=keys, number=number, by=by_of(request))
        keep_keys(request, form, [one.pk for one in put])
        done = DONE["order"] % {"count": len(put), "number": number}
        messages.info(
            request, done if number else _("The whole waiting list is in the order of its setting.")
        )
    else:
        keep_chosen(request, form)
        messages.warning(request, NOTHING.get(asked) or _("Nothing was done. Press a button below the list."))


def _label(
    request: PersonRequest, form: EventRegistration, asked: str, keys: Sequence[int], name: str
) -> None:
    changed = label_many(
        event=form.event,
        keys=keys,
        name=name,
        by=by_of(request),
        on=asked == "label",
        colour=request.POST.get("colour", ""),
    )
    keep_keys(request, form, [one.pk for one in changed])
    if changed:
        messages.info(request, DONE[asked] % {"count": len(changed), "label": name})
    elif asked == "label":
        messages.warning(
            request,
            _("Nothing was done. All chosen registrations have the label “%(label)s” already.")
            % {"label": name},
        )
    else:
        messages.warning(
            request,
            _("Nothing was done. No chosen registration has the label “%(label)s”.") % {"label": name},
        )


def _report(request: PersonRequest, asked: str, outcome: ManyMoved) -> None:
    """Say what was decided about how many, and why others were left as they are."""
    if count := len(outcome.moved):
        section = outcome.moved[0].section.name
        messages.info(request, DONE[asked] % {"count": count, "section": section})
    if hurry := to_telephone(outcome.moved):
        messages.warning(request, hurry)
    _stay(request, outcome)


def _stay(request: PersonRequest, outcome: ManyMoved) -> None:
    """Say why registrations were left as they are."""
    for one, error in outcome.left[:SHOWN]:
        messages.warning(
            request, _("%(name)s stays: %(reason)s") % {"name": one.name, "reason": explain(error)}
        )
    if (more := len(outcome.left) - SHOWN) > 0:
        words = ngettext(
            "%(count)s more registration stays as it is.",
            "%(count)s more registrations stay as they are.",
            more,
        )
        messages.warning(request, words % {"count": more})
