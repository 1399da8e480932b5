"""Images like photographs as JPEG files in FOLDER, their decoded pixels, and what a model's pipeline in Python makes of them.

NAME.jpg (or .png), NAME_WIDTH_HEIGHT_CHANNELS.pixels (uint8 HWC), NAME.planes (float32 CHW)
"""
import os
import sys

import numpy as np
from PIL import Image

folder = sys.argv[1]
rng = np.random.default_rng(11)


def photograph(width, height):
    """Smooth shades, hard edges and some noise, as in a photograph."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    planes = []
    for channel in range(3):
        plane = 110 + 60 * np.sin(x / (17 + 5 * channel)) * np.cos(y / (29 - 4 * channel))
        for _ in range(12):
            cx, cy, r = rng.integers(0, width), rng.integers(0, height), rng.integers(5, 90)
            plane[(x - cx) ** 2 + (y - cy) ** 2 < r * r] = rng.integers(0, 256)
        planes.append(plane + rng.normal(0, 6, plane.shape))
    return np.clip(np.stack(planes, axis=2), 0, 255).astype(np.uint8)


def preprocess(image):
    """The geometry is torchvision's."""
    w, h = image.size
    w, h = int(256 * w / min(w, h)), int(256 * h / min(w, h))
    image = image.resize((w, h), Image.Resampling.BILINEAR)
    x, y = round((w - 224) / 2), round((h - 224) / 2)
    a = np.asarray(image.crop((x, y, x + 224, y + 224)), dtype=np.float32) / 255.0
    a = (a - np.array([0.485, 0.456, 0.406], np.float32)) / np.array([0.229, 0.224, 0.225], np.float32)
    return np.ascontiguousarray(a.transpose(2, 0, 1))


os.makedirs(folder, exist_ok=True)


def save(name, image, ending):
    image.save(f"{folder}/{name}.{ending}", **(dict(quality=90) if ending == "jpg" else {}))
    with Image.open(f"{folder}/{name}.{ending}") as decoded:
        decoded.load()
    pixels = np.asarray(decoded)
    channels = 1 if pixels.ndim == 2 else pixels.shape[2]
    pixels.tofile(f"{folder}/{name}_{decoded.width}_{decoded.height}_{channels}.pixels")
    preprocess(decoded.convert("RGB")).tofile(f"{folder}/{name}.planes")


for i, (w, h) in enumerate([(500, 375), (375, 500), (256, 256), (640, 480), (299, 1024), (100, 80), (1, 1), (3, 700), (2000, 1500)]):
    save(f"rgb{i}", Image.fromarray(photograph(w, h)), "jpg")
save("grey", Image.fromarray(photograph(500, 375)).convert("L"), "jpg")
alpha = np.dstack([photograph(500, 375), rng.integers(0, 256, (375, 500), dtype=np.uint8)])
save("alpha", Image.fromarray(alpha), "png")
