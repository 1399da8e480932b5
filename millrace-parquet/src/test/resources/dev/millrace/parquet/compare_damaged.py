"""Reads damaged Parquet files with pyarrow and DuckDB, each in a process of its own, and where both agree compares them
with what was read from them before (FILE.arrow).

  compare_damaged.py FOLDER    prints DIFFERENT and the file for each that differs, and how many there were
"""
import os
import resource
import signal
import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

folder = sys.argv[1]
pa.set_cpu_count(1)
pa.set_io_thread_count(1)


def values(table):
    columns = []
    for name, column in zip(table.column_names, table.columns):
        columns.append((name, repr([plain(v) for v in column.to_pylist()])))
    return repr(columns)


def plain(v):
    if isinstance(v, float):
        return "nan" if v != v else v
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    if isinstance(v, list):
        return [plain(x) for x in v]
    return v


def theirs(file, read):
    """What `read` makes of the file, or None: it may fail, crash or hang."""
    down, up = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(down)
            signal.alarm(10)
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(up, "wb") as out:
                out.write(values(read(file)).encode())
        except BaseException:
            os._exit(1)
        os._exit(0)
    os.close(up)
    with os.fdopen(down, "rb") as result:
        said = result.read()
    _, status = os.waitpid(child, 0)
    return said.decode() if status == 0 else None


def by_duckdb(file):
    with duckdb.connect(config={"threads": 1}) as db:
        db.execute("SET TimeZone = 'UTC'")
        return db.execute(f"SELECT * FROM read_parquet('{file}')").to_arrow_table()


files = sorted(f[:-6] for f in os.listdir(folder) if f.endswith(".parquet.arrow"))
agreed = 0
for name in files:
    path = f"{folder}/{name}"
    arrow = theirs(path, lambda f: pq.ParquetFile(f).read())
    if arrow is None:
        continue
    with pa.ipc.open_file(path + ".arrow") as reader:
        ours = values(reader.read_all())
    if ours == arrow:
        agreed += 1
        continue
    duck = theirs(path, by_duckdb)
    if duck == arrow:
        print("DIFFERENT", path, "ours", ours[:2000], "theirs", arrow[:2000], sep="\n")
print(f"{len(files)} files, {agreed} as pyarrow reads them")
