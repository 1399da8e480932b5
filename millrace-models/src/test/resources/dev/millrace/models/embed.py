"""Embeds the texts of a file (JSON, an array) as sentence-transformers does it, into a file of float32."""
import json
import sys

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

model, tokenizer_file, texts_file, target = sys.argv[1:]
with open(texts_file, encoding="utf-8") as file:
    texts = json.load(file)
tokenizer = Tokenizer.from_file(tokenizer_file)
tokenizer.enable_truncation(256)
tokenizer.enable_padding()
encodings = tokenizer.encode_batch(texts)
ids = np.array([e.ids for e in encodings], dtype=np.int64)
mask = np.array([e.attention_mask for e in encodings], dtype=np.int64)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession(model, options)
hidden = session.run(
    ["last_hidden_state"], {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
)[0]
means = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
means /= np.linalg.norm(means, axis=1, keepdims=True)
means.astype("<f4").tofile(target)
