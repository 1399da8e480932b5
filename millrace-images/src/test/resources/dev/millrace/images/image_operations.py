"""Writes a few images into a folder and what PIL and numpy make of the first: NAME.pixels as make_images.py has them,
NAME.floats with float32 (little-endian)."""
import sys

import numpy as np
from PIL import Image, ImageOps

folder = sys.argv[1] + "/"
random = np.random.default_rng(11)
HEIGHT, WIDTH = 61, 87
y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
pixels = np.stack([x * 255 / WIDTH, y * 255 / HEIGHT, (3 * x + 2 * y) % 256, 255 - x], -1)
pixels = np.clip(pixels + random.normal(0, 9, pixels.shape), 0, 255).astype(np.uint8)
image = Image.fromarray(np.ascontiguousarray(pixels[..., :3]))
image.save(folder + "first.png")
Image.fromarray(pixels).save(folder + "second.png")
Image.fromarray(np.ascontiguousarray(pixels[:40, :50, 0])).save(folder + "third.png")


def keep(name, result):
    array = np.asarray(result)
    array = array[..., None] if array.ndim == 2 else array
    with open(f"{folder}first.png.{name}.pixels", "wb") as out:
        out.write(np.array(array.shape, ">i4").tobytes() + array.tobytes())


def numbers(name, array):
    np.ascontiguousarray(array).astype("<f4").tofile(f"{folder}{name}.floats")


keep("bilinear", image.resize((40, 30), Image.Resampling.BILINEAR))
keep("bicubic", image.resize((40, 30), Image.Resampling.BICUBIC))
keep("nearest", image.resize((40, 30), Image.Resampling.NEAREST))
keep("larger", image.resize((140, 130), Image.Resampling.BICUBIC))
keep("crop", image.crop((5, 7, 5 + 20, 7 + 10)))
left, top = round((87 - 20) / 2), round((61 - 10) / 2)
keep("centre", image.crop((left, top, left + 20, top + 10)))
keep("mirrored", ImageOps.mirror(image))
keep("flipped", ImageOps.flip(image))
keep("grey", image.convert("L"))
keep("alpha", image.convert("RGBA"))
keep("all", ImageOps.mirror(image.resize((50, 35), Image.Resampling.BILINEAR).crop((10, 10, 40, 30))))
shorter = image.resize((45, 32), Image.Resampling.BILINEAR)
keep("shorter", shorter)

chw = np.asarray(shorter.crop((10, 4, 34, 28))).transpose(2, 0, 1) / 255
numbers("chw", np.asarray(image).transpose(2, 0, 1) / 255)
numbers(
    "normalised",
    (chw - np.array([0.485, 0.456, 0.406])[:, None, None]) / np.array([0.229, 0.224, 0.225])[:, None, None],
)
