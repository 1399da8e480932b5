"""Writes the tables of TPC-DS as Parquet files and its queries as N.sql: tpcds_tables.py FOLDER SCALE.

Generator and queries are those of DuckDB's extension, which comes as a package.
"""
import glob
import os
import sys

import duckdb
import duckdb_extension_tpcds

folder, scale = sys.argv[1:]
package = list(duckdb_extension_tpcds.__path__)[0]
(extension,) = glob.glob(os.path.join(package, "extensions", "*", "tpcds.duckdb_extension"))
connection = duckdb.connect()
connection.execute(f"LOAD '{extension}'")
connection.execute(f"CALL dsdgen(sf = {float(scale)})")
for (table,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
    connection.execute(f"COPY {table} TO '{folder}/{table}.parquet'")
for number, text in connection.execute("SELECT query_nr, query FROM tpcds_queries()").fetchall():
    with open(os.path.join(folder, f"{number}.sql"), "w", encoding="utf-8") as file:
        file.write(text)
