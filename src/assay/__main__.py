"""The door from the shell."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    from assay.cli import run  # imports nothing that --version would not need

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
