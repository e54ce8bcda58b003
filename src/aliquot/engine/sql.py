"""The same draw inside a database: permanent random numbers and order samples as DuckDB SQL.

Names of relations and columns are the caller's own and go into the text as they are (hence S608).

DuckDB's integer product raises on overflow, so a product is taken in 128 bits and cut to 64. The
sort value uses only a division, which every engine rounds alike; ties go to the smaller key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from aliquot.core.prn import FIRST, MASK, SECOND, word
from aliquot.designs.kernel import CERTAIN, certainty
from aliquot.errors import DesignError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@final
@dataclass(frozen=True, eq=False)
class OrderSample:
    """A fixed-size order sample: keys in the order drawn, sizes, and conditional probabilities.

    `tau` is the sort value of the unit that just missed the sample; None where none did.
    """

    keys: NDArray[np.uint64]
    sizes: NDArray[np.float64]
    conditional: NDArray[np.float64]
    tau: float | None


def prn_expression(key: str, seed: int | str) -> str:
    """Return DuckDB SQL for r, the permanent random number of an unsigned 64-bit column.

    `key` is a column name or an expression; it is put into the text as it is. Steps are bound by
    nested lambdas, because DuckDB would compute a repeated expression again each time.
    """
    start = f"({key})::UHUGEINT + {word(seed)}::UHUGEINT"
    cut = f"({start}) & {MASK}::UHUGEINT"
    first = f"(xor(z, z >> 30) * {FIRST}::UHUGEINT) & {MASK}::UHUGEINT"
    second = f"(xor(z, z >> 27) * {SECOND}::UHUGEINT) & {MASK}::UHUGEINT"
    last = "(xor(z, z >> 31) >> 12)::DOUBLE"
    steps = f"list_transform([{cut}], lambda z: {first})"
    steps = f"list_transform({steps}, lambda z: {second})"
    steps = f"list_transform({steps}, lambda z: ({last} + 0.5) * power(2::DOUBLE, -52))"
    return f"({steps})[1]"


def order_sample(  # noqa: PLR0913  (one relation and named columns)
    connection: DuckDBPyConnection, relation: str, *, key: str, size: str, n: int, seed: int | str
) -> OrderSample:
    """Draw n units with probability proportional to size where the data lie.

    `relation` is a table, a view or a sub-query in parentheses; `key` an unsigned 64-bit column,
    `size` a column of doubles. The same units come out as from the design `pps` in Python.
    """
    c = _certainty(connection, f"(SELECT ({size})::DOUBLE AS s FROM {relation} AS t)", n)  # noqa: S608
    value = f"CASE WHEN s * {c!r}::DOUBLE >= {CERTAIN!r}::DOUBLE THEN -1 ELSE r / s END"
    query = (
        f"SELECT k, s, {value} AS v FROM ("  # noqa: S608
        f"SELECT ({key})::UBIGINT AS k, ({size})::DOUBLE AS s, {prn_expression(key, seed)} AS r "
        f"FROM {relation} AS t) AS u WHERE s > 0 ORDER BY v, k LIMIT {int(n) + 1}"
    )
    found = connection.execute(query).fetchnumpy()
    if n < 1 or len(found["k"]) < n:
        raise DesignError(
            f"{n} units can't be drawn from {len(found['k'])} with a size above 0",
            where=relation,
            do="Ask for at least 1 and for no more than there are",
        )
    tau = float(found["v"][n]) if len(found["k"]) > n else None
    sizes = np.asarray(found["s"][:n], dtype=np.float64)
    conditional = np.ones(n) if tau is None else np.minimum(1.0, sizes * tau)
    conditional = np.where(sizes * c >= CERTAIN, 1.0, conditional)
    return OrderSample(np.asarray(found["k"][:n], dtype=np.uint64), sizes, conditional, tau)


def _certainty(connection: DuckDBPyConnection, sizes: str, n: int) -> float:
    """Return the c above which, c size >= 1, a unit is certain to be drawn."""
    top = f"SELECT s FROM {sizes} AS u WHERE s > 0 ORDER BY s DESC LIMIT {int(n)}"  # noqa: S608
    sums = f"SELECT sum(s), count(*), min(s) FROM {sizes} AS u WHERE s > 0"  # noqa: S608
    total, count, least = connection.execute(sums).fetchall()[0]
    if n >= count:
        return 2.0 / (least or 1.0)
    largest = np.asarray(connection.execute(top).fetchnumpy()["s"], dtype=np.float64)
    return certainty(largest, total, n)
