"""Forms, buttons and links that stand on many pages, with the keys that press them."""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.template.defaulttags import CsrfTokenNode
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

register = template.Library()


@register.simple_tag
def choice(label: str, address: str, shown: object, value: object) -> SafeString:
    """Write a link of a group of which one is current: the one whose value is shown."""
    return format_html(
        '<a class="btn" href="{}"{}>{}</a>', address, _if(shown == value, "aria-current", "true"), label
    )


@register.simple_block_tag(takes_context=True, end_name="endform")
def form(
    context: Context,
    content: SafeString,
    name: str = "",
    *where: object,
    action: str = "",
    css: str = "",
    progress: str = "",
    boosted: bool = False,
    **attributes: object,
) -> SafeString:
    """Write a form that is posted to `action`, or to the address with this name, with its CSRF token.

    progress: what the page says while it waits for the answer. boosted: htmx sends it, and the page is not loaded
    again; until the answer, its buttons cannot be pressed again.
    """
    htmx = {"hx_boost": "true", "hx_disabled_elt": "find button"} if boosted else {}
    to = action or (reverse(name, args=where) if name else "")
    given = {"method": "post", "action": to, "class": css, **htmx, **attributes}
    written = _written({**given, "data_progress": progress})
    return format_html("<form{}>{}{}</form>", written, CsrfTokenNode().render(context), content)


CAPS = {"Enter": pgettext_lazy("a key", "Enter"), "Escape": pgettext_lazy("a key", "Esc")}
"""What is written on a key, if that is not the key itself in upper case."""


@register.simple_tag
def key_button(label: str, key: str, css: str = "btn", **attributes: object) -> SafeString:
    """Write a button that a key presses. attributes: of the button; True has no value, and `data_x` is data-x."""
    return _keyed("button", label, key, {"class": css, **attributes})


@register.simple_tag
def go_button(label: str, **attributes: object) -> SafeString:
    """Write the black button of a form, which Enter presses."""
    return _keyed("button", label, "Enter", {"class": "btn go", **attributes})


@register.simple_tag
def key_link(
    label: str, key: str, name: str = "", *where: object, css: str = "btn", **attributes: object
) -> SafeString:
    """Write a link that a key follows, to the address with this name or to `href` of the attributes."""
    return _keyed("a", label, key, {"class": css, **_address(name, where), **attributes})


@register.simple_tag
def go_link(label: str, name: str = "", *where: object, **attributes: object) -> SafeString:
    """Write a black link, which Enter follows."""
    return _keyed("a", label, "Enter", {"class": "btn go", **_address(name, where), **attributes})


@register.simple_tag
def way_out(
    label: str, name: str = "", *where: object, css: str = "btn link", back: str = "", **attributes: object
) -> SafeString:
    """Write the link that leaves a page or a question without a change, which Escape follows.

    back: the page from which the person came, which is better than the one with this name.
    """
    address = {"href": back} if back else _address(name, where)
    return _keyed("a", label, "Escape", {"class": css, **address, **attributes})


def _address(name: str, where: tuple[object, ...]) -> dict[str, object]:
    return {"href": reverse(name, args=where)} if name else {}


def _keyed(element: str, label: str, key: str, attributes: dict[str, object]) -> SafeString:
    """Return a button or a link with the key that presses it behind its label."""
    return format_html(
        '<{element}{given}>{label} <kbd aria-hidden="true">{cap}</kbd></{element}>',
        element=element,
        given=_written({**attributes, "data_key": key}),
        label=label,
        cap=CAPS.get(key) or key.upper(),
    )


def _written(attributes: dict[str, object]) -> SafeString:
    """Write attributes, each behind a space. A true one has no value, and one that is false or empty is left out."""
    given = ((name.replace("_", "-"), value) for name, value in attributes.items() if value)
    pairs = ((_if(True, name, "" if value is True else str(value)),) for name, value in given)
    return format_html_join("", "{}", pairs)


@register.simple_tag
def up_button(code: str, spoken: str, moved: object = None) -> SafeString:
    """Write the button that moves a line of a list up. moved: the line that has the focus, because it was moved."""
    return _step_button("up", code, spoken, _("Up"), focus=moved == code)


@register.simple_tag
def down_button(code: str, spoken: str) -> SafeString:
    """Write the button that moves a line of a list down."""
    return _step_button("down", code, spoken, _("Down"))


@register.simple_tag
def remove_button(code: str, spoken: str) -> SafeString:
    """Write the button that takes a line out of a list."""
    return _step_button("remove", code, spoken, _("Remove"))


def _step_button(step: str, code: str, spoken: str, label: str, *, focus: bool = False) -> SafeString:
    return format_html(
        '<button class="btn" name="do" value="{}:{}" aria-label="{}"{}>{}</button>',
        step,
        code,
        spoken,
        _if(focus, "autofocus"),
        label,
    )


@register.simple_tag
def radio(name: str, value: str, chosen: object, label: str) -> SafeString:
    """Write one of several answers."""
    return format_html(
        '<label class="tick"><input type="radio" name="{}" value="{}"{}><span>{}</span></label>',
        name,
        value,
        _if(chosen == value, "checked"),
        label,
    )


def _if(held: bool, attribute: str, value: str = "") -> SafeString:
    """Return the attribute, after a space, or nothing."""
    if not held:
        return mark_safe("")
    return format_html(' {}="{}"', attribute, value) if value else format_html(" {}", attribute)
