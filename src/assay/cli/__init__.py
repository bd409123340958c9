"""The command line: one file per command, imported when it is called."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

import assay
from assay.errors import AssayError

__all__ = ["commands", "run"]


class _Commands(click.Group):
    """Finds commands by file name, so that one command never pays for another's imports."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the files of this folder, without importing them."""
        return sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the file behind a command; suggest the nearest name for a wrong one."""
        if cmd_name not in self.list_commands(ctx):
            import difflib  # only a wrong name needs it

            close = difflib.get_close_matches(cmd_name, self.list_commands(ctx), n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            ctx.fail(f"No such command {cmd_name!r}.{hint}")
        module = import_module(f"assay.cli.{cmd_name}")
        command: click.Command = vars(module)[module.__all__[0]]
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(assay.__version__, prog_name="assay")
def commands() -> None:
    """Which search configuration to ship, and how sure you can be."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; what a user did wrong gets one message."""
    try:
        result = commands.main([*arguments], prog_name="assay", standalone_mode=False)
    except AssayError as error:
        click.echo(f"error: {error}", err=True)
        return 2
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:
        # The reader (e.g. head) has seen enough; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return result if isinstance(result, int) else 0
