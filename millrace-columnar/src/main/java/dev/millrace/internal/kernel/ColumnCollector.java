package dev.millrace.internal.kernel;

import dev.millrace.column.BooleanBuilder;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.FixedWidthBuilder;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListBuilder;
import dev.millrace.column.ListColumn;
import dev.millrace.column.NullBuilder;
import dev.millrace.column.StructBuilder;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableWidthBuilder;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Types;
import org.jspecify.annotations.Nullable;

/// Concatenates columns that arrive one after the other. Unlike [ConcatenateKernel] it does not need them at the same
/// time: each may be released when it was added, and if the sizes are known in advance, the memory of plain values and
/// texts is allocated once, so that no more is held than the result. One thread.
public final class ColumnCollector implements AutoCloseable {
    private final Allocator allocator;
    private final long values;
    private final long bytes;
    private @Nullable ColumnBuilder builder;

    /// @param values the number of values
    /// @param bytes the approximate bytes of values without a fixed size, without their offsets
    public ColumnCollector(Allocator allocator, long values, long bytes) {
        this.allocator = allocator;
        this.values = values;
        this.bytes = bytes;
    }

    /// Adds all values; those of another type widen the result's type to the common one. The caller keeps the column.
    public void add(Column column) {
        ColumnBuilder into = builder == null ? begin(column.type()) : builder;
        DataType type = Types.unify(into.type(), column.type());
        if (!type.equals(into.type())) {
            Column before = taken(into);
            try {
                into = begin(type);
                addAs(into, before);
            } finally {
                before.release();
            }
        }
        addAs(into, column);
    }

    private ColumnBuilder begin(DataType type) {
        ColumnBuilder begun = ColumnBuilder.of(allocator, type, values);
        builder = begun;
        if (begun instanceof VariableWidthBuilder texts) {
            texts.reserveExactly(bytes);
        }
        return begun;
    }

    private void addAs(ColumnBuilder into, Column column) {
        Column widened = WidenKernel.to(allocator, column, into.type());
        try {
            append(into, widened, 0, widened.length());
        } finally {
            widened.release();
        }
    }

    private static void append(ColumnBuilder into, Column column, long from, long count) {
        switch (into) {
            case NullBuilder nulls -> nulls.appendNulls(count);
            case FixedWidthBuilder fixed -> appendFixed(fixed, (FixedWidthColumn) column, from, count);
            case VariableWidthBuilder texts -> {
                VariableWidthColumn source = (VariableWidthColumn) column;
                for (long i = from; i < from + count; i++) {
                    if (source.isNull(i)) {
                        texts.appendNull();
                    } else {
                        texts.append(source.dataSegment(), source.start(i), source.end(i) - source.start(i));
                    }
                }
            }
            case BooleanBuilder booleans -> {
                BooleanColumn source = (BooleanColumn) column;
                for (long i = from; i < from + count; i++) {
                    if (source.isNull(i)) {
                        booleans.appendNull();
                    } else {
                        booleans.append(source.get(i));
                    }
                }
            }
            case ListBuilder lists -> {
                ListColumn source = (ListColumn) column;
                for (long i = from; i < from + count; i++) {
                    if (source.isNull(i)) {
                        lists.appendNull();
                    } else {
                        append(lists.elements(), source.elements(), source.start(i), source.end(i) - source.start(i));
                        lists.endValue();
                    }
                }
            }
            case StructBuilder structs -> appendStructs(structs, (StructColumn) column, from, count);
            default -> {
                for (long i = from; i < from + count; i++) {
                    into.append(column.value(i));
                }
            }
        }
    }

    private static void appendFixed(FixedWidthBuilder into, FixedWidthColumn column, long from, long count) {
        if (!column.hasNulls()) {
            into.appendStored(column.values(), from, count);
            return;
        }
        long end = from + count;
        for (long at = from; at < end; ) {
            if (column.isNull(at)) {
                into.appendNull();
                at++;
                continue;
            }
            long stretch = at + 1;
            while (stretch < end && !column.isNull(stretch)) {
                stretch++;
            }
            into.appendStored(column.values(), at, stretch - at);
            at = stretch;
        }
    }

    private static void appendStructs(StructBuilder into, StructColumn column, long from, long count) {
        int fields = into.type().fields().size();
        for (long i = from; i < from + count; i++) {
            if (column.isNull(i)) {
                into.appendNull();
                continue;
            }
            for (int field = 0; field < fields; field++) {
                append(into.child(field), column.child(field), i, 1);
            }
            into.endValue();
        }
    }

    /// The column, which the caller releases; null if nothing was added. The collector is empty afterwards.
    public @Nullable Column build() {
        return builder == null ? null : taken(builder);
    }

    private Column taken(ColumnBuilder from) {
        Column built = from.build();
        from.close();
        builder = null;
        return built;
    }

    @Override
    public void close() {
        if (builder != null) {
            builder.close();
            builder = null;
        }
    }
}
