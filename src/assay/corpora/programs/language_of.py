"""File name and first bytes -> the language that a document is written in."""

import re
from functools import cache

from assay.corpora.programs.parsable_languages import parsable_languages

__all__ = ["PROSE", "language_of"]

# What pages are written in; the language of their text is another matter.
PROSE = ("markdown", "rst", "asciidoc", "text", "html", "latex", "org")

# Languages that are only named; those in the folder `languages` can also be taken apart.
NAMED = {
    "asciidoc": "adoc asciidoc",
    "bash": "sh bash zsh ksh",
    "batch": "bat cmd",
    "clojure": "clj cljs cljc edn",
    "cmake": "cmake",
    "css": "css",
    "csv": "csv",
    "cuda": "cu cuh",
    "cython": "pyx pxd pxi",
    "dart": "dart",
    "elixir": "ex exs",
    "elm": "elm",
    "erlang": "erl hrl",
    "fortran": "f f90 f95 f03 f08 for",
    "fsharp": "fs fsi fsx",
    "graphql": "graphql gql",
    "groovy": "groovy gradle",
    "haskell": "hs lhs",
    "hcl": "tf tfvars hcl",
    "html": "html htm xhtml",
    "ini": "ini cfg conf properties editorconfig",
    "json": "json jsonc json5 geojson ipynb webmanifest",
    "jsonl": "jsonl ndjson",
    "julia": "jl",
    "latex": "tex sty cls bib",
    "less": "less",
    "lisp": "lisp lsp el scm ss rkt",
    "lua": "lua",
    "make": "mk mak",
    "markdown": "md markdown mdx mdown",
    "nim": "nim",
    "nix": "nix",
    "objectivec": "m mm",
    "ocaml": "ml mli",
    "pascal": "pas pp dpr",
    "perl": "pl pm pod",
    "powershell": "ps1 psm1 psd1",
    "proto": "proto",
    "r": "r rmd",
    "rst": "rst",
    "scala": "scala sc sbt",
    "scss": "scss sass",
    "solidity": "sol",
    "sql": "sql",
    "svelte": "svelte",
    "swift": "swift",
    "text": "txt text",
    "toml": "toml",
    "tsv": "tsv tab",
    "verilog": "v vh sv svh",
    "vhdl": "vhd vhdl",
    "vim": "vim",
    "vue": "vue",
    "xml": "xml xsd xsl xslt svg plist",
    "yaml": "yaml yml",
    "zig": "zig",
}
WHOLE = {
    "makefile": "make",
    "gnumakefile": "make",
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "cmakelists.txt": "cmake",
    "gemfile": "ruby",
    "rakefile": "ruby",
    "jenkinsfile": "groovy",
}
SHEBANGS = {"sh": "bash", "bash": "bash", "zsh": "bash", "perl": "perl"}
SHEBANG = re.compile(rb"#![ \t]*(?:\S*/env[ \t]+(?:-\S+[ \t]+)*)?(?:\S*/)?([A-Za-z+]+)")
# What a header has that C does not; a header without it is C.
CPP = re.compile(
    rb"^[ \t]*(?:class[ \t]+\w+[^;()\n]*$|namespace\b[^;\n]*$|template[ \t]*<"
    rb"|(?:public|private|protected)[ \t]*:|using[ \t]+[\w:]+)|\bstd::\w",
    re.MULTILINE,
)


def language_of(path: str, head: bytes = b"") -> str:
    """Name a file's language by its name, or by the program that its first line calls.

    A header (.h) is C unless its first bytes show C++.
    """
    extensions, shebangs = _tables()
    name = path.rpartition("/")[2].lower()
    if name in WHOLE:
        return WHOLE[name]
    _, dot, extension = name.rpartition(".")
    if dot and extension in extensions:
        return "cpp" if extension == "h" and CPP.search(head) else extensions[extension]
    called = SHEBANG.match(head) if head.startswith(b"#!") else None
    return shebangs.get(called[1].decode(), "") if called else ""


@cache
def _tables() -> tuple[dict[str, str], dict[str, str]]:
    """Return the languages by extension and by the program of a first line."""
    extensions = {end: name for name, ends in NAMED.items() for end in ends.split()}
    shebangs = dict(SHEBANGS)
    for name, language in parsable_languages().items():
        extensions |= dict.fromkeys(language.extensions, name)
        shebangs |= dict.fromkeys(language.shebangs, name)
    return extensions, shebangs
