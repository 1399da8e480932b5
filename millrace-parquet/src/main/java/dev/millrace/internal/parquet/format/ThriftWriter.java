package dev.millrace.internal.parquet.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes Thrift's compact protocol to memory. A struct is `begin(); ...fields in ascending order...; end()`.
public final class ThriftWriter {
    private static final int STOP = 0;
    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int BYTE = 3;
    private static final int I16 = 4;
    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;

    private byte[] bytes = new byte[256];
    private int size;
    private int[] outer = new int[8];
    private int depth;
    private int lastField;

    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    private void put(int value) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * size);
        }
        bytes[size++] = (byte) value;
    }

    private void varint(long value) {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            put((int) (left & 0x7F | 0x80));
            left >>>= 7;
        }
        put((int) left);
    }

    private void zigzag(long value) {
        varint(value << 1 ^ value >> 63);
    }

    /// Begins a struct that is an element of a list, or the outermost one.
    public void begin() {
        if (depth == outer.length) {
            outer = Arrays.copyOf(outer, 2 * depth);
        }
        outer[depth++] = lastField;
        lastField = 0;
    }

    /// Begins a struct that is a field.
    public void begin(int field) {
        header(field, STRUCT);
        begin();
    }

    public void end() {
        put(STOP);
        lastField = outer[--depth];
    }

    /// A struct without fields.
    public void empty(int field) {
        begin(field);
        end();
    }

    private void header(int field, int type) {
        int delta = field - lastField;
        if (delta > 0 && delta < 16) {
            put(delta << 4 | type);
        } else {
            put(type);
            zigzag(field);
        }
        lastField = field;
    }

    public void i32(int field, int value) {
        header(field, I32);
        zigzag(value);
    }

    public void i16(int field, int value) {
        header(field, I16);
        zigzag(value);
    }

    public void i64(int field, long value) {
        header(field, I64);
        zigzag(value);
    }

    public void bool(int field, boolean value) {
        header(field, value ? TRUE : FALSE);
    }

    public void i8(int field, int value) {
        header(field, BYTE);
        put(value);
    }

    public void string(int field, String value) {
        binary(field, value.getBytes(StandardCharsets.UTF_8));
    }

    public void binary(int field, byte[] value) {
        header(field, BINARY);
        binary(value);
    }

    private void binary(byte[] value) {
        varint(value.length);
        for (byte b : value) {
            put(b);
        }
    }

    /// Begins a list of structs, which follow.
    public void structs(int field, int count) {
        list(field, STRUCT, count);
    }

    private void list(int field, int type, int count) {
        header(field, LIST);
        if (count < 15) {
            put(count << 4 | type);
        } else {
            put(0xF0 | type);
            varint(count);
        }
    }

    public void i32s(int field, int... values) {
        list(field, I32, values.length);
        for (int value : values) {
            zigzag(value);
        }
    }

    public void i64s(int field, long... values) {
        list(field, I64, values.length);
        for (long value : values) {
            zigzag(value);
        }
    }

    public void bools(int field, boolean... values) {
        list(field, TRUE, values.length);
        for (boolean value : values) {
            put(value ? TRUE : FALSE);
        }
    }

    public void binaries(int field, byte[]... values) {
        list(field, BINARY, values.length);
        for (byte[] value : values) {
            binary(value);
        }
    }

    public void strings(int field, String... values) {
        list(field, BINARY, values.length);
        for (String value : values) {
            binary(value.getBytes(StandardCharsets.UTF_8));
        }
    }
}
