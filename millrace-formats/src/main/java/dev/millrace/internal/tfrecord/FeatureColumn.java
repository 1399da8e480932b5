package dev.millrace.internal.tfrecord;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.FloatBuilder;
import dev.millrace.column.ListBuilder;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.column.VariableWidthBuilder;
import dev.millrace.internal.binary.Utf8Validation;
import dev.millrace.type.Field;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Appends one feature to one column.
final class FeatureColumn {
    private final Field field;
    private final byte[] name;
    /// Null if the column has nulls alone.
    private final @Nullable FeatureKind kind;
    private final ProtobufMessage message;
    /// Null before the first chunk.
    private @Nullable ColumnBuilder builder;

    /// @param field of a type that [FeatureKind#readAs] supports, or null
    FeatureColumn(Field field, ProtobufMessage message) {
        this.field = field;
        this.name = field.name().getBytes(StandardCharsets.UTF_8);
        this.kind = FeatureKind.readAs(field.type());
        this.message = message;
    }

    /// Sets the builder to which values are appended from now on.
    void into(ColumnBuilder next) {
        builder = next;
    }

    boolean isNamed(MemorySegment memory, long from, long to) {
        return isNamed(name, memory, from, to);
    }

    static boolean isNamed(byte[] name, MemorySegment memory, long from, long to) {
        if (to - from != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if (memory.get(JAVA_BYTE, from + i) != name[i]) {
                return false;
            }
        }
        return true;
    }

    /// Ends a row; appends null if the feature was missing.
    void endRow(long rows) {
        ColumnBuilder builder = builder();
        if (builder.length() < rows) {
            builder.appendNull();
        }
    }

    /// @param found null if the feature has no list
    void append(long row, @Nullable FeatureKind found, long from, long to) {
        ColumnBuilder builder = builder();
        if (builder.length() > row) {
            throw message.malformed("feature '" + field.name() + "' comes twice");
        }
        if (found == null) {
            builder.appendNull();
            return;
        }
        if (found != kind) {
            if (from == to) {
                builder.appendNull();
                return;
            }
            throw misfit("is a list of " + found.type());
        }
        if (builder instanceof ListBuilder list) {
            values(list.elements(), from, to);
            list.endValue();
            return;
        }
        long count = values(builder, from, to);
        if (count == 0) {
            builder.appendNull();
        } else if (count > 1) {
            throw misfit("has " + count + " values");
        }
    }

    private ColumnBuilder builder() {
        return Objects.requireNonNull(builder, "a chunk begins before its rows");
    }

    private RuntimeException misfit(String what) {
        String better = "Give its type: ReadTfRecords.defaults().type(\"" + field.name() + "\", DataType...)";
        return message.unfit("feature '" + field.name() + "' " + what + ", and its column is of type " + field.type()
                + ". " + better);
    }

    /// @return the number of values
    private long values(ColumnBuilder target, long from, long to) {
        MemorySegment memory = message.memory();
        message.at = from;
        long before = target.length();
        while (message.at < to) {
            long tag = message.varint(to);
            int wire = (int) (tag & 7);
            if (tag >>> 3 != 1) {
                message.skip(wire, to);
                continue;
            }
            switch (target) {
                case VariableWidthBuilder bytes
                when wire == ProtobufMessage.BYTES -> {
                    long end = message.lengthEnd(to);
                    if (bytes instanceof StringColumnBuilder
                            && !Utf8Validation.isValid(memory, message.at, end - message.at)) {
                        throw misfit("has bytes that are no UTF-8");
                    }
                    bytes.append(memory, message.at, end - message.at);
                    message.at = end;
                }
                case FloatBuilder floats
                when wire == ProtobufMessage.BYTES -> {
                    long end = message.lengthEnd(to);
                    if ((end - message.at) % Float.BYTES != 0) {
                        throw message.malformed("a list of floats is cut off");
                    }
                    long count = (end - message.at) / Float.BYTES;
                    floats.reserve(count);
                    floats.appendStored(memory.asSlice(message.at, end - message.at), 0, count);
                    message.at = end;
                }
                case FloatBuilder floats
                when wire == ProtobufMessage.FIXED32 -> {
                    long at = message.at;
                    message.skip(wire, to);
                    floats.append(memory.get(JAVA_FLOAT_UNALIGNED, at));
                }
                case LongBuilder longs
                when wire == ProtobufMessage.BYTES -> {
                    long end = message.lengthEnd(to);
                    while (message.at < end) {
                        longs.append(message.varint(end));
                    }
                }
                case LongBuilder longs when wire == ProtobufMessage.VARINT -> longs.append(message.varint(to));
                default -> throw message.malformed("a value of '" + field.name() + "' has the wire type " + wire);
            }
        }
        return target.length() - before;
    }
}
