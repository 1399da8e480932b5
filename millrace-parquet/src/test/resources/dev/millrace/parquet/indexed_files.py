"""Writes files with a page index and with bloom filters: many pages in one row group.

  indexed_files.py OUT    OUT/NAME.parquet, all of one table; OUT/table.arrow holds its values
"""
import decimal
import random
import sys

import pyarrow as pa
import pyarrow.parquet as pq

out = sys.argv[1]
random.seed(3)
ROWS = 20_000


def some(make, nulls=0.2):
    return [None if random.random() < nulls else make(i) for i in range(ROWS)]


table = pa.table({
    "id": pa.array(range(ROWS), pa.int64()),
    "part": pa.array([i // 1000 if i // 3000 != 2 else None for i in range(ROWS)], pa.int32()),
    "price": pa.array(some(lambda i: decimal.Decimal(i).scaleb(-2)), pa.decimal128(12, 2)),
    "ratio": pa.array(some(lambda i: i / 7 if i % 50 else float("nan")), pa.float64()),
    "at": pa.array(some(lambda i: i * 1_000_000), pa.timestamp("us")),
    "word": pa.array(some(lambda i: "word %06d" % (i // 10))),
    "kind": pa.array(some(lambda i: random.choice(("red", "green", "blue")) if i < 12_000 else "white")),
    "code": pa.array(some(lambda i: random.randint(0, 10**12)), pa.int64()),
    "tags": pa.array(some(lambda i: ["t%d" % k for k in range(i % 4)]), pa.list_(pa.string())),
    "place": pa.array(some(lambda i: {"x": i, "name": "n%d" % i}), pa.struct([("x", pa.int64()), ("name", pa.string())])),
})
with pa.ipc.new_file(f"{out}/table.arrow", table.schema) as sink:
    sink.write_table(table)
for version in ("1.0", "2.0"):
    for codec in ("none", "zstd"):
        for dictionary in (True, False):
            pq.write_table(table, f"{out}/index-v{version[0]}-{codec}-{'dictionary' if dictionary else 'plain'}.parquet",
                           write_page_index=True, data_page_version=version, compression=codec, use_dictionary=dictionary,
                           data_page_size=4000, write_batch_size=100, store_schema=False)
pq.write_table(table, f"{out}/without.parquet", data_page_size=4000, write_batch_size=100, store_schema=False)
pq.write_table(table, f"{out}/groups.parquet", write_page_index=True, row_group_size=3333, data_page_size=4000,
               write_batch_size=100, store_schema=False)

bloom = ("id", "part", "price", "ratio", "at", "word", "kind", "code")
pq.write_table(table, f"{out}/bloom.parquet", store_schema=False,
               bloom_filter_options={name: {"ndv": ROWS, "fpp": 0.01} for name in bloom})
