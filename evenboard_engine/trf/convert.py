"""From a report to the values of the engine: the round that the file asks to be paired."""

from __future__ import annotations

from collections.abc import Mapping

from evenboard_engine.model import Colour, OpenGame, Player, Tournament
from evenboard_engine.systems.registry import SYSTEMS, system_named

from .acceleration import accelerations
from .as_paired import as_paired
from .consistency import opponent_column
from .errors import Problems
from .pairing_comments import other_system_in, rules_of, system_for, with_facts
from .records import TextRecord
from .renumbering import numbers_now, numbers_of_round
from .report import Report
from .reported_rounds import ReportedRounds, forbidden_in, later_half_byes, reported_rounds, rulings_before


def to_tournament(
    report: Report,
    *,
    round: int | None = None,  # noqa: A002 the handbook's word
    unrated: int | None = None,
    system: str = "",
    options: Mapping[str, str] | None = None,
    with_open: bool = False,
) -> Tournament:
    """Return the tournament before a round is paired; ids are starting ranks.

    round: the round to be paired, by default the one after the last paired round. An earlier round gives the
    tournament as it was then: players without a game or an allocated bye in that round are not to be paired in it.
    unrated: rating for players without one (C.04.4.1, 1.1.2). None: they are unrated if the system takes unrated
    players, else refused. system: the code of the pairing system; without it, the one of `system_for`. options: of it,
    instead of those of the file (`rules_of`). with_open: earlier games without a result are open and not refused, as
    always where all rounds are fixed. Ratings, results and numbers are those that paired the round (`as_paired`,
    `numbers_of_round`).

    Teams (013) and the comments on clubs and flags are read into the players (`pairing_comments.py`).
    Byes of the round to be paired come from its columns (`0000 - H`) and from record 240, players not to be
    paired from XXZ. A blank entry in an earlier round leaves the round out, which scores like a zero-point
    bye. The TPN is the starting rank, or with `XXC rank` the place in the file. Without 152 or XXC the
    initial-colour is taken from round 1.

    Raises TrfErrors: no number of rounds (reading D13), no round left, a result or a rating missing, or
    something that affects the pairing and is not supported (another system, unknown XX records).
    """
    number = report.rounds_paired + 1 if round is None else round
    system = system_for(report, system)
    report = as_paired(report, number)
    problems = Problems()
    _refuse_unsupported(report, system, problems)
    _check_number(report, number, problems)
    problems.raise_if_any()
    assert report.rounds is not None
    players = with_facts(report, _players(report, number, unrated, system, problems))
    rounds = reported_rounds(report, to_pair=number)
    later = later_half_byes(report, number) if system_named(system).looks_ahead else ()
    if not (with_open or system_named(system).fixed_rounds):
        _refuse_open(rounds, problems)
    forbidden = forbidden_in(rounds.forbidden, number, problems)
    rules = rules_of(report, system=system, options=options)
    virtual = accelerations(report, number, numbers_now(report), problems)
    problems.raise_if_any()
    return Tournament(
        rounds=report.rounds,
        round=number,
        players=players,
        games=rounds.games,
        byes=rounds.byes + later,
        absent=rounds.absent_in(number),
        forbidden=forbidden,
        initial_colour=_initial_colour(report),
        points=report.points,
        accelerations=virtual,
        system=system,
        options=rules,
        open_games=tuple(OpenGame(game.round, game.white, game.black) for game in rounds.open),
        rulings=rulings_before(report, number),
    )


def _refuse_open(rounds: ReportedRounds, problems: Problems) -> None:
    for game in rounds.open:
        problems.add(
            "result_missing",
            line=game.line,
            column=opponent_column(game.round) + 7,
            player=game.white,
            opponent=game.black,
            round=game.round,
        )


def _refuse_unsupported(report: Report, system: str, problems: Problems) -> None:
    for record in report.kept:
        if record.code[:2] in ("XX", "BB"):
            problems.add("unknown_extension", line=record.line, column=1, found=record.code)
    if other := other_system_in(report, system):
        header = next(one for one in report.of_type(TextRecord) if one.code == "192" and one.text)
        expected = system if other in SYSTEMS else system_named(system).report_code
        problems.add("other_system", line=header.line, column=5, found=other, expected=expected)


def _check_number(report: Report, number: int, problems: Problems) -> None:
    following = report.rounds_paired + 1
    if report.rounds is None:
        problems.add("rounds_missing")
    elif number == following and number > report.rounds:
        problems.add("all_rounds_paired", rounds=report.rounds)
    elif not 1 <= number <= following:
        problems.add("round_out_of_range", found=number, low=1, high=min(following, report.rounds))


def _players(
    report: Report, number: int, unrated: int | None, system: str, problems: Problems
) -> tuple[Player, ...]:
    tpn = numbers_of_round(report, number)
    takes_unrated = system_named(system).takes_unrated
    players = []
    for player in report.players:
        rating = player.rating or unrated
        if rating is None and takes_unrated:
            rating = 0
        if rating is None:
            problems.add(
                "rating_missing", line=player.line, column=49, player=player.starting_rank, system=system
            )
        else:
            players.append(Player(player.starting_rank, tpn[player.starting_rank], rating))
    return tuple(players)


def _initial_colour(report: Report) -> Colour | None:
    """Return the initial-colour: from its record, else from the highest ranked player with a colour in round 1.

    Round 1 gave the initial-colour to odd numbers (C.04.4.1, 5.2.1). Reading (D7): only players with a game or an
    allocated bye in round 1 have a number in it.
    """
    if report.initial_colour is not None:
        return report.initial_colour
    tpn = numbers_of_round(report, 1)
    paired = [
        player
        for player in report.players
        if player.entry(1).opponent is not None or player.entry(1).symbol == "U"
    ]
    for place, player in enumerate(sorted(paired, key=lambda player: tpn[player.starting_rank]), start=1):
        colour = player.entry(1).colour
        if colour is not None:
            return colour if place % 2 else colour.opposite
    return None
