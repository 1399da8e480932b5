"""Ray Data."""
import datetime
import logging
import os
import time
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import ray
from ray.data.expressions import col

import peer


def on_cluster():
    """Whether a cluster is given, which has its own object stores."""
    return "RAY_ADDRESS" in os.environ


def open_ray(workload):
    if workload == "connect":
        return
    # The object store is what Ray bounds; 'memory' gives it as much as Millrace's session has.
    store = {"object_store_memory": 500_000_000} if workload == "memory" else {}
    if on_cluster():
        store = {}
    if workload == "inference":
        store["runtime_env"] = {"env_vars": {"MILLRACE_PEER_MODEL": peer.resnet_path()}}
    if not on_cluster():
        store["include_dashboard"] = False
    ray.init(log_to_driver=False, logging_level=logging.ERROR, **store)
    ray.data.DataContext.get_current().enable_progress_bars = False


def double(batch):
    return {"id": batch["id"] * 2}


def thirds(batch):
    ids = batch["id"]
    return {"id": ids[ids % 3 == 0]}


def range_(rows):
    return int(ray.data.range(rows).map_batches(double).map_batches(thirds).sum("id"))


def rows(count):
    doubled = ray.data.range(count).map(lambda row: {"id": row["id"] * 2, "s": str(row["id"])})
    return doubled.filter(lambda row: row["id"] % 3 == 0).count()


def tiny(rows):
    data = ray.data.range(rows, override_num_blocks=rows).map_batches(double)
    return sum(row["id"] for row in data.take_all())


def connect(rows):
    ray.shutdown()  # of the run before
    open_ray("")
    return int(ray.data.range(rows).map_batches(double).sum("id"))


def start(rows):
    return ray.data.range(rows).map_batches(lambda batch: batch).take(1)[0]["id"]


def megabytes(batch):
    return {"x": np.repeat(batch["id"].astype(np.float64), 125_000).reshape(-1, 125_000)}


