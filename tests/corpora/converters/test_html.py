"""HTML: what a reader sees of it."""

import pytest

from assay.corpora.converters.html import html as converter

pytest.importorskip("selectolax")
NO_PAGE = ("utf-7", "utf-16", "unicode_escape", "idna", "punycode", "rot13", "zip", "cp037")


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
        ("<meta charset=iso-8859-1><p>“5 €”".encode("cp1252"), "“5 €”"),  # as browsers read it
        ("<meta charset=iso-8859-1><p>grün".encode(), "grün"),  # what is UTF-8 is UTF-8
        ("<meta charset=shift_jis><p>日本語の検索".encode("cp932"), "日本語の検索"),
        (b"<meta charset=shift_jis><p>\x93\xfa\x81 one bad byte", "日� one bad byte"),
        ("<meta charset=gb2312><p>搜索引擎".encode("gbk"), "搜索引擎"),
        ("<meta charset=iso-2022-jp><p>日本".encode("iso-2022-jp"), "日本"),
        *((f"<meta charset={name}><p>+ADw-b\\u0041".encode(), "+ADw-b\\u0041") for name in NO_PAGE),
    ],
)  # fmt: skip
def test_encodings(data, words):
    assert converter.recognises(data)
    assert text(data) == words


def test_what_is_no_text_is_not_recognised():
    assert not converter.recognises(b"<meta charset=shift_jis>\0")
    assert not converter.recognises(b"\x01\x02\x81 <p>")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("a<p hidden>b</p><p>c", "a\n\nc"),
        ("<p style='color: red; DISPLAY : none'>b</p>c", "c"),
        ("<p style='visibility:hidden'>b<b>c</b></p>d", "d"),
        ("<p hidden=until-found>found by the browser's own search", ...),
        ("<p style='--display:none-of-it'>seen", ...),
        ("<details><summary>more</summary>closed</details>", "more\n\nclosed"),
        ("<video>no video here</video><input list=x><datalist id=x><option>b</datalist>c", "c"),
    ],
)  # fmt: skip
def test_what_a_browser_does_not_show(body, words):
    assert text(body) == (body.partition(">")[2] if words is ... else words)


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


def test_what_a_page_says_of_itself_is_metadata():
    head = """<meta name="viewport" content="width=1">
        <meta name="Product" content=" badge ">
        <meta name="year" content="2023"><meta name="tag" content="a"><meta name="tag" content="b">
        <meta name="msapplication-TileColor" content="#fff"><meta name="robots" content="noindex">
        <meta name="Googlebot" content="all"><meta name="empty" content=""><meta charset="utf-8">"""
    found = converter.convert(f"<html><head>{head}</head><body>x</body></html>".encode())

    assert found.metadata == {"product": "badge", "year": "2023", "tag": ["a", "b"]}
