"""A picture for a page: with words for those who do not see it, and with names of its own."""

import hashlib
import re
from html import escape, unescape

__all__ = ["finished"]

ROOT = re.compile(r"<svg [^>]*>")
SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')
ROLE = re.compile(r' (?:role|aria-roledescription|aria-hidden|pointer-events)="[^"]*"')
MARK = re.compile(r"<(path|line|text|rect|g)((?: [^<>]*?)?) aria-label=\"([^\"]*)\"([^<>]*?)(/?)>")
EMPTY = re.compile(r'<path class="(?:background|foreground)"[^>]*?/>')
NAMED = re.compile(r'(?:\bid="|url\(#)([^")]+)')
RUN = re.compile(r"^⟦(\d+)⟧")
AXIS = re.compile(r"^[XY]-axis ")


def finished(drawn: str, *, title: str, tells: str) -> str:
    """Return what Vega drew as one image with a title: each mark tells what it is when pointed at.

    The number of a mark's run is in ``data-run``. Ids begin with a name of the picture itself, so
    that several can stand in one page.
    """
    own = "c" + hashlib.sha256(drawn.encode()).hexdigest()[:10]
    body = ROOT.sub("", drawn, count=1).removesuffix("</svg>")
    body = MARK.sub(_told, ROLE.sub("", _bare(body)))
    size = SIZE.search(drawn)
    width, height = size.groups() if size else ("680", "400")
    words = f'<title id="{own}-t">{escape(title)}</title><desc id="{own}-d">{escape(tells)}</desc>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'class="chart" role="img" aria-labelledby="{own}-t {own}-d" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"{words}{_owned(body, own)}</svg>"
    )


def _bare(body: str) -> str:
    """Take out what is never seen: backgrounds of groups that have none."""
    return EMPTY.sub(lambda one: one[0] if " fill=" in one[0] or " stroke=" in one[0] else "", body)


def _told(mark: re.Match[str]) -> str:
    """Turn the label of a mark into its title, which browsers show, and the number of its run."""
    tag, before, label, after, closed = mark.groups()
    words = unescape(label)
    if AXIS.match(words) or (tag == "g" and not RUN.match(words)):
        return f"<{tag}{before}{after}{closed}>"
    run = RUN.match(words)
    number = f' data-run="{run[1]}"' if run else ""
    title = f"<title>{escape(RUN.sub('', words), quote=False)}</title>"
    end = f"</{tag}>" if closed else ""
    return f"<{tag}{before}{number}{after}>{title}{end}"


def _owned(body: str, own: str) -> str:
    """Give each id the name of the picture, and a number in the order in which they come."""
    found = {name: f"{own}-{at}" for at, name in enumerate(dict.fromkeys(NAMED.findall(body)))}
    return NAMED.sub(lambda one: one[0].replace(one[1], found[one[1]]), body)
