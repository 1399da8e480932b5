"""What pyarrow reads from each Parquet file below a folder, as Arrow IPC beside it, in the types that files have by themselves.

  to_arrow.py FOLDER
"""
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq


def plain(t):
    if isinstance(t, pa.BaseExtensionType):
        return plain(t.storage_type)
    if pa.types.is_dictionary(t):
        return plain(t.value_type)
    if pa.types.is_large_string(t) or pa.types.is_string_view(t):
        return pa.string()
    if pa.types.is_large_binary(t) or pa.types.is_binary_view(t) or pa.types.is_fixed_size_binary(t):
        return pa.binary()
    if pa.types.is_large_list(t) or pa.types.is_list(t) or pa.types.is_fixed_size_list(t):
        return pa.list_(plain(t.value_type))
    if pa.types.is_struct(t):
        return pa.struct([(f.name, plain(f.type)) for f in t])
    if pa.types.is_map(t):
        return pa.map_(t.key_type, plain(t.item_type))
    if pa.types.is_duration(t):
        return pa.int64()
    return t


for folder, _, files in os.walk(sys.argv[1]):
    for file in files:
        if file.endswith(".parquet") and not file.startswith("refused"):
            table = pq.ParquetFile(f"{folder}/{file}").read()
            for i, column in enumerate(table.columns):
                if isinstance(column.type, pa.BaseExtensionType):
                    column = pa.chunked_array([c.storage for c in column.chunks], column.type.storage_type)
                table = table.set_column(i, table.schema.names[i], column.cast(plain(column.type)))
            with pa.ipc.new_file(f"{folder}/{file}.arrow", table.schema) as sink:
                sink.write_table(table)
