"""``assay dataset make``: a dataset whose truth is known, from a seed or from one's own code."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.terminal.output import as_json, note
from assay.cli.terminal.progress import progress
from assay.errors import UsageError
from assay.text import sanitize
from assay.text.count_noun import count_noun
from assay.text.near_miss import near_miss
from assay.text.quote import quote_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.datasets.family_settings import FamilySetting
    from assay.records import GeneratedDataset

__all__ = ["make"]


class _Families(click.Group):
    """Offers each family as a command, with the family's settings as its options."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the families by the names that people type."""
        from assay import catalogue
        from assay.datasets import families

        return [name.replace("_", "-") for name in catalogue.names(families)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make the command of a family from its signature."""
        names = self.list_commands(ctx)
        name = cmd_name.replace("_", "-")
        if name not in names:
            close = near_miss(name, names)
            hint = f'did you mean "{close}"?' if close else f"available: {', '.join(names)}"
            raise UsageError(f"unknown family {quote_line(cmd_name)}", hint=hint)
        return _command(name)


@click.command(
    "make",
    cls=_Families,
    short_help="Generate a dataset with known relevant documents.",
    subcommand_metavar="FAMILY [SETTINGS]",
)
def make() -> None:
    """Generate a dataset of a FAMILY; its relevant documents are known by construction.

    Most families generate their own documents; repoeval and git-history use your code. The same
    seed generates the same dataset. `assay dataset make FAMILY --help` shows the settings.
    """


def _command(name: str) -> click.Command:
    import inspect

    from assay import catalogue
    from assay.datasets import families
    from assay.datasets.family_settings import family_settings

    family: Callable[..., GeneratedDataset] = catalogue.find(families, name.replace("-", "_"))  # type: ignore[assignment]
    options: list[click.Parameter] = [
        click.Option(["-o", "--output"], required=True, metavar="FOLDER", help="Folder to write.")
    ]
    if "code" in inspect.signature(family).parameters:
        what = "Code: a folder or git:REPOSITORY@REVISION."
        options.append(click.Option(["--corpus"], required=True, metavar="CORPUS", help=what))
    options += [_option(setting) for setting in family_settings(family).values()]
    options += [
        click.Option(["--force"], is_flag=True, help="Write to a folder that is not empty."),
        click.Option(["--json", "json_"], is_flag=True, help="Print JSON."),
    ]
    text = inspect.getdoc(family) or ""

    def run(**given: Any) -> None:  # noqa: ANN401
        _make(name, **given)

    return click.Command(name, callback=run, params=options, help=text, short_help=_first(text))


def _first(text: str) -> str:
    return text.partition("\n")[0]


def _option(setting: "FamilySetting") -> click.Option:
    kind = click.Choice(setting.choices) if setting.choices else setting.type
    several = setting.type is tuple
    return click.Option(
        [f"--{setting.name.replace('_', '-')}"],
        type=str if several else kind,
        multiple=several,
        default=() if several else setting.default,
        show_default=not several,
        metavar="PATTERN" if several else None if setting.choices else "NUMBER",
        help=setting.meaning,
    )


def _make(name: str, *, output: str, force: bool, json_: bool, **given: Any) -> None:  # noqa: ANN401
    from assay.workflows.make import make as workflow

    made = workflow(name, output, force=force, track=progress, **given)
    click.echo(as_json(_value(made, output)) if json_ else sanitize(_sentence(made, output)))
    asked, found = given["queries"], len(made.dataset.queries)
    if found < asked:
        note(f"made {count_noun(found, 'query')} of {asked:,} requested: no more can be generated")
    if made.left_out:
        from assay.datasets.describe_left_out import describe_left_out

        note(f"ignored: {describe_left_out(made.left_out)}")
    click.echo(sanitize(f"next: assay dataset audit {_reading(made, output)}"), err=True)


def _reading(made: "GeneratedDataset", output: str) -> str:
    """Write how to read the dataset: its folder, and the limits that it needs raised."""
    import shlex
    from pathlib import Path

    from assay.datasets.limits import Limits

    path, usual = Path(output) / "dataset.json", Limits()
    sizes = {
        "--max-bytes": (path.stat().st_size, usual.size_bytes),
        "--max-queries": (len(made.dataset.queries), usual.queries),
        "--max-judgments": (max(len(q.judgments) for q in made.dataset.queries), usual.judgments),
    }
    raised = (f" {option} {size}" for option, (size, most) in sizes.items() if size > most)
    return shlex.quote(output) + "".join(raised)


def _value(made: "GeneratedDataset", output: str) -> dict[str, Any]:
    return {
        "path": output,
        "name": made.dataset.name,
        "queries": len(made.dataset.queries),
        "documents": made.documents,
        "judgments": sum(len(query.judgments) for query in made.dataset.queries),
        "grades": _grades(made),
        "left_out": dict(made.left_out),
    }


def _grades(made: "GeneratedDataset") -> dict[int, int]:
    from collections import Counter

    judgments = (judgment for query in made.dataset.queries for judgment in query.judgments)
    return dict(sorted(Counter(judgment.grade for judgment in judgments).items(), reverse=True))


def _sentence(made: "GeneratedDataset", output: str) -> str:
    grades = _grades(made)
    shares = ", ".join(f"{number:,} of grade {grade}" for grade, number in grades.items())
    asked = count_noun(len(made.dataset.queries), "query")
    over = count_noun(made.documents, "document")
    return (
        f"{output}: {asked} over {over}, {count_noun(sum(grades.values()), 'judgment')} ({shares})"
    )
