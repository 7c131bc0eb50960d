"""Names of the actions, for the search in the log."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

TITLES = {
    "add_participant": _("player entered"),
    "allow_half_byes": _("right to half-point byes changed"),
    "backup_failed": _("copy not written"),
    "begin_manual_phase": _("pairing by hand started"),
    "bring_section_back": _("section shown again"),
    "cancel_bye": _("bye cancelled"),
    "change_by_hand": _("pairs changed by hand"),
    "check_in": _("player checked in"),
    "check_in_all": _("all others checked in"),
    "late_check_in": _("check-in sent late"),
    "close_tournament": _("section closed"),
    "confirm_result": _("result verified"),
    "correct_result": _("result corrected"),
    "create_tournament": _("section created"),
    "draw_initial_colour": _("initial-colour drawn"),
    "edit_participant": _("entry changed"),
    "edit_player": _("person changed in another section"),
    "edit_tournament": _("settings changed"),
    "end_manual_phase": _("pairing by hand ended"),
    "expel_participant": _("player expelled"),
    "import_entries": _("entries imported"),
    "import_report": _("report file imported"),
    "leave_fide_mode": _("section left FIDE mode"),
    "load_copy": _("copy loaded"),
    "order_equals": _("order of equal ratings changed"),
    "pair_next_round": _("round paired"),
    "publish_round": _("round published"),
    "readmit_participant": _("player plays again"),
    "record_result": _("result entered"),
    "remove_participant": _("entry removed"),
    "reopen_tournament": _("section reopened"),
    "request_bye": _("bye given"),
    "restore_before_round": _("section set back to before a round"),
    "set_round_starts": _("dates of rounds changed"),
    "settle_absences": _("absences decided"),
    "take_section_away": _("section hidden"),
    "undo": _("action undone"),
    "undo_since": _("actions undone together"),
    "unpair_round": _("round unpaired"),
    "unpublish_round": _("round unpublished"),
    "withdraw_participant": _("player withdrawn"),
}


def title_of(action: str) -> str:
    return str(TITLES.get(action, action.replace("_", " ")))
