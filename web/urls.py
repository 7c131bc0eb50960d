"""The pages. `home` and the pages of a person's own login (`login_pages`) have bare names. All others are in the
namespace `tournaments`.

Addresses take `event` and `section` (the two slugs), and `number` where they are about a round. Pages of an event that
are not about a section are under `-`, which cannot be a slug.
"""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import include, path, register_converter

from web import urls_public, urls_staff
from web.middleware import robots
from web.views import account, invitations, privacy
from web.views.account import allow_phone, new_phone
from web.views.events import home, site_map, site_map_part
from web.views.logins import LoginPage, forgotten_password, login_code, new_password
from web.views.public.persons_page import persons_page
from web.views.staff import programs, rating_lists, site, spare, waiting_on_devices

# Logging in and out, the pages of a person's own login, invitations, open registration, the settings of the
# site.


class TokenConverter:
    """A token of an invitation, of a link for a new phone or of a person's page: 32 bytes in base64 for addresses."""

    regex = "[-_A-Za-z0-9]{43}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(TokenConverter, "token")

login_pages = [
    path("login/", LoginPage.as_view(), name="login"),
    path("login/code/", login_code, name="login-code"),
    path("login/forgotten/", forgotten_password, name="forgotten"),
    path("login/new-password/<str:token>/", new_password, name="new-password"),
    path("login/new-phone/<token:token>/", allow_phone, name="allow-phone"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("account/", account.account, name="account"),
    path("account/new-phone/", new_phone, name="new-phone"),
    path("account/end/", account.end, name="end-session"),
    path("account/second-factor/", account.second_factor, name="second-factor"),
    path("account/programs/", programs.own_programs, name="own-programs"),
    path("account/mail/", account.mail, name="mail"),
    path("account/waiting/", waiting_on_devices.report, name="report-waiting"),
    path("password/", account.password, name="password"),
    path("account/language/", account.language, name="language"),
    path("keys/", account.result_keys, name="result-keys"),
]

site_pages = [
    path("robots.txt", robots, name="robots"),
    path("sitemap.xml", site_map, name="site-map"),
    path("sitemap-<int:part>.xml", site_map_part, name="site-map-part"),
    path("spare.question", spare.question, name="spare-question"),
    path("site/kept/", privacy.privacy_of_site, name="kept"),
    path("<slug:event>/-/kept/", privacy.privacy_of_event, name="kept-of"),
    path("site/", site.site, name="site"),
    path("site/rights/", site.rights, name="site-rights"),
    path("site/time/", site.confirm_time, name="site-time"),
    path("site/login/", site.make_login, name="site-login"),
    path("site/spare/", spare.spare, name="spare"),
    path("site/spare/log/", spare.only_here_file, name="spare-log"),
    path("site/rating-lists/", rating_lists.rating_lists, name="rating-lists"),
    path("site/rating-lists/file/", rating_lists.take_file, name="rating-list-file"),
    path("site/rating-lists/part/", rating_lists.take_part, name="rating-list-part"),
    path("site/rating-lists/columns/", rating_lists.columns, name="rating-list-columns"),
    path("site/rating-lists/origin/", rating_lists.origin, name="rating-list-origin"),
    path("site/rating-lists/<int:listing>/", rating_lists.answer, name="rating-list-answer"),
    path("person/<token:person>/", persons_page, name="persons-page"),
    path("sign-up/", invitations.sign_up, name="sign-up"),
    path("invitation/<token:token>/", invitations.invitation, name="invitation"),
    path("invitation/<token:token>/login/", invitations.make_login_by_link, name="invitation-login"),
    path("invitation/<int:invitation>/answer/", invitations.answer_invitation, name="answer-invitation"),
]


pages = [*urls_public.first_pages, *site_pages, *urls_staff.urlpatterns, *urls_public.urlpatterns]

urlpatterns = [
    path("", home, name="home"),
    *login_pages,
    path("", include((pages, "tournaments"))),
]
