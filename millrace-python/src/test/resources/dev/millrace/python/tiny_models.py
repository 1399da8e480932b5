"""Makes models of a few thousand weights: tiny_models.py FOLDER writes FOLDER/writer and FOLDER/embedder."""

import sys

import tokenizers
import torch
import transformers


def words():
    """A tokenizer of letters, so that texts have as many tokens as letters."""
    letters = {token: number for number, token in enumerate(["<pad>", "<end>", "<unknown>"] + [chr(c) for c in range(32, 127)])}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(letters, unk_token="<unknown>"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    made.decoder = tokenizers.decoders.Fuse()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="<end>", unk_token="<unknown>", model_max_length=128), len(letters)


def main(folder):
    torch.manual_seed(7)
    tokenizer, size = words()
    tokenizer.chat_template = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}. {% endfor %}assistant: "
    tokenizer.save_pretrained(f"{folder}/writer")
    writer = transformers.GPT2LMHeadModel(transformers.GPT2Config(
        vocab_size=size, n_positions=128, n_embd=16, n_layer=2, n_head=2, bos_token_id=1, eos_token_id=1, pad_token_id=0))
    # Larger weights than those of a fresh model: what it writes depends on what it reads.
    with torch.no_grad():
        for weights in writer.parameters():
            weights.mul_(8)
    writer.save_pretrained(f"{folder}/writer")
    tokenizer.chat_template = None
    tokenizer.save_pretrained(f"{folder}/embedder")
    transformers.BertModel(transformers.BertConfig(
        vocab_size=size, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=128)).save_pretrained(f"{folder}/embedder")


main(sys.argv[1])
