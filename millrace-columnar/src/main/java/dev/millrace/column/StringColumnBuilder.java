package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Builds a [StringColumn].
public final class StringColumnBuilder extends VariableWidthBuilder {
    /// Strings of up to this many chars are encoded in place; longer ones through a byte[], to avoid reserving three
    /// bytes per char.
    private static final int IN_PLACE = 16 << 10;
    /// A byte that never occurs in UTF-8.
    private static final byte NOT_UTF8 = (byte) 0xFF;

    /// A builder with an initial capacity of `expected` texts; it grows as needed.
    public StringColumnBuilder(Allocator allocator, long expected) {
        this(allocator, expected, WIDEN_ABOVE);
    }

    StringColumnBuilder(Allocator allocator, long expected, long widenAbove) {
        super(allocator, DataType.UTF8, expected, widenAbove);
    }

    /// Appends the UTF-8 encoding of the string; an unpaired surrogate becomes '?'.
    public void append(String value) {
        int chars = value.length();
        if (chars > IN_PLACE) {
            byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
            append(encoded, 0, encoded.length);
            return;
        }
        reserveBytes(3L * chars + 2);
        markValid();
        // setString copies an ASCII string directly out of the String and terminates it with a zero, but does not
        // return the number of bytes written. One byte per char and the zero leave the marker after them unchanged; a
        // longer encoding overwrites it.
        bytes.set(JAVA_BYTE, end + chars + 1, NOT_UTF8);
        bytes.setString(end, value);
        boolean ascii = bytes.get(JAVA_BYTE, end + chars + 1) == NOT_UTF8;
        end += ascii ? chars : encodedLength(value);
        endAt(end);
    }

    private static int encodedLength(String value) {
        int length = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x80) {
                length++;
            } else if (c < 0x800) {
                length += 2;
            } else if (!Character.isSurrogate(c)) {
                length += 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                length += 4;
                i++;
            } else {
                length++;
            }
        }
        return length;
    }

    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else {
            append(JavaValues.toText(type, value));
        }
    }

    @Override
    public StringColumn build() {
        long nulls = nullCount();
        int width = offsetWidth();
        return new StringColumn(length, takeOffsets(), width, takeData(), takeValidity(), 0, nulls);
    }
}
