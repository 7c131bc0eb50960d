"""Templates are laid out for their readers (make format), and none of that layout reaches the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Engine, TemplateSyntaxError

from config.template_files import without_layout

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
LINE_LENGTH = 120
VALUE_LENGTH = 160
ATTRIBUTE = re.compile(r"""[\w-]+=["']""")  # a value, which the formatter keeps on one line

SEARCH = re.compile(r"<input\b(?:(?!>).)*?(?:type=\"search\"|id=\"find\")(?:(?!>).)*>", re.DOTALL)


def test_a_name_is_searched_in_the_direction_of_its_script() -> None:
    """Arabic and Hebrew names are typed from right to left in a page from left to right."""
    searches = [field for path in TEMPLATES for field in SEARCH.findall(path.read_text("utf-8"))]
    assert len(searches) >= 7
    assert [field for field in searches if 'dir="auto"' not in field] == []


READ = {
    "file": ("{% load i18n %}\n\n7\n", "{% load i18n %}7"),
    "element": ("<a>\n  7\n</a>\n<b>\n  8\n</b>", "<a>7</a> <b>8</b>"),
    "block element": ("7\n<p>\n  8\n</p>\n9", "7<p>8</p>9"),
    "box": ("7\n<input>\n8", "7 <input> 8"),
    "hidden": (
        '<b>7</b>\n<input\n  type="hidden"\n  name="x"\n>\n<b>8</b>',
        '<b>7</b><input type="hidden" name="x"><b>8</b>',
    ),
    "token": ("<b>7</b>\n{% csrf_token %}\n<b>8</b>", "<b>7</b>{% csrf_token %}<b>8</b>"),
    "words": ("7\n    {{ x }}\n{{ y }}", "7 {{ x }} {{ y }}"),
    "block": ("{% block x %}\n  7\n{% endblock x %}", "{% block x %}7{% endblock x %}"),
    "partial": (
        "7\n{% partialdef x %}\n  8\n{% endpartialdef x %}\n9",
        "7{% partialdef x %}8{% endpartialdef x %} 9",
    ),
    "if": ("7\n{% if x %}\n  8\n{% endif %}\n<p>", "7{% if x %} 8{% endif %}<p>"),
    "if, then text": ("7\n{% if x %}\n  8\n{% endif %}\n9", "7{% if x %} 8{% endif %} 9"),
    "else": ("7\n{% if x %}\n  8\n{% else %}\n  9\n{% endif %}", "7{% if x %} 8{% else %} 9{% endif %}"),
    "if with a block element": (
        "7\n{% if x %}\n  <p>8</p>\n{% endif %}\n9",
        "7{% if x %}<p>8</p>{% endif %} 9",
    ),
    "for": (
        "<ul>\n{% for x in y %}\n  <li>\n{% endfor %}\n</ul>",
        "<ul>{% for x in y %}<li>{% endfor %}</ul>",
    ),
    "for with words": (
        "7\n{% for x in y %}\n  {{ x }}\n{% endfor %}\n8",
        "7{% for x in y %} {{ x }}{% endfor %} 8",
    ),
    "empty": (
        "<p>{% for x in y %}\n{{ x }}\n{% empty %}\n7\n{% endfor %}</p>",
        "<p>{% for x in y %} {{ x }}{% empty %}7{% endfor %}</p>",
    ),
    "attributes": ('<p\n  a\n  b="7\n  8"\n>', '<p a b="7 8">'),
    "if in a tag": (
        '<p {% if x %}a="7"{% else %}b{% endif %} c>',
        '<p{% if x %} a="7"{% else %} b{% endif %} c>',
    ),
    "quotes in a value": (
        '<p a="{% if x == "7  8" %}9{% endif %}">',
        '<p a="{% if x == "7  8" %}9{% endif %}">',
    ),
    "punctuation": (
        "{{ x }}\n{% if y %}\n  , {{ y }}\n{% endif %}\n.",
        "{{ x }}{% if y %}, {{ y }}{% endif %}.",
    ),
    "number after a dot": ("{{ x }}\n.5", "{{ x }} .5"),
    "mark": ("7\n{##}\n{% if x %}\n  ½\n{% endif %}", "7{% if x %}½{% endif %}"),
    "space": ('<b>7</b>{{ " " }}\n<p>', '<b>7</b>{{ " " }}<p>'),
    "no-break space": ("7\u00a0\u00a0<p>", "7\u00a0\u00a0<p>"),
    "comments": ("7\n{% comment %}\n8\n{% endcomment %}\n{# 9 #}\n{{ x }}", "7 {{ x }}"),
    "silent tag": ("7\n{% url 'x' as y %}\n{{ y }}", "7{% url 'x' as y %} {{ y }}"),
    "text to translate": (
        "7\n{% blocktranslate %}\n  8  9\n{% endblocktranslate %}\n<p>",
        "7 {% blocktranslate %}\n  8  9\n{% endblocktranslate %}<p>",
    ),
    "list": (
        "7\n{% listed %}\n  {% item %}\n    {{ x }}\n  {% enditem %}\n{% endlisted %}\n8",
        "7 {% listed %}{% item %}{{ x }}{% enditem %}{% endlisted %} 8",
    ),
    "sentence": (
        "{% sentence %}\n  7\n{% endsentence %}\n8",
        "{% sentence %}7{% endsentence %} 8",
    ),
    "spoken": ("7\n{% spoken %}\n  8\n{% endspoken %}\n9", "7{% spoken %}8{% endspoken %} 9"),
    "preformatted": ("<pre>\n  7\n</pre>", "<pre>\n  7\n</pre>"),
}


