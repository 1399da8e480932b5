package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.FailureChain;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.sink.FragmentBlock;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.Sink;
import dev.millrace.sink.SinkWriter;
import dev.millrace.sink.WriteJob;
import dev.millrace.sink.WriteSummary;
import dev.millrace.sink.WriteTask;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The driver's part of a write: starts the job, collects the fragments that the tasks have written, and commits or
/// aborts.
public final class WriteRun {
    private WriteRun() {}

    /// @param start runs a plan
    public static WriteSummary run(LogicalPlan plan, Sink sink, Function<LogicalPlan, DatasetExecution> start) {
        sink.check(plan.schema());
        WriteJob job = WriteJob.create(false);
        if (!named(sink, "Starting to write to ", () -> sink.start(job))) {
            return WriteSummary.NOTHING;
        }
        try {
            List<Fragment> fragments = new ArrayList<>();
            Schema seen = null;
            try (DatasetExecution execution = start.apply(new LogicalPlan.Write(plan, sink, job, CallSite.here()))
                    .attended()) {
                for (Block block = execution.next(); block != null; block = execution.next()) {
                    try (Block held = block) {
                        FragmentBlock.Output output = FragmentBlock.read(held);
                        fragments.add(output.fragment());
                        seen = seen == null ? output.schema() : seen;
                    }
                }
            }
            if (fragments.stream().allMatch(fragment -> fragment.files().isEmpty())) {
                emptyFile(sink, job, known(plan, seen)).ifPresent(fragments::add);
            }
            return named(sink, "Committing to ", () -> sink.commit(job, fragments));
        } catch (RuntimeException | Error e) {
            try {
                sink.abort(job);
            } catch (RuntimeException second) {
                FailureChain.add(e, second);
            }
            throw e;
        }
    }

    /// Exceptions of a sink that are not sentences of their own get its name and what it was doing.
    private static <T> T named(Sink sink, String doing, Supplier<T> call) {
        try {
            return call.get();
        } catch (MillraceException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new MillraceException(Culprit.RESOURCES, doing + sink.name() + " failed: " + e, e);
        }
    }

    static Optional<Schema> known(LogicalPlan plan, @Nullable Schema seen) {
        return plan.schema().isPresent() ? plan.schema() : Optional.ofNullable(seen);
    }

    /// Writes a file without rows here, if the schema is known.
    static Optional<Fragment> emptyFile(Sink sink, WriteJob job, Optional<Schema> schema) {
        if (schema.isEmpty()) {
            return Optional.empty();
        }
        Allocator scratch = Allocator.collected("an empty file");
        try (SinkWriter writer = sink.open(new WriteTask(job, "empty", scratch));
                Block empty = Blocks.empty(schema.get())) {
            writer.write(empty);
            return Optional.of(writer.finish());
        } catch (MillraceException e) {
            throw e;
        } catch (Exception e) {
            throw new MillraceException(Culprit.RESOURCES, "Writing to " + sink.name() + " failed: " + e, e);
        }
    }
}
