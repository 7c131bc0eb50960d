"""Events that bear on the integrity of the pairings, as comment lines of the report file (VCL4THP.13 Q112, Q113).

Pairing numbers are those of today: a number that was regenerated since would point at somebody else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pairing.engine import ByeKind
from tournaments.models import ActionLog, Bye, Game, Integrity, Tournament
from tournaments.queries.field import Field

_HEADS = {
    Integrity.MANUAL: "MPA",
    Integrity.IMPORT: "Import",
    Integrity.CONFIGURATION: "Configuration",
    Integrity.CORRECTION: "Correction",
    Integrity.RATING_CORRECTION: "Rating correction",
    Integrity.ADJOURNMENT: "Adjournment",
    Integrity.REGENERATION: "Regeneration",
    Integrity.EXCHANGE: "Exchange",
    Integrity.FULL_POINT_BYE: "FPB",
}


def comments(field: Field, announced: tuple[Bye, ...] = ()) -> tuple[str, ...]:
    """The lines, each with its `###`, oldest first. announced: byes of rounds to come. One query."""
    tournament: Tournament = field.tournament
    teller = _Teller(field, announced)
    rows = ActionLog.objects.filter(tournament=tournament).exclude(integrity=Integrity.NONE).order_by("pk")
    return tuple(line for row in rows if (line := teller.line(row)))


class _Teller:
    """Turns rows of the log into lines, with the field as it is now."""

    def __init__(self, field: Field, announced: tuple[Bye, ...]) -> None:
        self._tpn = {key: entry.tpn for key, entry in field.participants.items()}
        self._games: Mapping[int, Game] = {game.pk: game for game in field.games}
        self._byes: tuple[Bye, ...] = (*field.byes, *announced)
        self._details: dict[str, Callable[[ActionLog], str | None]] = {
            Integrity.ADJOURNMENT: self._adjournment,
            Integrity.CORRECTION: self._correction,
            Integrity.RATING_CORRECTION: self._correction,
            Integrity.REGENERATION: self._numbers,
            Integrity.EXCHANGE: self._numbers,
            Integrity.FULL_POINT_BYE: self._full_point_bye,
        }

    def line(self, row: ActionLog) -> str:
        """The line, or "" for what has left no trace in the rounds of the report."""
        number = row.round_number or 0
        if row.integrity == Integrity.FIDE_MODE:
            return f"### FIDE mode exited @ Round {number}"
        tell = self._details.get(row.integrity, self._said)
        detail = tell(row)
        if detail is None:
            return ""
        return f"### {_HEADS[Integrity(row.integrity)]} @ Round {number}: {detail}".rstrip(": ")

    def _pair(self, row: ActionLog) -> str | None:
        game = self._games.get(row.after.get("game", 0))
        return f"{self._tpn[game.white_id]}-{self._tpn[game.black_id]}" if game else None

    def _adjournment(self, row: ActionLog) -> str | None:
        pair = self._pair(row)
        return f"{pair} {row.after['result']}" if pair else None

    def _correction(self, row: ActionLog) -> str | None:
        pair = self._pair(row)
        return f"{pair}: {row.before['result']} => {row.after['result']}" if pair else None

    def _numbers(self, row: ActionLog) -> str:
        return " ".join(f"{old}=>{new}" for old, new in row.after.get("numbers", ()))

    def _full_point_bye(self, row: ActionLog) -> str | None:
        for bye in self._byes:
            asked = (row.after.get("participant"), row.round_number)
            if bye.kind == ByeKind.FULL and (bye.participant_id, bye.round_number) == asked:
                return f"{self._tpn[bye.participant_id]}=FPB"
        return None

    def _said(self, row: ActionLog) -> str:
        return row.reason or row.subject
