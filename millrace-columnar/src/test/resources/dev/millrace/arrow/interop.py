"""Arrow IPC between pyarrow and Millrace, in both directions.

    interop.py write DIR   writes every case in every format, with the values that Millrace should read
    interop.py check DIR   reads what Millrace wrote and compares it with the case
"""

import json
import struct
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa

COMPRESSIONS = [None, "lz4", "zstd"]
UNITS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


class Case:
    """An array with nulls, what its type is called in Millrace, and the Arrow type that Millrace writes for it."""

    def __init__(self, name, array, millrace, written=None):
        self.name, self.array, self.millrace, self.written = name, array, millrace, written or array.type

    def batches(self):
        """Everything, an odd slice, nothing, and the values that are there."""
        array = self.array
        return [array, array.slice(3, len(array) - 4), array.slice(0, 0), self.valid()]

    def valid(self):
        try:
            return self.array if pa.types.is_null(self.array.type) else self.array.filter(self.array.is_valid())
        except pa.ArrowNotImplementedError:  # pyarrow has no filter for views
            return pa.array([v for v in self.array.to_pylist() if v is not None], self.array.type)


def cases():
    def simple(name, values, type, millrace, written=None):
        made.append(Case(name, pa.array(values, type), millrace, written))

    made = []
    simple("null", [None] * 9, pa.null(), "null")
    simple("bool", [True, None, False, True, True, None, False, True, False, True, None, True], pa.bool_(), "bool")
    for bits in (8, 16, 32, 64):
        low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        simple(f"int{bits}", [1, None, low, high, 0, None, -1, 7], getattr(pa, f"int{bits}")(), f"int{bits}")
        simple(f"uint{bits}", [1, None, 0, 2**bits - 1, 5, None, 9, 7], getattr(pa, f"uint{bits}")(), f"uint{bits}")
    floats = [1.5, None, -0.0, float("inf"), float("nan"), 0.25, None, -65504.0]
    simple("float16", [None if f is None else np.float16(f) for f in floats], pa.float16(), "float16")
    simple("float32", floats, pa.float32(), "float32")
    simple("float64", floats, pa.float64(), "float64")
    decimals = [Decimal("1.25"), None, Decimal("-99.99"), Decimal("0.00"), Decimal("12345.67"), None, Decimal("-1.00")]
    simple("decimal128", decimals, pa.decimal128(10, 2), "decimal(10, 2)")
    wide = [None if d is None else d * 10**20 for d in decimals]
    simple("decimal128_wide", wide, pa.decimal128(38, 4), "decimal(38, 4)")
    simple("decimal32", decimals, pa.decimal32(9, 2), "decimal(9, 2)", pa.decimal128(9, 2))
    simple("decimal64", decimals, pa.decimal64(18, 2), "decimal(18, 2)", pa.decimal128(18, 2))
    days = [0, None, -1, 19000, 20000, None, -30000, 1]
    simple("date32", days, pa.date32(), "date")
    millis = [None if d is None else d * 86_400_000 for d in days]
    made.append(Case("date64", pa.array(millis, pa.int64()).cast(pa.date64()), "date", pa.date32()))
    for unit in UNITS:
        counts = [0, None, 1, 86_399, 3_600, None, 12_345, 7]
        time = pa.time32(unit) if unit in ("s", "ms") else pa.time64(unit)
        simple(f"time_{unit}", counts, time, f"time[{unit}]")
        counts = [0, None, -1, 1_700_000_000, -5_000_000_000, None, 123, 4]
        simple(f"timestamp_{unit}", counts, pa.timestamp(unit), f"timestamp[{unit}]")
        simple(f"duration_{unit}", counts, pa.duration(unit), f"duration[{unit}]")
    for zone in ("UTC", "Europe/Berlin", "+05:30"):
        name = "timestamp_" + zone.replace("/", "_").replace(":", "").replace("+", "p")
        simple(name, [0, None, 1, 1_700_000_000_000_000, -5, None, 2], pa.timestamp("us", zone), f"timestamp[us, {zone}]")
    texts = ["a", None, "", "Zürich", "a string that is longer than twelve bytes", None, "日本", "𝄞", "end"]
    simple("utf8", texts, pa.utf8(), "utf8")
    simple("large_utf8", texts, pa.large_utf8(), "utf8")
    simple("utf8_view", texts, pa.string_view(), "utf8", pa.utf8())
    blobs = [None if t is None else t.encode() + b"\x00\xff" for t in texts]
    simple("binary", blobs, pa.binary(), "binary")
    simple("large_binary", blobs, pa.large_binary(), "binary")
    simple("binary_view", blobs, pa.binary_view(), "binary", pa.binary())
    simple("fixed_binary", [b"abcd", None, b"\x00\x00\x00\x00", b"wxyz", b"1234", None, b"5678"], pa.binary(4), "binary",
           pa.binary())
    lists = [[1, 2], None, [], [None, 3], [4, 5, 6, 7], None, [8], []]
    simple("list_int", lists, pa.list_(pa.int32()), "list<int32>")
    simple("large_list_int", lists, pa.large_list(pa.int32()), "list<int32>")
    simple("list_utf8", [["a", None], None, [], ["bc", "d"], ["e"], None, ["f", "g"]], pa.list_(pa.utf8()), "list<utf8>")
    simple("large_list_large_utf8", [["a", None], None, [], ["bc", "d"], ["e"], None, ["f", "g"]],
           pa.large_list(pa.large_utf8()), "list<utf8>")
    simple("list_list", [[[1], [2, 3]], None, [[], None], [[4]], [], [[5, 6]]], pa.list_(pa.list_(pa.int64())),
           "list<list<int64>>")
    simple("list_bool", [[True], None, [False, None, True], [], [True] * 9, [False]], pa.list_(pa.bool_()), "list<bool>")
    simple("list_null", [[None], None, [], [None, None], [], [None]], pa.list_(pa.null()), "list<null>")
    simple("fixed_list", [[1, 2, 3], None, [4, None, 6], [7, 8, 9], [0, 0, 1], None, [3, 2, 1]], pa.list_(pa.int16(), 3),
           "list<int16, 3>")
    simple("fixed_list_utf8", [["a", "b"], None, [None, "cd"], ["e", "f"], ["", "g"], ["h", None]], pa.list_(pa.utf8(), 2),
           "list<utf8, 2>")
    structs = [{"a": 1, "b": "x"}, None, {"a": None, "b": "y"}, {"a": 4, "b": None}, {"a": 5, "b": ""}, {"a": 6, "b": "z"}]
    simple("struct", structs, pa.struct([("a", pa.int32()), ("b", pa.utf8())]), "struct<a: int32, b: utf8>")
    simple("struct_nested", [{"p": s, "q": [s]} for s in structs],
           pa.struct([("p", pa.struct([("a", pa.int8()), ("b", pa.utf8())])),
                      ("q", pa.list_(pa.struct([("a", pa.float64()), ("b", pa.binary())])))]),
           "struct<p: struct<a: int8, b: utf8>, q: list<struct<a: float64, b: binary>>>")
    simple("struct_empty", [{}, None, {}, {}, {}, None], pa.struct([]), "struct<>")
    simple("map", [[("a", 1), ("b", None)], None, [], [("c", 3)], [("d", 4), ("e", 5)], None, [("f", 6)]],
           pa.map_(pa.utf8(), pa.int64()), "map<utf8, int64>")
    simple("map_nested", [[(1, ["a"])], None, [], [(2, None), (3, [])], [(4, ["b", None])], [(5, ["c"])]],
           pa.map_(pa.int32(), pa.list_(pa.utf8())), "map<int32, list<utf8>>")
    words = ["red", None, "green", "red", "blue", None, "green", "red"]
    for index in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"):
        type = pa.dictionary(getattr(pa, index)(), pa.utf8())
        made.append(Case(f"dictionary_{index}", pa.array(words).dictionary_encode().cast(type), "dictionary<utf8>"))
    made.append(Case("dictionary_ordered", pa.DictionaryArray.from_arrays(
        pa.array([0, None, 1, 2, 0, 1], pa.int32()), pa.array(["low", "mid", "high"]), ordered=True), "dictionary<utf8>"))
    made.append(Case("dictionary_with_null", pa.DictionaryArray.from_arrays(
        pa.array([0, None, 1, 2, 0, 1], pa.int32()), pa.array([10, None, 30])), "dictionary<int64>"))
    inner = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, None, 1, 1, 0], pa.int32()), pa.array(["x", "y"]))
    made.append(Case("dictionary_in_list", pa.ListArray.from_arrays(pa.array([0, 2, 2, 3, 5, 6, 7], pa.int32()), inner),
                     "list<dictionary<utf8>>"))
    made.append(Case("dictionary_in_struct", pa.StructArray.from_arrays([inner, inner], ["s", "t"]),
                     "struct<s: dictionary<utf8>, t: dictionary<utf8>>"))
    made.append(Case("dictionary_of_lists", pa.DictionaryArray.from_arrays(
        pa.array([1, None, 0, 1, 1, 0], pa.int32()), pa.array([[1, 2], [3]])), "dictionary<list<int64>>"))
    made.append(Case("dictionary_in_dictionary", pa.DictionaryArray.from_arrays(
        pa.array([2, 0, None, 1, 2, 0], pa.int32()), pa.StructArray.from_arrays([inner.slice(0, 3)], ["v"])),
                     "dictionary<struct<v: dictionary<utf8>>>"))
    for name, element in (("float32", pa.float32()), ("uint8", pa.uint8()), ("float16", pa.float16())):
        storage = pa.array([[np.float16(i + j) if name == "float16" else i + j for j in range(6)] for i in range(7)],
                           pa.list_(element, 6))
        made.append(Case(f"tensor_{name}", pa.ExtensionArray.from_storage(
            pa.fixed_shape_tensor(element, [2, 3]), storage), f"tensor<{name}, 2x3>"))
    storage = pa.array([[1, 2, 3, 4], None, [5, 6, 7, 8], [9, 10, 11, 12], None, [1, 1, 1, 1]], pa.list_(pa.int64(), 4))
    made.append(Case("tensor_nulls", pa.ExtensionArray.from_storage(
        pa.fixed_shape_tensor(pa.int64(), [4]), storage), "tensor<int64, 4>"))
    made.append(Case("uuid", pa.ExtensionArray.from_storage(
        pa.uuid(), pa.array([bytes([i] * 16) if i != 1 else None for i in range(7)], pa.binary(16))), "binary", pa.binary()))
    simple("big_int64", [None if i % 11 == 0 else i * i % 1000 for i in range(60_000)], pa.int64(), "int64")
    simple("big_utf8", [None if i % 7 == 0 else f"value {i % 997}" for i in range(30_000)], pa.utf8(), "utf8")
    return made


