"""Writes the same text compressed in every way to the folder argv[1], as plain.txt and NAME.ENDING."""

import bz2
import gzip
import lzma
import random
import sys

import pyarrow as pa

folder = sys.argv[1]
random.seed(7)
words = [bytes(random.choices(b"abcdefghij", k=random.randint(1, 12))) for _ in range(500)]
lines = [b" ".join(random.choices(words, k=random.randint(0, 20))) for _ in range(6000)]
noise = random.randbytes(100_000)
plain = b"\n".join(lines) + noise + b"\0" * 300_000 + b"end\n"
half = len(plain) // 2


def save(name, data):
    with open(f"{folder}/{name}", "wb") as out:
        out.write(data)


def arrow(codec, data, **options):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, codec) as out:
        for at in range(0, len(data), 100_000):
            out.write(data[at : at + 100_000])
    return sink.getvalue().to_pybytes()


save("plain.txt", plain)
save("one.gz", gzip.compress(plain))
save("members.gz", gzip.compress(plain[:half]) + gzip.compress(b"") + gzip.compress(plain[half:]) + b"\0" * 100)
with open(f"{folder}/named.gz", "wb") as raw, gzip.GzipFile("a name.txt", "wb", 6, raw) as out:
    out.write(plain)
save("one.bz2", bz2.compress(plain, 1))
save("members.bz2", bz2.compress(plain[:half]) + bz2.compress(plain[half:]))
save("one.xz", lzma.compress(plain, preset=6))
save("members.xz", lzma.compress(plain[:half], preset=1) + lzma.compress(plain[half:], check=lzma.CHECK_CRC32))
save("stream.zst", arrow("zstd", plain))
save("sized.zst", pa.compress(plain, "zstd", asbytes=True))
save(
    "frames.zst",
    pa.compress(plain[:half], "zstd", asbytes=True) + b"\x53\x2a\x4d\x18\x05\0\0\0skips" + arrow("zstd", plain[half:]),
)
save("stream.lz4", arrow("lz4", plain))
save("sized.lz4", pa.compress(plain, "lz4", asbytes=True))
save("frames.lz4", arrow("lz4", plain[:half]) + b"\x53\x2a\x4d\x18\x05\0\0\0skips" + arrow("lz4", plain[half:]))
save("empty.gz", gzip.compress(b""))
save("empty.zst", pa.compress(b"", "zstd", asbytes=True))
save("empty.lz4", arrow("lz4", b""))
save("empty.bz2", bz2.compress(b""))
save("empty.xz", lzma.compress(b""))
