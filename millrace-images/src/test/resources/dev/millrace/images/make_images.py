"""Writes images of every kind into a folder and, beside each, the pixels that PIL sees: NAME.MODE.pixels,
height, width and channels as int32 (big-endian), then the bytes."""
import sys

import numpy as np
from PIL import Image, ImageOps

folder = sys.argv[1] + "/"
random = np.random.default_rng(7)
HEIGHT, WIDTH = 61, 87


def picture(channels, height=HEIGHT, width=WIDTH):
    y, x = np.mgrid[0:height, 0:width]
    planes = [x * 255 / width, y * 255 / height, (x + 2 * y) % 256, 255 - x * 200 / width]
    pixels = np.stack(planes[:channels], -1) + random.normal(0, 5, (height, width, channels))
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8).squeeze())


def keep(name, mode, image):
    pixels = np.asarray(image)
    pixels = pixels[..., None] if pixels.ndim == 2 else pixels
    with open(f"{folder}{name}.{mode}.pixels", "wb") as out:
        out.write(np.array(pixels.shape, ">i4").tobytes() + pixels.tobytes())


def expect(name):
    image = Image.open(folder + name)
    image.seek(0)
    upright = ImageOps.exif_transpose(image)
    for mode in ["RGB", "RGBA", "L"]:
        keep(name, mode, upright.convert(mode))
    keep(name, "stored", image.convert("RGB"))
    keep(name, "32x48", upright.convert("RGB").resize((48, 32), Image.Resampling.BILINEAR))


def save(name, image, **options):
    image.save(folder + name, **options)
    expect(name)


colours, grey, alpha = picture(3), picture(1), picture(4)
palette = colours.quantize(64)

save("baseline.jpg", colours, quality=90)
save("progressive.jpg", colours, progressive=True)
save("full-chroma.jpeg", colours, subsampling=0, quality=97)
save("half-chroma.jpg", colours, subsampling=1)
save("grey.jpg", grey)
save("cmyk.jpg", colours.convert("CMYK"))
save("one-pixel.jpg", picture(3, 1, 1))
save("restarts.jpg", colours, restart_marker_rows=1)

save("colours.png", colours)
save("grey.png", grey)
save("alpha.png", alpha)
save("grey-alpha.png", alpha.convert("LA"))
save("palette.png", palette)
save("palette-16.png", colours.quantize(16), bits=4)
save("palette-transparent.png", palette, transparency=3)
save("bits.png", colours.convert("1"))
save("grey-key.png", grey, transparency=100)
save("colour-key.png", Image.fromarray(np.asarray(colours) // 64 * 64), transparency=(64, 64, 64))
save("palette-4.png", colours.quantize(4), bits=2)
save("palette-2.png", colours.quantize(2), bits=1)
save("one-pixel.png", picture(4, 1, 1))
save("level-0.png", colours, compress_level=0)

save("lossy.webp", colours, quality=80)
save("lossless.webp", colours, lossless=True)
save("alpha.webp", alpha, lossless=True, exact=True)
save("animated.webp", colours, save_all=True, append_images=[alpha.convert("RGB")], lossless=True)

save("colours.bmp", colours)
save("grey.bmp", grey)
save("palette.bmp", palette)
save("alpha.bmp", alpha)

save("still.gif", palette)
save("transparent.gif", palette, transparency=3)
save("animated.gif", palette, save_all=True, append_images=[alpha.convert("RGB").quantize(32)])

for compression in ["raw", "tiff_lzw", "tiff_adobe_deflate", "packbits", "jpeg"]:
    save("colours-" + compression + ".tif", colours, compression=compression)
save("grey.tiff", grey)
save("alpha.tiff", alpha)
save("palette.tiff", palette)
save("cmyk.tiff", colours.convert("CMYK"))
save("fax.tiff", colours.convert("1"), compression="group4")
save("big-endian.tiff", colours, compression="tiff_lzw", big_tiff=True)

for orientation in range(1, 9):
    exif = Image.Exif()
    exif[0x0112] = orientation
    save(f"exif-{orientation}.jpg", colours, exif=exif, subsampling=0, quality=97)
    save(f"exif-{orientation}.png", colours, exif=exif)
    save(f"exif-{orientation}.webp", colours, exif=exif, lossless=True)
    save(f"exif-{orientation}.tif", colours, exif=exif)

wide = (random.integers(0, 256, (HEIGHT, WIDTH)) * 257).astype(np.uint16)
Image.fromarray(wide).save(folder + "deep-grey.png")
Image.fromarray(wide).save(folder + "deep-grey.tif")
for name in ["deep-grey.png", "deep-grey.tif"]:
    eight = Image.fromarray((wide >> 8).astype(np.uint8))
    for mode in ["RGB", "RGBA", "L"]:
        keep(name, mode, eight.convert(mode))
    keep(name, "stored", eight.convert("RGB"))
    keep(name, "32x48", eight.convert("RGB").resize((48, 32), Image.Resampling.BILINEAR))
