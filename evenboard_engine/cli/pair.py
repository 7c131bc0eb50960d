"""Pair the next round of a report file: `evenboard-engine --SYSTEM file.trf -p`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from .console import (
    NO_PAIRING,
    CommandOptions,
    CommandStop,
    print_warnings,
    reason_lines,
    warn_of_overruled,
    wrong_input_stops,
)

if TYPE_CHECKING:
    from evenboard_engine import NoLegalPairing, RoundPairing, Tournament
    from evenboard_engine.trf import Report


def paired(
    data: bytes, asked: CommandOptions, *, or_offered: bool = False, explaining: bool = False
) -> tuple[Report, Tournament, RoundPairing]:
    """Pair the next round. Raises CommandStop.

    or_offered: where the rules cannot finish it, return the offer. explaining: where there is no round, what was tried
    and offered is the answer, and is printed on standard output.
    """
    from evenboard_engine import NoLegalPairing, offer, pair_round

    report, tournament = tournament_in(data, asked)
    try:
        with wrong_input_stops():
            return report, tournament, pair_round(tournament)
    except NoLegalPairing as error:
        if or_offered and (offered := offer(tournament)) is not None:
            return report, tournament, offered.pairing
        refusal = [*_no_pairing(error), *_proposal(tournament)]
        lines = [*reason_lines(report, tournament, error.reasons), *_offer(report, tournament)]
        if not explaining:
            raise CommandStop(NO_PAIRING, *refusal, *lines) from error
        sys.stdout.writelines(f"{line}\n" for line in lines)
        raise CommandStop(NO_PAIRING, *refusal) from error


def tournament_in(data: bytes, asked: CommandOptions, number: int | None = None) -> tuple[Report, Tournament]:
    """Read a report and its tournament before a round; without a number before the next one. Prints warnings."""
    from evenboard_engine.trf import read_report, to_tournament

    with wrong_input_stops():
        report = read_report(data)
        asked = asked.of(report)
        print_warnings(report, asked)
        warn_of_overruled(report, asked)
        return report, to_tournament(
            report, round=number, unrated=asked.unrated, system=asked.system, options=asked.options
        )


def _no_pairing(error: NoLegalPairing) -> list[str]:
    sentences = {
        "no_bye": "no legal pairing exists: the number of players is odd, and nobody may get the bye",
        "no_pairing": "no legal pairing exists: the players cannot all be paired",
        "cannot_finish": "the rules of the pairing system cannot finish this round",
    }
    who = {
        "no_bye": "one of these players would have to get the bye",
        "cannot_finish": "these players are left over",
    }
    lines = [sentences.get(error.code, f"no legal pairing exists: {error.code}")]
    players = error.params.get("players")
    if isinstance(players, tuple) and players:
        lines.append(
            f"{who.get(error.code, 'these players cannot be placed')}: {' '.join(map(str, players))}"
        )
    return lines


def _proposal(tournament: Tournament) -> list[str]:
    """What the arbiter might allow. The program does none of it."""
    from evenboard_engine import propose_relaxations
    from evenboard_engine.words.catalogue import ENGLISH
    from evenboard_engine.words.registry import words_of

    sentences = words_of(tournament.system).relaxations
    return [
        "a pairing exists if the arbiter allows that "
        + ENGLISH.text_of(
            sentences[relaxation.kind], {"first": relaxation.players[0], "last": relaxation.players[-1]}
        )
        for relaxation in propose_relaxations(tournament)
    ]


def _offer(report: Report, tournament: Tournament) -> list[str]:
    """Return the round that the arbiter may take over, in the form of the reply. The program does not take it."""
    from evenboard_engine import offer

    offered = offer(tournament)
    if offered is None:
        return []
    why = reason_lines(report, tournament, (*offered.reasons, *offered.broken))
    return ["offered, if the arbiter takes it over:", *why, *reply(offered.pairing).splitlines()]


def reply(pairing: RoundPairing) -> str:
    lines = [f"{pair.white} {pair.black}" for pair in pairing.pairs]
    if pairing.bye is not None:
        lines.append(f"{pairing.bye} 0")
    return "\n".join((str(len(lines)), *lines)) + "\n"
