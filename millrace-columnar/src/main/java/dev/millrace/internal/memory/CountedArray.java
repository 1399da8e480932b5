package dev.millrace.internal.memory;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// An array on the Java heap that is charged to an account until it is closed: creating one waits for memory, or is
/// refused, like any other request. One thread.
///
/// @param <A> `int[]`, `double[]`, `byte[]`
public final class CountedArray<A> implements AutoCloseable {
    private final Buffer counted;
    private @Nullable A values;

    private CountedArray(
            Allocator allocator, long bytes, int count, IntFunction<A> make, Function<A, MemorySegment> view) {
        this.counted = allocator.adopt(Buffer.EMPTY, bytes, () -> {
            values = make.apply(count);
            return view.apply(values);
        });
    }

    /// An array of ints, charged to the account until it is closed.
    public static CountedArray<int[]> ofInts(Allocator allocator, int count) {
        return new CountedArray<>(allocator, (long) count * Integer.BYTES, count, int[]::new, MemorySegment::ofArray);
    }

    /// An array of doubles, charged to the account until it is closed.
    public static CountedArray<double[]> ofDoubles(Allocator allocator, int count) {
        return new CountedArray<>(allocator, (long) count * Double.BYTES, count, double[]::new, MemorySegment::ofArray);
    }

    /// An array of bytes, charged to the account until it is closed.
    public static CountedArray<byte[]> ofBytes(Allocator allocator, int count) {
        return new CountedArray<>(allocator, count, count, byte[]::new, MemorySegment::ofArray);
    }

    /// The array; not to be used after the close.
    public A values() {
        return Objects.requireNonNull(values, "the array was given back");
    }

    @Override
    public void close() {
        if (values != null) {
            values = null;
            counted.release();
        }
    }
}
