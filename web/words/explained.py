"""The words of the pairing system of a section, with the names of its players, in the language of the page."""

from __future__ import annotations

from collections.abc import Mapping

from base.reader import READER
from base.text import isolated
from evenboard_engine import Tournament
from evenboard_engine.words.explanation import Words
from evenboard_engine.words.registry import words_of
from tournaments.models import Participant

LONGEST_LIST = 12  # names in a sentence


def words_for(
    value: Tournament, participants: Mapping[int, Participant], longest: int = LONGEST_LIST
) -> Words:
    """Return the words for a tournament. A player is the number and the surname. participants: by key.

    longest: names in a sentence.
    """

    def name(key: int) -> str:
        participant = participants[key]
        return f"{participant.tpn}\u00a0{isolated(participant.shown_surname)}"

    words = words_of(value.system).explanation
    return words(name, tournament=value, language=READER, longest=longest)
