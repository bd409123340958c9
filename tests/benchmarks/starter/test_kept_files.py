"""Documents, datasets and copies: a file that a reference names is always a document."""

from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.starter.kept_files import keep_files
from assay.benchmarks.starter.project_files import ProjectFile
from assay.benchmarks.starter.reference_paths import ReferencePaths, reference_paths
from assay.records import Dataset, Judgment, Query, Reference


def files(*paths):
    return [ProjectFile(path, "page") for path in paths]


def paths(kept):
    return [one.path for one in kept.files]


def references(*named, among):
    judgments = tuple(Judgment(Reference.named(one), 1) for one in named)
    return reference_paths(Dataset("d", (Query("q", "what?", judgments),)), among)


def test_without_references_all_that_is_likely_is_left_out():
    listed = files("a.md", "a copy.md", "q.json", "assay.yaml")
    kept = keep_files(listed, ReferencePaths(), hidden=["assay.yaml"], likely=["q.json"])
    assert paths(kept) == ["a.md"]
    assert (kept.hidden, kept.copies) == (("assay.yaml", "q.json"), ("a copy.md",))


def test_what_a_reference_names_is_kept_unless_something_else_fits_it():
    names = ["pages/a.md", "pages.bak/a.md", "pages.bak/b.md", "pages/b.md", "pages/b-old.md"]
    listed = files(*names)
    assert paths(keep_files(listed, references("a.md", "b.md", among=names))) == [
        "pages/a.md",
        "pages/b.md",
    ]
    kept = keep_files(listed, references("b-old.md", among=names))
    assert paths(kept) == ["pages/a.md", "pages/b.md", "pages/b-old.md"]
    assert paths(keep_files(listed, references("pages.bak/a.md", among=names)))[1:3] == [
        "pages.bak/a.md",
        "pages.bak/b.md",
    ]


def test_a_part_of_a_name_and_a_name_without_its_ending():
    names = ["plan.md", "plan-old.md"]
    part = Judgment(Reference(path="plan-o", match="substring"), 1)
    led = reference_paths(Dataset("d", (Query("q", "what?", (part,)),)), names)
    assert paths(keep_files(files(*names), led)) == names
    assert paths(keep_files(files(*names), references("plan-old", among=names))) == names


def test_the_dataset_itself_stays_hidden():
    names = ["a.json", "q.json"]
    kept = keep_files(files(*names), references("q.json", among=names), hidden=["q.json"])
    assert paths(kept) == ["a.json"]


def test_what_is_among_named_documents_is_one_unless_its_name_is_telling():
    names = ["kb/a.json", "kb/b.json", "kb/questions.json", "other/b.json"]
    likely = names[1:]
    kept = keep_files(files(*names), references("kb/a.json", among=names), likely=likely)
    assert paths(kept) == ["kb/a.json", "kb/b.json"]
    names = ["kb/faq-1.json", "kb/faq-2.json"]
    kept = keep_files(files(*names), references("faq-1.json", among=names), likely=names)
    assert paths(kept) == names


@given(st.data())
def test_every_reference_leads_to_a_kept_file_if_it_led_to_any(data):
    name = st.sampled_from(["a", "a-old", "b", "b copy", "questions", "faq"])
    folder = st.sampled_from(["", "kb/", "kb.bak/", "old/"])
    path = st.builds(lambda one, other: f"{one}{other}.md", folder, name)
    listed = data.draw(st.lists(path, unique=True, max_size=12))
    likely = data.draw(st.lists(st.sampled_from(listed), unique=True)) if listed else []
    named = data.draw(st.lists(path, max_size=4))
    before = references(*named, among=listed)
    kept = keep_files(files(*listed), before, likely=likely)
    after = references(*named, among=paths(kept))
    assert [bool(one) for one in after.files] == [bool(one) for one in before.files]
