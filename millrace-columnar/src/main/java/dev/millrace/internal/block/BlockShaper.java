package dev.millrace.internal.block;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Assembles chunks of any size into blocks of the target size: all rows are kept, in order, and no row is split. With
/// a target in bytes, chunks are collected until they pass the target; the block is then cut only if it is larger than
/// 1.5 times the target, so that no small remainder is left. With a target in rows, every block except the last has
/// exactly that many. With a count, all rows are divided into that many blocks of about equal numbers of rows.
///
/// Chunks of different schemas are converted to their common one, from the first block that contains both. A chunk that
/// already is a block of the right size passes through without a copy. When memory is tight, blocks with a target in
/// bytes are emitted sooner, in the pieces they arrived in: the collected rows, and the copy that concatenates them,
/// would be missing elsewhere.
///
/// Use: [#add], then [#poll] until null; at the end [#finish] and poll again. One thread.
public final class BlockShaper implements AutoCloseable {
    /// A block may be this much larger than the target before it is cut.
    private static final double CUT_ABOVE = 1.5;
    /// A piece that keeps more than this many times its size alive is copied instead of shared.
    private static final int MAX_WASTE = 4;
    /// When memory is tight, this fraction of the target is enough for a block.
    private static final int TIGHT_PART = 8;

    private final Allocator allocator;
    private final long targetBytes;
    private final long targetRows;
    /// The number of blocks into which all rows are divided; 0: blocks are not cut by count.
    private final int count;
    /// The approximate bytes of all chunks; 0 if unknown.
    private final long expectedBytes;
    /// The number of rows of all chunks; negative if unknown.
    private final long allRows;

    private final Deque<Block> pending = new ArrayDeque<>();
    private long pendingBytes;
    private long pendingRows;
    private @Nullable Schema schema;
    private boolean finished;
    private int givenBlocks;
    private long givenRows;

    private BlockShaper(
            Allocator allocator, long targetBytes, long targetRows, int count, long expectedBytes, long allRows) {
        this.allocator = allocator;
        this.targetBytes = targetBytes;
        this.targetRows = targetRows;
        this.count = count;
        this.expectedBytes = expectedBytes;
        this.allRows = allRows;
    }

    /// Blocks of about `targetBytes`, at least one row each.
    public static BlockShaper toBytes(Allocator allocator, long targetBytes) {
        return new BlockShaper(allocator, Math.max(1, targetBytes), Long.MAX_VALUE, 0, 0, -1);
    }

    /// `count` blocks of about equal numbers of rows, or one per row if there are fewer rows. The number of blocks is
    /// exact if all rows fit into one block of the target size, which is then divided at the end, or if `allRows` is
    /// known; otherwise `expectedBytes` determines the size of the first blocks. No block is larger than 1.5 times the
    /// target, even if that makes more blocks.
    ///
    /// @param expectedBytes the approximate size of all chunks; 0: unknown
    /// @param allRows the number of rows of all chunks; negative: unknown
    public static BlockShaper toCount(
            Allocator allocator, long targetBytes, int count, long expectedBytes, long allRows) {
        return new BlockShaper(allocator, Math.max(1, targetBytes), Long.MAX_VALUE, count, expectedBytes, allRows);
    }

    /// Blocks of exactly `rows` rows, the last one of the remainder.
    public static BlockShaper toRows(Allocator allocator, long rows) {
        return new BlockShaper(allocator, Long.MAX_VALUE, Math.max(1, rows), 0, 0, -1);
    }

