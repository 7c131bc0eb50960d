"""Concerns about pairs that were made by hand, in sentences that name the players and the articles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from base.reader import READER
from base.text import isolated
from evenboard_engine import system_of
from evenboard_engine.findings import Level
from evenboard_engine.words.explanation import VIRTUAL, Statement, each_once
from evenboard_engine.words.registry import words_of
from pairing.by_hand import concern_values
from tournaments.queries.by_hand import HandComparison, HandPosition, ModelPairing, concerns_about
from web.words.values import points_text

LONGEST_LIST = 12
MOST_ABOUT_THE_BYE = 4


@dataclass(frozen=True, slots=True)
class ConcernWords:
    """level: 1 is shown, 2 must be acknowledged, 3 must be confirmed. articles: those of the rule, "" for none."""

    sentence: str
    articles: str
    level: int


def sentence_of(concern: Mapping[str, Any]) -> str:
    """Say a concern, given as the parameters of a refusal (pairing/by_hand.py), in one sentence."""
    names = [f"{tpn} {name}" for tpn, name in concern["players"]]
    points = [points_text(tenths) or "0" for tenths in concern["points"]]
    rounds = READER.listed(concern["rounds"])
    shown = {
        "player": names[0],
        "other": names[-1],
        "round": rounds,
        "rounds": rounds,
        "count": concern["count"],
        "points": points[0] if points else "",
        "more": points[-1] if points else "",
    }
    text = READER.text_of(words_of(concern["system"]).concerns[concern["code"]], concern, shown)
    lent = [
        f"{name} (+{points_text(more)})" for name, more in zip(names, concern["lent"], strict=False) if more
    ]
    return f"{text} {READER.text_of(VIRTUAL, {'players': READER.listed(lent)})}" if lent else text


def with_articles(concern: Mapping[str, Any]) -> str:
    """Return the sentence with the articles in brackets."""
    articles = articles_of(concern["articles"])
    return f"{sentence_of(concern)} ({articles})" if articles else sentence_of(concern)


def concern_words(concern: Mapping[str, Any], level: int) -> ConcernWords:
    """Say a concern for a page."""
    return ConcernWords(sentence_of(concern), articles_of(concern["articles"]), int(level))


def broken_rules(found: HandPosition) -> list[ConcernWords]:
    """Say which rules the pairs break, such as C1; those of the offer too."""
    concerns = concerns_about(found.value, found.draft, ModelPairing())
    return [
        concern_words(concern_values(one, found), one.level) for one in concerns if one.level == Level.PROCEED
    ]


def reasons_of(compared: HandComparison) -> list[Statement]:
    """Say why the rules pair differently: the first reason for each pair that the round lacks, and for the bye."""
    pairing, field = compared.pairing, compared.position.field
    if pairing is None:
        return []
    value = compared.position.value
    explainer = system_of(value).explain(value, pairing)

    def name(key: int) -> str:
        return (
            f"{field.participants[key].tpn} {isolated(field.participants[key].player.name.partition(',')[0])}"
        )

    words = words_of(value.system).explanation(name, tournament=value, language=READER, longest=LONGEST_LIST)
    statements = (
        []
        if compared.bye[1] in (None, compared.bye[0])
        else words.bye(explainer.trace.bye)[:MOST_ABOUT_THE_BYE]
    )
    turned = {(black, white) for white, black in compared.mine}
    for pair in compared.engines:
        answers = explainer.player(pair[0]).answers
        of_colours = [answer for answer in answers if answer.question.startswith("colour")]
        statements += words.reasons((of_colours if pair in turned else answers)[0].reasons[:1])
    return statements


def why_impossible(code: str) -> str:
    """Say that the rules give no pairing. code: of the engine."""
    if code == "cannot_finish":
        return _("The rules cannot finish this round.")
    return _("The rules allow no pairing of these players.")


def articles_of(articles: Sequence[str]) -> str:
    """C1 3.1.1; C.04.1, 7; 1.5.2.1."""
    return READER.listed(each_once(articles), "semicolon")


def asked(concerns: Iterable[Mapping[str, Any]], byes: Iterable[str]) -> str:
    """Say that a change must be confirmed. byes: sentences about a bye that is more than the regulations give."""
    sentences = " ".join([*byes, *map(with_articles, concerns)])
    return _("Nothing is changed yet. %(concerns)s") % {"concerns": sentences}
