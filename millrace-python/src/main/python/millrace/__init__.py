"""Datasets of Millrace pipelines for Python: `millrace.run("Pipeline.java")` starts one and iterates its batches,
`millrace.connect(address)` reads one that runs, `millrace.torch.IterableDataset` feeds a training loop."""

import importlib

_HOMES = {"run": "launch", "Pipeline": "launch", "connect": "feed", "Feed": "feed", "MillraceError": "feed",
          "EpochDataset": "training"}

__all__ = sorted(_HOMES)


def __getattr__(name):
    # Loaded on use: a worker process needs none of them.
    if name in _HOMES:
        return getattr(importlib.import_module(f"millrace.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'millrace' has no attribute '{name}'")
