"""Images per second of a training loop that does nothing: ingest.py PACKAGE ADDRESS FOLDER ROUNDS.

Prints, for each round, those of torch's DataLoader with 2 workers over Pillow, and of a Millrace pipeline."""

import glob
import os
import sys
import time

sys.path.insert(0, sys.argv[1])
import numpy as np  # noqa: E402
import torch  # noqa: E402
from PIL import Image  # noqa: E402
from torch.utils.data import DataLoader  # noqa: E402

from millrace.torch import IterableDataset  # noqa: E402

BATCH = 32
MEAN, STD = np.array([0.485, 0.456, 0.406], np.float32), np.array([0.229, 0.224, 0.225], np.float32)


class Photos:
    """The shorter side 256, the middle 224 x 224, normalised, float32, channels first."""

    def __init__(self, folder):
        self.files = sorted(glob.glob(os.path.join(folder, "*.jpg")))

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        with Image.open(self.files[index]) as file:
            image = file.convert("RGB")
        width, height = image.size
        scale = 256 / min(width, height)
        width, height = round(width * scale), round(height * scale)
        image = image.resize((width, height), Image.Resampling.BILINEAR)
        left, top = (width - 224) // 2, (height - 224) // 2
        pixels = np.asarray(image.crop((left, top, left + 224, top + 224)), dtype=np.float32) / 255.0
        return torch.from_numpy(np.ascontiguousarray(((pixels - MEAN) / STD).transpose(2, 0, 1)))


def speed(batches):
    begun, count, total = time.time(), 0, 0.0
    for batch in batches:
        count += len(batch)
        total += float(batch[:, :, ::16, ::16].mean()) * len(batch)
    return count / (time.time() - begun), count, total / count


def main(address, folder, rounds):
    torch.set_num_threads(1)
    ours = IterableDataset(address, BATCH)
    theirs = DataLoader(Photos(folder), batch_size=BATCH, num_workers=2)
    for _ in range(int(rounds)):
        loader, many, mean = speed(theirs)
        pipeline, count, other = speed(batch["image"] for batch in ours)
        assert many == count and abs(mean - other) < 0.02, (many, count, mean, other)
        print(loader, pipeline, flush=True)


if __name__ == "__main__":
    main(*sys.argv[2:])
