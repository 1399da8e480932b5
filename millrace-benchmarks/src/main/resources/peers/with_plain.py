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


def inference(rows):
    """One loop: sixteen images, the model, the next sixteen."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    from PIL import Image

    def load(file):
        with Image.open(file) as image:
            return peer.preprocess(image.convert("RGB"))

    def write(out):
        classify, files, best = peer.resnet(), peer.images(), []
        for first in range(0, len(files), 16):
            best.append(classify(np.stack([load(file) for file in files[first : first + 16]])))
        pq.write_table(pa.table({"path": files, "class": np.concatenate(best)}), f"{out}/part.parquet")
        return peer.rows_in(out)

    return peer.written(write)


peer.main({"inference": inference, "images": images, "range": range_, "rows": rows, "start": start})