def variable_tensors():
    """Written and read by its metadata: not every pyarrow knows the type."""
    type = pa.struct([("data", pa.list_(pa.float32())), ("shape", pa.list_(pa.int32(), 2))])
    values = [{"data": [1.0, 2.0], "shape": [2, 1]}, None, {"data": [], "shape": [0, 3]},
              {"data": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "shape": [2, 3]}, {"data": [9.0], "shape": [1, 1]}, None]
    metadata = {"ARROW:extension:name": "arrow.variable_shape_tensor", "ARROW:extension:metadata": "{}"}
    return pa.field("c", type, metadata=metadata), pa.array(values, type)


def bits(value):
    return struct.pack(">d", value).hex()


def canonical(scalar):
    """A value as both sides write it to JSON."""
    if not scalar.is_valid:
        return None
    type = scalar.type
    if isinstance(type, pa.FixedShapeTensorType):
        return {"shape": list(type.shape), "data": [canonical(v) for v in scalar.value.values]}
    if isinstance(type, pa.BaseExtensionType):
        return canonical(scalar.value)
    if pa.types.is_dictionary(type):
        return canonical(scalar.dictionary[scalar.index.as_py()])
    if pa.types.is_struct(type):
        return [canonical(scalar[i]) for i in range(type.num_fields)]
    if pa.types.is_map(type):
        return [[canonical(entry[0]), canonical(entry[1])] for entry in scalar.values]
    if isinstance(scalar, pa.ListScalar):
        return [canonical(v) for v in scalar.values]
    if pa.types.is_timestamp(type) or pa.types.is_duration(type) or pa.types.is_time(type):
        return str(scalar.value * UNITS[type.unit])
    value = scalar.as_py()
    if pa.types.is_decimal(type):
        return format(value, "f")
    if pa.types.is_date(type):
        return value.isoformat()
    if pa.types.is_floating(type):
        return bits(float(value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return "b:" + value.hex()
    if isinstance(value, str):
        return "s:" + value.encode().hex()
    return str(value)


def save(path, schema, batches, kind, compression):
    options = pa.ipc.IpcWriteOptions(compression=compression)
    make = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
    with make(str(path), schema, options=options) as writer:
        for batch in batches:
            writer.write_batch(pa.record_batch([batch], schema=schema))


def write(directory):
    for case in cases():
        batches = case.batches()
        schema = pa.schema([("c", case.array.type)])
        for kind in ("stream", "file"):
            for compression in COMPRESSIONS:
                save(directory / f"{case.name}.{compression or 'none'}.{kind}", schema, batches, kind, compression)
        expect(directory / f"{case.name}.expect", case.millrace, batches)
    field, array = variable_tensors()
    batches = [array, array.slice(1, 4)]
    for kind in ("stream", "file"):
        for compression in COMPRESSIONS:
            save(directory / f"variable_tensor.{compression or 'none'}.{kind}", pa.schema([field]), batches, kind, compression)
    rows = lambda a: [None if v is None else {"shape": v["shape"], "data": [bits(d) for d in v["data"]]}
                      for v in a.to_pylist()]
    lines = ["tensor<float32, 2d>"] + [json.dumps(rows(b), separators=(",", ":")) for b in batches]
    (directory / "variable_tensor.expect").write_text("\n".join(lines) + "\n")
    write_dictionaries(directory)
    write_unsupported(directory)


def expect(path, millrace, batches):
    lines = [json.dumps([canonical(v) for v in batch], separators=(",", ":")) for batch in batches]
    path.write_text("\n".join([millrace] + lines) + "\n")


class ChangingDictionary(Case):
    """Each batch has a dictionary of its own: replaced in a stream, united in a file."""

    def __init__(self):
        super().__init__("replaced", self.batches()[0], "dictionary<utf8>")

    def batches(self):
        return changing_dictionaries()


def changing_dictionaries():
    one = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 0], pa.int16()), pa.array(["a", "b"]))
    grown = pa.DictionaryArray.from_arrays(pa.array([2, 1, 0], pa.int16()), pa.array(["a", "b", "c"]))
    other = pa.DictionaryArray.from_arrays(pa.array([0, 0], pa.int16()), pa.array(["z"]))
    return [one, grown, other]


