"""The tags that join texts: the reader's language decides how."""

from __future__ import annotations

from datetime import date, time

import pytest
from django.template import Context, Engine, TemplateSyntaxError
from django.utils import translation

from base.reader import READER
from evenboard_engine.words.catalogue import Language
from tournaments.models.sections import RoundStart
from web.templatetags import lists

ENGINE = Engine(libraries={"lists": "web.templatetags.lists"})


def rendered(template: str, **values: object) -> str:
    return ENGINE.from_string("{% load lists %}" + template).render(Context(values))


LIST = """{% listed "comma" %} {% item %} {{ a }} {% enditem %}
{% if b %}{% item %}<b>{{ b }}</b>{% enditem %}{% endif %}
{% for c in more %}{% item %}{{ c }}{% enditem %}{% endfor %}{% endlisted %}"""


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ({"a": "1", "b": "2"}, "1, <b>2</b>"),
        ({"a": "1", "more": ["3", "4"]}, "1, 3, 4"),
        ({"a": " ", "b": "2"}, "<b>2</b>"),
        ({}, ""),
        ({"a": "<i>", "b": "&"}, "&lt;i&gt;, <b>&amp;</b>"),
    ],
)
def test_items_that_have_content_are_listed(values: dict[str, object], shown: str) -> None:
    assert rendered(LIST, **values) == shown


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("{% listed %}{% item %}1{% enditem %}{% item %}2{% enditem %}{% endlisted %}", "1 and 2"),
        ('{% listed "colon" %}{% item %}1{% enditem %}{% item %}2{% enditem %}{% endlisted %}', "1: 2"),
        ("{% sentence %} 1 {% endsentence %}", "1."),
        ("{% sentence %}1.{% endsentence %}", "1."),
        ("{% sentence %} {% endsentence %}", ""),
        ("Edit{% spoken %} 1 {% endspoken %}", 'Edit<span class="sr">, 1</span>'),
        ('Edit{% spoken "colon" %}1{% endspoken %}', 'Edit<span class="sr">: 1</span>'),
        ('here{% spoken class="by" %}1{% endspoken %}', 'here<span class="by">, 1</span>'),
        ("{% commas x none zero x %}", "&lt;, &lt;"),
    ],
)
def test_texts_are_joined(template: str, shown: str) -> None:
    assert rendered(template, x="<", none=None, zero=0) == shown


def test_a_list_within_an_item_is_its_own() -> None:
    inner = '{% listed "comma" %}{% item %}1{% enditem %}{% item %}2{% enditem %}{% endlisted %}'
    outer = f'{{% listed "semicolon" %}}{{% item %}}{inner}{{% enditem %}}{{% item %}}3{{% enditem %}}{{% endlisted %}}'
    assert rendered(outer) == "1, 2; 3"


def test_another_language_has_other_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    signs = str.maketrans({",": "、", ".": "。", ":": "："})
    monkeypatch.setattr(lists, "READER", Language(lambda text: text.translate(signs).replace(" ", "")))
    shown = rendered("{% sentence %}{% commas 1 2 %}{% endsentence %}{% spoken %}3{% endspoken %}")
    assert shown == '1、2。<span class="sr">、3</span>'


TENTHS = (0, 5, 10, 15, 20, 45, 50, 110, 210, 220, 250)
NOUNS = {
    "en": ["0 points", "½ point", "1 point", "1½ points", "2 points", "4½ points", "5 points", "11 points"],
    "de": ["0 Punkte", "½ Punkt", "1 Punkt", "1½ Punkte", "2 Punkte", "4½ Punkte", "5 Punkte", "11 Punkte"],
    "es": ["0 puntos", "½ punto", "1 punto", "1½ puntos", "2 puntos", "4½ puntos", "5 puntos", "11 puntos"],
    "fr": ["0 point", "½ point", "1 point", "1½ point", "2 points", "4½ points", "5 points", "11 points"],
    "nl": ["0 punten", "½ punt", "1 punt", "1½ punten", "2 punten", "4½ punten", "5 punten", "11 punten"],
    "pl": ["0 pkt", "½ pkt", "1 pkt", "1½ pkt", "2 pkt", "4½ pkt", "5 pkt", "11 pkt"],
    "ru": ["0 очков", "½ очка", "1 очко", "1½ очка", "2 очка", "4½ очка", "5 очков", "11 очков"],
    "uk": ["0 очок", "½ очка", "1 очко", "1½ очка", "2 очки", "4½ очка", "5 очок", "11 очок"],
}
OVER_TWENTY = {  # 21, 22 and 25
    "en": ["21 points", "22 points", "25 points"],
    "de": ["21 Punkte", "22 Punkte", "25 Punkte"],
    "es": ["21 puntos", "22 puntos", "25 puntos"],
    "fr": ["21 points", "22 points", "25 points"],
    "nl": ["21 punten", "22 punten", "25 punten"],
    "pl": ["21 pkt", "22 pkt", "25 pkt"],
    "ru": ["21 очко", "22 очка", "25 очков"],
    "uk": ["21 очко", "22 очки", "25 очок"],
}


@pytest.mark.parametrize("code", sorted(NOUNS))
def test_points_have_the_noun_in_the_form_of_their_number(code: str) -> None:
    """A fraction takes the singular below two in French, and the genitive of the singular in Russian and Ukrainian.
    Polish has an abbreviation, which has one form.
    """
    with translation.override(code):
        assert [READER.points(tenths) for tenths in TENTHS] == NOUNS[code] + OVER_TWENTY[code]


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("en", ["0 pts", "½ pt", "1 pt", "1½ pts", "5 pts"]),
        ("de", ["0 Pkt.", "½ Pkt.", "1 Pkt.", "1½ Pkt.", "5 Pkt."]),
        ("es", ["0 pts.", "½ pt.", "1 pt.", "1½ pts.", "5 pts."]),
        ("fr", ["0 pt", "½ pt", "1 pt", "1½ pt", "5 pts"]),
        ("nl", ["0 ptn", "½ pt", "1 pt", "1½ ptn", "5 ptn"]),
        ("pl", ["0 pkt", "½ pkt", "1 pkt", "1½ pkt", "5 pkt"]),
        ("ru", ["0 оч.", "½ оч.", "1 оч.", "1½ оч.", "5 оч."]),
        ("uk", ["0 оч.", "½ оч.", "1 оч.", "1½ оч.", "5 оч."]),
    ],
)
def test_points_in_a_narrow_place_have_it_too(code: str, shown: list[str]) -> None:
    with translation.override(code):
        assert [lists.points_short(tenths) for tenths in (0, 5, 10, 15, 50)] == shown


@pytest.mark.parametrize("tag", ['listed "dash"', "listed comma", 'spoken "comma" "comma"'])
def test_an_unknown_joint_is_an_error(tag: str) -> None:
    with pytest.raises(TemplateSyntaxError, match="needs one of"):
        rendered(f"{{% {tag} %}}{{% end{tag.split()[0]} %}}")


@pytest.mark.parametrize(
    ("start", "shown"),
    [
        (RoundStart(date(2026, 3, 7), time(10)), "Saturday 7 March 2026, 10:00"),
        (RoundStart(date(2026, 3, 7), None), "Saturday 7 March 2026"),
        (None, ""),
    ],
)
def test_beginning_of_a_round(start: RoundStart | None, shown: str) -> None:
    assert lists.begins(start) == shown


@pytest.mark.parametrize(("tenths", "shown"), [(0, "0 pts"), (5, "½ pt"), (10, "1 pt"), (15, "1½ pts")])
def test_short_points(tenths: int, shown: str) -> None:
    assert lists.points_short(tenths) == shown
