"""Writes Parquet files of random schemas and options with pyarrow, and their values as Arrow IPC.

  random_files.py OUT SEED COUNT    OUT/N.parquet and OUT/N.arrow
"""
import random
import sys

import pyarrow as pa
import pyarrow.parquet as pq

out, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(seed)

LEAVES = [
    (pa.bool_(), lambda: random.random() < 0.5),
    (pa.int8(), lambda: random.randint(-128, 127)),
    (pa.int32(), lambda: random.randint(-3, 3)),
    (pa.int64(), lambda: random.choice((0, -2**63, 2**63 - 1, random.getrandbits(40)))),
    (pa.uint32(), lambda: random.getrandbits(32)),
    (pa.float64(), random.random),
    (pa.string(), lambda: random.choice(("", "abc", "ü" * random.randint(0, 30)))),
    (pa.binary(), lambda: random.randbytes(random.randint(0, 12))),
    (pa.timestamp("us"), lambda: random.getrandbits(45)),
    (pa.decimal128(12, 3), lambda: None if random.random() < 0.5 else __import__("decimal").Decimal(random.randint(-10**9, 10**9)).scaleb(-3)),
]


def kind(depth):
    """A type, and a function that makes a value of it."""
    nulls = random.choice((0, 0, 0.1, 0.6))
    choice = random.random()
    if depth == 0 or choice < 0.45:
        leaf, make = random.choice(LEAVES)
    elif choice < 0.65:
        element, one = kind(depth - 1)
        most = random.choice((1, 3, 40))
        leaf, make = pa.list_(element), lambda: [one() for _ in range(random.randint(0, most))]
    elif choice < 0.85:
        fields = [(f"f{i}", *kind(depth - 1)) for i in range(random.randint(1, 3))]
        leaf = pa.struct([(name, type_) for name, type_, _ in fields])
        make = lambda: {name: one() for name, _, one in fields}
    else:
        value, one = kind(depth - 1)
        leaf, make = pa.map_(pa.int32(), value), lambda: [(k, one()) for k in range(random.randint(0, 3))]
    return leaf, lambda: None if random.random() < nulls else make()


for n in range(count):
    rows = random.choice((0, 1, 7, 100, 1500))
    columns = {f"c{i}": kind(random.choice((0, 1, 2, 3))) for i in range(random.randint(1, 6))}
    table = pa.table({name: pa.array([make() for _ in range(rows)], type_) for name, (type_, make) in columns.items()})
    with pa.ipc.new_file(f"{out}/{n}.arrow", table.schema) as sink:
        sink.write_table(table)
    pq.write_table(table, f"{out}/{n}.parquet", store_schema=False,
                   row_group_size=random.choice((1, 50, 10_000)) if rows <= 100 else random.choice((400, 10_000)),
                   data_page_size=random.choice((1, 100, 5_000, 1 << 20)), write_batch_size=random.choice((1, 64, 1024)),
                   use_dictionary=random.choice((True, False)), dictionary_pagesize_limit=random.choice((50, 1 << 20)),
                   compression=random.choice(("none", "snappy", "zstd", "gzip", "lz4")),
                   data_page_version=random.choice(("1.0", "2.0")), write_page_checksum=random.random() < 0.3)