def write_dictionaries(directory):
    """A stream whose dictionary is replaced, and one whose dictionary grows by deltas (also as a file)."""
    one, grown, other = changing_dictionaries()
    schema = pa.schema([("c", one.type)])
    with pa.ipc.new_stream(str(directory / "replaced.none.stream"), schema) as writer:
        for batch in (one, grown, other):
            writer.write_batch(pa.record_batch([batch], schema=schema))
    expect(directory / "replaced.expect", "dictionary<utf8>", [one, grown, other])
    options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
    for kind, make in (("stream", pa.ipc.new_stream), ("file", pa.ipc.new_file)):
        with make(str(directory / f"delta.none.{kind}"), schema, options=options) as writer:
            for batch in (one, grown):
                writer.write_batch(pa.record_batch([batch], schema=schema))
    expect(directory / "delta.expect", "dictionary<utf8>", [one, grown])


def write_unsupported(directory):
    unsupported = {
        "union": pa.UnionArray.from_dense(pa.array([0], pa.int8()), pa.array([0], pa.int32()), [pa.array([1])]),
        "run_end": pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), pa.array([1])),
        "interval": pa.array([pa.MonthDayNano([1, 2, 3])]),
        "decimal256": pa.array([Decimal("1")], pa.decimal256(50, 0)),
        "list_view": pa.array([[1]], pa.list_view(pa.int64())),
    }
    for name, array in unsupported.items():
        column = pa.StructArray.from_arrays([array], ["inner"])
        save(directory / f"{name}.unsupported", pa.schema([("outer", column.type)]), [column], "stream", None)


