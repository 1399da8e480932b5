"""Epochs of a running pipeline for training loops, rank by rank; `millrace.torch` has them as tensors."""

import os

from millrace.feed import PREFETCH, Feed, MillraceError


class EpochDataset:
    """Batches of a pipeline for a training loop: a dict of NumPy arrays per step.

    Each iteration is an epoch, which all ranks read together; all have the same number of steps. `state_dict()` says
    after how many steps of which epoch the loop is; a dataset that has loaded it goes on there.

    :param source: the address of a feed, or a pipeline of `millrace.run`
    :param rank: and `world_size`: by default those of torchrun's environment, or the only one
    :param shuffle: rows of the buffer from which each batch is drawn at random; differs by epoch and rank
    :param prefetch: batches that are made before the loop asks for them
    :param transform: called with each batch, on the thread that prefetches
    """

    format = "numpy"

    def __init__(self, source, batch_size=256, *, dataset="", rank=None, world_size=None, shuffle=0, seed=0,
                 drop_last=False, prefetch=PREFETCH, transform=None):
        super().__init__()
        if (rank is None) != (world_size is None):
            raise MillraceError("Give both rank and world_size, or neither.")
        self.address = getattr(source, "address", source)
        # The pipeline must live as long as this.
        self.source = source
        self.rank, self.world_size = self.place() if rank is None else (rank, world_size)
        self.options = {"batch_size": batch_size, "dataset": dataset, "shuffle": shuffle, "seed": seed,
                        "drop_last": drop_last, "prefetch": prefetch}
        self.transform = transform
        self.epoch = 0
        self.step = 0
        self.resumes = False
        self.feed = None

    def place(self):
        """Which rank this is, and of how many."""
        return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))

    def prepare(self):
        """What is done with each batch ahead of its use, or None."""
        return self.transform

    def set_epoch(self, epoch):
        """The next iteration is this epoch, from its beginning."""
        self.epoch, self.step, self.resumes = epoch, 0, False

    def state_dict(self):
        return {"epoch": self.epoch, "step": self.step, "options": dict(self.options), "world_size": self.world_size}

    def load_state_dict(self, state):
        differing = [name for name in ("batch_size", "shuffle", "seed") if state["options"][name] != self.options[name]]
        if state["world_size"] != self.world_size:
            differing.append("world_size")
        if differing:
            raise MillraceError(f"The saved state cannot be resumed with another {', '.join(differing)}: the steps of an"
                                " epoch would have other rows. Use the same values, or begin an epoch by set_epoch(...).")
        self.epoch, self.step, self.resumes = state["epoch"], state["step"], True

    def __iter__(self):
        if self.feed is None:
            self.feed = Feed(self.address, self.rank, self.world_size)
        self.step = self.step if self.resumes else 0
        self.resumes = False
        return self.steps(self.feed.batches(format=self.format, epoch=self.epoch, skip=self.step,
                                            prepare=self.prepare(), **self.options), self.epoch)

    def steps(self, batches, epoch):
        try:
            while True:
                try:
                    batch = next(batches)
                except StopIteration:
                    break
                self.step += 1
                yield batch
                del batch
        finally:
            batches.close()
            # A loop that was left has ended its epoch, too.
            if self.epoch == epoch:
                self.set_epoch(epoch + 1)

    def close(self):
        """Other ranks do not wait for this one any more."""
        if self.feed is not None:
            self.feed.close()
            self.feed = None
