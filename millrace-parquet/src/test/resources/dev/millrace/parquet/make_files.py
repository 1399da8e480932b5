"""Writes Parquet files with pyarrow, every type x encoding x codec x page version, and what is in them as Arrow IPC.

  make_files.py OUT [ROWS]    OUT/TABLE.arrow holds the values of each OUT/TABLE--VARIANT.parquet
"""
import datetime
import decimal
import random
import sys

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
out = sys.argv[1]
random.seed(7)


def maybe(make, nulls):
    return [None if random.random() < nulls else make() for _ in range(ROWS)]


def number(low, high):
    return lambda: random.choice((low, high, 0, random.randint(low, high), random.randint(max(low, -9), min(high, 9))))


def dec(precision, scale):
    top = 10**precision - 1
    return lambda: decimal.Decimal(random.choice((top, -top, 0, random.randint(-top, top)))).scaleb(-scale, decimal.Context(prec=60))


def text():
    return random.choice(("", "a", "Tür", "日本語", "x" * 40, "word%d" % random.randint(0, 9), "%x" % random.getrandbits(99)))


def data(n):
    return bytes(random.getrandbits(8) for _ in range(n))


def day():
    return datetime.date(1970, 1, 1) + datetime.timedelta(days=random.randint(-200000, 200000))


INTS = {f"{'u' if low == 0 else ''}int{bits}": (getattr(pa, f"{'u' if low == 0 else ''}int{bits}")(), number(low, high))
        for bits in (8, 16, 32, 64)
        for low, high in ((-2**(bits - 1), 2**(bits - 1) - 1), (0, 2**bits - 1))}
FLOATS = {"float16": (pa.float16(), lambda: random.choice((0.5, -2.0, 65504.0, float("inf")))),
          "float32": (pa.float32(), lambda: random.choice((0.5, -0.0, 1e30, float("nan"), float(random.randint(0, 99))))),
          "float64": (pa.float64(), lambda: random.choice((0.1, -0.0, 1e300, float("-inf"), random.random())))}
DECIMALS = {f"decimal{p}": (pa.decimal128(p, s), dec(p, s)) for p, s in ((5, 2), (15, 2), (18, 18), (25, 3), (38, 10))}
TIMES = {"date": (pa.date32(), day),
         "time_ms": (pa.time32("ms"), lambda: random.randint(0, 86399999)),
         "time_us": (pa.time64("us"), lambda: random.randint(0, 86399999999)),
         "time_ns": (pa.time64("ns"), lambda: random.randint(0, 86399999999999)),
         "local_ms": (pa.timestamp("ms"), number(-10**12, 10**13)),
         "local_us": (pa.timestamp("us"), number(-10**15, 10**16)),
         "utc_us": (pa.timestamp("us", "UTC"), number(-10**15, 10**16)),
         "utc_ns": (pa.timestamp("ns", "UTC"), number(-10**18, 10**18))}
BYTES = {"string": (pa.string(), text),
         "large_string": (pa.large_string(), text),
         "binary": (pa.binary(), lambda: data(random.randint(0, 20))),
         "fixed5": (pa.binary(5), lambda: data(5)),
         "fixed16": (pa.binary(16), lambda: data(16))}
FLAT = {"bool": (pa.bool_(), lambda: random.random() < 0.3), **INTS, **FLOATS, **DECIMALS, **TIMES, **BYTES}


def flat(nulls, kinds=FLAT):
    return pa.table({name: pa.array(maybe(make, nulls), kind) for name, (kind, make) in kinds.items()},
                    schema=pa.schema([pa.field(name, kind, nullable=nulls > 0) for name, (kind, _) in kinds.items()]))


