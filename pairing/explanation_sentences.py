"""The sentences of the explanation, by code: English, and marked for the catalogue of translations."""

from __future__ import annotations

from pairing.engine.articles import Rule
from pairing.engine.model import Colour


def gettext_noop(text: str) -> str:
    """Mark a text for the catalogue of translations, by the name that the tools look for."""
    return text


SENTENCES: dict[str, str] = {
    "bye_none": gettext_noop("The number of players is even, so nobody has the bye."),
    "bye_given": gettext_noop(
        "The number of players is odd. Of those who may have the bye, {player} has the lowest score; among equals "
        "the most games played, and then the lowest place in the initial ranking."
    ),
    "bye_had": gettext_noop("{player} had the bye in round {round}, and nobody has it twice."),
    "bye_forfeit_win": gettext_noop("{player} won round {round} by forfeit, and so may not have the bye."),
    "bye_points_unplayed": gettext_noop(
        "{player} scored as much as a win without playing in round {round}, and so may not have the bye."
    ),
    "bye_rest": gettext_noop("Without {player}, the others could not all be paired."),
    "bye_higher_score": gettext_noop("{player} has a higher score than {other}, who has the bye."),
    "bye_fewer_games": gettext_noop(
        "Games played by {player}: {games}. By {other}, who has the bye: {other_games}, and more come first."
    ),
    "bye_higher_rank": gettext_noop(
        "{player} stands above {other} in the initial ranking, and all else is equal."
    ),
    "count_none": gettext_noop("They can all be paired among themselves, so nobody is floated up."),
    "count_odd": gettext_noop("The number is odd, so one player is floated up."),
    "count_residents": gettext_noop(
        "However they are paired among themselves, this many are left over: {count}. These can be left over: "
        "{players}. So many are floated up."
    ),
    "count_rest": gettext_noop(
        "Floated up: {count}. Fewer would do here, but then those below could not all be paired."
    ),
    "up_chosen": gettext_noop("{player} is the first who serves best."),
    "up_not_needed": gettext_noop(
        "The bracket above needs no upfloater, so {player} stays in the scoregroup."
    ),
    "up_illegal": gettext_noop(
        "With {player} floated up, the bracket could not be paired legally: those who would be left for the game have "
        "been met, or both are due the same colour absolutely."
    ),
    "up_rest": gettext_noop("With {player} floated up, those below could not all be paired."),
    "up_score": gettext_noop(
        "With {player} floated up, the difference in score would be greater than it must be."
    ),
    "up_colours": gettext_noop("With {player} floated up, more players would miss the colour they are due."),
    "up_maximum": gettext_noop(
        "With {player} floated up, there would be more maximum upfloaters among the upfloaters (upfloats so far: "
        "{times})."
    ),
    "up_times": gettext_noop(
        "With {player} floated up, the maximum upfloaters would have been upfloated more often (upfloats so far: "
        "{times})."
    ),
    "up_again": gettext_noop(
        "With {player} floated up, more players would be floated up who were in round {round}."
    ),
    "up_order": gettext_noop(
        "With {player} floated up, nothing would be better, and the chosen ones come first in the order: higher score, "
        "then higher in the initial ranking."
    ),
    "met": gettext_noop("{player} and {other} have met already (round {rounds})."),
    "forbidden": gettext_noop(
        "{player} and {other} are kept apart by the arbiter. That is outside FIDE's rules."
    ),
    "same_absolute": gettext_noop(
        "{player} and {other} must both have {colour} (an absolute preference), so they cannot meet."
    ),
    "blocked": gettext_noop(
        "If {player} played {other}, only {opponents} would be left for {stuck}: fewer opponents than players."
    ),
    "blocked_alone": gettext_noop("If {player} played {other}, {stuck} would have no opponent."),
    "not_here": gettext_noop("{player} is not paired in this round."),
    "paired": gettext_noop("{player} and {other} do meet."),
    "has_bye": gettext_noop("{player} has the bye, which is given before anybody is paired."),
    "floated_away": gettext_noop(
        "{player} was floated up to a higher bracket, and brackets are paired from the top."
    ),
    "same_side": gettext_noop(
        "{player} and {other} stand on the same side of the bracket; each player of one side meets one of the other."
    ),
    "side_illegal": gettext_noop(
        "If {player} played {other}, the others of the bracket could not all be paired legally."
    ),
    "side_colours": gettext_noop(
        "If {player} played {other}, more players of the bracket would miss the colour they are due."
    ),
    "side_shift": gettext_noop(
        "{player} and {other} stand on the same side of the bracket. For them to meet, others would have to change "
        "sides, who come later in the order of those who do."
    ),
    "taken": gettext_noop(
        "{by} stands above {player} in the order by ARO, and had taken {other} before it was {player}'s turn."
    ),
    "order": gettext_noop(
        "{opponent} comes before {other} in the order, and {player} takes the first one that is possible."
    ),
    "pair_only": gettext_noop(
        "{opponent} is the only one on the other side of the bracket whom {player} may meet."
    ),
    "pair_alone": gettext_noop("{player} and {opponent} are the only two in the bracket."),
    "pair_first": gettext_noop(
        "Row {row} of the bracket: {player} and {opponent} meet as the order puts them, low ARO against high ranking."
    ),
    "pair_next": gettext_noop(
        "Row {row} of the bracket: {player} and {opponent} are the first in the order who can meet; those before "
        "them cannot."
    ),
    "colour_initial": gettext_noop(
        "Neither {white} nor {black} has played. The initial-colour decides, and whether the higher ranked has an odd "
        "number."
    ),
    "colour_both": gettext_noop("{white} is due White and {black} is due Black: both get their colour."),
    "colour_stronger": gettext_noop(
        "{white} and {black} are due the same colour. {granted} is due it more strongly and gets it."
    ),
    "colour_alternate": gettext_noop(
        "{white} and {black} are due the same colour, equally strongly. The last time that their colours differed, "
        "{white} had Black (round {white_round}) and {black} White (round {black_round}), so now it is the other way."
    ),
    "colour_higher": gettext_noop(
        "{white} and {black} are due the same colour, equally strongly, with the same colours so far. {higher} is "
        "ranked higher and gets it."
    ),
    "colour_again": gettext_noop("{player} had {colour} in round {round} too."),
}

