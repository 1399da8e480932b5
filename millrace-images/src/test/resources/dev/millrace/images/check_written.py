"""Prints what PIL finds in a folder of images: name, format, mode, size and the mean of the pixels."""
import sys
from pathlib import Path

import numpy as np
from PIL import Image

folder = Path(sys.argv[1])
for file in sorted(folder.rglob("*")):
    if file.is_file() and not file.name.startswith("_"):
        image = Image.open(file)
        pixels = np.asarray(image)
        print(file.relative_to(folder), image.format, image.mode, image.size, round(float(pixels[0, 0].flat[0])))