def few(nulls):
    return pa.table({"s": maybe(lambda: random.choice(("yes", "no", "perhaps")), nulls),
                     "w": maybe(lambda: random.choice(("a somewhat longer word", "b" * 60)), nulls),
                     "one": maybe(lambda: "same", nulls),
                     "i": pa.array(maybe(lambda: random.randint(0, 300), nulls), pa.int32()),
                     "d": pa.array(maybe(dec(3, 2), nulls), pa.decimal128(15, 2)),
                     "b": maybe(lambda: random.random() < 0.001, nulls),
                     "runs": pa.array([None if nulls and i // 700 == 1 else i // 500 for i in range(ROWS)], pa.int64()),
                     "nothing": pa.array([None] * ROWS, pa.string())})


def nested(nulls):
    def opt(make):
        return lambda: None if random.random() < nulls else make()

    def many(make, most=4):
        return lambda: [make() for _ in range(random.randint(0, most))]

    i = opt(lambda: random.randint(-5, 5))
    s = opt(text)
    point = opt(lambda: {"x": i(), "label": s()})
    deep = opt(lambda: {"a": point(), "list": opt(many(point))(), "c": i()})
    P = pa.struct([("x", pa.int64()), ("label", pa.string())])
    kinds = {
        "ints": (pa.list_(pa.int64()), opt(many(i))),
        "texts": (pa.list_(pa.string()), opt(many(s))),
        "lists": (pa.list_(pa.list_(pa.int32())), opt(many(opt(many(i))))),
        "deep_lists": (pa.list_(pa.list_(pa.list_(pa.string()))), opt(many(opt(many(opt(many(s)))), 3))),
        "point": (P, point),
        "points": (pa.list_(P), opt(many(point))),
        "deep": (pa.struct([("a", P), ("list", pa.list_(P)), ("c", pa.int32())]), deep),
        "map": (pa.map_(pa.string(), pa.int64()), opt(lambda: [("k%d" % k, i()) for k in range(random.randint(0, 3))])),
        "map_of_lists": (pa.map_(pa.int32(), pa.list_(P)),
                         opt(lambda: [(k, opt(many(point))()) for k in range(random.randint(0, 3))])),
        "flags": (pa.list_(pa.bool_()), opt(many(opt(lambda: random.random() < 0.5), 9))),
        "big": (pa.list_(pa.float32()), opt(many(lambda: 0.5, 200))),
    }
    return pa.table({name: pa.array(maybe(make, 0), kind) for name, (kind, make) in kinds.items()})


def write(name, table, variants):
    with pa.ipc.new_file(f"{out}/{name}.arrow", plain(table).schema) as sink:
        sink.write_table(plain(table))
    for variant, options in variants.items():
        defaults = dict(row_group_size=1100, data_page_size=2000, compression="none", store_schema=False)
        pq.write_table(table, f"{out}/{name}--{variant}.parquet", **{**defaults, **options})


def plain(table):
    """Without what the test's reader of Arrow would call another type."""
    for n, field in enumerate(table.schema):
        if pa.types.is_fixed_size_binary(field.type):
            table = table.set_column(n, field.name, table[n].cast(pa.binary()))
    return table


def only(kinds, *types):
    return {name: kind for name, kind in kinds.items() if any(name.startswith(t) for t in types)}


CODECS = {c: dict(compression=c) for c in ("none", "snappy", "gzip", "zstd", "lz4")}
VERSIONS = {"v1": dict(data_page_version="1.0"), "v2": dict(data_page_version="2.0")}


def combine(*parts):
    whole = {"": {}}
    for part in parts:
        whole = {(a + "-" + b).strip("-"): {**x, **y} for a, x in whole.items() for b, y in part.items()}
    return whole


DICT = {"dictionary": dict(use_dictionary=True), "plain": dict(use_dictionary=False),
        "overflow": dict(use_dictionary=True, dictionary_pagesize_limit=300)}


def encoded(encoding, columns):
    return {encoding.lower(): dict(use_dictionary=False, column_encoding={c: encoding for c in columns})}


for nulls in (0, 0.3):
    suffix = "" if nulls else "_required"
    write("flat" + suffix, flat(nulls), {
        **combine(DICT, VERSIONS, {"zstd": dict(compression="zstd")}),
        **combine({"codec": {}}, CODECS, VERSIONS),
        "checksum": dict(write_page_checksum=True, compression="snappy"),
        "index": dict(write_page_index=True, compression="zstd"),
        "decimal_ints": dict(store_decimal_as_integer=True),
        "one_group": dict(row_group_size=10000, data_page_size=1 << 20)})
    write("few" + suffix, few(nulls), combine(DICT, VERSIONS, {"none": {}, "snappy": dict(compression="snappy")}))
    for encoding, kinds in {
            "DELTA_BINARY_PACKED": only({**INTS, **TIMES}, "int", "uint", "date", "time", "local", "utc"),
            "DELTA_LENGTH_BYTE_ARRAY": only(BYTES, "string", "large_string", "binary"),
            "DELTA_BYTE_ARRAY": BYTES,
            "BYTE_STREAM_SPLIT": {**only(FLAT, "int", "uint", "float", "fixed", "date", "decimal")},
            "RLE": only(FLAT, "bool")}.items():
        write(encoding.lower() + suffix, flat(nulls, kinds),
              combine(encoded(encoding, kinds), VERSIONS, {"none": {}, "zstd": dict(compression="zstd")}))
    write("nested" + suffix, nested(nulls), combine(DICT, VERSIONS, {"snappy": dict(compression="snappy")}))

write("int96", pa.table({"t": pa.array(maybe(number(-10**18, 10**18), 0.2), pa.timestamp("ns"))}),
      combine({"int96": dict(use_deprecated_int96_timestamps=True)}, VERSIONS))
write("nothing", pa.table({"n": pa.nulls(ROWS), "i": pa.array(range(ROWS))}), {"null": {}})
write("empty", flat(0.1).slice(0, 0), {"empty": {}})
wide = pa.table({f"column{i}": pa.array([i * 1000 + k for k in range(20)]) for i in range(1000)})
write("wide", wide, {"1000": dict(row_group_size=7)})
views = pa.table({"v": pa.array(maybe(text, 0.2), pa.string())})
write("views", views, {"string": {}})
pq.write_table(pa.table({"v": views["v"].cast(pa.string_view())}), f"{out}/views--view.parquet")
with pq.ParquetWriter(f"{out}/few--empty_groups.parquet", few(0.3).schema) as writer:
    random.seed(5)
    table = few(0.3)
    with pa.ipc.new_file(f"{out}/groups.arrow", table.schema) as sink:
        sink.write_table(table)
    writer.write_table(table.slice(0, 1000))
    writer.write_table(table.slice(0, 0))
    writer.write_table(table.slice(1000))
import os
os.rename(f"{out}/few--empty_groups.parquet", f"{out}/groups--empty.parquet")
