"""What PythonTorchTest does with images: vision_check.py PACKAGE"""

import io
import sys

sys.path.insert(0, sys.argv[1])
import numpy as np  # noqa: E402
import torch  # noqa: E402
from PIL import Image  # noqa: E402

from millrace.feed import MillraceError  # noqa: E402
from millrace.vision import ImageInput, normalize  # noqa: E402


def photograph(width, height, shift):
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    planes = [110 + 60 * np.sin((x + shift) / (17 + 5 * c)) * np.cos(y / (29 - 4 * c)) for c in range(3)]
    return Image.fromarray(np.stack(planes, axis=2).astype(np.uint8))


def encoded(image, kind):
    file = io.BytesIO()
    image.save(file, kind)
    return file.getvalue()


def with_pillow(image):
    w, h = image.size
    w, h = int(256 * w / min(w, h)), int(256 * h / min(w, h))
    x, y = round((w - 224) / 2), round((h - 224) / 2)
    crop = image.convert("RGB").resize((w, h), Image.Resampling.BILINEAR).crop((x, y, x + 224, y + 224))
    return np.asarray(crop).transpose(2, 0, 1)


def refused(words, call):
    try:
        call()
    except MillraceError as error:
        assert words in str(error), error
        return
    raise AssertionError(f"nothing was said of {words}")


def main():
    images = ImageInput("cpu")
    sizes = [(500, 375), (500, 375), (375, 500), (256, 256), (300, 700), (100, 80)]
    photos = [photograph(w, h, 9 * i) for i, (w, h) in enumerate(sizes)]
    files = [encoded(photo, "PNG") for photo in photos] + [encoded(photos[0].convert("L"), "JPEG")]
    expected = np.stack([with_pillow(Image.open(io.BytesIO(file))) for file in files])
    crops = images.pixels(np.array(files, dtype=object))
    assert crops.dtype == torch.uint8 and crops.shape == (7, 3, 224, 224)
    difference = np.abs(crops.numpy().astype(int) - expected)
    assert difference.max() <= 2 and difference.mean() < 0.3, (difference.max(), difference.mean())

    # Crops that the pipeline made come out as they are, with their channels first or last.
    expected.flags.writeable = False
    assert np.array_equal(images.pixels(expected).numpy(), expected)
    last = np.ascontiguousarray(expected.transpose(0, 2, 3, 1))
    assert np.array_equal(images.pixels(torch.from_numpy(last)).numpy(), expected)
    mean, std = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    numbers = (expected / 255.0 - mean.reshape(1, 3, 1, 1)) / std.reshape(1, 3, 1, 1)
    assert np.abs(images(expected).numpy() - numbers).max() < 1e-5
    assert normalize(torch.from_numpy(expected.copy()), dtype=torch.float16).dtype == torch.float16
    assert images(np.empty((0, 3, 224, 224), np.uint8)).shape == (0, 3, 224, 224)

    refused("Row 1 of the batch is no image that can be decoded", lambda: images([files[0], b"\xff\xd8\xff nothing"]))
    refused("not float32 of shape [1, 3, 2, 2]", lambda: images(torch.zeros(1, 3, 2, 2)))
    refused("does not lie in an image whose shorter side is 200", lambda: ImageInput("cpu", resize=200))
    refused("There is no decode='gpu'", lambda: ImageInput("cpu", decode="gpu"))
    if not torch.cuda.is_available():
        refused("torch sees no GPU", lambda: ImageInput("cuda"))


if __name__ == "__main__":
    main()
