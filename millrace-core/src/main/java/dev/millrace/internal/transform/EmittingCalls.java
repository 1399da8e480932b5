package dev.millrace.internal.transform;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.block.Block;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.function.BatchEmitter;
import dev.millrace.function.BatchFlatFunction;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.memory.MemoryTurn;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Calls of a function that emits any number of batches. They are handed on in the middle of the call, unless the error
/// policy tolerates failures: a call that fails must produce nothing then, so its batches wait for its end, up to the
/// task's share of memory. If they need more, the call is made again with half of the rows.
final class EmittingCalls extends BatchCalls {
    private final BatchFlatFunction function;
    private final boolean holdsBack;

    EmittingCalls(
            String name,
            BatchFlatFunction function,
            int batchSize,
            ErrorPolicy onError,
            boolean isDivisible,
            StepContext context) {
        super(name, batchSize, onError, isDivisible, context);
        this.function = function;
        this.holdsBack = !onError.isFail();
    }

    @Override
    void call(Input input, ChunkSink out) throws Exception {
        requireRunning(input.block());
        long rows = input.rows();
        Kept kept = keptOf(input);
        settle(kept, rows, new Emission(out, input), out);
    }

    /// Calls the function with a block, which is closed with the call.
    private void run(Emission emission, Block block) throws Exception {
        long began = System.nanoTime();
        long inFunction = meter.nanos();
        count();
        try (BatchScope scope = new BatchScope(name, context.allocator())) {
            emission.scope = scope;
            Batch batch = scope.adopt(block);
            long rows = batch.rows();
            Throwable thrown = null;
            emission.began = meter.begin();
            try {
                MemoryTurn.atMostAtOnce(mostAtOnce(rows));
                function.apply(batch, emission);
            } catch (Throwable e) {
                thrown = e;
            } finally {
                MemoryTurn.atMostAtOnce(Long.MAX_VALUE);
                meter.end(emission.began, rows);
                emission.scope = null;
            }
            // Even if the function has caught it.
            if (emission.failure != null) {
                throw emission.failure;
            }
            if (thrown != null) {
                throw UserCode.failed(name, emission.where, thrown);
            }
        } finally {
            meter.addOverhead(System.nanoTime() - began - (meter.nanos() - inFunction) - emission.following);
        }
    }

    /// What one call emits. Ended when the function returns.
    private final class Emission implements BatchEmitter, Work {
        private final ChunkSink out;
        private final Block input;
        private final String where;
        private final List<Block> held = new ArrayList<>();
        /// Null before and after the call.
        private @Nullable BatchScope scope;
        /// Since when the function is measured, and the time of the following steps.
        private long began;

        private long following;
        private long heldBytes;
        private boolean hasHandedOn;
        /// What a following step threw, or what was wrong with a batch.
        private @Nullable Exception failure;

        Emission(ChunkSink out, Input input) {
            this.out = out;
            this.input = input.block();
            this.where = input.where();
        }

        @Override
        public List<Block> results() throws Exception {
            try (ResourceScope owned = new ResourceScope()) {
                owned.add((AutoCloseable) () -> held.forEach(Block::close));
                run(this, input);
                owned.keep();
                return held;
            }
        }

        @Override
        public boolean mayRunAgain() {
            return !hasHandedOn;
        }

        @Override
        public boolean emit(Batch batch) {
            if (scope == null) {
                throw MillraceException.user(name + " emitted a batch after it had returned (" + where
                        + "). Emit on the thread that calls the function, before it returns.");
            }
            if (failure != null) {
                throw new FollowingFailure(failure);
            }
            meter.suspend(began);
            long since = System.nanoTime();
            try {
                running.check();
                if (out.wantsMore()) {
                    take(batch);
                }
                return out.wantsMore();
            } catch (Exception e) {
                failure = e;
                throw e instanceof TaskCancelled cancelled ? cancelled : new FollowingFailure(e);
            } finally {
                following += System.nanoTime() - since;
                began = meter.begin();
            }
        }

        private void take(Batch batch) throws Exception {
            check(batch, where);
            Block block = block(batch);
            requireScope().nextEpisode();
            if (!holdsBack) {
                hasHandedOn = true;
                // Rows that were handed on cannot be called again in halves.
                MemoryTurn.atMostAtOnce(Long.MAX_VALUE);
                out.emit(block);
                return;
            }
            held.add(block);
            heldBytes += block.sizeBytes();
            if (heldBytes > context.batches().mostAtOnce()) {
                throw MemoryRefused.elsewhere(
                        name + " emitted more than " + context.batches().mostAtOnce() + " bytes for " + where
                                + ". Under an error policy they wait until it has ended well; let it fail (the default),"
                                + " and they are handed on at once, or give it a smaller batch size.",
                        null);
            }
        }

        private BatchScope requireScope() {
            return Objects.requireNonNull(scope, "it is emitted during the call");
        }

        private Block block(Batch batch) {
            try {
                return requireScope().toBlock(batch);
            } catch (MemoryRefused e) {
                throw UserCode.failed(name, where, e);
            }
        }
    }
}
