"""Compares Parquet files with the tables they were written from.

  check_files.py FOLDER COUNT    FOLDER/N.parquet was written from FOLDER/N.arrow

Values and null counts as pyarrow, DuckDB and Polars read them; the statistics and the page index of each column.
"""
import decimal
import math
import sys

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

folder, count = sys.argv[1], int(sys.argv[2])
db = duckdb.connect()
db.execute("SET threads TO 1")
equal = 0


def fail(n, what, wanted, got):
    print(f"file {n}: {what}\n  wanted {str(wanted)[:1000]}\n  got    {str(got)[:1000]}")
    sys.exit(0)


def statistics(n, file, table):
    """Each flat column's bounds and nulls, from the footer, against those of the rows of its row group."""
    start = 0
    for g in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(g)
        part = table.slice(start, group.num_rows)
        start += group.num_rows
        for c in range(group.num_columns):
            chunk = group.column(c)
            if not chunk.has_offset_index:
                fail(n, "no offset index", chunk.path_in_schema, chunk)
            if "." in chunk.path_in_schema:
                continue
            values = part.column(chunk.path_in_schema)
            told = chunk.statistics
            if told.null_count != values.null_count:
                fail(n, f"null count of {chunk.path_in_schema}", values.null_count, told.null_count)
            if pa.types.is_null(values.type) or values.null_count == len(values):
                continue
            if pa.types.is_floating(values.type):
                values = values.filter(pc.invert(pc.is_nan(values.cast(pa.float64()))))
            if len(values) == values.null_count:
                continue
            if not chunk.has_column_index:
                fail(n, "no column index", chunk.path_in_schema, chunk)
            if pa.types.is_string(values.type) or pa.types.is_binary(values.type):
                values = values.cast(pa.binary())
                got = tuple(v.encode() if isinstance(v, str) else v for v in (told.min, told.max))
            elif pa.types.is_boolean(values.type):
                values, got = values.cast(pa.uint8()), (int(told.min), int(told.max))
            elif pa.types.is_timestamp(values.type) or pa.types.is_duration(values.type) or pa.types.is_time(values.type):
                continue
            else:
                got = (told.min, told.max)
            wanted = tuple(pc.min_max(values).as_py().values())
            if wanted != got and not any(isinstance(v, bytes) and len(v) > 64 for v in wanted):
                fail(n, f"bounds of {chunk.path_in_schema} in row group {g}", wanted, got)


def plain(value):
    """Values so that those of different readers compare."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


for n in range(count):
    path = f"{folder}/{n}.parquet"
    table = pa.ipc.open_file(f"{folder}/{n}.arrow").read_all()
    file = pq.ParquetFile(path, page_checksum_verification=True)
    read = file.read()
    read.validate(full=True)
    if not read.schema.equals(table.schema):
        fail(n, "schema", table.schema, read.schema)
    if not read.equals(table) and plain(read.to_pydict()) != plain(table.to_pydict()):
        fail(n, "pyarrow", table.to_pydict(), read.to_pydict())
    statistics(n, file, table)
    by_duckdb = db.execute(f"SELECT * FROM read_parquet('{path}')").to_arrow_table()
    for name in table.column_names:
        wanted = plain(table.column(name).to_pylist())
        got = plain(by_duckdb.column(name).to_pylist())
        if got != wanted:
            fail(n, f"DuckDB, column {name} {table.schema.field(name).type}", wanted, got)
    by_polars = pl.read_parquet(path)
    if by_polars.height != len(table):
        fail(n, "Polars", len(table), by_polars.height)
    for name in table.column_names:
        if pa.types.is_nested(table.schema.field(name).type):
            if by_polars.get_column(name).null_count() != table.column(name).null_count:
                fail(n, f"Polars, nulls of {name}", table.column(name).null_count, by_polars.get_column(name))
        elif plain(by_polars.get_column(name).to_list()) != plain(table.column(name).to_pylist()):
            fail(n, f"Polars, column {name}", table.column(name).to_pylist(), by_polars.get_column(name).to_list())
    equal += 1
print(f"{equal} files are equal")
