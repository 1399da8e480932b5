"""Hugging Face models of a local folder as classes of a Python worker: text generation and embeddings.

    PythonUdf.module("millrace.transformers", "Generate").args("models/tiny").arg("column", "prompt")

Nothing is fetched: a folder has what `save_pretrained` writes. Rows of a batch are computed in parts of similar length, so
that little is padded; the order of the rows stays.
"""

import os

import numpy as np
import torch
import transformers
from transformers.utils import logging as transformers_logging

# A worker's output is shown line by line.
transformers_logging.disable_progress_bar()


def folder_of(path):
    if not os.path.isfile(os.path.join(path, "config.json")):
        raise ValueError(f"the folder '{path}' has no model: there is no config.json. Give a folder that save_pretrained,"
                         " or a download of the model's files, has made on the machines of the workers")
    return path


def place(device):
    return device or ("cuda" if torch.cuda.is_available() else "cpu")


def parts_by_length(lengths, most_tokens):
    """Positions of rows in parts: longest first, each part with at most `most_tokens` when padded, at least one row."""
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    part = []
    for row in order:
        if part and lengths[part[0]] * (len(part) + 1) > most_tokens:
            yield part
            part = []
        part.append(row)
    if part:
        yield part


class Model:
    """What both have in common: the tokenizer, the model, the column of texts.

    :param column: of texts; rows with null get null
    :param output: the column that is added
    :param device: "cuda" or "cpu"; by default the GPU, if the worker has one
    :param dtype: "float16", "bfloat16" or "float32"; by default as the model was saved
    :param batch_tokens: tokens, with padding, that are computed at once
    :param max_length: longer texts are cut
    """

    kind = None

    def __init__(self, folder, column, output, device=None, dtype=None, batch_tokens=16384, max_length=None):
        self.column, self.output = column, output
        self.device = place(device)
        self.batch_tokens = batch_tokens
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder_of(folder), local_files_only=True)
        if self.tokenizer.pad_token is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token
        self.model = self.kind.from_pretrained(folder, local_files_only=True, dtype=getattr(torch, dtype) if dtype else "auto")
        self.model.eval().to(self.device)
        self.max_length = max_length or self.longest()

    def longest(self):
        """What the model can take, by its own word."""
        known = [getattr(self.model.config, name, None) for name in ("max_position_embeddings", "n_positions")]
        known = [each for each in known if each] + [self.tokenizer.model_max_length]
        return min(known)

    def texts(self, batch):
        if self.column not in batch:
            raise ValueError(f"there is no column '{self.column}'. The batch has {', '.join(batch)}")
        return [None if text is None else str(text) for text in batch[self.column].tolist()]

    def encoded(self, texts, most):
        """Token ids of each text that is not null, by row."""
        rows = [row for row, text in enumerate(texts) if text is not None]
        ids = self.tokenizer([texts[row] for row in rows], truncation=True, max_length=most,
                             add_special_tokens=self.adds_special)["input_ids"] if rows else []
        return rows, ids

    adds_special = True

    def padded(self, ids, part):
        made = self.tokenizer.pad({"input_ids": [ids[each] for each in part]}, return_tensors="pt")
        return made["input_ids"].to(self.device), made["attention_mask"].to(self.device)

    def __call__(self, batch):
        results = [None] * len(next(iter(batch.values())))
        rows, ids = self.encoded(self.prepared(self.texts(batch)), self.max_length - self.room())
        with torch.inference_mode():
            for part in parts_by_length([len(each) + self.room() for each in ids], self.batch_tokens):
                for position, result in zip(part, self.computed(*self.padded(ids, part))):
                    results[rows[position]] = result
        return {**batch, self.output: self.column_of(results)}

    def prepared(self, texts):
        return texts

    def room(self):
        """Tokens that are added to each row."""
        return 0

    def column_of(self, results):
        return results


class Generate(Model):
    """Texts that a causal language model writes behind those of a column.

    :param max_new_tokens: at most so many
    :param chat: the texts are what a user says: the model's chat template is put around each
    :param system: what the system says before, with `chat`
    :param options: others of `generate`: temperature=0.7, do_sample=True, num_beams=4, ...
    """

    kind = transformers.AutoModelForCausalLM

    def __init__(self, folder, column="prompt", output="answer", max_new_tokens=64, chat=False, system=None, device=None,
                 dtype=None, batch_tokens=16384, max_length=None, **options):
        self.chat, self.system = chat, system
        self.max_new_tokens, self.options = max_new_tokens, options
        super().__init__(folder, column, output, device, dtype, batch_tokens, max_length)
        self.tokenizer.padding_side = "left"
        # The end of a conversation is what the model answers to.
        self.tokenizer.truncation_side = "left"
        self.adds_special = not chat
        if chat and not self.tokenizer.chat_template:
            raise ValueError(f"the model of '{folder}' has no chat template. Leave chat out, or use a model that was trained"
                             " for chats")
        if self.max_length <= max_new_tokens:
            raise ValueError(f"max_new_tokens is {max_new_tokens}, and the model takes {self.max_length} tokens in all")

    def room(self):
        return self.max_new_tokens

    def prepared(self, texts):
        if not self.chat:
            return texts
        first = [{"role": "system", "content": self.system}] if self.system else []
        return [None if text is None else self.tokenizer.apply_chat_template(
            first + [{"role": "user", "content": text}], tokenize=False, add_generation_prompt=True) for text in texts]

    def computed(self, ids, mask):
        made = self.model.generate(input_ids=ids, attention_mask=mask, max_new_tokens=self.max_new_tokens,
                                   pad_token_id=self.tokenizer.pad_token_id, **{"do_sample": False, **self.options})
        return self.tokenizer.batch_decode(made[:, ids.shape[1]:], skip_special_tokens=True)


class Embed(Model):
    """A vector for each text: the mean of the model's last states, of length 1 unless `normalize` is false."""

    kind = transformers.AutoModel

    def __init__(self, folder, column="text", output="embedding", normalize=True, device=None, dtype=None,
                 batch_tokens=16384, max_length=None):
        self.normalize = normalize
        super().__init__(folder, column, output, device, dtype, batch_tokens, max_length)

    def computed(self, ids, mask):
        states = self.model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        weights = mask.unsqueeze(-1).float()
        vectors = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
        return (torch.nn.functional.normalize(vectors) if self.normalize else vectors).cpu().numpy()

    def column_of(self, results):
        if all(each is not None for each in results):
            return np.stack(results) if results else np.empty((0, self.model.config.hidden_size), np.float32)
        return [None if each is None else each.tolist() for each in results]
