package dev.millrace.internal.images.codec;

import dev.millrace.images.options.ImageMode;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.opencv_core.Mat;

/// Decodes images into memory that the caller has made for them: no pixel is copied on the way unless the image must
/// be turned upright or its channels changed. One for each thread ([#ofThread]).
public final class ImageDecoder {
    /// As PIL: larger ones are taken for an attack on the memory.
    public static final long DEFAULT_MAX_PIXELS = 178_956_970;

    private static final ThreadLocal<ImageDecoder> OF_THREAD = ThreadLocal.withInitial(ImageDecoder::new);

    /// Made when OpenCV is needed first.
    private MatHeader source;

    private MatHeader target;
    private final PngDecoder png = new PngDecoder();

    private ImageDecoder() {}

    /// The decoder of the calling thread.
    public static ImageDecoder ofThread() {
        return OF_THREAD.get();
    }

    /// @param mostPixels more are an error
    /// @throws BadImage for an image that is none, or too large
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

    /// Decodes all of an image.
    ///
    /// @param encoded off the heap
    /// @param header of these bytes
    /// @param orientation how stored pixels are to be turned: [ImageHeader#orientation], or 1 to take them as they are
    /// @param pixels takes height x width (once turned) x channels of the mode; undefined after an exception
    /// @param scratch for memory on the way
    /// @throws BadImage if the bytes are damaged or end too early
    /// @throws dev.millrace.error.MillraceException culprit USER, where OpenCV's libraries are missing
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
                    // Three channels end where the four will: the loop never overtakes itself.
                    MemorySegment end = pixels.asSlice(header.pixels());
                    colours(encoded, header, end);
                    ChannelConversion.opaque(end, header.pixels(), pixels);
                }
            }
            case GREY -> {
                if (header.channels() == 1 && !header.alpha()) {
                    read(encoded, header, opencv_imgcodecs.IMREAD_GRAYSCALE, MatHeader.ONE_CHANNEL, pixels);
                    requireFilled(encoded, header, MatHeader.ONE_CHANNEL, pixels);
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
        read(encoded, header, opencv_imgcodecs.IMREAD_COLOR_RGB, MatHeader.THREE_CHANNELS, pixels);
        requireFilled(encoded, header, MatHeader.THREE_CHANNELS, pixels);
    }

    private void withAlpha(MemorySegment encoded, ImageHeader header, MemorySegment pixels) throws BadImage {
        if (header.format() == ImageFormat.BMP) {
            BmpDecoder.decode(encoded, 4, pixels);
            return;
        }
        read(encoded, header, opencv_imgcodecs.IMREAD_UNCHANGED, MatHeader.FOUR_CHANNELS, pixels);
        if (target.isOver(pixels)) {
            ChannelConversion.swapRedAndBlue(pixels, header.pixels());
            return;
        }
        try {
            // 16 bits, or fewer channels than the header made expect: OpenCV took memory of its own.
            requireSize(header);
            ChannelConversion.toRgba(target.pixels(), target.type(), header.pixels(), pixels);
        } finally {
            target.release();
        }
    }

    private void read(MemorySegment encoded, ImageHeader header, int flags, int type, MemorySegment pixels)
            throws BadImage {
        if (encoded.byteSize() > Integer.MAX_VALUE) {
            throw new BadImage("has " + encoded.byteSize() + " bytes, more than 2 GiB");
        }
        if (source == null) {
            OpenCv.require();
            source = new MatHeader();
            target = new MatHeader();
        }
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
    }

    /// Damage is said only of files that are of a usual kind: others may be whole, and cannot be decoded.
    private static String broken(MemorySegment encoded, ImageHeader header) throws BadImage {
        String unusual = switch (header.format()) {
            case JPEG -> JpegHeader.unusual(encoded);
            case TIFF -> TiffDirectory.first(encoded).unusual();
            case PNG, WEBP, GIF, BMP -> "";
        };
        return "is a " + header.format() + " image of " + header.size() + " pixels that "
                + (unusual.isEmpty() ? "is damaged or cut off" : "cannot be decoded, with " + unusual);
    }

    /// What OpenCV put into memory of its own, as it does for TIFF images that it turns, is copied.
    private void requireFilled(MemorySegment encoded, ImageHeader header, int type, MemorySegment pixels)
            throws BadImage {
        if (!target.isOver(pixels)) {
            try {
                requireSize(header);
                if (target.type() != type) {
                    throw new BadImage(broken(encoded, header));
                }
                MemorySegment.copy(
                        target.pixels(), 0, pixels, 0, target.pixels().byteSize());
            } finally {
                target.release();
            }
        }
    }

    private void requireSize(ImageHeader header) throws BadImage {
        if (target.rows() != header.height() || target.columns() != header.width()) {
            throw new BadImage("is a " + header.format() + " image whose header says " + header.size()
                    + " pixels, while " + target.columns() + " x " + target.rows() + " were found");
        }
    }
}
