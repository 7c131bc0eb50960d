"""The steps of a bracket and of a round in sentences. The engine has the articles behind them."""

from __future__ import annotations

from evenboard_engine.words.catalogue import Sentence, gettext_noop, ngettext

STEPS: dict[str, Sentence] = {
    "residents": ngettext(
        "Only one player with %(points)s is left.",
        "%(residents)s players with %(points)s are still to be paired.",
        "residents",
    ),
    "virtual": gettext_noop("Scores here include virtual points of the acceleration: %(players)s."),
    "upfloaters": ngettext("%(players)s is floated up.", "%(players)s are floated up.", "count"),
    "unlisted": ngettext(
        "%(count)s more player comes before the last of them in the order and was not floated up.",
        "%(count)s more players come before the last of them in the order and were not floated up.",
        "count",
    ),
    "unplayed": gettext_noop(
        "Nobody here has played. G1 is the first half by pairing number (%(g1)s), G2 is the second half (%(g2)s)."
    ),
    "due_white": ngettext("%(g1)s player is due White (G1).", "%(g1)s players are due White (G1).", "g1"),
    "due_black": ngettext("%(g2)s player is due Black (G2).", "%(g2)s players are due Black (G2).", "g2"),
    "first_shift": ngettext(
        "Two players of %(side)s must play each other. One of them moves to %(other_side)s: %(players)s.",
        "In %(side)s, %(count)s pairs of players must play each other. One of each pair moves to %(other_side)s: "
        "%(players)s.",
        "count",
    ),
    "second_shift": ngettext(
        "To make both sides equal, one player moves from %(side)s to %(other_side)s: %(players)s.",
        "To make both sides equal, %(count)s players move from %(side)s to %(other_side)s: %(players)s.",
        "count",
    ),
    "shift_white": ngettext(
        "One player due White joins Black's side: %(players)s.",
        "%(count)s players due White join Black's side: %(players)s.",
        "count",
    ),
    "shift_black": ngettext(
        "One player due Black joins White's side: %(players)s.",
        "%(count)s players due Black join White's side: %(players)s.",
        "count",
    ),
    "pool_by_aro": gettext_noop("%(side)s in order of ARO, lowest first: %(players)s."),
    "pool_by_ranking": gettext_noop("%(side)s in order of pairing numbers: %(players)s."),
    "numbers": gettext_noop(
        "They are chosen in this order, from the middle of the side outwards: %(numbers)s."
    ),
    "level": gettext_noop("Both sides are equal, so nobody changes sides."),
    "s1": gettext_noop("White's side is put in order of ARO, lowest first (S1): %(players)s."),
    "s1_unplayed": gettext_noop(
        "G1 is put in order of pairing numbers, because nobody has an ARO yet (S1): %(players)s."
    ),
    "g2": gettext_noop("Black's side is put in order of pairing numbers (G2): %(players)s."),
    "g2_unplayed": gettext_noop("G2 is put in order of pairing numbers: %(players)s."),
    "straight": gettext_noop("Each player meets the one at the same place on the other side."),
    "t2": gettext_noop(
        "Not all of these pairs are possible. The first order of G2 in which all pairs are possible is taken (T2): "
        "%(players)s."
    ),
    "moved": ngettext(
        "Not all pairs in this order are possible, so %(count)s player of G2 moves to another place.",
        "Not all pairs in this order are possible, so %(count)s players of G2 move to another place.",
        "count",
    ),
    "brackets": ngettext(
        "All players are paired in one bracket.",
        "The players are paired in %(count)s brackets, from the highest score down.",
        "count",
    ),
    "floated": ngettext(
        "%(count)s player is floated up to a higher bracket.",
        "%(count)s players are floated up to a higher bracket.",
        "count",
    ),
    "floated_none": gettext_noop("Nobody is floated up."),
    "as_ordered": ngettext(
        "There is only one pair.",
        "In %(kept)s of %(pairs)s pairs, both players have the same place on their side.",
        "pairs",
    ),
    "missed": ngettext(
        "%(count)s player does not get the colour that is due.",
        "%(count)s players do not get the colour they are due.",
        "count",
    ),
}
