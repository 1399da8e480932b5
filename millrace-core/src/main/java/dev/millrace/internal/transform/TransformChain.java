package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.internal.buffer.FailureChain;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.runtime.TaskContext;
import dev.millrace.source.ReadMeter;
import dev.millrace.source.Split;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The running steps of a chain in one task, on one thread: chunks are pushed in at the front, blocks of the target
/// size leave at the end through the task's context.
///
/// Between two transforms there is a [Link]. It cuts chunks that are larger than the next step prefers, and it holds
/// back chunks without rows: they carry only the schema, so one of them is passed on at the end if there was nothing
/// else. So a filter that keeps nothing still yields one empty block with a schema.
final class TransformChain implements AutoCloseable {
    /// A chunk up to this many times the wanted size is not cut.
    private static final double CUT_ABOVE = 1.5;

    private final TaskContext task;
    private final ChainSpec spec;
    private final InputPosition position = new InputPosition();
    private final TaskCounters counters = new TaskCounters();
    private final List<Link> links = new ArrayList<>();
    private final Output output;
    private final TaskErrors errors;
    private final boolean writes;
    /// Null where it does not read.
    private @Nullable ReadMeter read;
    /// Null if steps may produce other rows than they get.
    private final @Nullable OutputOrigins origins;

    /// @param states one object per stateful step, in order
    /// @param getsBlocks whether whole blocks are pushed in at the front, not parts of them
    TransformChain(ChainSpec spec, TaskContext task, List<Object> states, boolean getsBlocks) {
        this(spec, task, states, getsBlocks, null);
    }

