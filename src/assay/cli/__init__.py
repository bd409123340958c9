"""The command line: one file per command, imported when it is called."""

import errno
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

import assay
from assay.cli.group import CommandGroup
from assay.cli.terminal.output import wrap
from assay.cli.terminal.progress import clear
from assay.errors import AssayError
from assay.text import Screen, truncate
from assay.text.near_miss import near_miss
from assay.text.quote import quote_line

__all__ = ["command_line", "start"]


class _Commands(CommandGroup):
    package = "assay.cli.commands"


@click.group("assay", cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(assay.__version__, prog_name="assay")
def command_line() -> None:
    """Which search configuration to ship, and how sure you can be."""


def start(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; what a user did wrong gets one message.

    Whatever it prints, or a library does, goes through a screen: no data controls the terminal.
    """
    _open_output()
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(Screen.before, before)
    try:
        return _answer(arguments)
    finally:
        sys.stdout, sys.stderr = before


def _answer(arguments: Sequence[str]) -> int:
    try:
        code = _invoke_and_clear(arguments)
        sys.stdout.flush()
    except AssayError as error:
        return _fail(f"error: {error}")
    except click.ClickException as error:
        return _refuse(error)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return 130
    except BrokenPipeError:  # the reader, e.g. head, has seen enough
        _discard_output()
        return 141
    except ImportError as error:
        if not re.search(r"map segment|allocate memory|Too many open files", str(error)):
            raise
        lack = OSError(errno.EMFILE, str(error)) if "files" in str(error) else MemoryError()
        return _fail(f"error: {_of_machine(lack)}")
    except (OSError, MemoryError) as error:
        return _fail(f"error: {_of_machine(error)}")
    return code


def _of_machine(error: OSError | MemoryError) -> AssayError:
    """Say what the machine lacks; an error without the name of a file is of the output."""
    if isinstance(error, MemoryError):
        hint = "free some memory or reduce the work: --sample, a smaller corpus, --parallel 1"
        return AssayError("not enough memory", hint=hint)
    if error.errno in (errno.EMFILE, errno.ENFILE):
        hint = "raise the limit, e.g. `ulimit -n 4096`, and try again"
        return AssayError(f"too many open files ({error.strerror})", hint=hint)
    if error.filename is not None:
        hint = "check the path and its permissions, and try again"
        return AssayError(error.strerror or str(error), where=str(error.filename), hint=hint)
    _discard_output()
    return AssayError(f"cannot write to standard output ({error.strerror})")


def _invoke_and_clear(arguments: Sequence[str]) -> int:
    """Call the command, and take its progress away before anything is said about its end."""
    try:
        return _invoke(arguments)
    finally:
        clear()


def _invoke(arguments: Sequence[str]) -> int:
    """Call the command; click's own ``main`` would turn a closed pipe into exit code 1."""
    try:
        with command_line.make_context("assay", [*arguments]) as context:
            result = command_line.invoke(context)
    except click.exceptions.Exit as done:  # --help and --version
        return done.exit_code
    return result if isinstance(result, int) else 0


def _fail(message: str) -> int:
    click.echo(wrap(message, lines=True), err=True)
    return 2


def _refuse(error: click.ClickException) -> int:
    """Say what click refuses as other errors are said; it repeats whatever was given."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):  # its message is the group's help
        click.echo(error.format_message(), err=True)
        return 2
    context = error.ctx if isinstance(error, click.UsageError) else None
    hint = f"see `{context.command_path} --help`" if context else ""
    said = error.format_message()
    if isinstance(error, click.NoSuchOption):
        said = f"unknown option {quote_line(error.option_name)}"
        if context and (close := near_miss(error.option_name, _options(context), alike=0.7)):
            hint = f'did you mean "{close}"?'
    said = said.replace("integer range", "integer").replace("float range", "number")
    said = truncate(" ".join(said.split())).rstrip(".")
    return _fail(f"error: {AssayError(f'{said[:1].lower()}{said[1:]}', hint=hint)}")


def _options(context: click.Context) -> list[str]:
    return [name for one in context.command.get_params(context) for name in one.opts]


def _open_output() -> None:
    """Let any name be printed, whatever the terminal can show, and nothing fail without output."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Keep the interpreter from complaining at exit about what could not be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
