package dev.millrace.internal.transform;

import dev.millrace.column.BooleanBuilder;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.IntBuilder;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.LongColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.column.JavaTypes;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Types;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A column under construction whose type is inferred from its values.
final class ColumnSlot implements AutoCloseable {
    private static final int OTHER = 0;
    private static final int LONG = 1;
    private static final int DOUBLE = 2;
    private static final int STRING = 3;
    private static final int INT = 4;
    private static final int BOOLEAN = 5;

    private final Allocator allocator;
    private final String name;
    private DataType type = DataType.NULL;
    private ColumnBuilder builder;
    /// Selects how values are appended without checking their type each time.
    private int kind;
    /// The first non-null value: named in the error when a value of another type follows.
    private @Nullable Object example;

    private static final long TENSOR_VALUES = 1 << 16;

    private long expected;

    ColumnSlot(Allocator allocator, String name, long expected) {
        this.allocator = allocator;
        this.name = name;
        this.expected = expected;
        use(DataType.NULL);
    }

    String name() {
        return name;
    }

    long length() {
        return builder.length();
    }

    void append(@Nullable Object value) {
        switch (kind) {
            case LONG -> {
                if (value instanceof Long number) {
                    ((LongBuilder) builder).append(number.longValue());
                    return;
                }
            }
            case DOUBLE -> {
                if (value instanceof Double number) {
                    ((DoubleBuilder) builder).append(number.doubleValue());
                    return;
                }
            }
            case STRING -> {
                if (value instanceof String text) {
                    ((StringColumnBuilder) builder).append(text);
                    return;
                }
            }
            case INT -> {
                if (value instanceof Integer number) {
                    ((IntBuilder) builder).append(number.intValue());
                    return;
                }
            }
            case BOOLEAN -> {
                if (value instanceof Boolean bool) {
                    ((BooleanBuilder) builder).append(bool.booleanValue());
                    return;
                }
            }
            default -> {}
        }
        appendAny(value);
    }

    void truncate(long values) {
        builder.truncate(values);
    }

    void appendNulls(long count) {
        builder.appendNulls(count);
    }

    private void appendAny(@Nullable Object value) {
        if (value == null) {
            builder.appendNull();
            return;
        }
        Object plain = RecordValues.plain(value);
        DataType own = type(plain);
        if (!own.equals(type)) {
            widen(own, value);
        }
        builder.append(plain);
    }

    private DataType type(Object plain) {
        try {
            return JavaTypes.infer(plain);
        } catch (MillraceException e) {
            throw new MillraceException(e.culprit(), "Column '" + name + "': " + e.getMessage(), e);
        }
    }

    /// Appends a value of a block, under the block's type.
    void append(Column column, long row) {
        DataType own = column.type() instanceof DataType.Dictionary dictionary ? dictionary.value() : column.type();
        if (!own.equals(type)) {
            widen(own, null);
        }
        if (column.isNull(row)) {
            builder.appendNull();
        } else if (kind == LONG && column instanceof LongColumn longs) {
            ((LongBuilder) builder).append(longs.get(row));
        } else if (kind == DOUBLE && column instanceof DoubleColumn doubles) {
            ((DoubleBuilder) builder).append(doubles.get(row));
        } else if (kind == STRING && column instanceof StringColumn strings) {
            ((StringColumnBuilder) builder).append(strings.get(row));
        } else {
            builder.append(column.value(row));
        }
    }

    /// Widens this column's type to the common type of its own and `own`.
    private void widen(DataType own, @Nullable Object value) {
        Optional<DataType> common = Types.common(type, own);
        if (common.isEmpty()) {
            throw MillraceException.user("Column '" + name + "' was " + show(example, type) + " in a row before and is "
                    + show(value, own) + " now. Return values of one type for a column.");
        }
        if (example == null) {
            example = value;
        }
        if (common.get().equals(type)) {
            return;
        }
        ColumnBuilder old = builder;
        try (ColumnBuilder _ = old) {
            long length = old.length();
            Column before = old.build();
            try {
                use(common.get());
                for (long i = 0; i < length; i++) {
                    builder.append(before.value(i));
                }
            } finally {
                before.release();
            }
        }
    }

    private static String show(@Nullable Object value, DataType type) {
        if (value == null) {
            return "of type " + type;
        }
        String text = String.valueOf(value);
        return (value instanceof String ? "'" + text + "'" : text.length() > 80 ? text.substring(0, 80) + "..." : text)
                + " (" + type + ")";
    }

    /// The number of rows to reserve: few if each is large.
    private long roomFor(DataType newType) {
        return newType instanceof DataType.Tensor tensor
                ? Math.clamp(TENSOR_VALUES / Math.max(1, tensor.elements()), 1, expected)
                : expected;
    }

    private void use(DataType newType) {
        ColumnBuilder fresh = ColumnBuilder.of(allocator, newType, roomFor(newType));
        type = newType;
        builder = fresh;
        kind = switch (fresh) {
            case LongBuilder _ when newType.equals(DataType.INT64) -> LONG;
            case DoubleBuilder _ -> DOUBLE;
            case StringColumnBuilder _ -> STRING;
            case IntBuilder _ when newType.equals(DataType.INT32) -> INT;
            case BooleanBuilder _ -> BOOLEAN;
            default -> OTHER;
        };
    }

    long sizeBytes() {
        return builder.sizeBytes();
    }

    /// The column so far; the next one of the same type begins.
    Column build(long nextExpected) {
        Column column = builder.build();
        expected = nextExpected;
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(column);
            use(type);
            scope.keep();
        }
        return column;
    }

    @Override
    public void close() {
        builder.close();
    }
}
