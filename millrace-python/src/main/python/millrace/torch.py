"""Training ingest for PyTorch: the rows of a running pipeline as batches of tensors, rank by rank."""

import torch
import torch.distributed
import torch.utils.data

from millrace.feed import MillraceError
from millrace.training import EpochDataset


def pin(batch):
    """The same with tensors in memory that a GPU copies from asynchronously: `tensor.to("cuda", non_blocking=True)`."""
    return {name: value.pin_memory() if isinstance(value, torch.Tensor) else value for name, value in batch.items()}


class IterableDataset(EpochDataset, torch.utils.data.IterableDataset):
    """Batches of a pipeline for a PyTorch training loop: a dict of tensors per step, otherwise as `EpochDataset`.

    Iterate it directly, or through `DataLoader(dataset, batch_size=None)` without workers: the pipeline's tasks are the
    workers. The rank is by default that of torch.distributed, where that is initialised.

    :param pin_memory: by default where CUDA is; the copy to pinned memory is made on the thread that prefetches
    """

    format = "torch"

    def __init__(self, source, batch_size=256, *, pin_memory=None, **options):
        super().__init__(source, batch_size, **options)
        self.pin_memory = torch.cuda.is_available() if pin_memory is None else pin_memory

    def place(self):
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            return torch.distributed.get_rank(), torch.distributed.get_world_size()
        return super().place()

    def prepare(self):
        transform = self.transform
        if not self.pin_memory:
            return transform
        return pin if transform is None else lambda batch: pin(transform(batch))

    def __iter__(self):
        if torch.utils.data.get_worker_info() is not None:
            raise MillraceError("millrace.torch.IterableDataset is read by the training process itself: give the"
                                " DataLoader num_workers=0. The pipeline's tasks are the workers.")
        return super().__iter__()
