"""The pages that make a section: step by step, or with the settings of another one.

Nothing is written before the button that makes it all at once.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.actions.new_section import create_section_like, settings_of
from tournaments.actions.rounds import refuse_disorder
from tournaments.actions.sections import assign_settings, create_section
from tournaments.actions.tie_breaks import checked_list
from tournaments.errors import DomainError
from tournaments.models import Event, RoundStart, Section
from tournaments.queries.sections import settings_sources
from web.context import section_url
from web.forms.errors import add_refusal
from web.forms.new_section import CHECK, FOLDS, KINDS, START, STEP_NAMES, STEPS, NewSectionForm, SectionDraft
from web.forms.sections import ScheduleForm
from web.requests import PersonRequest
from web.views.public.rules import rules_parts
from web.views.staff.access import keep_offer
from web.words.log_sentences import in_order, name_of, value_text
from web.words.systems import only_system_line
from web.words.values import past_end

from .access import actor_of, asks_for_part, event_page, posted

# The pages that make a section step by step. Nothing is written before the button that makes it all at once.

DATES = "dates"


@event_page("GET", "HEAD", "POST")
def new_section(request: PersonRequest, event: Event) -> HttpResponse:
    """Show the first step, which can already make the section; to htmx, what FIDE makes of ?time_control=."""
    if request.method == "GET" and asks_for_part(request):
        draft = SectionDraft(request.session, event)
        typed = {name: request.GET[name] for name in ("time_control", "lists") if name in request.GET}
        draft.values = {**draft.values, **typed}
        return render(request, "staff/new_section_whole.html#pace", {"pace": draft.pace_words})
    return _step(request, event, START)


@event_page("GET", "HEAD", "POST")
def new_section_step(request: PersonRequest, event: Event, step: str) -> HttpResponse:
    if step not in STEPS or step == START:
        raise Http404
    return _step(request, event, step)


def _step(request: PersonRequest, event: Event, step: str) -> HttpResponse:
    """Show a step. A POST keeps what was typed and goes on, back, or makes the section.

    do: next, back, go:<step>, kind:<kind>, make. The first and the last step make the section if nothing is said.
    """
    draft = SectionDraft(request.session, event)
    if request.method != "POST":
        return _page(request, event, step, draft, draft.form(bound=step == CHECK), draft.days(bound=False))
    do = request.POST.get("do") or ("make" if step in (START, CHECK) else "next")
    own = draft.form(bound=False)
    sent = [name for name in request.POST if name in own.fields] if step == START else []
    if "whole" in request.POST:
        sent = [*own.fields]
    draft.take(request.POST, {*own.all_fields_of(step), *sent})
    order = [*STEPS]
    if do == "back":
        return redirect(_address(event, order[max(order.index(step) - 1, 0)]))
    what, _colon, where = do.partition(":")
    if what == "go" and where in STEPS:
        return redirect(_address(event, where))
    if what == "kind" and where in KINDS:
        draft.take_kind(where)
        return redirect(_address(event, START))
    filled = step != START or draft.fill_in_days()
    form, days = draft.form(bound=True), draft.days(bound=True)
    if not filled:
        return _page(request, event, step, draft, form, days, status=422)
    if do == "make" or step == CHECK:
        return _make(request, event, draft, form, days)
    _check(event, form)
    form.keep_errors_of(step)
    if form.errors or (step == DATES and not _days_in_order(days)):
        return _page(request, event, step, draft, form, days, status=422)
    return redirect(_address(event, order[order.index(step) + 1]))


def _make(
    request: PersonRequest, event: Event, draft: SectionDraft, form: NewSectionForm, days: ScheduleForm
) -> HttpResponse:
    if form.is_valid() and days.is_valid():
        try:
            section = create_section(
                actor=actor_of(request),
                event=event,
                first=form.first_settings(_known(days)),
                **form.section_settings(),
            )
        except DomainError as error:
            add_refusal(days if error.code == "rounds_out_of_order" else form, error)
        else:
            draft.forget()
            sentence = _("Section %(name)s is made.") % {"name": section.name}
            keep_offer(request, {section: [section.revision]}, sentence, section_url("take-away", section))
            if late := past_end(event, section.round_days):
                messages.warning(request, late)
            return redirect("tournaments:entries", event=event.slug, section=section.slug)
    step = DATES if days.errors and not form.errors else form.wrong_step
    step = START if "whole" in request.POST else step
    return _page(request, event, step, draft, form, days, status=422)


def _days_in_order(days: ScheduleForm) -> bool:
    """Return whether the days of the rounds can stand; else the form says what is wrong."""
    if days.is_valid():
        try:
            refuse_disorder([*_known(days).items()])
        except DomainError as error:
            add_refusal(days, error)
    return not days.errors


def _known(days: ScheduleForm) -> dict[int, RoundStart]:
    return {number: start for number, start in days.starts().items() if start is not None}


def _check(event: Event, form: NewSectionForm) -> Section | None:
    """Return the section as it would be, not saved; None, with errors in the form, if the settings are refused."""
    if not form.is_valid():
        return None
    settings = {
        "explained_to": Section.ExplainedTo.PLAYERS.value,
        "players_confirm": Section.PlayersConfirm.OFF.value,
        "acceleration": "",
        **form.section_settings(),
    }
    section = Section(event=event)
    try:
        assign_settings(section, {"options": {}, **settings})
        checked_list(form.tie_breaks() or (), (), section.system)
    except DomainError as error:
        add_refusal(form, error)
        return None
    return section


def _page(
    request: PersonRequest,
    event: Event,
    step: str,
    draft: SectionDraft,
    form: NewSectionForm,
    days: ScheduleForm,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {
        "event": event,
        "form": form,
        "days": days,
        "step": step,
        "address": _address(event, step),
        "steps": STEP_NAMES.items(),
        "kinds": [(key, name) for key, (name, _values) in KINDS.items()],
        "kind": draft.values.get("kind", ""),
        "only_system": only_system_line(),
        "last": step == CHECK,
        "pace_warning": draft.pace_warning if step in (DATES, CHECK) else "",
        "fields": list(form.bound_fields(step)) if step not in (START, CHECK) else [],
    }
    if step == START:
        context["pace"] = draft.pace_words
        context["round_days"] = draft.round_days(bound=form.is_bound)
        shown = draft.form(bound=True)
        shown.full_clean()
        context["folds"] = [
            (
                key,
                name,
                [form[field] for field in fields if field != "sure" or form.asks_sure],
                [shown.summary_line(field) for field in in_fold],
                any(form[field].errors for field in fields),
            )
            for key, (name, fields, in_fold) in FOLDS.items()
        ]
    if step == CHECK:
        section = _check(event, form)
        context["lines"] = [
            (key, name, _address(event, key), form.summary(key))
            for key, name in STEP_NAMES.items()
            if key != CHECK and section is not None
        ]
        context["errors"] = [
            (form[name].label if name != "__all__" else "", sentence, _address(event, form.step_of(name)))
            for name, sentences in form.errors.items()
            for sentence in sentences
        ]
        if section is not None:
            first = form.first_settings({})
            section.rating_method, section.equals_by = first.rating_method, first.equals_by
            section.rating_federation = first.rating_federation
            section.tie_breaks = list(first.tie_breaks or ())
            planned = draft.days(bound=True)
            known = _known(planned) if planned.is_valid() else {}
            section.schedule = [str(known.get(number) or "") for number in range(1, section.rounds + 1)]
            context["starts"] = sorted(known.items())
            context["parts"] = rules_parts(section)
    template = "staff/new_section_whole.html" if step == START else "staff/new_section.html"
    return render(request, template, context, status=status)


def _address(event: Event, step: str) -> str:
    if step == START:
        return reverse("tournaments:new-section", args=(event.slug,))
    return reverse("tournaments:new-section-step", args=(event.slug, step))


# A new section with the settings of another one.

UNSAID = frozenset({"options", "prizes", "rating_lists", "tie_breaks", "schedule"})
"""Settings that the page names, without their values: each has a page of its own with the words for them."""


class LikeForm(forms.Form):
    """Which section, and the name of the new one."""

    source = forms.ModelChoiceField(
        label=gettext_lazy("Copy the settings of"), queryset=Section.objects.none(), empty_label=None
    )
    name = forms.CharField(label=gettext_lazy("Name of the new section"), max_length=80)

    def __init__(self, data: Any, sources: QuerySet[Section], **more: Any) -> None:
        super().__init__(data, **more)
        field = self.fields["source"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = sources


def _label(name: str) -> str:
    """Return the label that the form of a new section has for a setting; the name in the log if it has none."""
    field = NewSectionForm.base_fields.get(name)
    return str(field.label) if field is not None and field.label else name_of(name)


@event_page("GET", "HEAD", "POST")
def copy_section(request: PersonRequest, event: Event) -> HttpResponse:
    """Show what is copied from a section (?source=). A POST with a name makes the new section; do: show, make."""
    sources = settings_sources(request.user, event)
    first = sources.filter(pk=_key(request)).first() or sources.filter(event=event).first() or sources.first()
    shown_only = request.POST.get("do") == "show"
    typed = {"name": request.POST.get("name", "")} if shown_only else {}
    form = LikeForm(None if shown_only else posted(request), sources, initial={"source": first, **typed})
    if form.is_valid():
        source = form.cleaned_data["source"]
        try:
            made = create_section_like(
                actor=actor_of(request), event=event, source=source, name=form.cleaned_data["name"]
            )
        except DomainError as error:
            add_refusal(form, error)
        else:
            sentence = _("Made with the settings of %(source)s. Check them here.") % {"source": source.name}
            messages.info(request, sentence)
            return redirect(section_url("settings", made))
    values = settings_of(first, event) if first else {}
    context = {
        "event": event,
        "form": form,
        "source": first,
        "days": first is not None and first.event_id == event.pk,
        "copied": [
            (_label(name), value_text(name, values[name]))
            for name in in_order(values)
            if name not in UNSAID
            and values[name] not in ("", None, [], {})
            and (values[name] or name != "minimum_rating")
        ],
    }
    return render(request, "staff/new_section_like.html", context, status=422 if form.errors else 200)


def _key(request: PersonRequest) -> int:
    text = (request.POST or request.GET).get("source", "")
    return int(text) if text.isdecimal() and len(text) < 19 else 0