    /// A chain over the rows of a split, which may say how many blocks it makes of them.
    ///
    /// @param split null: none
    TransformChain(ChainSpec spec, TaskContext task, List<Object> states, boolean getsBlocks, @Nullable Split split) {
        this.task = task;
        this.spec = spec;
        this.writes = spec.writes();
        boolean keepsRows = spec.steps().stream().allMatch(TransformStep::keepsRowCount);
        this.origins = keepsRows ? new OutputOrigins() : null;
        this.output = new Output(shaper(split));
        this.errors = new TaskErrors(task, spec.chunkBytes(), position);
        counters.keepsRows(keepsRows);
        List<ChunkTransform> opened = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            int state = 0;
            for (TransformStep step : spec.steps()) {
                Object own = step instanceof StatefulStep ? states.get(state++) : null;
                opened.add(scope.add(step.open(new StepContext(
                        task.allocator(),
                        spec.chunkBytes(),
                        spec.targetBytes(),
                        getsBlocks && opened.isEmpty(),
                        own,
                        position,
                        spec.batches(),
                        counters,
                        errors))));
            }
            scope.keep();
        }
        ChunkSink next = output;
        for (int i = opened.size() - 1; i >= 0; i--) {
            Link link = new Link(opened.get(i), spec.steps().get(i).takesWholeBlocks(), next);
            links.addFirst(link);
            next = link;
        }
        task.watch(counters::progress);
    }

    private BlockShaper shaper(@Nullable Split split) {
        return split instanceof DividedSplit divided
                ? BlockShaper.toCount(
                        task.allocator(),
                        spec.targetBytes(),
                        divided.blocks(),
                        divided.sizeBytes().orElse(0),
                        origins == null ? -1 : divided.rows().orElse(-1))
                : BlockShaper.toBytes(task.allocator(), spec.targetBytes());
    }

    InputPosition position() {
        return position;
    }

    /// The next of several files that the task reads begins.
    void enterFile(String name) {
        position.enter(name, 0);
        if (origins != null) {
            origins.enter(name);
        }
    }

    /// Its input is read, and counted here.
    void reads(ReadMeter meter) {
        read = meter;
    }

    boolean wantsMore() {
        return links.isEmpty() || links.getFirst().wantsMore();
    }

    /// Takes ownership of the block and pushes it through.
    void accept(Block block) throws Exception {
        counters.addInput(block.rows(), block.sizeBytes());
        if (origins != null) {
            origins.read(block.rows());
        }
        if (links.isEmpty()) {
            position.advance(block.rows());
            counters.enters(block.rows());
            counters.leaves();
            output.emit(block);
        } else {
            links.getFirst().push(block, true);
        }
    }

    /// The input has ended.
    void finish() throws Exception {
        for (Link link : links) {
            link.finish();
        }
        output.finish();
        errors.finish();
    }

    TaskErrors errors() {
        return errors;
    }

    @Override
    public void close() {
        if (read != null) {
            counters.addRead(read);
        }
        counters.report(task);
        List<AutoCloseable> all = new ArrayList<>(links);
        all.add(output);
        all.add(errors);
        closeAll(all);
    }

    private static void closeAll(List<? extends AutoCloseable> all) {
        Throwable failure = null;
        for (AutoCloseable each : all.reversed()) {
            try {
                each.close();
            } catch (Throwable e) {
                failure = FailureChain.add(failure, e);
            }
        }
        if (failure != null) {
            throw failure instanceof MillraceException known
                    ? known
                    : new MillraceException(
                            dev.millrace.error.Culprit.INTERNAL, "closing a step failed: " + failure, failure);
        }
    }

    private void requireRunning() {
        if (task.isCancelled()) {
            throw new TaskCancelled();
        }
    }

    /// The input of one transform.
    private final class Link implements ChunkSink, AutoCloseable {
        private final ChunkTransform transform;
        private final boolean whole;
        private final ChunkSink next;
        private boolean passed;
        private @Nullable Block held;

        Link(ChunkTransform transform, boolean whole, ChunkSink next) {
            this.transform = transform;
            this.whole = whole;
            this.next = next;
        }

        @Override
        public void emit(Block chunk) throws Exception {
            push(chunk, false);
        }

        /// @param first true at the front of the chain, where the position in the input advances
        void push(Block chunk, boolean first) throws Exception {
            long rows = chunk.rows();
            if (rows == 0) {
                holdBack(chunk);
                return;
            }
            long bytes = whole ? 0 : chunk.sizeBytes();
            if (bytes <= CUT_ABOVE * spec.chunkBytes()) {
                send(chunk, first);
                return;
            }
            try (chunk) {
                long step = Math.max(1, (long) (rows * ((double) spec.chunkBytes() / bytes)));
                for (long from = 0; from < rows && wantsMore(); from += step) {
                    send(chunk.slice(from, Math.min(step, rows - from)), first);
                }
            }
        }

        private void send(Block chunk, boolean first) throws Exception {
            try (ResourceScope scope = new ResourceScope()) {
                scope.add(chunk);
                requireRunning();
                scope.keep();
            }
            long rows = chunk.rows();
            if (first) {
                position.advance(rows);
                counters.enters(rows);
            }
            passed = true;
            dropHeld();
            transform.accept(chunk, next);
            if (first) {
                counters.leaves();
            }
        }

        private void holdBack(Block empty) {
            if (passed || held != null) {
                empty.close();
            } else {
                held = empty;
            }
        }

        private void dropHeld() {
            if (held != null) {
                Block dropped = held;
                held = null;
                dropped.close();
            }
        }

        @Override
        public boolean wantsMore() {
            return transform.wantsMore() && next.wantsMore();
        }

        @Override
        public long rowsWanted() {
            return transform.rowsWanted();
        }

        void finish() throws Exception {
            if (held != null) {
                Block empty = held;
                held = null;
                transform.accept(empty, next);
            }
            transform.finish(next);
        }

        @Override
        public void close() throws Exception {
            dropHeld();
            transform.close();
        }
    }

    /// The end of the chain.
    private final class Output implements ChunkSink, AutoCloseable {
        private final BlockShaper shaper;
        private boolean emitted;

        Output(BlockShaper shaper) {
            this.shaper = shaper;
        }

        @Override
        public void emit(Block chunk) {
            if (!writes) {
                counters.addOutput(chunk.rows());
            }
            shaper.add(chunk);
            poll();
        }

        @Override
        public boolean wantsMore() {
            return true;
        }

        void finish() {
            shaper.finish();
            poll();
            if (!emitted && shaper.schema() != null) {
                task.emit(Blocks.empty(shaper.schema()));
            }
        }

        private void poll() {
            for (Block block = shaper.poll(); block != null; block = shaper.poll()) {
                emitted = true;
                if (origins == null) {
                    task.emit(block);
                } else {
                    task.emit(block, origins.leave(block.rows()));
                }
            }
        }

        @Override
        public void close() {
            shaper.close();
        }
    }
}
