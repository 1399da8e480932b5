"""What the peer scripts share: arguments, repeated timing, and the one line of JSON they print.

  with_NAME.py WORKLOAD --rows N --times T

The scripts are called with_NAME.py because a file NAME.py would hide the package NAME.
"""
import argparse
import glob
import json
import os
import sys
import tempfile
import time

given = None


def lineitem():
    """The Parquet files of TPC-H's lineitem below --data."""
    return os.path.join(given.data, "tpch", "lineitem", "*.parquet")


def orders():
    """The Parquet files of TPC-H's orders below --data."""
    return os.path.join(given.data, "tpch", "orders", "*.parquet")


def lineitem_csv():
    """The same as CSV, which Millrace's workload has made of it."""
    return os.path.join(given.data, "csv", "lineitem", "*.csv")


def mixed(table):
    """The Parquet files of a table that Millrace's workload has made: facts, names or pairs."""
    return os.path.join(given.data, "mixed", table, "*.parquet")


def line(values):
    """Numbers as text that engines agree on."""
    return " / ".join(f"{float(value):.8e}" for value in values)


def written(write):
    """Has something written to a folder of its own, which is then removed; returns what it returns."""
    with tempfile.TemporaryDirectory() as out:
        return write(out)


def small_files():
    """The many small Parquet files below --data."""
    return os.path.join(given.data, "small", "*.parquet")


def lineitem_json():
    """Three million rows of it as JSON lines, which Millrace's workload has made of it."""
    return os.path.join(given.data, "json", "lineitem", "*.json")


def images():
    """The JPEG files below --data, as many as there are rows."""
    return sorted(glob.glob(os.path.join(given.data, "images", "*.jpg")))[: given.rows]


def preprocess(image):
    """A Pillow image: the shorter side 256, the middle 224 x 224, normalised, float32, channels first."""
    import numpy as np
    from PIL import Image

    width, height = image.size
    scale = 256 / min(width, height)
    width, height = round(width * scale), round(height * scale)
    image = image.resize((width, height), Image.Resampling.BILINEAR)
    left, top = (width - 224) // 2, (height - 224) // 2
    pixels = np.asarray(image.crop((left, top, left + 224, top + 224)), dtype=np.float32) / 255.0
    mean, std = np.array([0.485, 0.456, 0.406], np.float32), np.array([0.229, 0.224, 0.225], np.float32)
    return np.ascontiguousarray(((pixels - mean) / std).transpose(2, 0, 1))


def resnet():
    """A function from a batch of prepared images to the number of the best class of each."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = os.cpu_count()
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(resnet_path(), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda batch: session.run(None, {name: batch})[0].argmax(axis=1)


def resnet_path():
    # In processes that an engine starts there are no arguments.
    return os.path.join(given.data, "resnet50.onnx") if given else os.environ["MILLRACE_PEER_MODEL"]


def rows_in(folder):
    """How many rows the Parquet files of a folder have."""
    import pyarrow.parquet as pq

    files = glob.glob(os.path.join(folder, "**", "*.parquet"), recursive=True)
    return f"{sum(pq.ParquetFile(file).metadata.num_rows for file in files)} rows"


def mark(line):
    """Tells whoever started the script, who reads the CPU time now and answers with a line."""
    print(line, flush=True)
    sys.stdin.readline()


def main(workloads, open_engine=None, close_engine=None):
    """Opens the engine (untimed), runs one workload some times in it, prints seconds and result.

    A workload is a function of the number of rows. The workload 'start' is timed from outside, until the line
    comes: its script runs it once.
    """
    global given
    arguments = argparse.ArgumentParser()
    arguments.add_argument("workload", choices=sorted(workloads))
    arguments.add_argument("--rows", type=int, required=True)
    arguments.add_argument("--times", type=int, default=1)
    arguments.add_argument("--data", help="a folder of input files, for the workloads that read some")
    given = arguments.parse_args()

    if open_engine:
        open_engine(given.workload)
    seconds, result = [], None
    for _ in range(given.times):
        mark("run begins")
        began = time.perf_counter()
        result = workloads[given.workload](given.rows)
        seconds.append(time.perf_counter() - began)
        mark("run ends")
    print(json.dumps({"seconds": seconds, "result": str(result)}), flush=True)
    if close_engine:
        close_engine()
