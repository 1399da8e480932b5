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


def mixed(table):
    return pl.scan_parquet(peer.mixed(table))


def answer(frame):
    return peer.line(frame.collect(engine="streaming").row(0))


def mixed_sort(columns, keys):
    def write(out):
        mixed("facts").select(columns).sort(keys, nulls_last=True).sink_parquet(f"{out}/part.parquet", compression="snappy")
        count = pl.scan_parquet(f"{out}/part.parquet").select(pl.len()).collect().item()
        middle = pl.scan_parquet(f"{out}/part.parquet").select(keys).slice(count // 2, 1).collect().row(0)
        return f"{count} / {' '.join(str(value) for value in middle)}"
    return peer.written(write)


def decimals(rows):
    one = pl.lit(Decimal("1.00"))
    reduced = pl.col("price") * (one - pl.col("discount"))
    groups = (mixed("facts").filter(pl.col("day") <= datetime.date(1998, 9, 2))
              .group_by("flag", "status")
              .agg(pl.col("quantity").sum(), pl.col("price").sum(), reduced.sum().alias("r"),
                   (reduced * (one + pl.col("tax"))).sum().alias("c"), pl.col("quantity").mean().alias("mq"),
                   pl.col("price").mean().alias("mp"), pl.col("discount").mean().alias("md"), n=pl.len())
              .sort("flag", "status").collect(engine="streaming"))
    return ", ".join(f"{g[0]} {g[1]} {g[2]} {g[3]} {float(g[4]):.6e} {float(g[5]):.6e} {g[9]}" for g in groups.rows())


COL = pl.col
MIXED = {
    "nulls-filter": lambda rows: answer(
        mixed("facts").filter((COL("v") > 200000) & ((COL("w") < 9000) | (COL("k") < 50000)))
        .select(pl.len(), COL("v").sum(), COL("w").sum())),
    "nulls-group": lambda rows: answer(
        mixed("facts").group_by("k")
        .agg(COL("v").sum(), COL("w").mean(), COL("w").count().alias("n"), COL("v").max().alias("m"))
        .select(pl.len(), COL("v").sum(), COL("w").sum(), COL("n").sum(), COL("m").sum())),
    "nulls-join": lambda rows: answer(
        mixed("facts").join(mixed("names").select("number", "score"), left_on="k", right_on="number")
        .select(pl.len(), COL("v").sum(), COL("score").sum())),
    "nulls-sort": lambda rows: mixed_sort(["w", "v", "k"], ["w"]),
    "keys-group": lambda rows: answer(
        mixed("facts").group_by("a", "b", "c").agg(COL("v").sum(), n=pl.len())
        .select(pl.len(), COL("v").sum(), COL("n").max())),
    "keys-join": lambda rows: answer(
        mixed("facts").join(mixed("pairs"), on=["a", "b"]).select(pl.len(), COL("number").sum())),
    "keys-sort": lambda rows: mixed_sort(["c", "a", "b", "id"], ["c", "a", "b", "id"]),
    "strings-group": lambda rows: answer(
        mixed("facts").group_by("name").agg(COL("v").sum(), n=pl.len())
        .select(pl.len(), COL("v").sum(), COL("n").max())),
    "strings-join": lambda rows: answer(
        mixed("facts").join(mixed("names"), on="name").select(pl.len(), COL("score").sum(), COL("number").sum())),
    "strings-distinct": lambda rows: str(
        mixed("facts").select("name").unique().select(pl.len()).collect(engine="streaming").item()),
    "strings-sort": lambda rows: mixed_sort(["name", "id"], ["name", "id"]),
    "decimals": decimals,
    "text-functions": lambda rows: answer(
        mixed("facts").select(
            COL("name").str.replace("[0-4]+", "#").str.len_chars().sum().alias("x1"),
            COL("name").str.replace_all("-0", "+++", literal=True).str.len_chars().sum().alias("x2"),
            COL("name").str.split("-").list.get(1).cast(pl.Int64).sum().alias("x3"),
            COL("t").str.pad_end(12, ".").str.len_chars().sum().alias("x4"),
            COL("name").str.to_uppercase().str.contains("9.*7").sum().alias("x5"))),
    "casts": lambda rows: answer(
        mixed("facts").select(
            COL("v").cast(pl.String).str.len_chars().sum().alias("x1"),
            COL("price").cast(pl.String).str.len_chars().sum().alias("x2"),
            (COL("price").cast(pl.Float64) * 4).floor().cast(pl.Int64).sum().alias("x3"),
            COL("v").cast(pl.Decimal(12, 2)).sum().alias("x4"),
            COL("day").cast(pl.String).str.len_chars().sum().alias("x5"),
            COL("day").dt.offset_by("1mo").dt.year().cast(pl.Int64).sum().alias("x6"))),
}

peer.main({**MIXED, "csv": csv, "json": json, "range": range_, "rows": rows, "start": start, "scan": scan, "read": read, "etl": etl,
           "sort": sort, "shuffle": shuffle, "join": join})
