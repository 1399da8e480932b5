"""Reads a partitioned folder with pyarrow: rows, sum of the ids, columns, and how many names and days there are."""
import sys

import pyarrow.compute as pc
import pyarrow.dataset as ds

table = ds.dataset(sys.argv[1], partitioning="hive").to_table()
print(table.num_rows, pc.sum(table["id"]), ",".join(table.column_names),
      len(table["name"].unique()), len(table["day"].unique()))
