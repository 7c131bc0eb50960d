"""Forms of a person's own login, of new logins, and of the rights that site owners give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from base.reader import READER
from tournaments.models import EventMakers, SiteSettings, User
from tournaments.queries.programs import AccessCounts, OpenedAccess

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class NewNameField(forms.CharField):
    """The user name of a new login. autocomplete: "username" if the person who types it gets the login."""

    def __init__(self, *, autocomplete: str, required: bool = True) -> None:
        attributes = {"autocomplete": autocomplete, "autocapitalize": "none", "spellcheck": "false"}
        super().__init__(
            label=_("User name"),
            max_length=150,
            required=required,
            help_text=_("Letters, digits and @ . + - _"),
            widget=forms.TextInput(attrs=attributes),
        )


class CodeField(forms.CharField):
    """A code of the app or a recovery code."""

    def __init__(self, label: StrOrPromise, *, recovery: bool = True) -> None:
        attributes = {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        if not recovery:
            attributes["inputmode"] = "numeric"
        super().__init__(label=label, max_length=40, widget=forms.TextInput(attrs=attributes))


class PasswordField(forms.CharField):
    """The current password, which the form asks for again before an important change."""

    def __init__(self) -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": "current-password"})
        super().__init__(label=_("Your password"), max_length=1_000, strip=False, widget=widget)


class ProvenForm(forms.Form):
    """A form that asks for the password, and for a code if the second factor is on."""

    password = PasswordField()
    code = CodeField(_("Code of the app, or a recovery code"))

    def __init__(self, *args: Any, factor_on: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not factor_on:
            del self.fields["code"]


class KeepForm(forms.Form):
    """Offers to keep what the login has opened for others. It ends without the tick."""

    keep = forms.BooleanField(
        label=_("Keep what this login has opened"),
        required=False,
        help_text=_(
            "Without this tick, all of these end now. Keep them only if you are sure that nobody else used your login."
        ),
    )

    def __init__(self, *args: Any, opened: OpenedAccess, **options: Any) -> None:
        super().__init__(*args, **options)
        things = opened_words(opened.counts())
        if things:
            self.fields["keep"].label = _("Keep: %(things)s") % {"things": things}
        else:
            del self.fields["keep"]

    @property
    def keeps(self) -> bool:
        return bool(self.cleaned_data.get("keep"))


def opened_words(counts: AccessCounts) -> str:
    """Return what a login has opened, in words: "2 access tokens and 1 invitation"; "" for nothing."""
    tokens, invitations, links = counts
    words = (
        (tokens, ngettext("%(count)s access token", "%(count)s access tokens", tokens)),
        (invitations, ngettext("%(count)s open invitation", "%(count)s open invitations", invitations)),
        (links, ngettext("%(count)s link for a password", "%(count)s links for a password", links)),
    )
    return READER.listed([text % {"count": count} for count, text in words if count])


class ChangePasswordForm(KeepForm, PasswordChangeForm):
    """A new password, with the old one."""


class ResetPasswordForm(KeepForm, SetPasswordForm):  # type: ignore[type-arg]  # generic in its types alone
    """A new password, with a link."""


class PasswordForm(AuthenticationForm):
    """The first step of logging in. Django's form tells the browser the longest name, but checks longer ones too."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        name = self.fields["username"]
        assert isinstance(name, forms.CharField)
        name.label = _("User name")  # Django has another spelling
        name.validators.append(MaxLengthValidator(name.max_length))


class CodeForm(forms.Form):
    """The second step of logging in."""

    code = CodeField(_("Code"))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["code"].widget.attrs["autofocus"] = True


class TurnOnForm(KeepForm):
    code = CodeField(_("Code that the app shows"), recovery=False)
    password = PasswordField()


class ForgottenForm(forms.Form):
    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )


class LoginMailForm(forms.Form):
    email = forms.EmailField(
        label=_("E-mail address"),
        max_length=254,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_("Empty: no mail is sent to you."),
    )
    password = PasswordField()


class SiteLoginForm(forms.Form):
    """A login that works on no event yet."""

    username = NewNameField(autocomplete="off")
    full_name = forms.CharField(
        label=_("Full name"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    makes_events = forms.BooleanField(label=_("May make events"), required=False)


class SignUpForm(forms.Form):
    """The login of the person who fills in the form."""

    username = NewNameField(autocomplete="username")
    full_name = forms.CharField(
        label=_("Full name"),
        max_length=150,
        help_text=_("Arbiters of your events see it."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least 10 characters, not only digits, and no common password."),
    )
    again = forms.CharField(
        label=_("Password again"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        password, again = cleaned.get("password"), cleaned.get("again")
        if password and again and password != again:
            self.add_error("again", ValidationError(_("The two passwords differ."), code="differ"))
        if password:
            person = User(username=cleaned.get("username", ""), first_name=cleaned.get("full_name", ""))
            try:
                password_validation.validate_password(password, person)
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned


class SiteForm(forms.Form):
    events_by = forms.ChoiceField(
        label=SiteSettings._meta.get_field("events_by").verbose_name,  # noqa: SLF001 - Django documents _meta as public
        choices=EventMakers.choices,
        widget=forms.RadioSelect,
    )
    open_registration = forms.BooleanField(
        label=SiteSettings._meta.get_field("open_registration").verbose_name,  # noqa: SLF001
        required=False,
        help_text=_("A login gives no rights by itself. Invited people can always make one."),
    )
