"""Writes images of every kind into a folder and, beside each, the pixels that PIL sees: NAME.MODE.pixels,
height, width and channels as int32 (big-endian), then the bytes."""
import struct
import sys

import numpy as np
from PIL import Image, ImageOps
from PIL.PngImagePlugin import PngInfo

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

# Orientations that stand elsewhere than in EXIF.
def exif_bytes(orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif.tobytes()


def xmp(orientation, form='tiff:Orientation="{}"'):
    return ('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description ' + form.format(orientation) + '/></x:xmpmeta>').encode()


def profile(orientation):
    data = exif_bytes(orientation)
    digits = data.hex()
    lines = "\n".join(digits[i:i + 72] for i in range(0, len(digits), 72))
    return f"\nexif\n{len(data):8}\n{lines}\n"


def texts(**entries):
    info = PngInfo()
    for kind, (key, value) in entries.items():
        if kind == "plain":
            info.add_text(key, value)
        elif kind == "packed":
            info.add_text(key, value, zip=True)
        elif kind == "international":
            info.add_itxt(key, value)
        else:
            info.add_itxt(key, value, zip=True)
    return info


save("profile.png", colours, pnginfo=texts(plain=("Raw profile type exif", profile(6))))
save("profile-packed.png", colours, pnginfo=texts(packed=("Raw profile type exif", profile(8))))
save("xmp.png", colours, pnginfo=texts(international=("XML:com.adobe.xmp", xmp(6).decode())))
save("xmp-packed.png", colours, pnginfo=texts(internationalPacked=("XML:com.adobe.xmp", xmp(3).decode())))
save("xmp-plain.png", colours, pnginfo=texts(plain=("XML:com.adobe.xmp", xmp(5).decode())))
save("xmp-and-exif.png", colours, exif=exif_bytes(3),
     pnginfo=texts(international=("XML:com.adobe.xmp", xmp(6).decode())))
save("xmp-and-profile.png", colours, pnginfo=texts(
    plain=("Raw profile type exif", profile(7)), international=("XML:com.adobe.xmp", xmp(6).decode())))
save("text.png", colours, pnginfo=texts(plain=("Comment", 'tiff:Orientation="6"')))
save("xmp.jpg", colours, xmp=xmp(6), subsampling=0)
save("xmp-element.jpg", colours, xmp=xmp(8, "><tiff:Orientation>{}</tiff:Orientation"), subsampling=0)
save("xmp-and-exif.jpg", colours, xmp=xmp(6), exif=exif_bytes(3), subsampling=0)
save("xmp-and-upright.jpg", colours, xmp=xmp(6), exif=exif_bytes(1), subsampling=0)
save("xmp.webp", colours, xmp=xmp(6), lossless=True)
save("xmp.tif", colours, tiffinfo={700: xmp(6)})
save("xmp-and-exif.webp", colours, xmp=xmp(6), exif=exif_bytes(3), lossless=True)


# BMP files that PIL reads and does not write.
def bmp(name, header, bits, compression, rows, masks=(), palette=(), height=HEIGHT, width=WIDTH, used=0):
    core = header == 12
    body = b"".join(rows)
    table = b"".join(bytes((b, g, r)) + (b"" if core else b"\0") for r, g, b in palette)
    if core:
        info = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        info = struct.pack("<IiiHHIIiiII", header, width, height, 1, bits, compression, len(body), 0, 0, used, 0)
        inside = struct.pack("<%dI" % len(masks), *masks)
        info += inside[:header - 40].ljust(header - 40, b"\0") if header > 40 else b""
        table = (inside if header == 40 else b"") + table
    start = 14 + len(info) + len(table)
    with open(folder + name, "wb") as out:
        out.write(b"BM" + struct.pack("<IHHI", start + len(body), 0, 0, start) + info + table + body)
    expect(name)


def rows_of(values, kind):
    lines = [np.ascontiguousarray(line.astype(kind)).tobytes() for line in values[::-1]]
    return [line + b"\0" * (-len(line) % 4) for line in lines]


deep = np.asarray(alpha).astype(np.uint32)
R, G, B, A = (deep[..., i] for i in range(4))
five = (R >> 3) << 10 | (G >> 3) << 5 | B >> 3
six = (R >> 3) << 11 | (G >> 2) << 5 | B >> 3
for header in [40, 52, 56, 108, 124]:
    bmp(f"masks-16-565-{header}.bmp", header, 16, 3, rows_of(six, "<u2"), (0xF800, 0x7E0, 0x1F))
    bmp(f"masks-16-555-{header}.bmp", header, 16, 3, rows_of(five, "<u2"), (0x7C00, 0x3E0, 0x1F))
    bmp(f"masks-32-{header}.bmp", header, 32, 3, rows_of(R << 24 | G << 16 | B << 8, "<u4"), (0xFF000000, 0xFF0000, 0xFF00))
bmp("plain-16.bmp", 40, 16, 0, rows_of(five, "<u2"))
bmp("plain-32.bmp", 40, 32, 0, rows_of(A << 24 | R << 16 | G << 8 | B, "<u4"))
bmp("no-masks-32.bmp", 124, 32, 3, rows_of(A << 24 | R << 16 | G << 8 | B, "<u4"), (0, 0, 0, 0))
bmp("bgra-32.bmp", 124, 32, 3, rows_of(A << 24 | R << 16 | G << 8 | B, "<u4"), (0xFF0000, 0xFF00, 0xFF, 0xFF000000))
bmp("rgba-32.bmp", 108, 32, 3, rows_of(A << 24 | B << 16 | G << 8 | R, "<u4"), (0xFF, 0xFF00, 0xFF0000, 0xFF000000))
bmp("abgr-32.bmp", 56, 32, 3, rows_of(R << 24 | G << 16 | B << 8 | A, "<u4"), (0xFF000000, 0xFF0000, 0xFF00, 0xFF))
bmp("top-down-16.bmp", 40, 16, 3, rows_of(six, "<u2")[::-1], (0xF800, 0x7E0, 0x1F), height=-HEIGHT)

entries = np.asarray(palette.getpalette()[:64 * 3]).reshape(-1, 3).tolist()
indexes = np.asarray(palette)
bmp("os2.bmp", 12, 8, 0, rows_of(indexes, "u1"), palette=entries + [(0, 0, 0)] * 192)
bmp("os2-colours.bmp", 12, 24, 0, rows_of(np.asarray(colours)[..., ::-1].reshape(HEIGHT, -1), "u1"))
bmp("os2-two.bmp", 64, 8, 0, rows_of(indexes, "u1"), palette=entries, used=64)
few = np.asarray(colours.quantize(16))
sixteen = np.asarray(colours.quantize(16).getpalette()[:48]).reshape(-1, 3).tolist()
padded = np.pad(few, ((0, 0), (0, 1)))
bmp("palette-4-bits.bmp", 40, 4, 0, rows_of(padded[:, ::2] << 4 | padded[:, 1::2], "u1"), palette=sixteen)
bits = np.asarray(colours.convert("1")).astype(np.uint8)
bmp("palette-1-bit.bmp", 40, 1, 0, rows_of(np.packbits(bits, axis=1), "u1"), palette=[(10, 20, 30), (200, 100, 50)])
bmp("bits.bmp", 40, 1, 0, rows_of(np.packbits(bits, axis=1), "u1"), palette=[(0, 0, 0), (255, 255, 255)])


def runs(values, nibbles):
    lines = []
    for number, line in enumerate(values[::-1].tolist()):
        out, x = bytearray(), 0
        while x < len(line):
            same = 1
            while x + same < len(line) and same < 255 and line[x + same] == line[x]:
                same += 1
            if same > 1 or len(line) - x < 4:
                out += bytes((same, line[x] << 4 | line[x] if nibbles else line[x]))
                x += same
            else:
                part = line[x:x + 5]
                data = bytes(part) if not nibbles else bytes(
                    part[i] << 4 | (part[i + 1] if i + 1 < len(part) else 0) for i in range(0, len(part), 2))
                if len(part) < 3:
                    out += bytes((1, part[0] << 4 if nibbles else part[0]))
                    x += 1
                    continue
                out += bytes((0, len(part))) + data + b"\0" * (len(data) % 2)
                x += len(part)
        lines.append(bytes(out) + (b"\0\1" if number == len(values) - 1 else b"\0\0"))
    return lines


blocks = np.repeat(np.repeat(indexes[::4, ::4], 4, 0), 4, 1)[:HEIGHT, :WIDTH]
bmp("runs-8.bmp", 40, 8, 1, runs(blocks, False), palette=entries, used=64)
bmp("runs-8-noise.bmp", 40, 8, 1, runs(indexes, False), palette=entries, used=64)
bmp("runs-4.bmp", 40, 4, 2, runs(np.repeat(few[:, ::3], 3, 1)[:, :WIDTH], True), palette=sixteen)
bmp("runs-4-noise.bmp", 40, 4, 2, runs(few, True), palette=sixteen)
# Two columns and one row passed over, then all rows that are left.
bmp("runs-moved.bmp", 40, 8, 1, [b"\5\7\0\2\2\1\3\11\0\0\2\3\0\0\0\2\0", bytes([HEIGHT - 3]), b"\0\1"], palette=entries, used=64)

wide = (random.integers(0, 256, (HEIGHT, WIDTH)) * 257).astype(np.uint16)
Image.fromarray(wide).save(folder + "deep-grey.png")
Image.fromarray(wide).save(folder + "deep-grey.tif")
for name in ["deep-grey.png", "deep-grey.tif"]:
    eight = Image.fromarray((wide >> 8).astype(np.uint8))
    for mode in ["RGB", "RGBA", "L"]:
        keep(name, mode, eight.convert(mode))
    keep(name, "stored", eight.convert("RGB"))
    keep(name, "32x48", eight.convert("RGB").resize((48, 32), Image.Resampling.BILINEAR))
