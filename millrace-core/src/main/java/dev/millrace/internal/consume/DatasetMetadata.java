package dev.millrace.internal.consume;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.plan.logical.KnownRows;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/// What is known about a run's blocks without fetching them, and about a plan without running it.
public final class DatasetMetadata {
    private DatasetMetadata() {}

    public static long count(DatasetExecution execution) {
        return sum(execution, BlockSlice::rows);
    }

    public static long bytes(DatasetExecution execution) {
        return sum(execution, BlockSlice::sizeBytes);
    }

    private static long sum(DatasetExecution execution, ToLongFunction<BlockSlice> amount) {
        long sum = 0;
        try (DatasetExecution _ = execution.attended()) {
            for (BlockSlice slice = execution.nextSlice(); slice != null; slice = execution.nextSlice()) {
                sum += amount.applyAsLong(slice);
                slice.release();
            }
        }
        return sum;
    }

    /// The schema of the first block; the rest is not computed. No columns if there is none.
    public static Schema schema(DatasetExecution execution) {
        try (DatasetExecution _ = execution.attended()) {
            BlockSlice slice = execution.nextSlice();
            if (slice == null) {
                return Schema.empty();
            }
            Schema schema = slice.block().metadata().schema();
            slice.release();
            return schema;
        }
    }

    /// Keeps all blocks of a run beyond its end, in memory or on disk.
    public static HeldBlocks materialize(DatasetExecution execution, SessionExecutions executions) {
        return materialize(execution, executions, _ -> {});
    }

    /// @param received called with each block as it arrives
    static HeldBlocks materialize(
            DatasetExecution execution, SessionExecutions executions, Consumer<BlockSlice> received) {
        try (DatasetExecution _ = execution.attended();
                ResourceScope scope = new ResourceScope()) {
            List<BlockSlice> slices = scope.list();
            for (BlockSlice slice = execution.nextSlice(); slice != null; slice = execution.nextSlice()) {
                slices.add(slice);
                slice.block().maySpill();
                received.accept(slice);
            }
            scope.keep();
            return executions.keep(slices);
        }
    }

    /// The common schema of blocks.
    public static Optional<Schema> schemaOf(HeldBlocks held) {
        return held.slices().stream()
                .map(slice -> slice.block().metadata().schema())
                .distinct()
                .reduce(Types::unify);
    }

    /// The size of a plain read, as its source estimates it; for a part of its rows in proportion, if their number is
    /// known.
    public static OptionalLong knownBytes(LogicalPlan plan) {
        return switch (plan) {
            case LogicalPlan.Read read -> read.source().sizeBytes();
            case LogicalPlan.Limit limit -> limitedBytes(limit);
            default -> OptionalLong.empty();
        };
    }

    private static OptionalLong limitedBytes(LogicalPlan.Limit limit) {
        OptionalLong bytes = knownBytes(limit.input());
        OptionalLong all = bytes.isEmpty() ? bytes : KnownRows.of(limit.input());
        OptionalLong left = all.isEmpty() ? all : KnownRows.of(limit);
        if (left.isEmpty() || left.getAsLong() == 0) {
            return left;
        }
        return OptionalLong.of(Math.round((double) bytes.getAsLong() * left.getAsLong() / all.getAsLong()));
    }

    public static List<String> inputFiles(LogicalPlan plan) {
        Set<String> files = new LinkedHashSet<>();
        PlanRewrite.visit(plan, node -> {
            switch (node) {
                case LogicalPlan.Read read -> files.addAll(read.source().inputFiles());
                case LogicalPlan.Blocks blocks -> files.addAll(blocks.inputFiles());
                default -> {}
            }
        });
        return List.copyOf(files);
    }
}
