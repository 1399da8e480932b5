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


def images(rows):
    """Pillow, one image after the other."""
    import numpy as np
    from PIL import Image

    total, files = 0.0, peer.images()
    for file in files:
        with Image.open(file) as image:
            total += float(peer.preprocess(image.convert("RGB")).mean(dtype=np.float64))
    return f"{len(files)} {total:.3f}"


peer.main({"images": images, "range": range_, "rows": rows, "start": start})
