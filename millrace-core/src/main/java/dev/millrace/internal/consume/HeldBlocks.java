package dev.millrace.internal.consume;

import dev.millrace.runtime.BlockSlice;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Blocks that outlive the run which made them: held until this is closed, or the session is, or, if there is a
/// [Handle], until that is no longer referenced.
public final class HeldBlocks implements AutoCloseable {
    /// Created with the first handle.
    private static final class CleanerHolder {
        static final Cleaner CLEANER = Cleaner.create(
                task -> Thread.ofPlatform().daemon().name("millrace-cleaner").unstarted(task));
    }

    /// What the dataset, and every plan that starts from its blocks, refers to. When the garbage collector finds it
    /// unreachable, the blocks are freed. A run holds its own references and needs no handle.
    public static final class Handle implements AutoCloseable {
        private final HeldBlocks held;
        private final Cleaner.Cleanable cleanable;

        private Handle(HeldBlocks held) {
            this.held = held;
            // The action must not refer to the handle.
            this.cleanable = CleanerHolder.CLEANER.register(this, held::close);
        }

        public HeldBlocks held() {
            return held;
        }

        @Override
        public void close() {
            cleanable.clean();
        }
    }

    private final SessionExecutions owner;
    private final List<BlockSlice> slices;
    private final AtomicBoolean closed = new AtomicBoolean();
    /// The user's dataset of these blocks; null if there is none.
    private volatile @Nullable String dataset;

    HeldBlocks(SessionExecutions owner, List<BlockSlice> slices) {
        this.owner = owner;
        this.slices = List.copyOf(slices);
    }

    /// For a user's dataset, once.
    ///
    /// @param name of the dataset, and where it was created, for the message at the session's end
    public Handle handle(String name) {
        dataset = name;
        return new Handle(this);
    }

    /// The dataset that its user never closed; null if there is none.
    @Nullable
    String unclosedDataset() {
        return closed.get() ? null : dataset;
    }

    public List<BlockSlice> slices() {
        return slices;
    }

    public long rows() {
        return slices.stream().mapToLong(BlockSlice::rows).sum();
    }

    public long sizeBytes() {
        return slices.stream().mapToLong(BlockSlice::sizeBytes).sum();
    }

    /// From any thread.
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                slices.forEach(BlockSlice::release);
            } finally {
                owner.forget(this);
            }
        }
    }
}
