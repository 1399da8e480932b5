package dev.millrace.internal.operator;

import dev.millrace.runtime.BlockSlice;
import dev.millrace.type.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The output of one map task, held until the reduce tasks have taken it: blocks as one sequence of rows, which is
/// released from the front. Loop thread only.
final class HeldRun {
    private final ArrayDeque<BlockSlice> blocks = new ArrayDeque<>();
    /// The number of the first row that is still held.
    private long first;

    private long rows;
    private long bytes;
    private @Nullable Schema schema;

    void add(BlockSlice slice) {
        blocks.add(slice);
        rows += slice.rows();
        bytes += slice.sizeBytes();
    }

    /// All rows that were added.
    long rows() {
        return rows;
    }

    long bytes() {
        return bytes;
    }

    /// The bytes of this many rows, in their original (wide) encoding.
    long bytesOf(long some) {
        return rows == 0 ? 0 : (long) (bytes * ((double) some / rows));
    }

    /// Its blocks are in the narrow encoding; the original rows have this schema and this many bytes.
    void isNarrow(Schema rowSchema, long rowBytes) {
        schema = rowSchema;
        bytes = rowBytes;
    }

    /// The schema of the original rows if the blocks are narrow; else null.
    @Nullable
    Schema schema() {
        return schema;
    }

    /// Rows `from` to `from + count`, with additional references to their blocks.
    List<BlockSlice> slices(long from, long count) {
        List<BlockSlice> taken = new ArrayList<>();
        long at = first;
        for (BlockSlice block : blocks) {
            long start = Math.max(from, at);
            long end = Math.min(from + count, at + block.rows());
            if (start < end) {
                taken.add(block.slice(start - at, end - start));
            }
            at += block.rows();
            if (at >= from + count) {
                break;
            }
        }
        return taken;
    }

    /// Adds the bytes of these rows, by the node that has them.
    void tally(long from, long count, NodeBytes into) {
        long at = first;
        for (BlockSlice block : blocks) {
            long some = Math.min(from + count, at + block.rows()) - Math.max(from, at);
            if (some > 0) {
                into.add(block, (long) (block.sizeBytes() * ((double) some / block.rows())));
            }
            at += block.rows();
            if (at >= from + count) {
                break;
            }
        }
    }

    /// A slice without rows, for its schema; null when there is no block.
    @Nullable
    BlockSlice nothing() {
        return blocks.isEmpty() ? null : blocks.peekFirst().slice(0, 0);
    }

    /// Releases the blocks before this row.
    void releaseBefore(long row) {
        while (!blocks.isEmpty() && first + blocks.peekFirst().rows() <= row) {
            BlockSlice done = blocks.pollFirst();
            first += done.rows();
            done.release();
        }
    }

    void release() {
        blocks.forEach(BlockSlice::release);
        blocks.clear();
    }
}
