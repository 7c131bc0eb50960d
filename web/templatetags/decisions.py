"""Points by decision of the arbiter."""

from __future__ import annotations

from django import template

from web.words.decisions import decision_sentence

register = template.Library()
register.filter("decision_sentence", decision_sentence)
