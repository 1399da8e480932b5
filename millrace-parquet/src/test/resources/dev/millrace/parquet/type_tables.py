"""Tables with a column of every type.

  type_tables.py make FOLDER     writes FOLDER/types.arrow, types_nulls.arrow and types_long.arrow
  type_tables.py check FOLDER    compares each FOLDER/TABLE--VARIANT.parquet with its table
"""
import datetime
import decimal
import glob
import math
import os
import random
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

random.seed(11)
folder = sys.argv[2]
ROWS = 500
TENSOR = pa.fixed_shape_tensor(pa.uint8(), [2, 3])


def number(low, high):
    return lambda: random.choice((low, high, 0, random.randint(low, high), random.randint(max(low, -9), min(high, 9))))


def dec(precision, scale):
    top = 10**precision - 1
    return lambda: decimal.Decimal(random.choice((top, -top, 0, random.randint(-top, top)))).scaleb(-scale, decimal.Context(prec=60))


def text(longest):
    return lambda: random.choice(("", "a", "Tür", "日本語", "\U0010FFFF" * 30, "x" * 200, "é" * random.randint(0, longest)))


def kinds(longest):
    ints = {f"{'u' if low == 0 else ''}int{bits}": (getattr(pa, f"{'u' if low == 0 else ''}int{bits}")(), number(low, high))
            for bits in (8, 16, 32, 64)
            for low, high in ((-2**(bits - 1), 2**(bits - 1) - 1), (0, 2**bits - 1))}
    return {
        "bool": (pa.bool_(), lambda: random.random() < 0.3),
        **ints,
        "float16": (pa.float16(), lambda: np.float16(random.choice((0.5, -0.0, 65504.0, float("inf"))))),
        "float32": (pa.float32(), lambda: random.choice((0.5, -0.0, 1e30, float(random.randint(0, 99))))),
        "float64": (pa.float64(), lambda: random.choice((0.1, -0.0, 1e300, float("-inf"), random.random()))),
        "decimal5": (pa.decimal128(5, 2), dec(5, 2)), "decimal18": (pa.decimal128(18, 18), dec(18, 18)),
        "decimal30": (pa.decimal128(30, 3), dec(30, 3)), "decimal38": (pa.decimal128(38, 0), dec(38, 0)),
        "date": (pa.date32(), lambda: datetime.date(1970, 1, 1) + datetime.timedelta(days=random.randint(-200000, 200000))),
        "time_s": (pa.time32("s"), lambda: random.randint(0, 86399)),
        "time_ms": (pa.time32("ms"), lambda: random.randint(0, 86399999)),
        "time_us": (pa.time64("us"), lambda: random.randint(0, 86399999999)),
        "time_ns": (pa.time64("ns"), lambda: random.randint(0, 86399999999999)),
        "local_s": (pa.timestamp("s"), number(-10**9, 10**10)), "local_ms": (pa.timestamp("ms"), number(-10**12, 10**13)),
        "local_us": (pa.timestamp("us"), number(-10**15, 10**16)), "utc": (pa.timestamp("us", "UTC"), number(-10**15, 10**16)),
        "zone": (pa.timestamp("ns", "Europe/Berlin"), number(-10**18, 10**18)),
        "duration": (pa.duration("us"), number(-10**15, 10**15)), "duration_s": (pa.duration("s"), number(-10**9, 10**9)),
        "string": (pa.string(), text(longest)), "binary": (pa.binary(), lambda: random.randbytes(random.randint(0, longest))),
        "nothing": (pa.null(), lambda: None),
        "list": (pa.list_(pa.int32()), lambda: [random.choice((None, 1, 2)) for _ in range(random.randint(0, 4))]),
        "fixed": (pa.list_(pa.float32(), 3), lambda: [random.random(), None, 0.5]),
        "tensor": (TENSOR, lambda: [random.randint(0, 255) for _ in range(6)]),
        "word": (pa.dictionary(pa.int32(), pa.string()), lambda: random.choice(("yes", "no", "perhaps"))),
        "struct": (pa.struct([("a", pa.list_(pa.duration("ms"))), ("b", pa.timestamp("ms", "Asia/Tokyo"))]),
                   lambda: {"a": [random.randint(0, 9)], "b": random.choice((None, 10**12))}),
        "map": (pa.map_(pa.string(), pa.list_(pa.uint8(), 2)), lambda: [("k%d" % k, random.choice((None, [k, 1]))) for k in range(random.randint(0, 3))]),
    }


def table(nulls, longest):
    columns = {}
    for name, (kind, make) in kinds(longest).items():
        values = [None if random.random() < nulls else make() for _ in range(ROWS)]
        if isinstance(kind, pa.BaseExtensionType):
            columns[name] = pa.ExtensionArray.from_storage(kind, pa.array(values, kind.storage_type))
        else:
            columns[name] = pa.array(values, kind)
    return pa.table(columns)


def plain(value):
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def unseconded(kind):
    return pa.time32("ms") if kind == pa.time32("s") else pa.timestamp("ms", kind.tz) if pa.types.is_timestamp(kind) and kind.unit == "s" else kind


if sys.argv[1] == "make":
    for name, made in (("types", table(0, 40)), ("types_nulls", table(0.3, 40)), ("types_long", table(0.1, 5000))):
        with pa.ipc.new_file(f"{folder}/{name}.arrow", made.schema) as sink:
            sink.write_table(made)
else:
    files = sorted(glob.glob(f"{folder}/*--*.parquet"))
    for file in files:
        wanted = pa.ipc.open_file(f"{folder}/{os.path.basename(file).split('--')[0]}.arrow").read_all()
        got = pq.ParquetFile(file, page_checksum_verification=True).read()
        got.validate(full=True)
        for name in wanted.column_names:
            kind = unseconded(wanted.schema.field(name).type)
            if got.schema.field(name).type != kind:
                sys.exit(f"{file}: {name} is {got.schema.field(name).type}, not {kind}")
            one = wanted.column(name) if kind == wanted.schema.field(name).type else wanted.column(name).cast(kind)
            if not got.column(name).equals(one) and plain(got.column(name).to_pylist()) != plain(one.to_pylist()):
                sys.exit(f"{file}: {name} differs:\n{one.to_pylist()[:20]}\n{got.column(name).to_pylist()[:20]}")
    print(f"{len(files)} files are equal")
