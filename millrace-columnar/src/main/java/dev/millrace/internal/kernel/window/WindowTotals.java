package dev.millrace.internal.kernel.window;

import static java.util.Objects.requireNonNull;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.memory.Allocator;
import dev.millrace.window.WindowFunction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The results of functions over whole partitions, if all rows are one partition: computed from blocks in any order,
/// before the rows are streamed. Closed by its user.
public final class WindowTotals implements AutoCloseable {
    private final Allocator allocator;
    private final List<WindowFunction> functions = new ArrayList<>();
    private final List<Block> states = new ArrayList<>();
    private final GroupedBlocks grouping;
    private @Nullable Block results;

    public WindowTotals(Allocator allocator, List<WindowFunction> functions) {
        this.allocator = allocator;
        List<Aggregate> aggregates = new ArrayList<>();
        for (WindowFunction function : functions) {
            if (function instanceof WindowFunction.Aggregated aggregated
                    && aggregated.frame().isPartition()) {
                aggregates.add(aggregated.aggregate());
                this.functions.add(function);
            }
        }
        this.grouping = new GroupedBlocks(List.of(), aggregates);
    }

    /// False if no function depends on the whole.
    public boolean isNeeded() {
        return !functions.isEmpty();
    }

    /// Adds rows, which the caller keeps.
    public void add(Block rows) {
        states.add(grouping.accumulate(allocator, rows));
    }

    public void finish() {
        if (!states.isEmpty()) {
            try (Block all = Blocks.concatenate(allocator, states)) {
                results = grouping.finish(allocator, all);
            }
        }
    }

    /// The result of a function, as a column of one value that this keeps owning.
    Column of(WindowFunction function) {
        Block finished = requireNonNull(results, "totals are asked for when they are finished");
        return finished.column(functions.indexOf(function));
    }

    @Override
    public void close() {
        states.forEach(Block::close);
        states.clear();
        if (results != null) {
            results.close();
            results = null;
        }
    }
}
