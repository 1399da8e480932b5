"""pyarrow alone, without an engine: its readers with all threads."""
import datetime
import glob
from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.dataset
import pyarrow.json

import peer


def dataset():
    return pyarrow.dataset.dataset(sorted(glob.glob(peer.lineitem())), format="parquet")


def read(rows):
    return sum(batch.num_rows for batch in dataset().to_batches())


def scan(rows):
    kept = (pc.field("l_shipdate") >= datetime.date(1995, 1, 1)) & (pc.field("l_discount") > Decimal("0.05"))
    count, revenue = 0, 0.0
    for batch in dataset().to_batches(columns=["l_extendedprice", "l_discount"], filter=kept):
        real = pa.float64()
        product = pc.multiply(batch["l_extendedprice"].cast(real), batch["l_discount"].cast(real))
        count += batch.num_rows
        revenue += pc.sum(product).as_py() or 0.0
    return f"{count} / {revenue:.2f}"


def csv(rows):
    return sum(pyarrow.csv.read_csv(file).num_rows for file in sorted(glob.glob(peer.lineitem_csv())))


def json(rows):
    return sum(pyarrow.json.read_json(file).num_rows for file in sorted(glob.glob(peer.lineitem_json())))


peer.main({"csv": csv, "json": json, "read": read, "scan": scan})
