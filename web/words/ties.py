"""Say by what a section ranks its players."""

from __future__ import annotations

from django.utils.translation import gettext as _

from base.reader import READER
from evenboard_engine.tiebreaks import TieBreak
from evenboard_engine.words.tiebreaks import TIE_BREAKS, tie_break_name
from tournaments.models import Section


def order_words(section: Section) -> str:
    """Return what decides the places, in order: points, ARO and pairing number."""
    rules = section.tie_break_list
    return READER.listed([_(TIE_BREAKS["PTS"].inside), *(_inside(rule, section) for rule in rules)])


def _inside(rule: TieBreak, section: Section) -> str:
    if rule.name == "ARO" and "aro" in section.lists and not section.rounds_aro:
        return _("ARO rounded to a whole number")  # the ARO list of this system has fractions
    return tie_break_name(rule, READER, inside=True)
