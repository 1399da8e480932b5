"""An image model of `bench gpu`: ResNet-50 with random weights, or on CPUs a small network of the same shape.

gpu_model.py alone PACKAGE DEVICE BATCH SECONDS prints the images per second of the model alone, whose input lies on the device.
"""

import sys
import time


def network(device):
    import torch
    from torch import nn

    class Bottleneck(nn.Module):
        def __init__(self, before, width, stride):
            super().__init__()
            after = 4 * width
            self.ways = nn.Sequential(
                nn.Conv2d(before, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
                nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
                nn.Conv2d(width, after, 1, bias=False), nn.BatchNorm2d(after))
            self.short = nn.Identity() if before == after and stride == 1 else nn.Sequential(
                nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

        def forward(self, x):
            return torch.relu(self.ways(x) + self.short(x))

    torch.manual_seed(7)
    base, depths = (64, (3, 4, 6, 3)) if device != "cpu" else (8, (1, 1, 1, 1))
    layers = [nn.Conv2d(3, base, 7, 2, 3, bias=False), nn.BatchNorm2d(base), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    before = base
    for stage, depth in enumerate(depths):
        for block in range(depth):
            layers.append(Bottleneck(before, base << stage, 2 if block == 0 and stage > 0 else 1))
            before = 4 * (base << stage)
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, 1000)]
    return nn.Sequential(*layers).to(device, dtype(device), memory_format=torch.channels_last).eval()


def dtype(device):
    import torch

    return torch.float32 if device == "cpu" else torch.float16


class Classifier:
    def __init__(self, device, decode):
        from millrace.vision import ImageInput

        self.model = network(device)
        self.images = ImageInput(device, dtype=dtype(device), decode=decode)

    def __call__(self, batch):
        import torch

        with torch.inference_mode():
            column = batch["image"] if "image" in batch else batch["bytes"]
            return {"label": self.model(self.images(column)).argmax(1)}


def alone(device, batch, seconds):
    import torch

    from millrace.vision import normalize

    if device == "cpu":
        torch.set_num_threads(1)
    model = network(device)
    pixels = torch.randint(0, 256, (batch, 3, 224, 224), dtype=torch.uint8, device=device)

    def run(limit):
        count, begun = 0, time.time()
        while time.time() - begun < limit or count == 0:
            with torch.inference_mode():
                # The labels come to the host, as they do in a pipeline: nothing is still under way.
                model(normalize(pixels, dtype=dtype(device))).argmax(1).cpu()
            count += batch
        return count / (time.time() - begun)

    run(seconds / 4)
    print(run(seconds))


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[2])
    alone(sys.argv[3], int(sys.argv[4]), float(sys.argv[5]))
