"""Forms of a person's own login."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class CodeField(forms.CharField):
    """A code of the app or a recovery code."""

    def __init__(self, label: str, *, recovery: bool = True) -> None:
        attributes = {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        if not recovery:
            attributes["inputmode"] = "numeric"
        super().__init__(label=label, max_length=40, widget=forms.TextInput(attrs=attributes))


class PasswordField(forms.CharField):
    """The present password, which the form asks for again before an important change."""

    def __init__(self) -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": "current-password"})
        super().__init__(label=_("Your password"), max_length=1_000, strip=False, widget=widget)


class CodeForm(forms.Form):
    """The second step of logging in."""

    code = CodeField(_("Code"))

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)
        self.fields["code"].widget.attrs["autofocus"] = True


class TurnOnForm(forms.Form):
    code = CodeField(_("Code that the app shows"), recovery=False)
    password = PasswordField()


class ProveForm(forms.Form):
    """What turning the second factor off, or making new recovery codes, asks for."""

    password = PasswordField()
    code = CodeField(_("Code of the app, or a recovery code"))


class ForgottenForm(forms.Form):
    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )


class MailForm(forms.Form):
    email = forms.EmailField(
        label=_("E-mail address"),
        max_length=254,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_("Empty: no mail is sent to you."),
    )
    password = PasswordField()
