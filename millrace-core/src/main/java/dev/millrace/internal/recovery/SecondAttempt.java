package dev.millrace.internal.recovery;

import dev.millrace.block.BlockMetadata;
import dev.millrace.block.RowOrigin;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;

/// A second run of a slow task, beside the first: all of its output waits here until it is known which of them ends
/// first. Guarded by the monitor of its [ForwardedTask].
final class SecondAttempt {
    private final long id;
    private final String node;
    private List<List<BlockSlice>> inputs;
    private final List<BlockRef> blocks = new ArrayList<>();
    private boolean known;
    private boolean dropped;
    private boolean over;

    /// @param inputs the pieces of each input, taken over
    SecondAttempt(long id, String node, List<List<BlockSlice>> inputs) {
        this.id = id;
        this.node = node;
        this.inputs = inputs;
    }

    long id() {
        return id;
    }

    String node() {
        return node;
    }

    /// The runtime below has it.
    ///
    /// @return whether it is to be cancelled, since it was dropped before
    boolean submitted() {
        known = true;
        return dropped;
    }

    boolean isUnderWay() {
        return !over;
    }

    boolean isDropped() {
        return dropped;
    }

    void made(BlockRef block) {
        if (dropped) {
            block.release();
        } else {
            block.maySpill();
            blocks.add(block);
        }
    }

    /// Its output is not wanted.
    ///
    /// @return whether it is to be cancelled
    boolean drop() {
        dropped = true;
        blocks.forEach(BlockRef::release);
        blocks.clear();
        return known && !over;
    }

    /// It has sent its final event.
    void ended() {
        over = true;
        InputRequest.release(inputs);
        inputs = List.of();
    }

    /// One part of its output that was not delivered before.
    ///
    /// @param metadata of the rows of the slice
    record Part(BlockSlice slice, BlockMetadata metadata) {}

    /// What it made beyond what the first attempt delivered; the caller owns the references.
    ///
    /// @param rows that the first has delivered
    /// @param asides blocks beside the output that the first has delivered
    /// @param any whether the first has delivered a block of the output, be it one without rows
    List<Part> beyond(long rows, int asides, boolean any) {
        List<Part> parts = new ArrayList<>();
        long skip = rows;
        int skipAsides = asides;
        boolean has = any;
        for (BlockRef block : blocks) {
            BlockMetadata all = block.metadata();
            if (all.aside() != null) {
                if (skipAsides > 0) {
                    skipAsides--;
                    block.release();
                } else {
                    parts.add(new Part(BlockSlice.whole(block), all));
                }
                continue;
            }
            long knownRows = Math.min(skip, all.rows());
            skip -= knownRows;
            if (knownRows == all.rows() && (all.rows() > 0 || has)) {
                block.release();
                continue;
            }
            has = true;
            BlockSlice rest = new BlockSlice(block, knownRows, all.rows() - knownRows);
            parts.add(new Part(rest, knownRows == 0 ? all : metadata(rest)));
        }
        blocks.clear();
        return parts;
    }

    private static BlockMetadata metadata(BlockSlice slice) {
        BlockMetadata all = slice.block().metadata();
        return new BlockMetadata(
                slice.rows(),
                slice.sizeBytes(),
                all.schema(),
                RowOrigin.slice(all.origins(), slice.from(), slice.rows()),
                all.aside());
    }

    /// The rows of its output.
    long rows() {
        return blocks.stream()
                .map(BlockRef::metadata)
                .filter(block -> block.aside() == null)
                .mapToLong(BlockMetadata::rows)
                .sum();
    }
}
