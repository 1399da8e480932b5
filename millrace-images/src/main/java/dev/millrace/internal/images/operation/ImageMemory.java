package dev.millrace.internal.images.operation;

import dev.millrace.internal.images.resample.PixelImage;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The memory for the results of a chain's steps: the last step writes to the output, the others alternate between two
/// regions, which are reused for the next row. One thread.
final class ImageMemory implements AutoCloseable {
    private final Allocator allocator;
    private final Buffer[] regions = {Buffer.EMPTY, Buffer.EMPTY};
    private int turn;
    private @Nullable MemorySegment output;
    private boolean isLast;

    ImageMemory(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Begins a row.
    ///
    /// @param target receives the result of the last step; null: it goes to a region too
    void begin(@Nullable MemorySegment target) {
        output = target;
        isLast = false;
    }

    /// Sets whether the step that calls [#next] next is the last one.
    void last(boolean last) {
        isLast = last;
    }

    /// Memory for an image, distinct from that of the previous image.
    MemorySegment next(ImageShape shape) {
        if (isLast && output != null) {
            return output;
        }
        turn = 1 - turn;
        long bytes = shape.bytes();
        if (regions[turn].size() < bytes) {
            regions[turn].release();
            regions[turn] = Buffer.EMPTY;
            regions[turn] = allocator.allocate(bytes);
        }
        return regions[turn].segment().asSlice(0, bytes);
    }

    PixelImage nextImage(ImageShape shape) {
        return PixelImage.dense(next(shape), shape.width(), shape.height(), shape.channels());
    }

    @Override
    public void close() {
        for (Buffer region : regions) {
            region.release();
        }
    }
}
