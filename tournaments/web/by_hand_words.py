"""Concerns about pairs that were made by hand, in sentences that name the players and the articles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from pairing.engine import Colour
from pairing.engine.systems.dubov.explaining.why import Explainer
from pairing.words.explanation import Statement, Words
from tournaments.queries.by_hand import Comparison
from tournaments.templatetags.marks import points_text
from tournaments.web.words import colour_word

LONGEST_LIST = 12
MOST_ABOUT_THE_BYE = 4

SENTENCES = {
    "rematch": gettext_lazy("%(first)s and %(second)s have met already, in round %(rounds)s."),
    "forbidden": gettext_lazy(
        "The arbiter keeps %(first)s and %(second)s apart. This is outside FIDE's rules."
    ),
    "absolute_clash": gettext_lazy(
        "%(first)s and %(second)s cannot meet: both have an absolute preference for %(colour)s."
    ),
    "third_colour": gettext_lazy("%(first)s has %(colour)s for the %(count)sth time in a row."),
    "colour_difference": gettext_lazy(
        "%(first)s would have had %(colour)s %(count)s times more often than the other colour."
    ),
    "both_opposite": gettext_lazy(
        "%(first)s is due Black and %(second)s is due White, but both get the opposite."
    ),
    "colours": gettext_lazy("By the rules %(first)s has White and %(second)s Black."),
    "float": gettext_lazy("%(first)s (%(points)s) is floated up to %(second)s (%(more)s)."),
    "upfloat_again": gettext_lazy("%(first)s was floated up in round %(rounds)s too."),
    "maximum_upfloater": gettext_lazy(
        "%(first)s is a maximum upfloater: already floated up %(count)s times."
    ),
    "downfloat_again": gettext_lazy(
        "%(first)s also met a player with fewer points in round %(rounds)s. No rule forbids that."
    ),
    "bye_had": gettext_lazy("%(first)s had the bye in round %(rounds)s. Nobody gets the bye twice."),
    "bye_forfeit_win": gettext_lazy("%(first)s won round %(rounds)s by forfeit and may not have the bye."),
    "bye_points_unplayed": gettext_lazy(
        "%(first)s scored as much as a win without playing in round %(rounds)s and may not have the bye."
    ),
    "bye_score": gettext_lazy(
        "The bye goes to the lowest score that may have it: %(second)s has %(more)s, %(first)s %(points)s."
    ),
}
THIRD = gettext_lazy("%(first)s has %(colour)s for the third time in a row.")


@dataclass(frozen=True, slots=True)
class Said:
    """level: 1 is shown, 2 must be acknowledged, 3 must be confirmed. articles: those of the rule, "" for none."""

    sentence: str
    articles: str
    level: int


def sentence_of(concern: Mapping[str, Any]) -> str:
    """Say a concern, given as the parameters of a refusal (pairing/rounds/by_hand.py), in one sentence."""
    names = [f"{tpn} {name}" for tpn, name in concern["players"]]
    points = [points_text(tenths) or "0" for tenths in concern["points"]]
    third = concern["code"] == "third_colour" and concern["count"] == len("BBB")
    sentence = THIRD if third else SENTENCES[concern["code"]]
    return str(sentence) % {
        "first": names[0],
        "second": names[-1],
        "rounds": ", ".join(map(str, concern["rounds"])),
        "colour": colour_word(Colour(concern["colour"])) if concern["colour"] else "",
        "count": concern["count"],
        "points": points[0] if points else "",
        "more": points[-1] if points else "",
    }


def with_articles(concern: Mapping[str, Any]) -> str:
    """Return the sentence with the articles in brackets."""
    articles = articles_of(concern["articles"])
    return f"{sentence_of(concern)} ({articles})" if articles else sentence_of(concern)


def said(concern: Mapping[str, Any], level: int) -> Said:
    """Say a concern for a page."""
    return Said(sentence_of(concern), articles_of(concern["articles"]), int(level))


def reasons_of(compared: Comparison) -> list[Statement]:
    """Say why the rules pair differently: the first reason for each pair that the round lacks, and for the bye."""
    pairing, field = compared.pairing, compared.position.field
    if pairing is None:
        return []
    explainer = Explainer(compared.position.value, pairing)

    def name(key: int) -> str:
        return f"{field.participants[key].tpn} {field.participants[key].player.name.partition(',')[0]}"

    words = Words(name, edition=field.engine.edition, translate=_, plural=ngettext, longest=LONGEST_LIST)
    told = (
        []
        if compared.bye[1] in (None, compared.bye[0])
        else words.bye(explainer.trace.bye)[:MOST_ABOUT_THE_BYE]
    )
    turned = {(black, white) for white, black in compared.mine}
    for pair in compared.engines:
        answers = explainer.player(pair[0]).answers
        of_colours = [answer for answer in answers if answer.question.startswith("colour")]
        told += words.reasons((of_colours if pair in turned else answers)[0].reasons[:1])
    return told


def articles_of(articles: Sequence[str]) -> str:
    """C1 3.1.1; C.04.1, 7; 1.5.2.1."""
    return "; ".join(articles)


def asked(concerns: Iterable[Mapping[str, Any]], byes: Iterable[str]) -> str:
    """Say that a change must be confirmed. byes: sentences about a bye that is more than the regulations give."""
    said = " ".join([*byes, *map(with_articles, concerns)])
    return _("Nothing is changed yet. %(concerns)s") % {"concerns": said}
