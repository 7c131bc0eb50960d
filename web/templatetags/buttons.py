"""Buttons and links that stand on many pages, with the keys that press them."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

register = template.Library()


@register.simple_tag
def choice(label: str, address: str, shown: object, value: object) -> SafeString:
    """Write a link of a group of which one is current: the one whose value is shown."""
    return format_html(
        '<a class="btn" href="{}"{}>{}</a>', address, _if(shown == value, "aria-current", "true"), label
    )


@register.simple_tag
def go_button(label: str) -> SafeString:
    """Write the black button of a form, which Enter presses."""
    return format_html(
        '<button class="btn go" data-key="Enter">{} <kbd aria-hidden="true">Enter</kbd></button>', label
    )


@register.simple_tag
def go_link(label: str, name: str, *where: object) -> SafeString:
    """Write a black link to the address with this name, which Enter follows."""
    return format_html(
        '<a class="btn go" href="{}" data-key="Enter">{} <kbd aria-hidden="true">Enter</kbd></a>',
        reverse(name, args=where),
        label,
    )


@register.simple_tag
def way_out(label: str, name: str, *where: object, css: str = "btn link", back: str = "") -> SafeString:
    """Write the link that leaves a page or a question without a change, which Escape follows.

    back: the page from which the person came, which is better than the one with this name.
    """
    return format_html(
        '<a class="{}" href="{}" data-key="Escape">{} <kbd aria-hidden="true">Esc</kbd></a>',
        css,
        back or reverse(name, args=where),
        label,
    )


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
