package dev.millrace.internal.engine;

import dev.millrace.block.BlockMetadata;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.SteppedMemory;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.type.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// A block of longs on the heap, counted while it lives; also in a [SteppedMemory], if there is one, where it is on
/// disk as soon as it may be.
final class FakeBlock extends BlockRef {
    private final AtomicLong living;
    private final long[] values;
    private final SteppedMemory memory;
    private final String node;
    private Allocator account;
    private long held;

    FakeBlock(long[] values, long bytes, AtomicLong living) {
        this(values, bytes, living, (String) null);
    }

    /// @param node that has it
    FakeBlock(long[] values, long bytes, AtomicLong living, String node) {
        this(values, bytes, living, null, null, 0, node);
    }

    /// @param held what it has in the memory, on this account
    FakeBlock(long[] values, long bytes, AtomicLong living, SteppedMemory memory, Allocator account, long held) {
        this(values, bytes, living, memory, account, held, null);
    }

    private FakeBlock(
            long[] values,
            long bytes,
            AtomicLong living,
            SteppedMemory memory,
            Allocator account,
            long held,
            String node) {
        super(new BlockMetadata(values.length, bytes, Schema.empty(), List.of()));
        this.values = values;
        this.living = living;
        this.memory = memory;
        this.account = account;
        this.held = held;
        this.node = node;
        living.incrementAndGet();
    }

    static long[] values(BlockSlice slice) {
        int from = (int) slice.from();
        return Arrays.copyOfRange(((FakeBlock) slice.block()).values, from, from + (int) slice.rows());
    }

    @Override
    public String node() {
        return node;
    }

    @Override
    public void moveTo(Allocator target) {
        if (held > 0) {
            memory.move(account, target, held);
            account = target;
        }
    }

    @Override
    public void maySpill() {
        if (held > 0) {
            memory.release(account, held);
            held = 0;
        }
    }

    @Override
    protected void free() {
        living.decrementAndGet();
        maySpill();
    }
}
