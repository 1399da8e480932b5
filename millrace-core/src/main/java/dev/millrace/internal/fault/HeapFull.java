package dev.millrace.internal.fault;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import org.jspecify.annotations.Nullable;

/// Words an [OutOfMemoryError]: where it occurred, what is in use where, and what to change. The heap holds what
/// functions create as Java objects; blocks are off-heap.
public final class HeapFull {
    private HeapFull() {}

    /// @param what failed: "mapBatches(resize) failed on part-3.parquet, rows 0-31"
    /// @param line the user's own, or null
    /// @param operator the account of the operator, or null if there is none
    public static MillraceException error(
            String what, OutOfMemoryError full, @Nullable String line, @Nullable Allocator operator) {
        // One reading: the total and the free memory of Runtime are of two moments, and their difference may be
        // negative.
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return new MillraceException(
                Culprit.RESOURCES,
                what + ": " + full + (line == null ? "" : " at " + line) + ". The Java heap has "
                        + mib(heap.getUsed()) + " in use and had " + mib(peak())
                        + " at most, of " + mib(heap.getMax())
                        + "; what functions make is there, blocks are not" + blocks(operator)
                        + ". Raise -Xmx, use smaller batches (batchSize), or run fewer tasks at once"
                        + " (Compute.tasks).",
                full);
    }

    private static String blocks(@Nullable Allocator operator) {
        return operator == null
                ? ""
                : ": the tasks of '" + operator.name() + "' hold " + operator.heldBytes() + " bytes of them and held "
                        + operator.peakBytes() + " at most, of the session's " + operator.limit();
    }

    /// The peak of the heap; its pools peaked at different times, so it may be less.
    private static long peak() {
        long bytes = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            bytes += pool.getType() == MemoryType.HEAP ? pool.getPeakUsage().getUsed() : 0;
        }
        return bytes;
    }

    private static String mib(long bytes) {
        return (bytes >> 20) + " MiB";
    }
}