@pytest.mark.parametrize("name", READ)
def test_white_space_that_no_page_shows_is_left_out(name: str) -> None:
    written, read = READ[name]
    assert without_layout(written) == read
    assert without_layout(read) == read


@pytest.mark.parametrize("wrong", ["{% if x %}\n7", "7\n{% endif %}", "{% if x %}\n{% endfor %}"])
def test_a_template_with_an_error_is_left_to_django(wrong: str) -> None:
    assert without_layout(wrong) == wrong
    with pytest.raises(TemplateSyntaxError):
        Engine().from_string(without_layout(wrong))


def test_values_keep_their_white_space(tmp_path: Path) -> None:
    (tmp_path / "name.html").write_text("{% load i18n %}\n<b>\n  {{ name }}\n</b>\n", encoding="utf-8")
    (tmp_path / "page.html").write_text('{% include "name.html" %}\n  , {{ other }}\n', encoding="utf-8")
    engine = Engine(
        dirs=[tmp_path],
        loaders=["config.template_files.Loader"],
        libraries={"i18n": "django.templatetags.i18n"},
    )
    page = engine.get_template("page.html").render(Context({"name": " A\n  B\n", "other": "C"}))
    assert page == "<b> A\n  B\n</b>, C"


def test_other_files_are_read_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "mail.txt").write_text("one\n\n  two\n", encoding="utf-8")
    engine = Engine(dirs=[tmp_path], loaders=["config.template_files.Loader"])
    assert engine.get_template("mail.txt").render(Context()) == "one\n\n  two\n"


def test_the_program_reads_all_its_templates_so() -> None:
    for path in TEMPLATES:
        name = path.relative_to(settings.BASE_DIR / "templates").as_posix()
        source = Engine.get_default().get_template(name).source
        assert (
            source == without_layout(path.read_text(encoding="utf-8")) != path.read_text(encoding="utf-8")
        ), name


def test_lines_of_templates_are_short() -> None:
    """Only the value of an attribute can be a little longer: no formatter may break it."""
    wrong = [
        f"{path.name}:{number}: {line.strip()[:60]}"
        for path in (settings.BASE_DIR / "templates").rglob("*.*")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > (VALUE_LENGTH if ATTRIBUTE.match(line.strip()) else LINE_LENGTH)
    ]
    assert wrong == []
