"""Tokenises the texts of a file (JSON, an array) by each tokenizer.json given, into a file of int32: length, ids, ..."""
import json
import sys

import numpy as np
from tokenizers import Tokenizer

with open(sys.argv[1], encoding="utf-8") as file:
    texts = json.load(file)
for path in sys.argv[2:]:
    tokenizer = Tokenizer.from_file(path)
    tokenizer.no_padding()
    numbers = []
    for encoding in tokenizer.encode_batch(texts):
        numbers.append(len(encoding.ids))
        numbers.extend(encoding.ids)
    np.array(numbers, dtype="<i4").tofile(path + ".ids")
