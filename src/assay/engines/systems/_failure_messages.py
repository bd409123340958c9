"""What a service refuses, or why it cannot be reached -> a message without secrets."""

import ssl
from dataclasses import dataclass

from assay.engines.systems._secret_mask import SecretMask
from assay.errors import InputError
from assay.http.attempts import is_lasting
from assay.http.connections import HttpReply

__all__ = ["FailureMessages"]

READ = 64 << 10  # bytes of a refusal that are looked at
FIRST = 2000  # letters of it, with their white space
SAID = 200  # letters of what a server says that a message shows
HINTS = {
    400: "check request and params against the message of the server",
    401: "check the API key in headers",
    403: "check the API key in headers and its permissions",
    404: "check url, and that the index exists",
    405: "check method",
    413: "the request is too large: send less in request",
    415: "check the Content-Type in headers",
    429: "lower concurrency, or raise the rate limit of the API key",
}


@dataclass(frozen=True, slots=True)
class FailureMessages:
    """Words what went wrong; ``show`` hides what of the environment a server repeats."""

    show: SecretMask
    timeout_s: float

    def refused(self, reply: HttpReply, attempts: int) -> InputError:
        """Word an answer that is no success."""
        if 300 <= reply.status < 400:
            place = self.show.text(reply.headers.get("location", "nowhere"), SAID)
            hint = "set url to that address; redirects are not followed, to protect API keys"
            return InputError(f"status {reply.status}: redirect to {place}", hint=hint)
        said = self.show.text(reply.content[:READ].decode(errors="replace"), FIRST)
        said = said[:SAID] or "no message"
        hint = HINTS.get(reply.status, "check the server log")
        return InputError(f"status {reply.status}{_often(attempts)}: {said}", hint=hint)

    def unreachable(self, error: Exception, attempts: int) -> InputError:
        """Word that no answer came."""
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        said = self.show.text(said, SAID)
        problem = f"cannot be reached ({said})"
        hint = "check that the server is running, then check url and the network"
        if isinstance(error, TimeoutError):
            problem = f"no response within {self.timeout_s:g} s"
            hint = "raise timeout_s, or lower concurrency"
        elif isinstance(error, ssl.SSLError) and is_lasting(error):
            problem = f"no secure connection ({said})"
            hint = "check that the server uses https, and that its certificate is trusted"
        elif not is_lasting(error):
            problem, hint = f"the connection was lost ({said})", "check the server log"
        return InputError(problem + _often(attempts), hint=hint)


def _often(attempts: int) -> str:
    return f" after {attempts} attempts" if attempts > 1 else ""
