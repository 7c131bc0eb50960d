"""The tags that join texts: the reader's language decides how."""

from __future__ import annotations

from datetime import date, time

import pytest
from django.template import Context, Engine, TemplateSyntaxError

from pairing.words.catalogue import Language
from tournaments.models.schedule import RoundStart
from tournaments.templatetags import lists

ENGINE = Engine(libraries={"lists": "tournaments.templatetags.lists"})


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
