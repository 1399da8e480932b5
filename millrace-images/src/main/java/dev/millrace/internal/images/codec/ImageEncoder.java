package dev.millrace.internal.images.codec;

import dev.millrace.column.BinaryBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.images.options.ImageEncoding;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;

/// Encodes pixels. Holds the encoded bytes of one image at a time in memory of its own. One thread.
public final class ImageEncoder implements AutoCloseable {
    private final ImageEncoding encoding;
    private final Allocator scratch;
    private final MatHeader source;
    private final IntPointer parameters;
    private final String ending;
    private Buffer swapped = Buffer.EMPTY;

    public ImageEncoder(ImageEncoding encoding, Allocator scratch) {
        OpenCv.require();
        this.encoding = encoding;
        this.scratch = scratch;
        this.source = new MatHeader();
        this.ending = "." + encoding.kind().extension();
        this.parameters = new IntPointer(
                switch (encoding.kind()) {
                    case JPEG -> new int[] {opencv_imgcodecs.IMWRITE_JPEG_QUALITY, encoding.level()};
                    case PNG -> new int[] {opencv_imgcodecs.IMWRITE_PNG_COMPRESSION, encoding.level()};
                    case WEBP -> new int[] {opencv_imgcodecs.IMWRITE_WEBP_QUALITY, encoding.level()};
                });
    }

    /// Appends the encoded image as one value.
    ///
    /// @param pixels height x width x channels, dense
    /// @param channels 1, 3 or 4
    /// @throws BadImage if the format cannot represent the image
    public void encode(MemorySegment pixels, int height, int width, int channels, BinaryBuilder target)
            throws BadImage {
        if (encoding.kind() == ImageEncoding.Kind.JPEG && channels == 4) {
            throw new BadImage(
                    "has four channels, and JPEG has no transparency. Convert it to RGB first, or write PNG");
        }
        source.pointAt(
                channels == 1 ? pixels : blueFirst(pixels, height, width, channels),
                height,
                width,
                opencv_core.CV_MAKETYPE(opencv_core.CV_8U, channels));
        try (BytePointer encoded = new BytePointer()) {
            if (!opencv_imgcodecs.imencode(ending, source.mat(), encoded, parameters)) {
                throw new BadImage("of " + width + " x " + height + " pixels cannot be written as " + encoding.kind());
            }
            MemorySegment bytes = MemorySegment.ofAddress(encoded.address()).reinterpret(encoded.limit());
            target.append(bytes, 0, bytes.byteSize());
        } catch (RuntimeException e) {
            if (e instanceof MillraceException) {
                throw e;
            }
            throw new BadImage("of " + width + " x " + height + " pixels cannot be written as " + encoding.kind() + ": "
                    + e.getMessage());
        } finally {
            source.release();
        }
    }

    private MemorySegment blueFirst(MemorySegment pixels, int height, int width, int channels) {
        long bytes = (long) height * width * channels;
        if (swapped.size() < bytes) {
            swapped.release();
            swapped = Buffer.EMPTY;
            swapped = scratch.allocate(bytes);
        }
        ChannelConversion.swapRedAndBlue(pixels, (long) height * width, channels, swapped.segment());
        return swapped.segment();
    }

    @Override
    public void close() {
        swapped.release();
        parameters.close();
        source.mat().close();
    }
}
