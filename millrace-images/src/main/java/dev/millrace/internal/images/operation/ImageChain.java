package dev.millrace.internal.images.operation;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.images.codec.BadImage;
import dev.millrace.internal.images.resample.ImageResampler;
import dev.millrace.internal.images.resample.ImageWindow;
import dev.millrace.internal.images.resample.PixelImage;
import dev.millrace.internal.images.resample.PixelMoves;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs the steps of a function image by image. A crop that directly follows a resize is fused with it, so that only
/// the kept pixels are computed; planes that directly follow are written without an intermediate image. One thread.
final class ImageChain implements AutoCloseable {
    private final List<ImageStep> steps;
    private final Allocator scratch;
    private final ImageMemory memory;
    private final ImageResampler resampler = ImageResampler.take();

    /// @param steps without an encode step
    ImageChain(List<ImageStep> steps, Allocator scratch) {
        this.steps = steps;
        this.scratch = scratch;
        this.memory = new ImageMemory(scratch);
    }

    /// The shape of the result for an image of this shape.
    ImageShape after(ImageShape input) throws BadImage {
        ImageShape shape = input;
        for (ImageStep step : steps) {
            shape = step.after(shape);
        }
        return shape;
    }

    /// Computes the image or the planes of a row into the caller's memory.
    void into(ImageInput input, long row, ImageShape shape, MemorySegment target) throws BadImage {
        run(input, row, shape, target);
    }

    /// Computes the image of a row, which is valid until the next call.
    PixelImage image(ImageInput input, long row, ImageShape shape) throws BadImage {
        PixelImage image = run(input, row, shape, null);
        if (image == null) {
            throw planesWithoutTarget();
        }
        return image;
    }

    private static MillraceException planesWithoutTarget() {
        return MillraceException.internal("planes are computed where an image is wanted");
    }

    /// @param target receives the result; null: it stays in this chain's memory
    /// @return null if the result is planes
    private @Nullable PixelImage run(ImageInput input, long row, ImageShape shape, @Nullable MemorySegment target)
            throws BadImage {
        memory.begin(target);
        int at = !steps.isEmpty() && steps.getFirst() instanceof ImageStep.Decode ? 1 : 0;
        memory.last(at == steps.size());
        PixelImage image = input.pixels(row, memory, scratch);
        ImageShape now = shape;
        while (at < steps.size()) {
            ImageStep step = steps.get(at++);
            memory.last(at == steps.size());
            ImageShape next = step.after(now);
            switch (step) {
                case ImageStep.Decode _, ImageStep.Encode _ -> throw new IllegalStateException("not within a chain");
                case ImageStep.Convert _ -> {
                    if (next.channels() != now.channels()) {
                        PixelImage made = memory.nextImage(next);
                        ChannelChange.convert(image, made);
                        image = made;
                    }
                }
                case ImageStep.Resizing resize -> {
                    if (next.equals(now)) {
                        // Pillow returns such images unchanged, too.
                        break;
                    }
                    ImageWindow window = new ImageWindow(0, 0, next.width(), next.height());
                    ImageShape whole = next;
                    if (at < steps.size() && steps.get(at) instanceof ImageStep.Cropping crop) {
                        window = crop.window(next);
                        next = crop.after(next);
                        memory.last(++at == steps.size());
                    }
                    if (at < steps.size() && steps.get(at) instanceof ImageStep.ToPlanes planes) {
                        if (target == null) {
                            throw planesWithoutTarget();
                        }
                        resampler.planes(
                                image,
                                whole.width(),
                                whole.height(),
                                window,
                                resize.filter(),
                                true,
                                planes.planes(now.channels()),
                                target);
                        return null;
                    }
                    PixelImage made = memory.nextImage(next);
                    resampler.resize(image, whole.width(), whole.height(), window, resize.filter(), made);
                    image = made;
                }
                case ImageStep.Cropping crop -> image = image.window(crop.window(now));
                case ImageStep.Flip flip -> {
                    PixelImage made = memory.nextImage(next);
                    if (flip.horizontal()) {
                        PixelMoves.flipHorizontally(image, made);
                    } else {
                        PixelMoves.flipVertically(image, made);
                    }
                    image = made;
                }
                case ImageStep.ToPlanes planes -> {
                    if (target == null) {
                        throw planesWithoutTarget();
                    }
                    planes.planes(now.channels()).write(image, target);
                    return null;
                }
            }
            now = next;
        }
        return inPlace(image, now, target);
    }

    /// The image with dense rows, in the target if there is one.
    private PixelImage inPlace(PixelImage image, ImageShape shape, @Nullable MemorySegment target) {
        boolean there = target == null
                ? image.stride() == image.rowBytes()
                : image.segment().address() == target.address();
        if (there) {
            return image;
        }
        memory.last(true);
        PixelImage dense = memory.nextImage(shape);
        PixelMoves.copy(image, dense);
        return dense;
    }

    @Override
    public void close() {
        memory.close();
        resampler.close();
    }
}
