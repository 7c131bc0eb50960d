"""The errors of actions, as codes and parameters. `web` makes the sentences that people read.

Parameters are plain values: numbers, texts, lists of them. Points are in tenths.
"""

from __future__ import annotations

from typing import Any


class DomainError(Exception):
    """An action was refused and nothing was written.

    code: one of `CODES`. params: exactly the names that `CODES` lists. status: of the HTTP answer.
    system: the code of the section's pairing system, "" outside a section. Sentences cite FIDE's rules only where they
    apply. `act` sets it.
    answer: of a question, the text that a yes sends back (`tournaments.questions`). time: 2 if it is asked again.
    """

    status = 422
    system = ""
    answer = ""
    time = 1

    def __init__(self, code: str, **params: Any) -> None:
        if set(params) != set(CODES[code]):
            raise TypeError(f"{code} takes {CODES[code]}, not {tuple(params)}")
        self.code = code
        self.params = params
        super().__init__(code, params)

    def __str__(self) -> str:
        details = ", ".join(f"{key}={value!r}" for key, value in self.params.items())
        return f"{self.code}({details})"


class Stale(DomainError):
    """Somebody changed the data after the form was loaded."""

    status = 409


class NotSaved(DomainError):
    """Devices hold what is not saved yet, so it must be asked first."""

    status = 409


class NotFound(DomainError):
    """The row does not exist, or it was deleted."""

    status = 404


class Busy(DomainError):
    """Another transaction held the database for too long. The same request can be sent again."""

    status = 503


class Wait(DomainError):
    """There were too many failed attempts. params: how many seconds to wait."""

    status = 429


