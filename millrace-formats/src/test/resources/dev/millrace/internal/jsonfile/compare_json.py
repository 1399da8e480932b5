"""Compares what was read from damaged files (argv[1]/results, rewritten as lines) with what Python's json reads."""

import json
import struct
import sys


def pieces(name):
    with open(f"{sys.argv[1]}/{name}", "rb") as file:
        while head := file.read(4):
            (length,) = struct.unpack(">i", head)
            yield None if length < 0 else file.read(length)


def records(data):
    text = data.decode("utf-8-sig").strip(" \t\r\n")
    if text.startswith("["):
        return json.loads(text)
    decoder = json.JSONDecoder()
    rows, at = [], 0
    while at < len(text):
        row, at = decoder.raw_decode(text, at)
        rows.append(row)
        while at < len(text) and text[at] in " \t\r\n":
            at += 1
    return rows


def same(expected, found):
    if isinstance(found, dict):
        # Objects have the fields of all others: those they lack are null.
        return (
            isinstance(expected, dict)
            and all(same(expected.get(key), value) for key, value in found.items())
            and all(key in found for key in expected)
        )
    if isinstance(found, list):
        return isinstance(expected, list) and len(expected) == len(found) and all(map(same, expected, found))
    if isinstance(found, bool) or isinstance(expected, bool):
        return expected is found
    if isinstance(found, float) and isinstance(expected, int):
        # "-0" is a number with a sign in a column of doubles, and an integer without one here.
        return float(expected) == found
    if isinstance(found, float) and isinstance(expected, float):
        return repr(float(expected)) == repr(found)
    return type(expected) is type(found) and expected == found


equal = 0
for number, (case, result) in enumerate(zip(pieces("cases"), pieces("results"))):
    if result is None:
        continue
    expected = records(case)
    found = [json.loads(line) for line in result.decode("utf-8").split("\n") if line]
    if len(expected) != len(found) or not all(map(same, expected, found)):
        print(f"case {number}: {case!r}\n expected {expected}\n found {found}")
        sys.exit(0)
    equal += 1
print(equal, "equal")