    /// Takes ownership of the chunk, also when it throws.
    ///
    /// @throws dev.millrace.error.MillraceException culprit DATA, naming the column and both types, when its schema has
    ///     no common one with the chunks before it
    public void add(Block chunk) {
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(chunk);
            schema = schema == null ? chunk.schema() : Types.unify(schema, chunk.schema());
            scope.keep();
        }
        if (chunk.rows() == 0) {
            chunk.close();
            return;
        }
        pending.addLast(chunk);
        pendingBytes += chunk.sizeBytes();
        pendingRows += chunk.rows();
    }

    /// The rule for blocks by bytes, for callers that collect rows themselves: how many of the pending rows form the
    /// next block.
    ///
    /// @param isTight whether memory is short
    /// @return Long.MAX_VALUE if they do not form a block yet
    public static long rowsOfBlock(long rows, double bytes, long targetBytes, boolean isTight) {
        if (bytes > CUT_ABOVE * targetBytes) {
            return Math.max(1, (long) (rows * (targetBytes / bytes)));
        }
        boolean isEnough = bytes > targetBytes || isTight && bytes > (double) targetBytes / TIGHT_PART;
        return isEnough ? Math.max(1, rows) : Long.MAX_VALUE;
    }

    /// Signals that no more chunks follow: the remaining rows may be polled.
    public void finish() {
        finished = true;
    }

    /// The next block, or null when none is ready. The caller closes it.
    public @Nullable Block poll() {
        if (count > 0) {
            return pollCounted();
        }
        if (pendingRows >= targetRows) {
            return assemble(takeRows(targetRows));
        }
        if (pendingBytes > CUT_ABOVE * targetBytes) {
            return assemble(takeBytes());
        }
        if (pendingRows > 0 && isEnoughWhenTight()) {
            return assemble(takeSoon());
        }
        if (pendingRows > 0 && (finished || pendingBytes > targetBytes)) {
            return assemble(takeRows(pendingRows));
        }
        return null;
    }

    private @Nullable Block pollCounted() {
        boolean isLarge = pendingBytes > CUT_ABOVE * targetBytes || pendingRows > 0 && isEnoughWhenTight();
        if (pendingRows == 0 || !finished && !isLarge) {
            return null;
        }
        int left = Math.max(1, count - givenBlocks);
        long rows = finished ? ceilDiv(pendingRows, left) : expectedRows(left);
        double bytes = (double) pendingBytes * rows / pendingRows;
        Block block = assemble(bytes > CUT_ABOVE * targetBytes ? takeBytes() : takeRows(rows));
        givenBlocks++;
        givenRows += block.rows();
        return block;
    }

    /// The number of rows of the next block while more chunks may follow.
    private long expectedRows(int left) {
        long rows = allRows >= 0
                ? ceilDiv(allRows - givenRows, left)
                : (long) (pendingRows * (expectedBytes / (double) count) / pendingBytes);
        return Math.clamp(left == 1 || rows <= 0 ? pendingRows : rows, 1, pendingRows);
    }

    private static long ceilDiv(long rows, int parts) {
        return Math.ceilDiv(rows, (long) parts);
    }

    private Schema requireSchema() {
        return Objects.requireNonNull(schema, "pieces have a schema");
    }

    /// The common schema of the chunks so far, or null before the first.
    public @Nullable Schema schema() {
        return schema;
    }

    /// The number of rows that were added and not yet polled.
    public long pendingRows() {
        return pendingRows;
    }

    /// The number of bytes that were added and not yet polled.
    public long pendingBytes() {
        return pendingBytes;
    }

    private boolean isEnoughWhenTight() {
        return targetRows == Long.MAX_VALUE
                && allocator.isTight()
                && (pendingBytes > targetBytes / TIGHT_PART || wasteful(pending.peekFirst()));
    }

    /// Takes as few chunks as are enough when memory is tight; the rest of a large chunk is emitted alone, to release
    /// the whole.
    private List<Block> takeSoon() {
        if (wasteful(pending.peekFirst())) {
            return takeRows(pending.peekFirst().rows());
        }
        long bytes = 0;
        long rows = 0;
        for (Block chunk : pending) {
            bytes += chunk.sizeBytes();
            rows += chunk.rows();
            if (bytes > targetBytes / TIGHT_PART) {
                break;
            }
        }
        return takeRows(rows);
    }

    /// Takes chunks until the target is reached, and of the chunk that passes it as many rows as fit; at least one row.
    private List<Block> takeBytes() {
        long bytes = 0;
        long rows = 0;
        for (Block chunk : pending) {
            long size = chunk.sizeBytes();
            if (bytes + size > targetBytes) {
                rows += rowsThatFit(chunk, targetBytes - bytes);
                break;
            }
            bytes += size;
            rows += chunk.rows();
        }
        return takeRows(Math.max(1, rows));
    }

    /// The maximum number of rows of `chunk` whose exact size is at most `bytes`.
    private static long rowsThatFit(Block chunk, long bytes) {
        long fit = 0;
        long tooMany = chunk.rows() + 1;
        while (tooMany - fit > 1) {
            long middle = (fit + tooMany) >>> 1;
            try (Block slice = chunk.slice(0, middle)) {
                if (slice.sizeBytes() <= bytes) {
                    fit = middle;
                } else {
                    tooMany = middle;
                }
            }
        }
        return fit;
    }

    /// Removes the first `rows` pending rows; the caller closes the pieces.
    private List<Block> takeRows(long rows) {
        List<Block> pieces = new ArrayList<>();
        long missing = rows;
        while (missing > 0) {
            Block chunk = pending.removeFirst();
            pendingBytes -= chunk.sizeBytes();
            if (chunk.rows() <= missing) {
                missing -= chunk.rows();
                pieces.add(chunk);
            } else {
                pieces.add(chunk.slice(0, missing));
                Block rest = chunk.slice(missing, chunk.rows() - missing);
                chunk.close();
                pending.addFirst(rest);
                pendingBytes += rest.sizeBytes();
                missing = 0;
            }
        }
        pendingRows -= rows;
        return pieces;
    }

    private Block assemble(List<Block> pieces) {
        try {
            // When memory is tight, a copy would need the very memory that it should save.
            if (pieces.size() == 1 && wasteful(pieces.getFirst()) && !allocator.isTight()) {
                try (Block tight = Blocks.compact(allocator, pieces.getFirst())) {
                    return Blocks.widen(allocator, tight, requireSchema());
                }
            }
            return Blocks.concatenate(allocator, pieces, requireSchema());
        } catch (MemoryRefused e) {
            if (pieces.size() == 1 || targetRows != Long.MAX_VALUE) {
                throw e;
            }
            return firstAlone(pieces);
        } finally {
            pieces.forEach(Block::close);
        }
    }

    /// There is no memory for one block of all pieces: the first is emitted alone, and the others are collected again.
    private Block firstAlone(List<Block> pieces) {
        for (Block piece : pieces.subList(1, pieces.size()).reversed()) {
            pending.addFirst(piece.retain());
            pendingBytes += piece.sizeBytes();
            pendingRows += piece.rows();
        }
        return Blocks.widen(allocator, pieces.getFirst(), requireSchema());
    }

    private static boolean wasteful(Block piece) {
        // Regions are rounded up, so for small blocks the ratio is meaningless.
        return piece.heldBytes() > (1 << 20) && piece.heldBytes() > MAX_WASTE * piece.sizeBytes();
    }

    /// Releases what was not polled.
    @Override
    public void close() {
        pending.forEach(Block::close);
        pending.clear();
        pendingBytes = 0;
        pendingRows = 0;
    }
}