STEPS: dict[str, tuple[str, tuple[Rule, ...]]] = {
    "residents": (gettext_noop("Score {score}, players: {residents}."), (Rule.SCOREGROUP,)),
    "virtual": (gettext_noop("The score counts virtual points of the acceleration: {players}."), ()),
    "upfloaters": (gettext_noop("Floated up: {players}."), (Rule.CHOICE_OF_UPFLOATERS,)),
    "unlisted": (
        gettext_noop(
            "How many more stand before the last of them in the order and were not floated up: {count}."
        ),
        (Rule.CHOICE_OF_UPFLOATERS,),
    ),
    "unplayed": (
        gettext_noop(
            "Nobody here has played: G1 is the first half of the list ({g1}), G2 the second ({g2})."
        ),
        (Rule.FIRST_HALF,),
    ),
    "subgroups": (
        gettext_noop("Due White: {g1} (G1). Due Black: {g2} (G2)."),
        (Rule.PREFERENCE, Rule.SUBGROUPS),
    ),
    "first_shift": (
        gettext_noop(
            "Some of the smaller side can only meet each other, so these change sides: {players}. Numbered from the "
            "middle outwards, the side is: {numbers}."
        ),
        (Rule.FIRST_SHIFT, Rule.NUMBERS_OF_SHIFTERS),
    ),
    "second_shift": (
        gettext_noop(
            "To make the sides equal, these change sides: {players}. Numbered from the middle outwards, the side is: "
            "{numbers}."
        ),
        (Rule.SECOND_SHIFT, Rule.NUMBERS_OF_SHIFTERS),
    ),
    "level": (gettext_noop("The two sides are equal, so nobody changes sides."), (Rule.SHIFTS,)),
    "s1": (gettext_noop("S1 stands by ARO, lowest first: {players}."), (Rule.ARO, Rule.S1)),
    "g2": (gettext_noop("G2 stands by initial ranking: {players}."), (Rule.ORDER_OF_TRANSPOSITIONS,)),
    "straight": (gettext_noop("They are paired row by row as they stand."), (Rule.T2,)),
    "t2": (
        gettext_noop("That order is changed as little as possible until all may meet. T2 is: {players}."),
        (Rule.T2, Rule.ORDER_OF_TRANSPOSITIONS),
    ),
    "missed": (gettext_noop("Players who do not get the colour they are due: {count}."), (Rule.C7,)),
}

QUESTIONS: dict[str, str] = {
    "not_paired": gettext_noop("Why do I not play?"),
    "bye": gettext_noop("Why do I have the bye?"),
    "opponent": gettext_noop("Why do I play {opponent}?"),
    "upfloated": gettext_noop("Why was I floated up?"),
    "opponent_upfloated": gettext_noop("Why was {opponent} floated up to me?"),
    "colour": gettext_noop("Why do I have {colour}?"),
    "colour_again": gettext_noop("Why do I have {colour} again?"),
}

WORDS = {
    "and": gettext_noop("{first} and {last}"),
    "or": gettext_noop("{first} or {last}"),
    "more": gettext_noop("{names} and more: {more}"),
    "none": gettext_noop("nobody"),
    Colour.WHITE.value: gettext_noop("White"),
    Colour.BLACK.value: gettext_noop("Black"),
}
