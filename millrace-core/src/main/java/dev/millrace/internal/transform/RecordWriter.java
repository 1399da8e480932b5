package dev.millrace.internal.transform;

import dev.millrace.column.BooleanBuilder;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.column.FloatBuilder;
import dev.millrace.column.IntBuilder;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.List;

/// Appends records to builders, component by component, without boxing for the common types.
final class RecordWriter {
    private enum Kind {
        LONG,
        INT,
        DOUBLE,
        FLOAT,
        BOOLEAN,
        STRING,
        OTHER
    }

    private final RecordCodec codec;
    private final ColumnBuilder[] builders;
    private final MethodHandle[] accessors;
    private final Kind[] kinds;

    RecordWriter(RecordCodec codec, List<? extends ColumnBuilder> builders) {
        this.codec = codec;
        this.builders = builders.toArray(ColumnBuilder[]::new);
        this.accessors = new MethodHandle[codec.size()];
        this.kinds = new Kind[codec.size()];
        for (int i = 0; i < kinds.length; i++) {
            MethodHandle accessor = codec.accessor(i);
            Class<?> type = accessor == null ? Object.class : accessor.type().returnType();
            kinds[i] = kindOf(type, this.builders[i]);
            accessors[i] = accessor == null || kinds[i] != Kind.OTHER
                    ? accessor
                    : accessor.asType(MethodType.methodType(Object.class, Object.class));
        }
    }

    private static Kind kindOf(Class<?> type, ColumnBuilder builder) {
        if (type == long.class && builder instanceof LongBuilder) {
            return Kind.LONG;
        } else if (type == int.class && builder instanceof IntBuilder) {
            return Kind.INT;
        } else if (type == double.class && builder instanceof DoubleBuilder) {
            return Kind.DOUBLE;
        } else if (type == float.class && builder instanceof FloatBuilder) {
            return Kind.FLOAT;
        } else if (type == boolean.class && builder instanceof BooleanBuilder) {
            return Kind.BOOLEAN;
        } else if (type == String.class && builder instanceof StringColumnBuilder) {
            return Kind.STRING;
        }
        return Kind.OTHER;
    }

    public void append(Object record) {
        try {
            for (int i = 0; i < kinds.length; i++) {
                append(i, record);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new MillraceException(
                    Culprit.USER, "An accessor of " + codec.type().getName() + " failed: " + e, e);
        }
    }

    private void append(int i, Object record) throws Throwable {
        ColumnBuilder builder = builders[i];
        switch (kinds[i]) {
            case LONG -> ((LongBuilder) builder).append((long) accessors[i].invokeExact(record));
            case INT -> ((IntBuilder) builder).append((int) accessors[i].invokeExact(record));
            case DOUBLE -> ((DoubleBuilder) builder).append((double) accessors[i].invokeExact(record));
            case FLOAT -> ((FloatBuilder) builder).append((float) accessors[i].invokeExact(record));
            case BOOLEAN -> ((BooleanBuilder) builder).append((boolean) accessors[i].invokeExact(record));
            case STRING -> {
                String text = (String) accessors[i].invokeExact(record);
                if (text == null) {
                    builder.appendNull();
                } else {
                    ((StringColumnBuilder) builder).append(text);
                }
            }
            case OTHER -> {
                try {
                    builder.append(RecordValues.plain(codec.component(record, i)));
                } catch (MillraceException e) {
                    throw new MillraceException(e.culprit(), codec.describe(i) + ": " + e.getMessage(), e);
                }
            }
        }
    }
}
