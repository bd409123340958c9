"""ASSAY_MODEL and EMBEDDING_MODEL stand for --model where it is not given."""

import json

import click
import pytest
from click.testing import CliRunner

from assay.cli import start
from assay.cli.environment_model import MODEL_VARIABLES, model_from_environment
from assay.errors import InputError, ProblemsError


@pytest.fixture(autouse=True)
def _unset(monkeypatch):
    for name in MODEL_VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("Reset a password in the settings.\n")
    return "docs"


@pytest.mark.parametrize(
    ("environment", "options", "model"),
    [
        ({}, [], None),
        ({"ASSAY_MODEL": "static"}, [], "static"),
        ({"EMBEDDING_MODEL": "static"}, [], "static"),
        ({"ASSAY_MODEL": "static", "EMBEDDING_MODEL": "minilm"}, [], "static"),
        ({"ASSAY_MODEL": "", "EMBEDDING_MODEL": "minilm"}, [], "minilm"),
        ({"ASSAY_MODEL": "static"}, ["--model", "minilm"], "minilm"),
        ({"ASSAY_MODEL": "static"}, ["--search", "lexical"], None),
        ({"ASSAY_MODEL": "static"}, ["--search", "lexical", "--model", "minilm"], "minilm"),
        ({"ASSAY_MODEL": "static"}, ["bench.yaml"], None),
        ({"ASSAY_MODEL": "static"}, ["bench.yaml", "--model", "minilm"], "minilm"),
    ],
    ids=str,
)
def test_which_model_a_command_gets(environment, options, model):
    assert received(environment, options) == model


def test_a_note_says_where_the_model_comes_from(capsys):
    received({"EMBEDDING_MODEL": "static"}, [], noted=True)
    assert "EMBEDDING_MODEL" in capsys.readouterr().err
    received({"EMBEDDING_MODEL": "static"}, ["bench.yaml"], noted=True)
    received({}, [], noted=True)
    assert not capsys.readouterr().err


def received(environment, options, *, noted=False):
    got = []

    @click.command()
    @click.argument("file", required=False)
    @click.option("--model", envvar=MODEL_VARIABLES)
    @click.option("--search")
    @model_from_environment(unless=("file",), noted=noted)
    def command(file, model, search):
        got.append(model)

    runner = CliRunner()
    if noted:  # the streams of the test, to be captured
        with pytest.MonkeyPatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            command.main(options, standalone_mode=False)
    else:
        result = runner.invoke(command, options, env=environment, catch_exceptions=False)
        assert result.exit_code == 0
    return got[0]


@pytest.mark.parametrize(
    ("where", "named"),
    [
        ("model", "environment variable ASSAY_MODEL"),
        ("--model", "environment variable ASSAY_MODEL"),
        ("http://localhost:1/api", "environment variable ASSAY_MODEL, http://localhost:1/api"),
        ("ollama:tiny", "environment variable ASSAY_MODEL, ollama:tiny"),
        ('x, configuration "ollama:tiny"', 'x, configuration "ollama:tiny"'),
        ("docs", None),
        ("model_docs", None),
        ("ollama:tiny-docs", None),
        ("", None),
    ],
)
def test_an_error_about_the_model_names_the_variable(where, named):
    one = refusal(InputError("is wrong", where=where, hint="do this"))
    assert (one.problem, one.hint) == ("is wrong", "do this")
    assert (one.where == where) == (named is None)
    assert one.where.endswith(named or where)

    several = [InputError("a", where="chunk_size"), InputError("b", where=where)]
    found = refusal(ProblemsError(several, where="configuration"))
    assert [problem.where for problem in found.problems] == ["chunk_size", one.where]


def test_an_empty_name_is_no_model():
    assert refusal(InputError("a", where="dataset"), "minilm,").where == "dataset"


@pytest.mark.parametrize("where", ['x, configuration "static"', "models/tiny/model.onnx"])
def test_each_of_several_models_is_recognised(where):
    assert "ASSAY_MODEL" in refusal(InputError("a", where=where), "static, onnx:models/tiny").where


def refusal(error, model="ollama:tiny"):
    @click.command()
    @click.option("--model", envvar=MODEL_VARIABLES)
    @model_from_environment()
    def command(model):
        raise error

    with pytest.raises(InputError) as caught:
        CliRunner().invoke(command, [], env={"ASSAY_MODEL": model}, catch_exceptions=False)
    return caught.value


@pytest.mark.parametrize("command", [["search", "docs", "password"], ["index", "docs"]])
def test_a_model_that_is_not_usable_is_reported_with_its_variable(
    corpus, command, monkeypatch, capsys
):
    monkeypatch.setenv("EMBEDDING_MODEL", "nomic-embed-text")
    assert start(command) == 2
    error = capsys.readouterr().err
    assert "EMBEDDING_MODEL" in error
    assert "ollama:nomic-embed-text" in error


def test_a_search_uses_it(corpus, monkeypatch, capsys):
    monkeypatch.setenv("ASSAY_MODEL", "no-such-model")
    assert start(["search", corpus, "password", "--search", "lexical", "--json"]) == 0
    assert start(["search", corpus, "password", "--model", "static", "--json"]) == 0
    capsys.readouterr()
    monkeypatch.setenv("ASSAY_MODEL", "static")
    assert start(["search", corpus, "password", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "dense" in found["hits"][0]["stages"]
    assert start(["index", corpus, "--model", "static", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["embedded"] == 0  # it is the index of that search
