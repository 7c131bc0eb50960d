"""English sentences for the errors and warnings of report files, marked for translation by the layers above."""

from __future__ import annotations

from evenboard_engine.trf.codes import decimal_points
from evenboard_engine.trf.errors import TrfError

from .catalogue import ENGLISH, FULL_STOP, WORDS, Language, Sentence, ngettext
from .catalogue import gettext_noop as _

SENTENCES: dict[str, Sentence] = {
    "acceleration_points": _(
        "Baku Acceleration is only for points where a win is worth two draws and a loss nothing (C.04.7, 1.1); give "
        "the virtual points in 250 or XXA instead"
    ),
    "adjourned_points": _("an adjourned game (X) must be worth a draw, %(expected)s, not %(found)s"),
    "allocated_ahead": ngettext(
        "round %(round)s has no game, so it is the round to be paired; a pairing-allocated bye after the last game is "
        "taken as a full-point bye: %(byes)s",
        "round %(round)s has no game, so it is the round to be paired; %(count)s pairing-allocated byes after the last "
        "game are taken as full-point byes: %(byes)s",
        "count",
    ),
    "all_rounds_paired": _("round %(rounds)s, the last one, is already paired"),
    "bad_points": _("%(field)s: %(found)r must look like 4.5"),
    "bad_value": _("%(field)s: %(found)r must be %(allowed)s"),
    "boards_differ": _("the line-up has %(found)s boards, but record 352 has %(expected)s"),
    "bye_disagrees": _(
        "player %(player)s has the bye %(expected)r in round %(round)s here, but %(found)r in the player's own line"
    ),
    "bye_with_opponent": _(
        "round %(round)s: %(found)r is for a round without an opponent, but %(opponent)s is given"
    ),
    "colour_missing": _("round %(round)s: the game against %(opponent)s needs a colour, w or b"),
    "colour_without_opponent": _("round %(round)s: there is a colour, %(found)r, but no opponent"),
    "colours_disagree": _(
        "round %(round)s: one of %(player)s and %(opponent)s (line %(other_line)s) must be White, the other Black"
    ),
    "column_not_blank": _("this column must be blank, not %(found)r; is the line shifted?"),
    "columns_shifted": _(
        "the points and the rounds of all players stand one column too far to the right; they are read one column to "
        "the left"
    ),
    "control_character": _("there is a character that cannot be printed, %(found)s"),
    "control_character_left_out": _("there is a character that cannot be printed, %(found)s; it is left out"),
    "birth_date_read": _("birth date: %(found)r is read as %(expected)s"),
    "birth_date_read_too": ngettext(
        "birth date: read in this way in %(count)s line in all",
        "birth date: read in this way in %(count)s lines in all",
        "count",
    ),
    "day_read": _("the date %(found)r is read as %(expected)s"),
    "duplicate_player": _("starting rank %(player)s is already used in line %(first_line)s"),
    "file_too_large": ngettext(
        "the file has %(found)s byte; %(limit)s is the most that is read",
        "the file has %(found)s bytes; %(limit)s is the most that is read",
        "found",
    ),
    "forbidden_pairs": _("pairs that must not meet (260, XXP) are outside FIDE's rules"),
    "initial_colours_differ": _("the initial-colour %(found)r contradicts an earlier line"),
    "left_out": _("%(field)s: %(found)r is not possible; it is left out"),
    "left_out_too": ngettext(
        "%(field)s: left out in %(count)s line in all",
        "%(field)s: left out in %(count)s lines in all",
        "count",
    ),
    "letters_guessed": _(
        "the text is not UTF-8; its letters are read as those of Western Europe, so look at the names"
    ),
    "line_too_long": ngettext(
        "the line is longer than %(limit)s character", "the line is longer than %(limit)s characters", "limit"
    ),
    "no_players": _("there is no player (a line that begins with 001); is this a tournament report file?"),
    "not_a_number": _("%(field)s: %(found)r is not a number"),
    "not_a_record": _("a line must begin with a code of three digits or capitals and a blank, not %(found)r"),
    "not_in_team": _("player %(player)s plays for team %(found)s, but is not in that team"),
    "number_missing": _("%(field)s: the number is missing"),
    "old_byes_allocated": _("'+' without an opponent is taken as the pairing-allocated bye: %(byes)s"),
    "old_byes_full": _(
        "'+' without an opponent is taken as a full-point bye, because it may not be the pairing-allocated bye of the "
        "round: %(byes)s"
    ),
    "old_byes_half": _("'=' without an opponent is taken as a half-point bye: %(byes)s"),
    "old_byes_zero": _("'-' without an opponent is taken as a zero-point bye: %(byes)s"),
    "older_edition": _(
        "the tournament began under the edition of %(found)s of the pairing rules, which the program does not have; it "
        "is paired and checked by the edition of %(expected)s, so a difference may come from the edition alone"
    ),
    "opponent_disagrees": _(
        "round %(round)s: %(player)s has %(opponent)s as opponent, but %(opponent)s (line %(other_line)s) has %(found)s"
    ),
    "other_system": _("the file names another pairing system, %(found)r; it must be %(expected)s"),
    "out_of_range": _("%(field)s: only %(low)s to %(high)s is possible, not %(found)s"),
    "own_opponent": _("round %(round)s: %(player)s cannot be their own opponent"),
    "point_systems_differ": _("%(found)s: the points contradict another record (162, XXS or BB)"),
    "points_differ": _(
        "player %(player)s: the points must be the sum of the results, %(expected)s, not %(found)s"
    ),
    "players_differ": _("the number of players is %(found)s here, but the file has %(expected)s"),
    "ranks_differ": _(
        "player %(player)s (%(points)s) has rank %(found)s, but player %(other)s (%(other_points)s) has rank "
        "%(expected)s"
    ),
    "rated_differ": _("the number of rated players is %(found)s here, but the file has %(expected)s"),
    "rating_missing": _("player %(player)s has no rating; the %(system)s needs one (or use --unrated)"),
    "result_missing": _("round %(round)s: the game of %(player)s and %(opponent)s has no result yet"),
    "result_without_opponent": _("round %(round)s: %(found)r needs an opponent (a bye is H, F, U or Z)"),
    "results_disagree": _(
        "round %(round)s: %(found)s for %(player)s and %(opponent)s (line %(other_line)s) do not make a result together"
    ),
    "round_beyond": ngettext(
        "there is a round %(round)s, but the tournament has %(rounds)s round",
        "there is a round %(round)s, but the tournament has %(rounds)s rounds",
        "rounds",
    ),
    "round_empty": _("round %(round)s is empty for all players, but a later round is not"),
    "round_out_of_range": _("the round to be paired must be from %(low)s to %(high)s, not %(found)s"),
    "rounds_differ": _("the number of rounds is %(found)s here, but %(expected)s in an earlier line"),
    "rounds_missing": _("the number of rounds is missing; add a line such as '142 9' or 'XXR 9'"),
    "team_line_unreadable": _("record %(found)s is not in its columns; the line is kept as it is"),
    "team_player_twice": _("player %(player)s is in two teams"),
    "team_player_unknown": _("player %(player)s of a team is not in the file and is left out"),
    "team_twice": _("team number %(found)s is already used"),
    "team_unknown": _("team %(found)s is not in the file"),
    "teams_differ": _("the number of teams is %(found)s here, but the file has %(expected)s"),
    "time_control_unreadable": _("the time control %(found)r must look like 5400+30 or 40/6000+30:900+30"),
    "too_many_forbidden": ngettext(
        "with this line there is more than %(limit)s forbidden pair; leave out lines that are not needed",
        "with this line there are more than %(limit)s forbidden pairs; leave out lines that are not needed",
        "limit",
    ),
    "too_many_lines": ngettext(
        "the file has %(found)s line; %(limit)s is the most that is read",
        "the file has %(found)s lines; %(limit)s is the most that is read",
        "found",
    ),
    "too_many_of_code": ngettext(
        "more than %(limit)s line begins with %(found)s; leave out those that are repeated or not needed",
        "more than %(limit)s lines begin with %(found)s; leave out those that are repeated or not needed",
        "limit",
    ),
    "too_many_rounds": ngettext("more than %(limit)s round", "more than %(limit)s rounds", "limit"),
    "too_many_virtual": ngettext(
        "more than %(limit)s virtual point", "more than %(limit)s virtual points", "limit"
    ),
    "unexpected_text": _("nothing more is expected here, but there is %(found)r"),
    "unknown_extension": _(
        "record %(found)s is not known; it may affect the pairing, so the file is refused"
    ),
    "unknown_opponent": _("round %(round)s: the opponent %(opponent)s of %(player)s is not in the file"),
    "unknown_player": _("player %(player)s is not in the file"),
    "virtual_points_differ": _(
        "player %(player)s has %(found)s virtual points in round %(round)s here, but %(expected)s in an earlier line"
    ),
    "unknown_method": _(
        "record 172 must name the method %(known)s, not %(found)r; the ratings of the player lines (001) are taken"
    ),
    "no_national_ratings": _(
        "record 172 says %(found)r, but the file has no national ratings of %(federation)s; the ratings of the player "
        "lines (001) are taken"
    ),
    "unknown_start": _(
        "the start date must look like 2026/12/31, not %(found)r; the newest edition of the rules is taken"
    ),
    "result_taken_as_unknown": _(
        "round %(round)s: %(found)r is not a result; it is read as an unknown result (?), which counts as a draw until "
        "the result is entered"
    ),
    "unknown_title": _("player %(player)s: %(found)r is not a FIDE title"),
    "unknown_result": _("round %(round)s: %(found)r is not a result; these are: 1 = 0 + - W D L ? H F U Z"),
}

