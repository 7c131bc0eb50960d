"""Test the form of every text that is marked for translation: a translator can move its parts and count in it."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from functools import lru_cache
from gettext import GNUTranslations
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.management import call_command
from django.template.base import Lexer, TokenType

from api.v1.problems import OWN_WORDS
from tests.conftest import CI
from tests.house.catalogues import LOCALE, languages, untranslated
from tests.house.packages import PROGRAM

ROOT = Path(site.BASE_DIR)
ROOMS = PROGRAM
MODULES = ("django.utils.translation", "evenboard_engine.words.catalogue")
TEXTS = {
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop"), slice(0, 1)),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), slice(0, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), slice(1, 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), slice(1, 3)),
}
"""Where the texts stand among the arguments."""

PLACEHOLDER = re.compile(r"%\((\w+)\)[sr]")
LETTER = re.compile(r"[^\W\d_]")


def parsed() -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules that can mark a text: each function for this has `gettext` in its name."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if "tests" not in path.relative_to(ROOT).parts and "gettext" in (
                source := path.read_text("utf-8")
            ):
                yield path.relative_to(ROOT).as_posix(), ast.parse(source)


class Calls:
    """The calls of gettext and its like in a module, whatever the module calls them, and its sums of texts."""

    def __init__(self, module: ast.Module) -> None:
        nodes = list(ast.walk(module))
        self.known = {
            name.asname or name.name: name.name
            for node in nodes
            if isinstance(node, ast.ImportFrom) and (node.module in MODULES or node.module == "catalogue")
            for name in node.names
            if name.name in TEXTS
        } | {
            node.name: node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name in TEXTS
        }
        self.calls = [node for node in nodes if isinstance(node, ast.Call) and self.function(node)]
        self.sums = [node for node in nodes if isinstance(node, (ast.BinOp, ast.JoinedStr))]

    def function(self, node: ast.AST) -> str:
        """Return the function of gettext that the node calls, "" for other nodes."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.known.get(node.func.id, "")
        return ""

    def texts(self, node: ast.Call) -> list[ast.expr]:
        return node.args[TEXTS[self.function(node)]]

    def within(self, node: ast.AST) -> bool:
        """Return whether the value of the node begins as a translated text: _("a"), str(_("a")), _("a") % b."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return self.within(node.left)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "str"
            and node.args
        ):
            return self.within(node.args[0])
        if isinstance(node, ast.FormattedValue):
            return self.within(node.value)
        if isinstance(node, ast.IfExp):
            return self.within(node.body) or self.within(node.orelse)
        return bool(self.function(node))


@lru_cache(maxsize=1)
def sources() -> tuple[tuple[str, Calls], ...]:
    return tuple((path, Calls(module)) for path, module in parsed())


@pytest.fixture(scope="module", autouse=True)
def _sources_are_not_kept() -> Iterator[None]:
    """Free a million objects: the garbage collector would look at all of them, also at the end of the process."""
    yield
    sources.cache_clear()


def calls() -> Iterator[tuple[str, ast.Call, Calls]]:
    for path, known in sources():
        for node in known.calls:
            yield f"{path}:{node.lineno}", node, known


@lru_cache(maxsize=1)
def python_texts() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return where each text stands, with its singular and plural."""
    found = []
    for place, node, known in calls():
        forms = tuple(str(part.value) for part in known.texts(node) if isinstance(part, ast.Constant))
        if forms:
            found.append((place, forms))
    return tuple(found)


BLOCK = re.compile(r"^blocktrans(late)?\b")
ARGUMENT = re.compile(r"""\b_\((["'])(.+?)\1\)""")  # of a tag: {% go_button _("Save") %}


