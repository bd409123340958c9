"""What Vega drew -> a picture for a page."""

from xml.etree import ElementTree

from assay.reports.charts.draw import finished

DRAWN = (
    '<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="20" height="10" '
    'viewBox="0 0 20 10"><defs><clipPath id="clip0"><rect x="0"/></clipPath></defs>'
    '<g class="mark-symbol" role="graphics-object" aria-roledescription="symbol mark container">'
    '<path aria-label="⟦2⟧a &lt;b&gt; &quot;c&quot;" role="graphics-symbol" '
    'aria-roledescription="point" d="M0,0" clip-path="url(#clip0)"/></g>'
    '<g role="graphics-symbol" aria-label="X-axis titled \'x\'"><path d="M1,1"/></g></svg>'
)


def drawn(**options):
    return finished(DRAWN, **{"title": "t & u", "tells": "d", "alone": True, **options})


def test_a_mark_that_stands_alone_has_a_title_and_its_run():
    assert '<path data-run="2" d="M0,0" clip-path="url(#' in drawn()
    assert '<title>a &lt;b&gt; "c"</title></path>' in drawn()


def test_a_mark_on_a_page_has_a_label_that_a_script_reads():
    told = drawn(alone=False)
    label = 'role="graphics-symbol" aria-label="a &lt;b&gt; &quot;c&quot;"'
    assert f'<path data-run="2" {label} d="M0,0"' in told
    assert told.count("aria-label=") == 1  # an axis tells nothing that is not written on it


TWICE = (
    '<svg width="20" height="10"><g><text transform="translate(1,2)" fill="white" stroke="white" '
    'stroke-width="4">bm25</text></g><g><text transform="translate(1,2)" fill="black">bm25</text>'
    '<text transform="translate(3,4)" fill="black">bm25</text>'
    '<text><tspan>it covers</tspan><tspan x="0" dy="9">quality</tspan></text></g></svg>'
)


def test_a_text_is_there_once_and_has_its_halo_itself():
    root = ElementTree.fromstring(finished(TWICE, title="t", tells="d", alone=False))
    first, other, _ = root.iter("{http://www.w3.org/2000/svg}text")
    assert (first.text, first.get("fill")) == ("bm25", "black")
    assert (first.get("stroke"), first.get("stroke-width")) == ("white", "4")
    assert first.get("paint-order") == "stroke"
    assert other.get("stroke") is None


def test_lines_and_texts_are_apart_for_those_who_read_or_copy_them():
    root = ElementTree.fromstring(finished(TWICE, title="t", tells="d", alone=False))
    assert " ".join("".join(root.itertext()).split()) == "t d bm25 bm25 it covers quality"


def test_ids_are_the_pictures_own():
    root = ElementTree.fromstring(drawn())
    (clip,) = root.iter("{http://www.w3.org/2000/svg}clipPath")
    assert clip.get("id") != "clip0"
    assert f"url(#{clip.get('id')})" in drawn()
    other = finished(DRAWN.replace("M0,0", "M9,9"), title="t", tells="d", alone=True)
    assert clip.get("id") not in other


def test_numbers_that_vega_counted_on_do_not_matter():
    later = DRAWN.replace("clip0", "clip7")
    assert drawn() == finished(later, title="t & u", tells="d", alone=True)
