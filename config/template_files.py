"""Read the templates without their layout, which is for readers of templates (docs/decisions/0052-templates.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from django.template.base import Origin
from django.template.loaders import filesystem

# A page shows no white space beside these elements.
NAMES = (
    "html head body title meta link script base template noscript main header footer nav section article aside div p "
    "h1 h2 h3 h4 h5 h6 ul ol li dl dt dd hr br form fieldset legend details summary figure figcaption dialog table "
    "caption colgroup col thead tbody tfoot tr th td option optgroup g defs path rect line circle use text"
)
BLOCKS = frozenset(NAMES.split()) | {'input type="hidden"'}
VOID = frozenset({"img", "input"})  # they stand in a line of text and have no inside

PAIRED = frozenset({"if", "for", "with", "block", "partialdef", "autoescape", "ifchanged", "filter"})
LISTS = frozenset({"listed", "item", "sentence", "spoken"})  # tags of web/templatetags/lists.py
MIDDLE = frozenset({"else", "elif", "empty"})
FORM = re.compile(r"\{% (?:end)?form\b")  # the tag of web/templatetags/buttons.py
SILENT = re.compile(r"\{% (?:load|extends)\b|\{% [^%]* as \w+ %\}|\{% blocktranslate [^%]*\basvar ")
PUNCTUATION = re.compile(r"[,.;:)](?!\w)")
COMMENT = re.compile(r"\{% comment %\}.*?\{% endcomment %\}|\{#(?!#\}).*?#\}", re.DOTALL)
LINE_END = re.compile(r"\s*\n\s*")
TAG = r"\{%.*?%\}|\{\{.*?\}\}"
TOKEN = re.compile(
    rf"""(?P<whole>\{{%\ (?P<name>blocktranslate|verbatim)\b.*?\{{%\ end(?P=name)\ %\}}
        |<(?P<raw>pre|textarea)\b.*?</(?P=raw)>)
    |(?P<joint>\{{\#\#\}})
    |(?P<tag>{TAG})
    |(?P<open><input\s+type="hidden"|</?[a-zA-Z][\w-]*)
    |(?P<close>/?>)
    |(?P<value>=(?:"(?:{TAG}|[^"])*"|'(?:{TAG}|[^'])*'))
    |(?P<space>[ \t\r\n\f]+)
    |(?P<text>[^ \t\r\n\f{{<>=]+|.)""",
    re.DOTALL | re.VERBOSE,
)


class Loader(filesystem.Loader):
    """Reads a template without its comments and without the white space that no page shows."""

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return without_layout(contents) if str(origin.name).endswith(".html") else contents


Node: TypeAlias = "Token | Space | TagGroup"


@dataclass(eq=False, slots=True)
class Token:
    """A piece of a template. `before` and `after` say that white space on this side of it is left out."""

    text: str
    before: bool = False
    after: bool = False
    silent: bool = False  # the page has nothing in this place


@dataclass(eq=False, slots=True)
class Space:
    """White space of any length."""


@dataclass(eq=False, slots=True)
class TagGroup:
    """From `if`, `for`, `with` or `block` to the tag that ends it. A part ends at `elif`, `else` and `empty`."""

    kind: str
    tags: list[str]
    parts: list[list[Node]] = field(default_factory=lambda: [[]])

    @property
    def may_be_left_out(self) -> bool:
        """Whether there is a way through a page on which no part is written."""
        has_rest = any(tag.startswith(("{% else", "{% empty")) for tag in self.tags)
        return self.kind in ("if", "for", "ifchanged") and not has_rest


def without_layout(template: str) -> str:
    """Return the template without the white space that no page shows; of other white space, one space is left.

    White space is left out at the edges of an element, of a file, of a `block` and of a partial, beside a block
    element, beside other white space, before a comma or a full stop, and beside the mark `{##}`. `{{ " " }}` is always
    a space.
    `if`, `for` and `with` are looked through: white space is left out only if each way through them leads to such a
    place. A template whose tags do not match is returned as it is: Django will report the error.
    """
    nodes = parsed(COMMENT.sub("", template))
    if nodes is None:
        return template
    left_out: set[Space] = set()
    walk(nodes, True, left_out, backwards=True)
    walk(nodes, True, left_out, backwards=False)
    return "".join(written(nodes, left_out))


def parsed(template: str) -> list[Node] | None:
    """Return the pieces of a template, with what stands between paired tags as a group; None if a tag has no pair."""
    groups = [TagGroup("file", [])]
    element = ""  # the name in the last tag of HTML, such as "div" or "/div"
    attributes = False  # between "<div" and ">". There, each edge of `if` is also white space
    for match in TOKEN.finditer(template):
        kind, text = match.lastgroup or "", match[0]
        name = text.split(maxsplit=2)[1] if text.startswith("{%") else ""
        edge: list[Node] = [Space()] if attributes else []
        if kind == "tag" and name in PAIRED | LISTS:
            groups.append(TagGroup(name, [text], [edge]))
            groups[-2].parts[-1].append(groups[-1])
        elif kind == "tag" and name in MIDDLE:
            groups[-1].parts[-1] += edge
            groups[-1].parts.append([Space()] if attributes else [])
            groups[-1].tags.append(text)
        elif kind == "tag" and name.startswith("end") and name.removeprefix("end") in PAIRED | LISTS:
            groups[-1].parts[-1] += edge
            groups[-1].tags.append(text)
            if groups.pop().kind != name.removeprefix("end"):
                return None
        else:
            if kind in ("open", "close"):
                attributes = kind == "open"
                text = " ".join(text.split())
                element = text[1:].lower() if attributes else element
            groups[-1].parts[-1].append(piece(kind, text, element))
    return groups[0].parts[0] if len(groups) == 1 else None


def piece(kind: str, text: str, element: str) -> Token | Space:
    """Return a piece of a template; `element` is the name in the last tag of HTML."""
    if kind == "space":
        return Space()
    if kind == "joint":
        return Token("", before=True, after=True)
    if kind == "text":
        return Token(text, before=bool(PUNCTUATION.match(text)))
    if kind == "value":
        return Token(LINE_END.sub(" ", text))
    name, ends = element.removeprefix("/"), element.startswith("/")
    if kind == "open":
        return Token(text, before=ends or name in BLOCKS)
    if kind == "close":
        return Token(text, before=True, after=name in BLOCKS or (not ends and name not in VOID))
    alone = text == "{% csrf_token %}" or FORM.match(text) is not None
    return Token(text, before=alone, after=alone, silent=bool(SILENT.match(text)))


def walk(nodes: list[Node], edge: bool, left_out: set[Space], *, backwards: bool) -> bool:
    """Add the white space that is left out because of what stands before it (backwards: after it) to `left_out`.

    `edge` says whether white space at the beginning of these pieces is left out. Return the same for their end.
    """
    for node in reversed(nodes) if backwards else nodes:
        if isinstance(node, TagGroup):
            edge = walk_group(node, edge, left_out, backwards=backwards)
        elif isinstance(node, Space):
            if edge:
                left_out.add(node)
            edge = edge or node not in left_out
        elif not node.silent:
            edge = node.before if backwards else node.after
    return edge


def walk_group(group: TagGroup, edge: bool, left_out: set[Space], *, backwards: bool) -> bool:
    """Do as `walk` does for a group: white space after it is left out only if each way through the group says so."""
    if group.kind in (
        "block",
        "partialdef",
    ):  # its own file decides about its content, so nothing is known beside it
        for part in group.parts:
            walk(part, True, left_out, backwards=backwards)
        return edge and group.kind == "partialdef" and "inline" not in group.tags[0]
    if (
        group.kind in LISTS
    ):  # the tag leaves out what is at its edges; a spoken text is joined to what is before it
        walk(group.parts[0], True, left_out, backwards=backwards)
        return backwards and group.kind == "spoken"
    first, *others = group.parts
    within = edge
    if group.kind == "for":  # the first part also follows itself
        within = edge and walk(first, True, set(left_out), backwards=backwards)
    ends = [walk(first, within, left_out, backwards=backwards)]
    ends += [walk(part, edge, left_out, backwards=backwards) for part in others]
    return all(ends) and (edge or not group.may_be_left_out)


def written(nodes: list[Node], left_out: set[Space]) -> Iterator[str]:
    """Yield the template in pieces."""
    for node in nodes:
        if isinstance(node, Token):
            yield node.text
        elif isinstance(node, Space):
            if node not in left_out:
                yield " "
        else:
            for tag, part in zip(node.tags, node.parts, strict=False):
                yield tag
                yield from written(part, left_out)
            yield node.tags[-1]
