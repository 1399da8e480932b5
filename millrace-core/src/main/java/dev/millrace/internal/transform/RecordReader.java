package dev.millrace.internal.transform;

import dev.millrace.batch.RowCursor;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/// Creates records from the rows of blocks of one schema: one method handle that reads each component from its column,
/// without boxing for the common types, and calls the constructor.
public final class RecordReader {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private final RecordCodec codec;
    private final Schema schema;
    /// (RowCursor)Object
    private final MethodHandle make;

    RecordReader(RecordCodec codec, Schema schema) {
        this.codec = codec;
        this.schema = schema;
        MethodHandle[] reads = new MethodHandle[codec.size()];
        for (int i = 0; i < reads.length; i++) {
            reads[i] = read(i, schema.indexOf(codec.schema().field(i).name()));
        }
        if (codec.constructor() == null) {
            make = reads[0].asType(MethodType.methodType(Object.class, RowCursor.class));
        } else {
            MethodHandle fed = MethodHandles.filterArguments(codec.constructor(), 0, reads);
            MethodType one = MethodType.methodType(Object.class, RowCursor.class);
            make = reads.length == 0
                    ? MethodHandles.dropArguments(codec.constructor(), 0, RowCursor.class)
                    : MethodHandles.permuteArguments(fed, one, new int[reads.length]);
        }
    }

    public Schema schema() {
        return schema;
    }

    /// The record of the row that the cursor is at; the cursor's block has this reader's schema.
    public Object read(RowCursor row) {
        try {
            return make.invokeExact(row);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new MillraceException(
                    Culprit.USER, "The constructor of " + codec.type().getName() + " failed: " + e, e);
        }
    }

    /// (RowCursor)component, from the column at `position`.
    private MethodHandle read(int component, int position) {
        Class<?> type = codec.componentType(component) instanceof Class<?> plain ? plain : Object.class;
        DataType column = schema.field(position).type();
        String method = null;
        if (type == long.class && column.equals(DataType.INT64)) {
            method = "readLong";
        } else if (type == int.class && column.equals(DataType.INT32)) {
            method = "readInt";
        } else if (type == double.class && column.equals(DataType.FLOAT64)) {
            method = "readDouble";
        } else if (type == float.class && column.equals(DataType.FLOAT32)) {
            method = "readFloat";
        } else if (type == boolean.class && column.equals(DataType.BOOL)) {
            method = "readBoolean";
        } else if (type == String.class && column.equals(DataType.UTF8)) {
            method = "readString";
        }
        Class<?> result = method == null ? Object.class : type;
        try {
            MethodHandle handle = LOOKUP.findVirtual(
                    RecordReader.class,
                    method == null ? "readObject" : method,
                    MethodType.methodType(result, int.class, int.class, RowCursor.class));
            handle = MethodHandles.insertArguments(handle.bindTo(this), 0, component, position);
            Class<?> wanted = codec.constructor() == null
                    ? Object.class
                    : codec.constructor().type().parameterType(component);
            return handle.asType(MethodType.methodType(wanted, RowCursor.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    // Called through handles, by name.

    long readLong(int component, int position, RowCursor row) {
        LongColumn column = (LongColumn) row.column(position);
        requireValue(component, column, row);
        return column.get(row.position());
    }

    int readInt(int component, int position, RowCursor row) {
        IntColumn column = (IntColumn) row.column(position);
        requireValue(component, column, row);
        return column.get(row.position());
    }

    double readDouble(int component, int position, RowCursor row) {
        DoubleColumn column = (DoubleColumn) row.column(position);
        requireValue(component, column, row);
        return column.get(row.position());
    }

    float readFloat(int component, int position, RowCursor row) {
        FloatColumn column = (FloatColumn) row.column(position);
        requireValue(component, column, row);
        return column.get(row.position());
    }

    boolean readBoolean(int component, int position, RowCursor row) {
        BooleanColumn column = (BooleanColumn) row.column(position);
        requireValue(component, column, row);
        return column.get(row.position());
    }

    @Nullable
    String readString(int component, int position, RowCursor row) {
        StringColumn column = (StringColumn) row.column(position);
        return column.isNull(row.position()) ? null : column.get(row.position());
    }

    @Nullable
    Object readObject(int component, int position, RowCursor row) {
        Column column = row.column(position);
        Object value = RecordValues.convert(
                column.value(row.position()), codec.componentType(component), codec.describe(component));
        if (value == null && codec.isPrimitive(component)) {
            throw codec.nullPrimitive(component);
        }
        return value;
    }

    private void requireValue(int component, Column column, RowCursor row) {
        if (column.isNull(row.position())) {
            throw codec.nullPrimitive(component);
        }
    }
}