def memory(rows):
    data = ray.data.range(rows, override_num_blocks=max(1, rows // 100))
    data = data.map_batches(megabytes, batch_size=16).map_batches(lambda batch: {"x": batch["x"] + 1}, batch_size=16)
    total = 0.0
    for batch in data.iter_batches(batch_size=16):
        total += batch["x"][:, 0].sum()
        time.sleep(0.08)
    return int(total)


def revenue(batch):
    real = pa.float64()
    product = pc.multiply(batch["l_extendedprice"].cast(real), batch["l_discount"].cast(real))
    return pa.table({"n": [batch.num_rows], "revenue": [pc.sum(product).as_py() or 0.0]})


def scan(rows):
    data = ray.data.read_parquet(os.path.dirname(peer.lineitem()))
    data = data.select_columns(["l_extendedprice", "l_discount", "l_shipdate"])
    data = data.filter(expr=(col("l_shipdate") >= datetime.date(1995, 1, 1)) & (col("l_discount") > Decimal("0.05")))
    sums = data.map_batches(revenue, batch_format="pyarrow", batch_size=None).take_all()
    return f"{sum(s['n'] for s in sums)} / {sum(s['revenue'] for s in sums):.2f}"


def count(batch):
    return pa.table({"n": [batch.num_rows]})


def read(rows):
    data = ray.data.read_parquet(os.path.dirname(peer.lineitem()))
    return sum(part["n"] for part in data.map_batches(count, batch_format="pyarrow", batch_size=None).take_all())


def csv(rows):
    data = ray.data.read_csv(os.path.dirname(peer.lineitem_csv()))
    return sum(part["n"] for part in data.map_batches(count, batch_format="pyarrow", batch_size=None).take_all())


def net(batch):
    real = pa.float64()
    price, discount = batch["l_extendedprice"].cast(real), batch["l_discount"].cast(real)
    return batch.append_column("net", pc.multiply(price, pc.subtract(1, discount)))


def etl(rows):
    data = ray.data.read_parquet(os.path.dirname(peer.lineitem())).map_batches(net, batch_format="pyarrow")

    def write(out):
        data.write_parquet(out)
        return ray.data.read_parquet(out).count()

    return peer.written(write)


def as_float(*names):
    def cast(batch):
        for name in names:
            batch = batch.set_column(batch.schema.get_field_index(name), name, batch[name].cast(pa.float64()))
        return batch

    return cast


def groupby_high(rows):
    data = ray.data.read_parquet(os.path.dirname(peer.lineitem())).select_columns(["l_orderkey", "l_quantity"])
    data = data.map_batches(as_float("l_quantity"), batch_format="pyarrow", batch_size=None)
    groups = data.groupby("l_orderkey").sum("l_quantity").materialize()
    return f"{groups.count()} / {groups.sum('sum(l_quantity)'):.0f}"


def join(rows):
    lines = ray.data.read_parquet(os.path.dirname(peer.lineitem())).select_columns(["l_orderkey"])
    orders = ray.data.read_parquet(os.path.dirname(peer.orders())).select_columns(["o_orderkey", "o_orderpriority"])
    # The files hold Arrow string views, which pyarrow's take (and so Ray's join) cannot handle.
    orders = orders.map_batches(
        lambda batch: batch.set_column(1, "o_orderpriority", batch["o_orderpriority"].cast(pa.string())),
        batch_format="pyarrow", batch_size=None)
    joined = lines.join(orders, join_type="inner", num_partitions=8, on=("l_orderkey",), right_on=("o_orderkey",))
    counts = joined.groupby("o_orderpriority").count().take_all()
    return sorted((row["o_orderpriority"], row["count()"]) for row in counts)


def shuffled(change):
    data = change(ray.data.read_parquet(os.path.dirname(peer.lineitem())).select_columns(
        ["l_orderkey", "l_extendedprice", "l_discount", "l_shipdate"]))

    def write(out):
        data.write_parquet(out)
        return ray.data.read_parquet(out).count()

    return peer.written(write)


def sort(rows):
    return shuffled(lambda data: data.sort("l_extendedprice"))


def shuffle(rows):
    return shuffled(lambda data: data.random_shuffle(seed=1))


def small_files(rows):
    data = ray.data.read_parquet(os.path.dirname(peer.small_files()))
    return sum(part["n"] for part in data.map_batches(count, batch_format="pyarrow", batch_size=None).take_all())


def json(rows):
    data = ray.data.read_json(os.path.dirname(peer.lineitem_json()))
    return sum(part["n"] for part in data.map_batches(count, batch_format="pyarrow", batch_size=None).take_all())


def prepare(batch):
    from PIL import Image

    return {"x": np.stack([peer.preprocess(Image.fromarray(pixels)) for pixels in batch["image"]])}


def means(batch):
    return {"mean": batch["x"].mean(axis=(1, 2, 3), dtype=np.float64)}


def images(rows):
    data = ray.data.read_images(peer.images(), mode="RGB")
    data = data.map_batches(prepare, batch_size=32).map_batches(means, batch_size=32)
    found = [row["mean"] for row in data.take_all()]
    return f"{len(found)} {sum(found):.3f}"


def prepare_with_path(batch):
    return {"path": batch["path"], **prepare(batch)}


class Classify:
    def __init__(self):
        self.classify = peer.resnet()

    def __call__(self, batch):
        return {"path": batch["path"], "class": self.classify(batch["x"])}


def inference(rows):
    def write(out):
        data = ray.data.read_images(peer.images(), mode="RGB", include_paths=True)
        data = data.map_batches(prepare_with_path, batch_size=16).map_batches(Classify, batch_size=16, concurrency=1)
        data.write_parquet(out)
        return peer.rows_in(out)

    return peer.written(write)


peer.main({"tiny": tiny, "connect": connect, "groupby-high": groupby_high, "join": join, "inference": inference, "images": images, "small-files": small_files, "csv": csv, "json": json, "memory": memory, "range": range_, "rows": rows, "start": start, "scan": scan, "read": read, "etl": etl, "sort": sort, "shuffle": shuffle},
          open_ray, ray.shutdown)
