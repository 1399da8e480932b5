package dev.millrace.internal.operator;

import dev.millrace.runtime.BlockPlace;
import dev.millrace.runtime.BlockSlice;

/// Names what a task is over, for errors.
final class TaskInput {
    private static final int MAX_NAMED = 3;

    private TaskInput() {}

    /// "part-3.parquet", "rows 0 to 99 of part-3.parquet and 2 more blocks", "a block of 100 rows".
    static String describe(TaskRun task) {
        if (task.inputs().isEmpty()) {
            return task.reads() == null
                    ? "no input"
                    : ReadOperator.splitOf(task.reads(), task.operator().name());
        }
        StringBuilder text = new StringBuilder();
        int named = 0;
        for (BlockSlice input : task.inputs()) {
            if (named == MAX_NAMED) {
                break;
            }
            text.append(named == 0 ? "" : ", ").append(describe(input));
            named++;
        }
        int more = task.inputs().size() - named;
        return text + (more == 0 ? "" : " and " + more + " more blocks");
    }

    private static String describe(BlockSlice input) {
        BlockPlace place = input.block().place();
        if (place == null) {
            return "a block of " + input.rows() + " rows";
        }
        long from = place.firstRow() + input.from();
        return "rows " + from + " to " + (from + Math.max(0, input.rows() - 1)) + " of " + place.origin();
    }
}
