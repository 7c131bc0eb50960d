"""Everything that a page can do, a program can do: each action has a route of the API, or a reason why it has none."""

from __future__ import annotations

from importlib import import_module
from inspect import Parameter, isfunction, signature
from pkgutil import iter_modules
from types import ModuleType

import registrations.actions
from tests.api.v1.test_rights import TABLE
from tournaments.declarations import ACTIONS, SITE_ACTIONS

LOGIN = "Only with a login: passwords, devices and logins are matters of a person, not of a program."
FILE = "Only with a login: a page shows how far the import of a large file is, and asks about it."
SITE = "Only with a login: it concerns the whole server, and a token is for events."
TOKENS = "Only with a login: a program with a token must not make itself more rights."
SECRETS = "Only with a login: answers are kept for a day, and a secret is stored nowhere."
ITSELF = "Nobody asks for it: the program does it."
FILES = "Only with a login: a copy of a section that is loaded brings its log along, which needs a look at its page."
LOCKED = "Only with a login: who erases a person types the name on the page."

# The route of each action: its name and its method.
ARBITER: dict[str, str | tuple[str, str]] = {
    "draw_initial_colour": ("initial-colour", "POST"),
    "draw_lots": ("lots", "POST"),
    "set_lots": ("lots", "PUT"),
    "pair_next_round": ("rounds", "POST"),
    "pair_ahead": ("pair-ahead", "POST"),
    "stop_ahead": ("pair-ahead", "DELETE"),
    "take_offer": ("offer", "POST"),
    "check_round": ("check", "POST"),
    "take_last_step": "It notes that a person opened a paper. Programs ask for the papers themselves.",
    "forget_device": "A program is asked about devices when it pairs, and agrees with `confirm`.",
    **dict.fromkeys(("leave_notice", "take_notice_back"), ("section-notices", "PUT")),
    "publish_round": ("publish", "POST"),
    "backup_failed": ITSELF,
    "unpublish_round": ("unpublish", "POST"),
    "unpair_round": ("round", "DELETE"),
    "publish_lists": ("publish-lists", "POST"),
    "start_by_hand": ("start-by-hand", "POST"),
    "begin_manual_phase": ("begin-by-hand", "POST"),
    "change_by_hand": ("by-hand", "POST"),
    "end_manual_phase": ("end-by-hand", "POST"),
    "record_result": ("round-results", "PUT"),
    "confirm_result": ("second-reading", "PUT"),
    "mark_over": ("over", "PUT"),
    "renew_player_link": ("player-link", "POST"),
    **dict.fromkeys(
        ("press_result", "agree_result"), "It follows from the link of a player, who has no token."
    ),
    "correct_result": ("correction", "POST"),
    "correct_for_rating": ("correction", "POST"),
    "add_participant": ("entries", "POST"),
    "edit_participant": ("entry", "PATCH"),
    "renew_persons_link": "Only with a login: no program gets the link of a player, because it agrees for the player.",
    "edit_player": "It follows a change of the same player in another section.",
    "erase_player": LOCKED,
    "remove_participant": ("entry", "DELETE"),
    "remove_participants": ("decide-registrations", "POST"),
    "order_equals": ("equal-ratings", "PUT"),
    "withdraw_participant": ("withdraw", "POST"),
    "expel_participant": ("withdraw", "POST"),
    "decide_points": ("entry-points", "POST"),
    **dict.fromkeys(("move_entry_away", "move_entry_here"), ("entry-section", "POST")),
    **dict.fromkeys(("move_entries_away", "move_entries_here"), ("decide-registrations", "POST")),
    "readmit_participant": ("readmit", "POST"),
    "request_bye": ("entry-byes", "POST"),
    "cancel_bye": ("bye", "DELETE"),
    "allow_half_byes": ("half-byes", "PUT"),
    "fix_board": ("fixed-board", "PUT"),
    "note_incident": ("incidents", "POST"),
    "change_incident": ("incident", "PATCH"),
    "remove_incident": ("incident", "DELETE"),
    "forbid_pair": ("forbidden-pairs", "POST"),
    "change_forbidden_pair": ("forbidden-pair", "PATCH"),
    "allow_pair": ("forbidden-pair", "DELETE"),
    "keep_apart": ("apart-rules", "POST"),
    "change_rule": ("apart-rule", "PATCH"),
    "end_rule": ("apart-rule", "DELETE"),
    "open_check_in": ("check-in", "POST"),
    "close_check_in": ("check-in", "POST"),
    "check_in": ("presence", "POST"),
    "take_back_check_in": ("presence", "POST"),
    "check_in_all": ("check-in-all", "POST"),
    "late_check_in": ITSELF,
    "settle_absences": ("absences", "POST"),
    "forfeit_and_withdraw": ("absent", "POST"),
    "create_tournament": ("sections", "POST"),
    "load_copy": FILES,
    "edit_tournament": ("section", "PATCH"),
    "set_prizes": ("prizes", "PUT"),
    "set_tie_breaks": ("tie-breaks", "PUT"),
    "set_tie_values": ("tie-values", "PUT"),
    "set_rating_method": ("rating-method", "PUT"),
    "set_rating_periods": ("rating-periods", "PUT"),
    "set_period_ratings": ("period-ratings", "PUT"),
    "leave_fide_mode": ("leave-fide-mode", "POST"),
    "set_round_starts": ("schedule", "PUT"),
    "close_tournament": ("close", "POST"),
    "reopen_tournament": ("reopen", "POST"),
    "take_section_away": ("hide", "POST"),
    "bring_section_back": ("show", "POST"),
    "set_countdown": ("countdown", "PUT"),
    "set_hall_message": ("hall-message", "PUT"),
    "undo": ("undo", "POST"),
    "undo_since": ("undo-since", "POST"),
    "restore_before_round": ("restore", "POST"),
    "create_event": ("events", "POST"),
    "edit_event": ("event", "PATCH"),
    "archive_event": ("archived", "PUT"),
    "delete_event": "Only with a login: who deletes an event types its name on the page.",
    **dict.fromkeys(("import_entries", "keep_for_arbiter"), ("import-list", "POST")),
    "leave_late_player": ("late-players", "POST"),
    "import_report": ("import-report", "POST"),
    "take_archive": ("archive", "GET"),
    "make_screen": ("screens", "POST"),
    "remove_screen": ("screen", "DELETE"),
}
ORGANISER: dict[str, str | tuple[str, str]] = {
    **dict.fromkeys(("create_login", "make_password_link", "use_password_link"), LOGIN),
    **dict.fromkeys(("accept_invitation", "decline_invitation"), LOGIN),
    **dict.fromkeys(("make_device_link", "use_device_link", "sign_up"), LOGIN),
    **dict.fromkeys(("set_rights", "choose_site_settings"), SITE),
    **dict.fromkeys(("make_spare_key", "end_spare_key", "go_on_here", "spare_takes_over"), SITE),
    **dict.fromkeys(("offer_rating_list", "use_rating_list", "remove_rating_list"), FILE),
    **dict.fromkeys(("keep_rating_list", "stop_rating_list"), SITE),
    "make_access_token": TOKENS,
    "end_access_token": ("end-token", "DELETE"),
    **dict.fromkeys(("make_webhook", "change_webhook_secret", "invite_again"), SECRETS),
    **dict.fromkeys(("invite", "add_role"), ("invitations", "POST")),
    "remove_role": ("end-role", "DELETE"),
    "change_boards": ("end-role", "PUT"),
    "revoke_invitation": ("invitation", "DELETE"),
    "set_rehearsal": "A rehearsal is for people in a hall: programs use its event as any other.",
    "edit_registration": ("registration-settings", "PATCH"),
    "remove_webhook": ("webhook", "DELETE"),
    "choose_webhook_kinds": ("webhook", "PUT"),
    "set_rating_lists": ("rating-lists", "PUT"),
    "set_list_use": ("rating-lists", "PATCH"),
}
PLAYER = "Only players do it, with their personal link."
PERSONAL = {  # of registrations, which have a history of their own: each action of `registrations.actions`
    **dict.fromkeys(("prove_mail", "wish_bye", "drop_bye"), PLAYER),
    **dict.fromkeys(("ask_new_address", "take_new_address", "take_held"), PLAYER),
    **dict.fromkeys(("send_link_again", "write_to_known", "ask_guardian"), PLAYER),
    "register_many": ("import-registrations", "POST"),
    "erase_registration": LOCKED,
    "would_offer": ("registration-settings", "PATCH"),
    "set_up_registration": ("registration-settings", "PATCH"),
    "set_mail_text": ("registration-mail-text", "PUT"),
    "register": ("registrations", "POST"),
    "change_registration": ("registration", "PATCH"),
    "take_changes": ("registration-changes", "POST"),
    "mark_at_desk": "The parts of a mark have routes of their own; only the page joins them.",
    "set_present": ("registration-presence", "PUT"),
    "label_many": ("registration-label", "PUT"),
    "add_note": ("registration-notes", "POST"),
    "decide_bye": ("registration-byes", "POST"),
    "move_section": ("registration-section", "POST"),
    "charge": ("registration-charges", "POST"),
    "pay_all": ("registration-payment", "POST"),
    "move_registration": ("registration-state", "POST"),
    "move_many": ("decide-registrations", "POST"),
    "undo_move": ("registration-undo", "POST"),
    "move_many_to": ("decide-registrations", "POST"),
    **dict.fromkeys(("price_again", "check_again", "enter_again"), ("decide-registrations", "POST")),
    **dict.fromkeys(("take_listed", "leave_listed", "undo_many"), ("decide-registrations", "POST")),
    "put_in_order": ("order-registrations", "POST"),
    "register_late": ("entries", "POST"),
    **dict.fromkeys(("decide_late", "decide_move"), ("late-players", "POST")),
    "new_link": ("registration-link", "POST"),
    **dict.fromkeys(("note_returned", "send_failed_again", "send_first"), ("registration-mails", "POST")),
}
# Routes that change what has no log.
WITHOUT_LOG = {("screen", "PATCH")}


def test_each_action_has_a_route_or_a_reason():
    assert not ARBITER.keys() & ORGANISER.keys()
    found = ARBITER | ORGANISER
    assert found.keys() == ACTIONS.keys() | SITE_ACTIONS.keys()
    routes = {(name, method) for name, asked in TABLE.items() for method in asked}
    assert {to for to in (found | PERSONAL).values() if isinstance(to, tuple)} <= routes


def test_each_action_on_registrations_has_a_route_or_a_reason():
    assert actions_of(registrations.actions) == PERSONAL.keys()


def actions_of(package: ModuleType) -> set[str]:
    """The functions of a package whose arguments are all named: the habit of actions."""
    modules = [import_module(f"{package.__name__}.{found.name}") for found in iter_modules(package.__path__)]
    return {
        name
        for module in modules
        for name, function in vars(module).items()
        if isfunction(function)
        and not name.startswith("_")
        and function.__module__ == module.__name__
        and (taken := signature(function).parameters.values())
        and all(one.kind is Parameter.KEYWORD_ONLY for one in taken)
    }
