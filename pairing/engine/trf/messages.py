"""English sentences for the errors of report files. Layers that translate go by the codes."""

from __future__ import annotations

from .errors import TrfError

SENTENCES: dict[str, str] = {
    "abnormal_points_unsupported": "record 299 (points given or taken away) is not supported",
    "acceleration_unsupported": "acceleration ({found}) is not supported",
    "adjourned_points": "an adjourned game (X) must be worth a draw, {expected}, not {found}",
    "all_rounds_paired": "all {rounds} rounds are already paired; there is none left",
    "bad_date": "the {field} must look like 1990/12/31 or 1990, not {found!r}",
    "bad_points": "the {field} must look like 4.5, not {found!r}",
    "bad_value": "the {field} must be {allowed}, not {found!r}",
    "bye_disagrees": (
        "player {player} has a bye {expected!r} in round {round} here, but {found!r} in the line of the player"
    ),
    "bye_with_opponent": "round {round}: {found!r} is for a round without an opponent, but {opponent} is given",
    "colour_missing": "round {round}: the game against {opponent} needs a colour, w or b",
    "colour_without_opponent": "round {round}: there is a colour, {found!r}, but no opponent",
    "colours_disagree": (
        "round {round}: one of {player} and {opponent} (line {other_line}) must be White, the other Black"
    ),
    "column_not_blank": "this column must be blank, not {found!r}; is the line shifted?",
    "control_character": "there is a character that cannot be printed, {found}",
    "duplicate_player": "starting rank {player} is already used in line {first_line}",
    "file_too_large": "the file has {found} bytes; {limit} is the most that is read",
    "initial_colours_differ": "the initial-colour {found!r} contradicts an earlier line",
    "line_too_long": "the line is longer than {limit} characters",
    "no_players": "there is no player (a line that begins with 001); is this a tournament report file?",
    "not_a_number": "the {field} must be a number, not {found!r}",
    "not_a_record": "a line must begin with a code of three digits or capitals and a blank, not {found!r}",
    "number_missing": "the {field} is missing",
    "opponent_disagrees": (
        "round {round}: {player} has {opponent} as opponent, but {opponent} (line {other_line}) has {found}"
    ),
    "other_system": "the file asks for another pairing system, {found!r}; for this one it must say FIDE_DUBOV",
    "out_of_range": "the {field} must be from {low} to {high}, not {found}",
    "own_opponent": "round {round}: {player} cannot be their own opponent",
    "point_systems_differ": "the points for {found} contradict another record (162, XXS or BB.)",
    "points_differ": "the points must be the sum of the results, {expected}, not {found}",
    "rating_missing": "player {player} has no rating; the Dubov System needs one (or use --unrated)",
    "result_missing": "round {round}: the game of {player} and {opponent} has no result yet",
    "result_without_opponent": "round {round}: {found!r} needs an opponent (a bye is H, F, U or Z)",
    "results_disagree": (
        "round {round}: {found} for {player} and {opponent} (line {other_line}) do not make a result together"
    ),
    "round_beyond": "there is a round {round}, but the tournament has {rounds}",
    "round_empty": "round {round} is empty for everybody, though a later one is not",
    "round_out_of_range": "the round to be paired must be from {low} to {high}, not {found}",
    "rounds_differ": "the number of rounds is {found} here, but {expected} in an earlier line",
    "rounds_missing": "the number of rounds is missing; add a line such as 'XXR 9' or '142 9'",
    "too_many_forbidden": "more than {limit} forbidden pairs",
    "too_many_lines": "the file has {found} lines; {limit} is the most that is read",
    "too_many_rounds": "more than {limit} rounds",
    "unexpected_text": "nothing more is expected here, but there is {found!r}",
    "unknown_extension": "record {found} is not known; it may bear on the pairing, so it is not ignored",
    "unknown_opponent": "round {round}: the opponent {opponent} of {player} is not in the file",
    "unknown_player": "player {player} is not in the file",
    "unknown_result": "round {round}: {found!r} is no result; these are: 1 = 0 + - W D L ? H F U Z",
}

FIELDS: dict[str, str] = {
    "allocated_bye": "an allocated bye",
    "birth_date": "birth date",
    "black_draw": "a draw with Black",
    "black_loss": "a loss with Black",
    "black_win": "a win with Black",
    "bye": "kind of bye",
    "colour": "colour",
    "configuration": "configuration",
    "fide_id": "FIDE ID",
    "first_round": "first round",
    "forfeit_loss": "a forfeit loss",
    "forfeit_win": "a forfeit win",
    "full_bye": "a full-point bye",
    "half_bye": "a half-point bye",
    "initial_colour": "initial-colour",
    "last_round": "last round",
    "opponent": "opponent",
    "player": "player's starting rank",
    "points": "points",
    "rank": "rank",
    "rating": "rating",
    "round": "round",
    "rounds": "number of rounds",
    "scoring": "point system",
    "sex": "sex",
    "starting_rank": "starting rank",
    "white_draw": "a draw with White",
    "white_loss": "a loss with White",
    "white_win": "a win with White",
    "zero_bye": "a zero-point bye",
}

_IN_TENTHS = frozenset({"points_differ", "adjourned_points"})


def sentence(error: TrfError) -> str:
    """One line: where, what was expected and what was found."""
    params = {name: _shown(error.code, name, value) for name, value in error.params.items()}
    text = SENTENCES[error.code].format_map(params)
    place = ""
    if error.line:
        place = f"line {error.line}, column {error.column}: " if error.column else f"line {error.line}: "
    return place + text


def _shown(code: str, name: str, value: object) -> object:
    if name == "field" or (code == "point_systems_differ" and name == "found"):
        return FIELDS[str(value)]
    if code in _IN_TENTHS and isinstance(value, int):
        return f"{value // 10}.{value % 10}"
    if code == "results_disagree" and isinstance(value, tuple):
        return " and ".join(repr(symbol) for symbol in value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value[:-1])) + f" or {value[-1]}"
    return value
