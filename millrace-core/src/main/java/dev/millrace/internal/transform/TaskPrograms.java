package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.runtime.BlockPlace;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadMeter;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The programs that the engine submits to a runtime. All are values; running state is created inside
/// [TaskProgram#run].
public final class TaskPrograms {
    private TaskPrograms() {}

    /// Reads a split and runs the chain over it.
    public record ReadProgram(Split split, ChainSpec chain) implements TaskProgram {
        @Override
        public void run(TaskContext context) throws Exception {
            try (TransformChain running =
                    new TransformChain(chain, context, ChainActor.states(context), false, split)) {
                running.position().enter(split.description(), 0);
                TaskErrors.Operation reading =
                        running.errors().of("read(" + chain.operator() + ")", chain.readErrors());
                ReadMeter meter = new ReadMeter();
                running.reads(meter);
                try (SplitReader reader = open(context, meter)) {
                    boolean done = false;
                    while (!done) {
                        done = readAll(reader, running, context, reading);
                    }
                } catch (ReaderFailure e) {
                    tolerate(e.data, running.position(), reading);
                }
                running.finish();
            }
        }

        /// False if a broken part of the split was skipped and more of it may be readable.
        private boolean readAll(
                SplitReader reader, TransformChain running, TaskContext context, TaskErrors.Operation reading)
                throws Exception {
            try {
                Block chunk;
                while (running.wantsMore() && (chunk = next(reader, running)) != null) {
                    reading.called(chunk.rows());
                    enter(reader, running);
                    running.accept(chunk);
                    if (context.isCancelled()) {
                        throw new TaskCancelled();
                    }
                }
                return true;
            } catch (ReaderFailure e) {
                enter(reader, running);
                tolerate(named(e.data, running.position()), running.position(), reading);
                return !reader.skipBroken();
            }
        }

        /// Rows are numbered within the part of the split that they come from, if there are several.
        private static void enter(SplitReader reader, TransformChain running) {
            String part = reader.part();
            if (part != null && !part.equals(running.position().origin())) {
                running.enterFile(part);
            }
        }

        /// Carries an error of the reader past the error handling of the steps.
        private static final class ReaderFailure extends Exception {
            private static final long serialVersionUID = 1L;
            private final MillraceException data;

            ReaderFailure(MillraceException data) {
                super(data);
                this.data = data;
            }
        }

        /// A value that is too large for the session's memory is an error of its file, like broken data.
        private static MillraceException named(MillraceException e, InputPosition position) {
            return e instanceof MemoryRefused refused && refused.isTooLarge() && position.origin() != null
                    ? MillraceException.data(position.origin()
                            + " has a value that is too large for the memory of this session: " + e.getMessage())
                    : e;
        }

        private void tolerate(MillraceException e, InputPosition position, TaskErrors.Operation reading) {
            if (e.culprit() != Culprit.DATA || chain.readErrors().isFail()) {
                throw chain.readSite().isEmpty() ? e : new MillraceException(e.culprit(), e.getMessage() + site(), e);
            }
            long row = position.firstRow() + position.rows();
            reading.called(1);
            reading.failed(e, position.range(row, 1), position.origin(), row, 1, _ -> null);
        }

        private SplitReader open(TaskContext context, ReadMeter meter) throws Exception {
            try {
                return split.open(new ReadContext(context.allocator(), chain.readBytes(), meter));
            } catch (MillraceException e) {
                throw new ReaderFailure(e);
            } catch (TaskCancelled e) {
                throw e;
            } catch (Exception e) {
                throw failure("Opening " + split.description() + " failed: ", e);
            }
        }

        private @Nullable Block next(SplitReader reader, TransformChain running) throws Exception {
            try {
                return reader.next();
            } catch (MillraceException e) {
                throw new ReaderFailure(e);
            } catch (TaskCancelled e) {
                throw e;
            } catch (Exception e) {
                long row = running.position().firstRow() + running.position().rows();
                throw failure("Reading " + split.description() + " failed after row " + row + ": ", e);
            }
        }

        /// What a reader throws beside its own sentences is an IO error, or a bug in the reader.
        private MillraceException failure(String what, Exception e) {
            boolean io = e instanceof IOException || e instanceof UncheckedIOException;
            return new MillraceException(io ? Culprit.RESOURCES : Culprit.INTERNAL, what + e + site(), e);
        }

        /// Appended to the sentence: which of the reads in the user's program it was.
        private String site() {
            return chain.readSite().isEmpty() ? "" : " (read" + CallSite.suffix(chain.readSite()) + ")";
        }
    }

    /// Runs the chain over the task's inputs, in order.
    ///
    /// @param places what each input was read from; empty if that is not known
    public record MapProgram(ChainSpec chain, List<BlockPlace> places) implements TaskProgram {
        public MapProgram {
            places = List.copyOf(places);
        }

        public MapProgram(ChainSpec chain) {
            this(chain, List.of());
        }

        @Override
        public void run(TaskContext context) throws Exception {
            try (TransformChain running = new TransformChain(chain, context, ChainActor.states(context), true)) {
                for (int i = 0; i < context.inputs() && running.wantsMore(); i++) {
                    enter(running.position(), context, i);
                    running.accept(context.input(i));
                    if (context.isCancelled()) {
                        throw new TaskCancelled();
                    }
                }
                running.finish();
            }
        }

        private void enter(InputPosition position, TaskContext context, int index) {
            if (!places.isEmpty()) {
                position.enter(places.get(index));
            } else if (context.inputs() == 1) {
                position.enter("its input block", 0);
            } else {
                position.enter("input block " + (index + 1) + " of " + context.inputs(), 0);
            }
        }
    }

    /// Pairs the rows of the first `leftInputs` inputs with those of the rest, and runs the chain over the pairs.
    public record ZipProgram(int leftInputs, ChainSpec chain, VerbSite verb) implements TaskProgram {
        @Override
        public void run(TaskContext context) throws Exception {
            try (TransformChain running = new TransformChain(chain, context, List.of(), false);
                    ZipInputs pairs = new ZipInputs(context, leftInputs)) {
                running.position().enter("the zipped blocks", 0);
                Block pair;
                while (running.wantsMore() && (pair = next(pairs)) != null) {
                    running.accept(pair);
                    if (context.isCancelled()) {
                        throw new TaskCancelled();
                    }
                }
                running.finish();
            }
        }

        private @Nullable Block next(ZipInputs pairs) {
            try {
                return pairs.next();
            } catch (MillraceException e) {
                throw verb.named(e);
            }
        }
    }

    /// Runs the chain over the blocks that the maker produces from the task's inputs.
    public record BehindProgram(BlockMaker maker, ChainSpec chain) implements TaskProgram {
        @Override
        public void run(TaskContext context) throws Exception {
            try (TransformChain running = new TransformChain(chain, context, List.of(), false)) {
                running.position().enter("what came before", 0);
                maker.make(context, block -> accept(running, block));
                running.finish();
            }
        }

        private static void accept(TransformChain running, Block block) {
            try {
                running.accept(block);
            } catch (Exception e) {
                throw BehindProgram.<RuntimeException>asItIs(e);
            }
        }

        /// Makers rethrow exceptions of the chain unchanged, whatever they are.
        @SuppressWarnings("unchecked")
        private static <E extends Exception> RuntimeException asItIs(Exception e) throws E {
            throw (E) e;
        }
    }
}
