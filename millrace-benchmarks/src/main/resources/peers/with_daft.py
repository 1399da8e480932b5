"""Daft on its native runner. Its batch functions keep the number of rows, so the filter of `range` is an expression."""
import daft
import pyarrow as pa
from daft import DataType, col

import peer

PARTITIONS = 100


def open_daft(workload):
    daft.set_runner_native()


@daft.func.batch(return_dtype=DataType.int64())
def double(ids):
    return pa.array(ids.to_arrow().to_numpy() * 2)


@daft.func(return_dtype=DataType.struct({"id": DataType.int64(), "s": DataType.string()}))
def double_row(number):
    return {"id": number * 2, "s": str(number)}


@daft.func(return_dtype=DataType.bool())
def is_third(number):
    return number % 3 == 0


def range_(rows):
    doubled = daft.range(rows, partitions=PARTITIONS).select(double(col("id")).alias("id"))
    return doubled.where(col("id") % 3 == 0).agg(col("id").sum()).to_pydict()["id"][0]


def rows(count):
    mapped = daft.range(count, partitions=PARTITIONS).select(double_row(col("id")).alias("row"))
    return mapped.where(is_third(mapped["row"]["id"])).count_rows()


def start(rows):
    return daft.range(rows).limit(1).to_pydict()["id"][0]


@daft.func.batch(return_dtype=DataType.float64())
def mean_of_prepared(images):
    import numpy as np
    from PIL import Image

    prepared = (peer.preprocess(Image.fromarray(np.asarray(pixels))) for pixels in images.to_pylist())
    return [float(one.mean(dtype=np.float64)) for one in prepared]


def images(rows):
    """Daft's own download and decoding; resizing by Pillow, since Daft keeps no proportions."""
    files = daft.from_pydict({"path": peer.images()})
    decoded = daft.functions.decode_image(daft.functions.download(col("path")), mode="RGB")
    found = files.select(mean_of_prepared(decoded).alias("mean")).to_pydict()["mean"]
    return f"{len(found)} {sum(found):.3f}"


@daft.cls(max_concurrency=1)
class Classify:
    def __init__(self):
        self.classify = peer.resnet()

    @daft.method.batch(return_dtype=DataType.int64(), batch_size=16)
    def __call__(self, images):
        import numpy as np
        from PIL import Image

        return self.classify(np.stack([peer.preprocess(Image.fromarray(np.asarray(p))) for p in images.to_pylist()]))


def inference(rows):
    def write(out):
        files = daft.from_pydict({"path": peer.images()})
        decoded = daft.functions.decode_image(daft.functions.download(col("path")), mode="RGB")
        files.select(col("path"), Classify()(decoded).alias("class")).write_parquet(out)
        return peer.rows_in(out)

    return peer.written(write)


peer.main({"inference": inference, "images": images, "range": range_, "rows": rows, "start": start}, open_daft)
