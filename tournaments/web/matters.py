"""What stands in the way, or should be known, in the words of the cockpit."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Tournament
from tournaments.queries.desk import Matter
from tournaments.web.context import section_url
from tournaments.web.messages import listed

SHOWN_BOARDS = 12
WITHOUT = {"no_fide_id": "fide_id", "no_official_rating": "official_rating"}


@dataclass(frozen=True, slots=True)
class Said:
    """word: for the pill. sentence: what it means. url: where it can be settled, "" where that is no one page."""

    code: str
    word: str
    sentence: str
    url: str


def say(matter: Matter, tournament: Tournament) -> Said:
    """A blocker or a notice of the desk in words."""
    word, sentence = _words(matter)
    return Said(matter.code, word, sentence, _url(matter, tournament))


def _url(matter: Matter, tournament: Tournament) -> str:
    if matter.boards:
        results = section_url("enter-results", tournament, number=matter.round_number)
        return f"{results}#board-{matter.boards[0]}"
    if matter.code in WITHOUT:
        return f"{section_url('entries', tournament)}?without={WITHOUT[matter.code]}"
    return ""


def _words(matter: Matter) -> tuple[str, str]:
    count, number = matter.number, matter.round_number
    match matter.code:
        case "too_few_players":
            sentence = ngettext(
                "%(count)s player can be paired. It takes two at least.",
                "%(count)s players can be paired. It takes two at least.",
                count,
            ) % {"count": count}
            return _("Players"), sentence
        case "no_initial_colour":
            return _("Lot"), _(
                "The initial-colour has not been drawn: the colour of the first player in round 1."
            )
        case "draft_unpublished":
            return _("Draft"), _("Round %(round)s is paired and only arbiters see it.") % {"round": number}
        case "manual_phase_open":
            return _("By hand"), _("Pairing by hand of round %(round)s has not ended.") % {"round": number}
        case "results_missing":
            return _("Results"), _("Round %(round)s: %(boards)s.") % {
                "round": number,
                "boards": _boards(matter),
            }
        case "adjourned":
            sentence = _(
                "Round %(round)s: %(boards)s. Adjourned games count as draws until they are finished."
            )
            return _("Adjourned"), sentence % {"round": number, "boards": _boards(matter)}
        case "adjourned_open":
            sentence = _("Round %(round)s: %(boards)s. The section closes when these games have a result.")
            return _("Adjourned"), sentence % {"round": number, "boards": _boards(matter)}
        case "too_many_rounds":
            sentence = _("This field can play %(count)s rounds without meeting twice.") % {"count": count}
            return _("Rounds"), sentence
        case "no_fide_id":
            sentence = ngettext(
                "%(count)s player has no FIDE ID.", "%(count)s players have no FIDE ID.", count
            )
            return _("FIDE ID"), sentence % {"count": count}
        case "no_official_rating":
            sentence = ngettext(
                "%(count)s player has no official rating; the rating used for pairing is the arbiter's.",
                "%(count)s players have no official rating; the rating used for pairing is the arbiter's.",
                count,
            )
            return _("Rating"), sentence % {"count": count}
        case "forbidden_pairs":
            sentence = ngettext(
                "Round %(round)s: %(count)s pair is forbidden. That is outside FIDE's rules, and the report says so.",
                "Round %(round)s: %(count)s pairs are forbidden. That is outside FIDE's rules, and the report says so.",
                count,
            )
            return _("Forbidden"), sentence % {"round": number, "count": count}
        case _:
            names = listed(side.name for side in matter.sides)
            return _("Late"), _("Round %(round)s brings in %(names)s.") % {"round": number, "names": names}


def _boards(matter: Matter) -> str:
    boards = [str(board) for board in matter.boards]
    if len(boards) == 1:
        return _("board %(board)s") % {"board": boards[0]}
    shown = listed(boards) if len(boards) <= SHOWN_BOARDS else ", ".join(boards[:SHOWN_BOARDS]) + " …"
    return _("boards %(boards)s") % {"boards": shown}
