"""Writes small files of every type that a filter can look at: many pages, with and without indexes and bloom filters.

  pruned_columns.py OUT SEED COUNT    OUT/N.parquet
"""
import datetime
import decimal
import math
import random
import sys

import pyarrow as pa
import pyarrow.parquet as pq

out, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(seed)
ROWS = 600


def whole(bits, signed):
    low, high = (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    middle = random.choice((0, low, high, high // 2))
    return lambda i: max(low, min(high, middle + i // random.choice((1, 50)) - ROWS // 2)) if random.random() < 0.95 else random.randint(low, high)


def real(i):
    return random.choice((i / 7, i / 7, i / 7, 0.0, -0.0, math.nan, math.inf, -math.inf))


TYPES = {
    "bool": (pa.bool_(), lambda i: i > ROWS // 2),
    **{f"int{bits}": (f"int{bits}", True) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (f"uint{bits}", False) for bits in (8, 16, 32, 64)},
    "float16": (pa.float16(), lambda i: float(i)),
    "float32": (pa.float32(), real),
    "float64": (pa.float64(), real),
    "decimal9": (pa.decimal128(9, 2), lambda i: decimal.Decimal(i - 300).scaleb(-2)),
    "decimal18": (pa.decimal128(18, 3), lambda i: decimal.Decimal((i - 300) * 10**9).scaleb(-3)),
    "decimal38": (pa.decimal128(38, 4), lambda i: decimal.Decimal((i - 300) * 10**20).scaleb(-4)),
    "date": (pa.date32(), lambda i: datetime.date(1970, 1, 1) + datetime.timedelta(days=i - 300)),
    "time_ms": (pa.time32("ms"), lambda i: i * 1000),
    "time_us": (pa.time64("us"), lambda i: i * 1000),
    "time_ns": (pa.time64("ns"), lambda i: i),
    "local_ms": (pa.timestamp("ms"), lambda i: (i - 300) * 10**7),
    "local_us": (pa.timestamp("us"), lambda i: (i - 300) * 10**7 + i),
    "local_ns": (pa.timestamp("ns"), lambda i: (i - 300) * 10**15 + i),
    "utc_us": (pa.timestamp("us", "UTC"), lambda i: (i - 300) * 10**9),
    "string": (pa.string(), lambda i: random.choice(("", "ä", "w%04d" % i, "w%04d" % i, "w%04d" % i + "x" * 80))),
    "binary": (pa.binary(), lambda i: bytes((i // 256, i % 256)) if i % 9 else b""),
    "fixed": (pa.binary(4), lambda i: i.to_bytes(4, "big")),
}


def column(name):
    kind, make = TYPES[name]
    if isinstance(kind, str):
        kind, make = getattr(pa, kind)(), whole(int(kind.strip("uint")), make)
    nulls = random.choice((None, None, 0, 0.2, 1, "pages"))
    order = random.choice((lambda i: i, lambda i: ROWS - i, lambda i: random.randrange(ROWS), lambda i: i // 40 * 40))

    def value(i):
        if nulls == "pages":
            return None if i // 100 % 2 else make(order(i))
        return None if nulls and random.random() < nulls else make(order(i))

    return pa.field(name, kind, nullable=nulls is not None), pa.array([value(i) for i in range(ROWS)], kind)


for n in range(count):
    fields, arrays = zip(*(column(name) for name in TYPES))
    table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
    names = [name for name in TYPES if name not in ("bool", "float16")]
    pq.write_table(table, f"{out}/{n}.parquet", store_schema=False, write_page_index=random.random() < 0.8,
                   row_group_size=random.choice((200, 600)), data_page_size=random.choice((200, 600)), write_batch_size=25,
                   use_dictionary=random.choice((True, False)), dictionary_pagesize_limit=random.choice((300, 1 << 20)),
                   compression=random.choice(("none", "snappy", "zstd")), data_page_version=random.choice(("1.0", "2.0")),
                   write_statistics=random.random() < 0.9, store_decimal_as_integer=random.choice((True, False)),
                   use_deprecated_int96_timestamps=random.random() < 0.2,
                   **({"bloom_filter_options": {name: {"ndv": 300, "fpp": 0.05} for name in names}} if n % 2 else {}))
