"""Reads the tables that we wrote as CSV, compares them with the same as Arrow, and writes them again with pyarrow;
reads files with odd quotes and keeps what it found as Arrow files."""
import glob
import os
import sys

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.ipc as ipc

folder = sys.argv[1]
parse = csv.ParseOptions(newlines_in_values=True)


def arrow(path):
    return pa.concat_tables(ipc.open_file(f).read_all() for f in sorted(glob.glob(os.path.join(path, "*.arrow"))))


def read(path, types=None):
    convert = csv.ConvertOptions(column_types=types, strings_can_be_null=True, quoted_strings_can_be_null=False,
                                 null_values=[""])
    return csv.read_csv(path, parse_options=parse, convert_options=convert)


os.makedirs(os.path.join(folder, "theirs"))
same = 0
for name in os.listdir(os.path.join(folder, "ours")):
    expected = arrow(os.path.join(folder, "arrow", name))
    found = pa.concat_tables(read(f, expected.schema) for f in sorted(glob.glob(os.path.join(folder, "ours", name, "*.csv"))))
    if not found.equals(expected):
        for column in expected.column_names:
            if not found[column].equals(expected[column]):
                print(name, column, [(a, b) for a, b in zip(expected[column].to_pylist(), found[column].to_pylist()) if a != b][:5])
        continue
    same += 1
    csv.write_csv(expected, os.path.join(folder, "theirs", name + ".csv"))
print(same, "tables as written")

for path in glob.glob(os.path.join(folder, "odd", "*.csv")):
    names = open(path, "rb").read().split(b"\r")[0].split(b"\n")[0].decode().split(",")
    table = read(path, {n: pa.string() for n in names})
    with ipc.new_file(path[:-4] + ".arrow", table.schema) as out:
        out.write_table(table)
