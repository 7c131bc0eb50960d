"""The rules behind reasons: US Chess rules by number, WinTD's pages, and this project's own decisions.

(M) marks a rule whose number is known, but whose wording was not at hand. "D 4.8" is section 4.8 of docs/uschess.md.
"""

from __future__ import annotations

WINTD = "WinTD"
REMATCH, SCORES, HALVES, EQUALISE, ALTERNATE = "27A1", "27A2", "27A3", "27A4", "27A5"

_BY_PLACE = {
    "teams": (WINTD,),
    "clubs": (WINTD,),
    "keep": (WINTD,),
    "third": (EQUALISE, "29E5f"),
    "high": ("29E5b",),
    "spared": ("29D1a", WINTD),
    "equalisation": (EQUALISE, "29E5b"),
    "low": ("29E5a",),
    "alternation": (ALTERNATE, "29E5a"),
    "interchange": ("29E5e",),
    "size": (WINTD,),
}

_STAGES: dict[str, tuple[str, ...]] = {
    "floats": (),
    "plain": ("third", "equalisation", "alternation", "interchange"),
    "group": ("keep", "spared"),
    "pays": (),
}
"""The stages with the places that they do not count (4.7, 4.8)."""

REASONS: dict[str, tuple[str, ...]] = {
    "bye_none": (),
    "bye_even": (),
    "not_here": (),
    "has_bye": (),
    "paired": (),
    "bye_given": ("28L2",),
    "bye_repeats": (REMATCH,),
    "bye_had_none": ("28L3",),
    "bye_had_forfeit": ("28L3",),
    "bye_had_full": ("28L3",),
    "bye_order_28l5": ("28L5 (M)",),
    "bye_lowest_group": ("28L2",),
    "bye_lower_groups": ("28L2", "28L3"),
    "bye_alone": ("28L2",),
    "bye_all_half": ("28L4",),
    "bye_no_half": ("28L4",),
    "bye_rated_cannot": ("28L2",),
    "bye_all_unrated": ("28L2",),
    "bye_not_new": ("28L2",),
    "bye_is_rated": ("28L2",),
    "bye_all_late": ("28L2",),
    "bye_not_late": ("28L2",),
    "bye_rated_lowest": ("28L2",),
    "bye_ranked_lowest": ("28L2",),
    "bye_blocks": (REMATCH,),
    "bye_rematches": (REMATCH,),
    "bye_full": ("28L3",),
    "bye_forfeit": ("28L3",),
    "bye_group": ("28L2",),
    "bye_28l5": ("28L5 (M)",),
    "bye_half": ("28L4",),
    "bye_late": ("28L2",),
    "bye_unrated": ("28L2",),
    "bye_new": ("28L2",),
    "bye_rank": ("28L2",),
    "structure": (SCORES, WINTD),
    "structure_even": (SCORES,),
    "gap": (SCORES, WINTD),
    "gap_odd": (SCORES,),
    "gap_blocked": (REMATCH,),
    "spent_far": (WINTD,),
    "spent_rematches": (REMATCH,),
    "spent_teams": (WINTD,),
    "spent_clubs": (WINTD,),
    "change_does_not_pay": ("D 4.8",),
    "group": (SCORES,),
    "raised_away": ("29D2",),
    "float_natural": ("29D1a", "29D2"),
    "drop_only": ("29D1a",),
    "raise_only": ("29D2",),
    "drop_lowest": ("29D1a",),
    "drop_lowest_rated": ("29D1a",),
    "drop_of_lowest": ("29D1a",),
    "drop_middle": (WINTD,),
    "drop_not_kept": (WINTD,),
    "raise_highest": ("29D2",),
    "raise_of_highest": ("29D2",),
    "raise_not_kept": (WINTD,),
    "float_changed": ("29D1a", "29D2", WINTD),
    "dropped_instead": ("29D1a",),
    "raised_instead": ("29D2",),
    "natural_floaters": ("D 4.2",),
    "spared_dropped": ("29D1a", WINTD),
    "halves": (HALVES,),
    "halves_switched": (HALVES, "29E5"),
    "switch": ("29E5c", "29E5d"),
    "switch_free": ("29E5c", "29E5d"),
    "more_switches": (),
    "turned_for_others": ("29E5",),
    "would_be_forbidden": (),
    "would_repeat": (REMATCH,),
    "would_be_teammates": ("D 4.7",),
    "would_be_clubmates": ("D 4.7",),
    "would_be_due": ("29E", "29E5"),
    "switch_unrated": ("29E5c", "29E5d", "29E5g"),
    "mended": ("29E5",),
    "missed": ("29E4",),
    "pair_natural": (HALVES,),
    "forbidden": (),
    "both_due": ("29E4",),
    "met": (REMATCH,),
    "teammates": (WINTD,),
    "clubmates": (WINTD,),
    "too_far": (WINTD,),
    "blocked": (REMATCH,),
    "group_blocked": (REMATCH,),
    "far": (WINTD,),
    "rematches": (REMATCH,),
    "dont_teams": (WINTD,),
    "dont_clubs": (WINTD,),
    "structure_points": (SCORES, WINTD),
    "structure_sizes": (WINTD,),
    "structure_levels": (WINTD,),
    "tie_floats": ("D 4.6",),
    "tie_group": ("D 4.7",),
    "colour_third": (EQUALISE, "29E5f (M)"),
    "colour_one_due": ("29E4",),
    "colour_both": ("29E4",),
    "colour_imbalance": ("29E4",),
    "colour_recent": ("29E4",),
    "colour_higher": ("29E4",),
    "colour_initial": ("29E2",),
    **{
        f"{stage}_{place}": rules
        for stage, without in _STAGES.items()
        for place, rules in _BY_PLACE.items()
        if place not in without
    },
    "group_teams": ("D 4.7",),
    "group_clubs": ("D 4.7",),
}


NO_LEGAL_ROUND = "no_legal_round"
"""Asked for by pages. Only the arbiter's own forbidden pairs leave no round (1.1), so no rule stands behind it."""


def articles_of(code: str) -> tuple[str, ...]:
    return () if code == NO_LEGAL_ROUND else REASONS[code]
