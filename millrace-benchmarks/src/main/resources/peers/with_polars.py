"""Polars: Python functions over frames for `range`, over elements for `rows`."""
import datetime
from decimal import Decimal

import polars as pl

import peer

CHUNK = 1_000_000
ROW = pl.Struct({"id": pl.Int64, "s": pl.String})


def double(ids):
    return ids.to_numpy() * 2


def thirds(ids):
    return ids.to_numpy() % 3 == 0


def range_(rows):
    total = 0
    for first in range(0, rows, CHUNK):
        ids = pl.select(id=pl.int_range(first, min(first + CHUNK, rows), dtype=pl.Int64))
        doubled = ids.select(pl.col("id").map_batches(double, return_dtype=pl.Int64))
        kept = doubled.filter(pl.col("id").map_batches(thirds, return_dtype=pl.Boolean))
        total += kept["id"].sum()
    return total


def rows(count):
    ids = pl.select(id=pl.int_range(count, dtype=pl.Int64))
    mapped = ids.select(row=pl.col("id").map_elements(lambda i: {"id": i * 2, "s": str(i)}, return_dtype=ROW))
    keep = pl.col("row").map_elements(lambda row: row["id"] % 3 == 0, return_dtype=pl.Boolean)
    return mapped.filter(keep).height


def start(rows):
    return pl.select(id=pl.int_range(rows)).lazy().limit(1).collect().item()


def scan(rows):
    sums = (pl.scan_parquet(peer.lineitem())
            .filter((pl.col("l_shipdate") >= datetime.date(1995, 1, 1)) & (pl.col("l_discount") > Decimal("0.05")))
            .select(n=pl.len(), revenue=(pl.col("l_extendedprice").cast(pl.Float64)
                                         * pl.col("l_discount").cast(pl.Float64)).sum())
            .collect(engine="streaming"))
    return f"{sums['n'][0]} / {sums['revenue'][0]:.2f}"


def read(rows):
    return pl.read_parquet(peer.lineitem()).height


def csv(rows):
    return pl.read_csv(peer.lineitem_csv(), try_parse_dates=True).height


def etl(rows):
    real = pl.Float64
    net = pl.col("l_extendedprice").cast(real) * (1 - pl.col("l_discount").cast(real))
    frame = pl.scan_parquet(peer.lineitem()).with_columns(net=net)

    def write(out):
        frame.sink_parquet(f"{out}/part.parquet", compression="snappy", maintain_order=False)
        return pl.scan_parquet(f"{out}/part.parquet").select(pl.len()).collect().item()

    return peer.written(write)


FOUR = ["l_orderkey", "l_extendedprice", "l_discount", "l_shipdate"]


def sort(rows):
    frame = pl.scan_parquet(peer.lineitem()).select(FOUR).sort("l_extendedprice")

    def write(out):
        frame.sink_parquet(f"{out}/part.parquet", compression="snappy")
        return pl.scan_parquet(f"{out}/part.parquet").select(pl.len()).collect().item()

    return peer.written(write)


def shuffle(rows):
    def write(out):
        frame = pl.scan_parquet(peer.lineitem()).select(FOUR).collect().sample(fraction=1.0, shuffle=True)
        frame.write_parquet(f"{out}/part.parquet", compression="snappy")
        return frame.height

    return peer.written(write)


def join(rows):
    lines = pl.scan_parquet(peer.lineitem()).select("l_orderkey")
    orders = pl.scan_parquet(peer.orders()).select("o_orderkey", "o_orderpriority")
    joined = lines.join(orders, left_on="l_orderkey", right_on="o_orderkey")
    return str(joined.group_by("o_orderpriority").len().sort("o_orderpriority").collect().rows())


def json(rows):
    return pl.scan_ndjson(peer.lineitem_json()).collect().height


peer.main({"csv": csv, "json": json, "range": range_, "rows": rows, "start": start, "scan": scan, "read": read, "etl": etl,
           "sort": sort, "shuffle": shuffle, "join": join})
