"""Writes Parquet files with DuckDB.

  duckdb_files.py OUT    OUT/NAME.parquet
"""
import sys

import duckdb

out = sys.argv[1]
db = duckdb.connect()
db.execute("SET TimeZone = 'UTC'")
db.execute("SELECT setseed(0.3)")
db.execute("""
CREATE TABLE t AS SELECT * REPLACE (CASE WHEN i % 5 = 0 THEN NULL ELSE s END AS s, CASE WHEN i % 7 = 0 THEN NULL ELSE d END AS d)
FROM (SELECT range::INTEGER AS i, (range % 128)::TINYINT AS i8, range::SMALLINT AS i16, range * 1000000007 AS i64, (range % 256)::UTINYINT AS u8,
  range::USMALLINT AS u16, range::UINTEGER AS u32, range::UBIGINT AS u64, random()::FLOAT AS f, random() AS d,
  (range / 8)::DECIMAL(4, 1) AS m4, (range / 8)::DECIMAL(9, 2) AS m9, (range / 8)::DECIMAL(18, 3) AS m18,
  (range / 8)::DECIMAL(38, 9) AS m38, 'word ' || range % 9 AS s, 'a long and different string ' || range AS l,
  encode('x' || range) AS b, range % 3 = 0 AS flag, DATE '2000-01-01' + range::INTEGER AS day, TIME '01:02:03.004005' AS time,
  TIMESTAMP '2000-01-01 00:00:00.123456' + INTERVAL (range) SECOND AS ts, TIMESTAMPTZ '2000-01-01 00:00:00+00' + INTERVAL (range) HOUR AS tz,
  (TIMESTAMP '2000-01-01' + INTERVAL (range) MINUTE)::TIMESTAMP_MS AS ms, (TIMESTAMP '2000-01-01' + INTERVAL (range) MINUTE)::TIMESTAMP_NS AS ns,
  ('00000000-0000-0000-0000-' || lpad(range::VARCHAR, 12, '0'))::UUID AS uuid, (['a', 'b', 'c'])[1 + range % 3]::ENUM('a', 'b', 'c') AS enum,
  range(range % 4) AS list, [[range], NULL, []] AS lists, {'x': range, 'y': 'n' || range} AS point,
  MAP {'a': range, 'b': NULL} AS map, [{'x': range}] AS points, NULL::INTEGER AS nothing, range // 100 AS runs
  FROM range(1000))
""")
for version in ("V1", "V2"):
    for codec in ("snappy", "zstd", "gzip", "lz4_raw", "uncompressed"):
        db.execute(f"COPY t TO '{out}/{version}-{codec}.parquet' (FORMAT parquet, PARQUET_VERSION {version}, COMPRESSION {codec})")
db.execute(f"COPY t TO '{out}/groups.parquet' (FORMAT parquet, ROW_GROUP_SIZE 64)")
db.execute(f"COPY (SELECT * FROM t LIMIT 0) TO '{out}/empty.parquet' (FORMAT parquet)")
db.execute(f"COPY (SELECT i, s FROM t) TO '{out}/refused-brotli.parquet' (FORMAT parquet, COMPRESSION brotli)")
