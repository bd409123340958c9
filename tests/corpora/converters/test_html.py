"""HTML: what a reader sees of it."""

import pytest

from assay.corpora.converters.html import html as converter

pytest.importorskip("selectolax")


def text(body, **more):
    (page,) = converter.convert(body.encode(**more) if isinstance(body, str) else body).pages
    return page


def test_by_hand():
    found = converter.convert(
        b"""<!DOCTYPE html><html lang="de-CH"><head><title> Pumpe &amp;
        Rotor </title><meta name="Author" content="Ada"><style>p {}</style></head><body>
        <nav><a href="/">Start</a></nav><script>alert("<p>no</p>")</script>
        <h2>Die   <em>Pumpe</em></h2><p>Ein <b>fetter</b> Text mit&nbsp;&uuml; und
        &lt;Zeichen&gt;<br> neue Zeile</p><ul><li>eins<li><p>zwei</p><ul><li>innen</ul></ul>
        <table><tr><th>Teil<th>Nm</tr><tr><td>Ventil<td>12<br>bis 14</tr></table>
        <pre>def f():\n    return  1</pre><div>a<div>b</div>c</div><img src=x alt="ein Bild">
        <!-- nichts --><noscript>JavaScript!</noscript></body></html>"""
    )
    assert found.pages == [
        "## Die Pumpe\n\nEin fetter Text mit ü und <Zeichen>\nneue Zeile\n\n"
        "- eins\n- zwei\n  - innen\n\n| Teil | Nm |\n| Ventil | 12 bis 14 |\n\n"
        "```\ndef f():\n    return  1\n```\n\na\n\nb\n\nc\n\nein Bild"
    ]
    assert found.title == "Pumpe & Rotor"
    assert found.metadata == {"language": "de-ch", "author": "Ada"}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("<p>grün".encode(), "grün"),
        ("<p>grün".encode("cp1252"), "grün"),
        ("<p>grün".encode("utf-16"), "grün"),
        ("<meta charset=iso-8859-2><p>łódź".encode("iso-8859-2"), "łódź"),
        ('<meta http-equiv=x content="text/html; charset=koi8-r"><p>мир'.encode("koi8-r"), "мир"),
        ("<meta charset=unknown-9><p>grün".encode(), "grün"),
        ("<meta charset=utf-8><p>gr\xfcn".encode("cp1252"), "grün"),
    ],
)  # fmt: skip
def test_encodings(data, words):
    assert text(data) == words


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", ""),
        ("no tags at all", "no tags at all"),
        ("<p>a<p>b", "a\n\nb"),
        ("a < b & c", "a < b & c"),
        ("<title>T</title>x", "x"),
        ("<table><tr><td>a<table><tr><td>b</table></table>", "| | a b | |"),
        ("<li>alone", "- alone"),
        ("<td>cell without a table", "cell without a table"),
        ("<pre>a\n\n\n\nb</pre>", "```\na\n\nb\n```"),
        ("{% block x %}<h1>{{ y }}</h1>{% end %}", "{% block x %}\n\n# {{ y }}\n\n{% end %}"),
        ("<h1></h1><p>x<ul><li></ul><p>y", "x\n\ny"),
    ],
)  # fmt: skip
def test_pages_that_are_not_as_they_should_be(body, words):
    assert text(body) == words
