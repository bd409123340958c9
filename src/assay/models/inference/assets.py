"""Weights that an installed package carries: found without running its code, checked by hash."""

from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from assay.errors import InputError
from assay.extras import install_command

__all__ = ["asset", "checked", "sha256_of"]


def asset(package: str, path: str) -> Path:
    """Return where a package keeps one of its files."""
    try:
        place = Path(str(distribution(package).locate_file(path)))
    except PackageNotFoundError:
        problem = f"the embedding model needs the package {package}, which contains its weights"
        raise InputError(problem, where="model", hint=install_command("search")) from None
    if not place.is_file():
        problem = f"the package {package} does not contain {path}"
        raise InputError(problem, where="model", hint=install_command("search"))
    return place


def checked(path: Path, expected: str, *, package: str) -> Path:
    """Return the path if the file is the one that was measured, and refuse any other."""
    found = sha256_of(path)
    if found != expected:
        problem = f"unexpected content (SHA-256 {found[:12]}, expected {expected[:12]})"
        hint = f"reinstall it: pip install --force-reinstall '{package}'"
        raise InputError(problem, where=str(path), hint=hint)
    return path


def sha256_of(path: Path) -> str:
    """Hash a file piece by piece."""
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
