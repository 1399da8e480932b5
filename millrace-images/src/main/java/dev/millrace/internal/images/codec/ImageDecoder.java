package dev.millrace.internal.images.codec;

import dev.millrace.images.options.ImageMode;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.opencv_core.Mat;
import org.jspecify.annotations.Nullable;

/// Decodes images into memory that the caller allocated: no pixel is copied in between unless the image must be turned
/// upright or its channels changed. One instance per thread ([#ofThread]).
public final class ImageDecoder {
    /// PIL's limit: a larger image is assumed to be a decompression bomb.
    public static final long DEFAULT_MAX_PIXELS = 178_956_970;

    private static final ThreadLocal<ImageDecoder> OF_THREAD = ThreadLocal.withInitial(ImageDecoder::new);

    /// Created when OpenCV is first needed.
    private @Nullable MatHeaders headers;

    private final PngDecoder png = new PngDecoder();

    private record MatHeaders(MatHeader source, MatHeader target) {}

    private ImageDecoder() {}

    /// The decoder of the calling thread.
    public static ImageDecoder ofThread() {
        return OF_THREAD.get();
    }

    /// @param mostPixels the limit above which an image is rejected
    /// @throws BadImage if the bytes are not an image, or the image is too large
    public static ImageHeader header(MemorySegment encoded, long mostPixels) throws BadImage {
        ImageHeader header = ImageHeader.of(encoded);
        if (header.pixels() > mostPixels) {
            throw new BadImage("claims to have " + header.size() + " pixels, "
                    + String.format(Locale.ROOT, "%,d", header.pixels()) + " in "
                    + String.format(Locale.ROOT, "%,d", encoded.byteSize())
                    + " bytes, and at most " + String.format(Locale.ROOT, "%,d", mostPixels)
                    + " are allowed. If it is not damaged, allow more with maxPixels");
        }
        return header;
    }

    /// Decodes a whole image.
    ///
    /// @param encoded in off-heap memory
    /// @param header the header of these bytes
    /// @param orientation how stored pixels are turned: [ImageHeader#orientation], or 1 to keep them as stored
    /// @param pixels receives height x width (after turning) x channels of the mode; undefined after an exception
    /// @param scratch for intermediate memory
    /// @throws BadImage if the bytes are damaged or truncated
    /// @throws dev.millrace.error.MillraceException culprit USER, if OpenCV's libraries are missing
    public void decode(
            MemorySegment encoded,
            ImageHeader header,
            ImageMode mode,
            int orientation,
            MemorySegment pixels,
            Allocator scratch)
            throws BadImage {
        if (orientation == 1) {
            decodeStored(encoded, header, mode, pixels, scratch);
            return;
        }
        Buffer stored = scratch.allocate(pixels.byteSize());
        try {
            decodeStored(encoded, header, mode, stored.segment(), scratch);
            OrientationTurn.upright(
                    stored.segment(), header.width(), header.height(), mode.channels(), orientation, pixels);
        } finally {
            stored.release();
        }
    }

    private void decodeStored(
            MemorySegment encoded, ImageHeader header, ImageMode mode, MemorySegment pixels, Allocator scratch)
            throws BadImage {
        if (header.format() == ImageFormat.PNG) {
            png.decode(encoded, header, mode, pixels);
            return;
        }
        switch (mode) {
            case RGB -> colours(encoded, header, pixels);
            case RGBA -> {
                if (header.alpha()) {
                    withAlpha(encoded, header, pixels);
                } else {
                    // The three-channel pixels end where the four-channel ones will: the loop never overwrites pixels
                    // that it has yet to read.
                    MemorySegment end = pixels.asSlice(header.pixels());
                    colours(encoded, header, end);
                    ChannelConversion.opaque(end, header.pixels(), pixels);
                }
            }
            case GREY -> {
                if (header.channels() == 1 && !header.alpha()) {
                    MatHeader found =
                            read(encoded, header, opencv_imgcodecs.IMREAD_GRAYSCALE, MatHeader.ONE_CHANNEL, pixels);
                    requireFilled(found, encoded, header, MatHeader.ONE_CHANNEL, pixels);
                } else {
                    Buffer colours = scratch.allocate(3 * header.pixels());
                    try {
                        colours(encoded, header, colours.segment());
                        ChannelConversion.grey(colours.segment(), header.pixels(), pixels);
                    } finally {
                        colours.release();
                    }
                }
            }
        }
    }

