"""Makes Iceberg tables and tells what is in them, by pyiceberg.

make FOLDER KIND...   tables in a catalog of SQLite, and beside it what a read must give: FOLDER/expected/NAME.arrow
read FOLDER NAME...   writes FOLDER/expected/NAME.arrow of the table db.NAME as it is now
"""
import datetime as dt
import decimal
import os
import sys
import uuid

import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import (BucketTransform, DayTransform, HourTransform, IdentityTransform, MonthTransform,
                                  TruncateTransform, YearTransform)
from pyiceberg.types import (BinaryType, BooleanType, DateType, DecimalType, DoubleType, FixedType, FloatType,
                             IntegerType, ListType, LongType, MapType, NestedField, StringType, StructType,
                             TimestampType, TimestamptzType, TimeType, UUIDType)

folder = sys.argv[2]
catalog = SqlCatalog("test", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/warehouse")


def write(table, name):
    os.makedirs(f"{folder}/expected", exist_ok=True)
    with pa.OSFile(f"{folder}/expected/{name}.arrow", "wb") as sink:
        with pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)


def tell(name, as_name=None, **scan):
    write(catalog.load_table(f"db.{name}").scan(**scan).to_arrow(), as_name or name)


def every_type():
    struct = StructType(NestedField(21, "x", IntegerType(), required=False),
                        NestedField(22, "y", StringType(), required=False))
    fields = [("flag", BooleanType()), ("small", IntegerType()), ("big", LongType()), ("real", FloatType()),
              ("double", DoubleType()), ("day", DateType()), ("clock", TimeType()), ("local", TimestampType()),
              ("instant", TimestamptzType()), ("text", StringType()), ("bytes", BinaryType()),
              ("money", DecimalType(9, 2)), ("large", DecimalType(18, 3)), ("huge", DecimalType(30, 4)),
              ("fixed", FixedType(4)), ("uuid", UUIDType()),
              ("point", struct),
              ("tags", ListType(31, StringType(), element_required=False)),
              ("points", ListType(32, StructType(NestedField(33, "x", IntegerType(), required=False)),
                                  element_required=False)),
              ("attributes", MapType(41, StringType(), 42, LongType(), value_required=False))]
    schema = Schema(NestedField(1, "id", LongType(), required=True),
                    *[NestedField(i + 2, name, kind, required=False) for i, (name, kind) in enumerate(fields)])
    table = catalog.create_table("db.every_type", schema)
    arrow = table.schema().as_arrow()

    def row(i):
        if i % 7 == 0:
            return {"id": i}
        return {"id": i, "flag": i % 2 == 0, "small": i * 3 - 50, "big": i << 40, "real": i / 4, "double": -i / 3,
                "day": dt.date(1960 + i, 3, 1), "clock": dt.time(i % 24, 5, 6, i),
                "local": dt.datetime(1950 + i, 1, 2, 3, 4, 5, i),
                "instant": dt.datetime(1990, 1, 1, i % 24, tzinfo=dt.timezone.utc), "text": f"täxt {i}" * (i % 3),
                "bytes": bytes([i, 0, 255]), "money": decimal.Decimal(i - 40).scaleb(-2),
                "large": decimal.Decimal(i * 10**12 + 1).scaleb(-3), "huge": decimal.Decimal(-i * 10**24 - 7).scaleb(-4),
                "fixed": bytes([1, 2, 3, i]), "uuid": uuid.UUID(int=i << 64 | 5).bytes,
                "point": {"x": i, "y": None if i % 3 == 0 else "y"}, "tags": [f"t{k}" for k in range(i % 4)],
                "points": [{"x": k} for k in range(i % 3)], "attributes": [(f"k{k}", k) for k in range(i % 3)]}
    for part in range(3):
        table.append(pa.Table.from_pylist([row(i) for i in range(part * 40, part * 40 + 40)], schema=arrow))
    tell("every_type")


