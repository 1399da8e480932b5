package dev.millrace.internal.python;

import dev.millrace.batch.Batch;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.BooleanColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.function.AsyncBatchFunction;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// A Python function as an asynchronous one: a batch is in shared memory before its call begins, and the next one while
/// it is computed. Several results of a call are put together.
final class PythonCalls implements AsyncBatchFunction, AutoCloseable {
    private static final long serialVersionUID = 1L;

    private final transient PythonWorker worker;
    private final boolean isFilter;

    /// @param isFilter results are booleans, one for each row of the batch
    PythonCalls(PythonWorker worker, boolean isFilter) {
        this.worker = worker;
        this.isFilter = isFilter;
    }

    @Override
    public CompletionStage<Batch> apply(Batch batch) throws Exception {
        Call call = new Call(batch);
        worker.call(batch, call);
        return call.future;
    }

    @Override
    public void close() {
        worker.close();
    }

    private final class Call implements PendingCall {
        private final Batch batch;
        private final CompletableFuture<Batch> future = new CompletableFuture<>();
        private final TaskCancellation running = TaskCancellation.ofThread();
        private final List<PythonResult> results = new ArrayList<>(1);

        Call(Batch batch) {
            this.batch = batch;
        }

        @Override
        public void result(PythonResult result) {
            results.add(result);
        }

        @Override
        public void done() {
            Batch made;
            try {
                made = isFilter ? kept() : rows();
                checkDeclared(made, isFilter ? null : worker.output());
            } catch (RuntimeException | Error e) {
                future.completeExceptionally(e);
                return;
            }
            future.complete(made);
        }

        @Override
        public void failed(RuntimeException failure) {
            results.forEach(PythonResult::drop);
            future.completeExceptionally(failure);
        }

        @Override
        public boolean isCancelled() {
            return PythonCalls.isCancelled(running);
        }

        private Batch rows() {
            if (results.size() == 1) {
                PythonResult result = results.getFirst();
                return result.batch(batch, result.take(batch.allocator()));
            }
            if (results.isEmpty()) {
                return batch.none();
            }
            try (ResourceScope scope = new ResourceScope()) {
                List<Block> blocks = taken(scope);
                Block whole = Blocks.concatenate(batch.allocator(), blocks);
                return new PythonResult(results.getFirst().names(), Map.of(), null).batch(batch, whole);
            }
        }

        /// The results of a call that has several: no column of these is one of the input.
        private List<Block> taken(ResourceScope scope) {
            List<Block> blocks = new ArrayList<>(results.size());
            int next = 0;
            try {
                while (next < results.size()) {
                    Block block = results.get(next++).take(batch.allocator());
                    if (block != null) {
                        scope.add(block);
                        blocks.add(block);
                    }
                }
                return blocks;
            } finally {
                results.subList(next, results.size()).forEach(PythonResult::drop);
            }
        }

        private Batch kept() {
            try (ResourceScope scope = new ResourceScope()) {
                List<Block> blocks = taken(scope);
                if (blocks.isEmpty()) {
                    return batch;
                }
                Block mask = blocks.size() == 1 ? blocks.getFirst() : Blocks.concatenate(batch.allocator(), blocks);
                if (blocks.size() > 1) {
                    scope.add(mask);
                }
                return batch.filter((BooleanColumn) PythonResult.only(mask));
            }
        }
    }

    static boolean isCancelled(TaskCancellation running) {
        try {
            running.check();
            return false;
        } catch (TaskCancelled _) {
            return true;
        }
    }

    /// Throws what differs from the declared columns.
    static void checkDeclared(Batch made, @Nullable Schema declared) {
        if (declared != null && made.rows() > 0 && !made.schema().equals(declared)) {
            throw MillraceException.user("The Python function returned the columns " + made.schema()
                    + ", but it is declared to return " + declared + ". Return these, or correct output(...).");
        }
    }
}