# What a line of the file holds: a label with a colon, because in other languages a noun in a sentence changes with it.
FIELDS: dict[str, str] = {
    "abnormal": _("kind of result or bye"),
    "allocated_bye": _("pairing-allocated bye"),
    "birth_date": _("birth date"),
    "black_draw": _("draw with Black"),
    "black_loss": _("loss with Black"),
    "black_win": _("win with Black"),
    "bye": _("kind of bye"),
    "colour": _("colour"),
    "configuration": _("configuration"),
    "fide_id": _("FIDE ID"),
    "first_round": _("first round"),
    "forfeit_loss": _("forfeit loss"),
    "forfeit_win": _("forfeit win"),
    "full_bye": _("full-point bye"),
    "half_bye": _("half-point bye"),
    "initial_colour": _("initial-colour"),
    "last_round": _("last round"),
    "opponent": _("opponent"),
    "player": _("player's starting rank"),
    "points": _("points"),
    "rank": _("rank"),
    "rating": _("rating"),
    "round": _("round"),
    "rounds": _("number of rounds"),
    "scoring": _("point system"),
    "sex": _("sex"),
    "starting_rank": _("starting rank"),
    "white_draw": _("draw with White"),
    "white_loss": _("loss with White"),
    "white_win": _("win with White"),
    "zero_bye": _("zero-point bye"),
}

