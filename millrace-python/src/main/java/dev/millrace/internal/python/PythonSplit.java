package dev.millrace.internal.python;

import dev.millrace.block.Block;
import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rows of one call of a Python function.
///
/// @param operator the source's name
/// @param number of the split, of `count`
public record PythonSplit(PythonProgram program, String operator, int number, int count) implements Split {
    @Override
    public String description() {
        return "split " + number + " of " + count;
    }

    @Override
    public SplitReader open(ReadContext context) throws Exception {
        ActorContext named = new ActorContext(operator, Resources.NONE, List.of());
        PythonWorker worker = PythonWorker.start(program, null, count, Optional.of(named));
        ResultQueue results = new ResultQueue(worker);
        results.begin(worker.call(number, results));
        return new Reader(worker, results, context.allocator());
    }

    private static final class Reader implements SplitReader {
        private final PythonWorker worker;
        private final ResultQueue results;
        private final Allocator account;
        private boolean hasBegun;

        Reader(PythonWorker worker, ResultQueue results, Allocator account) {
            this.worker = worker;
            this.results = results;
            this.account = account;
        }

        @Override
        public @Nullable Block next() throws Exception {
            if (hasBegun) {
                results.wantMore(true);
            }
            hasBegun = true;
            PythonResult result = results.next();
            if (result == null) {
                return null;
            }
            Block block = result.takeOwned(account);
            if (worker.output() != null && !block.schema().equals(worker.output())) {
                String found = block.schema().toString();
                block.close();
                throw MillraceException.user(
                        "The Python source returned the columns " + found + ", but it is declared to return "
                                + worker.output() + ". Return these, or correct output(...).");
            }
            return block;
        }

        @Override
        public void close() {
            results.close();
            worker.close();
        }
    }
}
