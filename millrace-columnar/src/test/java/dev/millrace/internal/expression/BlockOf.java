package dev.millrace.internal.expression;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.expression.Expression;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A block of Java values for one test; closing it checks that every byte was given back.
final class BlockOf implements AutoCloseable {
    private final Allocator allocator = Allocator.root("test", 1L << 30);
    private final List<Field> fields = new ArrayList<>();
    private final List<Column> columns = new ArrayList<>();
    private Block block;

    BlockOf with(String name, DataType type, Object... values) {
        fields.add(new Field(name, type));
        columns.add(Columns.of(allocator, type, Arrays.asList(values)));
        return this;
    }

    Schema schema() {
        return Schema.of(fields);
    }

    Block block() {
        if (block == null) {
            block = Block.of(schema(), columns, columns.getFirst().length());
        }
        return block;
    }

    Allocator allocator() {
        return allocator;
    }

    /// The values of an expression over this block.
    List<Object> eval(Expression expression) {
        return eval(expression, block());
    }

    /// The values over the rows `from` to `to`, as a slice.
    List<Object> eval(Expression expression, int from, int to) {
        try (Block slice = block().slice(from, to - from)) {
            return eval(expression, slice);
        }
    }

    private List<Object> eval(Expression expression, Block over) {
        BoundExpression bound = BoundExpression.bind(expression, schema());
        Column column = bound.evaluate(over, allocator);
        try {
            if (!column.type().equals(bound.type()) || column.length() != over.rows()) {
                throw new AssertionError(expression + " gave " + column.length() + " of " + column.type() + ", not "
                        + over.rows() + " of " + bound.type());
            }
            List<Object> values = new ArrayList<>();
            for (long i = 0; i < column.length(); i++) {
                values.add(column.value(i));
            }
            return values;
        } finally {
            column.release();
        }
    }

    /// The rows that a condition keeps.
    List<Integer> select(Expression condition) {
        SelectionVector selection = BoundExpression.bind(condition, schema()).select(block(), allocator);
        return Arrays.stream(selection.positions())
                .limit(selection.count())
                .boxed()
                .toList();
    }

    @Override
    public void close() {
        if (block != null) {
            block.close();
        } else {
            columns.forEach(Column::release);
        }
        allocator.close();
    }
}
