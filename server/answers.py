"""Write answers so that the next answer on the same connection begins where a client expects it."""

from __future__ import annotations

from typing import Any

from waitress.task import ErrorTask, Task, WSGITask


class EndsInTime(Task):
    """A task whose answer to HEAD has the header of GET and no body.

    Waitress sends the body of every answer and the end mark of a chunked one. The client of HEAD reads neither. It
    would take them for the beginning of the next answer, and so would a proxy that shares the connection.
    """

    @property
    def is_head(self) -> bool:
        asked = self.channel.requests[:1] or [
            self.request
        ]  # waitress answers a failure with a request of its own
        line: bytes = getattr(asked[0], "first_line", b"")
        return line.startswith(b"HEAD ")

    def build_response_header(self) -> bytes:
        header: bytes = super().build_response_header()
        if self.is_head:
            self.chunked_response = False  # said in the header as for GET, but there are no chunks
        return header

    def write(self, data: bytes) -> None:
        super().write(b"" if self.is_head else data)


class Answer(EndsInTime, WSGITask):
    """The answer of the application. moved: nothing is sent now, because the request goes on in another task."""

    moved = False

    def move(self) -> None:
        """Let the request go on in the task that makes pages.

        After this, waitress takes the first request away and gives the next one to the lanes: the same one again.
        """
        self.moved = self.request.moves = True
        with self.channel.requests_lock:
            self.channel.requests.insert(0, self.request)

    def finish(self) -> None:
        if not self.moved:
            super().finish()

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ["evenboard.task"] = self.request.task
        environ["evenboard.move"] = self.move if self.request.may_move else None
        environ["evenboard.came"] = self.request.came
        if self.is_head:
            environ.pop("wsgi.file_wrapper", None)  # waitress sends a wrapped file without calling write()
        return environ

    def set_close_on_finish(self) -> None:
        """Keep the connection if the client can tell where the answer ends: after its header, or after its last chunk.

        Waitress closes it if there is no length. Then each of the phones that poll would connect again after every 304.
        """
        may_stay = self.version == "1.1" and self.request.headers.get("CONNECTION", "").lower() != "close"
        if not (may_stay and (self.is_head or not self.has_body or self.chunked_response)):
            super().set_close_on_finish()


class RefusedRequest(EndsInTime, ErrorTask):
    """The answer of waitress to a request that it cannot read, or that failed. The connection is closed after it."""
