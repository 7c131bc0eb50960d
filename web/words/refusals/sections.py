"""Why something was refused: events, sections, their settings and forbidden pairs."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, ngettext_lazy

SENTENCES = {
    "section_closed": gettext_lazy("The section is closed. Reopen it in its settings to change anything."),
    "event_closed": gettext_lazy(
        "All sections of the event are closed. What their reports say of the event can no longer change. Reopen a "
        "section in its settings first."
    ),
    "warnings_not_seen": ngettext_lazy(
        "The section has a warning now. Read it, then close the section. Nothing is closed yet.",
        "The section has %(count)s warnings now. Read them, then close the section. Nothing is closed yet.",
        "count",
    ),
    "zone_unknown": gettext_lazy("Time zone “%(zone)s” is not known. Use a name such as Europe/Vienna."),
    "event_dates": gettext_lazy("The last day, %(end)s, is before the first day, %(start)s."),
    "section_name_taken": gettext_lazy("This event already has a section %(name)s."),
    "rounds_out_of_range": ngettext_lazy(
        "A section cannot have %(rounds)s round. Choose %(minimum)s to %(maximum)s.",
        "A section cannot have %(rounds)s rounds. Choose %(minimum)s to %(maximum)s.",
        "rounds",
    ),
    "last_bye_round_too_high": ngettext_lazy(
        "The section has %(rounds)s round, so the last round for a bye cannot be %(last)s.",
        "The section has %(rounds)s rounds, so the last round for a bye cannot be %(last)s.",
        "rounds",
    ),
    "points_unsound": gettext_lazy(
        "%(win)s for a win, %(draw)s for a draw, %(loss)s for a loss is not possible. A win must be worth more than a "
        "loss, a draw at least as much as a loss, and two draws at most as much as a win and a loss."
    ),
    "bye_points_too_high": gettext_lazy(
        "A bye cannot be worth more than a win: %(bye)s is more than %(win)s."
    ),
    "bye_points_not_standard": gettext_lazy(
        "A bye cannot be worth %(bye)s. With the scoring 1, ½, 0 it is worth 1, ½ or 0."
    ),
    "bye_points_unreachable": gettext_lazy(
        "A bye cannot be worth %(bye)s: no results add up to it. The nearest values are %(lower)s and %(higher)s."
    ),
    "acceleration_points": gettext_lazy(
        "%(win)s for a win, %(draw)s for a draw is not possible with Baku Acceleration: a win must be worth two draws, "
        "and a loss nothing."
    ),
    "acceleration_unknown": gettext_lazy("%(system)s has no acceleration. Choose “none”."),
    "option_above": gettext_lazy(
        "%(value)s is too much for “%(option)s”: “%(limit_option)s” is only %(limit)s."
    ),
    "tie_breaks_unknown": gettext_lazy(
        "%(tie_break)s is not a tie-break that the program knows. The code of a tie-break of your own begins with "
        "OTHER_."
    ),
    "tie_breaks_barred": gettext_lazy(
        "%(system)s does not allow %(tie_break)s in the standings (C.07, 8). Choose another tie-break."
    ),
    "tie_value_unreadable": gettext_lazy(
        "%(name)s: %(value)s is not a number. Write a value as 2.5, with at most three decimals."
    ),
    "period_starts": gettext_lazy(
        "Write the first rounds of the later periods in ascending order, from 2 to %(rounds)s, such as 4, 7."
    ),
    "period_too_long": gettext_lazy(
        "Period %(period)s has %(days)s days between its rounds. A rating period has at most %(limit)s days: begin the "
        "next one with an earlier round."
    ),
    "period_running": gettext_lazy("Period %(period)s ends with round %(last)s, which is not published yet."),
    "period_unknown": gettext_lazy("The section has no rating period %(period)s."),
    "rating_out_of_range": gettext_lazy("%(name)s: %(rating)s is not a rating."),
    "tie_values_computed": gettext_lazy(
        "No values can be typed for %(tie_break)s: the program computes it, or it is not in the list of the section."
    ),
    "tie_breaks_twice": gettext_lazy("%(tie_break)s is in the list twice. Remove one of them."),
    "tie_breaks_too_many": gettext_lazy("The list is too long: a section can have %(most)s tie-breaks."),
    "tie_breaks_to_confirm": gettext_lazy(
        "Round %(round)s is published. Players know the tie-breaks, so they should stay as they were "
        "announced%(article)s. A change affects the places and is named in the report."
    ),
    "prizes_twice": gettext_lazy("Two categories of prizes have the name %(category)s. Change one of them."),
    "prizes_rise": gettext_lazy(
        "%(category)s: the prize %(prize)s comes after %(former_prize)s. A prize cannot be higher than the one before "
        "it."
    ),
    "prizes_not_in_units": gettext_lazy(
        "%(category)s: the prize %(prize)s is not a multiple of %(unit)s, to which sums are rounded. Change one of "
        "them."
    ),
    "settings_locked": gettext_lazy("Round 1 is paired, so you can no longer change: %(fields)s."),
    "rounds_played": gettext_lazy(
        "Round %(paired)s is paired, so the section cannot have only %(rounds)s rounds."
    ),
    "not_closed": gettext_lazy("The section is already open."),
    "rounds_left": ngettext_lazy(
        "Only %(paired)s of %(rounds)s round is paired. Give a reason for closing the section early. It goes "
        "into the log.",
        "Only %(paired)s of %(rounds)s rounds are paired. Give a reason for closing the section early. It goes "
        "into the log.",
        "rounds",
    ),
    "nothing_to_close": gettext_lazy("No round is paired yet, so the section cannot be closed."),
    "fide_mode_to_confirm": gettext_lazy(
        "Without FIDE mode, a section allows what FIDE forbids. This cannot be undone, and the report file says so."
    ),
    "fide_mode_left": gettext_lazy("The section has left FIDE mode and cannot return to it."),
    "fide_mode_none": gettext_lazy(
        "The rules of %(system)s are not FIDE's, so there is no FIDE mode to leave."
    ),
    "countdown_out_of_range": ngettext_lazy(
        "The countdown must end within the next %(hours)s hour.",
        "The countdown must end within the next %(hours)s hours.",
        "hours",
    ),
    "message_too_long": ngettext_lazy(
        "The message is longer than %(limit)s character.",
        "The message is longer than %(limit)s characters.",
        "limit",
    ),
    "embed_site": gettext_lazy(
        "“%(site)s” is not the address of a web site. Write it without a path, as https://club.example."
    ),
    "too_many_embed_sites": ngettext_lazy(
        "At most %(limit)s web site can embed lists of an event.",
        "At most %(limit)s web sites can embed lists of an event.",
        "limit",
    ),
    "screen_name_taken": gettext_lazy("The event has a screen “%(name)s” already."),
    "too_many_screens": ngettext_lazy(
        "An event can have %(limit)s screen. Remove one first.",
        "An event can have %(limit)s screens. Remove one first.",
        "limit",
    ),
    "round_out_of_range": gettext_lazy("There is no round %(round)s; the section has %(rounds)s."),
    "rounds_out_of_order": gettext_lazy("Round %(later)s cannot begin before round %(earlier)s."),
    "forbidden_pairs_locked": gettext_lazy(
        "Round 1 is paired. In FIDE mode, forbidden pairs can no longer change."
    ),
    "forbidden_pair_same": gettext_lazy("You chose %(name)s twice. Choose two players."),
    "forbidden_pair_twice": gettext_lazy(
        "%(first)s and %(second)s are already a forbidden pair. Change the rounds of that pair."
    ),
    "forbidden_pair_rounds": gettext_lazy(
        "Rounds %(first_round)s to %(last_round)s is not possible. Choose rounds from %(next_round)s to "
        "%(rounds)s, the earlier round first."
    ),
}

DEPARTURE = gettext_lazy(
    "Round 1 is being played or is over, so these settings should stay as they were announced: "
    "%(fields)s. A change needs a reason. "
    "The log and the report name it."
)
WRONG_ROUNDS = ngettext_lazy(
    "With the new settings, the rules would pair %(count)s round that is paired differently: %(rounds)s.",
    "With the new settings, the rules would pair %(count)s rounds that are paired differently: %(rounds)s.",
    "count",
)

FIELDS = {
    "name": gettext_lazy("name"),
    "rounds": gettext_lazy("rounds"),
    "win_points": gettext_lazy("points for a win"),
    "draw_points": gettext_lazy("points for a draw"),
    "loss_points": gettext_lazy("points for a loss"),
    "bye_points": gettext_lazy("points for a bye"),
    "initial_colour": gettext_lazy("initial-colour"),
    "system": gettext_lazy("pairing system"),
    "acceleration": gettext_lazy("acceleration"),
    "chess960": gettext_lazy("Chess960"),
    "half_bye_limit": gettext_lazy("half-point byes per player"),
    "last_bye_round": gettext_lazy("last round for byes with points"),
    "time_control": gettext_lazy("time control"),
    "rating_method": gettext_lazy("tournament rating"),
    "rating_federation": gettext_lazy("federation of the national ratings"),
    "equals_by": gettext_lazy("order of equal players"),
}
