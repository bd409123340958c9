"""What is on the tapes of a benchmark -> the vectors that a model made of its queries."""

from assay.benchmarks.work.execute import Execution, Trial
from assay.benchmarks.work.tapes import unpack_vector
from assay.records.model import Vectors

__all__ = ["query_vectors"]


def query_vectors(work: Execution) -> dict[str, Vectors]:
    """Return the vector of each query by the model of the first run that embeds them all.

    Nothing where no run does, as where searches are asked as a whole: their vectors are on no tape.
    """
    queries = sum(len(collection.queries) for collection in work.collections)
    for chosen in work.runs:
        found: dict[str, Vectors] = {}
        for trial in work.of(chosen.name):
            found |= _of_trial(work, trial) if not trial.number else {}
        if len(found) == queries and len({len(one) for one in found.values()}) == 1:
            return found
    return {}


def _of_trial(work: Execution, trial: Trial) -> dict[str, Vectors]:
    nodes = trial.route.nodes if trial.route else ()
    node = next((one for one in nodes if one.role == "embed"), None)
    tape = work.first(node.key) if node else {}
    return {
        trial.collection.key(key): unpack_vector(row.value)
        for key, row in tape.items()
        if row.value is not None
    }