PLACE = _("line %(line)s: %(text)s")
PLACE_WITH_COLUMN = _("line %(line)s, column %(column)s: %(text)s")
WHOLE_FILE = _("The file: %(text)s")
WHOLE_PLACE = _("Line %(line)s: %(text)s")
WHOLE_PLACE_WITH_COLUMN = _("Line %(line)s, column %(column)s: %(text)s")
OF_PLAYER = _("player %(player)s: %(text)s")
BYE_OF = _("player %(player)s in round %(round)s")

_SHOWN_BYES = 20
_IN_TENTHS = frozenset({"points_differ", "adjourned_points", "virtual_points_differ"})


def sentence(error: TrfError, language: Language = ENGLISH) -> str:
    """Return one line: the place, what was expected and what was found. It goes on after the name of a file."""
    text = _text(error, language)
    if not error.line:
        return text
    place = PLACE_WITH_COLUMN if error.column else PLACE
    return language.text_of(place, {"line": error.line, "column": error.column, "text": text})


def whole_sentence(error: TrfError, language: Language = ENGLISH) -> str:
    """Return the same as a sentence of its own, with a capital and its full stop or question mark."""
    place = WHOLE_PLACE_WITH_COLUMN if error.column else WHOLE_PLACE
    params = {"line": error.line, "column": error.column, "text": _text(error, language)}
    text = language.text_of(place if error.line else WHOLE_FILE, params)
    return text if text.endswith("?") else language.text_of(FULL_STOP, {"sentence": text})


def _text(error: TrfError, language: Language) -> str:
    params = {name: _shown(error.code, name, value, language) for name, value in error.params.items()}
    sentence_of_code = SENTENCES[error.code]
    text = language.text_of(sentence_of_code, error.params, params)
    if "player" in params and "%(player)s" not in str(sentence_of_code):
        return language.text_of(OF_PLAYER, {"player": params["player"], "text": text})
    return text


def _shown(code: str, name: str, value: object, language: Language) -> object:
    if name == "system":
        from .registry import words_of  # only here: the command line starts without the words of systems

        return language.translate(words_of(str(value)).name)
    if name == "field" or (code == "point_systems_differ" and name == "found"):
        return language.translate(FIELDS[str(value)])
    if code in _IN_TENTHS and name in ("found", "expected") and isinstance(value, int):
        return decimal_points(value)
    if code == "results_disagree" and isinstance(value, tuple):
        first, last = " ".join(map(repr, value[:-1])), repr(value[-1])
        return language.text_of(WORDS["and"], {"first": first, "last": last})
    if code == "opponent_disagrees" and name == "found" and value == 0:
        return language.translate(WORDS["none"])
    if code == "ranks_differ" and name.endswith("points") and isinstance(value, int):
        return language.points(value)
    if name == "byes" and isinstance(value, tuple):
        byes = [language.text_of(BYE_OF, {"player": player, "round": round_}) for player, round_ in value]
        return language.listed(byes, longest=_SHOWN_BYES)
    if isinstance(value, tuple):
        return language.listed(value, "or")
    return value
