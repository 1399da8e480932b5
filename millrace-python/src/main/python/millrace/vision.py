"""Images on their way into a PyTorch model: crops from a pipeline, or encoded files that are decoded where the model runs.

    class Classifier:
        def __init__(self):
            self.model = resnet50().cuda().half().eval()
            self.images = millrace.vision.ImageInput("cuda", dtype=torch.float16)

        def __call__(self, batch):
            with torch.inference_mode():
                return {"label": self.model(self.images(batch["image"])).argmax(1)}

The column decides who decodes: pixels of `ImageNetPreprocess.standard().uint8()` were decoded and cropped by CPUs before;
the bytes of image files (`readBinary`) are decoded here, JPEGs on a GPU by nvJPEG, which torchvision brings along.
"""

import io
import warnings

import numpy as np
import torch

from millrace.feed import MillraceError

MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)
JPEG = b"\xff\xd8\xff"


def normalize(pixels, mean=MEAN, std=STD, dtype=torch.float32):
    """`(pixel / 255 - mean) / std` of N x 3 x height x width, computed where the pixels are."""
    scale = torch.tensor([1 / (255 * each) for each in std], dtype=torch.float32, device=pixels.device)
    bias = torch.tensor([-m / s for m, s in zip(mean, std)], dtype=torch.float32, device=pixels.device)
    numbers = pixels.to(torch.float32).mul_(scale.view(1, 3, 1, 1)).add_(bias.view(1, 3, 1, 1))
    return numbers.to(dtype)


class PinnedCopies:
    """Copies to a device by way of page-locked memory, so that they run beside the computation: two buffers in turns."""

    def __init__(self, device):
        self.device = torch.device(device)
        self.buffers = [None, None]
        self.done = [None, None]
        self.next = 0

    def __call__(self, tensor):
        if self.device.type != "cuda":
            return tensor.to(self.device)
        at, self.next = self.next, 1 - self.next
        buffer = self.buffers[at]
        if buffer is None or buffer.dtype != tensor.dtype or buffer.numel() < tensor.numel():
            buffer = self.buffers[at] = torch.empty(tensor.numel(), dtype=tensor.dtype, pin_memory=True)
        elif self.done[at] is not None:
            # The copy before the last may still read this buffer.
            self.done[at].synchronize()
        staged = buffer[: tensor.numel()].view(tensor.shape)
        staged.copy_(tensor)
        copied = staged.to(self.device, non_blocking=True)
        self.done[at] = torch.cuda.Event()
        self.done[at].record()
        return copied


class ImageInput:
    """A column of images as normalised numbers on a device, N x 3 x crop x crop.

    :param resize: of encoded images: the length of the shorter side; pixels come cropped
    :param decode: "device" decodes JPEGs on the device where that is a GPU, "cpu" all images by CPUs
    """

    def __init__(self, device="cpu", *, resize=256, crop=224, mean=MEAN, std=STD, dtype=torch.float32, decode="device"):
        if decode not in ("device", "cpu"):
            raise MillraceError(f"There is no decode='{decode}'. Choose \"device\" or \"cpu\".")
        if crop > resize:
            raise MillraceError(f"A crop of {crop} pixels does not lie in an image whose shorter side is {resize}.")
        self.device = torch.device(device)
        if self.device.type == "cuda" and not torch.cuda.is_available():
            raise MillraceError(f"The device '{device}' was asked for, but torch sees no GPU. Give the actor one:"
                                " Compute.actors(1).gpus(1).")
        self.resize, self.crop = resize, crop
        self.mean, self.std, self.dtype = mean, std, dtype
        self.on_gpu = decode == "device" and self.device.type == "cuda"
        self.copies = PinnedCopies(self.device)
        self.vision = vision_io()
        if self.on_gpu and self.vision is None:
            raise MillraceError("Decoding on a GPU needs torchvision, which is not installed here. Install it, or give"
                                " decode=\"cpu\".")

    def __call__(self, column):
        pixels = self.pixels(column)
        return normalize(pixels, self.mean, self.std, self.dtype)

    def pixels(self, column):
        """The crops, uint8 on the device."""
        if isinstance(column, np.ndarray) and column.dtype == np.uint8:
            with warnings.catch_warnings():
                # Views of shared memory are read-only, which torch warns of; nothing is written there.
                warnings.simplefilter("ignore")
                column = torch.from_numpy(np.ascontiguousarray(column))
        if isinstance(column, torch.Tensor):
            if column.dtype != torch.uint8 or column.dim() != 4 or 3 not in (column.shape[1], column.shape[3]):
                raise MillraceError(f"Pixels are uint8, N x 3 x height x width or N x height x width x 3, not"
                                    f" {str(column.dtype).removeprefix('torch.')} of shape {list(column.shape)}.")
            moved = self.copies(column)
            return moved if column.shape[1] == 3 else moved.permute(0, 3, 1, 2)
        return self.cropped(self.decoded([bytes(each) for each in column]))

    def decoded(self, files):
        """Images of any size, 3 x height x width, on the device."""
        images = [None] * len(files)
        jpegs = [i for i, file in enumerate(files) if file.startswith(JPEG)] if self.on_gpu else []
        if jpegs:
            data = [torch.frombuffer(bytearray(files[i]), dtype=torch.uint8) for i in jpegs]
            try:
                for i, image in zip(jpegs, self.vision.decode_jpeg(
                        data, mode=self.vision.ImageReadMode.RGB, device=self.device)):
                    images[i] = image
            except RuntimeError:
                # One of them is not for nvJPEG (CMYK, damaged): CPUs decode this batch, and name the bad one.
                pass
        for i, file in enumerate(files):
            if images[i] is None:
                images[i] = self.copies(self.decoded_here(i, file))
        return images

    def decoded_here(self, row, file):
        try:
            if self.vision is not None and file.startswith(JPEG):
                return self.vision.decode_jpeg(torch.frombuffer(bytearray(file), dtype=torch.uint8),
                                               mode=self.vision.ImageReadMode.RGB)
            from PIL import Image

            with Image.open(io.BytesIO(file)) as image:
                return torch.from_numpy(np.array(image.convert("RGB"))).permute(2, 0, 1).contiguous()
        except ModuleNotFoundError:
            raise MillraceError("Decoding images needs torchvision or Pillow, and neither is installed here.") from None
        except Exception as error:
            raise MillraceError(f"Row {row} of the batch is no image that can be decoded: {error}") from None

    def cropped(self, images):
        """Images of one size are resized together."""
        made = torch.empty((len(images), 3, self.crop, self.crop), dtype=torch.uint8, device=self.device)
        by_size = {}
        for row, image in enumerate(images):
            by_size.setdefault(tuple(image.shape), []).append(row)
        for (_, height, width), rows in by_size.items():
            # torchvision's geometry: the longer side is truncated, an odd margin rounded to the even neighbour.
            shorter = min(height, width)
            size = (int(self.resize * height / shorter), int(self.resize * width / shorter))
            numbers = torch.stack([images[row] for row in rows]).to(torch.float32)
            if size != (height, width):
                numbers = torch.nn.functional.interpolate(numbers, size, mode="bilinear", antialias=True)
            top, left = (int(round((side - self.crop) / 2.0)) for side in size)
            window = numbers[:, :, top : top + self.crop, left : left + self.crop]
            made[rows] = window.round_().clamp_(0, 255).to(torch.uint8)
        return made


def vision_io():
    try:
        import torchvision.io

        return torchvision.io
    except (ImportError, RuntimeError):
        # A torchvision that is not of this torch raises a RuntimeError.
        return None