@lru_cache(maxsize=1)
def template_texts() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the texts of the templates, with %(name)s for {{ name }} as in the catalogue."""
    found = []
    for path in sorted((ROOT / "templates").rglob("*.*")):
        forms: list[str] | None = None
        for token in Lexer(path.read_text("utf-8")).tokenize():
            place = f"{path.relative_to(ROOT).as_posix()}:{token.lineno}"
            if token.token_type is TokenType.BLOCK and BLOCK.match(token.contents):
                forms = [""]
                trimmed = "trimmed" in token.contents.split()
            elif forms is not None and token.token_type is TokenType.BLOCK:
                if token.contents == "plural":
                    forms.append("")
                else:
                    one_line = [
                        " ".join(map(str.strip, form.strip().splitlines())) if trimmed else form
                        for form in forms
                    ]
                    found.append((place, tuple(one_line)))
                    forms = None
            elif forms is not None:
                forms[-1] += f"%({token.contents})s" if token.token_type is TokenType.VAR else token.contents
            elif token.token_type is TokenType.BLOCK and token.contents.split()[0] in ("translate", "trans"):
                parts = token.split_contents()
                if parts[1][0] in "'\"":
                    found.append((place, (parts[1][1:-1],)))
            elif token.token_type is TokenType.BLOCK:
                found += [(place, (text,)) for _quote, text in ARGUMENT.findall(token.contents)]
    return tuple(found)


def texts() -> Iterable[tuple[str, tuple[str, ...]]]:
    return (*python_texts(), *template_texts())


def test_every_marked_text_is_a_literal() -> None:
    """A text may also be looked up, if it was marked where it stands: _(words.name). It is never put together."""
    built = (ast.JoinedStr, ast.BinOp)
    assert [
        place for place, node, known in calls() for part in known.texts(node) if isinstance(part, built)
    ] == []
    unmarked = [
        place
        for place, node, known in calls()
        if known.function(node) == "gettext_noop" and not isinstance(node.args[0], ast.Constant)
    ]
    assert unmarked == []


def test_placeholders_are_named() -> None:
    odd = [
        (place, form)
        for place, forms in texts()
        for form in forms
        if form not in OWN_WORDS  # as the framework writes them
        if ("%" in PLACEHOLDER.sub("", form).replace("%%", "") and PLACEHOLDER.search(form))
        or re.search(r"%[sd]|\{\w*\}", form)
    ]
    assert odd == []


def test_singular_has_no_placeholder_that_the_plural_lacks() -> None:
    """The singular may say less: one player, %(count)s players."""
    differing = []
    for place, forms in texts():
        if len(forms) == 2:
            one, many = (set(PLACEHOLDER.findall(form)) for form in forms)
            if one - many:
                differing.append((place, forms))
    assert differing == []


def test_no_sentence_takes_the_word_for_a_colour() -> None:
    """`coloured`: a sentence for White and one for Black, because the word has other forms in other sentences. After a
    colon it stands alone.
    """
    taking = [
        (place, form) for place, forms in texts() for form in forms if re.search(r"(?<!: )%\(colour\)s", form)
    ]
    assert taking == []


def test_no_ending_is_glued_to_a_placeholder() -> None:
    """3th, 1s: other languages have other endings, or none."""
    assert [(place, form) for place, forms in texts() for form in forms if re.search(r"\)s[a-z]", form)] == []


def test_no_text_begins_or_ends_with_a_space() -> None:
    """A text with a space at its end is half a sentence."""
    assert [(place, form) for place, forms in texts() for form in forms if form != form.strip()] == []


def test_a_sentence_begins_with_a_capital() -> None:
    """Abbreviations are no sentences. A placeholder, such as a name, a number or a code, may come first."""
    after_a_colon = "two players have met already; the rules of the competition ask for it;"
    wrong = [
        (place, form)
        for place, forms in texts()
        for form in forms
        if form[:1].islower() and form.endswith(".") and " " in form and not form.startswith(after_a_colon)
    ]
    assert wrong == []


def test_no_sentence_is_glued_from_translated_parts() -> None:
    """_("a") + " " + _("b") and f"{_('a')} of {b}": a translator cannot move the parts."""
    glued = []
    for path, known in sources():
        for node in known.sums:
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                sides = (node.left, node.right)
                if any(map(known.within, sides)):
                    glued.append(f"{path}:{node.lineno}")
            elif isinstance(node, ast.JoinedStr):
                parts = [part for part in node.values if isinstance(part, ast.FormattedValue)]
                words = any(
                    isinstance(part, ast.Constant) and LETTER.search(str(part.value)) for part in node.values
                )
                if sum(map(known.within, parts)) > (0 if words or len(parts) > 1 else 1):
                    glued.append(f"{path}:{node.lineno}")
    assert glued == []


CASES = re.compile(
    r"\[0\]\.(upper|lower)\(\)|\.capitalize\(\)|\bcapfirst\b|\|lower\b(?! *==)|[.] ?\"\.join\("
)


@pytest.mark.parametrize(
    "room", ["evenboard_engine/words", "pairing", "tournaments/files", "web", "templates"]
)
def test_no_case_is_changed_and_no_sentence_is_joined(room: str) -> None:
    """A fragment with a capital put in front is no sentence in a language that begins with another word."""
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{number}"
        for path in sorted((ROOT / room).rglob("*.*"))
        if path.suffix in (".py", ".html", ".txt")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if CASES.search(line) and "_plain(row.action)" not in line  # the name of an action of another version
    ]
    assert found == []


SAID = re.compile(
    r"(?<![\w'\"-])_?(told|said|says?|tells?)(\.[a-z]|\[|\(|(: [\w\[\], |]+)? :?= |(, \w+)* in [\w.]+\b.*:$)"
)


@pytest.mark.parametrize("room", [*ROOMS, "bench", "static/js", "tests"])
def test_names_say_what_a_thing_is(room: str) -> None:
    """A sentence, an answer, a row, a warning: "told" and "said" can be anything, and nobody can search for them."""
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{number}: {line.strip()}"
        for path in sorted((ROOT / room).rglob("*.*"))
        if path.suffix in (".py", ".js") and "migrations" not in path.parts
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if SAID.search(line)
    ]
    assert found == []


NO_NAMES = {"told", "said", "say", "says", "tell", "tells", "saying", "sayings"}
NAMES = {
    "templates": r"{{ ?([\w.]+)|{% for ([\w, ]+) in |\b(?:class|for|id|name)=(?:\"([^\"]*)\"|'([^']*)')|\bdata-([\w-]+)"
    r"|{% (?:with|include|cycle) ([^%]*)",
    "static/css": r"[.#]([A-Za-z][\w-]*)|\[data-([\w-]+)",
    "static/js": r"\.(\w+)|[\"#.]([a-z][\w-]*)[\"\])]",
    "tests/scripts": r"\.(\w+)|\b(?:class|id)=\"([^\"]*)\"|\bdata-([\w-]+)|#([\w-]+)",
    "tests/browser": r"[\"' ][#.]([A-Za-z][\w-]*)",
}
"""What names a thing: variables, ids, classes and data attributes."""


@pytest.mark.parametrize("room", NAMES)
def test_ids_and_classes_say_what_a_thing_is(room: str) -> None:
    """A news line, a list of concerns, an announcer: an id such as "said" is as vague as a variable of that name."""
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {match[0]}"
        for path in sorted((ROOT / room).rglob("*.*"))
        if path.suffix in (".html", ".txt", ".css", ".js", ".py")
        for match in re.finditer(NAMES[room], path.read_text("utf-8"))
        if NO_NAMES & set(re.split(r"[^a-z]+", " ".join(filter(None, match.groups())).lower()))
    ]
    assert found == []


LISTS = re.compile(r"[\"'][,;:] ?[\"']\.join\(")
WRITTEN = {
    f"tournaments/files/{name}.py" for name in ("archives", "lists", "personal_data", "report_comments")
}
"""Cells and lines of files, which programs read too: they have one form for all languages."""


@pytest.mark.parametrize("room", ["evenboard_engine/words", "tournaments/files", "web/templatetags", "web"])
def test_lists_are_joined_by_the_language(room: str) -> None:
    """`Language.listed`: not every language has this comma and a space after it."""
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {line.strip()}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for line in path.read_text("utf-8").splitlines()
        if LISTS.search(line) and path.relative_to(ROOT).as_posix() not in WRITTEN
    ]
    names_of_files = 'tournaments/files/entry_lists.py: return ", ".join(cell for cell in cells if cell)'
    assert [line for line in found if line != names_of_files] == []


TAG = r"\{%.*?%\}|\{\{.*?\}\}"
BLOCK_TEXT = re.compile(r"\{% blocktranslate .*?\{% endblocktranslate %\}", re.DOTALL)
NOT_SHOWN = re.compile(
    rf"{BLOCK_TEXT.pattern}|\{{% comment %\}}.*?\{{% endcomment %\}}|\{{#.*?#\}}|&\w+;|<code .*?</code>|{TAG}"
    rf"""|<(?:{TAG}|"[^"]*"|'[^']*'|[^>"'])*>""",
    re.DOTALL,
)
PUNCTUATION = re.compile(r"[,;:.()]")
ATTRIBUTE = re.compile(r"\b(?:title|alt|label|placeholder|aria-[\w-]+|data-[\w-]+)=\"([^\"]*)\"")
JOINED_VALUES = re.compile(r"[%}]\}[,;:.)] |[,;:(] ?\{[%{]")


