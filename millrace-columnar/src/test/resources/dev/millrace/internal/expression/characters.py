"""Prints what Python's methods of strings give for one character each, and for the texts of a file, as JSON."""
import json
import re
import sys
import unicodedata
from urllib.parse import urlsplit

TESTS = ["isalpha", "isalnum", "isdecimal", "isdigit", "isnumeric", "isspace", "isascii", "isprintable", "islower",
         "isupper", "istitle"]


def answers(text):
    return "".join("1" if getattr(text, test)() else "0" for test in TESTS)


def port(parts):
    try:
        return parts.port
    except ValueError:
        return None


def url(text):
    parts = urlsplit(text)
    return [parts.scheme or None, parts.username, parts.password, parts.hostname, port(parts), parts.path,
            parts.query if "?" in text.split("#")[0] else None, parts.fragment if "#" in text else None]


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(before + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]


texts, others, urls = json.load(open(sys.argv[1], encoding="utf-8"))
points = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF and unicodedata.category(chr(c)) != "Cn"]
print(json.dumps({
    "points": [[c, answers(chr(c)), unicodedata.category(chr(c))] for c in points],
    "tests": [answers(t) for t in texts],
    "capitalize": [t.capitalize() for t in texts],
    "title": [t.title() for t in texts],
    "swapCase": [t.swapcase() for t in texts],
    "center": [t.center(7, "*") for t in texts],
    "centerEven": [t.center(8, "😀") for t in texts],
    "count": [t.count("ab") for t in texts],
    "countEmpty": [t.count("") for t in texts],
    "words": [t.split() for t in texts],
    "regexCount": [len(re.findall("a*b|😀", t)) for t in texts],
    "regexFind": [m.start() if (m := re.search("b+|😀", t)) else -1 for t in texts],
    "replaceSlice": [t[:1] + "<>" + t[3:] for t in texts],
    "normalize": [unicodedata.normalize("NFKD", t) for t in texts],
    "distance": [distance(t, o) for t, o in zip(texts, others)],
    "jaccard": [len(set(t) & set(o)) / len(set(t) | set(o)) if t or o else 1.0 for t, o in zip(texts, others)],
    "urls": [url(u) for u in urls],
}))
