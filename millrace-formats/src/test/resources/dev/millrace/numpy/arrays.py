"""write FOLDER: arrays as .npy or .npz, beside each the same rows as Arrow. check FOLDER: prints what numpy reads."""
import os
import sys

import numpy as np
import pyarrow as pa


def tensor_table(columns):
    arrays = {}
    for name, array in columns.items():
        if array.ndim > 1:
            if array.dtype == np.bool_:
                array = array.astype(np.uint8)
            array = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("=")))
            if array.size == 0 or len(array) == 0:
                continue
            arrays[name] = pa.FixedShapeTensorArray.from_numpy_ndarray(array)
        elif array.dtype.kind == "U":
            arrays[name] = pa.array([str(v) for v in array], pa.string())
        elif array.dtype.kind == "S":
            arrays[name] = pa.array([bytes(v) for v in array], pa.binary())
        else:
            native = array.astype(array.dtype.newbyteorder("="))
            arrays[name] = pa.array(np.atleast_1d(native))
    return pa.table(arrays)


def save(folder, name, array):
    np.save(os.path.join(folder, name + ".npy"), array)
    expect(folder, name, {"data": array})


def expect(folder, name, columns):
    table = tensor_table(columns)
    with pa.OSFile(os.path.join(folder, name + ".arrow"), "wb") as out:
        with pa.ipc.new_file(out, table.schema) as writer:
            writer.write_table(table)


def write(folder):
    rng = np.random.default_rng(7)
    for order in "<>":
        for kind in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]:
            label = kind + ("le" if order == "<" else "be")
            flat = rng.integers(0, 100, 1000).astype(np.dtype(order + kind))
            save(folder, label, flat)
            save(folder, label + "-cube", flat.reshape(50, 4, 5))
    save(folder, "bool", rng.integers(0, 2, 77).astype(bool))
    save(folder, "bool-grid", rng.integers(0, 2, (7, 11)).astype(bool))
    save(folder, "text", np.array(["", "a", "grüße", "\U0001f600!", "long enough to matter"]))
    save(folder, "text-be", np.array(["x", "grüße"]).astype(">U7"))
    save(folder, "bytes", np.array([b"", b"abc", b"\x00\x01"]))
    save(folder, "days", np.array(["2024-02-29", "NaT", "1969-12-31"], dtype="datetime64[D]"))
    for unit in ["s", "ms", "us", "ns"]:
        save(folder, "time-" + unit, np.array(["2024-02-29T12:34:56", "NaT"], dtype=f"datetime64[{unit}]"))
        save(folder, "span-" + unit, np.array([5, -7], dtype=f"timedelta64[{unit}]"))
    save(folder, "fortran", np.asfortranarray(rng.random((40, 3, 5))))
    save(folder, "fortran-flat", np.asfortranarray(np.arange(9)))
    save(folder, "scalar", np.array(3.5))
    save(folder, "empty", np.array([], dtype=np.int32))
    save(folder, "large", rng.random((20000, 16)).astype(np.float32))
    a, b = rng.random((100, 3)), np.arange(100)
    for name, how in [("stored", np.savez), ("deflated", np.savez_compressed)]:
        how(os.path.join(folder, name + ".npz"), first=a, second=b, third=np.asfortranarray(a))
        expect(folder, name, {"first": a, "second": b, "third": a})
    odd = os.path.join(folder, "odd")
    os.mkdir(odd)
    np.save(os.path.join(odd, "object.npy"), np.array([{"a": 1}], dtype=object), allow_pickle=True)
    np.save(os.path.join(odd, "struct.npy"), np.array([(1, 2.0)], dtype=[("x", "i4"), ("y", "f8")]))
    np.save(os.path.join(odd, "complex.npy"), np.array([1j]))
    np.savez(os.path.join(odd, "uneven.npz"), a=np.arange(3), b=np.arange(5))


def check(folder):
    for name in sorted(os.listdir(folder)):
        arrays = [np.load(os.path.join(folder, name, file)) for file in sorted(os.listdir(os.path.join(folder, name))) if not file.startswith("_")]
        array = np.concatenate(arrays)
        print(name, array.dtype.str, array.shape, array.astype("S").ravel()[:3].tolist() if array.dtype.kind == "M" else array.sum())


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](sys.argv[2])
