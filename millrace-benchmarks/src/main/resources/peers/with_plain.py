"""No engine: numpy on one thread for batches, a Python loop for rows."""
import peer

CHUNK = 1_000_000


def range_(rows):
    import numpy as np

    total = 0
    for first in range(0, rows, CHUNK):
        ids = np.arange(first, min(first + CHUNK, rows), dtype=np.int64)
        doubled = ids * 2
        total += int(doubled[doubled % 3 == 0].sum())
    return total


def rows(count):
    kept = 0
    for i in range(count):
        row = {"id": i}
        row = {"id": row["id"] * 2, "s": str(row["id"])}
        if row["id"] % 3 == 0:
            kept += 1
    return kept


def start(rows):
    import numpy as np

    return int((np.arange(rows) + 0)[0])


peer.main({"range": range_, "rows": rows, "start": start})
