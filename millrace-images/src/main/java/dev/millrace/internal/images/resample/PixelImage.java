package dev.millrace.internal.images.resample;

import java.lang.foreign.MemorySegment;

/// An image in memory: rows of `width` pixels with `channels` bytes each, one row every `stride` bytes.
///
/// @param channels 1 (grey), 3 (RGB) or 4 (RGBA)
public record PixelImage(MemorySegment segment, int width, int height, int channels, long stride) {
    public PixelImage {
        if (channels != 1 && channels != 3 && channels != 4) {
            throw new IllegalArgumentException("An image has 1, 3 or 4 channels, not " + channels + ".");
        }
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("An image of " + width + " x " + height + " pixels has no pixels.");
        }
        long needed = (height - 1L) * stride + (long) width * channels;
        if (stride < (long) width * channels || segment.byteSize() < needed) {
            throw new IllegalArgumentException("An image of " + width + " x " + height + " x " + channels
                    + " with rows every " + stride + " bytes needs " + needed + " bytes; there are "
                    + segment.byteSize() + ".");
        }
    }

    /// An image without gaps between rows.
    public static PixelImage dense(MemorySegment segment, int width, int height, int channels) {
        return new PixelImage(segment, width, height, channels, (long) width * channels);
    }

    /// A view of the pixels of a window, without a copy.
    public PixelImage window(ImageWindow window) {
        window.requireInside(width, height);
        return new PixelImage(
                segment.asSlice(window.y() * stride + (long) window.x() * channels),
                window.width(),
                window.height(),
                channels,
                stride);
    }

    public ImageWindow whole() {
        return new ImageWindow(0, 0, width, height);
    }

    /// The number of pixel bytes per row.
    public long rowBytes() {
        return (long) width * channels;
    }

    /// The offset of a pixel.
    long at(int x, int y) {
        return y * stride + (long) x * channels;
    }
}
