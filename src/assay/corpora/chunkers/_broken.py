"""Whether a program's tree says anything: not if much of its text is in no order."""

from typing import TYPE_CHECKING

from assay.corpora.programs.parse import broken
from assay.corpora.text.ruler import Ruler

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["is_broken"]

MOST = 0.3  # of what is not white space; real programs, also broken ones, lose a few percent


def is_broken(tree: "tree_sitter.Tree", ruler: Ruler) -> bool:
    """Say whether a text was given up, or much of it stands in errors.

    Of an error the parts that are in order do not count.
    """
    root, end = tree.root_node, len(ruler.data)
    if ruler.size(min(root.end_byte, end), end):
        return True
    if not root.has_error:
        return False
    lost = sum(_lost(node, ruler) for node in broken(root) if node.is_error)
    return lost > MOST * ruler.size(0, end)


def _lost(node: "tree_sitter.Node", ruler: Ruler) -> int:
    """Count what is directly in an error."""
    inside = (part for part in node.named_children if part.child_count)
    kept = sum(ruler.size(part.start_byte, part.end_byte) for part in inside)
    return ruler.size(node.start_byte, node.end_byte) - kept
