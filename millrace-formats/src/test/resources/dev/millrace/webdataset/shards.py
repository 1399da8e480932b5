"""write FOLDER: archives that tarfile and webdataset make. check FOLDER: prints the samples that webdataset reads."""
import io
import json
import os
import sys
import tarfile

import numpy as np


def add(tar, name, data, **more):
    member = tarfile.TarInfo(name)
    member.size = len(data)
    for key, value in more.items():
        setattr(member, key, value)
    tar.addfile(member, io.BytesIO(data))


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def write(folder):
    import webdataset

    with webdataset.TarWriter(os.path.join(folder, "wds.tar"), encoder=True) as sink:
        for i in range(100):
            sink.write(
                {
                    "__key__": f"train/{i:05d}",
                    "jpg": bytes([i]) * i,
                    "cls": i % 10,
                    "txt": f"größe {i}",
                    "json": {"a": i, "b": [1, 2]},
                    "npy": np.full((2, 3), i, dtype=np.float32),
                    "seg.png": b"seg",
                }
            )
    long = "d" * 120 + "/" + "e" * 90
    for label, form in [("ustar", tarfile.USTAR_FORMAT), ("gnu", tarfile.GNU_FORMAT), ("pax", tarfile.PAX_FORMAT)]:
        with tarfile.open(os.path.join(folder, label + ".tar"), "w", format=form) as tar:
            folder_entry = tarfile.TarInfo("things")
            folder_entry.type = tarfile.DIRTYPE
            tar.addfile(folder_entry)
            add(tar, "README", b"no extension, no sample")
            add(tar, "things/.hidden.txt", b"hidden")
            add(tar, "things/a.txt", b"first")
            add(tar, "things/a.bin", b"\x00" * 1000)
            link = tarfile.TarInfo("things/link.txt")
            link.type = tarfile.SYMTYPE
            link.linkname = "a.txt"
            tar.addfile(link)
            add(tar, f"{long}.txt", b"long")
            add(tar, "things/b.txt", b"")
            if form != tarfile.USTAR_FORMAT:
                add(tar, f"{'x' * 300}.txt", b"very long")
                add(tar, "ключ.txt", b"key")
            else:
                add(tar, "big.bin", b"b" * 3_000_000)
    with tarfile.open(os.path.join(folder, "twice.tar"), "w") as tar:
        add(tar, "a.txt", b"1")
        add(tar, "a.txt", b"2")
    with tarfile.open(os.path.join(folder, "shapes.tar"), "w") as tar:
        for i in range(3):
            add(tar, f"{i}.npy", npy(np.asfortranarray(np.arange(6 * (i + 1)).reshape(i + 1, 6))))
            add(tar, f"{i}.one.npy", npy(np.array(i / 2)))
            add(tar, f"{i}.cls", b" 7\n" if i < 2 else b"cat")
    with tarfile.open(os.path.join(folder, "latin.tar"), "w") as tar:
        add(tar, "a.txt", "größe".encode("latin1"))
    with tarfile.open(os.path.join(folder, "values.tar"), "w") as tar:
        texts = ['{"a": 1}', '{"a": 1.5, "when": "2024-02-29T01:02:03", "more": {"x": 7}}', "null"]
        for i, text in enumerate(texts):
            add(tar, f"{i}.json", f" {text} ".encode())
            add(tar, f"{i}.word.json", json.dumps(f'größe "{i}"', ensure_ascii=False).encode())
            add(tar, f"{i}.index", str(i).encode())
    for name, text in [("clash", '{"a": "text"}'), ("broken", '{"a": 1')]:
        with tarfile.open(os.path.join(folder, name + ".tar"), "w") as tar:
            add(tar, "a.json", b'{"a": 1}')
            add(tar, "b.json", text.encode())
    open(os.path.join(folder, "empty.tar"), "wb").close()
    with tarfile.open(os.path.join(folder, "many.tar"), "w") as tar:
        for i in range(3000):
            add(tar, f"{i:06d}.bin", os.urandom(600))
            add(tar, f"{i:06d}.cls", str(i).encode())


def check(folder):
    import webdataset

    for name in sorted(os.listdir(folder)):
        for file in sorted(f for f in os.listdir(os.path.join(folder, name)) if not f.startswith("_")):
            path = os.path.join(folder, name, file)
            with tarfile.open(path) as tar:
                tar.getmembers()
            for sample in webdataset.WebDataset(path, shardshuffle=False, empty_check=False).decode():
                cells = []
                for key in sorted(sample):
                    value = sample[key]
                    if not key.startswith("__"):
                        cells.append(f"{key}={value.tolist() if isinstance(value, np.ndarray) else value!r}")
                keyed = sample["__key__"] if name == "keyed" else ""
                print(name, keyed, " ".join(cells))


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](sys.argv[2])
