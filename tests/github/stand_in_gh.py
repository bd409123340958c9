"""A stand-in for the program gh: it keeps the comments of one pull request in a JSON file.

Filters are evaluated by the real jq. GH_STATE names the file, whose ``mode`` says how GitHub
answers: "ok", "read-only" (as to a fork) or "offline".
"""

import json
import os
import sys
from pathlib import Path

import jq

FORBIDDEN = "gh: Resource not accessible by integration (HTTP 403)"
OFFLINE = "error connecting to api.github.com\ncheck your internet connection"
VALUED = ("--jq", "--method", "-F")


def main():
    """Answer one call."""
    place = Path(os.environ["GH_STATE"])
    state = json.loads(place.read_text())
    options, (command, address) = _options(sys.argv[1:])
    assert command == "api"
    assert os.environ["GH_TOKEN"] == "a-token"
    method = options.get("--method", "GET")
    state["calls"].append(f"{method} {address}")
    code = _answer(state, method, address, options)
    place.write_text(json.dumps(state))
    return code


def _options(words):
    options, plain, rest = {}, [], iter(words)
    for word in rest:
        if word.startswith("-"):
            options[word] = next(rest) if word in VALUED else True
        else:
            plain.append(word)
    return options, plain


def _answer(state, method, address, options):
    if state["mode"] == "offline":
        return _fail(OFFLINE)
    if address == "user" or (state["mode"] == "read-only" and method != "GET"):
        return _fail(FORBIDDEN)
    if method == "GET":
        assert address == "repos/owner/help/issues/7/comments?per_page=100"
        for found in jq.compile(options["--jq"]).input(state["comments"]).all():
            sys.stdout.write(f"{found}\n")
        return 0
    _, _, name = options["-F"].partition("body=@")
    body = Path(name).read_text()
    if method == "POST":
        assert address == "repos/owner/help/issues/7/comments"
        bot = {"type": "Bot", "login": "github-actions[bot]"}
        state["comments"].append({"id": 100 + len(state["comments"]), "user": bot, "body": body})
        return 0
    _, _, number = address.partition("repos/owner/help/issues/comments/")
    (comment,) = [one for one in state["comments"] if one["id"] == int(number)]
    comment["body"] = body
    return 0


def _fail(message):
    sys.stderr.write(f"{message}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
