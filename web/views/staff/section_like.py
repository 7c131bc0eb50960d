"""A new section with the settings of another one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.actions.section_like import create_section_like, settings_of
from tournaments.errors import DomainError
from tournaments.models import Event, Section
from tournaments.queries.settings_sources import settings_sources
from web.context import section_url
from web.forms.errors import add_refusal
from web.forms.new_section import NewSectionForm
from web.requests import PersonRequest
from web.words.log_values import in_order, name_of, value_text

from .access import actor_of, event_page, posted

UNSAID = frozenset({"options", "prizes", "rating_lists", "tie_breaks", "schedule"})
"""Settings that the page names, without their values: each has a page of its own with the words for them."""
MOST_SOURCES = 200


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
            if name not in UNSAID and values[name] not in ("", None, [], {})
        ],
    }
    return render(request, "staff/section_like.html", context, status=422 if form.errors else 200)


def _key(request: PersonRequest) -> int:
    text = (request.POST or request.GET).get("source", "")
    return int(text) if text.isdecimal() and len(text) < 19 else 0
