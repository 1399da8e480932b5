"""write FOLDER: TFRecord files of examples that protobuf encodes. check FOLDER: prints the examples of each folder."""
import os
import struct
import sys

from tfrecord import TFRecordWriter, example_pb2
from tfrecord.reader import tfrecord_iterator


def frame(out, record):
    length = struct.pack("<Q", len(record))
    out.write(length + TFRecordWriter.masked_crc(length) + record + TFRecordWriter.masked_crc(record))


def write(folder):
    writer = TFRecordWriter(os.path.join(folder, "plain.tfrecords"))
    for i in range(5000):
        writer.write(
            {
                "id": (i, "int"),
                "negative": (-i, "int"),
                "score": (i / 4, "float"),
                "name": (f"näme {i}".encode(), "byte"),
                "list": (list(range(i % 4)), "int"),
                "reals": ([0.5] * (i % 3), "float"),
                "parts": ([b"x" * j for j in range(i % 3)], "byte"),
            }
        )
    writer.close()
    with open(os.path.join(folder, "sparse.tfrecord"), "wb") as out:
        for i in range(10):
            features = example_pb2.Features()
            if i % 2 == 0:
                features.feature["even"].int64_list.value.append(i)
            features.feature["nothing"].SetInParent()
            frame(out, example_pb2.Example(features=features).SerializeToString())
        # Numbers that are not packed, unknown fields, the value before the key.
        unpacked = b"\x12" + b"\x06" + b"\x1a\x04\x08\x07\x08\x09" + b"\x0a\x04even" + b"\x78\x01"
        features = b"\x0a" + bytes([len(unpacked)]) + unpacked + b"\x7d\x00\x00\x00\x00"
        with open(os.path.join(folder, "odd.tfrecord"), "wb") as odd:
            frame(odd, b"\x0a" + bytes([len(features)]) + features + b"\x79" + b"\x00" * 8)
    with open(os.path.join(folder, "other.raw"), "wb") as out:
        for i in range(3):
            frame(out, b"\xff" * (i * 100_000))
    with open(os.path.join(folder, "late.tfrecord"), "wb") as out:
        for i in range(1200):
            features = example_pb2.Features()
            features.feature["n"].int64_list.value.extend([1] if i < 1100 else [1, 2])
            frame(out, example_pb2.Example(features=features).SerializeToString())


def check(folder):
    for name in sorted(os.listdir(folder)):
        for file in sorted(f for f in os.listdir(os.path.join(folder, name)) if not f.startswith("_")):
            path = os.path.join(folder, name, file)
            with open(path, "rb") as data:
                content = data.read()
            at = 0
            for record in tfrecord_iterator(path):
                record = bytes(record)
                assert content[at + 8 : at + 12] == TFRecordWriter.masked_crc(content[at : at + 8])
                at += 12 + len(record)
                assert content[at : at + 4] == TFRecordWriter.masked_crc(record)
                at += 4
                if name == "raw":
                    print(name, record)
                    continue
                example = example_pb2.Example.FromString(record)
                cells = []
                for key in sorted(example.features.feature):
                    feature = example.features.feature[key]
                    kind = feature.WhichOneof("kind")
                    cells.append(f"{key}={kind and list(getattr(feature, kind).value)}")
                print(name, "; ".join(cells))


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](sys.argv[2])
