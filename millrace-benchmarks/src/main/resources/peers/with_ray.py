"""Ray Data."""
import logging

import ray

import peer


def open_ray(workload):
    ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
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


def start(rows):
    return ray.data.range(rows).map_batches(lambda batch: batch).take(1)[0]["id"]


peer.main({"range": range_, "rows": rows, "start": start}, open_ray, ray.shutdown)
