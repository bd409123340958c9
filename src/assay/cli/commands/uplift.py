"""``assay uplift``: the effect of coherence where the relevant documents are known."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import OUTPUT
from assay.cli.terminal.output import as_json, check_outputs, note, one_thread, write
from assay.cli.terminal.progress import progress
from assay.cli.terminal.size import paragraph_width
from assay.errors import UsageError
from assay.text.quote import quote_value
from assay.text.wrap import wrap_prose

if TYPE_CHECKING:
    from assay.records import Table, UpliftTrials

__all__ = ["uplift"]


class _Shares(click.ParamType[tuple[float, ...]]):
    """Numbers, separated by commas."""

    name = "shares"

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[float, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return tuple(float(part) for part in str(value).split(",") if part.strip())
        except ValueError:
            name = param.name if param else self.name
            hint = "expected numbers separated by commas, e.g. 0,0.5,1"
            problem = f"--{name}: invalid value {quote_value(str(value), 80)}"
            raise UsageError(problem, hint=hint) from None


@click.command("uplift", short_help="Show where coherence ranking helps, on synthetic vectors.")
@click.option(
    "--queries", type=int, default=200, show_default=True, help="Queries of each combination."
)
@click.option("--documents", type=int, default=500, show_default=True, help="Number of documents.")
@click.option("--dimension", type=int, default=64, show_default=True, help="Vector dimension.")
@click.option(
    "--clusters", type=int, default=100, show_default=True, help="Number of document clusters."
)
@click.option("-k", "k", type=int, default=10, show_default=True, help="Cutoff of the metrics.")
@click.option(
    "--candidates",
    type=int,
    default=400,
    show_default=True,
    help="Number of documents that are reranked.",
)
@click.option(
    "--noise",
    type=_Shares(),
    default="0,0.5,1,1.5,2",
    show_default=True,
    metavar="NUMBERS",
    help="Distances of queries from their noise-free vectors, as fractions of a vector's length.",
)
@click.option(
    "--spread",
    type=_Shares(),
    default="0.5,1,1.5",
    show_default=True,
    metavar="NUMBERS",
    help="Distances of documents from their cluster centres, as fractions of a vector's length.",
)
@click.option(
    "--relevant",
    type=int,
    default=3,
    show_default=True,
    help="Relevant documents per query: the N nearest to its noise-free vector; 0: its cluster.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Random seed.",
)
@click.option("--json", "json_", is_flag=True, help="Print JSON at full precision.")
@OUTPUT
def uplift(
    outputs: tuple[str, ...],
    *,
    json_: bool,
    relevant: int,
    **options: Any,  # noqa: ANN401
) -> None:
    """Rank synthetic clusters of vectors with and without coherence, for noisy queries.

    Compares cosine, coherence, coherence with MMR and two controls: the average of the neighbours,
    and coherence on a shuffled graph. Each noise is combined with each spread.
    """
    check_outputs(outputs)
    one_thread()
    from assay.reports.structure.trials import trials
    from assay.workflows.uplift import uplift as workflow

    made = workflow(relevant=relevant or None, track=progress, **options)
    write(
        outputs,
        lambda extension: _tables(made, extension),
        lambda: trials(made),
        show=lambda: _show(made),
    )
    for text in made.notes:
        note(text)
    if json_:
        click.echo(as_json(trials(made)))
    else:
        _show(made)


def _show(made: "UpliftTrials") -> None:
    """Show the grid; of a single cell also how its methods compare."""
    from assay.reports.structure.grid import grid
    from assay.reports.structure.lines import lines
    from assay.reports.structure.summary import summary
    from assay.reports.terminal import terminal

    width = paragraph_width()
    if len(made.trials) == 1:
        terminal(summary(made.trials[0].structure))
        click.echo()
        click.echo("\n".join(lines(made.trials[0].structure, width=width)))
        return
    terminal(grid(made))
    click.echo()
    click.echo("\n".join(wrap_prose(made.verdict, width)))


def _tables(made: "UpliftTrials", extension: str) -> "list[Table]":
    """Give values to programs, the grid to papers, and every cell to people."""
    from assay.reports.structure.figures import figures
    from assay.reports.structure.grid import grid
    from assay.reports.structure.methods import methods
    from assay.reports.structure.planted import planted
    from assay.reports.structure.values import values

    if extension in ("csv", "parquet"):
        return [values(made)]
    if extension == "tex":
        return [grid(made)]
    tables = [planted(made), grid(made)]
    for one in made.trials:
        caption = f"noise {one.noise:g}, spread {one.spread:g}"
        tables += [methods(one.structure, caption=caption), figures(one.structure, made.settings)]
    return tables
