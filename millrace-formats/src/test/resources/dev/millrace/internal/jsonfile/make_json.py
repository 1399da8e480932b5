"""Writes random files NAME.json to the folder argv[1] and what pyarrow reads of them to NAME.arrow; argv[2] is the seed."""

import json
import random
import string
import sys

import pyarrow as pa
import pyarrow.ipc
import pyarrow.json

folder = sys.argv[1]
random.seed(int(sys.argv[2]))


def text():
    kind = random.random()
    if kind < 0.1:
        return ""
    letters = string.printable if kind < 0.8 else "äöü€😀\u0001\"\\/ \u2028x"
    return "".join(random.choices(letters, k=random.randint(1, 40)))


def number():
    return random.choice(
        [0.0, -0.0, 1e300, 5e-324, random.random(), random.uniform(-1e6, 1e6), round(random.uniform(0, 1e5), 2), random.gauss(0, 1) * 10 ** random.randint(-300, 300)]
    )


def time():
    return f"{random.randint(1, 9999):04}-{random.randint(1, 12):02}-{random.randint(1, 28):02}" + random.choice(
        ["", "T01:02:03", " 23:59:59", " 10:11", "T10:11:12"]
    )


makers = {
    "int": lambda: random.choice([0, -1, 2**63 - 1, -(2**63), random.randint(-1000, 1000), random.randint(-(2**62), 2**62)]),
    "real": number,
    "mixed": lambda: random.choice([number(), random.randint(-(10**6), 10**6)]),
    "flag": lambda: random.random() < 0.5,
    "text": text,
    "time": time,
    "ints": lambda: [random.randint(0, 9) for _ in range(random.randint(0, 4))],
    "texts": lambda: [text()] + [random.choice([None, text()]) for _ in range(random.randint(0, 3))],
    "nested": lambda: {key: value for key, value in (("p", random.randint(0, 9)), ("q", [{"r": text()}]), ("s", None)) if random.random() < 0.8},
}

for file in range(20):
    columns = random.sample(list(makers), random.randint(1, len(makers)))
    missing, spaced, ordered = random.random() * 0.3, random.random() < 0.5, random.random() < 0.7
    with open(f"{folder}/{file}.json", "w", encoding="utf-8") as out:
        first = {name: makers[name]() for name in columns}
        for row in range(random.choice([1, 10, 300])):
            record = first if row == 0 else {
                name: None if random.random() < 0.1 else makers[name]() for name in columns if random.random() >= missing
            }
            if not ordered:
                record = dict(random.sample(list(record.items()), len(record)))
            out.write(
                json.dumps(record, ensure_ascii=random.random() < 0.5, separators=(", ", ": ") if spaced else (",", ":"))
                + random.choice(["\n", "\n", "\r\n", "\n\n"])
            )
    table = pa.json.read_json(f"{folder}/{file}.json", pa.json.ReadOptions(use_threads=False, block_size=1 << 26))
    with pa.ipc.new_file(f"{folder}/{file}.arrow", table.schema) as out:
        out.write_table(table)
