"""Images of random pixels, resized by Pillow: FOLDER SEED COUNT. One pair of files per case, its name says what it is."""
import os
import sys

import numpy as np
from PIL import Image

folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(seed)
filters = ["NEAREST", "BOX", "BILINEAR", "BICUBIC", "LANCZOS"]
modes = {1: "L", 3: "RGB", 4: "RGBA"}


def case(number, width, height, channels, new_width, new_height, name):
    pixels = rng.integers(0, 256, (height, width, channels), dtype=np.uint8)
    if number % 2:  # runs of the darkest and the brightest, where filters overshoot
        pixels = np.where(pixels < 128, 0, 255).astype(np.uint8)
    image = Image.frombytes(modes[channels], (width, height), pixels.tobytes())
    path = f"{folder}/{number}_{width}_{height}_{channels}_{new_width}_{new_height}_{name}"
    with open(path + ".given", "wb") as f:
        f.write(pixels.tobytes())
    with open(path + ".resized", "wb") as f:
        f.write(image.resize((new_width, new_height), Image.Resampling[name]).tobytes())


os.makedirs(folder, exist_ok=True)
for i in range(count):
    kind = i % 5
    small = kind == 0
    width, height = (int(n) for n in rng.integers(1, 10 if small else 400, 2))
    new_width, new_height = (int(n) for n in rng.integers(1, 40 if kind == 1 else 300, 2))
    if kind == 2 and i % 3 == 0:
        new_width, new_height = width, height
    if kind == 3:  # a height that shrinks much, for which Pillow changes the order of its passes
        height, new_height = height + 800, max(1, new_height // 4)
    case(i, width, height, [1, 3, 4][i % 3], new_width, new_height, filters[i // 3 % 5])
print(count)
