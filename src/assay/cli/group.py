"""A group of commands: one file per command (or folder per group), imported when it is called."""

from importlib import import_module
from pathlib import Path

import click

from assay.errors import UsageError
from assay.text.quote import quote_line

__all__ = ["CommandGroup"]


class CommandGroup(click.Group):
    """Finds commands by file name, so that one command never pays for another's imports."""

    package: str
    """The package whose files and folders are the commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the files and folders of the package, without importing them."""
        here = Path(str(import_module(self.package).__file__)).parent
        files = {path.stem for path in here.glob("[!_]*.py")}
        return sorted(files | {path.parent.name for path in here.glob("[!_]*/__init__.py")})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the file behind a command; suggest the nearest name for a wrong one."""
        if cmd_name not in self.list_commands(ctx):
            from assay.text.near_miss import near_miss  # only a wrong name needs it

            close = near_miss(cmd_name, self.list_commands(ctx))
            hint = f'did you mean "{close}"?' if close else f"see `{ctx.command_path} --help`"
            if cmd_name in ("help", "version"):
                hint = f"use `{ctx.command_path} --{cmd_name}`"
            raise UsageError(f"unknown command {quote_line(cmd_name)}", hint=hint)
        module = import_module(f"{self.package}.{cmd_name}")
        command: click.Command = vars(module)[module.__all__[0]]
        return command
