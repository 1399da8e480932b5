"""Writes timestamps in 96 bits, some of them beyond what nanoseconds can hold.

  int96_times.py OUT    OUT/plain.parquet, OUT/dictionary.parquet and OUT/required.parquet
"""
import datetime
import sys

import pyarrow as pa
import pyarrow.parquet as pq

out = sys.argv[1]
times = [datetime.datetime(9999, 12, 31, 23, 59, 59, 999_999), datetime.datetime(2024, 2, 29, 13, 45, 30, 1), None,
         datetime.datetime(1, 1, 1), datetime.datetime(1969, 12, 31, 23, 59, 59, 999_999)] * 40


def write(name, nullable, **options):
    values = times if nullable else [t for t in times if t is not None]
    field = pa.field("t", pa.timestamp("us"), nullable=nullable)
    table = pa.table([pa.array(values, field.type), pa.array([[v] for v in values], pa.list_(field.type))],
                     schema=pa.schema([field, ("list", pa.list_(field.type))]))
    pq.write_table(table, f"{out}/{name}.parquet", use_deprecated_int96_timestamps=True, store_schema=False, **options)


write("plain", True, use_dictionary=False)
write("dictionary", True)
write("required", False)
