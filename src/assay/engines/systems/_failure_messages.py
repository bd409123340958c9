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
    400: "check request and params against what the server says",
    401: "check the key in headers",
    403: "check the key in headers, and what it may do",
    404: "check url: is the index there?",
    405: "check method",
    413: "the request is too large",
    415: "check the Content-Type in headers",
    429: "lower concurrency, or raise the limit of the key",
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
            hint = "set url to where it leads: a key must not be carried elsewhere"
            return InputError(f"it answers {reply.status}, a redirection to {place}", hint=hint)
        said = self.show.text(reply.content[:READ].decode(errors="replace"), FIRST)
        said = said[:SAID] or "nothing more"
        hint = HINTS.get(reply.status, "see what the server says, and its log")
        return InputError(f"it answers {reply.status}{_often(attempts)}: {said}", hint=hint)

    def unreachable(self, error: Exception, attempts: int) -> InputError:
        """Word that no answer came."""
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        said = self.show.text(said, SAID)
        problem, hint = f"it cannot be reached ({said})", "is it running? check url and the network"
        if isinstance(error, TimeoutError):
            problem = f"no answer within {self.timeout_s:g} s"
            hint = "raise timeout_s, or lower concurrency"
        elif isinstance(error, ssl.SSLError) and is_lasting(error):
            problem = f"no secure connection ({said})"
            hint = "check that url is of https, and that the system trusts its certificate"
        elif not is_lasting(error):
            problem, hint = f"the connection broke off ({said})", "see the log of the server"
        return InputError(problem + _often(attempts), hint=hint)


def _often(attempts: int) -> str:
    return f", {attempts} times" if attempts > 1 else ""
