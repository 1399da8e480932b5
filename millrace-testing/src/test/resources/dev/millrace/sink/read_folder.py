"""Prints rows, sum of id and nulls of text for each folder of Arrow files."""
import glob, sys
import pyarrow as pa

for folder in sys.argv[1:]:
    tables = [pa.ipc.open_file(name).read_all() for name in sorted(glob.glob(folder + "/*.arrow"))]
    table = pa.concat_tables(tables)
    table.validate(full=True)
    print(table.num_rows, sum(table["id"].to_pylist()), table["text"].null_count)
