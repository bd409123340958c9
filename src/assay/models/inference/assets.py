"""Weights that an installed package carries: found without running its code, checked by hash."""

from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from assay.errors import InputError

__all__ = ["INSTALL", "asset", "checked", "sha256_of"]

INSTALL = "pip install 'assay-search[search]'"


def asset(package: str, path: str) -> Path:
    """Return where a package keeps one of its files."""
    try:
        place = Path(str(distribution(package).locate_file(path)))
    except PackageNotFoundError:
        problem = f"needs the package {package}, which carries its weights"
        raise InputError(problem, where="model", hint=INSTALL) from None
    if not place.is_file():
        raise InputError(f"{package} does not hold {path}", where="model", hint=INSTALL)
    return place


def checked(path: Path, expected: str, *, package: str) -> Path:
    """Return the path if the file is the one that was measured, and refuse any other."""
    found = sha256_of(path)
    if found != expected:
        problem = f"is not the file that was measured (SHA-256 {found[:12]}, not {expected[:12]})"
        hint = f"install it again: pip install --force-reinstall '{package}'"
        raise InputError(problem, where=str(path), hint=hint)
    return path


def sha256_of(path: Path) -> str:
    """Hash a file piece by piece."""
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