CODES: dict[str, tuple[str, ...]] = {
    # any action
    "not_found": (
        "kind",
        "id",
    ),  # kind: one of NOT_THERE in web/words/refusals
    "busy": (),
    "hashing_busy": (),
    "stale": ("seen", "revision"),
    "overtaken": ("theirs",),  # theirs: {field: the value that somebody else has saved since, as in JSON}
    "section_closed": (),
    "event_closed": (),
    "archive_too_large": ("limit",),  # limit: in MB
    "warnings_not_seen": ("count", "warnings", "rounds_left"),
    "invalid_values": ("problems",),  # problems: {field: [sentences]}, from the models' own validators
    "reason_required": (),
    "erase_not_confirmed": (),
    # events, sections, roles
    "event_dates": ("start", "end"),
    "zone_unknown": ("zone",),
    "embed_site": ("site",),
    "too_many_embed_sites": ("limit",),
    "section_name_taken": ("name",),
    "rounds_out_of_range": ("rounds", "minimum", "maximum"),
    "last_bye_round_too_high": ("last", "rounds"),
    "points_unsound": ("win", "draw", "loss"),
    "bye_points_too_high": ("bye", "win"),
    "bye_points_not_standard": ("bye",),
    "bye_points_unreachable": ("bye", "lower", "higher"),
    "acceleration_points": ("win", "draw"),
    "acceleration_unknown": ("system",),
    "option_above": ("option", "value", "limit_option", "limit"),
    "settings_locked": ("fields",),
    "departure_to_confirm": ("fields", "wrong"),  # wrong: rounds that the rules would then pair differently
    "rounds_played": ("rounds", "paired"),
    "prizes_not_in_units": ("category", "prize", "unit"),
    "prizes_rise": ("category", "former_prize", "prize"),
    "prizes_twice": ("category",),
    "tie_breaks_barred": ("tie_break", "system"),
    "tie_breaks_to_confirm": ("round",),
    "tie_breaks_too_many": ("most",),
    "tie_breaks_twice": ("tie_break",),
    "tie_breaks_unknown": ("tie_break",),
    "tie_value_unreadable": ("name", "value"),
    "period_starts": ("rounds",),
    "period_too_long": ("period", "days", "limit"),
    "period_running": ("period", "last"),
    "period_unknown": ("period",),
    "rating_out_of_range": ("name", "rating"),
    "tie_values_computed": ("tie_break",),
    "rounds_out_of_order": ("earlier", "later"),
    "countdown_out_of_range": ("hours",),
    "message_too_long": ("limit",),
    "screen_name_taken": ("name",),
    "too_many_screens": ("limit",),
    "user_unknown": ("username",),
    "user_taken": ("username",),
    "role_unknown": ("role",),
    "user_name_impossible": (),
    "user_name_used": ("username",),
    "role_of_whole_event": ("role",),
    "role_end_past": ("day",),
    "owner_for_good": (),
    "boards_of_clerk": (),
    "boards_impossible": ("highest",),
    "boards_out_of_range": ("first", "last", "highest"),
    "role_of_owner": ("username",),
    "role_only_by_owner": (),
    "role_beyond": (),
    "own_role": (),
    "own_invitation": (),
    "last_owner": ("username",),
    "last_site_owner": (),
    "too_many_invitations": ("limit",),
    "already_in_event": (),
    "not_closed": (),
    "rounds_left": ("paired", "rounds"),
    "nothing_to_close": (),
    "fide_mode_left": (),
    "fide_mode_to_confirm": ("paired",),  # paired: how many rounds
    "fide_mode_none": ("system",),
    # logins
    "wait": ("seconds",),
    "wrong_password": (),
    "wrong_code": (),
    "recovery_code_waits": (),
    "second_factor_on": (),
    "link_gone": (),
    "link_not_allowed": ("username",),
    "too_many_device_links": ("limit",),
    # programs that use the API
    "access_token_scopes": (),
    "access_token_end": ("days",),
    "too_many_access_tokens": ("limit",),
    "webhook_address": (),
    "too_many_webhooks": ("limit",),
    # entries
    "name_required": (),
    "rating_required": ("name",),
    "already_entered": ("name",),
    "fide_id_taken": ("fide_id", "name"),
    "too_many_entries": ("limit",),
    "first_round_paired": ("first_round", "next_round"),
    "already_withdrawn": ("name",),
    "already_expelled": ("name",),
    "not_withdrawn": ("name",),
    "already_paired": ("name",),
    "numbers_frozen": (),
    "not_equal": (),
    "equals_same": (),
    "equals_to_confirm": ("round", "numbers"),  # numbers: [(old, new)]
    # imported lists and report files
    "import_refused": ("problems",),  # problems: [{row, name, code, params}], codes of this table
    "section_not_empty": ("participants",),
    "rating_lists_wrong": ("limit",),
    "minimum_rating_wrong": ("low", "high"),
    "list_refused": ("reason", "details"),  # codes of ratings.errors and their parameters
    "rating_list_in_use": ("names",),
    "ratings_missing": ("names", "system"),
    "report_refused": (
        "problems",
    ),  # problems: [{line, column, code, params}], codes of evenboard_engine.trf
    "report_without_rounds": (),
    "report_to_confirm": (
        "seen",
    ),  # seen: what the page shows of rounds that do not follow the rules, as one text
    "report_points": ("symbol", "points"),
    "too_many_forbidden": ("limit",),
    # byes
    "round_out_of_range": ("round", "rounds"),
    "round_already_paired": ("round",),
    "bye_kind": ("kind",),
    "bye_twice": ("name", "round"),
    "bye_differs": ("name", "round", "kind", "wanted"),
    "half_bye_not_allowed": ("name",),
    "not_active": ("name",),
    "same_section": ("name", "section"),
    "registration_moves": ("name",),
    "bye_allocated": ("name", "round"),
    # warnings: codes of tournaments/queries/byes.py; limit, last_round: the section's limits, or None
    "numbers_to_confirm": ("section", "round", "numbers"),  # numbers: [[old, new]] of those that would move
    # rounds: of the byes; count: half-point byes that the player would have
    "bye_to_confirm": ("name", "rounds", "count", "warnings", "limit", "last_round"),
    "two_sections_to_confirm": ("names", "sections"),
    "same_person": ("name", "other", "birth_date"),
    "name_order": ("name", "proposed"),
    "missed_byes_to_confirm": ("name", "count", "warnings", "limit", "last_round"),
    "byes_to_confirm": ("byes", "limit", "last_round"),  # byes: [{name, round, warnings}]
    # registrations. problems: codes of registrations/queries/problems.py
    "registration_changed": ("name",),
    "decision_to_confirm": ("registrations", "unfit", "offered"),  # a whole list, and the offers that follow
    "offers_to_confirm": ("registrations",),  # those of people who wait and would get a place
    "registration_over": ("name",),
    "price_is_charged": ("name",),
    "list_says_the_same": ("name",),
    "registration_move": ("name", "state", "to"),
    "registration_started": (),
    "section_has_registrations": ("count",),
    "section_hidden": ("section",),
    "registration_closed": (),
    "form_of_another": ("name",),
    "registration_known": (),
    "mail_not_set_up": (),
    "listed_otherwise": (
        *("fide_id", "listed", "born", "name", "birth_date", "rating", "list", "question"),
    ),  # born: year or None. question: what a yes answers
    "registration_reason_required": (),
    "registration_limits": ("section", "problems"),
    "limits_to_confirm": ("name", "section", "problems"),
    "registration_list_full": ("section",),
    "registration_not_undone": ("name",),
    "registration_address_often": (),
    "mail_place_unknown": ("names",),
    "waiting_order": (),
    "too_many_labels": ("most",),
    "section_full": ("section",),
    "bye_not_in_rules": ("round", "limit", "last_round"),
    "mail_without_link": (),
    "money_out_of_range": ("most",),
    # check-in and absences
    "check_in_closed": ("round",),
    "check_in_missing": ("round", "count"),
    "absent_who": (),
    "absent_to_confirm": ("round", "players"),  # players: keys of entries
    "undo_to_confirm": ("revisions",),  # revisions: those that come back or are undone again
    # results
    "unknown_result": ("result",),
    "stale_result": ("board", "theirs", "version", "by", "at"),
    # here: [[kind, count, where]] on this device; devices: of others, [[round, person, count, when last heard]]
    "results_waiting": ("here", "devices"),
    "round_not_published": ("round",),
    "not_own_board": ("board", "boards"),
    "round_finished": ("round",),
    "adjourned_was_played": ("board", "result"),
    "adjourned_to_confirm": ("round", "board", "result"),
    "adjourned_earlier": ("round", "games"),
    "nothing_to_confirm": ("board",),
    "reading_differs": ("round", "board", "theirs"),
    "game_has_result": ("board",),
    "results_in_conflict": ("round", "boards"),
    "correction_not_needed": ("round",),
    "correction_too_late": ("round",),
    "correction_adjourned": ("board",),
    "correction_same": ("board",),
    # changes: what the page shows of the standings and the next round; () for the rating alone
    "correction_unconfirmed": ("round", "board", "changes"),
    "points_of_teams": (),
    "points_after_round": ("round", "last"),
    "points_out_of_range": ("most",),
    "points_below_zero": ("name",),
    "points_unconfirmed": ("name", "round", "last", "before", "after"),  # before, after: tenths
    # rounds
    "stale_round": ("after_round", "last_round"),
    "stale_version": ("round", "version"),
    "results_missing": ("round", "boards"),
    "adjourned_open": ("games",),  # games: [[round, board]]
    "round_is_draft": ("round",),
    "round_not_draft": ("round",),
    "round_has_results": ("round", "boards"),
    "no_initial_colour": (),
    "list_not_due": ("round",),
    "list_in_conflict": ("round",),
    # rounds that are fixed by numbers drawn by lot
    "lots_missing": (),
    "lots_stand": (),
    "lots_too_few": ("players",),
    "lots_too_many": ("players", "rounds", "limit"),
    "lots_same": (),
    "lots_to_confirm": ("numbers",),  # numbers: [[old, new]]
    "table_stands": (),
    "rounds_not_fixed": (),
    "no_byes_here": (),
    "round_not_last": ("round", "last_round"),
    "no_drafts": (),
    "all_rounds_paired": ("rounds",),
    "late_entry_by_arbiter": ("section",),
    "move_waits": ("name", "section"),
    "too_few_players": ("present",),
    "rules_allow_a_pairing": ("round",),
    # reason: the engine's code; players: [[tpn, name]]; others: how many more there are to be paired; relaxations:
    # [[engine's kind, players]], as a proposal
    "stale_offer": ("round",),
    "no_legal_pairing": ("reason", "players", "others", "relaxations", "system"),
    "pairing_failed": ("reason",),
    "forbidden_pairs_locked": (),
    "forbidden_pair_same": ("name",),
    "forbidden_pair_twice": ("first", "second"),
    "forbidden_pair_rounds": ("first_round", "last_round", "next_round", "rounds"),
    # pairing by hand. concerns: [{code, players: [[tpn, name]], articles, rounds, colour, points, count}]
    "manual_phase_open": ("round",),
    "manual_phase_closed": ("round",),
    "pairs_are_public": ("round",),
    "by_hand_concerns": ("concerns", "byes"),
    "by_hand_nothing": (),
    "by_hand_locked": ("round", "board"),
    "by_hand_no_player": (),
    "by_hand_not_here": ("name", "round"),
    "by_hand_has_bye": ("name", "kind"),
    "players_unpaired": ("round", "names"),
    "differs_from_engine": ("round", "pairs", "engines"),  # pairs: (White, Black), as keys of entries
    # undo
    "undone_already": ("revision",),
    "undo_beginning": (),
    "undo_elsewhere": (),
    "undo_not_kept": (),
    "undo_for_good": (),
    "undo_erased": (),
    "undo_depends": (
        "revisions",
        "elsewhere",
    ),  # revisions: of this section; elsewhere: how many in other sections
    "undo_differs": ("table", "row"),
    "undo_clash": (),
    "restore_unknown": ("round",),
    # copies
    "copy_unknown": (),
    "copy_newer": ("version", "known"),
    "copy_damaged": (),
    "copy_changed": (),
    "copy_too_big": ("limit",),
    "copy_not_written": ("reason",),
}
