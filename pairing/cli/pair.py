"""Pair the next round of a report file: `python -m pairing --SYSTEM file.trf -p`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .console import (
    INTERNAL,
    NO_PAIRING,
    Asked,
    Stop,
    contradiction,
    print_warnings,
    warn_of_overruled,
    wrong_file,
)

if TYPE_CHECKING:
    from pairing.engine import PairingError, RoundPairing, Tournament
    from pairing.engine.trf import Report


def paired(data: bytes, asked: Asked) -> tuple[Report, Tournament, RoundPairing]:
    from pairing.engine import InternalError, InvalidTournament, NoLegalPairing, pair_round
    from pairing.engine.trf import TrfErrors, read_report, to_tournament

    try:
        report = read_report(data)
        print_warnings(report)
        warn_of_overruled(report, asked)
        tournament = to_tournament(report, unrated=asked.unrated, system=asked.system, options=asked.options)
        return report, tournament, pair_round(tournament)
    except TrfErrors as errors:
        raise wrong_file(errors) from errors
    except NoLegalPairing as error:
        raise Stop(NO_PAIRING, *_no_pairing(error), *_proposal(tournament)) from error
    except InvalidTournament as error:
        raise contradiction(error) from error
    except InternalError as error:
        raise Stop(INTERNAL, f"internal error, please report it: {error}") from error


def _no_pairing(error: PairingError) -> list[str]:
    reasons = {
        "no_bye": "no legal pairing exists: the number of players is odd, and nobody may get the bye",
        "no_pairing": "no legal pairing exists: the players cannot all be paired",
    }
    lines = [reasons.get(error.code, f"no legal pairing exists: {error.code}")]
    players = error.params.get("players")
    if isinstance(players, tuple) and players:
        who = (
            "one of these players would have to get the bye"
            if error.code == "no_bye"
            else "these players cannot be placed"
        )
        lines.append(f"{who}: {' '.join(map(str, players))}")
    return lines


_RELAXED = {
    "C1": "{} and {} meet again (against C1)",
    "C2": "{} gets the bye (against C2)",
    "C3": "{} and {} meet, both with the same absolute preference (against C3)",
    "forbidden": "{} and {} meet, which the file forbids",
}


def _proposal(tournament: Tournament) -> list[str]:
    """What the arbiter might allow. The program does none of it."""
    from pairing.engine import propose_relaxations

    return [
        f"a pairing exists if the arbiter allows that {_RELAXED[relaxation.kind].format(*relaxation.players)}"
        for relaxation in propose_relaxations(tournament)
    ]


def reply(pairing: RoundPairing) -> str:
    lines = [f"{pair.white} {pair.black}" for pair in pairing.pairs]
    if pairing.bye is not None:
        lines.append(f"{pairing.bye} 0")
    return "\n".join((str(len(lines)), *lines)) + "\n"
