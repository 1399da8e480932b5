package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A function applied row by row to Java values, for functions that are rarely the bottleneck. Inactive rows are null.
final class RowwiseNode extends ExpressionNode {

    /// The result for one row, which may be null.
    @FunctionalInterface
    interface Step {
        @Nullable
        Object apply(@Nullable Object[] arguments, long row);
    }

    private final List<ExpressionNode> arguments;
    private final boolean strict;
    private final Step step;

    /// @param strict whether a null argument gives null without a call
    RowwiseNode(DataType type, List<ExpressionNode> arguments, boolean strict, Step step) {
        super(type);
        this.arguments = List.copyOf(arguments);
        this.strict = strict;
        this.step = step;
    }

    @Override
    Column column(EvaluationRows rows) {
        @Nullable Column[] columns = new @Nullable Column[arguments.size()];
        try (ColumnBuilder builder = ColumnBuilder.of(rows.allocator(), type(), rows.count())) {
            @Nullable Object[] values = new @Nullable Object[columns.length];
            for (int i = 0; i < columns.length; i++) {
                if (arguments.get(i) instanceof ConstantNode constant) {
                    values[i] = constant.value();
                } else {
                    columns[i] = arguments.get(i).column(rows);
                }
            }
            TaskCancellation running = TaskCancellation.ofThread();
            for (long row = 0; row < rows.count(); row++) {
                running.check();
                boolean call = rows.isActive(row);
                for (int i = 0; call && i < columns.length; i++) {
                    if (columns[i] != null) {
                        values[i] = columns[i].value(row);
                    }
                    call = !strict || values[i] != null;
                }
                builder.append(call ? step.apply(values, row) : null);
            }
            return builder.build();
        } finally {
            for (Column column : columns) {
                if (column != null) {
                    column.release();
                }
            }
        }
    }
}
