"""Writes Parquet files with Polars.

  polars_files.py OUT    OUT/NAME.parquet
"""
import datetime
import decimal
import random
import sys

import polars as pl

out = sys.argv[1]
random.seed(5)
ROWS = 1500


def some(make):
    return [None if random.random() < 0.2 else make(i) for i in range(ROWS)]


word = lambda i: random.choice(("", "ü", "word %d" % (i % 7), "a string that is longer than a view holds %d" % i))
table = pl.DataFrame([
    pl.Series("bool", some(lambda i: i % 3 == 0), pl.Boolean),
    *[pl.Series(str(k).lower(), some(lambda i: i % 100), k)
      for k in (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64, pl.Float32, pl.Float64)],
    pl.Series("decimal", some(lambda i: decimal.Decimal(i).scaleb(-3)), pl.Decimal(20, 3)),
    pl.Series("string", some(word), pl.String),
    pl.Series("binary", some(lambda i: bytes([i % 256] * (i % 20))), pl.Binary),
    pl.Series("category", some(lambda i: "c%d" % (i % 5)), pl.Categorical),
    pl.Series("enum", some(lambda i: "ab"[i % 2]), pl.Enum(["a", "b"])),
    pl.Series("date", some(lambda i: datetime.date(1970, 1, 1) + datetime.timedelta(days=i * 7)), pl.Date),
    pl.Series("time", some(lambda i: datetime.time(i % 24, i % 60, i % 60, i)), pl.Time),
    *[pl.Series("local_" + u, some(lambda i: datetime.datetime(2000, 1, 1) + datetime.timedelta(milliseconds=i * 1001)), pl.Datetime(u))
      for u in ("ms", "us", "ns")],
    pl.Series("utc", some(lambda i: datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(hours=i)),
              pl.Datetime("us", "UTC")),
    pl.Series("ints", some(lambda i: [k if k != 2 else None for k in range(i % 4)]), pl.List(pl.Int64)),
    pl.Series("words", some(lambda i: [word(i) for _ in range(i % 4)]), pl.List(pl.String)),
    pl.Series("lists", some(lambda i: [[k] * k for k in range(i % 3)]), pl.List(pl.List(pl.Int32))),
    pl.Series("point", some(lambda i: {"x": i, "name": word(i)}), pl.Struct({"x": pl.Int64, "name": pl.String})),
    pl.Series("points", some(lambda i: [{"x": i}] * (i % 3)), pl.List(pl.Struct({"x": pl.Int64}))),
    pl.Series("nothing", [None] * ROWS, pl.Null),
])
for codec in ("zstd", "snappy", "gzip", "lz4", "uncompressed"):
    table.write_parquet(f"{out}/{codec}.parquet", compression=codec)
table.write_parquet(f"{out}/small-pages.parquet", row_group_size=400, data_page_size=1000, statistics="full")
table.clear().write_parquet(f"{out}/empty.parquet")
table.lazy().sink_parquet(f"{out}/sink.parquet")
