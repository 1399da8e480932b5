"""Writes Parquet files with Spark, which means parquet-java.

  spark_files.py OUT    OUT/NAME/part-*.parquet
"""
import datetime
import decimal
import random
import resource
import sys

from pyspark.sql import SparkSession
from pyspark.sql import types as t

out = sys.argv[1]
# Spark opens its hundreds of jars, however few files the tests may open.
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
random.seed(11)
spark = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
         .config("spark.sql.shuffle.partitions", "1").config("spark.driver.host", "127.0.0.1")
         .config("spark.sql.session.timeZone", "UTC").config("spark.default.parallelism", "1").getOrCreate())


def maybe(make):
    return None if random.random() < 0.2 else make()


def dec(p, s):
    return decimal.Decimal(random.randint(-10**p + 1, 10**p - 1)).scaleb(-s, decimal.Context(prec=60))


def row(i):
    point = lambda: {"x": maybe(lambda: random.randint(0, 9)), "name": maybe(lambda: "n%d" % i)}
    return (i, maybe(lambda: random.random() < 0.5), maybe(lambda: random.randint(-128, 127)),
            maybe(lambda: random.randint(-2**15, 2**15 - 1)), maybe(lambda: random.randint(-2**31, 2**31 - 1)),
            maybe(lambda: random.randint(-2**63, 2**63 - 1)), maybe(lambda: 0.5 * i), maybe(lambda: random.random()),
            maybe(lambda: dec(9, 2)), maybe(lambda: dec(18, 4)), maybe(lambda: dec(38, 10)),
            maybe(lambda: random.choice(("", "ü", "word %d" % (i % 7)))), maybe(lambda: bytes([i % 256] * (i % 5))),
            maybe(lambda: datetime.date(1970, 1, 1) + datetime.timedelta(days=random.randint(-9999, 29999))),
            maybe(lambda: datetime.datetime(1990, 1, 1) + datetime.timedelta(microseconds=random.randint(0, 10**15))),
            maybe(lambda: [maybe(lambda: random.randint(0, 9)) for _ in range(i % 4)]),
            maybe(lambda: [[k] * k for k in range(i % 3)]),
            maybe(lambda: [maybe(point) for _ in range(i % 3)]),
            maybe(lambda: {"k%d" % k: maybe(lambda: k) for k in range(i % 3)}), maybe(point))


point = t.StructType([t.StructField("x", t.IntegerType()), t.StructField("name", t.StringType())])
schema = t.StructType([t.StructField("id", t.LongType(), False)] + [t.StructField(n, k) for n, k in {
    "bool": t.BooleanType(), "byte": t.ByteType(), "short": t.ShortType(), "int": t.IntegerType(), "long": t.LongType(),
    "float": t.FloatType(), "double": t.DoubleType(), "decimal9": t.DecimalType(9, 2), "decimal18": t.DecimalType(18, 4),
    "decimal38": t.DecimalType(38, 10), "string": t.StringType(), "binary": t.BinaryType(), "date": t.DateType(),
    "at": t.TimestampType(), "ints": t.ArrayType(t.IntegerType()), "lists": t.ArrayType(t.ArrayType(t.IntegerType())),
    "points": t.ArrayType(point), "map": t.MapType(t.StringType(), t.IntegerType()), "point": point}.items()])
table = spark.createDataFrame([row(i) for i in range(1500)], schema).coalesce(1)

for name, options in {
        "snappy-int96": {},
        "zstd-micros": {"compression": "zstd", "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS"},
        "gzip-millis": {"compression": "gzip", "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MILLIS"},
        "lz4raw-v2": {"compression": "lz4_raw", "parquet.writer.version": "v2", "parquet.page.size": "2000"},
        "none-legacy": {"compression": "none", "spark.sql.parquet.writeLegacyFormat": "true"},
        "plain-v2": {"compression": "none", "parquet.writer.version": "v2", "parquet.enable.dictionary": "false"},
        "small-pages": {"parquet.page.size": "500", "parquet.block.size": "20000", "parquet.page.row.count.limit": "100"},
        "bloom": {"parquet.bloom.filter.enabled#string": "true", "parquet.bloom.filter.enabled#id": "true"}}.items():
    for key, value in options.items():
        if key.startswith("spark."):
            spark.conf.set(key, value)
    writer = table.write
    for key, value in options.items():
        if not key.startswith("spark."):
            writer = writer.option(key, value)
    writer.parquet(f"{out}/{name}")
    for key in options:
        if key.startswith("spark."):
            spark.conf.unset(key)
table.limit(0).write.parquet(f"{out}/empty")
table.selectExpr("id", "string", "id % 3 AS third", "date").where("id < 100").write.partitionBy("third").parquet(f"{out}/hive")
spark.stop()
