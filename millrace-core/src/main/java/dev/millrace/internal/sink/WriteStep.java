package dev.millrace.internal.sink;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.transform.ChunkSink;
import dev.millrace.internal.transform.ChunkTransform;
import dev.millrace.internal.transform.StepContext;
import dev.millrace.internal.transform.TransformStep;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.Sink;
import dev.millrace.sink.SinkWriter;
import dev.millrace.sink.WriteJob;
import dev.millrace.sink.WriteTask;
import dev.millrace.type.Schema;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The last step of a writing chain: all chunks go to the sink's writer, and one block is emitted at the end, which
/// describes what was written ([FragmentBlock]). A task that is run again emits that one block again, for files of its
/// own; the one that the engine keeps is committed.
public record WriteStep(Sink sink, WriteJob job) implements TransformStep {
    @Override
    public String name() {
        return "write(" + sink.name() + ")";
    }

    @Override
    public boolean writes() {
        return true;
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return new WriteTransform(context);
    }

    private final class WriteTransform implements ChunkTransform {
        private final StepContext context;
        private @Nullable SinkWriter writer;
        private @Nullable Schema empty;

        WriteTransform(StepContext context) {
            this.context = context;
        }

        @Override
        public void accept(Block chunk, ChunkSink out) {
            try (chunk) {
                if (chunk.rows() == 0) {
                    empty = chunk.schema();
                    return;
                }
                writer().write(chunk);
                context.counters().addOutput(chunk.rows());
            } catch (Exception e) {
                throw failed(e);
            }
        }

        private SinkWriter writer() throws Exception {
            if (writer == null) {
                writer = sink.open(new WriteTask(job, UUID.randomUUID().toString(), context.allocator()));
            }
            return writer;
        }

        @Override
        public void finish(ChunkSink out) throws Exception {
            Fragment fragment;
            try {
                // Opened even without rows: every task has its fragment.
                fragment = writer().finish();
                context.counters().addWritten(fragment);
            } catch (Exception e) {
                throw failed(e);
            }
            out.emit(FragmentBlock.of(
                    new FragmentBlock.Output(fragment, fragment.files().isEmpty() ? empty : null),
                    context.allocator()));
        }

        private RuntimeException failed(Exception e) {
            return switch (e) {
                case TaskCancelled cancelled -> cancelled;
                case MillraceException told -> told;
                default ->
                    new MillraceException(
                            Culprit.RESOURCES,
                            "Writing " + context.position() + " to " + sink.name() + " failed: " + e,
                            e);
            };
        }

        @Override
        public void close() {
            if (writer != null) {
                try {
                    writer.close();
                } catch (Exception e) {
                    throw failed(e);
                }
            }
        }
    }
}