def check(directory):
    """Compares <case>.<what>.<compression>.<kind> for 'whole' and 'sliced' blocks; prints each difference."""
    problems = []
    count = 0
    known = {case.name: case for case in cases() + [ChangingDictionary()]}
    for path in sorted(directory.iterdir()):
        name, what, _, kind = path.name.split(".")
        try:
            count += 1
            with open(path, "rb") as file:
                reader = pa.ipc.open_stream(file) if kind == "stream" else pa.ipc.open_file(file)
                schema = reader.schema
                batches = list(reader) if kind == "stream" else [reader.get_batch(i) for i in range(reader.num_record_batches)]
            for batch in batches:
                batch.validate(full=True)
            if name == "variable_tensor":
                compare_variable_tensors(schema, batches, what)
            else:
                compare(known[name], schema, batches, what)
        except Exception as problem:  # every file is looked at, and all that is wrong is said
            problems.append(f"{path.name}: {problem!r}")
    print(f"{count} files checked")
    if problems:
        sys.exit("\n".join(problems))


def sliced(array):
    return array.slice(1, max(0, len(array) - 2))


def compare(case, schema, batches, what):
    expected_schema = pa.schema([("c", case.written)])
    if not schema.equals(expected_schema, check_metadata=False):
        raise AssertionError(f"schema {schema}, expected {expected_schema}")
    expected = case.batches() if what == "whole" else [sliced(b) for b in case.batches()]
    if len(expected) != len(batches):
        raise AssertionError(f"{len(batches)} batches, expected {len(expected)}")
    for number, (batch, array) in enumerate(zip(batches, expected)):
        column = batch.column(0)
        array = array.storage if isinstance(array, pa.ExtensionArray) and array.type != case.written else array
        array = array if array.type == case.written else array.cast(case.written)
        if column.equals(array):
            continue
        # Equal NaNs are not equal, and dictionaries may be written in another order.
        wanted = [canonical(v) for v in array]
        found = [canonical(v) for v in column]
        if wanted != found:
            raise AssertionError(f"batch {number}: {found}, expected {wanted}")


def compare_variable_tensors(schema, batches, what):
    field, array = variable_tensors()
    arrays = [array, array.slice(1, 4)]
    for batch, expected in zip(batches, arrays if what == "whole" else [sliced(a) for a in arrays]):
        column = batch.column(0)
        column = column.storage if isinstance(column, pa.ExtensionArray) else column
        if column.to_pylist() != expected.to_pylist():
            raise AssertionError(f"{column.to_pylist()}, expected {expected.to_pylist()}")
    metadata = schema.field(0).metadata or {}
    if "variable_shape_tensor" not in str(metadata.get(b"ARROW:extension:name", schema.field(0).type)):
        raise AssertionError(f"{schema} with {metadata}")


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](Path(sys.argv[2]))
