"""The base of all views: who asks, the check of rights, versions, pages of lists, and how an answer is made.

How often a program may ask is said in each answer (draft-ietf-httpapi-ratelimit-headers). A request that is sent twice
is done once (Idempotency-Key).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import ceil
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.urls import reverse
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, NotFound
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.pagination import CursorPagination
from rest_framework.parsers import JSONParser
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from base.consistent_read import consistent_read
from base.networks import address_of, counted, counted_before, network_in, network_of, seconds_left
from base.zones import use_zone
from tournaments.actions.ledger import Actor, transaction_or_busy
from tournaments.actions.programs import token_of
from tournaments.actions.waiting_on_devices import ask_about_waiting
from tournaments.models import AccessToken, Event, KeptAnswer, Scope, Section, User
from tournaments.models.entries import names_for_visitors
from tournaments.models.events import OwnBoards
from tournaments.queries.programs import change_mark_of, changed_since
from tournaments.questions import Answers
from tournaments.rights import Right
from web.recent_logins import RecentLogin, known, login_of_token

from .bodies import body_of, checked, checked_query
from .operations import Operation, operation_of
from .problems import Encoder, Problem, handle, invalid, mark_refused
from .subjects import Subject, allow, subject_of

# Who asks: the token in the header Authorization. Cookies count for nothing here, so no form of another site
# does.

LONGEST_TOKEN = 200


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer evb_...`"""

    def authenticate(self, request: Request) -> tuple[User, AccessToken] | None:
        kind, _space, text = request.headers.get("Authorization", "").partition(" ")
        text = text.strip()
        if kind.lower() != "bearer" or not text:
            return None
        token = token_of(text) if len(text) <= LONGEST_TOKEN else None
        if token is None:
            raise AuthenticationFailed(_("This token is unknown, or it has ended."))
        known.put(login_of_token(text), RecentLogin(token.made_by.pk, works=True))
        return token.made_by, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        return "Bearer"


# How often a program and a visitor may ask. Each answer says so (draft-ietf-httpapi-ratelimit-headers).


class RateLimit(SimpleRateThrottle):
    """Limits how often somebody asks in a minute of the clock, at all processes together, and says so in headers.

    asked: how often in this minute.
    """

    num_requests: int
    duration: int  # seconds
    asked = 0

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.key = self.get_cache_key(request, view)
        if self.key is None:
            return True
        self.asked = counted(self.key, self.duration)
        return self.asked <= self.num_requests

    def wait(self) -> float:
        return seconds_left(self.duration)

    def headers(self) -> dict[str, str]:
        """Return the limit, and what is left of it once it has counted a request."""
        policy = {"RateLimit-Policy": f'"{self.scope}";q={self.num_requests};w={self.duration}'}
        if getattr(self, "key", None) is None:
            return policy
        left = max(0, self.num_requests - self.asked)
        return {**policy, "RateLimit": f'"{self.scope}";r={left};t={ceil(self.wait())}'}


class TokenThrottle(RateLimit):
    """Limits the requests of one token, so that a program that runs wild does not hold up the hall."""

    scope = "token"
    rate = "600/min"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:  # noqa: ARG002
        token = request.auth
        return f"token_{token.pk}" if isinstance(token, AccessToken) else None


class ReaderThrottle(RateLimit):
    """Limits how many answers are made for one network per minute: enough for a hall, too few for a crawler.

    A finished answer costs no more than a page, so it does not count. A program with a whole /64 of addresses is one
    program.
    """

    scope = "reader"
    rate = "120/min"

    def get_cache_key(self, request: Request, view: APIView) -> str:  # noqa: ARG002
        return self._key_of(network_of(request))

    def _key_of(self, network: str) -> str:
        return self.cache_format % {"scope": self.scope, "ident": network}

    def uncounted(self, network: str) -> dict[str, str]:
        """Return the limit and what is left of it for an answer that does not count."""
        self.key = self._key_of(network)
        self.asked = counted_before(self.key, self.duration)
        return self.headers()


