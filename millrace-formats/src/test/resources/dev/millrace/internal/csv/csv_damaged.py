"""Reads damaged CSV files, all columns as texts, and keeps what could be read as Arrow files."""
import glob
import os
import sys

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.ipc as ipc

for path in glob.glob(os.path.join(sys.argv[1], "damaged", "*.csv")):
    convert = csv.ConvertOptions(column_types={f"f{i}": pa.string() for i in range(1000)}, strings_can_be_null=True,
                                 quoted_strings_can_be_null=False, null_values=[""])
    try:
        table = csv.read_csv(path, read_options=csv.ReadOptions(autogenerate_column_names=True),
                             parse_options=csv.ParseOptions(newlines_in_values=True), convert_options=convert)
    except pa.ArrowInvalid:
        continue
    with ipc.new_file(path[:-4] + ".arrow", table.schema) as out:
        out.write_table(table)
