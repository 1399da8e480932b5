"""PySpark in local mode: Arrow batches through Python for `range`, an RDD of rows for `rows`."""
import os
import sys

import pyarrow as pa
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F

import peer

spark = None


def open_spark(workload):
    global spark
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.memory", "4g").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")


def double(batches):
    for batch in batches:
        yield pa.record_batch({"id": batch["id"].to_numpy() * 2})


def thirds(batches):
    for batch in batches:
        ids = batch["id"].to_numpy()
        yield pa.record_batch({"id": ids[ids % 3 == 0]})


def range_(rows):
    kept = spark.range(rows).mapInArrow(double, "id long").mapInArrow(thirds, "id long")
    return kept.agg(F.sum("id")).first()[0]


def rows(count):
    mapped = spark.range(count).rdd.map(lambda row: Row(id=row.id * 2, s=str(row.id)))
    return mapped.filter(lambda row: row.id % 3 == 0).count()


def start(rows):
    return spark.range(rows).take(1)[0].id


peer.main({"range": range_, "rows": rows, "start": start}, open_spark, lambda: spark.stop())
