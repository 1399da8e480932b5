"""Writes the eight tables of TPC-H as Parquet files: tpch_tables.py FOLDER SCALE."""
import os
import subprocess
import sys

folder, scale = sys.argv[1:]
generator = os.path.join(os.path.dirname(sys.executable), "tpchgen-cli")
subprocess.run([generator, "parquet", "--scale-factor", scale, "--output-dir", folder], check=True)
