"""The door from the shell."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    try:
        from assay.cli import start  # imports nothing that --version would not need

        code = start(sys.argv[1:])
    except KeyboardInterrupt:  # before anything could begin
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
