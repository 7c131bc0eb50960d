"""Scripts are ES modules: pages load them as such, and an import names the file that a page would load."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.template import Context, Template
from django.templatetags.static import static
from django.test import override_settings

from web.templatetags import builtins

IMPORT = re.compile(r"""^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];""", re.MULTILINE)


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with all static files as they are served."""
    root = tmp_path_factory.mktemp("collected")
    storages = {**settings.STORAGES, "staticfiles": {"BACKEND": "config.static_files.HashedFiles"}}
    with override_settings(STATIC_ROOT=root, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
    return root


def imports(script: Path) -> list[str]:
    """Return the names that the script imports, as they are written."""
    return IMPORT.findall(script.read_text(encoding="utf-8"))


def test_an_import_names_the_same_file_as_a_page(collected: Path) -> None:
    """Two names for one module would run it twice: each key would be handled twice, and a queue would send twice."""
    names = json.loads((collected / "staticfiles.json").read_text(encoding="utf-8"))["paths"]
    seen = 0
    for name, hashed in names.items():
        if not name.startswith("js/"):
            continue
        plain, served = imports(collected / name), imports(collected / hashed)
        here = (collected / name).parent
        wanted = [names[(here / path).resolve().relative_to(collected).as_posix()] for path in plain]
        assert [(here / path).resolve().relative_to(collected).as_posix() for path in served] == wanted, name
        seen += len(wanted)
    assert seen > 30


def test_all_our_scripts_are_loaded_as_modules(root: Path) -> None:
    tags = [
        tag
        for page in (root / "templates").rglob("*.html")
        for tag in re.findall(r"<script\b[^>]*?'(?:js|vendor)/[^>]*>", page.read_text(encoding="utf-8"))
    ]
    assert tags == ["<script src=\"{% static 'vendor/htmx-2.0.11.min.js' %}\" defer>"]


def test_a_page_names_all_modules_at_once() -> None:
    """Otherwise a browser on a slow network would wait for each module before it learns of the next one."""
    template = Template("{% module 'js/find.js' %}{% module 'js/me.js' section=7 %}")
    head = template.render(Context())
    named = re.findall(r'<link rel="modulepreload" href="([^"]+)">|src="([^"]+)"', head)
    names = ("dom", "spelling", "folding", "find", "followed_players", "me")
    assert [preloaded or loaded for preloaded, loaded in named] == [static(f"js/{name}.js") for name in names]
    assert head.endswith(f'<script type="module" src="{static("js/me.js")}" data-section="7"></script>')


def test_a_module_names_all_that_its_imports_import(root: Path) -> None:
    static = (root / "static").resolve()
    names = [script.relative_to(static).as_posix() for script in (static / "js").rglob("*.js")]
    for name in names:
        known = {name, *builtins.imports(name)}
        direct = {static / each / ".." / path for each in known for path in imports(static / each)}
        assert {path.resolve().relative_to(static).as_posix() for path in direct} <= known, name


def test_no_script_uses_a_global_of_another_one(root: Path) -> None:
    """Only htmx, which is not ours, has a global name, and one module alone knows it."""
    users = [
        path.name
        for path in (root / "static" / "js").rglob("*.js")
        if re.search(r"\b(?:window|globalThis|self)\b[).]", path.read_text(encoding="utf-8"))
    ]
    assert users == ["htmx.js"]


MAY_HOLD = {
    "app.js": "the bar of a page that is shown without a network, where no form is sent",
    "hall.js": "a screen, which has no form",
    "me.js": "reads the section and removes old cookies, both once",
    "paper.js": "a sheet, which has no form",
}
"""Scripts that may hold an element of the page, and why."""


def test_a_script_holds_no_element_that_may_be_replaced(root: Path) -> None:
    """A form of htmx brings new elements, and no script runs again. So a script listens on the document, or begins with
    `forEachComing`; one that runs a whole page has it loaded again (`reloadIfReplaced`). tests/scripts/replaced.test.js
    shows that they work.
    """
    held = re.compile(
        r"^(?:const|let|for \(const) [^=;]*?(?:=|\bof\b) (?:/\*\*.*?\*/ \()?"
        r"(?:byId|one|all|fieldOf|document\.(?:querySelector|getElementById))\b(?!.*=>)",
        re.MULTILINE,
    )
    scripts = {
        path.relative_to(root / "static" / "js").as_posix(): path.read_text("utf-8")
        for path in (root / "static" / "js").rglob("*.js")
    }
    holds = {name for name, text in scripts.items() if held.search(text) and "reloadIfReplaced(" not in text}
    of_results = {
        name for name in holds if name.startswith("results/")
    }  # results/page.js and absent.js load again
    assert holds - of_results == set(MAY_HOLD)
    assert {"results/page.js", "results/absent.js", "desk.js"} <= {
        n for n, text in scripts.items() if "reloadIfReplaced(" in text
    }


def test_dark_mode_changes_only_colours(root: Path) -> None:
    """`light-dark()` gives only colours, so tests of the layout need one mode (tests/browser/conftest.py)."""
    styles = [path.read_text(encoding="utf-8") for path in (root / "static" / "css").glob("*.css")]
    assert [text for text in styles if "prefers-color-scheme" in text] == []
    assert sum(text.count("light-dark(") for text in styles) > 0


def divided(text: str, signs: str) -> list[str]:
    """Divide a selector at these signs, except in brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign, 0)
        if depth == 0 and sign in signs:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def test_a_change_of_a_page_does_not_style_all_of_it_again(root: Path) -> None:
    """Chromium keeps one list of what `:has()` may change for all rules of a page. A rule that names neither a tag, a
    class, an id nor an attribute of what it styles puts every element on this list: with 57 boards, a key took 0.1 s.
    """
    found = []
    for sheet in (root / "static" / "css").glob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
        for selectors in re.findall(r"([^{};]+)\{", text):
            for selector in divided(selectors.strip(), ","):
                *around, styled = divided(selector.strip(), " >+~")
                named = re.sub(r":(?:not|has)\((?:[^()]|\([^()]*\))*\)", "", styled)
                of_rows = selector.strip().startswith(
                    ".entry "
                )  # of a key, it styled a cell of each of 250 boards
                if ":has(" in "".join(around) and (of_rows or not re.search(r"[.#[]|^\w|:is\(", named)):
                    found.append(f"{sheet.name}: {selector}")
    assert found == []
