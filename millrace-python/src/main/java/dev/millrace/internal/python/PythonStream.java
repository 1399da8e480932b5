package dev.millrace.internal.python;

import dev.millrace.batch.Batch;
import dev.millrace.function.BatchEmitter;
import dev.millrace.function.BatchFlatFunction;

/// A Python function that yields batches, each handed on while the function still runs. It goes on to its next one when
/// the last was taken.
final class PythonStream implements BatchFlatFunction, AutoCloseable {
    private static final long serialVersionUID = 1L;

    private final transient PythonWorker worker;

    PythonStream(PythonWorker worker) {
        this.worker = worker;
    }

    @Override
    public void apply(Batch batch, BatchEmitter out) throws Exception {
        try (ResultQueue results = new ResultQueue(worker)) {
            results.begin(worker.call(batch, results));
            for (PythonResult result = results.next(); result != null; result = results.next()) {
                Batch made = result.batch(batch, result.take(batch.allocator()));
                PythonCalls.checkDeclared(made, worker.output());
                results.wantMore(out.emit(made));
            }
        }
    }

    @Override
    public void close() {
        worker.close();
    }
}
