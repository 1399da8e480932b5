"""write FOLDER: files that fastavro makes, beside each its rows as JSON lines. check FOLDER: prints what fastavro reads."""
import datetime
import decimal
import json
import os
import sys
import uuid

import fastavro

EVERYTHING = {
    "type": "record",
    "name": "Everything",
    "namespace": "test.one",
    "fields": [
        {"name": "bool", "type": "boolean"},
        {"name": "int", "type": "int"},
        {"name": "long", "type": "long"},
        {"name": "float", "type": "float"},
        {"name": "double", "type": "double"},
        {"name": "bytes", "type": "bytes"},
        {"name": "string", "type": {"type": "string", "avro.java.string": "String"}},
        {"name": "maybe", "type": ["null", "string"], "default": None},
        {"name": "maybe2", "type": ["long", "null"]},
        {"name": "only", "type": ["string"]},
        {"name": "nothing", "type": "null"},
        {"name": "color", "type": {"type": "enum", "name": "Color", "symbols": ["RED", "GREEN"]}},
        {"name": "again", "type": ["null", "Color"]},
        {"name": "hash", "type": {"type": "fixed", "name": "Hash", "size": 4}},
        {"name": "list", "type": {"type": "array", "items": ["null", "int"]}},
        {"name": "lists", "type": {"type": "array", "items": {"type": "array", "items": "string"}}},
        {"name": "map", "type": {"type": "map", "values": "long"}},
        {"name": "point", "type": ["null", {"type": "record", "name": "Point", "namespace": "test.two", "fields": [
            {"name": "x", "type": "double"}, {"name": "tags", "type": {"type": "array", "items": "string"}}]}]},
        {"name": "points", "type": {"type": "array", "items": "test.two.Point"}},
        {"name": "number", "type": ["null", "int", "long"]},
        {"name": "real", "type": ["float", "double"]},
        {"name": "mixed", "type": ["null", "string", "boolean", "Hash"]},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {"name": "ms", "type": {"type": "int", "logicalType": "time-millis"}},
        {"name": "us", "type": {"type": "long", "logicalType": "time-micros"}},
        {"name": "tms", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "tus", "type": ["null", {"type": "long", "logicalType": "timestamp-micros"}]},
        {"name": "local", "type": {"type": "long", "logicalType": "local-timestamp-micros"}},
        {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 2}},
        {"name": "cost", "type": {"type": "fixed", "name": "Cost", "size": 16, "logicalType": "decimal", "precision": 38, "scale": 10}},
        {"name": "id", "type": {"type": "string", "logicalType": "uuid"}},
        {"name": "odd", "type": {"type": "string", "logicalType": "of-my-own"}},
    ],
}


def row(i):
    time = datetime.datetime(2024, 2, 29, 12, 34, 56, 789000, tzinfo=datetime.timezone.utc) + datetime.timedelta(hours=i)
    return {
        "bool": i % 2 == 0, "int": -i * 1000, "long": i << 40, "float": i / 4, "double": i / 3,
        "bytes": bytes(range(i % 5)), "string": "größe " * (i % 3), "maybe": None if i % 3 == 0 else f"m{i}",
        "maybe2": None if i % 4 == 0 else -i, "only": "o", "nothing": None, "color": ["RED", "GREEN"][i % 2],
        "again": None if i % 2 else "GREEN", "hash": bytes([i % 256] * 4),
        "list": [None if j == 1 else j for j in range(i % 4)], "lists": [["a"] * j for j in range(i % 3)],
        "map": {f"k{j}": j for j in range(i % 3)},
        "point": None if i % 2 else {"x": i / 2, "tags": ["t"]}, "points": [{"x": 0.5, "tags": []}] * (i % 2),
        "number": [None, 5, 5 << 40][i % 3], "real": 0.5, "mixed": [None, "text", True][i % 3],
        "day": time.date(), "ms": time.time(), "us": time.time(), "tms": time, "tus": None if i % 5 == 0 else time,
        "local": time.replace(tzinfo=None), "price": decimal.Decimal(i * 7 - 100).scaleb(-2),
        "cost": decimal.Decimal(-i * 10**20).scaleb(-10), "id": uuid.UUID(int=i), "odd": "x",
    }


def expected(r):
    """What each column holds, as text that the test makes too."""
    out = {}
    for key, value in r.items():
        if isinstance(value, bytes):
            value = value.hex()
        elif isinstance(value, datetime.datetime):
            value = value.replace(tzinfo=None).isoformat()
        elif isinstance(value, (datetime.date, datetime.time)):
            value = value.isoformat()
        elif isinstance(value, (decimal.Decimal, uuid.UUID)):
            value = f"{value:f}" if isinstance(value, decimal.Decimal) else str(value)
        elif key == "mixed" and value is not None:
            value = {"member0": value if isinstance(value, str) else None, "member1": value if value is True else None, "member2": None}
        out[key] = value
    return out


def write(folder):
    rows = [row(i) for i in range(2000)]
    schema = fastavro.parse_schema(EVERYTHING)
    for codec in ["null", "deflate", "snappy", "zstandard", "bzip2", "xz"]:
        with open(os.path.join(folder, codec + ".avro"), "wb") as out:
            fastavro.writer(out, schema, rows if codec != "xz" else rows[:100], codec=codec, sync_interval=20_000)
    with open(os.path.join(folder, "rows.json"), "w") as out:
        for r in rows:
            out.write(json.dumps(expected(r)) + "\n")
    with open(os.path.join(folder, "strings.avro"), "wb") as out:
        fastavro.writer(out, "string", ["a", "b", "c"])
    with open(os.path.join(folder, "none.avro"), "wb") as out:
        fastavro.writer(out, schema, [])
    with open(os.path.join(folder, "tree.avro"), "wb") as out:
        fastavro.writer(out, fastavro.parse_schema({"type": "record", "name": "Tree", "fields": [
            {"name": "left", "type": ["null", "Tree"]}]}), [{"left": None}])
    with open(os.path.join(folder, "large.avro"), "wb") as out:
        fastavro.writer(out, fastavro.parse_schema({"type": "record", "name": "R", "fields": [
            {"name": "id", "type": "long"}, {"name": "text", "type": "string"}]}),
            ({"id": i, "text": "t" * (i % 100)} for i in range(40_000)), sync_interval=8_000)


def check(folder):
    for name in sorted(os.listdir(folder)):
        files = sorted(f for f in os.listdir(os.path.join(folder, name)) if not f.startswith("_"))
        for i, file in enumerate(files):
            with open(os.path.join(folder, name, file), "rb") as data:
                reader = fastavro.reader(data)
                rows = list(reader)
                print(name, reader.codec, len(rows), rows[:2])


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](sys.argv[2])