    private void colours(MemorySegment encoded, ImageHeader header, MemorySegment pixels) throws BadImage {
        if (header.format() == ImageFormat.BMP) {
            BmpDecoder.decode(encoded, 3, pixels);
            return;
        }
        MatHeader found = read(encoded, header, opencv_imgcodecs.IMREAD_COLOR_RGB, MatHeader.THREE_CHANNELS, pixels);
        requireFilled(found, encoded, header, MatHeader.THREE_CHANNELS, pixels);
    }

    private void withAlpha(MemorySegment encoded, ImageHeader header, MemorySegment pixels) throws BadImage {
        if (header.format() == ImageFormat.BMP) {
            BmpDecoder.decode(encoded, 4, pixels);
            return;
        }
        MatHeader found = read(encoded, header, opencv_imgcodecs.IMREAD_UNCHANGED, MatHeader.FOUR_CHANNELS, pixels);
        if (found.isOver(pixels)) {
            ChannelConversion.swapRedAndBlue(pixels, header.pixels());
            return;
        }
        try {
            // 16 bits, or fewer channels than the header declared: OpenCV allocated memory of its own.
            requireSize(found, header);
            ChannelConversion.toRgba(found.pixels(), found.type(), header.pixels(), pixels);
        } finally {
            found.release();
        }
    }

    /// @return a header over `pixels`, or over memory that OpenCV allocated itself
    private MatHeader read(MemorySegment encoded, ImageHeader header, int flags, int type, MemorySegment pixels)
            throws BadImage {
        if (encoded.byteSize() > Integer.MAX_VALUE) {
            throw new BadImage("has " + encoded.byteSize() + " bytes, more than 2 GiB");
        }
        MatHeaders made = headers;
        if (made == null) {
            OpenCv.require();
            made = new MatHeaders(new MatHeader(), new MatHeader());
            headers = made;
        }
        MatHeader source = made.source();
        MatHeader target = made.target();
        source.pointAt(encoded, 1, (int) encoded.byteSize(), MatHeader.ONE_CHANNEL);
        target.pointAt(pixels, header.height(), header.width(), type);
        int upright = flags == opencv_imgcodecs.IMREAD_UNCHANGED ? 0 : opencv_imgcodecs.IMREAD_IGNORE_ORIENTATION;
        boolean empty;
        try (Mat result = opencv_imgcodecs.imdecode(source.mat(), flags | upright, target.mat())) {
            empty = result.empty();
        } catch (RuntimeException e) {
            target.release();
            throw new BadImage(broken(encoded, header) + ": " + e.getMessage());
        }
        if (empty) {
            target.release();
            throw new BadImage(broken(encoded, header));
        }
        return target;
    }

    /// Only files of a usual kind are reported as damaged: an unusual file may be intact but unsupported.
    private static String broken(MemorySegment encoded, ImageHeader header) throws BadImage {
        String unusual = switch (header.format()) {
            case JPEG -> JpegHeader.unusual(encoded);
            case TIFF -> TiffDirectory.first(encoded).unusual();
            case PNG, WEBP, GIF, BMP -> "";
        };
        return "is a " + header.format() + " image of " + header.size() + " pixels that "
                + (unusual.isEmpty() ? "is damaged or cut off" : "cannot be decoded, with " + unusual);
    }

    /// Pixels that OpenCV decoded into memory of its own, as it does for TIFF images that it turns, are copied.
    private static void requireFilled(
            MatHeader found, MemorySegment encoded, ImageHeader header, int type, MemorySegment pixels)
            throws BadImage {
        if (!found.isOver(pixels)) {
            try {
                requireSize(found, header);
                if (found.type() != type) {
                    throw new BadImage(broken(encoded, header));
                }
                MemorySegment.copy(found.pixels(), 0, pixels, 0, found.pixels().byteSize());
            } finally {
                found.release();
            }
        }
    }

    private static void requireSize(MatHeader found, ImageHeader header) throws BadImage {
        if (found.rows() != header.height() || found.columns() != header.width()) {
            throw new BadImage("is a " + header.format() + " image whose header says " + header.size()
                    + " pixels, while " + found.columns() + " x " + found.rows() + " were found");
        }
    }
}
