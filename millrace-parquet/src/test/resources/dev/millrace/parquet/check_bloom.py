"""Asks the bloom filters of a folder's Parquet files, as DuckDB reads them, for values that are there and that are not."""
import sys

import duckdb

files = f"{sys.argv[1]}/*.parquet"
db = duckdb.connect()
wrong = asked = 0
for column, missing in (("id", "1000003 + {0}"), ("name", "'name y{0}'"), ("few", "'few y{0}'"), ("real", "{0} + 0.25")):
    values = [row[0] for row in db.execute(f"SELECT {column} FROM '{files}' USING SAMPLE 40").fetchall()]
    for value in values:
        told = db.execute(f"SELECT bool_or(NOT bloom_filter_excludes) FROM parquet_bloom_probe('{files}', '{column}', ?)", [value]).fetchone()
        if told != (True,):
            sys.exit(f"{column}: {value!r} is there, and no filter has it")
    for n in range(50):
        for (excluded,) in db.execute(f"SELECT bloom_filter_excludes FROM parquet_bloom_probe('{files}', '{column}', {missing.format(n)})").fetchall():
            asked += 1
            wrong += not excluded
if wrong * 100 > asked * 3:
    sys.exit(f"{wrong} of {asked} values that are not there are in a filter")
print("every value found, less than 3 of 100 others")