def blank(match: re.Match[str]) -> str:
    return re.sub(r"\S", " ", match[0])


def test_templates_have_no_punctuation_between_texts() -> None:
    """`listed`, `sentence`, `spoken` and `commas` write it as the reader's language does."""
    found = []
    for path in sorted((ROOT / "templates").rglob("*.html")):
        source = path.read_text("utf-8")
        lines = source.splitlines()
        shown = NOT_SHOWN.sub(blank, source).splitlines()
        found += [
            f"{path.name}:{number}: {lines[number - 1].strip()}"
            for number, line in enumerate(shown, 1)
            if PUNCTUATION.search(line)
        ]
        found += [
            f"{path.name}: {match[0]}"
            for match in ATTRIBUTE.finditer(BLOCK_TEXT.sub(blank, source))
            if JOINED_VALUES.search(match[1])
        ]
    name_of_a_program = 'results_keys.html:28: <th scope="col" data-scheme="swiss-manager">Swiss-M.</th>'
    assert [line for line in found if line != name_of_a_program] == []


JOINED_BY_A_SCRIPT = re.compile(r"\}(?:[,;] ?|: )(?:\$\{|`)|\+ [\"'`][,;:] ?[\"'`]|\.join\([\"'`][,;:]")


def test_scripts_have_no_punctuation_between_texts() -> None:
    """A script has no texts of its own: a text of the page has the names of its values in braces."""
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{number}: {line.strip()}"
        for path in sorted((ROOT / "static/js").rglob("*.js"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if JOINED_BY_A_SCRIPT.search(line)
    ]
    assert found == []


@pytest.mark.skipif(not CI and shutil.which("xgettext") is None, reason="GNU gettext is not installed")
def test_catalogue_has_every_text_and_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make messages` on a copy of the sources, because it writes files beside the templates while it reads them. A new
    catalogue has the texts of each in which a part is complete, so it would change none of these.
    """
    for room in (*ROOMS, "templates"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "locale").mkdir()
    call_command("makemessages", locale=["en"], verbosity=0)
    asked = untranslated(tmp_path / "locale", "en")
    begun = [code for code, part in languages().items() if part != "none"]
    assert [code for code in begun if untranslated(LOCALE, code) != asked] == [], "run `make messages`"
    catalogue = tmp_path / "locale" / "en" / "LC_MESSAGES" / "django.po"
    english, compiled = tmp_path / "english.po", tmp_path / "english.mo"
    subprocess.run(["msgen", "--output-file", english, catalogue], check=True)
    subprocess.run(["msgfmt", "--check-format", "--output-file", compiled, english], check=True)
    with compiled.open("rb") as file:
        known = set(vars(GNUTranslations(file))["_catalog"])
    known = {
        key[0] if isinstance(key, tuple) else key for key in known
    }  # a plural is (text, number of the form)
    known = {key.rpartition("\4")[2] for key in known}  # a context stands before its text
    assert [(place, forms[0]) for place, forms in texts() if forms[0] not in known] == []