def what_is_left(environ: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the limit of a visitor's network, for an answer that was made for all."""
    return ReaderThrottle().uncounted(network_in(environ))


class Limited(APIView):
    """Names its limits in each answer."""

    def get_throttles(self) -> list[Any]:
        self.limits = super().get_throttles()
        return self.limits

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        found = super().finalize_response(request, response, *args, **kwargs)
        for limit in getattr(self, "limits", ()):
            for name, value in limit.headers().items():
                found.headers[name] = value
        return found


# A request that is sent twice is done once (Idempotency-Key).

HEADER = "Idempotency-Key"
LONGEST_KEY = 255
KEPT_HEADERS = ("ETag", "Location", "Content-Type")


def key_of(request: HttpRequest) -> str:
    """Return the key of a request. Raises Problem."""
    key = request.headers.get(HEADER, "")
    if not key:
        raise Problem(
            400,
            "idempotency_key_missing",
            _("Send the header Idempotency-Key with a new random text for each thing that you want done."),
        )
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise Problem(
            400, "idempotency_key_wrong", _("An Idempotency-Key has at most 255 printable characters.")
        )
    return key


def fingerprint_of(request: HttpRequest) -> str:
    parts = (request.method or "", request.get_full_path(), request.body.hex())
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def claim_key(token: AccessToken, key: str, fingerprint: str) -> KeptAnswer:
    """Return the row for the answer to this request, in the transaction of the action. It has a status if it was done.

    Where two requests with one key come at the same time, the second one waits for the end of the first.
    Raises Problem if the key was used for something else.
    """
    try:
        with transaction.atomic():
            return KeptAnswer.objects.create(token=token, key=key, fingerprint=fingerprint)
    except IntegrityError:
        kept = KeptAnswer.objects.get(token=token, key=key)
    if kept.fingerprint != fingerprint:
        raise Problem(
            422,
            "idempotency_key_used",
            _("This Idempotency-Key was used for another request. Take a new one for each thing."),
        )
    return kept


def keep_answer(kept: KeptAnswer, answer: HttpResponse) -> None:
    kept.status, kept.body = answer.status_code, answer.content.decode()
    kept.headers = {name: answer.headers[name] for name in KEPT_HEADERS if name in answer.headers}
    kept.save(update_fields=["status", "body", "headers"])


def kept_answer(kept: KeptAnswer) -> HttpResponse:
    """Return the answer that was given before."""
    headers = {**kept.headers, "Idempotency-Replayed": "true", "Cache-Control": "no-store"}
    return HttpResponse(kept.body, status=kept.status, headers=headers)


# The base of all views: the check of rights, versions, idempotency, pages of lists, and how an answer is
# made.

Method = Callable[[Any], Any]
MOST = 200
PLACE = re.compile(r"[0-9]{1,18}")
"""What lists are ordered by: keys, numbers of rounds, revisions."""


class CursorPages(CursorPagination):
    """Pages of a list by their last row, so that a new row moves none of them."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = MOST
    ordering = "pk"

    def decode_cursor(self, request: Request) -> Any:
        """Return where the page begins. Raises NotFound for a text that no answer has given."""
        cursor = super().decode_cursor(request)
        if cursor is not None and cursor.position is not None and not PLACE.fullmatch(str(cursor.position)):
            raise NotFound(self.invalid_cursor_message)
        return cursor

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """Return the rows of the page. Raises Problem for a cursor that no answer has given."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except NotFound as error:
            text = _("No answer has given this cursor. Read the list from its beginning.")
            raise invalid([{"parameter": "cursor", "code": "invalid", "detail": text}]) from error


class AnyAnswer(DefaultContentNegotiation):
    """Answers in the form of the description, whatever the header Accept asks for: a program that wants a file or a
    problem names the kind of these.
    """

    def select_renderer(
        self, _request: Request, renderers: Any, _format_suffix: str | None = None
    ) -> tuple[Any, str]:
        return renderers[0], renderers[0].media_type


class View(Limited):
    """subject: what the address is about. held: what the maker of the token may do there. boards: those
    whose results the maker enters, None for all. sent: the checked body.
    file: the body, if it is the bytes of a file. asked: the checked parameters of the address. answers: to questions,
    about this request.

    shape: of a row that a method returns. order: of the rows of a list. model: the name of what they are, for a list
    with a feed. put_off: what was asked for waits for somebody's decision.
    """

    authentication_classes = [TokenAuthentication]
    permission_classes = [AllowAny]  # check_permissions asks for more
    throttle_classes = [TokenThrottle]
    parser_classes = [JSONParser]
    renderer_classes = [JSONRenderer]
    content_negotiation_class = AnyAnswer
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    shape: type[BaseSerializer[Any]] | None = None
    order = "pk"
    model = ""
    put_off = False
    subject: Subject
    held: frozenset[Right]
    boards: OwnBoards = None
    sent: dict[str, Any]
    file: bytes
    asked: dict[str, Any]
    answers: Answers

    def find(self) -> Subject:
        """Return what the address is about. Raises Http404."""
        return subject_of(self.kwargs)

    def show(self, row: Any) -> Any:
        """Return a row as JSON values. Called with the names that the token may see."""
        assert self.shape is not None
        return self.shape(row).data

    def in_list(self, row: Any) -> Any:
        """Return a row of a list as JSON values."""
        return self.shown(row)

    def mark(self) -> str:
        """Return the moment at which the rows of the list are read, for operations with a feed."""
        return change_mark_of(self.section)

    def changed(self, since: str) -> set[int] | None:
        """Return the keys of rows that have changed since a mark, also of those that are gone; None if it is no mark
        of this list.
        """
        return changed_since(self.section, since, self.model)

    # What methods of views use ------------------------------------------------------------------------------

    @property
    def token(self) -> AccessToken:
        token = self.request.auth
        assert isinstance(token, AccessToken)
        return token

    @property
    def actor(self) -> Actor:
        """Return who acts, for the log: the maker of the token; the origin names the token too."""
        address = address_of(self.request)
        origin = f"{address} {self.token.prefix}…".strip()
        return Actor(user=self.token.made_by, origin=origin, boards=self.boards)

    @property
    def section(self) -> Section:
        assert self.subject.section is not None
        return self.subject.section

    @property
    def event(self) -> Event:
        assert self.subject.event is not None
        return self.subject.event

    @property
    def personal(self) -> bool:
        """Return whether the token may read personal data of players."""
        return Scope.ENTRIES_READ in self.token.scopes

    @property
    def enters(self) -> bool:
        """Return whether the maker of the token may see birth dates and notes: who may change entries."""
        return Right.ENTRIES in self.held

    @property
    def sees(self) -> bool:
        """Return whether the maker of the token sees the section with its drafts, not results or presence alone."""
        return Right.SEE in self.held

    def shown(self, row: Any) -> Any:
        """Return a row as JSON values, with initials for players who asked for them if the token may not see names."""
        with self.names():
            return self.show(row)

    def _values(self, found: Any) -> Any:
        """Return what a method returned as JSON values."""
        return self.shown(found) if isinstance(found, Model) else found

    def names(self) -> AbstractContextManager[None]:
        return nullcontext() if self.personal else names_for_visitors()

    def place_of(self, name: str, made: dict[str, Any]) -> str:
        """Return the address of what was made. name: of this kind of address."""
        return reverse(f"api:v1:{name}", args=[made["id"]])

    # How a request is answered ------------------------------------------------------------------------------

    def get_exception_handler(self) -> Any:
        return handle

    def perform_authentication(self, request: Request) -> None:
        """Note who asks, and refuse a program that runs wild before anything else is read for it."""
        super().perform_authentication(request)
        super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """Nothing: it is done before the check of rights."""

    def check_permissions(self, request: Request) -> None:
        operation = operation_of(self, request.method or "")
        if operation is None:
            return  # the method is not allowed, which is said later
        if not isinstance(request.auth, AccessToken):
            raise NotAuthenticated(_("Send a token in the header Authorization: Bearer <token>."))
        self.subject = self.find()
        found = allow(request.auth, operation, self.subject)
        self.held, self.boards = found.rights, found.boards
        if self.subject.event is not None:
            use_zone(self.subject.event.time_zone)

    def answered(self, operation: Operation, method: Method, request: Request) -> HttpResponse:
        """Answer a request that is allowed."""
        plain: HttpRequest = request._request  # noqa: SLF001 - the body as it was sent
        self.asked = checked_query(operation.query, request.query_params)
        if operation.raw:
            self.file = plain.body
            self.answers = self._answers(self.asked, hashlib.sha256(self.file).hexdigest())
        elif operation.query is not None:
            self.answers = self._answers(self.asked)
        if operation.writes:
            if not operation.raw:
                partial = request.method == "PATCH"
                self.sent = checked(operation.body, body_of(plain), partial=partial)
                if operation.body is not None:
                    self.answers = self._answers(self.sent)
            return self._written(operation, method, plain)
        with nullcontext() if operation.apart else consistent_read(), self.names():
            found = method(self)
            if not operation.files:
                found = self._page(found, feed=operation.feed) if operation.many else self._values(found)
        return self._not_modified(plain, file_answer(found) if operation.files else answer(found))

    def _answers(self, values: dict[str, Any], *beside: object) -> Answers:
        """Take the answers out of the values that were sent. They count for all other ones."""
        given = frozenset(values.pop("confirm", ()))
        return Answers([self.request.method, self.request.path, dict(values), *beside], given)

    def _written(self, operation: Operation, method: Method, request: HttpRequest) -> HttpResponse:
        """Do it in one transaction: the key of the request, the lock, the version, the action, the answer.

        A POST must have a key. Another change may have one too: it has a version.
        """
        key = key_of(request) if request.method == "POST" or HEADER in request.headers else ""
        if operation.matched and "If-Match" not in request.headers:
            raise Problem(
                428,
                "version_missing",
                _("Send the header If-Match with the ETag of what you want to change."),
            )
        with transaction_or_busy():
            kept = claim_key(self.token, key, fingerprint_of(request)) if key else None
            if kept is not None and kept.status:
                return kept_answer(kept)
            with self.locked():
                if operation.matched:
                    self._match(request)
                if operation.after_results:
                    ask_about_waiting(self.section, self.answers)
                done = method(self)
                shown = self._values(self.find().row if done is None and operation.answer else done)
                made = answer(shown, 202 if self.put_off else operation.status)
                if operation.made and not self.put_off:
                    made.headers["Location"] = self.request.build_absolute_uri(
                        self.place_of(operation.made, shown)
                    )
            if kept is not None:
                keep_answer(kept, made)
        return made

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the event and the section, in the order of all actions, and read the subject again."""
        if self.subject.event is not None:
            Event.objects.select_for_update(no_key=True).filter(pk=self.subject.event.pk).first()
            if self.subject.section is not None:
                Section.objects.select_for_update(of=("self",), no_key=True).filter(
                    pk=self.subject.section.pk
                ).first()
            self.subject = self.find()
        yield

    def _match(self, request: HttpRequest) -> None:
        """Raise Problem("stale") with the current state if the program has seen another version."""
        current = self.shown(self.subject.row)
        tag = tag_of(encoded(current))
        wanted = request.headers["If-Match"]
        if wanted.strip() != "*" and tag not in tags_in(wanted):
            stale = Problem(
                412,
                "stale",
                _(
                    "The data have changed since you read them. Nothing was done. The answer has the current data."
                ),
                current=json.loads(encoded(current)),
            )
            stale.headers["ETag"] = tag
            raise stale

    def _page(self, rows: Any, *, feed: bool) -> dict[str, Any]:
        """Return a page of the rows of a query, with the addresses of the pages beside it."""
        assert isinstance(rows, QuerySet)
        changes: dict[str, Any] = {}
        if (
            feed and "changed_since" in self.asked
        ):  # a mark is in no other answer: it changes more often than rows
            rows, changes = self._changes(rows)
        pages = CursorPages()
        pages.ordering = self.order
        page: list[Any] = pages.paginate_queryset(rows, self.request, view=self) or []
        count = {"count": rows.order_by().count()} if self.asked.get("count") else {}
        return {
            **count,
            **changes,
            "next": pages.get_next_link(),
            "previous": pages.get_previous_link(),
            "results": [self.in_list(row) for row in page],
        }

    def _changes(self, rows: QuerySet[Any]) -> tuple[QuerySet[Any], dict[str, Any]]:
        """Return the rows that have changed since the mark that was asked for, and on the first page which are gone.

        A row is gone if it was deleted, or if it no longer is what the other parameters ask for.
        """
        mark, since = self.mark(), self.asked["changed_since"]
        if not since:
            return rows, {"mark": mark, "gone": []}
        changed = self.changed(since)
        if changed is None:
            raise mark_refused(since)
        rows = rows.filter(pk__in=changed)
        gone = [] if "cursor" in self.asked else sorted(changed.difference(rows.values_list("pk", flat=True)))
        return rows, {"mark": mark, "gone": gone}

    def _not_modified(self, request: HttpRequest, found: HttpResponse) -> HttpResponse:
        if found.headers.get("ETag") not in tags_in(request.headers.get("If-None-Match", "")):
            return found
        return HttpResponseNotModified(headers={"ETag": found.headers["ETag"], "Cache-Control": PRIVATE})


PRIVATE = "private, no-cache"


def encoded(found: Any) -> str:
    return json.dumps(found, cls=Encoder, ensure_ascii=False)


def tag_of(shown: str | bytes) -> str:
    """Return the version of what an answer shows."""
    content = shown.encode() if isinstance(shown, str) else shown
    return f'"{hashlib.sha256(content).hexdigest()[:24]}"'


def tags_in(header: str) -> list[str]:
    """Return the versions in a header. A version that was sent compressed is marked as weak, and counts the same."""
    return [tag.removeprefix("W/") for tag in parse_etags(header)]


def answer(found: Any, status: int = 200) -> HttpResponse:
    """Return JSON values with their version; an empty answer for None."""
    if found is None:
        return HttpResponse(status=204, headers={"Cache-Control": PRIVATE})
    text = encoded(found)
    headers = {"ETag": tag_of(text), "Cache-Control": PRIVATE}
    return HttpResponse(text, status=status, content_type="application/json", headers=headers)


def file_answer(file: HttpResponse) -> HttpResponse:
    """Return a file with its version, if it is not so large that it is sent from the disk."""
    file.headers["Cache-Control"] = PRIVATE
    if not file.streaming:
        file.headers["ETag"] = tag_of(file.content)
    return file
