"""LaTeX: a booktabs table, the best value in bold."""

from assay.records import Table
from assay.reports.text import text

__all__ = ["tex"]

SPECIAL = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}"}
SPECIAL |= {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
SPECIAL |= {"▲": r"$^{\blacktriangle}$", "▼": r"$^{\blacktriangledown}$", "±": r"$\pm$"}


def tex(tables: list[Table]) -> bytes:
    """Write each table; needs the packages booktabs and amssymb."""
    head = "% needs \\usepackage{booktabs} and \\usepackage{amssymb}\n"
    return (head + "\n".join(_table(table) for table in tables)).encode(errors="backslashreplace")


def _table(table: Table) -> str:
    lines = [rf"% {table.caption}"] if table.caption else []
    lines.append(rf"\begin{{tabular}}{{l{'r' * (len(table.titles) - 1)}}}")
    lines += [r"\toprule", _line([_escape(title) for title in table.titles]), r"\midrule"]
    lines += [
        _line([_cell(table, r, c) for c in range(len(row))]) for r, row in enumerate(table.rows)
    ]
    lines += [r"\bottomrule", r"\end{tabular}", ""]
    return "\n".join(lines)


def _cell(table: Table, row: int, column: int) -> str:
    shown = _escape(text(table, row, column))
    return rf"\textbf{{{shown}}}" if (row, column) in table.best else shown


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _escape(shown: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in shown)