def partitioned():
    schema = Schema(NestedField(1, "zone", StringType(), required=False), NestedField(2, "number", LongType(), required=False),
                    NestedField(3, "time", TimestampType(), required=False), NestedField(4, "day", DateType(), required=False),
                    NestedField(5, "money", DecimalType(9, 2), required=False))
    specs = {"by_zone": [PartitionField(1, 1000, IdentityTransform(), "zone")],
             "by_day": [PartitionField(3, 1000, DayTransform(), "d"), PartitionField(2, 1001, BucketTransform(3), "b")],
             "by_month": [PartitionField(4, 1000, MonthTransform(), "m"), PartitionField(1, 1001, TruncateTransform(1), "t")],
             "by_date": [PartitionField(4, 1000, IdentityTransform(), "day"), PartitionField(5, 1001, IdentityTransform(), "money")],
             "by_hour": [PartitionField(3, 1000, HourTransform(), "h"), PartitionField(4, 1001, YearTransform(), "y")]}
    rows = [{"zone": None if i % 11 == 0 else f"zone {i % 4}", "number": i * i,
             "time": None if i % 13 == 0 else dt.datetime(2024, 1, 1) + dt.timedelta(hours=5 * (i % 20)),
             "day": dt.date(2024, 1 + i % 3, 1), "money": decimal.Decimal(i % 5).scaleb(-2)} for i in range(200)]
    for name, fields in specs.items():
        table = catalog.create_table(f"db.{name}", schema, partition_spec=PartitionSpec(*fields))
        # The same kind of table, empty, for others to write to.
        catalog.create_table(f"db.{name}_written", schema, partition_spec=PartitionSpec(*fields))
        arrow = table.schema().as_arrow()
        table.append(pa.Table.from_pylist(rows[:100], schema=arrow))
        table.append(pa.Table.from_pylist(rows[100:], schema=arrow))
        tell(name)


def evolved():
    schema = Schema(NestedField(1, "a", IntegerType(), required=False), NestedField(2, "b", FloatType(), required=False),
                    NestedField(3, "c", DecimalType(9, 2), required=False), NestedField(4, "d", StringType(), required=False),
                    NestedField(5, "s", StructType(NestedField(6, "x", IntegerType(), required=False),
                                                   NestedField(7, "y", StringType(), required=False)), required=False))
    table = catalog.create_table("db.evolved", schema)

    def append(rows):
        table.append(pa.Table.from_pylist(rows, schema=table.schema().as_arrow()))
    append([{"a": i, "b": i / 8, "c": decimal.Decimal(i).scaleb(-2), "d": f"d{i}", "s": {"x": i, "y": f"y{i}"}}
            for i in range(30)])
    first = table.current_snapshot().snapshot_id
    with table.update_schema() as update:
        update.rename_column("a", "number")
        update.update_column("a", LongType())
        update.update_column("b", DoubleType())
        update.update_column("c", DecimalType(18, 2))
        update.rename_column("s.x", "left")
        update.add_column(("s", "right"), LongType())
    append([{"number": i << 40, "b": i / 3, "c": decimal.Decimal(i * 10**12).scaleb(-2), "d": f"d{i}",
             "s": {"left": i, "y": f"y{i}", "right": i << 33}} for i in range(30, 60)])
    with table.update_schema() as update:
        update.delete_column("d")
    with table.update_schema() as update:
        # Another column under the old name, and the old name of a renamed one.
        update.add_column("d", LongType())
        update.add_column("a", StringType())
        update.move_first("d")
    append([{"number": i, "d": -i, "a": f"a{i}", "s": None} for i in range(60, 90)])
    tell("evolved")
    tell("evolved", "evolved_first", snapshot_id=first)
    print(f"evolved_first {first}")


def deleted():
    schema = Schema(NestedField(1, "id", LongType(), required=False), NestedField(2, "text", StringType(), required=False))
    table = catalog.create_table("db.deleted", schema)
    for part in range(3):
        table.append(pa.table({"id": list(range(part * 100, part * 100 + 100)),
                               "text": [f"row {i}" for i in range(100)]}, schema=table.schema().as_arrow()))
    table.manage_snapshots().create_tag(table.current_snapshot().snapshot_id, "before").commit()
    tell("deleted", "deleted_before")
    table.delete("id >= 50 and id < 120")
    tell("deleted")
    catalog.create_table("db.written", schema)


def plain():
    schema = Schema(NestedField(1, "id", LongType(), required=False), NestedField(2, "text", StringType(), required=False))
    for name in ["positions", "equalities"]:
        table = catalog.create_table(f"db.{name}", schema)
        for part in range(2):
            table.append(pa.table({"id": list(range(part * 1000, part * 1000 + 1000)),
                                   "text": [f"row {i % 10}" for i in range(1000)]}, schema=table.schema().as_arrow()))


if sys.argv[1] == "make":
    catalog.create_namespace("db")
    for kind in sys.argv[3:]:
        {"every_type": every_type, "partitioned": partitioned, "evolved": evolved, "deleted": deleted, "plain": plain}[kind]()
else:
    for name in sys.argv[3:]:
        tell(name)
