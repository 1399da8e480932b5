package dev.millrace.internal.cluster;

import dev.millrace.block.BlockMetadata;
import dev.millrace.internal.runtime.wire.BlockBytes;
import dev.millrace.internal.runtime.wire.ShardFile;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A reference to a block of a cluster. Thread-safe.
abstract sealed class ClusterBlock extends BlockRef {
    private ClusterBlock(BlockMetadata metadata) {
        super(metadata);
    }

    /// A block in the store of a worker, or in a file that it wrote for all.
    static final class Remote extends ClusterBlock {
        private final WorkerNode node;
        private final long number;
        private final ClusterRuntime runtime;
        private final @Nullable ShardFile file;
        /// How many tasks of each other worker were given the block. Guarded by `this`.
        private final Map<WorkerNode, Integer> users = new HashMap<>(2);
        /// The workers that keep a copy. Guarded by `this`.
        private final Set<WorkerNode> keepers = new HashSet<>(2);

        /// @param file that has it; null: it is in the store
        Remote(BlockMetadata metadata, WorkerNode node, long number, @Nullable ShardFile file, ClusterRuntime runtime) {
            super(metadata);
            this.node = node;
            this.number = number;
            this.file = file;
            this.runtime = runtime;
        }

        WorkerNode holder() {
            return node;
        }

        long number() {
            return number;
        }

        @Nullable
        ShardFile file() {
            return file;
        }

        /// None has a block that is in a file: it is as near to all of them, and not lost with any.
        @Override
        public @Nullable String node() {
            return file == null ? node.name() : null;
        }

        /// Counts a task of that worker that is given all of the block; true if it is not the first, so that the worker
        /// had better keep a copy.
        synchronized boolean sharedBy(WorkerNode user) {
            boolean again = users.merge(user, 1, Integer::sum) > 1;
            if (again) {
                keepers.add(user);
            }
            return again;
        }

        @Override
        protected synchronized void free() {
            if (file == null) {
                node.link().release(number);
            } else {
                runtime.removeFile(file);
            }
            keepers.forEach(keeper -> keeper.link().release(number));
        }

        @Override
        public String toString() {
            return metadata().rows() + " rows " + (file == null ? "on " : "in a file of ") + node + " of "
                    + runtime.name();
        }
    }

    /// A block in the driver's memory, which workers fetch from there.
    static final class Held extends ClusterBlock {
        private final BlockRef block;
        private final long number;
        private final DriverBlocks store;

        /// @param block owned from here
        Held(BlockRef block, long number, DriverBlocks store) {
            super(block.metadata());
            this.block = block;
            this.number = number;
            this.store = store;
        }

        BlockRef block() {
            return block;
        }

        long number() {
            return number;
        }

        @Override
        public void moveTo(Allocator account) {
            block.moveTo(account);
        }

        @Override
        public void maySpill() {
            block.maySpill();
        }

        @Override
        protected void free() {
            store.remove(number);
            block.release();
        }
    }

    /// A small block, which travels with the tasks that need it.
    static final class Small extends ClusterBlock {
        private final BlockBytes bytes;

        Small(BlockMetadata metadata, BlockBytes bytes) {
            super(metadata);
            this.bytes = bytes;
        }

        BlockBytes bytes() {
            return bytes;
        }

        @Override
        protected void free() {}
    }
}
